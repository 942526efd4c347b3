package deck

import (
	"majordome/engine"
	"majordome/engine/ownfile"
)

// Item is what can be changed about one id of a deck; the labels are nil where
// the rulebook gives them, the tag where no reader would meet it.
type Item struct{ FR, EN, Tag *string }

// Items are the things of a deck that its owner may change.
type Items map[engine.ID]Item

// Rename gives a thing another label. The label keeps the limits of a file.
func (all Items) Rename(id engine.ID, label engine.Text) *engine.Reject {
	it, ok := all[id]
	if !ok || it.FR == nil {
		return Unknown()
	}
	for _, l := range []struct{ lang, text string }{{"fr", label.FR}, {"en", label.EN}} {
		if fault := labelFault(l.text); fault != "" {
			return &engine.Reject{Code: engine.Forbidden, Rule: "GEN-010", Why: engine.Say("table.deck."+fault, "id", string(id), "lang", l.lang)}
		}
	}
	*it.FR, *it.EN = label.FR, label.EN
	return nil
}

// Overlay gives things the labels that they had in an older deck, where both decks know the thing and
// the label still fits.
func (all Items) Overlay(old Items) {
	for id, was := range old {
		if was.FR != nil {
			_ = all.Rename(id, engine.T(*was.FR, *was.EN)) // refused: the label stays
		}
	}
}

// Unknown refuses to change what the deck does not have.
func Unknown() *engine.Reject {
	return &engine.Reject{Code: engine.Unknown, Rule: "GEN-010", Why: engine.Say("table.deck.unknown")}
}

// ReadKept reads a deck that YAML wrote, perhaps for another version of the program: keys that are
// unknown now, and values that do not fit, are left out. What is no such file at all is an error.
func ReadKept(kept []byte, into any) error {
	f := ownfile.Parse("deck", kept)
	err := f.Err()
	f.Decode(into)
	return err
}
