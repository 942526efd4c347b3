// Package companion only describes how the daemon and its pages talk; the code
// is in the folders below it.
//
//	game    one goroutine that owns one game: decides, stores, applies, publishes
//	master  what a game master does during a game: hints, countdown, pause, seats
//	store   the SQLite file
//	wire    JSON views and acts, TypeScript types are made from them
//	seal    one key for each phone of a seat; only that phone opens its view
//	staff   the accounts of the people who run the table: names, roles, PINs
//	enrol   assigns NFC tags to cards
//	office  answers requests about the settings, tags, people and devices of the table
//	pair    one-time invitations that turn a phone into a seat
//	address parses server addresses as an owner writes them
//	line    keeps a connection to an MQTT broker (paho); wsstream is the WebSocket of line and broker
//	relay   carries sealed views and acts over a line
//	uplink  publishes the public facts at the owner's own broker, over a second line
//	webhook posts public happenings to a web address of the owner
//	door    limits the connections, by source, and decides which one is closed for another
//	broker  the embedded MQTT broker and who may read and write what
//	home    serves the devices of the house with a Mosquitto, which package mosquitto starts
//	mqttguard  checks of client packets that broker and home share
//	web     the pages: phone, display, host, bench
//	cert    the table's own certificate authority, for https
//	sheet   labels and cards to print
//
// # Topics
//
// Base is majordome/1/<site>/<table>; every level matches [a-z0-9][a-z0-9-]{0,30}.
//
//	<base>/availability      retained  "online" or "offline" (also the daemon's will)
//	<base>/names             retained  JSON engine.Names: public labels
//	<base>/state             retained  JSON wire.Update of the public
//	<base>/seat/<user>/view  retained  sealed wire.Update of that user
//	<base>/seat/<user>/up              sealed wire.Act from that user
//	<base>/seat/<user>/reply           sealed wire.Reply to that user
//
// A sealed update has in Names the first 16 bytes of the SHA-256 of <base>/names, in base64url: a phone of a seat shows no other names.
//
// All at QoS 1. User names are <table>-s1 ... <table>-s10 for the first phones of the seats,
// <table>-s1b, -s1c and -s1d for further ones, <table>-host, -hb and -hc for the host's, and public for
// all others. public reads availability, names and state; a phone of a seat also
// reads its own view and reply and writes its own up. No wildcards, no wills, no retained
// writes. All phones of a seat are sent the same update, each sealed with its own key.
//
// # Connecting
//
// MQTT 3.1.1 with a clean session, over WebSocket at /mqtt (sub-protocol mqtt)
// or over TCP. The client id is <user>.<8 to 16 of [a-z0-9]>, the last part being a phone's name for a
// seat, or beginning with "display" for a table display. The public's password is "public". A seat's
// password is, in unpadded base64url,
//
//	counter(8, big endian) || HMAC-SHA256(K, "connect\x00" || client id || "\x00" || counter)
//
// with K = HKDF-SHA256(key of the phone, salt "majordome/1", info "connect", 32 bytes).
// The counter rises with each connect of that user (milliseconds since 1970
// will do), so a password overheard on the Wi-Fi is useless.
//
// # Sealed payloads
//
//	version(1) = 1 || epoch(8) || number(8) || nonce(24) || XChaCha20-Poly1305
//
// Numbers are big endian. The number is rev in a view, seq in an act and in
// its reply. Additional data is the first 17 bytes followed by the topic. The
// key is HKDF-SHA256(key of the phone, salt "majordome/1", info "view", "up" or
// "reply", 32 bytes). The plaintext is length(4) || JSON || zeros: every
// view 26624 bytes, every act and reply 1024.
//
// Requests of the host's pages to the office (POST /office, package office) have the same form, with the keys "office" and
// "office-answer", the word office instead of the topic, and a plaintext padded to a multiple of 256 bytes.
//
// A page keeps the highest (epoch, rev) it has seen, over reloads too, and drops older views. The
// daemon refuses acts of another epoch, acts whose seq is not above the last of that
// phone (Update.Seq for the first phone of a seat, Update.Seqs for the further ones), and acts
// whose rev was replaced more than 30 s ago: somebody may have held them back.
//
// # Joining
//
// An invitation is 16 random bytes c, shown once as a link and QR code
// http://<address>/#j=<base64url(c)> (for the host: /host#j=...). The part
// after # never travels over the network. The page draws a name for its phone, 16
// of [a-z2-7], and an X25519 key, keeps both, and sends
//
//	POST /join {"id": hex(HKDF(c, info "join-id", 8 bytes)), "hello": base64url(version(1) = 2 || message 1)}
//
// and receives {"box": base64url(version(1) = 2 || message 2)}. The messages are those of
// Noise_NNpsk0_25519_ChaChaPoly_SHA256 (noiseprotocol.org) with the pre-shared key HKDF(c, info "join-psk",
// 32 bytes) and the prologue "majordome/1 join 2"; HKDF has the salt "majordome/1". The payload of message 1 is
// HKDF(name, info "phone", 16 bytes); that of message 2 is JSON {"seat": 3 or 0 for the host,
// "number": which of the seat's phones it is, from 1, "user", "key": base64url}. 404: no such invitation; 410: already used, withdrawn
// or too old; 429: too many tries.
//
// So a photographed code and a recording of the joining and of connects open nothing: message 2 opens for
// the phone that made message 1. A phone that uses the code second is refused, and all are told.
//
// The version says how the key was agreed. A page that sends {"id", "nonce", "mac"}, as before version 2, gets a
// box with the version alone, by which it knows that it must be loaded again.
//
// The key is for one game. In a game with another number (Update.Game) the phone joins once more, with the code HKDF(key,
// info "renew", 16 bytes) in the place of an invitation, and sends as "fresh" a connect password for the client id <user>/renew: so
// a recorded request is refused. From then on it connects with the key that it is given (package pair, "A key for each game").
//
// The phone connects with client id <user>.<name>. The daemon lets in the phone
// whose request redeemed the invitation; any other with the same key, copied from a phone, gets nothing, and
// all phones are warned (package pair). A name is sent in clear: it only tells phones apart.
//
// The display shows one link for all in the lobby, http://<address>/#w=<code>. Its page asks for a seat:
//
//	POST /ask {"key": base64url(X25519 public key), "wall": code, "name", "character", "lock", "open", "shown"}
//
// and repeats that until the answer has the state yours and a box, encrypted for this key, with the code
// of an invitation, by which it joins (package pair, "Joining from the display"). In the state card the answer has the table's
// public key: a card of the character was laid, and phone and display show figures to compare (package pair, "By a card").
//
// GET /table.json returns {"v": 1, "base", "table", "demo": bool}. GET /story.json is the
// story of the evening (wire.Story) once the game is over, for all, and 404 before.
package companion
