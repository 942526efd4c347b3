// Package door admits connections to the daemon. Pages, POST /join, MQTT over WebSocket, MQTT over TCP and the devices of the house share
// one budget, so that a peer that has proved nothing cannot take a place, a byte or a descriptor that a seat needs.
//
//	d, err := door.New(nil)
//	server := &http.Server{Handler: d.LimitRequests(mux), ConnContext: d.ConnContext, ...}
//	server.Serve(d.WrapListener(pages))          also d.WrapListener(mqtt), d.WrapInsideListener(own)
//	door.ConnOf(conn).Promote(door.Seat, user)   after a connection has authenticated
//	d.WatchPressure(ctx, log)                    logs the state of the door, once a minute under pressure
//
// A connection begins as a stranger. It becomes public, a seat or the host when it proves to be one. Each kind has places of its own:
//
//	strangers   160  32 from one address, 96 from one network; fewer when the system grants few descriptors
//	returning    64  strangers from an address where a seat, the host or a device has proved itself
//	                 within 12 h (the last 64 such addresses); 32 from one address
//	public       48  16 from one address; 4 only for 127.0.0.1 and ::1, where this machine's
//	                 own display is, and 8 only for these and the known addresses
//	seats        80  2 of each of the 4 phones that each of 10 seats may have
//	host          6  2 of each of the 3 devices that may have the host's page
//	devices      64  4 of each of the 16 accounts that devices of the house may have, where these are served
//	inside        4  the daemon's own client, on a listener of its own
//
// These are 362 places, without devices. With the 128 descriptors that the daemon keeps for itself (store, buses, listeners, logs, the
// socket that is being refused) they need 490 descriptors, below the 1,024 of the unit. New reads the limit of the system: below 490 there
// are fewer strangers, below 362 New returns an error that says so. Where devices of the house are served, 128 more are needed, because
// each has a second socket, to its own broker.
//
// A network is the /64 of an IPv6 address, in which one machine can have any number of addresses, and the /48 above it, in which one site
// can have any number of /64. All devices at home share both, and the /64 of the link (fe80::). So a network may have what twelve devices
// need at once, six connections each, and known addresses (returning) count separately. A new phone cannot be recognised in a network where
// more than 600 addresses, or ten new ones a second, use all that they may.
//
// Which connection gives way:
//
//  1. A newcomer replaces a stranger rather than being refused. At the limit of its own address it replaces that address's stalest
//     stranger; in a full network, or at a full door, the stalest stranger of the address that has the most idle ones and not fewer places
//     than the newcomer's. Among IPv6 strangers this rule chooses first the /48, then the /64 in it, then the address; among the returning
//     it chooses the address at once. A connection is idle if it was sent nothing for 1 s, or for 200 ms since it came.
//  2. A third connection of one phone of a seat or of one device of the host, or a fifth of one account of a device of the house, ends the
//     oldest of the same phone, device or account. So a phone that comes back is never kept out by its own old connections, and does not
//     push out another phone of its seat.
//  3. If public is full, the address with the most connections (chosen for IPv6 as above) gives its newest to an address that has at least
//     two fewer. No other public connection gives way, and never one of this machine.
//  4. Inside, a newcomer replaces the oldest connection that has not shown the daemon's password yet: another process of this machine
//     cannot cut the daemon's own client.
//  5. No other connection ever gives way: a seat cannot lose its place to a stranger or the public.
//
// Rates of one address: 100 new connections a second (burst 400) at any time; 5 (burst 20) while more than half of the strangers' places
// are taken, unless the address is known; 50 HTTP requests a second (burst 600), above which it gets 429. A network has four times these
// rates; an address above its own rate takes nothing from them. Five addresses can use them up. Each other address then still has 12
// connections (one more every 5 s) and 60 requests (one more a second), enough for a page, a join and a reload, as long as its network
// takes at most 120 connections (burst 240) and 600 requests (burst 1,200) a second in this way. So a network gets at most 800 requests a
// second, however many addresses it has, as many as sixteen IPv4 addresses. The door remembers at most 1,024 addresses and networks and
// nothing else about them.
//
// Deadlines: header 5 s (the server's), body 5 s, idle between requests 30 s (the server's), MQTT's CONNECT 5 s (package broker). A write
// is made in parts of 16 KiB, and the peer has 5 s to receive each: a socket that does not read is cut and its memory freed at once
// (SO_LINGER 0). The kernel keeps at most 64 KiB to send and 32 KiB received for each connection: 34 MiB when all 362 are full.
//
// What may leak: counts of connections and refusals by reason, never by seat.
package door
