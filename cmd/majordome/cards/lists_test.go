package cards

import (
	"maps"
	"strings"
	"testing"

	"majordome/companion/enrol"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// tagStore has tags by deck and number. It implements enrol.TagStore.
type tagStore map[engine.ID]map[string]engine.ID

func (s tagStore) Tags(deck engine.ID) (all []store.Tag, _ error) {
	for u, card := range s[deck] {
		all = append(all, store.Tag{UID: u, Card: card})
	}
	return all, nil
}

func (s tagStore) ChangeTags(drop, put []store.DeckTag) error {
	for _, t := range drop {
		delete(s[t.Deck], t.UID)
	}
	for _, t := range put {
		s[t.Deck][t.UID] = t.Card
	}
	return nil
}

// session opens an enrolment of a list, and returns its cards, too.
func (s tagStore) session(t *testing.T, list string, game engine.ID, names engine.Names) (*enrol.Session, engine.Names) {
	t.Helper()
	o := enrolOpts(list, game, names, []engine.ID{"huis-clos"})
	o.Need = 1
	e, err := enrol.Open(s, o)
	if err != nil {
		t.Fatal(err)
	}
	return e, o.Cards
}

// layTag puts a tag on the reader, and checks the outcome, its card, and the card that is asked for next.
func layTag(t *testing.T, e *enrol.Session, uid, what string, of, asked engine.ID) {
	t.Helper()
	if err := e.AcceptTags([]string{uid}); err != nil {
		t.Fatal(err)
	}
	if st := e.State(); st.Last.Outcome != what || st.Last.Card != of || st.Asked != asked {
		t.Errorf("%s: %+v and %q is asked for, want %s of %q, and %q", uid, st.Last, st.Asked, what, of, asked)
	}
}

// skipCard skips a card.
func skipCard(t *testing.T, e *enrol.Session) {
	t.Helper()
	if err := e.RunHostCommand(enrol.SkipCard); err != nil {
		t.Fatal(err)
	}
}

// TestCardsAreEnrolled checks that every card of a deck without a tag is asked for, and nothing else. A tag of
// another card, or one that cannot name a card, is refused with the reason.
func TestCardsAreEnrolled(t *testing.T) {
	names := engine.Names{{ID: "place-salon", Kind: "place"}, {ID: "weapon-corde", Kind: "weapon"}, {ID: "clue-worms-1", Kind: "clue"},
		{ID: "clue-worms-2", Kind: "clue"}, {ID: "role-murderer", Kind: "role-card"}}
	known := tagStore{"huis-clos": {"04000000000001": "clue-worms-1"}, ControlDeck: {"04000000000009": "lights"}}
	known["huis-clos"]["CAFEBABE"] = "weapon-corde" // by an older program: it counts for nothing
	e, cards := known.session(t, wire.EnrolCards, "huis-clos", names)
	if st := e.State(); len(cards) != 4 || st.Asked != cards[0].ID || st.Asked != "weapon-corde" {
		t.Errorf("for %+v the list asks for %q", cards, st.Asked)
	}
	layTag(t, e, "04000000000001", enrol.TagConflict, "clue-worms-1", "weapon-corde")
	for uid, why := range map[string]engine.Text{
		"08A1B2C3": {FR: "la puce 08A1B2C3 ne convient pas : son numéro change", EN: "tag 08A1B2C3 will not do: its number changes"},
		"DEADBEEF": {FR: "la puce DEADBEEF ne convient pas : ", EN: "tag DEADBEEF will not do: all copies"},
	} {
		layTag(t, e, uid, enrol.TagUnfit, "", "weapon-corde")
		if said := e.State().Last.Why; !strings.Contains(said.FR, why.FR) || !strings.Contains(said.EN, why.EN) {
			t.Errorf("%s: %+v", uid, said)
		}
	}
	layTag(t, e, "04000000000009", enrol.TagConflict, "lights", "weapon-corde")
	layTag(t, e, "04000000000002", enrol.TagAssigned, "weapon-corde", "clue-worms-2")
	skipCard(t, e)
	layTag(t, e, "04000000000002", enrol.TagConflict, "weapon-corde", "role-murderer")
	layTag(t, e, "04000000000003", enrol.TagAssigned, "role-murderer", "")
	want := map[string]engine.ID{"CAFEBABE": "weapon-corde", "04000000000001": "clue-worms-1", "04000000000002": "weapon-corde",
		"04000000000003": "role-murderer"}
	if !maps.Equal(known["huis-clos"], want) || len(known[ControlDeck]) != 1 {
		t.Errorf("kept %v, want %v", known, want)
	}
}

// TestControlCardsAreEnrolledByName checks that control cards are asked for by name and stored apart from those of a
// game. A card of a game is refused, and a control card that has its tag is not asked for.
func TestControlCardsAreEnrolledByName(t *testing.T) {
	known := tagStore{"huis-clos": {"04000000000001": "clue-worms-1"}, ControlDeck: {"04000000000009": "lights"}}
	e, cards := known.session(t, wire.EnrolControls, "huis-clos", nil)
	first := engine.T("Carte de commande : commencer, ou rejouer", "Control card: begin, or play again")
	if len(cards) != 6 || cards[0].Text != first {
		t.Errorf("%+v", cards)
	}
	skipCard(t, e) // start
	skipCard(t, e) // next
	layTag(t, e, "04000000000001", enrol.TagConflict, "clue-worms-1", "pause")
	layTag(t, e, "04000000000009", enrol.TagConflict, "lights", "pause")
	layTag(t, e, "04000000000002", enrol.TagAssigned, "pause", "alarm")
	layTag(t, e, "04000000000004", enrol.TagAssigned, "alarm", "call")
	layTag(t, e, "04000000000003", enrol.TagAssigned, "call", "")
	want := map[string]engine.ID{"04000000000009": "lights", "04000000000002": "pause", "04000000000004": "alarm",
		"04000000000003": "call"}
	if !maps.Equal(known[ControlDeck], want) || len(known["huis-clos"]) != 1 {
		t.Errorf("kept %v, want %v", known, want)
	}
}

// TestPawnsAreEnrolled checks that pawns are asked for instead of cards; the tag of a card is refused.
func TestPawnsAreEnrolled(t *testing.T) {
	names := engine.Names{{ID: "suspect-rose", Kind: "suspect", Text: engine.T("Rose", "Scarlett")},
		{ID: "suspect-olive", Kind: "suspect"}, {ID: "weapon-corde", Kind: "weapon"}}
	known := tagStore{"cluedo-2008": {"04000000000001": "weapon-corde", "04000000000002": "pawn-suspect-olive"}}
	e, cards := known.session(t, wire.EnrolPawns, "cluedo-2008", names)
	if first := (engine.T("Pion : Rose", "Pawn: Scarlett")); len(cards) != 2 || cards[0].Text != first {
		t.Errorf("%+v", cards)
	}
	layTag(t, e, "04000000000001", enrol.TagConflict, "weapon-corde", "pawn-suspect-rose")
	layTag(t, e, "04000000000003", enrol.TagAssigned, "pawn-suspect-rose", "")
	if got := known["cluedo-2008"]; len(got) != 3 || got["04000000000003"] != "pawn-suspect-rose" {
		t.Errorf("%v", got)
	}
}
