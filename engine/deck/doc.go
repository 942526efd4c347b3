// Package deck reads what a box contains: cards, places and their weapons,
// clues, names in French and English, and the house rules with their values.
// Nothing that a rulebook leaves open is a constant in the code; it stands in
// a YAML file that the owner of the box may copy and edit.
//
//	d, err := deck.Parse("my-box.yaml", data)   // the owner's copy, or
//	d := deck.HuisClos()                        // the embedded default
//
// Parse refuses a file that the rules could not play. It tells all that is wrong
// at once, each with line and column and what to write instead, in French and in
// English, as package ownfile does.
// Every list keeps the order of the file; that order is the deck order in which
// cards are listed to people (GEN-006).
//
// The owner may also change a deck at the table: Renamed and Paired make a
// changed one and refuse what Parse would refuse; YAML writes it as a file, and
// Overlaid puts such a file upon a newer deck.
//
// A deck is public knowledge: it says which cards exist, never where they lie.
//
// Limits: those of package ownfile, ids of 40 bytes, names of 48 bytes that are no blanks alone.
package deck
