// Package deck contains what the deck files of all games share: the parts of a file that lists
// cards, places, names in French and English, and the house rules with their values. Nothing that a
// rulebook leaves open is a constant in the code: it is in a YAML file that the owner of the box
// may copy and edit. Each game has its own Deck next to its rules; package games lists them all.
//
//	c := deck.Parse("my-box.yaml", data, &d)   // in the ParseDeck of a game
//	c.CheckHouseRules(d.Switches, known)       // and the other checks that the rules need
//	err := c.Err()
//
// A file that the rules could not play is refused. The error lists all faults at once, each with
// line and column and what to write instead, in French and in English (see package ownfile). Every
// list keeps the order of the file: this is the deck order, in which cards are shown to people
// (GEN-006).
//
// The owner may also change a deck at the table. WithLabel, WithSwappedWeapon and WithClueEffect return a
// changed deck, and refuse what a file would be refused for. EncodeYAML writes it as a file, and
// MergeEdits applies such a file to a newer deck.
//
// A deck is public: it says which cards exist, never where they are.
//
// Limits: those of package ownfile, ids of 40 bytes, names of 48 bytes that are not blank.
package deck
