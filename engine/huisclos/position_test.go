package huisclos

import (
	"encoding/json"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/internal/rules"
	"majordome/engine/ownfile/ownfiletest"
)

func TestPositionFaults(t *testing.T) {
	b := newBook(t)
	for _, c := range []struct{ name, lines, want string }{
		{"verb", "paint seat-1", `:6: "paint" is not a verb`},
		{"words", "round", ":6: given round has too few"},
		{"empty seat", "hand seat-7 weapon-corde", "nobody sits"},
		{"seat twice", "seat seat-1 Eve character-georges innocent", `"seat-1" stands in another given line`},
		{"character twice", "seat seat-5 Eve character-borrow innocent", `"character-borrow" stands in another given line`},
		{"role", "seat seat-5 Eve character-georges butler", `"butler" is not a role`},
		{"two murderers", "seat seat-5 Eve character-georges murderer", ":6: exactly one seat"},
		{"clue twice", "hand seat-1 weapon-corde\nplace place-3 weapon-corde", `:7: "weapon-corde" stands in another`},
		{"is not a clue", "hand seat-1 role-murderer", "is not a clue"},
		{"clues", "hand seat-1 kitchen", "write one of: weapon-corde, "},
		{"clues to claim", "unknown hand seat-1 1\nclaims seat-1 kitchen", "write one of: weapon-corde, "},
		{"is not a place", "pawn seat-1 place-9", "is not a place"},
		{"places", "pawn seat-1 kitchen", "write one of: place-suite-bleue, "},
		{"number", "round many", "is not a number from 0 to"},
		{"too full", "fill place-3 40", "is not a number from 0 to 39"},
		{"nothing left", "fill place-3 39\nfill place-4 1", ":7: no clues left to fill place-4"},
		{"phase", "phase lobby", "is not a phase"},
		{"closed", "closed place-suite-bleue", ":6: place-suite-bleue is closed and not empty"},
		{"the dead act", "dead seat-2\nactive seat-2", ":7: seat-2 cannot act"},
		{"the dead hold", "hand seat-2 weapon-corde\ndead seat-2", ":7: seat-2 is dead and holds clues"},
		{"rule", "switch cats on", "is not a house rule"},
		{"value", "switch exchange-order cats", "is not a value of this rule"},
		{"deposit twice", "phase deposit\nurn seat-1 weapon-corde\nurn seat-1 weapon-3", `:8: "seat-1" stands in another`},
		{"no seat", "seat Anne Eve character-georges innocent", "is not a seat"},
		{"ninth seat", "seat seat-9 Eve character-georges innocent", "is not a seat"},
		{"long name", "seat seat-5 " + strings.Repeat("e", rules.MaxName+1) + " character-georges innocent",
			"a player’s name that cannot be shown"},
		{"characters", "seat seat-5 Eve kitchen innocent", "write one of: character-lecomte, "},
		{"no character", "seat seat-5 Eve character-x innocent", `"character-x" is not a character`},
		{"whose character", "seat seat-5 Eve character-borrow innocent", `:6: "character-borrow" stands`},
		{"no round", "round 61", `"61" is not a number from 0 to 60`},
		{"ended", "phase over", "is not a phase"},
		{"nobody deposits", "phase deposit\nurn seat-7 weapon-corde", "nobody sits"},
		{"a second deposit of no clue", "phase deposit\nurn seat-1 weapon-corde\nurn seat-1 weapon-99", "is not a clue"},
		{"nowhere to lie", "place place-9 weapon-corde", "is not a place"},
		{"nowhere to fill", "fill place-9 3", "is not a place"},
		{"nobody stands", "pawn seat-7 place-3", "nobody sits"},
		{"nothing closed", "closed place-9", "is not a place"},
		{"nothing gone", "gone weapon-99", "is not a clue"},
		{"nobody destroys", "destroyed seat-7 1", "nobody sits"},
		{"destroyed anyhow", "destroyed seat-1 40", "is not a number from 0 to 39"},
		{"nobody accuses", "tokens seat-7 1", "nobody sits"},
		{"nobody dies", "dead seat-7", "nobody sits"},
		{"clues on a closed place", "place place-3 weapon-3\nclosed place-3", ":7: place-3 is closed and not empty"},
		{"an open urn", "phase recovery\nunknown urn seat-1", ":7: the urn is open, and the clue of seat-1"},
		{"too many lost", "hand seat-1 weapon-corde\nlost 39", ":7: 38 clues are left to be lost, not 39"},
		{"lost anyhow", "lost many", "is not a number from 0 to"},
		{"active again", "investigated seat-2\nactive seat-2", ":7: seat-2 cannot act"},
		{"known and unknown", "place place-3 weapon-3\nunknown place place-3 2", `:7: "place-3" stands in another`},
		{"unknown anywhere", "unknown place place-9 2", "is not a place"},
		{"unknown of nobody", "unknown hand seat-7 1", "nobody sits"},
		{"unknown twice", "phase deposit\nunknown urn seat-1\nunknown urn seat-1", `:8: "seat-1" stands in another`},
		{"unknown thing", "unknown pocket seat-1", `"pocket" is not what can be unknown`},
		{"unknown number", "unknown hand seat-1", "write: given unknown hand seat-1 <count>"},
		{"claims no clue", "unknown hand seat-1 1\nclaims seat-1 weapon-99", `"weapon-99" is not a clue`},
		{"nobody claims", "claims seat-7 weapon-99", "nobody sits"},
		{"claims too much", "claims seat-1 weapon-3", "seat-1 claims more"},
		{"claims what is recorded", "hand seat-1 weapon-3\nunknown hand seat-1 1\nclaims seat-1 weapon-3", "seat-1 claims more"},
	} {
		if _, err := b.BuildPosition(lines(four + c.lines)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		} else {
			ownfiletest.CheckFaults(t, err)
		}
	}
	if _, err := b.BuildPosition(lines("round 2")); err == nil ||
		!strings.Contains(err.Error(), ":1: given seat lines: 0, and at least 4") {
		t.Errorf("a position without players: %v", err)
	}
}

// TestPositionDefaults: a position begins in the first round unless a line says otherwise. Clues that no line names are out of the game;
// with a line for unknown or lost clues they are there, without a record.
func TestPositionDefaults(t *testing.T) {
	of := func(more string) *state { return posed(t, more).g.(*state) }
	s := of("")
	if s.phase != phaseInvestigation || s.round != 1 || s.active != anne || s.names[david] != "David" || s.seats[david].tokens != 1 ||
		s.seats[david].at != s.book.startPlace {
		t.Errorf("%s, round %d, seat %d, David: %+v", phaseNames[s.phase], s.round, s.active, s.seats[david])
	}
	if s = of("phase pick\nfill place-suite-bleue 9"); s.round != 0 {
		t.Errorf("the pick is in round %d", s.round)
	}
	if s = of("phase deposit\nurn seat-1 weapon-3\nhand seat-1 weapon-5\nhand seat-2 weapon-4"); s.active != bruno {
		t.Errorf("seat %d deposits after Anne", s.active)
	}
	if s = of("phase recovery\nurn seat-1 weapon-corde"); !s.urnOpened {
		t.Error("the urn is closed in a recovery")
	}
	for more, want := range map[string][2]int{ // lost, out of the game
		"unknown role seat-1": {0, numCards}, "lost 3": {numCards, 0}, "unknown hand seat-1 2": {numCards - 2, 0},
		"hand seat-1 weapon-3": {0, numCards - 1},
	} {
		if s = of(more); int(s.count.Lost) != want[0] || s.ledger.CardsAt(locOut).Count() != want[1] {
			t.Errorf("%s: %d clues are lost and %d out of the game, want %v", more, s.count.Lost, s.ledger.CardsAt(locOut).Count(), want)
		}
	}
}

// TestPositionPhases: every phase can be posed and goes on.
func TestPositionPhases(t *testing.T) {
	d := posed(t, "phase roles").mustDo(anne, "role", "value=innocent")
	d.mustDo(host, "draw-roles").mustHavePhase("laying")
	posed(t, "phase laying").mustDo(host, "deal").mustHavePhase("pick")
	d = posed(t, "phase pick\nactive seat-2\nhand seat-1 clue-worms-1\nfill place-suite-bleue 8")
	if n := len(d.view(bruno).Me.Tray); n != 8 {
		t.Errorf("Bruno sees %d clues", n)
	}
	d = posed(t, "phase investigation\nround 3\ninvestigated seat-1 seat-2\nfill place-3 3")
	if d.view(table).Active[0] != chloe {
		t.Error("not Chloé's turn")
	}
	posed(t, "phase recovery\nurn seat-1 weapon-corde").mustDo(anne, "recover", "card=weapon-corde").mustHavePhase("investigation")
	posed(t, "phase deposit\nhand seat-4 clue-worms-1").mustDo(david, "deposit", "card=clue-worms-1").mustHavePhase("reveal")
}

// FuzzDecode: DecodeEvent accepts any bytes without a panic, and an event that it returns can be applied.
func FuzzDecode(f *testing.F) {
	f.Add("deposited", []byte(`{"at":5,"seat":2,"card":"weapon-corde"}`))
	f.Add("posed", []byte(`{"pose":{"lines":[{"line":1,"verb":"round","words":["2"]}]}}`))
	f.Add("over", []byte(`{"n":65535,"text":"HC-999"}`))
	f.Add("took", []byte(`{"seat":8,"card":"weapon-3","step":200}`))
	f.Add("dealt", []byte(`{"deal":{}}`))
	for _, k := range rules.RowNames(eventRows[1:]) {
		f.Add(k, []byte(`{"seat":1,"other":2,"place":"place-3","card":"weapon-3","role":"murderer"}`))
	}
	b := newBook(f)
	evs, err := b.BuildPosition(lines(four + "hand seat-1 weapon-corde\nfill place-3 4"))
	if err != nil {
		f.Fatal(err)
	}
	var g engine.Game = b.NewGame()
	g = g.Apply(evs...)
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
		if _, err := json.Marshal(g.Apply(e).View(engine.SeatViewer(1))); err != nil {
			t.Error(err)
		}
	})
}

// stranger is an event of another game.
type stranger struct{ engine.Event }

func TestForeignEvents(t *testing.T) {
	b := newBook(t)
	g := b.NewGame()
	for _, e := range []engine.Event{stranger{}, (*event)(nil), nil} {
		if _, err := b.EncodeEvent(e); err == nil {
			t.Errorf("%T was encoded", e)
		}
		if g.Apply(e) != g {
			t.Errorf("%T changed the game", e)
		}
	}
}
