// Package pair gives the keys of seats to phones: the host shows a one-time invitation, a phone proves that it has
// read it, and gets the key of that seat. The protocol is in package companion, "Joining".
//
//	desk, err := pair.New(store, ring, opts)  loads keys and open invitations
//	desk.RefreshInvites(seats)                   links for the host's page, made if missing; all other seats lose
//	                                          their key
//	http.Handle("/join", desk)                phones redeem the links
//	broker.NewRights(tree, desk)              and connect
//	desk.CutAndInvite(viewer)                 a new link and a new key; the old phones are cut off
//	desk.InviteFurtherPhone(viewer)           a link for one more phone at a seat
//	desk.EndPhone(h)                          cuts one phone off
//	desk.SeatPhones()                         the phones of each seat
//	desk.EndSeatLinks()                       at the deal: open links of seats become useless
//	desk.ContestedViewers()                   seats at which a second phone has come with the key of a phone
//	desk.RefuseSecondPhone(v)                 turns it away
//	http.Handle("POST /claim", NewClaims(desk, o))   a phone claims to be the host
//	claims.HandleCard(card), HandleLeft       a card was put on a reader, and taken away
//	desk.AccessRequests()                     further devices that ask for the host's page
//	desk.AdmitDevice(code), DenyDevice        answers one of them
//	desk.SyncLobby(open, places, free, held)  the code of the lobby, for the display
//	http.HandleFunc("POST /ask", desk.ServeAsk)   phones that have scanned it ask for a seat
//	desk.SeatRequests()                       those that the host sees
//	desk.AdmitToSeat(code, seat), RefuseSeat  answers one of them
//	desk.CardClaims()                         the claims of seats by a card, for the display, and those that it has
//	                                          confirmed; AdmitToSeat, RefuseClaim answers one
//
// # Who becomes the host
//
// The host's page is for a person at the table, and no log contains a link to it. Neither a link on a display of
// the network nor being the first to come proves that a person is there: a stranger elsewhere in the network can
// do both. As long as no phone has the host's page there are four ways to get it:
//
//  1. The screen of the machine itself: a browser on it shows the one-time link as a code (package house).
//  2. A card on a reader (Claims). A phone opens /host and claims; it shows three numbers from 2 to 4. Its owner
//     puts the same card on a reader that many times, waits, and goes on with the next number. Each phone gets numbers
//     of its own, so that the card shows which phone is at the table: a stranger who also claims, or claims first,
//     has other numbers at another time, for which no one uses a card. When the last number is right the phone gets
//     the code of an invitation, encrypted by X25519, so that it is useless to others.
//  3. A shell of the machine: majordome host, by a socket in the folder of the store.
//  4. Without a working reader, and before a game: the machine's own Wi-Fi. Its password is on the card of the machine,
//     written by its owner, or on its screen, so the first phone on it that claims gets the code at once. This way is
//     closed once a host has joined since the start of the daemon, and with url or names in the configuration.
//
// One phone claims at a time, for 3 minutes, with 3 wrong numbers. After a failed claim its address cannot claim for
// 30 s, twice as long after each further one, up to 8 minutes. A claim ends if its phone is silent for 8 s. At most
// 8 others wait; a newcomer to a full queue takes a place of the address with most phones (displace.go). After 90 s
// without a card a claim makes room for the others, and the phone that has waited longest has 15 s to begin. After 6
// wrong numbers of all phones within 10 minutes no phone can claim by a card. The three numbers are never all equal,
// because a person who tries out a reader might produce that. Another card starts the claim again. During a claim the
// display shows that there is one. A card counts for a claim only before a game, and then for nothing else.
//
// Remaining risks: a person with addresses in many networks may fill the queue and delay others, by 105 s for each
// turn. So may a person at the table who produces wrong numbers. Both only affect the second way. A player who
// happens to put down one card two to four times, in three different groups, within 3 minutes may produce the
// numbers of a stranger who claims just then: 1 chance in 24. An attacker who replaces the page on its way can show
// other numbers, which plain http cannot prevent. The first way is open to all connections from the machine itself,
// such as another account on it, or a proxy that the daemon does not know of. With url or names in the
// configuration, which proxies need, the first way is closed.
//
// # Further devices of the host
//
// Up to wire.MaxHosts devices have the host's page. A further device asks at /claim, as the first one did, and
// shows four digits. The host's first device shows the same digits, the kind of device as its browser reports it,
// and since when it asks; the host answers with one tap. An admitted device gets the code of an invitation as
// after a claim, encrypted only for it. When it has joined, all viewers see that and the number of devices. Its
// acts are the host's: games and stores know viewers, not phones. Only the first device admits, denies and ends
// others; a further one may end itself.
//
// The host sees six requests at once, one for each address and three for each network (displace.go). A request lasts
// for 3 minutes, and ends if its device is silent for a minute. While others wait, a request that was shown for 30
// s, or whose device is silent for 5 s, makes room for the oldest one and waits again; its page shows how many are
// ahead. Up to 64 wait, as long as they are not silent for 8 s. A newcomer to a full queue takes a place of the
// address with most requests: always if its own network or address has fewer, otherwise one time in four. An
// address cannot ask again for 30 s without an answer, or for 10 minutes after a refusal; 64 such addresses are
// remembered. So five strangers delay no one, 64 addresses delay others by five minutes, and of more than 64 all
// have the same chance.
//
// No two requests show the same digits, and a device cannot choose them: a host who compares them admits the right
// device. A host who taps without comparing may admit a stranger, but all viewers see that device join, and the first
// device can end it. A request makes no sound, only the host sees it, and all its words are the daemon's own. Only
// requests on the host's page can be answered. An answer that comes too late has no effect, and an admitted device
// that does not join within ten minutes loses its place. Remaining risks: more than 64 addresses delay others at
// random, as do many addresses of one IPv6 /64 the others in it (IPv4 is the way round). The holder of the first
// device controls the table.
//
// # Joining from the display
//
// In the lobby the display shows one code for all. Its link, /#w=<code>, opens a page that asks for a seat, with the name
// and the character of its player, at POST /ask. The code is public to the whole network, as the display is, and opens
// nothing: it only says for which lobby a phone asks. The host sees those who ask in the list of players, and seats them
// with one tap. Then an invitation of the seat is made, as for the host's own codes, and the phone gets its code as an
// admitted device does, encrypted by X25519 for it alone; it joins with that code. Until the tap nothing is stored, no
// seat, link or connection is taken, and no one but the host learns who asks: the host's own codes always work beside. Of two
// phones that ask for the same character, the second learns that it is asked for already. A wish is changed only by a phone
// that opens the lock of the last one (seatRequest): to have overheard its key is not enough.
//
// The host sees as many requests as places are free. Others wait, in the same list as that of further devices (askList): a
// request of an address or network with fewer of them takes a place of a larger one at once; else, while others wait, one
// that was shown for a minute makes room for the oldest. Up to 64 wait; a newcomer to a full list takes a place as above.
// So a stranger with one address, or one IPv6 /64, does not delay others who have an address each, 30 addresses delay them
// by some minutes for six places, and of more than 64 all have the same chance. Phones of one address or /64, as behind a
// proxy, count as one of these strangers: a few addresses then delay all but one of them, and the host's own codes are the
// way round. A request ends if its phone is silent for ten minutes, because screens go dark. A phone that is turned away
// may not ask again for a minute, nor may its address. Each request has four digits that no other has, and that its phone
// and the host's page show. Remaining risk: a stranger in the network may ask under the name of a player. The host then
// sees that name twice, or one name too many; the display shows who is seated, so that a player who is not seated speaks
// up. This is so before the deal only: after it, no request can be answered.
//
// The code changes with each lobby. While a game is running, phones that have asked, or still come with the last code,
// wait for the next lobby, for up to three hours of silence, and then ask there by themselves. A restart keeps the code of
// the lobby but no request; the pages send theirs again. A request that is silent when a lobby opens is not shown until its
// phone is heard. The next group (GEN-E12) finds neither requests nor the code of the last.
//
// # By a card
//
// A card is the second way to answer a request for a seat, beside the host's tap. In the lobby the phone that asks for a
// character gets a seat if a card of that character is laid on a reader twice. A phone whose player has the character already
// says so, and gets that seat in the same way: the phones that had it are cut off, with a public notice. The host has nothing to
// confirm then, and does not see the request. In a running game a phone gets the seat of a character by its pawn alone; it needs
// no code of a lobby for that. A reader in a room does not count, because a pawn there is a move, nor does a card that nobody
// asks for: the table handles it. A card that was laid once in the lobby counts for nothing in the game.
//
// After the first time the daemon draws a key of X25519 for this phone, and sends it. The phone has committed itself before
// to a value (seatRequest), which it shows now. Both compute four figures from the two keys and that value
// (seal.ClaimFigures); they stand on the phone and on the display. The player compares, and lays the card once more. So the
// confirmation is at the table: a tap on a page could be a man in the middle's. He has the same figures on both sides one time
// in 10,000, and each further try takes a card: the daemon keeps one key for a wish, and the phone compares one key for a wish.
//
// None gets the seat, and all are told, if two phones that are heard ask for that character, or if the tag also lies on another
// reader: one of the two is a copy. A claim ends a minute after the first card. Only public facts decide: before the deal each
// card is, and afterwards who has which pawn. The cards of hands would prove more, but an answer would tell the owner of
// a copied tag whose card it is; so none is looked at during a game.
//
// Remaining risks: a player who has a card of another's character in the lobby, or takes another's pawn from the board, lays
// it twice and is not stopped has the seat and its hand; all see the figures before, and the notice after. A stranger who asks
// for every character keeps the cards from deciding: the host confirms then. A copy of a tag passes for the card while the
// original lies on no reader.
//
// # The owner of a seat
//
// A seat can be invited before or after it has a player. A phone that joins before is a guest of the lobby (package
// game). A player who leaves the seat, or is turned away, has no key any more.
//
// A redeemed invitation is used up: the phone that redeemed it belongs to the seat, with a public notice. If it
// sends the same request again (the answer was lost on the air) it gets the same answer, until it has connected or
// two minutes have passed. Any other request with a used code is refused, with a public notice at most every five
// minutes, even after a restart: it means that someone has photographed the code, and was perhaps first. A code that
// was replaced by a newer invitation is refused without a notice.
//
// # A key for each game
//
// The key of a phone is for one game. In the next one the phone asks for another (renew.go): its key is the code of its own successor,
// redeemed as an invitation is. By X25519 the next key is fresh: who recorded everything and gets the phone later reads no earlier
// game, and who has learned a key from a recording does not learn the next one from another. A phone that joined before this, whose
// key a recording may open, renews it in its first game.
//
// A change that is cut short cuts no phone off. The next key is stored before it is given out, and from then on the phone can
// connect with both; views are encrypted with the one that it has connected with last. The former key ends ten minutes after the
// phone has come with the next one, because a browser may lose for some seconds what it stores; the next one never ends. So a phone
// that was away for three games has its seat, and renews once. A request needs the name of the phone and a connect counter that was
// not used: a recording of it is refused, and a copy of the key on another phone gets nothing. Undo, a restart and the same game
// again change no key. With a backup of before a renewal the phone has to join again.
//
// # Several phones at a seat
//
// A seat may have up to wire.MaxPhones phones, in each game: those of a team, or a tablet in addition to a phone.
// The host invites each with a code of its own (InviteFurtherPhone). Each has its own key, MQTT user and topics, shows the
// same as the others, and acts for the seat. Each can be cut off separately (EndPhone); later messages can then
// only be decrypted by the others. When a phone joins a seat that has one, a public notice gives the number of its
// phones, and their number is in every update: the host cannot let a second person look at a seat's view without
// its players noticing (GEN-E12).
//
// A key belongs to one phone. A second phone that connects with it, and has not redeemed its invitation, gets
// nothing: no view, no reply, no act. The display, the seat and the host show that it has come. RefuseSecondPhone
// ends this, and no further phone can raise it with this key. If a player's phone is dead, the host makes a new
// invitation: the old phones are cut off at once, in public, and the new one needs no permission.
//
// An open invitation of a seat ends after ten minutes on the daemon's clock, and at the deal. That of the host
// does not end, because no one at the table could make a new one. A restart does not extend the time.
//
// # What may leak
//
// Until it is used, a link is as good as the seat, so it is only shown to the host. Once it is used, it opens nothing, not even
// together with recordings of the joining, the connects and the views. Remaining risks: a thief who uses a photographed
// code first has the seat until its player tries, which is told to all; a thief who replaces the page has all that it has.
// A key that was copied from a phone is refused on another one, until the thief has also heard the phone's name at a connect;
// only a new invitation ends that. Somebody between phone and table who has photographed the code before its phone used it, or
// knows its key, is that phone to the table and the table to the phone. The stored file contains the codes of open invitations,
// the used code of each key and all keys: a reader of that file can act as any seat (package store).
//
// # Limits
//
// One open invitation for each of 11 viewers, one contest for each key, 4 phones a seat and 3 devices of the host,
// 10 requests for a seat before the host and 64 that wait, requests of 512 bytes within 5 s. 20 failed tries for each
// address (IPv6: each /64), then one every 3 seconds, for 256 addresses; a right proof is always accepted. Package
// door limits the connections.
package pair
