package game

import (
	"slices"
	"testing"
	"time"

	"majordome/companion/master/corrections"
	"majordome/companion/master/hints"
	"majordome/companion/wire"
	"majordome/engine"
)

// GEN-008: two evenings of one table share seats, phones and house rules, never a secret: at the start of the second,
// every view looks as if nothing was played yet.
func TestNextGameAtTheSameTable(t *testing.T) {
	forEachGame(t, func(t *testing.T, g game) {
		for seed := range uint64(eveningCount(4, 60)) {
			playNextGame(t, g, seed)
		}
	})
}

func playNextGame(t *testing.T, g game, seed uint64) {
	e := newEvening(t, g, newMemory(), seed)
	e.mustAct(engine.Host, "switch", "name", "post-game-debrief", "value", "on")
	lobby := e.last().Public.View.Phase
	e.seatAndBegin(g.least + 1)
	for range 30 + 60*seed {
		if e.play(); e.last().Public.View.Result != nil {
			break
		}
	}
	// The expected lobby is the latest one, also where begin was undone: a new game keeps its choices.
	fresh := e.steps[0]
	for _, s := range slices.Backward(e.steps) {
		if s.Public.View.Phase == lobby {
			fresh = s
			break
		}
	}
	reader := engine.ReaderUrn
	e.core().presentTags(e.clock.at, reader, tags("?bank"))
	e.submitNotes(engine.SeatViewer(1), "a1")
	e.act(engine.SeatViewer(1), corrections.ActPropose)
	if most := fresh.Host.Desk.Hints.Most; e.last().Host.Desk.Hints.Most != most { // the host's choice is kept for the next game
		e.mustAct(engine.Host, hints.ActMost, "most", most)
	}
	phones := len(e.desk.invited)
	e.mustAct(engine.Host, actNewGame, "game", string(g.id), "seats", "keep")
	if got := comparableState(t, e.last()); got != comparableState(t, fresh) {
		t.Errorf("seed %d: something of the first evening is left:\n%s\n%s", seed, got, comparableState(t, fresh))
	}
	for _, u := range append(e.last().UpdatesToSeal(nil), e.last().Public) {
		if u.Vote != nil || u.Notes != "" || u.Notice == nil || u.Notice.Msg.Key != "table.new-game" {
			t.Errorf("seed %d: %s: vote %v, notes %q, notice %+v", seed, u.View.Viewer, u.Vote, u.Notes, u.Notice)
		}
	}
	if len(e.desk.invited) != phones {
		t.Errorf("seed %d: a phone is invited again", seed)
	}
	n := len(e.steps)
	e.passTime(time.Minute)
	if len(e.steps) != n {
		t.Errorf("seed %d: something of the first evening falls due", seed)
	}
	e.mustAct(engine.Host, "begin")
}

// GEN-024: the same evening without the refutation reader, or without readers: acts on phones are enough to reach the
// end of a game, and the game waits for no card at a missing reader.
func TestEveningsWithoutReaders(t *testing.T) {
	forEachGame(t, func(t *testing.T, g game) {
		for _, readers := range []map[string]string{{}, {engine.ReaderUrn: ReaderOK}} {
			for seed := range uint64(eveningCount(2, 20)) {
				e := newEvening(t, g, newMemory(), seed)
				e.core().setMachineState(readers, []wire.Handset{wire.FirstPhoneOf(engine.SeatViewer(1))}, false)
				e.seatAndBegin(g.least)
				for n := 0; e.last().Public.View.Result == nil; n++ {
					if n == 10_000 {
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
	})
}
