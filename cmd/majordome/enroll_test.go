package main

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"majordome/cmd/majordome/house"
	"majordome/companion/enrol"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/devices"
	"majordome/engine"
)

// tags are those of one deck, and of the control cards.
type tags map[string]engine.ID

func (m tags) Tags(deck engine.ID) ([]store.Tag, error) {
	var all []store.Tag
	if deck == house.ControlDeck {
		return []store.Tag{{UID: "04000000000009", Card: "lights"}}, nil
	}
	for uid, card := range m {
		all = append(all, store.Tag{UID: uid, Card: card})
	}
	return all, nil
}

func (m tags) ChangeTags(drop, put []store.TagOf) error {
	for _, t := range drop {
		delete(m, t.UID)
	}
	for _, t := range put {
		m[t.UID] = t.Card
	}
	return nil
}

// dialogue begins one about a list.
func dialogue(t *testing.T, shelf enrol.Shelf, list string, game engine.ID, names engine.Names, out io.Writer) *enrolment {
	t.Helper()
	o := house.Enrolment(list, game, names, []engine.ID{"huis-clos"})
	s, err := enrol.Open(shelf, o)
	if err != nil {
		t.Fatal(err)
	}
	return &enrolment{Session: s, out: out, cards: o.Cards, names: slices.Concat(names, house.ControlCards())}
}

func uid(t *testing.T, hex string) devices.UID {
	t.Helper()
	u, err := devices.ParseUID(hex)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestEnroll(t *testing.T) {
	names := engine.Names{
		{ID: "place-salon", Kind: "place"}, {ID: "weapon-corde", Kind: "weapon", Text: engine.Text{FR: "Corde", EN: "Rope"}},
		{ID: "clue-worms-1", Kind: "clue", Text: engine.Text{FR: "Ver", EN: "Worm"}}, {ID: "clue-worms-2", Kind: "clue"}, {ID: "role-murderer", Kind: "role-card"},
	}
	known := tags{"04000000000001": "clue-worms-1", "CAFEBABE": "weapon-corde"} // the second by an older program: it counts for nothing
	out := &strings.Builder{}
	e := dialogue(t, known, wire.EnrolCards, "huis-clos", names, out)
	arrivals, skip := make(chan devices.UID), make(chan string)
	done := make(chan error)
	go func() { done <- e.run(context.Background(), arrivals, skip) }()
	arrivals <- uid(t, "04000000000001") // the tag of another card: refused
	arrivals <- uid(t, "08A1B2C3")       // a phone: another number each time
	arrivals <- uid(t, "DEADBEEF")       // every copy has it
	arrivals <- uid(t, "04000000000009") // a control card
	arrivals <- uid(t, "04000000000002") // the rope
	skip <- ""                           // clue-worms-2 has no tag
	arrivals <- uid(t, "04000000000002") // the rope again, for the Murderer: refused
	arrivals <- uid(t, "04000000000003")
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	want := tags{"CAFEBABE": "weapon-corde", "04000000000001": "clue-worms-1", "04000000000002": "weapon-corde", "04000000000003": "role-murderer"}
	if len(known) != len(want) {
		t.Errorf("recorded %v, want %v", known, want)
	}
	for u, card := range want {
		if known[u] != card {
			t.Errorf("tag %s is %q, want %q", u, known[u], card)
		}
	}
	for _, text := range []string{"[1/4] Corde · Rope", "déjà à : Ver", "this tag belongs to: Worm", "déjà à : Carte de commande : lumière", "déjà à : Corde",
		"la puce 08A1B2C3 ne convient pas : son numéro change", "tag 08A1B2C3 will not do: its number changes", "tag DEADBEEF will not do: all copies", "2 cartes enregistrées"} {
		if !strings.Contains(out.String(), text) {
			t.Errorf("the dialogue lacks %q:\n%s", text, out)
		}
	}
}

// controlTags are the tags of a game and those of control cards.
type controlTags struct{ game, controls tags }

func (c controlTags) Tags(deck engine.ID) ([]store.Tag, error) {
	of := c.game
	if deck == house.ControlDeck {
		of = c.controls
	}
	var all []store.Tag
	for uid, card := range of {
		all = append(all, store.Tag{UID: uid, Card: card})
	}
	return all, nil
}

func (c controlTags) ChangeTags(drop, put []store.TagOf) error {
	for _, t := range put {
		if t.Deck != house.ControlDeck {
			return errors.New("a control card is recorded as a card of a game")
		}
	}
	return c.controls.ChangeTags(drop, put)
}

// Control cards are asked for by name; a card of a game is refused, and one that has its card is not asked for.
func TestControlCardsAreEnrolledByName(t *testing.T) {
	known := controlTags{tags{"04000000000001": "clue-worms-1"}, tags{"04000000000009": "lights"}}
	out := &strings.Builder{}
	e := dialogue(t, known, wire.EnrolControls, "huis-clos", nil, out)
	arrivals, skip := make(chan devices.UID), make(chan string)
	done := make(chan error)
	go func() { done <- e.run(context.Background(), arrivals, skip) }()
	skip <- ""                           // start
	skip <- ""                           // next
	arrivals <- uid(t, "04000000000001") // a clue: refused
	arrivals <- uid(t, "04000000000009") // the lights: refused
	arrivals <- uid(t, "04000000000002") // pause
	arrivals <- uid(t, "04000000000004") // alarm
	arrivals <- uid(t, "04000000000003") // call
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if len(known.controls) != 4 || known.controls["04000000000002"] != "pause" || known.controls["04000000000004"] != "alarm" || known.controls["04000000000003"] != "call" {
		t.Errorf("%v", known.controls)
	}
	for _, text := range []string{"[1/6] Carte de commande : commencer, ou rejouer · Control card: begin, or play again", "déjà à : clue-worms-1", "déjà à : Carte de commande : lumière"} {
		if !strings.Contains(out.String(), text) {
			t.Errorf("the dialogue lacks %q:\n%s", text, out)
		}
	}
}

// Pawns are asked for in the place of cards; the tag of a card is refused.
func TestPawnsAreEnrolled(t *testing.T) {
	names := engine.Names{{ID: "suspect-rose", Kind: "suspect", Text: engine.Text{FR: "Rose", EN: "Scarlett"}}, {ID: "suspect-olive", Kind: "suspect"}, {ID: "weapon-corde", Kind: "weapon", Text: engine.Text{FR: "Corde", EN: "Rope"}}}
	known := tags{"04000000000001": "weapon-corde", "04000000000002": "pawn-suspect-olive"}
	out := &strings.Builder{}
	e := dialogue(t, known, wire.EnrolPawns, "cluedo-2008", names, out)
	arrivals := make(chan devices.UID)
	done := make(chan error)
	go func() { done <- e.run(context.Background(), arrivals, nil) }()
	arrivals <- uid(t, "04000000000001")
	arrivals <- uid(t, "04000000000003")
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if len(known) != 3 || known["04000000000003"] != "pawn-suspect-rose" {
		t.Errorf("%v", known)
	}
	for _, text := range []string{"[1/2] Pion : Rose · Pawn: Scarlett", "déjà à : Corde"} {
		if !strings.Contains(out.String(), text) {
			t.Errorf("the dialogue lacks %q:\n%s", text, out)
		}
	}
}

func TestEnrollStops(t *testing.T) {
	e := dialogue(t, tags{}, wire.EnrolCards, "huis-clos", engine.Names{{ID: "weapon-corde", Kind: "weapon"}}, &strings.Builder{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := e.run(ctx, nil, nil); err != nil {
		t.Fatal(err)
	}
}
