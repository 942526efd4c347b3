// Package seal encrypts each message so that exactly one phone can read it: it pads and encrypts each viewer's view separately for each
// phone of that viewer, opens the acts that come back, and checks the passwords that phones connect with. Package companion specifies the
// byte formats.
//
// A daemon uses it in this order:
//
//	ring.SetKey(phone, key, counter)     one key for each phone of a seat and of the host
//	ring.ReplaceKey(phone, key)          the next one (package pair, "A key for each game")
//	ring.AcceptConnect(phone, id, pass)  at each MQTT connect
//	ring.SealViews(epoch, updates, ...)  at each step, for all viewers together
//	ring.OpenAct(phone, topic, ...)      for each act; ring.SealReply answers it
//	ring.OpenRequest(device, ...)        for each request to the office; ring.SealAnswer answers it
//
// The other direction (SealAct, OpenView, OpenReply, ConnectPassword) is implemented by the page in TypeScript, and here for tests and for
// clients in Go. testdata/vectors.json tests both against each other.
//
// A Code is an invitation, and a Joiner is one phone that redeems it. Both sides agree on a key by X25519 with the code as pre-shared key
// (noise.go): an attacker with the code and a recording of the joining opens nothing. The first byte of request and answer is the version
// of this, 2, so that an outdated page sees that it must be loaded again.
//
// What may leak: to whom something is sent, and when. All views have one size, all acts and replies another; requests to the office and its
// answers have any size, in steps of 256 bytes. No error of this package quotes a plaintext, a key or a password. Keys print as a mask and
// cannot be marshalled. Disk is their form for the store, and a reader of the store can open everything.
//
// Limits: views up to 26,620 bytes of JSON, acts and replies up to 1,020, sealed requests to the office up to 80 KiB; at most 43 keys
// (wire.MaxHosts of the host and wire.MaxPhones for each of engine.MaxSeats).
package seal
