package game

import (
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/companion/master/hints"
	"majordome/companion/seal"
	"majordome/companion/wire"
	"majordome/engine"
)

// gameWithHints returns a running game of three with free hints.
func gameWithHints(t *testing.T, m *memory) *rig {
	t.Helper()
	r := playing(t, m, 3)
	r.core().Hints = func(engine.ID) []wire.StockHint {
		return []wire.StockHint{{ID: "toy-1", Text: engine.T("Prêt", "Ready")}}
	}
	r.mustAct(engine.Host, hints.ActMost, "most", hints.Free)
	return r
}

// hintsShown returns the hint that each viewer of the last step can read: seats 1 to 3, then the public.
func hintsShown(t *testing.T, s Step) (all []string) {
	t.Helper()
	for _, u := range append(slices.Clone(s.SeatUpdates()), s.Public) {
		text := ""
		if u.Hint != nil {
			text = u.Hint.Text.FR
			if u.Hint.Own {
				text += "!"
			}
		}
		all = append(all, text)
	}
	return all
}

// A hint goes to the viewers it is for, survives a restart and an undo, and is gone when it is taken back.
func TestHints(t *testing.T) {
	m := newMemory()
	r := gameWithHints(t, m)
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"to", "seat-2", "text", " Cherchez ici "}, []string{"", "Cherchez ici!", "", ""}},
		{[]string{"to", hints.ToDisplay, "text", "Regardez"}, []string{"", "Cherchez ici!", "", "Regardez"}},
		{[]string{"to", hints.ToAll, "stock", "toy-1"}, []string{"Prêt", "Prêt", "Prêt", "Prêt"}},
		{[]string{"to", "seat-1", "text", "Pour vous"}, []string{"Pour vous!", "Prêt", "Prêt", "Prêt"}},
	} {
		r.mustAct(engine.Host, hints.ActGive, c.args...)
		if got := hintsShown(t, r.last()); !slices.Equal(got, c.want) {
			t.Errorf("%v: read %q, want %q", c.args, got, c.want)
		}
	}
	r.passTime(time.Minute)
	r.start()
	if got, want := hintsShown(t, r.last()), []string{"Pour vous!", "Prêt", "Prêt", "Prêt"}; !slices.Equal(got, want) {
		t.Errorf("after a restart: %q, want %q", got, want)
	}
	if h := r.last().Host.Desk.Hints; h.Given != 4 || len(h.Sent) != 4 || h.Sent[3].By != "host" || h.Sent[3].To != "seat-1" {
		t.Errorf("the host's list: %+v", h)
	}
	r.mustAct(engine.Host, hints.ActBack, "n", "3")
	if got, want := hintsShown(t, r.last()), []string{"Pour vous!", "Cherchez ici!", "", "Regardez"}; !slices.Equal(got, want) {
		t.Errorf("taken back: %q, want %q", got, want)
	}
	if h := r.last().Host.Desk.Hints; h.Given != 3 || r.act(engine.Host, hints.ActBack, "n", "3").OK {
		t.Errorf("a hint that was taken back counts, or goes twice: %+v", h)
	}
	r.dropInUrn("card-1")
	r.mustAct(engine.Host, actUndo)
	if got, want := hintsShown(t, r.last()), []string{"Pour vous!", "Cherchez ici!", "", "Regardez"}; !slices.Equal(got, want) {
		t.Errorf("beside an undo: %q, want %q", got, want)
	}
	r.mustAct(engine.Host, actNewGame, "game", "toy", "seats", "keep")
	if got, want := hintsShown(t, r.last()), []string{"", "", "", ""}; !slices.Equal(got, want) || r.last().Host.Desk.Hints.Given != 0 {
		t.Errorf("in the next game: %q", got)
	}
}

// Texts that cannot be a hint, and viewers that cannot give one.
func TestRefusedHints(t *testing.T) {
	r := playing(t, newMemory(), 2)
	if r.act(engine.Host, hints.ActGive, "to", hints.ToAll, "text", "a").OK || r.act(engine.SeatViewer(1), hints.ActAsk, "on", yes).OK ||
		r.act(engine.Host, hints.ActMost, "most", "many").OK {
		t.Error("hints where the host has chosen none")
	}
	r.mustAct(engine.Host, hints.ActMost, "most", "1")
	for _, args := range [][]string{
		{"to", "seat-9", "text", "a"}, {"to", "public", "text", "a"}, {"to", "host", "text", "a"}, {"to", hints.ToAll, "text", " "},
		{"to", hints.ToAll, "text", strings.Repeat("a", wire.MaxHint+1)}, {"to", hints.ToAll, "text", strings.Repeat("<", wire.MaxHint/5)},
		{"to", hints.ToAll, "text", "a\nb"}, {"to", hints.ToAll, "stock", "toy-1"}, {"to", hints.ToAll},
	} {
		if r.act(engine.Host, hints.ActGive, args...).OK {
			t.Errorf("%v is a hint", args)
		}
	}
	if r.act(engine.SeatViewer(1), hints.ActGive, "to", hints.ToAll, "text", "a").OK ||
		r.act(engine.SeatViewer(1), hints.ActBack, "n", "1").OK || r.act(engine.Host, hints.ActAsk, "on", yes).OK {
		t.Error("a seat gives a hint, or the host asks for one")
	}
	r.mustAct(engine.Host, hints.ActGive, "to", hints.ToAll, "text", "a")
	if out := r.act(engine.Host, hints.ActGive, "to", hints.ToAll, "text", "b"); out.OK || out.Reject.Why.Key != "table.hint.spent" {
		t.Errorf("more hints than the host has chosen: %+v", out.Reject)
	}
	r.mustAct(engine.Host, hints.ActBack, "n", "1")
	r.mustAct(engine.Host, hints.ActGive, "to", hints.ToAll, "text", "b")
}

// A seat asks with one tap. Only the host sees who asks, and a hint or a short answer of the host ends the request.
func TestASeatAsksForAHint(t *testing.T) {
	r := gameWithHints(t, newMemory())
	asked := func() (all []engine.Seat) {
		for _, a := range r.last().Host.Desk.Hints.Asked {
			all = append(all, a.Seat)
		}
		return all
	}
	before := comparableState(t, r.last())
	r.mustAct(engine.SeatViewer(2), hints.ActAsk, "on", yes)
	r.mustAct(engine.SeatViewer(3), hints.ActAsk, "on", yes)
	for _, v := range []engine.Viewer{engine.SeatViewer(1), engine.Public} {
		u, _ := r.last().UpdateFor(v)
		if !strings.Contains(before, comparableUpdate(t, u)) {
			t.Errorf("%s sees that others ask", v)
		}
	}
	r.start()
	if got := asked(); !slices.Equal(got, []engine.Seat{2, 3}) || r.act(engine.SeatViewer(2), hints.ActAsk, "on", yes).OK {
		t.Errorf("asked by %v", got)
	}
	r.mustAct(engine.SeatViewer(3), hints.ActAsk, "on", no)
	r.mustAct(engine.Host, hints.ActGive, "to", "seat-1", "text", "a")
	if got := asked(); !slices.Equal(got, []engine.Seat{2}) {
		t.Errorf("asked by %v after another's hint", got)
	}
	r.mustAct(engine.Host, hints.ActGive, "to", "seat-2", "text", "a")
	r.passTime(hints.AskEvery)
	r.mustAct(engine.SeatViewer(2), hints.ActAsk, "on", yes)
	r.mustAct(engine.Host, hints.ActDeny, "seat", "seat-2")
	if got := asked(); len(got) > 0 || r.act(engine.Host, hints.ActDeny, "seat", "seat-2").OK {
		t.Errorf("asked by %v when all were answered", got)
	}
}

// A phone that asks again and again writes few rows. A request can still be taken back at once.
func TestRepeatedRequestsWriteFewRows(t *testing.T) {
	m := newMemory()
	r := gameWithHints(t, m)
	rows := func() (n int) {
		for _, e := range m.events[1] {
			if e.Kind == hints.KindAsked || e.Kind == hints.KindDenied {
				n++
			}
		}
		return n
	}
	for range 1000 {
		r.act(engine.SeatViewer(2), hints.ActAsk, "on", yes)
		r.act(engine.SeatViewer(2), hints.ActAsk, "on", no)
		r.passTime(10 * time.Millisecond)
	}
	if n := rows(); n != 2 {
		t.Errorf("%d rows in ten seconds", n)
	}
	bells := func() string {
		all := ""
		for _, u := range r.last().SeatUpdates() {
			if slices.ContainsFunc(u.View.Offers, func(o engine.Offer) bool { return o.Act == hints.ActAsk }) {
				all += u.View.Viewer + " "
			}
		}
		return all
	}
	r.mustAct(engine.SeatViewer(2), hints.ActAsk, "on", yes)
	r.mustAct(engine.SeatViewer(3), hints.ActAsk, "on", yes) // another seat need not wait
	r.mustAct(engine.SeatViewer(2), hints.ActAsk, "on", no)
	if out := r.act(engine.SeatViewer(2), hints.ActAsk, "on", yes); out.OK || out.Reject.Why.Key != "table.hint.wait" {
		t.Errorf("asked again at once: %+v", out.Reject)
	}
	if got := bells(); got != "seat-1 seat-3 " {
		t.Errorf("a bell is offered to %s", got)
	}
	r.passTime(hints.AskEvery)
	if got := bells(); got != "seat-1 seat-2 seat-3 " {
		t.Errorf("later a bell is offered to %s", got)
	}
}

// Tables differ in a hint to one seat: in its text, or in whether there is one. All other viewers get the same bytes,
// and the messages to the broker have the same sizes.
func TestAHintIsForItsSeatAlone(t *testing.T) {
	tables := []*rig{gameWithHints(t, newMemory()), gameWithHints(t, newMemory()), gameWithHints(t, newMemory())}
	const canary = "CANARY of a hint to seat 2"
	tables[0].mustAct(engine.Host, hints.ActGive, "to", "seat-2", "text", canary)
	tables[1].mustAct(engine.Host, hints.ActGive, "to", "seat-2", "text", "b")
	tables[2].act(engine.Host, hints.ActGive, "to", "seat-9", "text", "") // refused, which is still a step for all viewers
	for i, r := range tables[1:] {
		for _, v := range []engine.Viewer{engine.Public, engine.SeatViewer(1), engine.SeatViewer(3)} {
			a, _ := tables[0].last().UpdateFor(v)
			b, _ := r.last().UpdateFor(v)
			if x, y := asJSON(t, a), asJSON(t, b); x != y || strings.Contains(x, canary) {
				t.Errorf("table %d, %s can tell:\n%s", i+2, v, textDifference(x, y))
			}
		}
		a, b := sealedSizes(t, tables[0].last()), sealedSizes(t, r.last())
		if !slices.Equal(a, b) || len(tables[0].steps) != len(r.steps) {
			t.Errorf("table %d: sealed to %v and %v bytes, in %d and %d steps", i+2, a, b, len(tables[0].steps), len(r.steps))
		}
	}
	if u, _ := tables[0].last().UpdateFor(engine.SeatViewer(2)); !strings.Contains(asJSON(t, u), canary) {
		t.Error("seat 2 has no hint")
	}
}

// sealedSizes returns the sizes of the sealed views that one step sends to the broker.
func sealedSizes(t *testing.T, s Step) (n []int) {
	t.Helper()
	all, err := seal.NewRing(nil).SealViews(s.Epoch, s.UpdatesToSeal(nil), func(h wire.Handset) string { return h.String() })
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range all {
		n = append(n, len(x.Payload))
	}
	return n
}
