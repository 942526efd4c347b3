package huisclos

import (
	"bytes"
	"slices"
	"testing"

	"majordome/engine"
)

// custodyOf is the host's view of how well the machine knows a holder.
func (d *desk) custodyOf(of string) engine.Custody {
	for _, c := range d.view(host).Custody {
		if c.Of == of {
			return c
		}
	}
	return engine.Custody{}
}

// GEN-020, GEN-021, GEN-022: the machine judges acts of a known hand and trusts the player of an unknown one. The host sees which of the
// two it is; no seat does.
func TestKnownHandsAreJudged(t *testing.T) {
	d := posed(t, `
phase deposit
round 2
hand seat-1 clue-worms-1 clue-worms-2
unknown hand seat-2 2
unknown hand seat-3 2
claims seat-3 clue-georges-2
hand seat-4 clue-lecomte-1
unknown place place-7 4
fill place-3 3
`)
	for of, want := range map[string]string{"seat-1": engine.Verified, "seat-2": engine.Trusted, "seat-3": engine.Partly,
		"seat-4": engine.Verified, "place-3": engine.Verified, "place-7": engine.Trusted} {
		if got := d.custodyOf(of).Cards; got != want {
			t.Errorf("%s is %q, want %q", of, got, want)
		}
	}
	for _, who := range []int{table, anne, bruno, chloe, david} {
		if len(d.view(who).Custody) > 0 {
			t.Errorf("viewer %d is shown what the machine knows", who)
		}
	}
	if r := d.read("urn", 0, "clue-peely-1"); !isAlarm(r) {
		t.Errorf("a clue that is not in a known hand: %+v", r)
	}
	for _, c := range []engine.ID{"clue-worms-1", "clue-peely-1", "clue-georges-2", "clue-lecomte-1"} {
		if r := d.read("urn", 0, c); r != nil {
			t.Fatalf("%s: %v %s", c, r, r.Why.Key)
		}
	}
	if v := d.mustHavePhase("reveal").view(table); v.Urn != 4 {
		t.Errorf("urn %d", v.Urn)
	}
}

// GEN-002, GEN-022: how well the machine knows a hand, a place or a role shows only in the host's grades and in the offers of that seat
// itself. Two games that differ in nothing else give all other viewers the same bytes.
func TestGradesShowToNobody(t *testing.T) {
	same := `
round 2
pawn seat-1 place-3
pawn seat-2 place-4
pawn seat-3 place-3
pawn seat-4 place-5
hand seat-1 clue-worms-1 clue-worms-2
hand seat-3 clue-georges-2
unknown place place-7 4
fill place-3 3
`
	for _, phase := range []string{"investigation", "deposit"} {
		for _, c := range []struct{ name, known, unknown string }{
			{"a hand", "hand seat-2 clue-peely-1 clue-peely-2\nhand seat-4 clue-lecomte-1\n",
				"unknown hand seat-2 2\nhand seat-4 clue-lecomte-1\n"},
			{"two hands", "hand seat-2 clue-peely-1 clue-peely-2\nhand seat-4 weapon-5\n",
				"unknown hand seat-2 2\nunknown hand seat-4 1\n"},
			{"a place", "hand seat-2 clue-peely-1\nplace place-6 clue-williams-1 weapon-6\n",
				"hand seat-2 clue-peely-1\nunknown place place-6 2\n"},
			{"a role", "hand seat-2 clue-peely-1 weapon-3\n",
				"hand seat-2 clue-peely-1 weapon-3\nunknown role seat-2\nunknown role seat-4\n"},
		} {
			one, two := posed(t, "phase "+phase+same+c.known), posed(t, "phase "+phase+same+c.unknown)
			for _, who := range []int{table, anne, chloe} {
				if a, b := bytesOf(t, one.view(who)), bytesOf(t, two.view(who)); !bytes.Equal(a, b) {
					t.Errorf("%s, %s: viewer %d can tell that the machine knows it:\n%s\n%s", phase, c.name, who, a, b)
				}
			}
		}
	}
}

// GEN-022: neither the offers nor a refusal of an exchange show the actor how well the machine knows the hand it draws from.
func TestAnExchangeShowsNoGrade(t *testing.T) {
	for _, order := range []string{"draw-then-give", "give-then-draw"} {
		var told []string
		for _, hand := range []string{
			"hand seat-2 clue-peely-1 clue-peely-2",
			"unknown hand seat-2 2",
			"unknown hand seat-2 2\nclaims seat-2 clue-peely-1",
		} {
			d := posed(t, "round 2\nswitch exchange-order "+order+
				"\nactive seat-1\npawn seat-1 place-3\npawn seat-2 place-4\npawn seat-3 place-5\npawn seat-4 place-5\n"+
				"hand seat-1 clue-worms-1 clue-worms-2 clue-worms-3\nhand seat-3 clue-georges-2\n"+hand)
			d.mustDo(anne, "move", "place=place-4").mustDo(anne, "exchange", "seat=seat-2").waitWindow()
			if order == "give-then-draw" {
				d.mustDo(anne, "give", "card=clue-worms-1")
			}
			for _, card := range []string{"unnamed", "clue-peely-1", "clue-peely-2", "clue-williams-1"} {
				d.refusal("HC-083", anne, "draw", "card="+card)
			}
			for _, who := range []int{anne, chloe, table} {
				told = append(told, string(bytesOf(t, d.view(who))))
			}
			if d.mustDo(anne, "draw"); d.view(anne).Seats[0].Cards+d.view(anne).Seats[1].Cards != 5 {
				t.Errorf("%s: hands of %+v", hand, d.view(anne).Seats[:2])
			}
		}
		for i := range told[3:] {
			if told[i+3] != told[i%3] {
				t.Errorf("%s: a viewer can tell that the machine knows the hand:\n%s\n%s", order, told[i%3], told[i+3])
			}
		}
	}
}

// GEN-E09: while the cards are counted nothing else happens, the table reads
// "count check" and no card's name; then the numbers are right, and what is
// missing is out of the game.
func TestCountingTheCards(t *testing.T) {
	d := posed(t, `
phase deposit
round 2
hand seat-1 clue-worms-1 clue-worms-2
hand seat-2 clue-peely-1 clue-peely-2
hand seat-3 clue-georges-1
hand seat-4 clue-lecomte-1
unknown place place-7 4
`)
	d.mustRefuse("GEN-002", bruno, "count").mustDo(host, "count")
	if v := d.view(table); v.Mood != engine.MoodCount || v.Rule != "GEN-E09" || len(d.view(anne).Offers) > 0 {
		t.Errorf("mood %q by %s, Anne is offered %v", v.Mood, v.Rule, d.view(anne).Offers)
	}
	if r := d.refusal("GEN-E09", anne, "deposit", "card=clue-worms-1"); r.Public.IsEmpty() {
		t.Error("the table is not shown why nothing happens")
	}
	if r := d.read("urn", 0, "clue-worms-1"); r == nil {
		t.Error("a card counts while the cards are counted")
	}
	d.mustDo(host, "count-is", "of=seat-2", "n=1").mustDo(host, "counted")
	v := d.view(table)
	if v.Mood != "" || v.Seats[1].Cards != 1 || v.Active[0] != anne {
		t.Errorf("mood %q, Bruno has %d, active %v", v.Mood, v.Seats[1].Cards, v.Active)
	}
	for _, line := range v.Log {
		for _, value := range line.Msg.Args.Pairs() {
			if slices.Contains([]string{"clue-peely-1", "clue-peely-2"}, value) {
				t.Errorf("the count names a card: %+v", line.Msg)
			}
		}
	}
	if got := d.custodyOf("seat-2").Cards; got != engine.Trusted {
		t.Errorf("of a hand whose number was wrong the machine is %q", got)
	}
}

// TestUrnWithFewerCluesThanDeposits: the player who names the clues of the urn cannot end while some are missing, unless they say that
// there are no more (rules, 4.2: one too few).
func TestUrnWithFewerCluesThanDeposits(t *testing.T) {
	d := posed(t, `
phase reveal
round 2
hand seat-3 clue-georges-1
unknown urn seat-1
unknown urn seat-2
fill place-3 2
`)
	d.mustDo(anne, "open")
	d.mustDo(anne, "show", "card=clue-worms-1")
	why := d.refusal("HC-127", anne, "shown").Why
	if why.Key != "hc.no.found-fewer" || why.Args.Get("n") != "1" || why.Args.Get("of") != "2" {
		t.Errorf("refused by %v", why)
	}
	all := *d
	d.mustDo(anne, "shown", "confirm=found-fewer").mustHavePhase("recovery")
	all.mustDo(anne, "show", "card=clue-worms-2")
	all.mustDo(anne, "shown").mustHavePhase("recovery")
}

// GEN-E10 and rules, 4.2: the urn has one clue more than was put in. All clues in it count, no seat is asked or named, and the record that
// contradicts the urn is dropped.
func TestOneClueTooManyInTheUrn(t *testing.T) {
	d := posed(t, `
phase reveal
round 2
unknown hand seat-1 1
unknown hand seat-2 1
hand seat-3 clue-georges-1 clue-georges-2
hand seat-4 clue-lecomte-1
unknown urn seat-1
unknown urn seat-2
unknown urn seat-3
unknown urn seat-4
fill place-3 2
`)
	d.mustDo(anne, "open")
	found := []string{"clue-worms-1", "clue-worms-2", "clue-worms-3", "clue-worms-4", "clue-georges-2"}
	for _, c := range found {
		d.mustDo(anne, "show", "card="+c)
	}
	d.mustDo(anne, "shown").mustHavePhase("recovery")
	if n := len(d.view(table).Shown); n != 5 {
		t.Fatalf("%d clues are shown", n)
	}
	for i, x := range []int{anne, bruno, chloe, david} {
		d.mustDo(x, "recover", "card="+found[i])
	}
	for asked := 0; d.view(table).Phase == "recovery" && asked < 4; asked++ {
		x := int(d.view(table).Active[0])
		for _, m := range append(d.view(x).Me.Facts, d.view(x).Prompt) {
			for _, value := range m.Args.Pairs() {
				if slices.Contains(found, value) {
					t.Errorf("seat %d is asked about %s", x, value)
				}
			}
		}
		d.mustDo(x, "pass")
	}
	v := d.mustHavePhase("investigation").view(table)
	sum := 0
	for _, s := range v.Seats {
		sum += s.Cards
	}
	if sum != 9 || v.Clock.At != 3 {
		t.Errorf("%d clues in hands in round %d", sum, v.Clock.At)
	}
	for _, line := range v.Log {
		if line.Msg.Args.Get("seat") == "seat-3" && slices.Contains([]string{line.Msg.Args.Get("card")}, "clue-georges-2") {
			t.Errorf("the story links a clue to its depositor: %+v", line.Msg)
		}
	}
}
