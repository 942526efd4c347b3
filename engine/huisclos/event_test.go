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

// TestEveryKindHasARow: each kind of event is stored under a name of its own, and does
// something or says something.
func TestEveryKindHasARow(t *testing.T) {
	kinds := map[string]eventKind{}
	for k := evSat; k < numEventKinds; k++ {
		switch row := &events[k]; {
		case row.Name == "":
			t.Errorf("kind %d has no row", k)
		case kinds[row.Name] != 0:
			t.Errorf("%s is stored under the name of another kind", row.Name)
		case row.Apply == nil && row.Says.None():
			t.Errorf("%s does nothing", row.Name)
		}
		kinds[events[k].Name] = k
	}
}
