package huisclos

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/internal/presentation"
)

// HC-006, HC-011, HC-050: all seven places are open at the start, their layout on the table has no effect, and from each place every other
// can be reached in one move.
func TestEveryPlaceIsOneMoveFromEveryOther(t *testing.T) {
	start := dealtGame(t, 4, 5).View(engine.Public)
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
		posed(t, "round 2\nactive seat-1\nhand seat-1 clue-worms-1\npawn seat-1 "+string(from.Place)+"\n"+fill).mustOfferOnly(anne,
			"move", want...)
	}
}

// HC-005, HC-008, HC-009: the roles and the clues are shuffled. In 120 deals every seat is the Murderer once, each of a character's four
// clues is in the first place once, and every other weapon in each other place.
func TestTheDealIsShuffled(t *testing.T) {
	murderers, starts, lies := map[engine.Seat]bool{}, map[card]bool{}, map[[2]int]bool{}
	begun := dealtGame(t, 5, 1)
	for seed := range uint64(120) {
		d := &desk{t: t, g: begun, dice: chance.New(seed)}
		d.mustDo(host, "draw-roles").mustDo(host, "deal")
		s := d.g.(*state)
		murderers[s.findMurderer(s.isSeated)] = true
		for c := card(1); c <= numCards; c++ {
			l := s.ledger.LocationOf(c)
			if place(l) == s.book.startPlace {
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
	start := begun.(*state).book.startPlace
	for w := 1; w <= numPlaces; w++ {
		for p := 1; p <= numPlaces; p++ {
			if first := place(p) == start; lies[[2]int{w, p}] == (first != (place(w) == start)) {
				t.Errorf("weapon %d in place %d: %v", w, p, lies[[2]int{w, p}])
			}
		}
	}
}

// HC-158: a game without any weapon left, in which Innocents are known to all, goes on. So does one in which no player is left who could be
// accused with a card.
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
	d.mustDo(anne, "move", "place=place-4").mustDo(anne, "accuse", "seat=seat-2", "card=clue-worms-1")
	d.mustDo(bruno, "move", "place=place-5").mustDo(bruno, "accuse", "seat=seat-3", "card=clue-peely-1")
	d.mustDo(chloe, "move", "place=place-4").mustDo(chloe, "accuse", "seat=seat-1", "card=clue-borrow-1")
	v := d.view(table)
	for _, x := range v.Seats[:3] {
		if x.Role != "role-innocent" {
			t.Errorf("%s is not known to be innocent", x.Seat)
		}
	}
	if v.Result != nil || v.Phase != "investigation" || v.Active[0] != david {
		t.Fatalf("with three known Innocents and no weapon: phase %s, result %+v", v.Phase, v.Result)
	}
	d.mustDo(david, "move", "place=place-7").mustDo(david, "search").mustDo(david, "take", "card="+string(d.view(david).Me.Tray[0])).
		mustDo(david, "done")
	if v := d.mustHavePhase("deposit").view(table); v.Result != nil {
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
				d.mustRefuse("HC-033", y, "move", "place=place-3")
			}
		}
		d.mustDo(int(x), "move", "place=place-salon").mustDo(int(x), "search")
		if len(d.g.Deadlines()) > 0 {
			d.waitWindow()
		}
		d.mustDo(int(x), "take", "card="+string(d.view(int(x)).Me.Tray[0]))
		if d.view(table).Active[0] == x && d.view(table).Phase == "investigation" {
			d.mustDo(int(x), "done")
		}
	}
	for d.view(table).Phase == "deposit" {
		x := d.view(table).Active[0]
		paid = append(paid, x)
		domain, _ := d.offered(int(x), "deposit")
		i := slices.IndexFunc(domain, func(c string) bool { return strings.HasPrefix(c, "clue-") })
		d.mustDo(int(x), "deposit", "card="+domain[max(i, 0)])
	}
	d.mustDo(david, "open")
	for d.view(table).Phase == "recovery" {
		x := d.view(table).Active[0]
		back = append(back, x)
		domain, _ := d.offered(int(x), "recover")
		d.mustDo(int(x), "recover", "card="+domain[0])
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
		d.mustRefuse("HC-050", x, "search").mustDo(x, "move", "place=place-5").mustDo(x, "search")
		tray := d.view(x).Me.Tray
		d.mustDo(x, "take", "card="+string(tray[len(tray)-1]))
		if gone, ok := d.offered(x, "destroy"); ok && d.view(table).Active[0] == engine.Seat(x) {
			d.mustDo(x, "destroy", "card="+gone[0]) // HC-205
		}
	}
	d.mustHavePhase("deposit").mustDo(david, "deposit", "card=clue-worms-2").mustDo(anne, "deposit", "card=clue-worms-1").
		mustDo(david, "open")
	d.mustDo(david, "recover", "card=clue-worms-1").mustDo(anne, "recover", "card=clue-worms-2").mustHavePhase("investigation")
	if v := d.view(table); v.Clock.At != 4 || v.Active[0] != anne || !v.Seats[0].First {
		t.Errorf("round %d begins with %v", v.Clock.At, v.Active)
	}
}

// isAlarm reports whether r is the one alarm, which is the same for every card and has nothing for a single seat (GEN-E13).
func isAlarm(r *engine.Reject) bool {
	return saysAlarm(r, "gen.alarm")
}

// isDealAlarm reports the same of the alarm in a deal, which stops the deal.
func isDealAlarm(r *engine.Reject) bool { return saysAlarm(r, "gen.alarm.deal") }

func saysAlarm(r *engine.Reject, key string) bool {
	said := engine.NewMsg(key)
	return r != nil && reflect.DeepEqual(*r, engine.Reject{Code: engine.Forbidden, Rule: "GEN-E13", Why: said, Public: said})
}

// GEN-E05, GEN-E13: a clue is presented where it cannot be. If all know the place of the clue, or if it is a weapon that would kill, only
// the seat hears the reason, whether or not it holds the card. For any other clue, wherever it is on record, all hear the same words. That
// includes the clue that was just deposited, unless it is read in the same moment.
func TestACardThatCannotBeThere(t *testing.T) {
	d := posed(t, `
phase deposit
round 2
active seat-1
gone clue-georges-1
hand seat-1 clue-williams-4 clue-borrow-1
hand seat-2 clue-worms-1 weapon-5
hand seat-3 clue-peely-1
hand seat-4 clue-lecomte-1
pawn seat-2 place-5
fill place-3 2
`)
	if r := d.read("urn", 0, "clue-williams-4"); r != nil {
		t.Fatal(r)
	}
	read := d.at
	bad := d.read("urn", 0)
	for _, after := range []engine.Millis{1, presentation.RepeatWindow - 1, presentation.RepeatWindow, 1_500, 5_000, 60_000} {
		for c := card(1); c <= numCards; c++ {
			id := engine.ID(d.b.cardID[c])
			if id == "clue-worms-1" { // it may be deposited
				continue
			}
			d.at = read + after - 1000 // a reading takes a second
			before := bytesOf(t, d.view(table))
			r := d.read("urn", 0, id)
			quiet := r != nil && r.Rule == "GEN-E04" && r.Public.IsEmpty() && r.To == 0
			switch id {
			case "clue-georges-1", "weapon-5", "weapon-corde": // public, its own, and one that would kill as well
				if r == nil || r.To != bruno || !reflect.DeepEqual(r.Public, bad.Public) {
					t.Errorf("%s after %d ms: %+v", id, after, r)
				}
			default:
				if quiet != (after < presentation.RepeatWindow && id == "clue-williams-4") || !quiet && !isAlarm(r) {
					t.Errorf("%s after %d ms: %+v", id, after, r)
				}
			}
			if string(before) != string(bytesOf(t, d.view(table))) {
				t.Errorf("%s changed something", id)
			}
		}
	}
}

// GEN-E13: where the machine knows the hand only in part, it believes a clue that has no record. A clue that is on record elsewhere raises
// the alarm, wherever that is.
func TestACopyAtAnUnreadHand(t *testing.T) {
	at := `
phase deposit
round 2
active seat-2
gone clue-georges-1
urn seat-1 clue-williams-4
hand seat-1 clue-borrow-1
unknown hand seat-2 2
hand seat-3 clue-peely-1
unknown hand seat-4 1
place place-3 clue-lecomte-1
unknown place place-4 3
`
	for _, c := range []engine.ID{"clue-williams-4", "clue-borrow-1", "clue-peely-1", "clue-lecomte-1"} {
		if r := posed(t, at).read("urn", 0, c); !isAlarm(r) {
			t.Errorf("%s: %+v", c, r)
		}
		if r := posed(t, at+"claims seat-2 "+string(c)).read("urn", 0, c); !isAlarm(r) {
			t.Errorf("%s, which the seat has named: %+v", c, r)
		}
	}
	if r := posed(t, at).read("urn", 0, "clue-peely-2"); r != nil {
		t.Errorf("a clue that is on record nowhere: %+v", r)
	}
}

// GEN-E13: a clue that is named openly as destroyed or as evidence, on a phone or by the host, must be of that hand. One that is on record
// elsewhere cannot be.
func TestClueNamedOpenlyMustBeOfThatHand(t *testing.T) {
	d := posed(t, `
round 5
unknown hand seat-1 3
hand seat-2 clue-peely-1 clue-georges-1
pawn seat-1 place-3
pawn seat-2 place-4
pawn seat-3 place-4
pawn seat-4 place-5
place place-4 clue-williams-1 clue-williams-2
place place-5 clue-peely-3
unknown place place-6 3
`)
	d.mustDo(anne, "move", "place=place-4")
	for _, who := range []int{anne, host} {
		for _, c := range []string{"clue-peely-1", "clue-peely-3"} {
			if r := d.refusal("GEN-E13", who, "accuse", "seat=seat-3", "card="+c); !isAlarm(r) {
				t.Errorf("%s by %d: %+v", c, who, r)
			}
		}
	}
	d.mustDo(anne, "search").waitWindow().mustDo(anne, "take", "card=clue-williams-1")
	for _, who := range []int{anne, host} {
		if r := d.refusal("GEN-E13", who, "destroy", "card=clue-georges-1"); !isAlarm(r) {
			t.Errorf("destroyed by %d: %+v", who, r)
		}
	}
	d.mustDo(anne, "destroy", "card=clue-georges-2")
}

// GEN-E09, GEN-E13: a count that finds every number right shows that clues are not where they are recorded. All records of hidden clues are
// dropped, and each seat keeps what it knows of its hand. A count that corrects a number keeps the other records.
func TestACountThatFindsNothing(t *testing.T) {
	at := `
phase deposit
round 2
active seat-2
urn seat-1 clue-williams-4
hand seat-1 clue-borrow-1
hand seat-2 clue-worms-1 clue-worms-2
hand seat-3 clue-peely-1
unknown hand seat-4 1
place place-3 clue-lecomte-1
unknown place place-4 3
`
	d := posed(t, at).mustDo(host, "count").mustDo(host, "counted")
	for _, of := range []string{"place-3", "place-4", "urn", "seat-4"} {
		if got := d.custodyOf(of).Cards; got != engine.Trusted {
			t.Errorf("%s is %s", of, got)
		}
	}
	d.mustHold(bruno, "clue-worms-1", "clue-worms-2").mustHold(chloe, "clue-peely-1")
	d.mustDo(bruno, "forget", "card=clue-worms-2")
	if r := d.read("urn", 0, "clue-peely-1"); r != nil {
		t.Errorf("what the cards say counts now: %+v", r)
	}

	d = posed(t, at).mustDo(host, "count").mustDo(host, "count-is", "of=seat-4", "n=0").mustDo(host, "counted")
	for _, of := range []string{"place-3", "urn", "seat-2"} {
		if got := d.custodyOf(of).Cards; got != engine.Verified {
			t.Errorf("%s is %s after a number was corrected", of, got)
		}
	}
}
