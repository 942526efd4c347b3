// Package broker is the MQTT broker inside the daemon: mochi-mqtt behind a
// guard of our own, so that a phone that sends anything at all can neither
// stop the table nor read what is not its own.
//
// New makes a running broker without a listener; Handler mounts it on the
// daemon's web server (MQTT over WebSocket) and ServeTCP gives it a port of
// its own. Close ends everything: call it before the http server is shut down,
// which does not know WebSocket connections any more.
//
// What a connection must be, else it is refused or cut (MQTT 3.1.1 with these
// restrictions; the reason is counted in Stats and logged at most once a
// minute for each reason):
//
//   - MQTT 3.1.1 only; MQTT 5 gets CONNACK 0x84, anything else CONNACK 1;
//   - a user name and a password that Access takes; a client id of
//     <user>.<8 to 16 of [a-z0-9]>, so that nobody can take over the session of
//     another user; a newer connection with the same id replaces the older;
//   - a clean session: nothing is ever queued for somebody who is away;
//   - keepalive 1 to 120 s; no will, except where Access grants retained writes;
//   - CONNECT complete within 5 s and at most 1 KiB, later packets at most
//     20 KiB (the daemon's 64 KiB), known from the announced length before any
//     memory is reserved;
//   - QoS 0 or 1; retained publishes only where Access grants them;
//   - no subscription with a wildcard, a $ topic or a share, whoever asks;
//   - at most 8 filters in one SUBSCRIBE, each of which counts as a message;
//   - at most 20 messages a second (burst 40) and 32 KiB a second (burst
//     64 KiB, each packet counted 32 bytes above its size), the daemon excepted;
//   - reads what it is sent: a client that stalls for 5 s, or leaves 64 messages
//     unacknowledged, is cut rather than left with holes. Views are whole and
//     retained, so connecting again brings the last one;
//   - over WebSocket: from a page of the same origin, with sub-protocol mqtt,
//     without compression.
//
// How many connections there are, of whom, and who gives way is decided in package
// door for pages and MQTT together; one that finds no place after its CONNECT gets
// CONNACK 3 and is counted as crowd. Topics carry sealed payloads; what may leak here is
// who is connected and how often something is sent.
package broker
