package huisclos

import (
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
)

// meeting has Anne about to move; Bruno and Chloé are in the drawing room.
const meeting = `
pawn seat-1 place-3
pawn seat-2 place-salon
pawn seat-3 place-salon
pawn seat-4 place-4
fill place-salon 3
fill place-4 2
fill place-3 2
`

// waitWindow lets the time for observers pass.
func (d *desk) waitWindow() *desk {
	d.t.Helper()
	ds := d.g.Deadlines()
	if len(ds) != 1 {
		d.t.Fatalf("deadlines %v", ds)
	}
	d.at = max(d.at, ds[0].At)
	return d.mustDo(table, engine.ActDeadline, "id="+ds[0].ID)
}

// TestExchange: HC-081 to HC-087.
func TestExchange(t *testing.T) {
	hands := `
hand seat-1 weapon-corde clue-peely-1 clue-lecomte-4
hand seat-2 weapon-tisonnier
hand seat-3 clue-worms-1 clue-worms-2 clue-worms-3
hand seat-4 clue-worms-4
`
	d := posed(t, "round 3\n"+meeting+"hand seat-1 clue-worms-1 clue-worms-2\nhand seat-2 clue-peely-1")
	d.mustDo(anne, "move", "place=place-salon").mustNotOffer(anne, "exchange").mustRefuse("HC-081", anne, "exchange", "seat=seat-2")

	d = posed(t, "round 3\n"+meeting+hands).mustDo(anne, "move", "place=place-salon")
	d.mustOfferOnly(anne, "exchange", "seat-2", "seat-3").mustRefuse("HC-082", anne, "exchange", "seat=seat-4")
	d.mustRefuse("HC-082", anne, "exchange", "seat=seat-1")
	d.mustDo(anne, "exchange", "seat=seat-2").mustNotOffer(anne, "draw").mustRefuse("HC-118", anne, "draw")
	d.waitWindow()
	if r := d.read("show", 0, "clue-worms-1"); !isAlarm(r) {
		t.Errorf("a clue of somebody else: %+v", r)
	}
	if r := d.read("show", 0, "weapon-tisonnier"); r != nil {
		t.Fatal(r)
	}
	// The second weapon must go on; the one drawn cannot be given back.
	d.mustOfferOnly(anne, "give", "weapon-corde").mustRefuse("HC-084", anne, "give", "card=weapon-tisonnier").
		mustRefuse("HC-087", anne, "give", "card=clue-peely-1")
	d.mustDo(anne, "give", "card=weapon-corde").mustHold(anne, "weapon-tisonnier", "clue-lecomte-4", "clue-peely-1").
		mustHold(bruno, "weapon-corde")
	for _, who := range []int{anne, bruno} {
		if !d.hasLine(who, "hc.log.drew.own", "weapon-tisonnier") || !d.hasLine(who, "hc.log.drew.own", "weapon-corde") {
			t.Errorf("seat %d does not know both clues (HC-086)", who)
		}
	}
	for _, who := range []int{chloe, david, table, host} {
		if d.hasLine(who, "hc.log.drew.own") || !d.hasLine(who, "hc.log.drew", "seat-1", "seat-2") {
			t.Errorf("viewer %d knows too much or too little", who)
		}
	}

	// Give first (switch exchange-order); the clue given does not come back.
	d = posed(t, "switch exchange-order give-then-draw\nround 3\n"+meeting+hands).mustDo(anne, "move", "place=place-salon")
	d.mustDo(anne, "exchange", "seat=seat-2").waitWindow().mustNotOffer(anne, "draw").mustDo(anne, "give", "card=clue-peely-1")
	d.mustDo(anne, "draw").mustHold(anne, "weapon-corde", "weapon-tisonnier", "clue-lecomte-4").mustHold(bruno, "clue-peely-1")
}

// HC-083, HC-084: the machine draws at random from the whole hand of the victim,
// and never the clue that was given first.
func TestDrawnByChance(t *testing.T) {
	hands := "hand seat-1 weapon-corde clue-peely-1 clue-lecomte-4\nhand seat-2 clue-worms-1 clue-worms-2 clue-worms-3\n"
	for _, order := range []string{"draw-then-give", "give-then-draw"} {
		drawn := map[string]int{}
		before := posed(t, "switch exchange-order "+order+"\nround 3\n"+meeting+hands).mustDo(anne, "move", "place=place-salon")
		before.mustDo(anne, "exchange", "seat=seat-2").waitWindow()
		if order == "give-then-draw" {
			before.mustDo(anne, "give", "card=clue-peely-1")
		}
		for seed := range uint64(150) {
			d := *before
			d.dice = chance.New(seed)
			d.mustDo(anne, "draw")
			for _, c := range d.hand(anne) {
				drawn[c]++
			}
		}
		for _, c := range []string{"clue-worms-1", "clue-worms-2", "clue-worms-3"} {
			if n := drawn[c]; n < 25 || n > 75 {
				t.Errorf("%s: %s came %d times of 150", order, c, n)
			}
		}
		if order == "give-then-draw" && drawn["clue-peely-1"] > 0 {
			t.Error("the clue that was given came back")
		}
	}
}

// TestObserve: HC-110 to HC-118.
func TestObserve(t *testing.T) {
	d := posed(t, "round 2\n"+meeting+"hand seat-1 clue-williams-1").mustDo(anne, "move", "place=place-salon")
	d.mustRefuse("HC-116", bruno, "observe").mustDo(anne, "search")
	d.mustOffer(bruno, "observe").mustOffer(chloe, "observe").mustNotOffer(david, "observe").mustNotOffer(anne, "observe", "take")
	d.mustRefuse("HC-111", david, "observe").mustRefuse("HC-110", anne, "observe")
	if r := d.read("show", 0, "weapon-corde"); r == nil || r.Rule != "GEN-E11" {
		t.Errorf("a taking before the observers had time: %v", r)
	}
	says := func(when string, who int, want string) {
		t.Helper()
		if got := d.view(who).Prompt.Key; got != want {
			t.Errorf("%s, seat %d reads %s, want %s", when, who, got, want)
		}
	}
	says("in their time", bruno, "hc.prompt.watch")
	says("in their time", david, "hc.prompt.window")
	d.mustDo(bruno, "observe").waitWindow()
	says("observed", anne, "hc.prompt.take.watched.you")
	says("observing", bruno, "hc.prompt.take")
	says("still able to", chloe, "hc.prompt.watch")
	d.mustDo(chloe, "observe").mustRefuse("HC-110", bruno, "observe")
	take, _ := d.offered(anne, "take")
	d.mustDo(anne, "take", "card="+take[1]).mustNotOffer(bruno, "observe")
	for _, who := range []int{bruno, chloe} {
		if !d.hasLine(who, "hc.log.observed.own", take[1]) {
			t.Errorf("seat %d did not see the clue taken", who)
		}
	}
	if d.hasLine(david, "hc.log.observed.own") || d.hasLine(table, "hc.log.observed.own") {
		t.Error("another seat was shown the clue that was taken")
	}
	d.mustRefuse("HC-110", bruno, "observe")
	d.mustDo(anne, "done")
	// Both have used the observation of this round: David finds no observer.
	d.mustDo(bruno, "move", "place=place-4").mustDo(bruno, "search")
	d.mustOffer(david, "observe")
	d = posed(t, "round 2\n"+meeting).mustDo(anne, "move", "place=place-4").mustDo(anne, "search")
	d.waitWindow() // no player came forward; nothing is used up (HC-116)
	take, _ = d.offered(anne, "take")
	d.mustDo(anne, "take", "card="+take[0])
}

// TestAccuse: HC-090 to HC-101.
func TestAccuse(t *testing.T) {
	hands := "hand seat-1 clue-lecomte-1 clue-worms-1\nhand seat-2 clue-borrow-1\nhand seat-4 clue-worms-2\n"
	d := posed(t, "round 4\n"+meeting+hands).mustDo(anne, "move", "place=place-4").mustNotOffer(anne, "accuse")
	if r := d.refusal("HC-090", anne, "accuse", "seat=seat-4", "card=clue-lecomte-1"); r.Public.IsEmpty() {
		t.Error("the refusal is not public (HC-S17)")
	}

	at5 := "round 5\n" + meeting + hands
	d = posed(t, at5).mustDo(anne, "move", "place=place-4").mustOfferOnly(anne, "accuse", "clue-lecomte-1").mustOffer(host, "accuse")
	d.mustRefuse("HC-091", anne, "accuse", "seat=seat-2", "card=clue-worms-1") // not here
	if r := d.refusal("HC-091", anne, "accuse", "seat=seat-4", "card=clue-worms-1"); r.Public.Key != "hc.public.accusation-cancelled" {
		t.Error("the table is not shown that the accusation is cancelled (4.2), or is shown more (HC-S18)")
	}
	d.mustDo(anne, "accuse", "seat=seat-4", "card=clue-lecomte-1").mustHavePhase("over").mustEnd("HC-150", anne)
	if d.view(table).Seats[3].Role != "role-murderer" {
		t.Error("the role of the accused is not shown")
	}

	posed(t, at5+"tokens seat-1 0").mustDo(anne, "move", "place=place-4").
		mustRefuse("HC-100", anne, "accuse", "seat=seat-4", "card=clue-lecomte-1")

	// A wrong accusation (HC-095 to HC-098); Chloé cannot be accused without her clue.
	d = posed(t, at5).mustDo(anne, "move", "place=place-salon").mustOfferOnly(anne, "accuse", "clue-worms-1")
	d.mustDo(anne, "accuse", "seat=seat-2", "card=clue-worms-1").mustHavePhase("investigation")
	v := d.view(table)
	if v.Seats[0].Tokens != 0 || v.Seats[1].Tokens != 2 || v.Seats[0].Destroyed != 0 || v.Seats[1].Role != "role-innocent" ||
		v.Gone[0] != "clue-worms-1" {
		t.Errorf("seats %+v, gone %v", v.Seats[:2], v.Gone)
	}
	if v.Active[0] != bruno {
		t.Error("the investigation goes on after an accusation")
	}
	// The Murderer may accuse a known Innocent again (HC-099).
	d.mustDo(bruno, "move", "place=place-3").mustDo(bruno, "search")
	take, _ := d.offered(bruno, "take")
	d.mustDo(bruno, "take", "card="+take[0])
	if d.view(table).Active[0] == bruno {
		d.mustDo(bruno, "done")
	}
	d.mustDo(chloe, "move", "place=place-4").mustDo(chloe, "search").waitWindow()
	take, _ = d.offered(chloe, "take")
	d.mustDo(chloe, "take", "card="+take[0])
	d.mustDo(david, "move", "place=place-3")
	if f := d.view(david).Me.Facts; len(f) != 1 || f[0].Key != "hc.fact.known-innocent" || f[0].Args.Get("seat") != "seat-2" {
		t.Errorf("facts %v", f)
	}
	d.mustRefuse("HC-099", david, "accuse", "seat=seat-2", "card=clue-worms-2")
	d.mustDo(david, "accuse", "seat=seat-2", "card=clue-worms-2", "confirm=known-innocent").mustHavePhase("deposit")
	if d.view(table).Seats[1].Tokens != 3 {
		t.Error("Accusation cards do not accumulate (HC-100)")
	}
}

// TestDuelSearch: HC-202, HC-204 to HC-208.
func TestDuelSearch(t *testing.T) {
	start := `
round 6
dead seat-2 seat-3
pawn seat-1 place-salon
pawn seat-4 place-4
destroyed seat-1 3
hand seat-4 weapon-6
switch confrontation-destroy-weapons %
`
	two := "hand seat-1 clue-borrow-2 clue-lecomte-1\n"
	place3 := "place place-3 weapon-7 clue-borrow-1 clue-peely-4\n"
	d := posed(t, fillBlank(start, "never")+two+place3).mustDo(anne, "move", "place=place-3").mustDo(anne, "search")
	d.mustDo(anne, "take", "card=clue-peely-4").mustNotOffer(anne, "done", "leave").mustOfferOnly(anne, "destroy", "clue-borrow-1")
	d.mustRefuse("HC-206", anne, "destroy", "card=weapon-7").mustDo(anne, "destroy", "card=clue-borrow-1")
	if !d.hasLine(table, "hc.log.destroyed", "clue-borrow-1") || d.view(table).Active[0] != david {
		t.Error("the destruction is not public or the search goes on")
	}
	only := "place place-3 weapon-7 clue-peely-4\n"
	d = posed(t, fillBlank(start, "never")+two+only).mustDo(anne, "move", "place=place-3").mustDo(anne, "search").
		mustDo(anne, "take", "card=clue-peely-4")
	if d.view(table).Active[0] != david {
		t.Error("only weapons are left and the search goes on")
	}
	d = posed(t, fillBlank(start, "if-nothing-else")+two+only).mustDo(anne, "move", "place=place-3").mustDo(anne, "search").
		mustDo(anne, "take", "card=clue-peely-4")
	d.mustOfferOnly(anne, "destroy", "weapon-7")
	d = posed(t, fillBlank(start, "always")+two+place3).mustDo(anne, "move", "place=place-3").mustDo(anne, "search").
		mustDo(anne, "take", "card=clue-peely-4")
	d.mustOfferOnly(anne, "destroy", "weapon-7", "clue-borrow-1")

	// With three in hand, own clues may be destroyed and the number is free (HC-207).
	three := "hand seat-1 clue-borrow-2 clue-borrow-3 weapon-5\n"
	d = posed(t, fillBlank(start, "never")+three+place3).mustDo(anne, "move", "place=place-3").mustDo(anne, "search").
		mustDo(anne, "take", "card=weapon-7")
	d.mustOfferOnly(anne, "destroy", "clue-borrow-2", "clue-borrow-3").mustDo(anne, "destroy", "card=clue-borrow-2").
		mustOffer(anne, "destroy")
	d.mustOfferOnly(anne, "destroy", "clue-borrow-1", "clue-peely-4")

	// No accusation, exchange as before (HC-202, HC-203).
	d = posed(t, fillBlank(start, "never")+"hand seat-1 clue-lecomte-1 weapon-5 weapon-3\nfill place-4 2").mustDo(anne,
		"move", "place=place-4")
	d.mustNotOffer(anne, "accuse").mustRefuse("HC-202", anne, "accuse", "seat=seat-4", "card=clue-lecomte-1").
		mustDo(anne, "exchange", "seat=seat-4")
	d.mustNotOffer(david, "observe").mustDo(anne, "draw").mustOfferOnly(anne, "give", "weapon-3", "weapon-5", "clue-lecomte-1")
}

// HC-150, HC-211: when an accusation or an agreement ends the game, the accuser or the seats that were called have done their act, and no
// other seat.
func TestSeatThatEndsTheGameHasActed(t *testing.T) {
	for name, d := range map[string]*desk{
		"an accusation": posed(t, "round 6\nhand seat-1 clue-lecomte-1\npawn seat-1 place-3\npawn seat-4 place-salon\n"+
			"fill place-salon 2").mustDo(anne, "move", "place=place-salon").mustDo(anne, "accuse", "seat=seat-4", "card=clue-lecomte-1"),
		"a role that is then told": posed(t, "round 6\nunknown role seat-4\nhand seat-1 clue-lecomte-1\npawn seat-1 place-3\n"+
			"pawn seat-4 place-salon\nfill place-salon 2").mustDo(anne, "move", "place=place-salon").
			mustDo(anne, "accuse", "seat=seat-4", "card=clue-lecomte-1").mustDo(david, "role", "value=murderer"),
		"an agreement in the last act": posed(t, "round 9\nswitch confrontation-round-limit lifted\ndead seat-2 seat-3\nfill place-3 2").
			mustDo(anne, "offer-draw").mustDo(david, "offer-draw"),
	} {
		d.mustHavePhase("over")
		for _, s := range d.view(table).Seats {
			if s.Alive && s.Done != (s.Seat == anne) {
				t.Errorf("%s: %s is done: %v", name, s.Seat, s.Done)
			}
		}
	}
}
