// Package home lets the devices of a house in, as they come: lamps with Tasmota or ESPHome, zigbee2mqtt, Home Assistant, Node-RED,
// the clients and bridges of Mosquitto. Behind it runs a Mosquitto of its own (package mosquitto), which nobody reaches but through
// here. It has nothing in common with the broker of the phones. The table joins it as one more client (package uplink) and tells it
// what everybody sees: nothing secret is ever inside.
//
//	r, err := home.NewRegister(store, tree.Base(), changed)
//	password, err := r.Add("lampe", home.Tasmota, "salon")   told once
//	b, err := home.New(r, &home.Opts{Folder: folder})
//	go b.ServeTCP(door.Listen(listener))
//	uplink.New(&uplink.Opts{Dial: b.Join, User: home.Own, Password: b.Word(), ...})
//	b.Close()
//
// A connection is a stranger of package door until its CONNECT shows an account; then it is a device there. It is handed over to
// Mosquitto under <account>/<id>, by a word that no device knows. From then on packets pass one by one towards Mosquitto, which judges
// what is published and subscribed to, keeps sessions and what is retained; what it answers passes as it comes.
//
// An account is made from a template, which is a list of filters to read, to write and to leave something retained
// (account.go). A client comes in with the name and the password of an account, by MQTT 3.1.1 or 5, with any client id, a
// will, a kept session, wildcards and QoS 0 to 2. What is granted and what is not:
//
//   - a filter that no grant covers is refused (0x80; MQTT 5: 0x87), as are $SYS and shared subscriptions; covered is meant
//     level by level, for all topics that the filter can match;
//   - what is published where the account may not write is acknowledged and dropped (MQTT 5 at QoS 1: 0x87), for a stock
//     client that is cut comes back at once and for ever; nobody but the table writes what tells Home Assistant of it, save
//     Home Assistant itself, whose owner may delete it there; nobody but the table writes below its base, save commands, where Opts allows
//     them and the template of the account has them (Home Assistant, Node-RED): on <base>/command/<name>, told with the account
//     behind the topic, and never retained, nor as a will;
//   - what is left retained above the quota of the account is told and not kept; what has expired is none of it;
//   - a will where the account may not write is refused at CONNECT (5; MQTT 5: 0x87), except that of a Mosquitto bridge on
//     $SYS, which is left out; one whose rights are gone when it is due is told to nobody;
//   - client ids are of the account: two accounts may have the same, and none takes over the session of another;
//   - not served, by policy: MQTT 3.1, anonymous clients, topic aliases, AUTH.
//
// Limits: 16 accounts, 2 connections of each (a watching one 4); the newest of an account wins. A CONNECT comes within 5 s, in 8 KiB,
// later packets in 64 KiB (1 MiB of a program, which may tell of all its devices at once). A connection is
// read at 20 messages and 32 KiB a second (burst 200 and 256 KiB), those of programs that speak for many devices at 50 and
// 64 KiB (burst 500 and 2 MiB), a tenth of what it is told among them; one that sends faster is read later, and loses nothing.
// Retained since the start: 50 topics and 64 KiB (programs 2,000 and 2 MiB), 4,000 and 4 MiB in all. A SUBSCRIBE has 512 filters at
// most, of which 16 may stand there again. Sessions kept while away: 2 (programs 4), for an hour. What waits for a client is bounded
// by package mosquitto; the newest above that are lost. One that has not read for 5 s is cut (package door).
//
// When Mosquitto does not run a device is answered that the broker is away (3; MQTT 5: 0x88), after five seconds where it has only
// begun to start. What was retained and kept outlives a start; of what an earlier start has left no quota is counted.
//
// What may leak: to who listens on the Wi-Fi, the password of a device and all that is said here: the port is plain. To the
// owner's page: which topics an account has asked for in vain.
package home
