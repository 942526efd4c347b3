// Package engine is the vocabulary of the rules: viewers, commands, events,
// refusals, offers and views, shared by every game under engine/.
//
// A game is a pure value. It is used in this order:
//
//	game.Decide(command, dice)  -> events, or a *Reject      nothing has happened yet (both: RuleAlarm)
//	(the events are put on disk by the caller)
//	game.Evolve(events...)      -> the next game             all events, in order
//	game.View(viewer)           -> what that viewer may see and do
//
// Play does the first and the third at once, for who puts the events on disk before
// anybody sees the next game.
//
// Decide is the only place that rolls dice; events record what came out, so
// replaying events with Evolve gives the same game back. Evolve is total: an
// event that Decide of the same game has produced is never refused.
//
// A View also says what has happened, in a closed list of codes (Happening).
//
// What may leak: nothing hidden leaves through this package except a View
// built for one viewer, the Msg texts of a Reject addressed to one seat, and
// the bytes of Rulebook.EncodeEvent, which are for the store alone.
//
// Nothing in engine/ reads a clock, a file, the network or a global random
// source; a test keeps the imports so.
package engine
