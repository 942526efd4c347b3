// Package mdns keeps a host name and the service _http._tcp in the local network by multicast DNS (RFC 6762, RFC 6763), by IPv4 and
// IPv6, on some interfaces. It answers and asks for nothing but its own names: there is no cache.
//
//	r, err := mdns.Start(&mdns.Opts{Name: "majordome", Port: 80, Interfaces: []string{"wlan0"}})
//	r.Name()  // "majordome", or "majordome-2" where another machine has that
//	r.Close() // says goodbye
//
// A name is probed three times before it is announced. Where another machine has it, also later, the next number is tried, up to 9 and
// then from the first again, after a pause that doubles up to a minute.
//
// Limits: what others send takes no memory that grows. Packets of at most 9000 bytes (RFC 6762 section 17), of which 16 wait and further
// ones are dropped; of each the first 16 questions and 64 records are read. In a second 20 answers are sent, 8 of them to one address and
// 2 to one of its sockets; 6 of the 20 are kept for addresses that ask little. 256 addresses are remembered.
package mdns
