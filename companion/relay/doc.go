// Package relay publishes sealed views to the phones and receives their acts, over MQTT. The broker may be the one inside the daemon or any
// other for MQTT 3.1.1: only the address and the account differ. The broker of a venue is a second Relay; its loss does not stop the first.
//
// New connects in the background, and again after each failure, until Close. Publish and PublishNames queue what is to be sent and return
// at once, connected or not. Acts receives the acts of phones; each Inbound can be answered once with Reply.
//
//	r, err := relay.New(&relay.Opts{URL: ..., Tree: tree, Sealer: ring, Epoch: epoch})
//	go func() { for in := range r.Acts() { loop.Act(in) } }()
//	r.PublishNames(names)
//	r.PublishStep(updates) // after each step, one for each viewer
//	r.PublishHost(updates) // between two steps, to the host's devices only
//	r.Close()
//
// Each retained message is whole, see package line, which keeps the connection. Phones of viewers without an update get an empty payload,
// which clears their retained view.
//
// Each view is sealed for its viewer before it leaves. What may leak: to whom something is sent, and when; all views have the same size
// (package seal). An act arrives as an Inbound only if it opens with that phone's key and belongs to this epoch. All other messages are
// counted in Status, dropped, and logged at most once in ten seconds for each reason, without their content. The table loop decides by its
// Seq whether an act is new.
//
// Limits: at most 46 retained topics, 64 replies that wait, 8 acts of one phone that wait, names of 60 KiB, a state of wire.MaxView. On a
// foreign broker the phones need these rights, here for Mosquitto; the daemon's account needs the right to read and write all:
//
//	pattern read  majordome/1/<site>/<table>/seat/%u/view
//	pattern read  majordome/1/<site>/<table>/seat/%u/reply
//	pattern write majordome/1/<site>/<table>/seat/%u/up
package relay
