// Package cert is the table's own certificate authority, for who wants https: phones keep their screen on
// there, and nobody in the network can put another page in the place of ours on its way.
//
//	a, err := cert.Open(folder, name, nil)  the root, made where there is none yet
//	a.Root()                                what a phone installs, once (DER)
//	a.Serve(addrs)                          the addresses that the pages have now
//	tls.Config{GetCertificate: a.Certificate}
//
// The root is good for this table alone: it is constrained (RFC 5280, 4.2.1.10, critical) to the name in .local with the numbers that a
// name gets which is taken (majordome.local, majordome-2.local ... -9), and to addresses of private networks. Whoever steals
// its key can pretend to be a table in the home of who has installed it, and no bank.
//
// Leaves are made when they are asked for: one at a time, for the name and the addresses of now, and a new one when an
// address comes. Of an address in no private network no leaf speaks. No HSTS, and no redirection: a phone that trusts
// nothing goes on by http.
//
// Root and leaf begin in 2019 and last 20 years from now: a board without a battery, whose clock lags or leaps by years,
// serves phones whose clock is right all the same. A leaf's key lives in memory alone, until the next leaf or stop.
//
// What may leak: the root's key stands in File, beside the store, for the daemon's user alone (0600), and in no backup or bundle. A folder
// without it makes another root, which phones have to install anew.
//
// Limits: 16 addresses, one leaf in memory.
package cert
