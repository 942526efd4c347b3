// Package seal carries secrets to exactly one phone: it pads and encrypts each
// viewer's view for each phone of that viewer alone, opens the acts that come back, and
// checks the passwords that phones connect with. The byte formats are those of
// package companion.
//
// A daemon uses it in this order:
//
//	ring.Set(phone, key)                 one key for each phone of a seat, and for the host's
//	ring.CheckConnect(phone, id, pass)   at each MQTT connect
//	ring.SealViews(epoch, updates, ...)  at each step, all viewers at once
//	ring.OpenAct(phone, topic, ...)      for each act; ring.SealReply answers it
//	ring.OpenRequest(device, ...)        for each request to the office; ring.SealAnswer answers it
//
// The other direction (SealAct, OpenView, OpenReply, MakeConnect) is what the
// page does in TypeScript; it is here for tests and for clients written in Go.
// testdata/vectors.json binds the two.
//
// A Code is an invitation and a Phone one phone that redeems it. The first byte
// of a sealed grant states how its key was agreed: 1, by the code alone, so that
// whoever has the code and a recording of the joining opens it. 2 is kept for
// X25519 with the code as pre-shared key; a page and a daemon that know only 1
// refuse it, and the version is authenticated, so that nobody talks them down.
//
// What may leak: who is sent to, and when. All views have one size, and all acts
// and replies another; what the host's devices ask of the office and hear has any, in steps of 256 bytes. No error of this package quotes a plaintext, a key or
// a password. Keys print as a mask and refuse to be marshalled; Disk is the form
// for the store, and whoever reads the store can open everything.
//
// Limits: views up to 26,620 bytes of JSON, acts and replies up to 1,020, requests to the office up to 80 KiB (sealed); at
// most 43 keys (wire.MaxHosts of the host and wire.MaxPhones of engine.MaxSeats).
package seal
