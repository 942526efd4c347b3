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
// # What may go wrong
//
// What the broker sends passes a reader that knows packets before paho reads it (packetReader). A packet of more than MaxPacket, or
// one that no broker may send, ends the connection; Status names the first kind among its Suspects. A message of the broker after which that
// has happened twice is passed over from then on: it is read and dropped, so that all other topics are heard.
//
// A broker that sends too fast is read more slowly, so that TCP holds it back: past a burst of 8000 packets or 32 MiB at 1000 packets and
// 4 MiB a second. One that does not rest for a minute, or behind whose flood an answer does not come in time, ends the connection: Flood.
//
// One of our messages at which the broker has ended the connection twice in a row is left out, until a smaller one has its topic. To know
// which it is, messages are sent one by one on the connection after one that broke early. A filter counts as a message. To blame is the
// oldest message under way where the broker, not the network, ends the connection within two seconds. A session that another client of the
// same id takes over ends at any moment: so a message after which the line broke waits until the next connection has stood for a second,
// and is cleared where that ends earlier, or at another message.
//
// What is left out and has 33 KiB at most is tried again after 5 minutes, on the connection that stands, and then after twice as long each
// time, up to an hour; what is larger, or was sent by the broker, after an hour. Status tells how many there are.
//
// The pause before the next try doubles up to MaxRetry. It is forgotten when a connection has stood for half a minute and was not
// ended by what the broker sent.
//
// Limits: one waiting payload for each topic, 64 messages to be told once, 64 KiB and a few of one packet of the broker, 64 KiB of
// what a server says before a WebSocket is open, 32 suspects. A proxy of the environment is not used.
package line
