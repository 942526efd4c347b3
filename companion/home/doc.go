// Package home is an MQTT broker for the devices of a house in their standard configuration: lamps with Tasmota or ESPHome, zigbee2mqtt,
// Home Assistant, Node-RED, the clients and bridges of Mosquitto. It runs a Mosquitto of its own (package mosquitto), which can only be
// reached through this package. It shares nothing with the broker of the phones. The table is one more client of it (package uplink) and
// publishes only what all players may see: nothing secret is ever inside.
//
//	r, err := home.NewRegister(store, tree.Base(), changed)
//	password, err := r.AddOrRenewAccount("lampe", home.Tasmota, "salon")   returned only here
//	b, err := home.New(r, &home.Opts{Folder: folder})
//	go b.ServeTCP(door.WrapListener(listener))
//	uplink.New(&uplink.Opts{Dial: b.Dial, User: home.OwnAccount, Password: b.OwnAccountPassword(), ...})
//	b.Close()
//
// A connection is a stranger of package door until its CONNECT shows an account; then it is a device there. The gate connects it to
// Mosquitto as <account>/<id>, with a password that no device knows. From then on the gate checks packets towards Mosquitto one by one.
// Mosquitto decides what may be published and subscribed to, and stores sessions and retained messages; its answers pass unchanged.
//
// An account is made from a template, which lists the filters that it may read, write and retain on (account.go). A client connects with
// the name and the password of an account, with MQTT 3.1.1 or 5, any client id, a will, a stored session, wildcards and QoS 0 to 2. The
// rules:
//
//   - A filter that no right covers is refused (0x80; MQTT 5: 0x87), and so are $SYS and shared subscriptions. A right must cover the
//     filter level by level, for all topics that the filter can match.
//   - A message to a topic that the account may not write is acknowledged and dropped (MQTT 5 at QoS 1: 0x87), because an ordinary client
//     that is cut connects again at once, for ever. Only the table writes its discovery topics, and Home Assistant, in which the owner may
//     delete the table. Only the table writes below its base, except commands where Opts and the template allow them (Home Assistant,
//     Node-RED): on <base>/command/<name>. Mosquitto receives them with the account appended to the topic, never retained, and not as a
//     will.
//   - A retained message above the quota of the account is published, but not retained. Expired messages do not count.
//   - A will on a topic that the account may not write is refused at CONNECT (5; MQTT 5: 0x87), except that of a Mosquitto bridge on $SYS,
//     which is dropped. A will is not published if the account has lost the right before.
//   - Client ids belong to the account: two accounts may use the same, and neither takes over the session of the other.
//   - Not supported, by policy: MQTT 3.1, anonymous clients, topic aliases, AUTH.
//
// Limits: 16 accounts, 2 connections of each (4 of one that only reads); the newest of an account wins. A CONNECT has 5 s and 8 KiB, a
// later packet 64 KiB (1 MiB for a program, which may describe all its devices at once). A connection is read at 20 messages and 32 KiB a
// second (burst 200 and 256 KiB), one of a program that speaks for many devices at 50 and 64 KiB (burst 500 and 2 MiB); a tenth of the
// bytes sent to it counts too. One that sends faster is read later, and loses nothing. Retained since the start: 50 topics and 64 KiB
// (programs 2,000 and 2 MiB), 4,000 and 4 MiB in all. A topic or filter has 256 bytes and 20 levels. A SUBSCRIBE has at most 512 filters,
// of which 16 may be repeated, and all sessions of an account have 250 (programs 5,000); a client that subscribes to more is cut. Sessions
// of absent clients: 2 (programs 4), for an hour. Package mosquitto limits the queue of a client; messages above that are lost. A client
// that has not read for 5 s is cut (package door).
//
// When Mosquitto does not run, a device is answered that the broker is unavailable (3; MQTT 5: 0x88), after a wait of five seconds if
// Mosquitto is starting. Retained messages and sessions survive a restart; those of earlier starts count for no quota.
//
// What may leak: to a listener on the Wi-Fi, the password of a device and all messages here, because the port is not encrypted. To the
// owner's page: the topics that an account was refused.
package home
