// Package deck is what the boxes of all games have in common: the parts of a file that lists cards,
// places, names in French and English, and the house rules with their values. Nothing that a rulebook
// leaves open is a constant in the code; it stands in a YAML file that the owner of the box may copy
// and edit. Each game has a Deck of its own beside its rules; package games knows them all.
//
//	c := deck.Read("my-box.yaml", data, &d)   // in the ParseDeck of a game
//	c.HouseRules(d.Switches, known)           // and whatever else the rules need
//	err := c.Err()
//
// A file that the rules could not play is refused. All that is wrong is told at once, each with line
// and column and what to write instead, in French and in English, as package ownfile does.
// Every list keeps the order of the file; that order is the deck order in which
// cards are listed to people (GEN-006).
//
// The owner may also change a deck at the table: Renamed, Paired and Rewritten make a
// changed one and refuse what a file would be refused for; YAML writes it as a file, and
// Overlaid puts such a file upon a newer deck.
//
// A deck is public knowledge: it says which cards exist, never where they lie.
//
// Limits: those of package ownfile, ids of 40 bytes, names of 48 bytes that are no blanks alone.
package deck
