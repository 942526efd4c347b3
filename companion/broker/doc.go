// Package broker runs an MQTT broker inside the daemon. It puts a gate of its own in front of mochi-mqtt: whatever a phone sends, it can
// neither stop the table nor read messages for others.
//
// New starts a broker without a listener. WebSocketHandler serves MQTT over WebSocket on the daemon's web server; ServeTCP serves a port of
// its own. Close ends everything: call it before the shutdown of the http server, which does not know upgraded connections any more.
//
// Requirements for a connection (MQTT 3.1.1 with these restrictions). Others are refused or cut; the reason is counted in RefusalCounts and
// logged at most once a minute:
//
//   - MQTT 3.1.1 only; MQTT 5 gets CONNACK 0x84, any other version CONNACK 1;
//   - a user name and a password that Access accepts; a client id of <user>.<8 to 16 of [a-z0-9]>, so that no one can take over the
//     session of another user; a newer connection with the same id replaces the older one;
//   - a clean session: nothing is queued for a client that is not connected;
//   - keepalive 1 to 120 s; no will, except where Access allows retained writes;
//   - CONNECT complete within 5 s and at most 1 KiB, later packets at most 20 KiB (the daemon's 64 KiB); the announced length is checked
//     before any memory is reserved;
//   - QoS 0 or 1; retained publishes only where Access allows them;
//   - no subscription with a wildcard, a $ topic or a share, for any user;
//   - at most 8 filters in one SUBSCRIBE, each of which counts as a message;
//   - at most 20 messages a second (burst 40) and 32 KiB a second (burst 64 KiB, each packet counted as 32 bytes more than its size);
//     the daemon has no such limit;
//   - the client reads in time: one that stalls for 5 s, or leaves 64 messages unacknowledged, is cut so that it never misses a message
//     without notice. Views are whole and retained, so it gets the last one when it connects again;
//   - over WebSocket: from a page of the same origin or of Opts.Origins, with sub-protocol mqtt, without compression.
//
// Package door decides, for pages and MQTT together, how many connections of which kind there may be and which one has to give way. A
// connection that gets no place after its CONNECT receives CONNACK 3 and is counted as crowd.
//
// What may leak: which users are connected, and when and how often something is sent. The payloads are sealed.
package broker
