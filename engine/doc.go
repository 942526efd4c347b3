// Package engine defines the vocabulary that every game below engine/ shares: viewers, commands,
// events, refusals, offers and views.
//
// A game is an immutable value. The caller uses it in this order:
//
//	game.Decide(command, dice)  -> events, or a *Reject      nothing has happened yet (RuleAlarm: both)
//	(the caller stores the events on disk)
//	game.Apply(events...)       -> the next game             all events of the command, in order
//	game.View(viewer)           -> what that viewer may see and do
//
// DecideAndApply joins Decide and Apply, for a caller that stores the events before anyone sees the
// next game.
//
// Only Decide rolls dice. Events record the results, so the same events applied again give the same
// game. Apply never refuses an event that Decide of the same game has produced.
//
// A View also lists the last public happenings, as codes from a closed list (Happening).
//
// What may leak: hidden values leave this package only in a View built for one viewer, in the Msg
// texts of a Reject addressed to one seat, and in the bytes of Rulebook.EncodeEvent, which only the
// store may have.
//
// No package below engine/ reads a clock, a file, the network or a global random source.
// imports_test.go checks the imports.
package engine
