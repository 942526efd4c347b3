package cluedo_test

import (
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
)

// GEN-002, GEN-E11: a phone cannot act as a reader or a clock, a viewer without a seat and an empty seat do nothing, and a card of another
// game is no card (GEN-E02).
func TestStrangers(t *testing.T) {
	book := rulebook(t)
	lines := []engine.PositionLine{
		{Line: 1, Verb: "seat", Words: []string{"seat-1", "Rose", "suspect-rose"}},
		{Line: 2, Verb: "seat", Words: []string{"seat-2", "Moutarde", "suspect-moutarde"}},
		{Line: 3, Verb: "seat", Words: []string{"seat-3", "Olive", "suspect-olive"}},
		{Line: 4, Verb: "deal", Words: []string{"seat-1", "7"}},
		{Line: 5, Verb: "deal", Words: []string{"seat-2", "7"}}, {Line: 6, Verb: "deal", Words: []string{"seat-3", "7"}},
		{Line: 7, Verb: "pawn", Words: []string{"suspect-rose", "room-chambre-amis"}}, {Line: 8, Verb: "cards"},
	}
	evs, err := book.BuildPosition(lines)
	if err != nil {
		t.Fatal(err)
	}
	g := book.NewGame()
	at := engine.Millis(0)
	play := func(by engine.Viewer, act string, args engine.Args) *engine.Reject {
		evs, r := g.Decide(engine.Command{At: at, By: by, Act: act, Args: args}, chance.New(1))
		g = g.Apply(evs...)
		return r
	}
	g = g.Apply(evs...)
	for _, pawn := range []string{"pawn-nobody", "pawn-weapon-hache"} {
		r := play(engine.Public, engine.ActScan, engine.Args{"reader": "room-salon", "cards": pawn})
		if r == nil || r.Code != engine.NotYou || r.Rule != "GEN-E02" {
			t.Errorf("%s in a room: %v, want it refused as nobody's", pawn, r)
		}
	}
	refused := func(when string) {
		t.Helper()
		for _, c := range []struct {
			by   engine.Viewer
			act  string
			args engine.Args
			rule string
		}{
			{engine.SeatViewer(1), engine.ActScan, engine.Args{"reader": "show", "cards": "weapon-hache"}, "GEN-002"},
			{engine.SeatViewer(1), engine.ActDeadline, engine.Args{"id": "answer-1"}, "GEN-002"},
			{engine.Host, engine.ActDeadline, engine.Args{"id": "answer-1"}, "GEN-002"},
			{engine.Public, engine.ActDeadline, engine.Args{"id": "answer-99"}, "GEN-E11"},
			{engine.Public, engine.ActScan, engine.Args{"reader": "", "cards": "weapon-hache"}, "GEN-E11"},
			{engine.Public, "passage", nil, "GEN-002"}, {engine.Public, "answer", engine.Args{"card": "weapon-hache"}, "GEN-002"},
			{engine.Public, "power", nil, "GEN-002"}, {engine.SeatViewer(9), "power", nil, "C8-012"},
			{engine.SeatViewer(9), "passage", nil, "C8-012"},
			{engine.Public, "hold", engine.Args{"card": "weapon-hache"}, "GEN-021"},
			{engine.SeatViewer(9), "hold", engine.Args{"card": "weapon-hache"}, "GEN-021"},
			{engine.SeatViewer(1), "dance", nil, "C8-040"},
		} {
			if r := play(c.by, c.act, c.args); r == nil || r.Rule != c.rule {
				t.Errorf("%s: %s %v by %v: %v, want it refused by %s", when, c.act, c.args, c.by, r, c.rule)
			}
		}
		if o := g.(interface {
			Offers(engine.Viewer) []engine.Offer
		}).Offers(engine.SeatViewer(9)); len(o) > 0 {
			t.Errorf("%s: an empty seat is offered %v", when, o)
		}
		if me := g.View(engine.SeatViewer(9)).Me; me != nil || len(g.View(engine.SeatViewer(9)).Offers) > 0 {
			t.Errorf("%s: an empty seat sees %v", when, me)
		}
	}
	refused("at the start")
	if r := play(engine.SeatViewer(1), "passage", nil); r != nil {
		t.Fatal(r)
	}
	if r := play(engine.SeatViewer(1), "hypothesis", engine.Args{"suspect": "suspect-violet", "weapon": "weapon-hache"}); r != nil {
		t.Fatal(r)
	}
	refused("while a card is asked for")
	if r := play(engine.Public, engine.ActScan, engine.Args{"reader": "show", "cards": "two-players"}); r == nil || r.Rule != "GEN-E02" {
		t.Errorf("what is no card: %v", r)
	}
	if r := play(engine.SeatViewer(2), "answer", engine.Args{"card": "weapon-hache"}); r != nil {
		t.Fatal(r)
	}
	// C8-158: the answer takes effect at its moment, not before.
	due := g.Deadlines()[0]
	at = due.At - 1
	if r := play(engine.Public, engine.ActDeadline, engine.Args{"id": due.ID}); r == nil || r.Rule != "GEN-E11" {
		t.Errorf("a deadline before its moment: %v", r)
	}
	if at = due.At; play(engine.Public, engine.ActDeadline, engine.Args{"id": "answer-77"}) == nil {
		t.Error("a deadline of another moment is accepted")
	}
	if r := play(engine.Public, engine.ActDeadline, engine.Args{"id": due.ID}); r != nil {
		t.Error(r)
	}
}
