// Package line keeps one connection to an MQTT broker with paho: it shows retained topics,
// each in its newest state, sends what is to be told once, and hears what it subscribed to.
// The broker may be the one inside the daemon or any other that speaks MQTT 3.1.1.
//
// Start begins to connect and goes on trying until Close. Set and Send hand over what is to be
// seen and return at once, connected or not.
//
//	l, err := line.New(&line.Opts{URL: ..., ClientID: ..., Will: ..., Topics: ...})
//	l.Start()
//	l.Set(map[string][]byte{topic: payload}) // replaces what waits
//	l.Send(topic, payload, time.Now().Add(5*time.Second))
//	l.Close()
//
// Everything retained is a whole, never a difference: when the line is slow the newest
// payload of a topic replaces the one that waits, and after each connect all topics are sent
// again. An empty payload clears its topic. The topic of the will holds "online" while the
// line stands, else "offline".
//
// A new paho client is made for each connection, instead of letting one reconnect: paho
// resends what was unacknowledged beside the new publishes, and an old state could end up as
// the retained one.
//
// Limits: one waiting payload for each topic, 64 messages to be told once. paho itself has no
// limit for what it receives: let a foreign broker have one (Mosquitto: message_size_limit
// 65536, EMQX: mqtt.max_packet_size).
package line
