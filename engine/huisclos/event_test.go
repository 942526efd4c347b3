package huisclos

import (
	"reflect"
	"testing"

	"majordome/engine"
)

// TestBarriers checks that exactly these events show something that was hidden. Undo does not go back past such an event unless the host
// insists.
func TestBarriers(t *testing.T) {
	shown := map[eventKind]bool{evRolesAuto: true, evPile: true, evSearched: true, evDestroyed: true, evPurged: true, evOpened: true,
		evDied: true, evDrew: true, evGave: true, evAccused: true, evOver: true, evUnsealed: true, evTurned: true, evKilled: true,
		evAlarmed: true}
	for k := evSat; k < numEventKinds; k++ {
		if e := (&event{kind: k}); e.IsBarrier() != shown[k] {
			t.Errorf("%s: %v, want %v", e.Kind(), e.IsBarrier(), shown[k])
		}
	}
	for _, observed := range []bool{true, false} {
		d := posed(t, "round 3\n"+meeting+"hand seat-1 clue-williams-1").mustDo(anne, "move", "place=place-salon").mustDo(anne, "search")
		if observed {
			d.mustDo(bruno, "observe")
		}
		d.waitWindow()
		take := engine.Command{At: d.at, By: engine.SeatViewer(anne), Act: "take",
			Args: engine.Args{"card": string(d.view(anne).Me.Tray[0])}}
		evs, r := d.g.Decide(take, d.dice)
		if r != nil || evs[0].(*event).IsBarrier() != observed {
			t.Fatalf("observers have seen the clue taken: %v; it is a barrier: %v (%v)", observed, !observed, r)
		}
	}
}

// TestEveryKindHasARow: each kind of event is stored under a name of its own, and does
// something or says something.
func TestEveryKindHasARow(t *testing.T) {
	kinds := map[string]eventKind{}
	for k := evSat; k < numEventKinds; k++ {
		switch row := &eventRows[k]; {
		case row.Name == "":
			t.Errorf("kind %d has no row", k)
		case kinds[row.Name] != 0:
			t.Errorf("%s is stored under the name of another kind", row.Name)
		case row.Apply == nil && row.LogLine.IsEmpty():
			t.Errorf("%s does nothing", row.Name)
		}
		kinds[eventRows[k].Name] = k
	}
}

// TestWhatIsSeenToHappen: the happenings say which card is open at a death, and that the game is dealt once.
func TestWhatIsSeenToHappen(t *testing.T) {
	seen := func(d *desk, what string) (all []engine.Happening) {
		for _, h := range d.view(table).Happened {
			if h := *h; h.What == what {
				h.N = 0
				all = append(all, h)
			}
		}
		return all
	}
	same := func(d *desk, what string, want ...engine.Happening) {
		t.Helper()
		if got := seen(d, what); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", what, got, want)
		}
	}
	const death = "round 2\nphase reveal\nurn seat-4 weapon-5\npawn seat-3 place-5\n"
	d := posed(t, death).mustDo(anne, "open")
	same(d, engine.HapCrime, engine.Happening{What: engine.HapCrime, Place: "place-5", Cards: []engine.ID{"weapon-5"}})
	same(d, engine.HapDied, engine.Happening{What: engine.HapDied, Seat: chloe, Place: "place-5", Cards: []engine.ID{"role-innocent"}})
	d = posed(t, death+"unknown role seat-3\n").mustDo(anne, "open")
	same(d, engine.HapDied, engine.Happening{What: engine.HapDied, Seat: chloe, Place: "place-5"})
	d.mustDo(chloe, "role", "value=innocent")
	same(d, engine.HapTurned, engine.Happening{What: engine.HapTurned, Seat: chloe, Cards: []engine.ID{"role-innocent"}})
	d = lobbyOf(t).mustDo(host, "begin").mustDo(host, "draw-roles").mustDo(host, "deal")
	d.mustDo(anne, "keep", "card="+string(d.view(anne).Me.Tray[0]))
	same(d, engine.HapDealt, engine.Happening{What: engine.HapDealt})
}
