package huisclos

import (
	"slices"
	"testing"

	"majordome/engine"
)

// apart has the four pawns in four places, each place with some clues.
const apart = `
round 3
pawn seat-1 place-suite-bleue
pawn seat-2 place-salon
pawn seat-3 place-4
pawn seat-4 place-5
place place-3 clue-borrow-1 clue-georges-1 weapon-7 clue-peely-4 clue-williams-1
fill place-suite-bleue 2
fill place-salon 2
fill place-4 2
fill place-5 2
`

func TestMove(t *testing.T) {
	d := posed(t,
		apart+"hand seat-1 clue-worms-1\nhand seat-2 clue-worms-2\nhand seat-3 clue-worms-3\nhand seat-4 clue-worms-4\nclosed place-7")
	d.mustRefuse("HC-033", bruno, "move", "place=place-3")
	if r := d.refusal("HC-050", anne, "search"); r.Public.IsEmpty() {
		t.Error("a search before the move is not refused publicly (HC-S05)")
	}
	d.mustRefuse("HC-050", anne, "move", "place=place-suite-bleue")
	d.mustRefuse("HC-057", anne, "move", "place=place-7")
	d.mustRefuse("HC-052", anne, "move", "place=place-6") // open and empty, with two clues in hand
	d.mustRefuse("HC-050", anne, "move", "place=nowhere")
	d.mustOfferOnly(anne, "move", "place-salon", "place-3", "place-4", "place-5")
	d.mustOfferOnly(host, "move", "place-salon", "place-3", "place-4", "place-5").mustNotOffer(bruno, "move")
	d.mustDo(host, "move", "place=place-3") // for a seat without a phone
	d.mustRefuse("HC-051", anne, "move", "place=place-4")
	if v := d.view(table); v.Places[2].Lamp != engine.LampHere {
		t.Errorf("lamp %s where Anne investigates", v.Places[2].Lamp)
	}
}

// TestClosing: HC-056 to HC-058, HC-066.
func TestClosing(t *testing.T) {
	d := posed(t, `
round 2
pawn seat-1 place-6
pawn seat-2 place-6
hand seat-1 clue-worms-1
hand seat-2 clue-worms-2
hand seat-3 clue-worms-3
hand seat-4 weapon-6
fill place-3 5
fill place-4 5
`)
	d.mustDo(anne, "move", "place=place-3").mustDo(anne, "search")
	if !d.view(table).Places[5].Open {
		t.Error("place-6 closes although Bruno stands in it")
	}
	take, _ := d.offered(anne, "take")
	d.mustDo(anne, "take-last", "card="+take[0]) // one act instead of two
	d.mustDo(bruno, "move", "place=place-4")
	if p := d.view(table).Places[5]; p.Open || p.Lamp != engine.LampClosed {
		t.Error("place-6 stays open although the last pawn left it empty")
	}
	// A weapon no longer kills in a closed place: an Innocent could deposit it.
	s := d.g.(*state)
	if s.countKilledBy(6) != 0 {
		t.Error("a weapon kills in a closed place")
	}
}

// TestSearchSmallHand: HC-060 to HC-065, HC-068, HC-080.
func TestSearchSmallHand(t *testing.T) {
	start := apart + "hand seat-1 clue-worms-1\n"
	d := posed(t, start).mustDo(anne, "move", "place=place-3").mustDo(anne, "search")
	if got := d.view(anne).Me.Tray; len(got) != 5 {
		t.Errorf("Anne sees %v", got)
	}
	if len(d.view(bruno).Me.Tray) != 0 {
		t.Error("Bruno sees the searched place")
	}
	d.mustRefuse("HC-060", anne, "take", "card=weapon-5").mustRefuse("HC-071", anne, "destroy", "card=clue-worms-1")
	d.mustDo(anne, "take", "card=clue-georges-1").mustNotOffer(anne, "leave").
		mustOfferOnly(anne, "destroy", "clue-georges-1", "clue-worms-1")
	d.mustRefuse("HC-064", anne, "leave", "card=clue-worms-1")
	d.mustDo(anne, "destroy", "card=clue-georges-1").mustHold(anne, "clue-worms-1")
	if v := d.view(table); !slices.Equal(v.Gone, []engine.ID{"clue-georges-1"}) || v.Seats[0].Destroyed != 1 || v.Places[2].Cards != 4 {
		t.Errorf("gone %v, destroyed %d, left %d", v.Gone, v.Seats[0].Destroyed, v.Places[2].Cards)
	}
	if len(d.view(anne).Me.Tray) != 0 || d.view(table).Active[0] != bruno {
		t.Error("the search is not over")
	}

	d = posed(t, start+"switch destroy-below-limit forbidden").mustDo(anne, "move", "place=place-3").mustDo(anne, "search")
	d.mustDo(anne, "take", "card=clue-georges-1")
	if d.view(table).Active[0] != bruno {
		t.Error("the search goes on although destroying is forbidden")
	}

	// With the third clue in hand the searcher has to end the search all the same.
	d = posed(t, start+"hand seat-1 clue-worms-2\nswitch destroy-below-limit forbidden").mustDo(anne, "move", "place=place-3").
		mustDo(anne, "search")
	// only she may know whether she owes a swap: the key of her own prompt says so
	d.mustDo(anne, "take", "card=clue-georges-1").mustNotOffer(anne, "destroy", "leave")
	mine, all := d.view(anne).Prompt.Key, d.view(bruno).Prompt.Key
	if mine != "hc.prompt.finish-only.leave.you" || all != "hc.prompt.finish-only" {
		t.Errorf("Anne reads %s, Bruno %s", mine, all)
	}
	if r := d.refusal("HC-065", anne, "destroy", "card=clue-worms-1"); r.Why.Key != "hc.no.destroy-below" || !r.Public.IsEmpty() {
		t.Errorf("Anne is refused with %+v", r)
	}
	d.mustDo(anne, "done")

	d = posed(t, apart).mustDo(anne, "move", "place=place-3").mustDo(anne, "search").mustDo(anne, "take", "card=weapon-7")
	if d.view(table).Active[0] != bruno {
		t.Error("the only clue could be destroyed (HC-080)")
	}
}

// TestSearchFullHand: HC-062, HC-070 to HC-079.
func TestSearchFullHand(t *testing.T) {
	start := apart + "hand seat-1 weapon-6 clue-worms-1 clue-borrow-2\ndestroyed seat-1 %\n"
	at := func(n string) *desk {
		return posed(t, fillBlank(start, n)).mustDo(anne, "move", "place=place-3").mustDo(anne, "search")
	}
	d := at("0").mustDo(anne, "take", "card=clue-georges-1").mustNotOffer(anne, "done")
	d.mustRefuse("HC-062", anne, "done")
	d.mustRefuse("HC-061", anne, "leave", "card=clue-georges-1").mustRefuse("HC-062", anne, "leave", "card=clue-peely-1")
	d.mustRefuse("HC-074", anne, "destroy", "card=clue-borrow-2").mustRefuse("HC-075", anne, "destroy", "card=weapon-6")
	d.mustRefuse("HC-070", anne, "destroy", "card=clue-peely-4")
	d.mustOfferOnly(anne, "leave", "weapon-6", "clue-borrow-2", "clue-worms-1").mustOfferOnly(anne, "destroy",
		"clue-georges-1", "clue-worms-1")
	d.mustDo(anne, "leave", "card=weapon-6").mustHold(anne, "clue-borrow-2", "clue-georges-1", "clue-worms-1")
	if v := d.view(table); v.Places[2].Cards != 5 || v.Seats[0].Cards != 3 {
		t.Errorf("after the swap %d clues lie there, %d in hand", v.Places[2].Cards, v.Seats[0].Cards)
	}

	d = at("3").mustDo(anne, "take", "card=clue-georges-1").mustNotOffer(anne, "destroy").mustOffer(anne, "leave")
	d.mustRefuse("HC-073", anne, "destroy", "card=clue-worms-1")

	d = at("2").mustDo(anne, "take", "card=clue-georges-1").mustDo(anne, "destroy", "card=clue-worms-1")
	d.mustRefuse("HC-033", anne, "destroy", "card=clue-georges-1")
}

// TestTakeAtReader: a clue may be taken by presenting it, for a table that prefers this. A clue of another place raises the alarm, and so
// does one of the player's own hand (GEN-E13).
func TestTakeAtReader(t *testing.T) {
	d := posed(t, apart+"hand seat-1 clue-worms-1 clue-worms-2 clue-worms-3").mustDo(anne, "move", "place=place-3")
	if r := d.read("show", 0, "clue-peely-4"); r == nil || r.Rule != "GEN-E11" || !r.Public.IsEmpty() {
		t.Errorf("a reading before the search: %+v", r)
	}
	d.mustDo(anne, "search")
	if rs := d.view(table).Readers; len(rs) != 1 || rs[0] != (engine.ReaderView{Reader: "show", Kind: "clue", Seat: anne}) {
		t.Errorf("readers %+v", rs)
	}
	if r := d.read("show", 0, "clue-worms-1"); !isAlarm(r) {
		t.Errorf("a clue that does not lie there: %+v", r)
	}
	if r := d.read("show", 0, "clue-peely-4"); r != nil {
		t.Fatal(r)
	}
	d.mustOffer(anne, "leave", "destroy").mustDo(anne, "leave", "card=clue-worms-2")
}

// TestSecondWeapon: HC-041, HC-043, HC-067.
func TestSecondWeapon(t *testing.T) {
	weaponsOnly := `
round 2
pawn seat-1 place-6
place place-3 weapon-4 weapon-5
place place-4 weapon-3 clue-worms-1 clue-worms-2
`
	// An Innocent with a free hand takes no second weapon if there is a choice ...
	d := posed(t, weaponsOnly+"hand seat-1 weapon-corde").mustDo(anne, "move", "place=place-4").mustDo(anne, "search")
	d.mustRefuse("HC-067", anne, "take", "card=weapon-3").mustOfferOnly(anne, "take", "clue-worms-1", "clue-worms-2")
	// ... and must if there is none.
	d = posed(t, weaponsOnly+"hand seat-1 weapon-corde").mustDo(anne, "move", "place=place-3").mustDo(anne, "search")
	d.mustDo(anne, "take", "card=weapon-4").mustDo(anne, "done").mustHold(anne, "weapon-corde", "weapon-4")
	if f := d.view(anne).Me.Facts; len(f) != 1 || f[0].Key != "hc.fact.excess-urn" {
		t.Errorf("facts %v", f)
	}
	// With a full hand a weapon goes against the weapon.
	full := weaponsOnly + "hand seat-1 weapon-corde clue-peely-1 clue-peely-2"
	d = posed(t, full).mustDo(anne, "move", "place=place-4").mustDo(anne, "search").mustDo(anne, "take", "card=weapon-3")
	d.mustOfferOnly(anne, "leave", "weapon-corde").mustNotOffer(anne, "destroy", "done")
	d.mustRefuse("HC-067", anne, "leave", "card=clue-peely-1").mustRefuse("HC-067", anne, "destroy", "card=clue-peely-1")
	// The Murderer is free.
	d = posed(t, weaponsOnly+"first seat-4\npawn seat-4 place-6\nhand seat-4 weapon-corde weapon-6 clue-lecomte-1").
		mustDo(david, "move", "place=place-4").mustDo(david, "search").mustDo(david, "take", "card=weapon-3").
		mustDo(david, "leave", "card=clue-lecomte-1")
	d.mustHold(david, "weapon-corde", "weapon-3", "weapon-6")
}

// TestExcessWeaponsMustBeLeft: HC-181 to HC-184, HC-188; what the host declares is public.
func TestExcessWeaponsMustBeLeft(t *testing.T) {
	start := `
round 3
first seat-2
pawn seat-2 place-7
hand seat-2 weapon-corde weapon-4 %
place place-3 weapon-3 clue-worms-1 clue-worms-2 clue-worms-3 clue-peely-3
place place-4 clue-georges-1
fill place-salon 5
fill place-7 1
`
	d := posed(t, fillBlank(start, "clue-peely-2")).mustOfferOnly(bruno, "move", "place-salon", "place-3")
	d.mustRefuse("HC-181", bruno, "move", "place=place-4")
	if f := d.view(bruno).Me.Facts; len(f) != 1 || f[0].Key != "hc.fact.excess" {
		t.Errorf("facts %v", f)
	}
	d.mustOfferOnly(host, "move", "place-salon", "place-3", "place-4") // no other seat holds a clue
	d.mustDo(bruno, "move", "place=place-3").mustOffer(bruno, "search").mustNotOffer(bruno, "pass", "exchange")
	d.mustDo(bruno, "search").mustRefuse("HC-183", bruno, "take", "card=weapon-3")
	d.mustDo(bruno, "take", "card=clue-worms-1").mustOfferOnly(bruno, "leave", "weapon-corde", "weapon-4").
		mustNotOffer(bruno, "destroy", "done")
	d.mustRefuse("HC-188", bruno, "destroy", "card=clue-worms-1").mustRefuse("HC-181", bruno, "leave", "card=clue-peely-2")
	d.mustDo(bruno, "leave", "card=weapon-corde").mustHold(bruno, "weapon-4", "clue-worms-1", "clue-peely-2")

	// With two in hand the swap is compulsory all the same.
	d = posed(t, fillBlank(start, "")).mustDo(bruno, "move", "place=place-3").mustDo(bruno, "search").
		mustDo(bruno, "take", "card=clue-worms-1")
	d.mustRefuse("HC-181", bruno, "done").mustDo(bruno, "leave", "card=weapon-4").mustHold(bruno, "weapon-corde", "clue-worms-1")
}

// TestSeatWithNoOpenPlaceIsNotAskedToMove: HC-053, HC-054.
func TestSeatWithNoOpenPlaceIsNotAskedToMove(t *testing.T) {
	closed := "closed place-suite-bleue place-3 place-4 place-5 place-6 place-7\n"
	all := "pawn seat-1 place-salon\npawn seat-2 place-salon\npawn seat-3 place-salon\npawn seat-4 place-salon\n"
	d := posed(t, closed+all+"round 3\nplace place-salon clue-worms-1 clue-worms-2")
	d.mustNotOffer(anne, "move", "pass").mustOffer(anne, "search").mustDo(anne, "search")
	d = posed(t, closed+all+"round 3").mustNotOffer(anne, "search")
	d.mustRefuse("HC-051", anne, "move", "place=place-salon")
	d.mustDo(anne, "pass")

	// A move to the only other open place, where nothing can be done, ends it.
	d = posed(t, "closed place-suite-bleue place-4 place-5 place-6 place-7\nround 3\n"+
		"pawn seat-1 place-3\npawn seat-2 place-salon\npawn seat-3 place-salon\npawn seat-4 place-salon\nfirst seat-2\n"+
		"place place-salon clue-worms-1")
	d.mustDo(bruno, "move", "place=place-3")
	if !d.hasLine(table, "hc.log.no-action", "seat-2") || d.view(table).Active[0] != chloe {
		t.Error("the investigation does not end without action")
	}
}
