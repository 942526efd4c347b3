// Package uplink publishes the public state of the table to an MQTT broker, for lamps, sounds
// and home automation. The broker is the owner's own, or the one that the table runs for the
// devices of the house (package home). An uplink receives only the public update, so it cannot
// leak anything that the table hides from a player.
//
// New starts to connect and retries until Close; a broker that is absent, slow or refuses
// connections never blocks the table. Publish takes one step and returns at once.
//
// # Topics
//
// The base is majordome/1/<site>/<table>, as on the table's own broker (package companion);
// all messages have QoS 1 and are JSON in UTF-8, except availability.
//
//	<base>/availability   retained  "online" or "offline", plain; also the will
//	<base>/info           retained  Info
//	<base>/names          retained  engine.Names: the names of all ids, in French and English
//	<base>/state          retained  State: the table as it is now
//	<base>/event/<what>             Event: one thing that has just happened
//	<base>/answer                   Answer: the result of a command
//	<base>/results       retained  results.Index: the newest ended games, if Opts.Results is set
//	<base>/result                   results.Result: one of them, at the end of its game and when it is asked for
//
// received, if Opts.HandleCommand is set:
//
//	<base>/command/<name>           Pause, Alarm, Light, Adjust, Advise or Next
//	<base>/command/<name>           AskResults or Stored, if Opts.Results is set
//
// sent, if Opts.Language is set, so that Home Assistant shows a device (discovery.go):
//
//	homeassistant/device/majordome-<site>-<table>/config            retained
//	homeassistant/device/majordome-<site>-<table>-commands/config   retained, if Opts.HandleCommand is set
//
// A reader that an earlier start described and that does not exist any more is listed with only
// its platform, because Home Assistant keeps an entity that is simply left out. When
// homeassistant/status says "online", all retained messages are published again, availability
// included. An owner who deletes the device in Home Assistant empties the topic; it stays empty
// until the next start. If Opts.Language is empty, the description of an earlier start is
// cleared. An uplink subscribes to these topics and those below, and to no others.
//
// # Commands
//
// Each delivery of a command gets one answer with the id that its sender chose: done, or omitted
// with the reason. The table executes an id of a sender only once (the last 64 ids are
// remembered). Omitted are commands that the table refuses, that are retained (they would be
// executed again at each start), that have more than 2 KiB, or that do not match asyncapi.json.
// By MQTT 3.1.1 a retained message is marked so only for later subscribers, so a retained command
// that arrives while the uplink is connected is executed once. A sender may send 10 commands at
// once and 2 per second; of what comes faster the first is answered, the others are ignored. On package
// home a sender is an account, and the broker appends its name to the topic. The owner's own
// broker does not say who publishes, so there all senders count as one, and the field by is
// trusted.
//
// Everything that a command does, and every reason for a refusal, is visible to all players. There
// is no command to admit the next group: that needs the signature of the person who answers for the
// reset, and ends the keys of all phones.
//
// The folder examples has a flow of Node-RED, automations of Home Assistant, and a description of a
// table as a prop in a Room of xcape.io; a test runs the flows.
//
// # Messages of other clients
//
// If Opts.ID is set, the uplink also subscribes to its own retained topics. If another client
// writes or empties one of them, it publishes the right message again, except what the owner has
// deleted in Home Assistant. The first correction comes after one second, each further one after
// twice the previous delay, up to a minute, until nothing was corrected for ten minutes. Before a
// correction the table publishes its Info; another table of the same name answers that. While such
// a twin is alive, only availability is corrected. So two tables of one name never fight; the host
// of each one is informed of the other.
//
// Messages under a former name (Opts.Former) are cleared if the broker has an Info with the same
// ID there, and availability says that no table is online under that name.
//
// # Several tables
//
// If Opts.ID is set, the uplink also receives availability, info and state of all tables of the
// site. OtherTables returns them, for a page that shows them: at most 32, and only the names of up to
// 1,000 more, from messages of at most 32 KiB. Their messages cause no action here.
// OnOthersChanged is called when the first one appears or the last one goes. Any client that may
// write to the broker can pretend to be a table. A table that uses our own name is a twin
// (HasTwin).
//
// The file asyncapi.json describes the messages below the base for programs (AsyncAPI 3.0); it is
// made from these types.
//
// A state is sent only if it differs from the one before, so that a hidden change does not even
// show as a message. An event that could not be sent within five seconds is dropped, because a
// lamp that flashes later gives wrong information; the state is sent when the connection is back.
// Events that the host undoes later have been published; the state that follows is right again.
package uplink
