// Package venue keeps the state of all tables of a venue for its console, and builds the acts of its operators. A table stays whole alone:
// the console hears only what everybody at a table sees, and asks for what every program in the house may ask (package
// uplink). It has no clock and no connection; the caller gives both.
//
//	v, err := venue.New(&venue.Opts{Site: "cafe", ...})
//	v.Filters()                                what to subscribe to
//	changed := v.HandleMessage(now, topic, payload)
//	v.SetOnline(now, true)                     the line to the engine is there, or lost
//	changed := v.Expire(now)                   about once a second
//	v.List()                                   for the operators' page
//	commands, round, err := v.Act(now, by, tables, act, args)   to be sent; the answers come by HandleMessage
//
// # Order
//
// First come the tables that want a person: by the most urgent of their needs (wire.VenueNeeds), then by how long it has lasted,
// then by name. All others follow by name, numbers by their value.
//
// # Acts
//
// An act is pending until the table answers: done, or omitted with the reason. After AnswerTime without an answer it is
// unknown; an answer that comes later still counts. Each act has an id of its own, so that a table never does one twice. The
// next group has no act here: it needs the signature of the person who answers for the reset, at the table.
//
// # What may go wrong
//
// Any client that may write below the name of a table can pretend to be it, but hurts its row only: rows, names and texts are
// cut where they are read. At most MaxTables tables are kept, from messages of at most 32 KiB; a new one takes the place of the
// one that is away longest, and if none is away only its name is counted (at most 1,000 of these). After the line was lost, a
// table that does not say within ConfirmTime that it is there counts as away: the engine may have forgotten it.
package venue
