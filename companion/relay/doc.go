// Package relay carries sealed views to the phones and their acts back, over
// MQTT. The broker may be the one inside the daemon or any other that
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
//	r.PublishHost(updates) // between two steps, to the host's devices only
//	r.Close()
//
// Everything shown is a retained whole: see package line, which keeps the connection. Seats
// that are in no view any more have their retained view cleared with an empty payload.
//
// Each message is sealed for its viewer before it comes here; what may leak is
// who is sent to and when: all views have one size (package seal). Acts arrive as Act
// only if they open with that phone's key and are of this epoch; everything else
// is counted in Status and dropped, and logged at most once in ten seconds for
// each reason, without a word of its content. Whether an act is new is for the
// table loop to judge by its Seq.
//
// Limits: at most 44 topics, 64 waiting replies, 8 waiting acts of one phone, names 60 KiB,
// state wire.MaxView. A foreign broker needs these rights, here for Mosquitto, with the
// daemon's account also allowed to write all:
//
//	pattern read  majordome/1/<site>/<table>/seat/%u/view
//	pattern read  majordome/1/<site>/<table>/seat/%u/reply
//	pattern write majordome/1/<site>/<table>/seat/%u/up
package relay
