package deck

import (
	"majordome/engine"
	"majordome/engine/ownfile"
)

// Item points to the editable values of one id of a deck. The labels are nil if the rulebook
// defines them; the tag is nil if no reader would read it.
type Item struct{ FR, EN, Tag *string }

// Items holds the items of a deck that its owner may change.
type Items map[engine.ID]Item

// RenameItem gives an item another label. The label must keep the limits of a file.
func (all Items) RenameItem(id engine.ID, label engine.Text) *engine.Reject {
	it, ok := all[id]
	if !ok || it.FR == nil {
		return UnknownItemReject()
	}
	for _, l := range []struct{ lang, text string }{{"fr", label.FR}, {"en", label.EN}} {
		if fault := labelFaultCode(l.text); fault != "" {
			return &engine.Reject{Code: engine.Forbidden, Rule: "GEN-010",
				Why: engine.NewMsg("table.deck."+fault, "id", string(id), "lang", l.lang)}
		}
	}
	*it.FR, *it.EN = label.FR, label.EN
	return nil
}

// MergeLabels copies the labels of an older deck to the items that both decks have. It skips a label
// that no longer keeps the limits of a file.
func (all Items) MergeLabels(old Items) {
	for id, was := range old {
		if was.FR != nil {
			_ = all.RenameItem(id, engine.T(*was.FR, *was.EN)) // refused: the new label stays
		}
	}
}

// UnknownItemReject returns the refusal to change an item that the deck does not have.
func UnknownItemReject() *engine.Reject {
	return &engine.Reject{Code: engine.Unknown, Rule: "GEN-010", Why: engine.NewMsg("table.deck.unknown")}
}

// DecodeSavedDeck decodes a deck that EncodeYAML wrote, perhaps in another version of the program. It
// ignores keys that are unknown now and values that do not fit. It returns an error only if the
// text is not such a file at all.
func DecodeSavedDeck(saved []byte, into any) error {
	f := ownfile.Parse("deck", saved)
	err := f.Err()
	f.Decode(into)
	return err
}
