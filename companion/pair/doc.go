// Package pair turns a phone into a seat: the host shows a one-time invitation,
// the phone proves that it has seen it and receives the seat's key. The protocol
// is in package companion, "Joining".
//
//	desk, err := pair.New(store, ring, opts)  keys and open invitations come back
//	desk.Invites(seats)                       links for the host's page, made where missing;
//	                                          seats that are left lose their key
//	http.Handle("/join", desk)                phones redeem them
//	desk.Invite(viewer)                       a new link: new key, the old phone is cut off
//
// What may leak: a link is the seat until it is used, so it is shown to the host
// alone; it is used up by the first phone, and a stolen one is noticed because
// the rightful phone is then refused. Over the network goes nothing that serves
// a listener, not even twice. The stored file holds the codes of open
// invitations and all keys: whoever reads it is every seat (package store).
//
// Limits: one open invitation for each of 11 viewers, requests of 512 bytes within
// 5 s, 20 failed tries an address (an IPv6 /64) and then one every 3 seconds, 256
// addresses; a right proof passes at any time. Package door limits the connections.
package pair
