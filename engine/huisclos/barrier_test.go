package huisclos

import (
	"testing"

	"majordome/engine"
)

// Undo does not cross what somebody has seen unless the host insists: these events
// show something that was hidden, and no other does.
func TestBarriers(t *testing.T) {
	shown := map[eventKind]bool{evRolesAuto: true, evPile: true, evSearched: true, evDestroyed: true, evPurged: true, evOpened: true,
		evDied: true, evDrew: true, evGave: true, evAccused: true, evOver: true, evUnsealed: true, evTurned: true}
	for k := evSat; k < numEventKinds; k++ {
		if e := (&event{kind: k}); e.Barrier() != shown[k] {
			t.Errorf("%s: %v, want %v", e.Kind(), e.Barrier(), shown[k])
		}
	}
	for _, observed := range []bool{true, false} {
		d := posed(t, "round 3\n"+meeting+"hand seat-1 clue-williams-1").do(anne, "move", "place=place-salon").do(anne, "search")
		if observed {
			d.do(bruno, "observe")
		}
		d.waitWindow()
		take := engine.Command{At: d.at, By: engine.At(anne), Act: "take", Args: engine.Args{"card": string(d.view(anne).Me.Tray[0])}}
		evs, r := d.g.Decide(take, d.dice)
		if r != nil || evs[0].(*event).Barrier() != observed {
			t.Fatalf("observers have seen the clue taken: %v; it is a barrier: %v (%v)", observed, !observed, r)
		}
	}
}
