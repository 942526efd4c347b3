package game

import (
	"slices"
	"strings"
	"testing"

	"majordome/companion/master/hints"
	"majordome/companion/master/hold"
	"majordome/companion/wire"
	"majordome/engine"
)

// The minutes of a game contain what all viewers saw, and what the host did with the device that did it. What was
// taken back stays in them, marked. They say nothing of a hint to one seat.
func TestMinutes(t *testing.T) {
	m := newMemory()
	r := gameWithHints(t, m)
	second := wire.Handset{Viewer: engine.Host, N: 2}
	r.mustAct(engine.Host, hints.ActGive, "to", "seat-2", "text", "CANARY")
	r.mustAct(engine.SeatViewer(1), hints.ActAsk, "on", "yes")
	r.mustAct(engine.Host, hints.ActGive, "to", hints.ToAll, "text", "aloud")
	r.dropInUrn("card-1")
	r.actFrom(second, actUndo)
	r.actFrom(second, hold.ActPause)
	r.mustAct(engine.Host, hold.ActResume)
	all, err := BuildMinutes(r.books[0], m.events[1])
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, x := range all {
		line := x.Said.Key + " by " + x.By
		if x.TakenBack {
			line += " (back)"
		}
		told = append(told, line)
	}
	text := strings.Join(told, "\n")
	for _, x := range all {
		if strings.HasPrefix(x.Said.Key, "minutes.ask") || x.Said.Key == "minutes.hint.seat" {
			if len(x.Said.Args) > 0 {
				t.Errorf("%s names whom it is for: %v", x.Said.Key, x.Said.Args)
			}
		}
	}
	for _, want := range []string{
		"minutes.ask by ",
		"minutes.hint.seat by host",
		"minutes.hint.all by host",
		"minutes.undo by host.2",
		"minutes.pause by host.2",
		"minutes.resume by host",
	} {
		if !slices.Contains(told, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if strings.Contains(asJSON(t, all), "CANARY") {
		t.Error("the minutes contain a hint to one seat")
	}
	if !strings.Contains(asJSON(t, all), "aloud") {
		t.Error("the minutes leave a hint to all out")
	}
	r.mustAct(engine.Host, hints.ActGive, "to", hints.ToDisplay, "stock", "toy-1")
	if all, err = BuildMinutes(r.books[0], m.events[1]); err != nil {
		t.Fatal(err)
	}
	for lang, want := range map[string]string{"fr": "aloud Prêt", "en": "aloud Ready"} {
		var got []string
		for _, x := range all {
			if text := x.MessageIn(lang).Args.Get("text"); text != "" {
				got = append(got, text)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("hints in %s: %q, want %q", lang, got, want)
		}
	}
}

// With the real rules: the minutes contain each line of the public story once and in order, and those not taken back
// match the lines of the game.
func TestMinutesOfWhatIsReal(t *testing.T) {
	forEachGame(t, func(t *testing.T, g game) {
		undone := 0
		for seed := range uint64(eveningCount(2, 30)) {
			m := newMemory()
			e := newEvening(t, g, m, seed)
			e.seatAndBegin(g.players(seed))
			for n := 0; n < 120 && e.last().Public.View.Result == nil; n++ {
				e.play()
				if e.dice.Intn(10) == 0 && e.core().group.step != 0 && !e.core().isInLobby() && e.core().pauseMsg == nil {
					e.act(engine.Host, actUndo, "force", yes)
				}
			}
			all, err := BuildMinutes(e.books[0], storedEvents(t, m))
			if err != nil {
				t.Fatal(err)
			}
			var stand []engine.Msg
			for _, x := range all {
				switch {
				case x.TakenBack:
					undone++
				case !strings.HasPrefix(x.Said.Key, "minutes."):
					stand = append(stand, x.Said)
				}
			}
			story := e.core().game.currentViews().Public.Log
			if len(stand) < len(story) {
				t.Fatalf("seed %d: %d lines stand, the story has %d", seed, len(stand), len(story))
			}
			for i, l := range story {
				if got := stand[len(stand)-len(story)+i]; asJSON(t, got) != asJSON(t, *l.Msg) {
					t.Fatalf("seed %d: line %d is %s, the story has %s", seed, i, asJSON(t, got), asJSON(t, *l.Msg))
				}
			}
		}
		if undone == 0 {
			t.Error("nothing was taken back")
		}
	})
}

// Once a game has begun, the minutes come with the readers' answers that were shown to all.
func TestMinutesOfReaders(t *testing.T) {
	r := newRig(t, newMemory())
	readers := func() (saw []MinutesLine, begun bool) {
		done := make(chan struct{})
		go func() { defer close(done); saw, begun = r.loop.ReaderMinutes() }()
		r.core().handleInput(<-r.loop.inputs)
		<-done
		return saw, begun
	}
	if _, begun := readers(); begun {
		t.Error("minutes of no game")
	}
	r.mustAct(engine.Host, "sit")
	r.mustAct(engine.Host, "begin")
	r.dropInUrn("?bank")
	if saw, begun := readers(); !begun || len(saw) != 1 {
		t.Errorf("%d answers of readers, begun %t", len(saw), begun)
	}
	for range maxReaderAnswers + 2 { // with the answer before, three more than are kept
		r.core().recordReaderAnswer("urn", &wire.Notice{Msg: engine.NewMsg("table.again")})
	}
	if saw := r.core().readerAnswers.listAnswers(); len(saw) != maxReaderAnswers+1 || saw[0].Said.Key != "minutes.unkept" ||
		saw[0].Said.Args.Get("n") != "3" || saw[0].Wall != saw[1].Wall {
		t.Errorf("%d minutes, the first %+v", len(saw), saw[0])
	}
}
