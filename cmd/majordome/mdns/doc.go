// Package mdns announces a host name and the service _http._tcp in the local network by multicast
// DNS (RFC 6762, RFC 6763), by IPv4 and IPv6, on some interfaces. It answers and asks only for its
// own names: there is no cache.
//
//	r, err := mdns.Start(&mdns.Opts{Name: "majordome", Port: 80, Interfaces: []string{"wlan0"}})
//	r.Name()  // "majordome", or "majordome-2" if another machine has that name
//	r.Close() // sends a goodbye
//
// A name is probed three times before it is announced. If another machine has it, then or later, the
// next number is tried, up to 9 and then from the first again, after a pause that doubles up to a
// minute.
//
// Limits: packets of others use no memory that grows. A packet has at most 9000 bytes (RFC 6762
// section 17); 16 wait and further ones are dropped; the first 16 questions and 64 records of each
// are read. At most 20 answers are sent per second, 8 of them to one address and 2 to one of its
// sockets; 6 of the 20 are reserved for addresses that ask little. 256 addresses are remembered.
package mdns
