// Package rules is what the games share of refereeing: the table of the kinds of events,
// refusals, the acts of the lobby, and the loop that follows what a command brings.
//
// Order of calls for an event: Kind and Decode when it comes from the store; Apply, then
// Told and Tell on the state after it. Nothing here decides anything by itself.
//
// What may leak: a line of a row is public, so none names a card that is hidden from
// somebody; Own goes to the seat of the event alone.
package rules
