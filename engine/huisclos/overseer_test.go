package huisclos

import (
	"maps"
	"testing"

	"majordome/engine"
)

// dropping gives each of eight seats a clue for the urn.
const dropping = `
hand seat-1 clue-williams-1
hand seat-2 clue-williams-2
hand seat-3 clue-williams-3
hand seat-4 clue-williams-4
hand seat-5 clue-georges-1
hand seat-6 clue-georges-2
hand seat-7 clue-georges-3
hand seat-8 clue-georges-4
first seat-8
phase deposit
`

// urnOf lists, by seat, the clue of the urn that the overseer sees of it.
func (d *desk) urnOf() map[engine.Seat]engine.ID {
	out := map[engine.Seat]engine.ID{}
	for _, h := range d.g.View(engine.Overseer).Secrets {
		if h.Of == engine.InUrn && len(h.Cards) == 1 {
			out[h.By] = h.Cards[0]
		}
	}
	return out
}

// TestUrnOfEachSeat: the overseer sees which clue each seat has dropped, including the last of eight. It sees none once a count has found
// another number in the urn (HC-001, GEN-E09).
func TestUrnOfEachSeat(t *testing.T) {
	d := posedWith(t, eight, dropping)
	dropped := map[engine.Seat]engine.ID{}
	// the last seat is the first player
	for _, c := range []engine.ID{"clue-georges-4", "clue-williams-1", "clue-williams-2", "clue-williams-3"} {
		dropped[d.g.(*state).active] = c
		if r := d.read(engine.ReaderUrn, 0, c); r != nil {
			t.Fatalf("%s: %v", c, r)
		}
	}
	if urn := d.urnOf(); !maps.Equal(urn, dropped) || dropped[maxSeats] == "" {
		t.Errorf("the overseer sees %v in the urn, want %v", urn, dropped)
	}
	d.mustDo(host, "count").mustDo(host, "count-is", "of=urn", "n=3")
	if urn := d.urnOf(); len(urn) != 0 {
		t.Errorf("after a count of seven the overseer sees %v in the urn, want nothing of anybody", urn)
	}
}
