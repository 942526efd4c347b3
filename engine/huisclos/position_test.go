package huisclos

import (
	"encoding/json"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/internal/rules"
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
		{"deposit twice", "phase deposit\nurn seat-1 weapon-corde\nurn seat-1 weapon-3", "line 8: urn: seat-1 deposits twice"},
		{"no seat", "seat Anne Eve character-georges innocent", "no seat"},
		{"ninth seat", "seat seat-9 Eve character-georges innocent", "no seat"},
		{"long name", "seat seat-5 " + strings.Repeat("e", rules.MaxName+1) + " character-georges innocent", "bad name"},
		{"no character", "seat seat-5 Eve character-x innocent", `no character "character-x"`},
		{"whose character", "seat seat-5 Eve character-borrow innocent", "character-borrow is played already"},
		{"no round", "round 61", "no number from 0 to 60"},
		{"ended", "phase over", "no phase"},
		{"nobody deposits", "phase deposit\nurn seat-7 weapon-corde", "nobody sits"},
		{"a second deposit of no clue", "phase deposit\nurn seat-1 weapon-corde\nurn seat-1 weapon-99", "no clue"},
		{"nowhere to lie", "place place-9 weapon-corde", "no place"},
		{"nowhere to fill", "fill place-9 3", "no place"},
		{"nobody stands", "pawn seat-7 place-3", "nobody sits"},
		{"nothing closed", "closed place-9", "no place"},
		{"nothing gone", "gone weapon-99", "no clue"},
		{"nobody destroys", "destroyed seat-7 1", "nobody sits"},
		{"destroyed anyhow", "destroyed seat-1 40", "no number"},
		{"nobody accuses", "tokens seat-7 1", "nobody sits"},
		{"nobody dies", "dead seat-7", "nobody sits"},
		{"clues on a closed place", "place place-3 weapon-3\nclosed place-3", "place-3 is closed and not empty"},
		{"an open urn", "phase recovery\nunknown urn seat-1", "name what seat-1 deposited"},
		{"too many lost", "hand seat-1 weapon-corde\nlost 39", "38 clues are left to be lost, not 39"},
		{"lost anyhow", "lost many", "no number"},
		{"active again", "investigated seat-2\nactive seat-2", "seat-2 cannot be active"},
		{"known and unknown", "place place-3 weapon-3\nunknown place place-3 2", "line 7: unknown: place-3 holds clues by another line"},
		{"unknown anywhere", "unknown place place-9 2", "no place"},
		{"unknown of nobody", "unknown hand seat-7 1", "nobody sits"},
		{"unknown twice", "phase deposit\nunknown urn seat-1\nunknown urn seat-1", "line 8: unknown: seat-1 deposits twice"},
		{"unknown thing", "unknown pocket seat-1", "nothing is unknown"},
		{"unknown number", "unknown hand seat-1", "a number of clues is missing"},
		{"claims no clue", "unknown hand seat-1 1\nclaims seat-1 weapon-99", `no clue "weapon-99"`},
		{"nobody claims", "claims seat-7 weapon-99", "nobody sits"},
		{"claims too much", "claims seat-1 weapon-3", "claims more"},
		{"claims what is recorded", "hand seat-1 weapon-3\nunknown hand seat-1 1\nclaims seat-1 weapon-3", "claims more"},
	} {
		if _, err := b.Position(lines(four + c.lines)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := b.Position(lines("round 2")); err == nil || !strings.Contains(err.Error(), "0 seat lines, at least 4") {
		t.Errorf("a position without players: %v", err)
	}
}

// TestPoseDefaults: what no line says is the beginning of the first round; clues that no
// line names are out of the game, or with a line that says unknown or lost those that lie
// without a record.
func TestPoseDefaults(t *testing.T) {
	of := func(more string) *state { return posed(t, more).g.(*state) }
	s := of("")
	if s.phase != investigation || s.round != 1 || s.active != anne || s.seats[david].name != "David" || s.seats[david].tokens != 1 || s.seats[david].at != s.book.start {
		t.Errorf("%s, round %d, seat %d, David: %+v", phaseNames[s.phase], s.round, s.active, s.seats[david])
	}
	if s = of("phase pick\nfill place-suite-bleue 9"); s.round != 0 {
		t.Errorf("the pick is in round %d", s.round)
	}
	if s = of("phase deposit\nurn seat-1 weapon-3\nhand seat-1 weapon-5\nhand seat-2 weapon-4"); s.active != bruno {
		t.Errorf("seat %d deposits after Anne", s.active)
	}
	if s = of("phase recovery\nurn seat-1 weapon-corde"); !s.opened {
		t.Error("the urn is closed in a recovery")
	}
	for more, want := range map[string][2]int{ // lost, out of the game
		"unknown role seat-1": {0, numCards}, "lost 3": {numCards, 0}, "unknown hand seat-1 2": {numCards - 2, 0},
		"hand seat-1 weapon-3": {0, numCards - 1},
	} {
		if s = of(more); int(s.lost) != want[0] || s.at(locOut).count() != want[1] {
			t.Errorf("%s: %d clues are lost and %d out of the game, want %v", more, s.lost, s.at(locOut).count(), want)
		}
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
	for _, k := range rules.Names(events[1:]) {
		f.Add(k, []byte(`{"seat":1,"other":2,"place":"place-3","card":"weapon-3","role":"murderer"}`))
	}
	b := newBook(f)
	evs, err := b.Position(lines(four + "hand seat-1 weapon-corde\nfill place-3 4"))
	if err != nil {
		f.Fatal(err)
	}
	var g engine.Game = b.New()
	g = g.Evolve(evs...)
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

// stranger is an event of another game.
type stranger struct{ engine.Event }

func TestForeignEvents(t *testing.T) {
	b := newBook(t)
	g := b.New()
	for _, e := range []engine.Event{stranger{}, (*event)(nil), nil} {
		if _, err := b.EncodeEvent(e); err == nil {
			t.Errorf("%T was encoded", e)
		}
		if g.Evolve(e) != g {
			t.Errorf("%T changed the game", e)
		}
	}
}
