// Package line keeps one connection to an MQTT broker, with paho: it publishes retained topics, each in its newest state, sends messages
// once, and receives what it has subscribed to. The broker may be the one inside the daemon or any other for MQTT 3.1.1.
//
// Start connects in the background, and again after each failure, until Close. SetTopics and SendUntil queue what is to be sent and
// return at once, connected or not.
//
//	l, err := line.New(&line.Opts{URL: ..., ClientID: ..., Will: ..., Topics: ...})
//	l.Start()
//	l.SetTopics(map[string][]byte{topic: payload}) // replaces payloads that were not sent yet
//	l.SendUntil(topic, payload, time.Now().Add(5*time.Second))
//	l.Close()
//
// Each retained payload is whole, never a difference: when the line is slow the newest payload of a topic replaces the one that waits, and
// after each connect all topics are sent again. An empty payload clears its topic. The topic of the will is "online" while the line is
// connected, else "offline".
//
// Each connection has a new paho client, because a client that reconnects resends unacknowledged messages together with new ones, so that
// an old state could end up as the retained one.
//
// # What may go wrong
//
// packetReader checks each packet of the broker before paho reads it. A packet of more than MaxPacket, or one that no broker may send, ends
// the connection; Status lists the first kind among its Suspects. If that has happened twice after messages of a topic, such messages are
// read and skipped from then on, so that all other topics can be received.
//
// A broker that sends too fast is read more slowly, so that TCP slows it down: past a burst of 8000 packets or 32 MiB at 1000 packets and
// 4 MiB a second. One that does not rest for a minute, or whose flood delays an answer too long, ends the connection: Flood.
//
// If the broker ends the connection twice in a row after the same message of ours, that message is left out until its topic gets a smaller
// one. To find the message, the connection after one that broke early sends messages one by one. A filter counts as a message. The oldest
// unacknowledged message is blamed if the broker, not the network, ends the connection within two seconds. But a connection that another
// client with the same id takes over may end at any moment. So a suspected message waits until the next connection has lasted for a
// second, and is cleared if that ends earlier, or after another message.
//
// A message that is left out and has at most 33 KiB is tried again after 5 minutes on the present connection, then after twice as long each
// time, up to an hour; a larger one, or one of the broker, after an hour. Status counts them.
//
// The pause before the next connect doubles up to Opts.MaxRetry. It is reset when a connection has lasted for half a minute and was not
// ended because of what the broker sent.
//
// Limits: one waiting payload for each topic, 64 messages to send once, a little more than 64 KiB for one packet of the broker, 64 KiB of
// what a server sends before a WebSocket is open, 32 suspects. Proxies of the environment are ignored.
package line
