package huisclos

import (
	"slices"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
)

// HC-006, HC-011, HC-050: all seven places are open at the start, how they lie
// has no effect, and from each one every other can be reached in one move.
func TestPlacesLieAnyhow(t *testing.T) {
	start := deals(t, 4, 5).View(engine.Public)
	for _, p := range start.Places {
		if !p.Open {
			t.Errorf("%s is closed at the start", p.Place)
		}
	}
	for _, s := range start.Seats {
		if s.Cards != 0 {
			t.Errorf("%s begins with %d clues", s.Seat, s.Cards)
		}
	}
	fill := ""
	for _, p := range start.Places {
		fill += "fill " + string(p.Place) + " 3\n"
	}
	for _, from := range start.Places {
		var want []string
		for _, to := range start.Places {
			if to.Place != from.Place {
				want = append(want, string(to.Place))
			}
		}
		posed(t, "round 2\nactive seat-1\nhand seat-1 clue-worms-1\npawn seat-1 "+string(from.Place)+"\n"+fill).offers(anne, "move", want...)
	}
}

// HC-005, HC-008, HC-009: the roles and the clues are shuffled. In 120 deals
// every seat is the Murderer once, each of a character's four clues lies in the
// first place once, and every other weapon in each other place.
func TestTheDealIsShuffled(t *testing.T) {
	murderers, starts, lies := map[engine.Seat]bool{}, map[card]bool{}, map[[2]int]bool{}
	begun := deals(t, 5, 1)
	for seed := range uint64(120) {
		d := &desk{t: t, g: begun, dice: chance.New(seed)}
		d.do(host, "draw-roles").do(host, "deal")
		s := d.g.(*state)
		murderers[s.murderer()] = true
		for c := card(1); c <= numCards; c++ {
			l, _ := s.clues[c].Open()
			if place(l) == s.book.start {
				starts[c] = true
			}
			lies[[2]int{int(c), int(l)}] = true
		}
	}
	if len(murderers) != 5 {
		t.Errorf("only %d of 5 seats were ever the Murderer", len(murderers))
	}
	if len(starts) != 33 {
		t.Errorf("%d of 33 clues were ever in the first place", len(starts))
	}
	start := begun.(*state).book.start
	for w := 1; w <= numPlaces; w++ {
		for p := 1; p <= numPlaces; p++ {
			if first := place(p) == start; lies[[2]int{w, p}] == (first != (place(w) == start)) {
				t.Errorf("weapon %d in place %d: %v", w, p, lies[[2]int{w, p}])
			}
		}
	}
}

// HC-158: a game without any weapon left, in which Innocents are known to all,
// goes on; so does one in which nobody is left to accuse with a card.
func TestNothingElseEndsTheGame(t *testing.T) {
	d := posed(t, `
round 5
active seat-1
gone weapon-corde weapon-tisonnier weapon-3 weapon-4 weapon-5 weapon-6 weapon-7
pawn seat-1 place-3
pawn seat-2 place-4
pawn seat-3 place-5
pawn seat-4 place-6
hand seat-1 clue-worms-1 clue-worms-2
hand seat-2 clue-peely-1 clue-peely-2
hand seat-3 clue-borrow-1 clue-borrow-2
hand seat-4 clue-georges-1 clue-georges-2
fill place-7 4
`)
	d.do(anne, "move", "place=place-4").do(anne, "accuse", "seat=seat-2", "card=clue-worms-1")
	d.do(bruno, "move", "place=place-5").do(bruno, "accuse", "seat=seat-3", "card=clue-peely-1")
	d.do(chloe, "move", "place=place-4").do(chloe, "accuse", "seat=seat-1", "card=clue-borrow-1")
	v := d.view(table)
	for _, x := range v.Seats[:3] {
		if x.Role != "role-innocent" {
			t.Errorf("%s is not known to be innocent", x.Seat)
		}
	}
	if v.Result != nil || v.Phase != "investigation" || v.Active[0] != david {
		t.Fatalf("with three known Innocents and no weapon: phase %s, result %+v", v.Phase, v.Result)
	}
	d.do(david, "move", "place=place-7").do(david, "search").do(david, "take", "card="+string(d.view(david).Me.Tray[0])).do(david, "done")
	if v := d.phase("deposit").view(table); v.Result != nil {
		t.Errorf("result %+v", v.Result)
	}
}

// HC-033, HC-034: each living player investigates exactly once, clockwise from
// the first player; the dead are passed over; so they deposit, and the next
// first player is the next living one to the left.
func TestEverybodyInvestigatesOnce(t *testing.T) {
	d := posed(t, `
seat seat-5 Eve character-georges innocent
seat seat-6 Félix character-williams innocent
round 3
first seat-4
dead seat-5 seat-1
hand seat-2 clue-worms-1
hand seat-3 clue-worms-2
hand seat-4 clue-worms-3
hand seat-6 clue-worms-4
fill place-salon 5
fill place-3 5
`)
	want := []engine.Seat{4, 6, 2, 3}
	var got, paid, back []engine.Seat
	for d.view(table).Phase == "investigation" {
		x := d.view(table).Active[0]
		got = append(got, x)
		for _, y := range []int{bruno, chloe, david, 6} {
			if engine.Seat(y) != x {
				d.no("HC-033", y, "move", "place=place-3")
			}
		}
		d.do(int(x), "move", "place=place-salon").do(int(x), "search")
		if len(d.g.Deadlines()) > 0 {
			d.waitWindow()
		}
		d.do(int(x), "take", "card="+string(d.view(int(x)).Me.Tray[0]))
		if d.view(table).Active[0] == x && d.view(table).Phase == "investigation" {
			d.do(int(x), "done")
		}
	}
	for d.view(table).Phase == "deposit" {
		x := d.view(table).Active[0]
		paid = append(paid, x)
		domain, _ := d.offered(int(x), "deposit")
		i := slices.IndexFunc(domain, func(c string) bool { return strings.HasPrefix(c, "clue-") })
		d.do(int(x), "deposit", "card="+domain[max(i, 0)])
	}
	d.do(david, "open")
	for d.view(table).Phase == "recovery" {
		x := d.view(table).Active[0]
		back = append(back, x)
		domain, _ := d.offered(int(x), "recover")
		d.do(int(x), "recover", "card="+domain[0])
	}
	if !slices.Equal(got, want) || !slices.Equal(paid, want) || !slices.Equal(back, want) {
		t.Errorf("investigated %v, deposited %v, recovered %v, want %v", got, paid, back, want)
	}
	if v := d.view(table); v.Clock.At != 4 || v.Active[0] != 6 || !v.Seats[5].First || v.Seats[3].First {
		t.Errorf("round %d begins with %v", v.Clock.At, v.Active)
	}
}

// HC-212, HC-050: in the Confrontation rounds, table order, the urn's passing,
// deposits, recovery and the compulsory move go on with two players.
func TestTheDuelGoesOn(t *testing.T) {
	d := posed(t, `
round 3
first seat-4
dead seat-2 seat-3
pawn seat-1 place-3
pawn seat-4 place-4
hand seat-1 clue-worms-1
hand seat-4 clue-worms-2
fill place-3 4
fill place-4 4
fill place-5 4
`)
	for _, x := range []int{david, anne} {
		d.no("HC-050", x, "search").do(x, "move", "place=place-5").do(x, "search")
		tray := d.view(x).Me.Tray
		d.do(x, "take", "card="+string(tray[len(tray)-1]))
		if gone, ok := d.offered(x, "destroy"); ok && d.view(table).Active[0] == engine.Seat(x) {
			d.do(x, "destroy", "card="+gone[0]) // HC-205
		}
	}
	d.phase("deposit").do(david, "deposit", "card=clue-worms-2").do(anne, "deposit", "card=clue-worms-1").do(david, "open")
	d.do(david, "recover", "card=clue-worms-1").do(anne, "recover", "card=clue-worms-2").phase("investigation")
	if v := d.view(table); v.Clock.At != 4 || v.Active[0] != anne || !v.Seats[0].First {
		t.Errorf("round %d begins with %v", v.Clock.At, v.Active)
	}
}

// GEN-E05: a clue that was in play before is presented where it cannot be: one
// destroyed, one in the urn already, one recovered by somebody else. The table
// sees a bad reading or nothing, the reason goes to the seat alone, and nothing
// changes.
func TestACardThatCannotBeThere(t *testing.T) {
	d := posed(t, `
phase deposit
round 2
active seat-2
gone clue-georges-1
urn seat-1 clue-williams-4
hand seat-1 clue-borrow-1
hand seat-2 clue-worms-1 clue-worms-2
hand seat-3 clue-peely-1
hand seat-4 clue-lecomte-1
`)
	bad := d.read("urn", 0)
	for _, c := range []engine.ID{"clue-georges-1", "clue-williams-4", "clue-borrow-1"} {
		before := bytesOf(t, d.view(table))
		r := d.read("urn", 0, c)
		switch {
		case r == nil:
			t.Errorf("%s is taken", c)
		case !r.Public.None() && r.Public.Key != bad.Public.Key:
			t.Errorf("%s: the table is told %+v, of a bad reading %+v", c, r.Public, bad.Public)
		case !r.Public.None() && r.To != bruno:
			t.Errorf("%s: the reason goes to %v", c, r.To)
		case string(before) != string(bytesOf(t, d.view(table))):
			t.Errorf("%s changed something", c)
		}
	}
}
