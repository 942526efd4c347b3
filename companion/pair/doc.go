// Package pair turns a phone into a seat: the host shows a one-time invitation,
// the phone proves that it has seen it and receives a key of that seat. The protocol
// is in package companion, "Joining".
//
//	desk, err := pair.New(store, ring, opts)  keys and open invitations come back
//	desk.Invites(seats)                       links for the host's page, made where missing;
//	                                          seats that are left lose their key
//	http.Handle("/join", desk)                phones redeem them
//	broker.NewRights(tree, desk)              and connect
//	desk.Invite(viewer)                       a new link: new key, the old phones are cut off
//	desk.More(viewer); desk.End(phone)        one phone more at a seat, and one of them off
//	desk.Phones()                             which phones each seat has
//	desk.Dealt()                              the deal: open links of seats serve no more
//	desk.Asking(); desk.Cut(v)                who has come with another phone's key, and the answer
//	http.Handle("POST /claim", NewClaims(desk, o))   a phone asks to be the host's
//	claims.Laid(tag)                          a card was laid on a reader
//	desk.Pleas(); desk.Admit(code), Deny      who asks for the host's page beside the host, and the answer
//
// # Who becomes the host
//
// The host's page is for who stands at the table, and no link to it stands in a log. What a network display
// shows, a stranger elsewhere in the network can fetch, and whoever comes first may be that stranger: neither proves
// anything. There are three ways in, as long as no phone has the host's page:
//
//  1. The screen of the machine itself: a browser on it, which shows the one-time link as a code to scan (package house).
//  2. A card on a reader (Claims). A phone opens /host and asks; it is told three numbers, 2 to 4, and whoever
//     holds it lays one and the same card down so often, waits, and goes on with the next. The numbers are that phone's
//     alone, so that what is done at the table names the phone that it is done for: a stranger who asks, too, or first, is given
//     other numbers, at another time, and nobody lays them. When the last is right the code of an
//     invitation goes to the phone that asked, sealed by X25519: who listens learns nothing.
//  3. A shell of the machine: majordome host, by a socket in the folder of the store.
//
// One phone asks at a time, for 3 minutes, with 3 wrong numbers, and its address then rests for 30 s, each time twice as long, up to 8
// minutes; a phone that is not heard of for 8 s asks no more. Others wait in line, 8 at most, and a newcomer takes a place of
// the largest crowd (crowd.go): after 90 s in which no card was laid the one that
// asks gives way, and who has waited longest has 15 s alone to begin. After 6 wrong numbers of all phones within 10 minutes nobody asks
// by a card. All three numbers alike are never asked for: so does somebody who tries a reader. Another card begins
// anew. While somebody asks, the display says so. A card counts for a claim only before a game, and then for nothing else.
//
// What is left: who has many addresses of many networks may fill the line and so delay others, 105 s for each turn, on the second way, not on the first and
// third; so may who stands at the table and lays wrong numbers. Who lays a card two to four times, in three different groups, within 3 minutes for no reason at all, may lay a stranger's
// numbers: 1 of 24, if it is the same card, and a stranger asks just then. Whoever replaces the page on its way
// can show other numbers; plain http cannot help that. Who may open a connection from the machine itself (another account of it, or a proxy on
// it that nobody told the daemon of) has the first way; with url or names in the configuration, which proxies need, it is shut.
//
// # Further devices of the host
//
// Up to wire.MaxHosts devices have the host's page. A further one asks at /claim, as a first one does, and is shown four
// figures; the host's first device shows the same with what the browser says that it runs on and since when it asks, and answers with one tap. Admitted,
// it gets the code of an invitation as a claim does, sealed for it alone; everybody is told when it has come, and how many there are. What it does is the
// host's: games and stores know viewers, not phones. The first device alone admits, turns away and ends others; a further one may end itself.
//
// The host is shown six at once, one of an address and three of a network (crowd.go), for 3 minutes and as long as they are heard of each minute.
// While others wait, one that was shown for 30 s, or is not heard of for 5 s, gives way to the one that waits longest, and waits again: its page
// says how many are ahead. 64 wait, as long as they are heard of every 8 s; then a newcomer takes the place of one of the largest crowd, surely
// from a network or address that has more, else one time in four. An address rests for 30 s after it was not answered, and for 10 minutes after a
// no; 64 that rest are remembered. So five strangers delay nobody, 64 addresses by five minutes, and among more each has the same chance.
//
// No two show the same figures, and who asks cannot choose them: whoever compares them admits the
// device before them. Who does not, and taps, may admit a stranger; all see it come, and the first device ends it. A plea makes no sound, is
// told to nobody but the host, and its words are the daemon's own. Only what the host is shown can be answered. A yes that comes too late serves nobody, and an admitted device that does not
// come within ten minutes leaves its place. What is left: more than 64 addresses delay others by chance, as do many of one IPv6 /64 those of the
// same /64 (an IPv4 address is the way round), and whoever has the first device has the table.
//
// # Who sits behind a phone
//
// A seat is invited before or after somebody sits there; who joins before is a guest of the
// lobby (package game), and whoever gets up, or is turned away, has no key any more.
//
// A redeemed invitation is dead: the phone that redeemed it is the seat's, and
// everybody is told that the seat has one. Its own request again (the answer was
// lost on the air) gets the same answer until that phone has connected or two
// minutes have passed. Any other proof of a used code is refused, and told to
// everybody, at most every five minutes, and also after a restart: somebody has
// photographed it. A code that a newer invitation has replaced is refused in silence.
//
// # Several phones at a seat
//
// A seat may have up to wire.MaxPhones phones, in every game: those of a team, or a
// tablet beside a phone. The host invites each by a code of its own (More). Each has its
// own key, MQTT user and topics, is shown the same as the others, and acts for the seat;
// each is cut off alone (End), and what is sealed from then on opens for the others only.
// A phone that joins beside another is told to everybody with how many see this seat
// now, and Phones stands in every update: the host cannot lend a second pair of eyes
// to a seat without its players seeing it (GEN-E12).
//
// One key is one phone's. A phone that connects with a key and is not the one that
// redeemed its invitation gets nothing: no view, no reply, no act. It is told to the
// display, the seat and the host, and stays out; who turns it away (Cut) ends the
// question, and no other may ask with this key. A new invitation by the host is the way
// for a player whose phone has died: the old phones are cut at once, in public, and the
// new one need not ask anybody.
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
// Limits: one open invitation for each of 11 viewers, one question for each key, 4
// phones a seat and 3 of the host, requests of 512 bytes within 5 s, 20 failed tries an address (an
// IPv6 /64) and then one every 3 seconds, 256 addresses; a right proof passes at any
// time. Package door limits the connections.
package pair
