// Package pair turns a phone into a seat: the host shows a one-time invitation,
// the phone proves that it has seen it and receives the seat's key. The protocol
// is in package companion, "Joining".
//
//	desk, err := pair.New(store, ring, opts)  keys and open invitations come back
//	desk.Invites(seats)                       links for the host's page, made where missing;
//	                                          seats that are left lose their key
//	http.Handle("/join", desk)                phones redeem them
//	broker.NewRights(tree, desk)              and connect
//	desk.Invite(viewer)                       a new link: new key, the old phone is cut off
//	desk.Dealt()                              the deal: open links of seats serve no more
//	desk.Asking(); desk.Keep(v); desk.Cut(v)  a second phone at a seat, and the answer
//
// # Who sits behind a phone
//
// A redeemed invitation is dead: the phone that redeemed it is the seat's, and
// everybody is told that the seat has one. Its own request again (the answer was
// lost on the air) gets the same answer until that phone has connected or two
// minutes have passed. Any other proof of a used code is refused, and told to
// everybody, at most every five minutes, and also after a restart: somebody has
// photographed it. A code that a newer invitation has replaced is refused in silence.
//
// A phone that connects with the seat's key and is not the one that redeemed the
// invitation gets nothing: no view, no reply, no act. It asks. The display says so,
// and the seat's own phone or the host keeps it (then both serve) or cuts it (then
// no further phone can ask with this key). A new invitation by the host is the way
// for a player whose phone has died: the old phone is cut at once, in public, and
// the new one need not ask anybody.
//
// An open invitation of a seat ends after ten minutes, by the daemon's clock, and
// at the deal. That of the host does neither: nobody at the table could make it
// anew. A restart keeps what is left of the time.
//
// What may leak: a link is the seat until it is used, so it is shown to the host
// alone. Whoever has the code and has recorded the joining, the connect and the
// views reads along unseen. Who then connects as a phone of its own asks, and is seen;
// who does so under the name of the seat's phone, which each connect shows in clear, is
// that phone to the daemon: it reads and acts unseen, and with a high counter shuts the
// seat's phone out ("used before"). Until keys are agreed by X25519 a new invitation
// alone ends that. The stored file holds the codes of open invitations, the used
// code of each key and all keys: whoever reads it is every seat (package store).
//
// Limits: one open invitation and one phone that asks for each of 11 viewers, 4
// phones a seat, requests of 512 bytes within 5 s, 20 failed tries an address (an
// IPv6 /64) and then one every 3 seconds, 256 addresses; a right proof passes at any
// time. Package door limits the connections.
package pair
