// Package cert runs the table's own certificate authority, for owners who want https: over https phones keep their screen on, and no
// machine of the network can replace the page on its way.
//
//	a, err := cert.LoadOrCreate(folder, name, nil)  reads the root, or makes it at the first start
//	a.RootDER()                             what a phone installs, once (DER)
//	a.SetAddresses(addrs)                   the addresses that the pages have now
//	tls.Config{GetCertificate: a.Certificate}
//
// The root is valid for this table only: it is constrained (RFC 5280, 4.2.1.10, critical) to addresses of private networks and to the name
// in .local, also with the numbers that a name gets when it is taken (majordome.local, majordome-2.local ... -9). A thief of its key can
// impersonate a table in the home of a person who has installed the root, but no bank.
//
// A leaf is made on demand, one at a time, for the name and the present addresses, and again when an address is added or removed. It never
// contains an address outside private networks. There is no HSTS and no redirection: a phone that has not installed the root uses http.
//
// Root and leaf begin in 2019 and end 20 years from now, so that a board without a battery, whose clock is years off, serves phones whose
// clock is right all the same. The key of a leaf is only in memory, until the next leaf or the stop.
//
// What may leak: the root's key is in File, in the folder of the store, readable by the daemon's user only (0600), and in no backup or
// bundle. In a folder without that file LoadOrCreate makes another root, which phones have to install again.
//
// Limits: 16 addresses, one leaf in memory.
package cert
