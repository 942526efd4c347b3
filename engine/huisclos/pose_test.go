package huisclos

import (
	"encoding/json"
	"strings"
	"testing"

	"majordome/engine"
)

func TestPoseFaults(t *testing.T) {
	b := newBook(t)
	for _, c := range []struct{ name, lines, want string }{
		{"verb", "paint seat-1", "line 6: unknown verb"},
		{"words", "round", "line 6: round needs"},
		{"empty seat", "hand seat-7 weapon-corde", "nobody sits"},
		{"seat twice", "seat seat-1 Eve character-georges innocent", "two lines"},
		{"character twice", "seat seat-5 Eve character-borrow innocent", "played already"},
		{"role", "seat seat-5 Eve character-georges butler", "no role"},
		{"two murderers", "seat seat-5 Eve character-georges murderer", "exactly one seat"},
		{"clue twice", "hand seat-1 weapon-corde\nplace place-3 weapon-corde", "line 7"},
		{"no clue", "hand seat-1 role-murderer", "no clue"},
		{"no place", "pawn seat-1 place-9", "no place"},
		{"number", "round many", "no number"},
		{"too full", "fill place-3 40", "no number"},
		{"nothing left", "fill place-3 39\nfill place-4 1", "no clues left"},
		{"phase", "phase lobby", "no phase"},
		{"closed", "closed place-suite-bleue", "closed and not empty"},
		{"the dead act", "dead seat-2\nactive seat-2", "cannot be active"},
		{"the dead hold", "hand seat-2 weapon-corde\ndead seat-2", "holds clues"},
		{"rule", "switch cats on", "no house rule"},
		{"value", "switch exchange-order cats", "no value"},
		{"deposit twice", "phase deposit\nurn seat-1 weapon-corde\nurn seat-1 weapon-3", "deposits twice"},
	} {
		if _, err := b.Pose(lines(four + c.lines)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := b.Pose(lines("round 2")); err == nil {
		t.Error("a position without players")
	}
}

// TestPosePhases: every phase can be posed and goes on.
func TestPosePhases(t *testing.T) {
	d := posed(t, "phase roles").do(anne, "role", "value=innocent")
	d.do(host, "draw-roles").phase("laying")
	posed(t, "phase laying").do(host, "deal").phase("pick")
	d = posed(t, "phase pick\nactive seat-2\nhand seat-1 clue-worms-1\nfill place-suite-bleue 8")
	if n := len(d.view(bruno).Me.Tray); n != 8 {
		t.Errorf("Bruno sees %d clues", n)
	}
	d = posed(t, "phase investigation\nround 3\ninvestigated seat-1 seat-2\nfill place-3 3")
	if d.view(table).Active[0] != chloe {
		t.Error("not Chloé's turn")
	}
	posed(t, "phase recovery\nurn seat-1 weapon-corde").do(anne, "recover", "card=weapon-corde").phase("investigation")
	posed(t, "phase deposit\nhand seat-4 clue-worms-1").do(david, "deposit", "card=clue-worms-1").phase("reveal")
}

// FuzzDecode: DecodeEvent is total, and what it gives can be applied.
func FuzzDecode(f *testing.F) {
	f.Add("deposited", []byte(`{"at":5,"seat":2,"card":"weapon-corde"}`))
	f.Add("posed", []byte(`{"pose":{"lines":[{"line":1,"verb":"round","words":["2"]}]}}`))
	f.Add("over", []byte(`{"n":65535,"text":"HC-999"}`))
	f.Add("took", []byte(`{"seat":8,"card":"weapon-3","step":200}`))
	f.Add("dealt", []byte(`{"deal":{}}`))
	for _, k := range kindNames[1:] {
		f.Add(k, []byte(`{"seat":1,"other":2,"place":"place-3","card":"weapon-3","role":"murderer"}`))
	}
	b := newBook(f)
	evs, err := b.Pose(lines(four + "hand seat-1 weapon-corde\nfill place-3 4"))
	if err != nil {
		f.Fatal(err)
	}
	var g engine.Game = b.New()
	for _, e := range evs {
		g = g.Evolve(e)
	}
	f.Fuzz(func(t *testing.T, kind string, data []byte) {
		e, err := b.DecodeEvent(kind, data)
		if err != nil {
			if strings.Contains(err.Error(), "weapon") || strings.Contains(err.Error(), "clue-") {
				t.Error("the error quotes what may be hidden")
			}
			return
		}
		if _, err := b.EncodeEvent(e); err != nil {
			t.Error(err)
		}
		if _, err := json.Marshal(g.Evolve(e).View(engine.At(1))); err != nil {
			t.Error(err)
		}
	})
}

func TestForeignEvents(t *testing.T) {
	b := newBook(t)
	if _, err := b.EncodeEvent(nil); err == nil {
		t.Error("no event was encoded")
	}
	if _, err := b.DecodeEvent("", []byte("{}")); err == nil {
		t.Error("a nameless event was decoded")
	}
	g := b.New()
	if g.Evolve(nil) != g {
		t.Error("no event changed the game")
	}
}
