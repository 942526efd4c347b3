// Package uplink tells the owner's own broker, or the one that the table serves for the
// devices of the house (package home), what everybody at the table can see, for lamps, sounds
// and home automation, and nothing else: it is given the public update alone. What the table
// keeps from somebody never comes here.
//
// New begins to connect and goes on trying until Close; a broker that is away, slow or
// refuses holds up nobody. Publish hands over one step and returns at once.
//
// # Topics
//
// The base is majordome/1/<site>/<table>, as on the table's own broker (package companion);
// all at QoS 1, JSON in UTF-8.
//
//	<base>/availability   retained  "online" or "offline", plain; also the will
//	<base>/info           retained  Info
//	<base>/names          retained  engine.Names: what each id is called, in French and English
//	<base>/state          retained  State: the table as it is now
//	<base>/event/<what>             Event: one thing that has just happened
//	<base>/answer                   Answer: what has come of a command
//
// and heard, where Opts has Obey,
//
//	<base>/command/<name>           Pause, Alarm, Light, Adjust, Advise or Next
//
// and, where Opts has a language, of which Home Assistant makes a device by itself (discovery.go)
//
//	homeassistant/device/majordome-<site>-<table>/config            retained
//	homeassistant/device/majordome-<site>-<table>-commands/config   retained, where Opts has Obey
//
// A reader of an earlier start that is there no more is named in it by its platform alone, for Home Assistant keeps what is only left out.
// It is told again with all the rest, availability too, when homeassistant/status says online; its owner who deletes the device there
// empties the topic, and it stays empty until the next start. Where Opts has no language, what an earlier start has told is taken back.
// These topics, commands and what follows are all that an uplink listens to.
//
// # Commands
//
// A command is answered once for each time it comes, done or omitted with the reason, by the id that its sender has given it; of the same id of the same
// sender the table is asked once (the last 64 ids are known). Omitted are what the table refuses, what is retained (it would be obeyed again
// at each start; by MQTT 3.1.1 a broker says so only to who subscribes later, so that one is done, once, while the line stands), has more than 2 KiB, or is not as asyncapi.json has it. A sender has 10 at once and 2 a second; what comes
// faster is answered once and then not at all. On package home a sender is an account, whose name the broker puts behind the topic; elsewhere all are one, whose
// field by is taken at its word, for the broker of the owner does not say who sends something.
//
// No command does anything, or is refused for anything, that not everybody can see. The next group is none: it needs the signature of
// who answers for the reset, and ends the keys of all phones.
//
// The folder examples holds a flow of Node-RED, automations of Home Assistant, and how a table is a prop of a Room of xcape.io; the
// flows are run by a test.
//
// # What another writes there
//
// Where Opts has an ID, what is retained here is heard, too, and told again where somebody has written something else, or emptied it (not
// what its owner has deleted in Home Assistant): after a second, after a further one twice as long, up to a minute, until nothing was
// corrected for ten minutes. Before that the table says who it is; another table of the same name answers, and where one lives nothing
// is corrected but availability. Two tables of one name so never fight; the host of each is told of the other.
//
// What was told under a former name (Opts.Former) is taken back where the broker keeps an info of the same ID there, and says that
// nobody is there.
//
// # Several tables
//
// Where Opts has an ID, the availability, info and state of all tables of the site are heard too, and given by Others to who shows them
// on one page: at most 32, of up to 1,000 more their names alone, each message of at most 32 KiB, and nothing that they say does
// anything here. OnAccompanied tells that there is one, or none any more. Whoever may write at the broker
// may pretend to be a table there. One that speaks under our own name is a Twin.
//
// The file asyncapi.json describes the messages below the base for programs (AsyncAPI 3.0), made from these types.
//
// A state is sent only where it differs from the one before: what changes in secret is not
// even a moment there. An event that could not be told within five seconds is dropped, for a
// lamp that flashes later tells something false; the state is told whenever the line stands
// again. Events that the host has taken back were told; what follows is the state.
package uplink
