package game

import (
	"errors"
	"testing"
	"time"

	"majordome/engine"
	"majordome/engine/script"
)

// watchedBook stores the latest game of a script that is played with it.
type watchedBook struct {
	engine.Rulebook
	last *engine.Game
}

func (w watchedBook) NewGame() engine.Game { return watchedGame{w.Rulebook.NewGame(), w.last} }

type watchedGame struct {
	engine.Game
	last *engine.Game
}

func (g watchedGame) Apply(events ...engine.Event) engine.Game {
	next := g.Game.Apply(events...)
	*g.last = next
	return watchedGame{next, g.last}
}

// A real evening, with cards at readers, undone steps, restarts, renamed things and an earlier game at the same
// table, can be exported as a script that plays to the same end.
func TestAnEveningIsAScript(t *testing.T) {
	forEachGame(t, replayEvenings)
}

func replayEvenings(t *testing.T, g game) {
	longest := 0
	for seed := range uint64(eveningCount(6, 100)) {
		m := newMemory()
		e := newEvening(t, g, m, seed)
		e.seatAndBegin(g.players(seed))
		for range 20 {
			e.play()
		}
		e.mustAct(engine.Host, actNewGame, "game", string(g.id), "seats", "keep")
		e.mustAct(engine.Host, "begin")
		for n := range 200 {
			if e.play(); e.last().Public.View.Result != nil {
				break
			}
			if n%50 == 49 {
				e.start()
				e.passTime(time.Second)
			}
		}
		book := e.books[0]
		evening, err := BuildScript(book, storedEvents(t, m))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		longest = max(longest, len(evening.Played))
		text, err := script.Export(evening)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		s, err := script.Parse("evening", text)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		end := book.NewGame()
		if report := script.Run(s, watchedBook{book, &end}); !report.OK() {
			t.Fatalf("seed %d: %s\n%s", seed, report, text)
		}
		for v := range eachViewer {
			if got, want := asJSON(t, end.View(v)), asJSON(t, e.core().game.View(v)); got != want {
				t.Fatalf("seed %d: the script ends elsewhere for %v:\n%s\n%s", seed, v, got, want)
			}
		}
	}
	t.Logf("the longest evening has %d commands", longest)
}

// eachViewer yields the public, the host and every seat.
func eachViewer(yield func(engine.Viewer) bool) {
	if !yield(engine.Public) || !yield(engine.Host) {
		return
	}
	for s := engine.Seat(1); s <= engine.MaxSeats; s++ {
		if !yield(engine.SeatViewer(s)) {
			return
		}
	}
}

// A game of an older version has no commands, so no script of it is written, not even a part.
func TestReplayWithoutCommands(t *testing.T) {
	m := newMemory()
	playing(t, m, 2)
	m.events[1][1].Command = nil
	if _, err := BuildScript(toyBook{"toy"}, m.events[1]); !errors.Is(err, ErrNoCommands) {
		t.Errorf("%v", err)
	}
	m.events[1][1].Command = []byte(`{"act":"weapon-corde`)
	if _, err := BuildScript(toyBook{"toy"}, m.events[1]); err == nil || len(err.Error()) > 80 {
		t.Errorf("%v", err)
	}
}
