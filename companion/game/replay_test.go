package game

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/companion/wire"
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

// TestNoActSpoilsTheExport: whatever a seat adds to an act that is accepted, the evening can be exported and proved, with the
// code that the table has shown. What could not be written is refused.
func TestNoActSpoilsTheExport(t *testing.T) {
	many := engine.Args{}
	for i := range 1000 {
		many[fmt.Sprint("k", i)] = "x"
	}
	filled, seats := engine.Args{}, strings.Repeat("seat-1,", wire.MaxArg/7)
	for i := range 2 {
		filled[fmt.Sprint("k", i)] = strings.Repeat("\x01", wire.MaxArg)
	}
	for what, c := range map[string]struct {
		args   engine.Args
		refuse bool
	}{
		"a line of its own":       {engine.Args{"a": "x\nhost"}, false},
		"control characters":      {engine.Args{"a": "\x00\x1b[2J\r\v\f", "b": "\u2028\u202e\u0085\ufeff"}, false},
		"quotes and words":        {engine.Args{"a": `"`, "b": "nothing", "c": "seat-1,P1", "d": "#", "e": "k=v", "f": " "}, false},
		"other letters":           {engine.Args{"a": "é漢🂡\U000e0001\ufffd"}, false},
		"the most that is taken":  {filled, false},
		"seats":                   {engine.Args{"a": seats, "b": seats}, false},
		"a name of two lines":     {engine.Args{"a\nhost does begin\nb": "x"}, true},
		"a name with blanks":      {engine.Args{"a b": "x"}, true},
		"a name of other letters": {engine.Args{"é": "x"}, true},
		"an empty name":           {engine.Args{"": "x"}, true},
		"1000 names":              {many, true},
		"too much in all":         {engine.Args{"a": filled["k0"], "b": filled["k0"], "c": filled["k0"]}, true},
	} {
		m := newMemory()
		e := newEvening(t, games[1], m, 1)
		e.seatNamedAndBegin(3, strings.Repeat("m", 22))
		who, act := e.plainAct()
		steps := e.core().lastStep
		var pairs []string
		for name, value := range c.args {
			pairs = append(pairs, name, value)
		}
		if r := e.act(who, act, pairs...); r.OK == c.refuse || (e.core().lastStep == steps) != c.refuse {
			t.Errorf("%s: %v, %d steps more", what, r.Reject, e.core().lastStep-steps)
		}
		codes, err := ProveEvening(e.books[0], exportedEvening(t, e.books[0], m))
		if want := e.last().Public.Proof.Head; err != nil || !slices.Contains(codes.Heads, want) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// plainAct plays on until a seat may do an act of the game without arguments, and returns it.
func (e *evening) plainAct() (engine.Viewer, string) {
	for range 500 {
		for _, u := range e.last().SeatUpdates() {
			for _, o := range engine.AllowedOffers(u.View.Offers) {
				if _, own := e.core().acts[o.Act]; !own && len(o.Params) == 0 && len(o.Fixed) == 0 {
					return engine.SeatViewer(u.View.Me.Seat), o.Act
				}
			}
		}
		e.play()
	}
	e.t.Fatal("no act without arguments is offered")
	return engine.Public, ""
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
