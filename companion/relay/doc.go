// Package relay carries sealed views to the phones and their acts back, over
// MQTT with paho. The broker may be the one inside the daemon or any other that
// speaks MQTT 3.1.1: only the address and the account differ. A venue's broker
// is a second Relay beside the first; its loss stops nothing.
//
// New begins to connect and goes on trying until Close. Publish and SetNames
// hand over what is to be seen and return at once, connected or not. Acts
// brings what phones want; each Inbound can be answered once through Reply.
//
//	r, err := relay.New(&relay.Opts{URL: ..., Tree: tree, Sealer: ring, Epoch: epoch})
//	go func() { for in := range r.Acts() { loop.Act(in) } }()
//	r.SetNames(names)
//	r.Publish(updates) // after each step, one for each viewer
//	r.Close()
//
// Everything shown is a retained whole, never a difference: when the link is
// slow the newest payload of a topic replaces the one that waits, and after each
// connect all topics are sent again. Seats that are in no view any more have
// their retained view cleared with an empty payload.
//
// A new paho client is made for each connection, instead of letting one
// reconnect: paho resends what was unacknowledged beside the new publishes, and
// an old view could end up as the retained one.
//
// Each message is sealed for its viewer before it comes here; what may leak is
// who is sent to and when: all views have one size (package seal). Acts arrive as Act
// only if they open with that phone's key and are of this epoch; everything else
// is counted in Stats and dropped, and logged at most once in ten seconds for
// each reason, without a word of its content. Whether an act is new is for the
// table loop to judge by its Seq.
//
// Limits: one waiting payload per topic (at most 44 topics), 64 waiting replies,
// 8 waiting acts of one phone, names 60 KiB, state wire.MaxView. paho itself has no
// limit for what it receives: let a foreign broker have one (Mosquitto:
// message_size_limit 65536, EMQX: mqtt.max_packet_size), and give it these rights,
// here for Mosquitto, with the daemon's account also allowed to write all:
//
//	pattern read  majordome/1/<site>/<table>/seat/%u/view
//	pattern read  majordome/1/<site>/<table>/seat/%u/reply
//	pattern write majordome/1/<site>/<table>/seat/%u/up
package relay
