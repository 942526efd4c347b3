package game

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

// In random evenings of every game there is no story before the end. Then it is complete, and the same byte by byte
// for a phone that comes later and after a restart. With the debrief, which every other evening has, it includes who
// had which card. An undo ends it.
func TestTheStoryOfTheEvening(t *testing.T) {
	forEachGame(t, func(t *testing.T, g game) {
		held := 0                                                                                     // hands that a story has shown
		for seed := uint64(0); seed < uint64(eveningCount(2, 20)) || held == 0 && seed < 20; seed++ { // not every debrief includes a hand
			e := newEvening(t, g, newMemory(), seed)
			debrief := seed%2 == 1
			if debrief {
				e.mustAct(engine.Host, "switch", "name", "post-game-debrief", "value", "on")
			}
			e.seatAndBegin(g.players(seed))
			e.passTime(time.Minute)
			var all []*engine.Happening // what the public was shown, step by step
			for n := 0; e.last().Public.View.Result == nil; n++ {
				if n == 10_000 {
					t.Fatalf("seed %d: no end in phase %s", seed, e.last().Public.View.Phase)
				}
				e.steps = e.steps[len(e.steps)-1:]
				if e.last().Story != nil {
					t.Fatalf("seed %d: a story of a game that goes on: %s", seed, e.last().Story)
				}
				all = mergeHappenings(all, e.last().Public.View)
				e.play()
			}
			for _, s := range e.steps { // the last command and what was due then
				all = mergeHappenings(all, s.Public.View)
			}
			first := string(e.last().Story)
			var told wire.Story
			if err := json.Unmarshal([]byte(first), &told); err != nil {
				t.Fatalf("seed %d: %v: %s", seed, err, first)
			}
			if told.V != wire.Version || told.Game != g.book(t).ID() || asJSON(t, told.Happened) != asJSON(t, all) {
				t.Fatalf("seed %d: the public was shown\n%+v\nand the story is\n%+v", seed, all, told)
			}
			if !debrief && len(told.Held) > 0 {
				t.Fatalf("seed %d: without a debrief the story says who held %v", seed, told.Held)
			}
			for _, h := range told.Held {
				if held++; !e.showsInHand(h) {
					t.Fatalf("seed %d: the story says that %s held %v, and its phone does not", seed, h.Seat, h.Cards)
				}
			}
			e.core().setMachineState(e.core().readerStates, []wire.Handset{wire.FirstPhoneOf(engine.SeatViewer(1))}, false)
			if got := string(e.loop.StoryJSON()); got != first {
				t.Fatalf("seed %d: a phone that comes later is shown\n%s\nand not\n%s", seed, got, first)
			}
			e.start()
			if got := string(e.loop.StoryJSON()); got != first {
				t.Fatalf("seed %d: after a restart the story is\n%s\nand not\n%s", seed, got, first)
			}
			e.mustAct(engine.Host, actUndo, "force", "yes")
			if e.last().Public.View.Result == nil && e.loop.StoryJSON() != nil {
				t.Fatalf("seed %d: a story of an end that was taken back", seed)
			}
		}
		if held == 0 {
			t.Error("no story says who held what")
		}
	})
}

// showsInHand reports whether the phone of a seat shows all these cards in its hand.
func (e *evening) showsInHand(h engine.Held) bool {
	return slices.ContainsFunc(e.last().UpdatesToSeal(nil), func(u wire.Update) bool {
		return u.View.Me != nil && u.View.Me.Seat == h.Seat && !slices.ContainsFunc(h.Cards, func(id engine.ID) bool {
			return !slices.ContainsFunc(u.View.Me.Hand, func(c engine.CardView) bool { return c.Card == id })
		})
	})
}

// mergeHappenings adds the news of a view to what has happened; an undo may have removed some of it.
func mergeHappenings(all []*engine.Happening, v engine.View) []*engine.Happening {
	for _, h := range v.Happened {
		if h.N <= len(all) {
			all = all[:h.N-1]
		}
		all = append(all, h)
	}
	return all[:v.LastHappeningNumber()]
}

// The story is not sent while the phones wait for the display.
func TestTheStoryWaitsForTheDisplay(t *testing.T) {
	e := newEvening(t, games[0], newMemory(), 1)
	e.seatAndBegin(games[0].least)
	e.passTime(time.Minute)
	for e.last().Public.View.Result == nil {
		e.setDisplay(false)
		e.passTime(displayGrace)
		if e.setDisplay(true); isBehindDisplay(t, e.last()) {
			t.Fatal("a scene without an end")
		}
		e.play()
		e.steps = e.steps[len(e.steps)-1:]
	}
	if !isBehindDisplay(t, e.last()) || e.last().Story != nil {
		t.Fatalf("behind: %v, and shown %s", isBehindDisplay(t, e.last()), e.last().Story)
	}
	e.passTime(time.Minute)
	if isBehindDisplay(t, e.last()) || e.last().Story == nil {
		t.Fatal("the story is never shown")
	}
}

// The waiting time counts from when a seat's turn to act began: a refused card does not start it again, the turn of
// the next seat does, and all viewers get the same value.
func TestSinceWhenSomebodyIsWaitedFor(t *testing.T) {
	r := playing(t, newMemory(), 2)
	is := func(want time.Duration) {
		t.Helper()
		for _, u := range append(r.last().UpdatesToSeal(nil), r.last().Public) {
			if got := time.Duration(u.Waited) * time.Millisecond; got != want {
				t.Errorf("%s is shown %v, not %v", u.View.Viewer, got, want)
			}
		}
	}
	is(0)
	r.passTime(4 * time.Second)
	r.dropInUrn("bad")
	is(4*time.Second + defaultUrnWindow)
	r.dropInUrn("card-1")
	is(0)
	r.passTime(3 * time.Second)
	r.core().setMachineState(r.core().readerStates, []wire.Handset{wire.FirstPhoneOf(engine.SeatViewer(1))}, false) // a phone connects
	is(3 * time.Second)
	r.dropInUrn("card-2")
	is(0) // no seat is to act
}
