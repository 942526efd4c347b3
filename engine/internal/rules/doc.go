// Package rules contains the parts of refereeing that all games share: the table of event kinds,
// refusals, the acts of the lobby, and the loop that resolves what follows from a command.
//
// Order of calls for an event: FindRow and Decode when it comes from the store; then Apply; then
// AddToLog and Narrate on the state after it. This package makes no decision that depends on one
// game's rules.
//
// What may leak: the happening and the log line of a row are public, so they never name a card that
// is hidden from anyone; only the seat of the event receives the line of OwnKey.
package rules
