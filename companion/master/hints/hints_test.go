package hints_test

import (
	"slices"
	"testing"

	"majordome/companion/master"
	"majordome/companion/master/hints"
	"majordome/companion/master/mastertest"
	"majordome/companion/wire"
	"majordome/engine"
)

var stock = []wire.StockHint{{ID: "door", Text: engine.T("Voyez la porte.", "See the door.")}}

// tableWithHints returns a table where the host has chosen how many hints a game may have.
func tableWithHints(most string) *mastertest.Table {
	t := mastertest.New(func(t master.Table) []master.Part {
		return []master.Part{hints.New(t, func(engine.ID) []wire.StockHint { return stock })}
	})
	t.DoAct(mastertest.Host, hints.ActMost, "most", most)
	return t
}

func sendHint(m *mastertest.Table, to, text string) *engine.Reject {
	return m.DoAct(mastertest.Host, hints.ActGive, "to", to, "text", text)
}

// hintsShown returns the hints that the display, seat 1 and seat 2 read.
func hintsShown(m *mastertest.Table) (all [3]string) {
	for i, v := range []engine.Viewer{engine.Public, engine.SeatViewer(1), engine.SeatViewer(2)} {
		if h := m.Parts[0].(master.HintShower).HintFor(v); h != nil {
			all[i] = h.Text.FR
		}
	}
	return all
}

func rejectReason(r *engine.Reject) string {
	if r == nil {
		return ""
	}
	return r.Why.Key
}

// Only the viewers it is given to read a hint, and none does once it is taken back: then they read the hint before it
// again.
func TestOnlyItsViewersReadAHint(t *testing.T) {
	m := tableWithHints(hints.Free)
	for _, step := range []struct {
		to, text string
		want     [3]string
	}{
		{"seat-1", "one", [3]string{"", "one", ""}},
		{hints.ToDisplay, "two", [3]string{"two", "one", ""}},
		{hints.ToAll, "three", [3]string{"three", "three", "three"}},
		{"seat-2", "four", [3]string{"three", "three", "four"}},
	} {
		if r := sendHint(m, step.to, step.text); r != nil || hintsShown(m) != step.want {
			t.Errorf("to %s: %v, they read %q", step.to, r, hintsShown(m))
		}
	}
	if m.Parts[0].(master.HintShower).HintFor(engine.Host) != nil {
		t.Error("one is the host's")
	}
	before := hintsShown(m)
	if m.Restart(); hintsShown(m) != before {
		t.Errorf("after a restart they read %q", hintsShown(m))
	}
	m.DoAct(mastertest.Host, hints.ActBack, "n", "3")
	if want := [3]string{"two", "one", "four"}; hintsShown(m) != want {
		t.Errorf("with one taken back they read %q", hintsShown(m))
	}
	m.View.Phase = engine.PhaseLobby
	if hintsShown(m) != [3]string{} {
		t.Errorf("in a lobby they read %q", hintsShown(m))
	}
}

// A game has as many hints as the host has chosen, without those that were taken back; none where nothing was chosen.
func TestHowManyAGameHas(t *testing.T) {
	m := tableWithHints("2")
	sendHint(m, hints.ToAll, "one")
	sendHint(m, hints.ToAll, "two")
	if got := rejectReason(sendHint(m, hints.ToAll, "three")); got != "table.hint.spent" {
		t.Errorf("the third of two: %q", got)
	}
	if got := rejectReason(m.DoAct(mastertest.PhoneActor(1), hints.ActAsk, "on", "yes")); got != "table.hint.spent" {
		t.Errorf("a seat asks for it: %q", got)
	}
	m.DoAct(mastertest.Host, hints.ActBack, "n", "1")
	if r := sendHint(m, hints.ToAll, "another"); r != nil {
		t.Errorf("with one taken back: %v", r)
	}
	m.DoAct(mastertest.Host, hints.ActMost, "most", hints.Off)
	if got := rejectReason(sendHint(m, hints.ToAll, "four")); got != "table.hint.later" || hintsShown(m) != [3]string{} {
		t.Errorf("without hints: %q, they read %q", got, hintsShown(m))
	}
}

// A hint is a line of at most 160 bytes, or one of the stock hints, for a viewer that is at the table. A program
// cannot give one to a single seat.
func TestWhatCanBeAHint(t *testing.T) {
	m := tableWithHints(hints.Free)
	for _, bad := range [][]string{
		{"to", "seat-3", "text", "Bonsoir."}, {"to", hints.ToAll, "text", " "},
		{"to", hints.ToAll, "text", string(make([]byte, wire.MaxHint+1))},
		{"to", hints.ToAll, "text", "two\nlines"}, {"to", hints.ToAll, "stock", "window"},
	} {
		if m.DoAct(mastertest.Host, hints.ActGive, bad...) == nil {
			t.Errorf("given: %q", bad)
		}
	}
	if r := m.DoOrder(wire.OrderHint, "to", "seat-1", "text", "Bonsoir."); r == nil || r.Code != engine.Forbidden {
		t.Errorf("a program, to one seat: %v", r)
	}
	if r := m.DoOrder(wire.OrderHint, "to", hints.ToAll, "stock", "door"); r != nil || hintsShown(m)[1] != stock[0].Text.FR {
		t.Errorf("a program, one that stands ready: %v, they read %q", r, hintsShown(m))
	}
	m.DiskFull = true
	if before := hintsShown(m); sendHint(m, hints.ToAll, "Bonsoir.") == nil || hintsShown(m) != before {
		t.Error("one that is not on the disk is read")
	}
}

// A seat may ask every 10 s and take the request back. The answer is a hint, or the host declines. Only the host sees
// which seat asks.
func TestASeatAsks(t *testing.T) {
	m := tableWithHints(hints.Free)
	ask := func(on string) string { return rejectReason(m.DoAct(mastertest.PhoneActor(1), hints.ActAsk, "on", on)) }
	asking := func() bool { return len(m.ForHost().Desk.Hints.Asked) > 0 }
	if got := ask("yes"); got != "" || !asking() {
		t.Fatalf("the seat asks: %q", got)
	}
	if got := ask("yes"); got != "table.hint.none" {
		t.Errorf("the seat asks twice: %q", got)
	}
	if got := ask("no"); got != "" || asking() {
		t.Errorf("the seat withdraws its request: %q", got)
	}
	if got := ask("yes"); got != "table.hint.wait" || len(m.OfferedTo(1)) > 0 {
		t.Errorf("the seat asks again at once: %q, and is offered %q", got, m.OfferedTo(1))
	}
	shown := m.Shown
	if m.PassTime(hints.AskEvery); m.Shown == shown || len(m.OfferedTo(1)) == 0 {
		t.Error("the seat is not offered to ask again")
	}
	if got := ask("yes"); got != "" || !slices.Contains(m.OfferedToHost(), hints.ActDeny+" seat=seat-1") {
		t.Errorf("the seat asks again 10 s later: %q, the host is offered %q", got, m.OfferedToHost())
	}
	if sendHint(m, "seat-2", "Bonsoir."); !asking() {
		t.Error("a hint to another seat answers it")
	}
	if sendHint(m, "seat-1", "Bonsoir."); asking() {
		t.Error("a hint does not answer it")
	}
	m.PassTime(hints.AskEvery)
	ask("yes")
	if m.DoAct(mastertest.Host, hints.ActDeny, "seat", "seat-1"); asking() {
		t.Error("the host does not answer it with none")
	}
	m.PassTime(hints.AskEvery)
	m.Scene = true
	if got := ask("yes"); got != "table.scene" || len(m.OfferedTo(1)) > 0 {
		t.Errorf("the seat asks during a scene: %q", got)
	}
}
