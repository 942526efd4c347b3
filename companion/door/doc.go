// Package door is the one door of the daemon: a budget of connections that
// pages, POST /join, MQTT over WebSocket, MQTT over TCP and the devices of the house share, so that nobody
// who has proved nothing can take a place, a byte or a descriptor that a seat
// needs.
//
//	d, err := door.New(nil)
//	server := &http.Server{Handler: d.Handler(mux), ConnContext: d.ConnContext, ...}
//	server.Serve(d.Listen(pages))    and d.Listen(mqtt), d.Inside(own)
//	door.Of(conn).Promote(door.Seat, user)   when a connection has proved itself
//	d.Watch(ctx, log)                the state of the door, once a minute under pressure
//
// A connection begins as a stranger. It becomes public, a seat or the host when
// it proves so; these places are counted apart:
//
//	strangers   160  32 from one address, 96 from one network; fewer when the system grants few descriptors
//	returning    64  strangers from an address where a seat, the host or a device has proved itself
//	                 within 12 h (the last 64 such addresses); 32 from one address
//	public       48  16 from one address; 4 for 127.0.0.1 and ::1 alone, where this machine's
//	                 own display is, and 8 for these and the addresses that are known
//	seats        80  2 of each of the 4 phones that each of 10 seats may have
//	host          6  2 of each of the 3 devices that may have the host's page
//	devices      64  4 of each of the 16 accounts that devices of the house may have, where these are served
//	inside        4  the daemon's own client, on a listener of its own
//
// 362 in all. With the 128 descriptors that the daemon keeps for itself (store,
// buses, listeners, logs, the socket that is being refused) that is 490, below
// the 1,024 of the unit. New reads the real limit: with less than 490 there are
// fewer strangers, with less than 362 it is an error that says so. Where devices of the house
// are served that is 128 more, for each has a second socket, to its own broker.
//
// A network is the /64 of an IPv6 address, where one machine has as many addresses as it
// likes, and the /48 above it, where one site has as many of these. Everybody at home shares
// both, and the /64 of the link (fe80::): so a network may have what twelve devices need
// at once, six connections each, and who is known (returning) counts by itself alone. A new
// phone in a network where more than 600 addresses, or ten new ones a second, do all they may
// cannot be told from them.
//
// Who gives way:
//
//  1. A newcomer takes the place of a stranger rather than being refused: at the
//     limit of its own address of that address's stalest stranger; in a full network, or at a full
//     door, of the stalest stranger of the address that has the most idle ones, and not
//     fewer places than the newcomer's. Of IPv6 strangers the /48 is chosen so first, in it the
//     /64, in that the address; of the returning the address at once. Idle is who has been
//     sent nothing for 1 s, or for 200 ms since it came.
//  2. A third connection of one phone of a seat, or of one device of the host, or a fifth of one account of
//     a device of the house, ends the oldest of that one: one that comes back is never kept out by what it has left behind, and puts
//     no other phone of its seat out.
//  3. Of a full public, the address with the most (of IPv6 chosen as above) gives its newest
//     to an address that has two fewer or less; nobody else gives way there, and this machine
//     itself never.
//  4. Inside, a newcomer takes the place of the oldest that has not shown the daemon's
//     password yet: another process of this machine cannot cut the daemon's own client.
//  5. Nobody else ever gives way: a seat cannot lose its place to a stranger or the public.
//
// Rates of one address: 100 new connections a second (burst 400) at any time, 5
// (burst 20) while more than half of the strangers' places are taken, unless the
// address is known; 50 HTTP requests a second (burst 600), then 429. A network has four times
// these, of which an address that is over its own takes nothing. Five addresses use them up;
// each other one still has 12 connections (one more every 5 s) and 60 requests (one more a
// second), which is a page, a join and a reload, as long as its network takes no more
// than 120 (burst 240) and 600 (burst 1,200) a second in this way. So a network of
// any number of addresses is served 800 requests a second at most, as sixteen IPv4 addresses
// are. At most 1,024 addresses and networks are remembered, and nothing else is kept of an
// address.
//
// Deadlines: header 5 s (the server's), body 5 s, idle between requests 30 s (the
// server's), MQTT's CONNECT 5 s (package broker). A write is made in parts of
// 16 KiB, and the peer has 5 s to take each: a socket that does not read is cut and
// its memory freed at once (SO_LINGER 0). The kernel holds at most 64 KiB to be
// sent and 32 KiB received for each connection: 34 MiB when all 362 are full.
//
// What may leak: counts of connections and refusals by reason, never by seat.
package door
