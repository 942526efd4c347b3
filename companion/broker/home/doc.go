// Package home is the broker for the devices of a house, as they come: lamps with Tasmota or ESPHome, zigbee2mqtt, Home
// Assistant, Node-RED, the clients and bridges of Mosquitto. It has nothing in common with the broker of the phones but
// the library: its own port, its own index, its own rights. The table joins it as one more client (package uplink) and
// tells it what everybody sees: nothing secret is ever inside.
//
//	r, err := home.NewRegister(store, tree.Base(), changed)
//	password, err := r.Add("lampe", home.Tasmota, "salon")   told once
//	b, err := home.New(r, nil)
//	go b.ServeTCP(listener)
//	uplink.New(&uplink.Opts{Dial: b.Join, ...})
//	b.Close()
//
// An account is made from a template, which is a list of filters to read, to write and to leave something retained
// (account.go). A client comes in with the name and the password of an account, by MQTT 3.1.1 or 5, with any client id, a
// will, a kept session, wildcards and QoS 0 to 2. What is granted and what is not:
//
//   - a filter that no grant covers is refused (0x80; MQTT 5: 0x87), as are $SYS and shared subscriptions; covered is meant
//     level by level, for all topics that the filter can match;
//   - what is published where the account may not write is acknowledged and dropped (MQTT 5 at QoS 1: 0x87), for a stock
//     client that is cut comes back at once and for ever; nobody but the daemon writes below its base, save commands, where Opts allows
//     them and the template of the account has them (Home Assistant, Node-RED): on <base>/command/<name>, told with the account
//     behind the topic, and never retained, nor as a will;
//   - what is left retained above the quota of the account is told and not kept; what has expired is none of it;
//   - a will where the account may not write is refused at CONNECT (5; MQTT 5: 0x87), except that of a Mosquitto bridge on
//     $SYS, which is left out; one whose rights are gone when it is due is told to nobody;
//   - client ids are of the account: two accounts may have the same, and none takes over the session of another;
//   - not served, by policy: MQTT 3.1, anonymous clients, topic aliases, AUTH.
//
// Limits: 16 accounts, 2 connections of each (a watching one 4), 40 sockets in all, of which 8 may still have to say who
// they are; the newest of an account wins. A CONNECT comes within 5 s, in 8 KiB, later packets in 64 KiB (1 MiB of a program, which may tell of all its
// devices at once). A connection is
// read at 20 messages and 32 KiB a second (burst 200 and 256 KiB), those of programs that speak for many devices at 50 and
// 64 KiB (burst 500 and 2 MiB); one that sends faster is read later, and loses nothing. Retained: 50 topics and 64 KiB
// (programs 2,000 and 2 MiB), 4,000 and 4 MiB in all; a SUBSCRIBE whose
// filters bring more than 8,000 of them, each as often as filters match it, ends its connection. Sessions kept while away: 2 (programs 4), for an hour, with 100
// messages at QoS 1 or 2 of at most 4 KiB; the newest above that are lost. A client that has not read, or not acknowledged,
// 6 MiB, or has not read 512 KiB while all have 24 MiB to read, or nothing for 5 s, is cut.
//
// What may leak: to who listens on the Wi-Fi, the password of a device and all that is said here: the port is plain. To the
// owner's page: which topics an account has asked for in vain.
package home
