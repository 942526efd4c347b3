package huisclos

import (
	"strings"
	"testing"

	"majordome/engine"
)

// untold is the first deposit of a round, with hands of which no reader has read a card.
const untold = `
phase deposit
round 2
unknown hand seat-1 2
unknown hand seat-2 2
hand seat-3 clue-peely-2
unknown hand seat-4 2
`

// TestSecondClueBesideTheFirst: a second clue in the field with the one that was just accepted is one too many of that hand, and its seat
// hears so (rules, 4.2; GEN-E06).
func TestSecondClueBesideTheFirst(t *testing.T) {
	d := posed(t, untold)
	if r := d.read("urn", 0, "clue-worms-1"); r != nil {
		t.Fatal(r)
	}
	for _, c := range []struct {
		name    string
		foreign int
		cards   []engine.ID
		to      engine.Seat
	}{
		{"a second clue", 0, []engine.ID{"clue-worms-1", "clue-worms-2"}, anne},
		{"a bank card beside it", 1, []engine.ID{"clue-worms-1"}, anne},
		{"two others", 0, []engine.ID{"clue-worms-2", "clue-worms-3"}, anne}, // else a pair of copies would show which was deposited
		{"a bank card", 1, nil, bruno},
		{"two, a while later", 0, []engine.ID{"clue-worms-1", "clue-worms-2"}, bruno},
		{"two others, a while later", 0, []engine.ID{"clue-worms-2", "clue-worms-3"}, bruno},
	} {
		if strings.HasSuffix(c.name, "later") {
			d.at = slotTime
		}
		r := d.read("urn", c.foreign, c.cards...)
		if r == nil || r.To != c.to || r.Public.Args.Get("seat") != c.to.String() || r.Public.Key != "gen.again" {
			t.Errorf("%s: %+v", c.name, r)
		}
		if v := d.view(table); v.Urn != 1 || v.Active[0] != bruno {
			t.Errorf("%s counts: urn %d, active %v", c.name, v.Urn, v.Active)
		}
	}
	// After the last seat no seat is awaited, so a second clue is refused for that seat, until the urn is open.
	for _, id := range []engine.ID{"clue-georges-1", "clue-peely-2", "clue-lecomte-2"} {
		if r := d.read("urn", 0, id); r != nil {
			t.Fatal(r)
		}
	}
	d.mustHavePhase("reveal")
	if r := d.read("urn", 0, "clue-lecomte-2", "clue-lecomte-3"); r == nil || r.Rule != "GEN-E06" || r.To != david ||
		r.Why.Key != "hc.no.second" {
		t.Errorf("the last in turn: %+v", r)
	}
	d.mustDo(anne, "open")
	if r := d.read("urn", 0, "clue-lecomte-2", "clue-lecomte-3"); r == nil || r.Why.Key == "hc.no.second" {
		t.Errorf("the urn is open: %+v", r)
	}
}

// TestTapThenDrop: a clue that is dropped right after its seat has deposited it on the phone, from a hand that no reader has read, is that
// same clue and not the deposit of the next seat (GEN-E04).
func TestTapThenDrop(t *testing.T) {
	d := posed(t, untold).mustDo(anne, "deposit", "card=unnamed")
	for _, c := range []struct {
		name    string
		foreign int
		cards   []engine.ID
	}{
		{"the clue", 0, []engine.ID{"clue-worms-1"}},
		{"torn", 0, nil},
		{"a bank card", 1, nil},
		{"two", 0, []engine.ID{"clue-worms-1", "clue-worms-2"}},
	} {
		r := d.read("urn", c.foreign, c.cards...)
		if r == nil || r.Code != engine.Unwanted || r.Rule != "GEN-E04" || !r.Public.IsEmpty() || r.To != bruno ||
			r.Why.Key != "hc.no.after-tap" {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
	if v := d.view(table); v.Urn != 1 || v.Active[0] != bruno || v.Seats[1].Cards != 2 {
		t.Fatalf("urn %d, active %v", v.Urn, v.Active)
	}
	d.at += tapTime
	if r := d.read("urn", 0, "clue-worms-1"); r != nil {
		t.Fatal("a while later it is Bruno's: ", r)
	}
	// One clue is named on the phone and another one dropped: that is refused. A clue that is recorded in the next hand counts at once.
	d.mustDo(bruno+1, "deposit", "card=clue-peely-2")
	d = posed(t, untold+"first seat-2\n").mustDo(bruno, "deposit", "card=clue-worms-2")
	if r := d.read("urn", 0, "clue-worms-3"); r == nil || r.Rule != "GEN-E04" || !r.Public.IsEmpty() {
		t.Errorf("another one than was named: %+v", r)
	}
	if r := d.read("urn", 0, "clue-peely-2"); r != nil {
		t.Errorf("a recorded clue of the next hand: %+v", r)
	}
	// After a deposit at the reader the next one is not delayed.
	if r := d.read("urn", 0, "clue-lecomte-2"); r != nil {
		t.Errorf("after a reader: %+v", r)
	}
	// A clue of a recorded hand, too, may be tapped first and dropped a moment later: no alarm.
	d = posed(t, untold+"first seat-3\n").mustDo(bruno+1, "deposit", "card=clue-peely-2")
	d.at += 3_000
	if r := d.read("urn", 0, "clue-peely-2"); r == nil || r.Rule != "GEN-E04" || !r.Public.IsEmpty() || r.Why.Key != "hc.no.after-tap" {
		t.Errorf("a recorded clue that was tapped, then dropped: %+v", r)
	}
}
