package table

import (
	"testing"
	"time"

	"majordome/engine"
)

// GEN-008: two evenings of one table share seats, phones and house rules, never a
// secret: every view is that of a table where nothing has been played yet.
func TestNextGameAtTheSameTable(t *testing.T) {
	for seed := range uint64(seeds(6, 60)) {
		e := newEvening(t, newMemory(), seed)
		e.must(engine.Host, "switch", "name", "post-game-debrief", "value", "on")
		for n, c := range []string{"peely", "worms", "borrow", "georges", "lecomte"} {
			e.must(engine.Host, "sit", "seat", engine.Seat(n+1).String(), "name", "P", "character", "character-"+c)
		}
		e.must(engine.Host, "first", "seat", "seat-2")
		fresh := state(t, e.last())
		e.must(engine.Host, "begin")
		for range 30 + 60*seed {
			if e.play(); e.last().Public.View.Result != nil {
				break
			}
		}
		e.core().present(e.clock.at, engine.ReaderUrn, tags("?bank"))
		e.act(engine.At(1), actPropose)
		phones := len(e.desk.invited)
		e.must(engine.Host, actNewGame, "game", "huis-clos", "seats", "keep")
		if got := state(t, e.last()); got != fresh {
			t.Errorf("seed %d: something of the first evening is left:\n%s\n%s", seed, got, fresh)
		}
		for _, u := range append(e.last().Sealed(), e.last().Public) {
			if u.Vote != nil || u.Notice == nil || u.Notice.Msg.Key != "table.new-game" {
				t.Errorf("seed %d: %s: vote %v, told %+v", seed, u.View.Viewer, u.Vote, u.Notice)
			}
		}
		if s := e.last().Public.View; !s.Seats[1].First || s.Switches["post-game-debrief"] != "on" || len(e.desk.invited) != phones {
			t.Errorf("seed %d: the first player, a house rule or a phone is lost", seed)
		}
		n := len(e.steps)
		e.pass(time.Minute)
		if len(e.steps) != n {
			t.Errorf("seed %d: something of the first evening falls due", seed)
		}
		e.must(engine.Host, "begin")
	}
}

// GEN-024: the same evening without the refutation reader, or with no reader at
// all: acts on phones alone lead to the end of a game, and no reader is waited at.
func TestEveningsWithoutReaders(t *testing.T) {
	for _, readers := range []map[string]string{{}, {engine.ReaderUrn: ReaderOK}} {
		for seed := range uint64(seeds(2, 20)) {
			e := newEvening(t, newMemory(), seed)
			e.core().machine(readers, []engine.Seat{1})
			e.sit(4)
			for n := 0; e.last().Public.View.Result == nil; n++ {
				if n == 5000 {
					t.Fatalf("%v, seed %d: no end in phase %s", readers, seed, e.last().Public.View.Phase)
				}
				for _, r := range e.last().Public.View.Readers {
					if _, ok := readers[r.Reader]; !ok {
						t.Fatalf("%v: a card is awaited at %s", readers, r.Reader)
					}
				}
				e.play()
				e.steps = e.steps[len(e.steps)-1:]
			}
		}
	}
}
