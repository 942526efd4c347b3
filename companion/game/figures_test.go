package game

import (
	"slices"
	"testing"
	"time"

	"majordome/companion/master/countdown"
	"majordome/companion/master/group"
	"majordome/companion/master/hints"
	"majordome/companion/master/hold"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/huisclos"
	"majordome/engine/play"
)

// builtFigures returns the figures of a game, built from the journal.
func builtFigures(t *testing.T, r *rig, m *memory, game int64) wire.GameFigures {
	t.Helper()
	f, err := BuildFigures(r.books[0], m.games[game-1], m.events[game])
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The figures of a game: how long it was played without pauses, what was given and taken back, how much time was
// left, and how it ended.
func TestFigures(t *testing.T) {
	m := newMemory()
	r := timedGame(t, m, "60")
	r.core().Hints = func(engine.ID) []wire.StockHint {
		return []wire.StockHint{{ID: "toy-1", Text: engine.Text{FR: "Prêt"}}}
	}
	r.mustAct(engine.Host, hints.ActMost, "most", hints.Free)
	for range 2 {
		r.mustAct(engine.Host, hints.ActGive, "to", hints.ToAll, "stock", "toy-1")
	}
	r.mustAct(engine.Host, hints.ActGive, "to", hints.ToAll, "text", "CANARY")
	r.mustAct(engine.Host, hints.ActBack, "n", "2")
	if f := builtFigures(t, r, m, 1); f.End != wire.EndOpen || f.Began == 0 || f.Hints != 2 {
		t.Errorf("a game that goes on: %+v", f)
	}
	r.passTime(20 * time.Minute)
	r.mustAct(engine.Host, hold.ActPause)
	r.passTime(time.Hour)
	r.mustAct(engine.Host, hold.ActResume)
	for range 3 {
		r.dropInUrn("card-x")
	}
	r.mustAct(engine.Host, "open")
	r.passTime(time.Hour)
	f := builtFigures(t, r, m, 1)
	want := wire.GameFigures{N: 1, Game: f.Game, Began: f.Began, Played: 20 * 60_000, End: wire.EndWon, Rule: "T-8", Seats: 3, Hints: 2,
		FromStock: map[string]int{"toy-1": 1},
		Of:        3_600_000, Left: 40 * 60_000, Phases: []wire.PhaseTime{{Phase: "play", Took: 20 * 60_000}},
		GameNames: wire.GameNames{Players: []string{"P1", "P2", "P3"}, Winners: []string{"P1"}}}
	want.Played, want.Left, want.Phases[0].Took = f.Played, f.Left, f.Phases[0].Took // compared below, to the second
	if asJSON(t, f) != asJSON(t, want) {
		t.Errorf("figures\n%s\nwant\n%s", asJSON(t, f), asJSON(t, want))
	}
	for what, got := range map[string]engine.Millis{"played": f.Played, "in the phase": f.Phases[0].Took, "left": 60*60_000 - f.Left} {
		if d := got - 20*60_000; d < 0 || d > 10_000 {
			t.Errorf("%s: %d ms", what, got)
		}
	}

	r.mustAct(engine.Host, actNewGame, "seats", seatsKeep)
	r.mustAct(engine.Host, "begin")
	r.passTime(61 * time.Minute)
	if f := builtFigures(t, r, m, 2); f.End != wire.EndTime || f.Left != 0 || f.Of != 3_600_000 {
		t.Errorf("when the time is up: %+v", f)
	}
}

// The figures count what each account did, by name. A hint that was taken back is not counted, and the acts of a host
// without an account have no name.
func TestFiguresOfTheStaff(t *testing.T) {
	m := newMemory()
	r := rigWithStaff(t, m)
	r.mustAct(engine.Host, hints.ActMost, "most", hints.Free)
	r.mustAct(engine.Host, "sit")
	r.mustAct(engine.Host, "begin")
	for range 3 {
		if out := r.actFrom(device(2), hints.ActGive, "to", hints.ToAll, "text", "CANARY"); !out.OK {
			t.Fatalf("%+v", out.Reject)
		}
	}
	r.mustAct(engine.Host, hints.ActBack, "n", "2")
	r.mustAct(engine.Host, hints.ActGive, "to", hints.ToAll, "text", "CANARY")
	if out := r.actFrom(device(2), group.ActNext); !out.OK {
		t.Fatalf("%+v", out.Reject)
	}
	f := builtFigures(t, r, m, 1)
	want := []wire.StaffShare{{Name: "Odile", Began: true, Hints: 1}, {Name: "Otto", Hints: 2, Signed: true}}
	if !slices.Equal(f.Staff, want) || f.Sign != "Otto" || f.Hints != 3 {
		t.Errorf("%+v, signed %q, %d hints", f.Staff, f.Sign, f.Hints)
	}
	r.removeAccounts(2, 3, 1)
	r.mustAct(engine.Host, "sit")
	r.mustAct(engine.Host, "begin")
	r.mustAct(engine.Host, group.ActNext, "sign", "Zo")
	if f := builtFigures(t, r, m, 2); f.Staff != nil || f.Sign != "Zo" {
		t.Errorf("without accounts: %+v", f)
	}
}

// The duration of a reset belongs to the figures of the next game, with the moment of each card; the cost of the
// cards adds up to the time that the table waited.
func TestResetIsOnTheWatch(t *testing.T) {
	m := newMemory()
	r := rigWithBox(t)
	r.journal = m
	r.start()
	r.core().Enrolled = []engine.ID{"role-1"}
	r.mustAct(engine.Host, "sit")
	r.mustAct(engine.Host, "begin")
	r.mustAct(engine.Host, group.ActNext, "sign", "Zo")
	for _, card := range []string{"role-1", "role-2", "weapon-1", "clue-1"} {
		r.passTime(10 * time.Second)
		presentCards(r, engine.ReaderShow, card)
	}
	if box := r.last().Host.Box; box.Since != 40_000 {
		t.Errorf("after 40 s the stop-watch shows %d ms", box.Since)
	}
	r.passTime(200 * time.Second)
	presentCards(r, engine.ReaderShow, "clue-2")
	f := builtFigures(t, r, m, 2)
	cost, of := engine.Millis(0), map[engine.ID]wire.ResetCard{}
	if f.Reset == nil {
		t.Fatalf("nothing is on record: %+v", f)
	}
	for _, c := range f.Reset.Cards {
		cost += c.Cost
		of[c.Card] = c
	}
	if f.Reset.Took != 240_000 || len(f.Reset.Cards) != 5 || len(f.Reset.Missing) > 0 || of["role-1"].At != 10_000 ||
		of["clue-2"].At != 240_000 {
		t.Errorf("the reset: %+v", f.Reset)
	}
	if of["role-1"].Cost != 2000 || of["clue-2"].Cost < 200_000 || cost < f.Reset.Took-50 || cost > f.Reset.Took {
		t.Errorf("of %d ms cards cost %d: %+v", f.Reset.Took, cost, f.Reset.Cards)
	}
	if f.Began != 0 || f.Sign != "" || builtFigures(t, r, m, 1).Sign != "Zo" {
		t.Errorf("began %d, signed %q and %q", f.Began, builtFigures(t, r, m, 1).Sign, f.Sign)
	}

	r.mustAct(engine.Host, "sit")
	r.mustAct(engine.Host, "begin")
	r.mustAct(engine.Host, group.ActNext, "sign", "Zo")
	r.passTime(time.Minute)
	presentCards(r, engine.ReaderShow, "role-2")
	r.passTime(time.Minute)
	r.mustAct(engine.Host, "sit")
	r.mustAct(engine.Host, "begin", "force", yes)
	if f := builtFigures(t, r, m, 3); f.Reset == nil || f.Reset.Took != 120_000 || len(f.Reset.Missing) != 4 ||
		slices.Contains(f.Reset.Missing, "role-2") {
		t.Errorf("begun without a full box: %+v", f.Reset)
	}
}

// The stop-watch of a reset does not run while the table is off, even if the machine's clock is set in that time.
func TestTheNightIsNobodysWait(t *testing.T) {
	for _, off := range []time.Duration{12 * time.Hour, -12 * time.Hour} {
		m := newMemory()
		r := rigWithBox(t)
		r.journal = m
		r.start()
		r.core().Enrolled = []engine.ID{"role-1"}
		r.mustAct(engine.Host, group.ActNext, "sign", "Zo")
		r.passTime(time.Minute)
		r.clock.at = r.clock.at.Add(off)
		r.start()
		r.core().Enrolled = []engine.ID{"role-1"}
		r.core().parts.loadSettings()
		r.passTime(90 * time.Second)
		for _, card := range []string{"role-1", "role-2", "weapon-1", "clue-1", "clue-2"} {
			presentCards(r, engine.ReaderShow, card)
		}
		if f := builtFigures(t, r, m, 2); f.Reset == nil || f.Reset.Took < 90_000 || f.Reset.Took > 150_000 {
			t.Errorf("%v later: %+v", off, f.Reset)
		}
	}
}

// In a real game the acts against the rules are counted.
func TestFiguresCountOverruling(t *testing.T) {
	book, err := huisclos.New(huisclos.DefaultDeck())
	if err != nil {
		t.Fatal(err)
	}
	var rows []store.Event
	step, overruled := int64(0), 0
	_, _, err = play.Run(book.NewGame(), &play.Opts{Seed: 3, WantedCommand: play.NewRandomOverruler(3, 8), Check: func(s play.Step) error {
		step++
		c := gameStep{events: s.Events, cause: s.Command.By.String(), at: s.Command.At,
			command: storedCommand{By: s.Command.By.String(), Act: s.Command.Act}}
		more, err := encodeStep(book, &c, step)
		if _, ok := findOverruleOffer(s.Before, c.command); ok {
			overruled++
		}
		rows = append(rows, more...)
		return err
	}})
	if err != nil {
		t.Fatal(err)
	}
	f, err := BuildFigures(book, store.Game{ID: 1, Book: book.ID()}, rows)
	if err != nil || overruled == 0 || f.Overruled != overruled || len(f.Phases) == 0 {
		t.Errorf("%d of %d overrulings, %+v, %v", f.Overruled, overruled, f.Phases, err)
	}
}

// The figures of a running game show nothing of a step that no viewer has seen, not even its time.
func TestFiguresWaitForWhatAllSee(t *testing.T) {
	forEachGame(t, func(t *testing.T, g game) {
		book, hidden := g.book(t), 0
		for seed := range uint64(eveningCount(3, 20)) {
			rows := []store.Event{{Step: 1, Kind: countdown.KindChanged, Data: []byte(`{"why":"start","by":3600000}`)}}
			step := int64(1)
			_, _, err := play.Run(book.NewGame(), &play.Opts{Seed: seed, Check: func(s play.Step) error {
				step++
				more, err := encodeStep(book, &gameStep{events: s.Events, cause: s.Command.By.String(), at: s.Command.At,
					command: storedCommand{By: s.Command.By.String(), Act: s.Command.Act}}, step)
				before := rows
				rows = append(rows, more...)
				if err != nil || hidden > 50 || asJSON(t, s.Before.View(engine.Public)) != asJSON(t, s.After.View(engine.Public)) {
					return err
				}
				hidden++
				was, err := BuildFigures(book, store.Game{Book: book.ID()}, before)
				if err != nil {
					return err
				}
				if is, err := BuildFigures(book, store.Game{Book: book.ID()}, rows); err != nil || asJSON(t, is) != asJSON(t, was) {
					t.Fatalf("seed %d: %s, which nobody sees, shows: %v\n%s\n%s", seed, s.Command.Act, err, asJSON(t, was), asJSON(t, is))
				}
				return nil
			}})
			if err != nil {
				t.Fatal(err)
			}
		}
		if hidden == 0 {
			t.Error("all see each step")
		}
	})
}

// InScene reports true while a scene is played.
func TestTheSceneIsKnownOutside(t *testing.T) {
	r := gameBeforeEnd(t)
	during := func() bool {
		is := make(chan bool)
		go func() { is <- r.loop.IsInScene() }()
		r.core().handleInput(<-r.loop.inputs)
		return <-is
	}
	if during() {
		t.Error("a scene before the end")
	}
	r.mustAct(engine.Host, "open")
	if !during() || !isBehindDisplay(t, r.last()) {
		t.Error("the end is no scene")
	}
	r.passTime(toStroke)
	if during() {
		t.Error("the scene does not end")
	}
}
