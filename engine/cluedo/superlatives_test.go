package cluedo

import (
	"fmt"
	"testing"

	"majordome/engine"
)

// TestSuperlatives: what the front page says of a Cluedo, by what all have seen.
func TestSuperlatives(t *testing.T) {
	asked := func(x engine.Seat, cards ...engine.ID) engine.Happening {
		return engine.Happening{What: engine.HapAsked, Seat: x, Cards: cards}
	}
	shown := func(x, other engine.Seat) engine.Happening {
		return engine.Happening{What: engine.HapShown, Seat: x, Other: other}
	}
	for name, c := range map[string]struct {
		all      []engine.Happening
		solution []engine.ID
		want     string
	}{
		"named most": {[]engine.Happening{asked(1, "plum", "rope", "hall"), asked(2, "plum", "gun", "hall"),
			asked(3, "green", "gun", "hall")}, nil,
			"[{suspected [seat-2] 2 0}]"}, // each has asked once: this says nothing of anyone
		"a suspect whom nobody plays": {[]engine.Happening{asked(1, "white", "rope", "hall")}, nil, "[]"},
		"the first of the nearest": {[]engine.Happening{asked(1, "white", "rope", "hall"), asked(2, "white", "gun", "hall"),
			asked(3, "white", "gun", "hall")},
			[]engine.ID{"white", "gun", "attic"}, "[{nearest [seat-2] 2 2}]"},
		"one card is not near": {[]engine.Happening{asked(1, "white", "rope", "hall")}, []engine.ID{"white", "gun", "attic"}, "[]"},
		"shown to another, not to all": {[]engine.Happening{shown(1, 2), shown(1, 3), shown(2, 1), shown(3, 0), shown(3, 0),
			shown(3, 0)}, nil, "[{shown [seat-1] 2 0}]"},
		"no more than three": {[]engine.Happening{asked(1, "plum", "gun", "hall"), asked(1, "plum", "gun", "hall"), shown(1, 2),
			{What: engine.HapMoved, Seat: 1, Place: "hall"}, {What: engine.HapMoved, Seat: 1, Place: "attic"}},
			[]engine.ID{"plum", "gun", "attic"}, "[{suspected [seat-2] 2 0} {nearest [seat-1] 2 1} {shown [seat-1] 1 0}]"},
	} {
		public := engine.View{Result: &engine.Result{Solution: c.solution}, Seats: []engine.SeatView{{Seat: 1, Character: "scarlet"},
			{Seat: 2, Character: "plum"}, {Seat: 3, Character: "green"}}}
		var happened []*engine.Happening
		for i := range c.all {
			happened = append(happened, &c.all[i])
		}
		if got := fmt.Sprint(listSuperlatives(public, happened)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
