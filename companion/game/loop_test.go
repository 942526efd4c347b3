package game

import (
	"strings"
	"testing"
	"time"

	"majordome/companion/master/seats"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// Design 3: a step is decided, recorded, and then shown, with one update for each viewer.
func TestEveryStepShowsEveryViewer(t *testing.T) {
	m := newMemory()
	r := playing(t, m, 3)
	before := len(r.steps)
	r.dropInUrn("card-1")
	if len(r.steps) != before+1 {
		t.Fatalf("%d steps for one card", len(r.steps)-before)
	}
	s := r.last()
	if len(s.SeatUpdates()) != 3 || len(s.UpdatesToSeal(nil)) != 4 {
		t.Fatalf("%d seats", len(s.SeatUpdates()))
	}
	for i, u := range append(s.UpdatesToSeal(nil), s.Public) {
		if u.Epoch != 1 || u.Rev != s.Rev || u.V != wire.Version || u.View.Urn != 1 {
			t.Errorf("update %d: epoch %d rev %d urn %d", i, u.Epoch, u.Rev, u.View.Urn)
		}
		if u.Notice == nil || u.Notice.Signal != signalAccepted || u.Notice.Reader != engine.ReaderUrn {
			t.Errorf("update %d: the reader's light is %+v", i, u.Notice)
		}
		if strings.Contains(asJSON(t, u), "null") {
			t.Errorf("update %d has a null list: %s", i, asJSON(t, u))
		}
	}
	if got := s.SeatUpdates()[0].View.Me.Hand; len(got) != 1 || got[0].Card != "card-1" {
		t.Errorf("seat 1 sees %v", got)
	}
	if strings.Contains(asJSON(t, s.Public)+asJSON(t, s.Host)+asJSON(t, s.SeatUpdates()[1]), "card-1") {
		t.Error("somebody else sees the card")
	}
	if u, ok := r.loop.Snapshot(engine.SeatViewer(1)); !ok || u.Rev != s.Rev {
		t.Error("the snapshot is not the last step")
	}
	if _, ok := r.loop.Snapshot(engine.SeatViewer(9)); ok {
		t.Error("a snapshot of an empty seat")
	}
}

// GEN-003, GEN-004, GEN-E06, design 7.3: at the urn a good card, a forbidden one, a bad read, a foreign tag and two
// tags at once are answered after the same delay, with one step. Except for the good card, each looks the same to all
// but the seat that is to act.
func TestUrnAnswersAlikeAndAtTheSameTime(t *testing.T) {
	var neutral string
	for _, c := range []struct {
		name string
		tags []Tag
		rule string // of the seat's private notice; "" for the accepted card
	}{
		{"forbidden for a secret reason", tags("bad"), "HC-050"},
		{"unreadable", nil, "GEN-E08"},
		{"foreign", tags("?bank"), "GEN-E08"},
		{"two cards", tags("card-1", "card-2"), "GEN-E06"},
		{"a card and a foreign tag", tags("card-1", "?bank"), "GEN-E06"},
		{"accepted", tags("card-1"), ""},
	} {
		m := newMemory()
		r := playing(t, m, 3)
		writes, before := m.writes, len(r.steps)
		began := r.clock.at
		r.core().presentTags(r.clock.at, engine.ReaderUrn, c.tags)
		r.passTime(defaultUrnWindow - time.Millisecond)
		if len(r.steps) != before {
			t.Errorf("%s: answered before the window closed", c.name)
		}
		r.passTime(time.Millisecond)
		if len(r.steps) != before+1 || r.clock.at.Sub(began) != defaultUrnWindow {
			t.Fatalf("%s: %d steps after the window", c.name, len(r.steps)-before)
		}
		s := r.last()
		if c.rule == "" {
			if m.writes != writes+1 || s.Public.Notice.Signal != signalAccepted {
				t.Errorf("%s: %d writes, %+v", c.name, m.writes-writes, s.Public.Notice)
			}
			continue
		}
		if m.writes != writes {
			t.Errorf("%s: a refused card was written", c.name)
		}
		others := asJSON(t, s.Public) + asJSON(t, s.SeatUpdates()[1]) + asJSON(t, s.SeatUpdates()[2]) + asJSON(t, s.Host)
		if neutral == "" {
			neutral = others
		}
		if others != neutral {
			t.Errorf("%s: others can tell:\n%s\n%s", c.name, others, neutral)
		}
		own := s.SeatUpdates()[0].Notice
		if own == nil || !own.Private || own.Rule != c.rule || own.Signal != signalAgain || own.N != s.Public.Notice.N {
			t.Errorf("%s: the seat hears %+v", c.name, own)
		}
	}
}

// GEN-E06: all tags in the slot within the window, which starts with the first tag, are one presentation. The same
// tag read again does not count twice.
func TestWindowGathersTags(t *testing.T) {
	m := newMemory()
	r := playing(t, m, 2)
	n := len(r.steps)
	r.core().presentTags(r.clock.at, engine.ReaderUrn, tags("card-1"))
	r.passTime(300 * time.Millisecond)
	r.core().presentTags(r.clock.at, engine.ReaderUrn, nil) // noise of a card as it falls
	r.core().presentTags(r.clock.at, engine.ReaderUrn, tags("card-1"))
	r.passTime(200 * time.Millisecond)
	if len(r.steps) != n+1 || r.last().Public.Notice.Signal != signalAccepted {
		t.Fatalf("one card with noise: %d steps, %+v", len(r.steps)-n, r.last().Public.Notice)
	}
	r.core().presentTags(r.clock.at, engine.ReaderUrn, tags("card-2"))
	r.passTime(499 * time.Millisecond)
	r.core().presentTags(r.clock.at, engine.ReaderUrn, tags("card-3"))
	r.passTime(time.Millisecond)
	if len(r.steps) != n+2 || r.last().Public.Notice.Signal != signalAgain {
		t.Errorf("two cards within the window: %d steps, %+v", len(r.steps)-n, r.last().Public.Notice)
	}
	// The number of tags in a presentation is limited.
	for i := range 100 {
		r.core().presentTags(r.clock.at, engine.ReaderUrn, []Tag{{UID: string(rune('a' + i))}})
	}
	if got := len(r.core().tagFields.windows[engine.ReaderUrn].tags); got != maxTags {
		t.Errorf("%d tags in one presentation", got)
	}
}

// A reading that had to wait in the queue is answered at the time that counts from its own moment.
func TestWindowCountsFromTheReading(t *testing.T) {
	r := playing(t, newMemory(), 2)
	seen := r.clock.at
	r.clock.at = seen.Add(400 * time.Millisecond)
	r.core().presentTags(seen, engine.ReaderUrn, tags("card-1"))
	n := len(r.steps)
	r.passTime(100 * time.Millisecond)
	if len(r.steps) != n+1 {
		t.Error("the window counted from the queue, not from the reading")
	}
}

func TestOtherReadersActAtOnce(t *testing.T) {
	r := playing(t, newMemory(), 2)
	n := len(r.steps)
	r.core().presentTags(r.clock.at, engine.ReaderShow, tags("card-1"))
	if len(r.steps) != n+1 || r.last().Public.Notice.Reader != engine.ReaderShow {
		t.Error("the refutation reader waited")
	}
}

// GEN-E11: a card that nothing waits for has no public effect.
func TestUnexpectedCard(t *testing.T) {
	m := newMemory()
	r := newRig(t, m)
	r.mustAct(engine.Host, "sit")
	writes, was, n := m.writes, comparableState(t, r.last()), len(r.steps)
	r.dropInUrn("card-1")
	if m.writes != writes || comparableState(t, r.last()) != was || len(r.steps) != n+1 {
		t.Error("something changed")
	}
	for _, u := range append(r.last().UpdatesToSeal(nil), r.last().Public) {
		if u.Notice != nil {
			t.Errorf("%s is shown %+v", u.View.Viewer, u.Notice)
		}
	}
}

func TestActs(t *testing.T) {
	for _, c := range []struct {
		name string
		by   engine.Viewer
		act  string
		args []string
		key  string // of the reason of the refusal
	}{
		{"the wrong seat", engine.SeatViewer(2), "deposit", []string{"card", "card-1"}, "toy.not-you"},
		{"the public", engine.Public, "open", nil, "table.not-you"},
		{"a scan from a phone", engine.SeatViewer(1), engine.ActScan, []string{"reader", "urn", "cards", "card-1"}, "table.unknown"},
		{"a scan from the host's page", engine.Host, engine.ActScan, []string{"reader", "urn", "cards", "card-1"}, "table.unknown"},
		{"a deadline from a phone", engine.SeatViewer(1), engine.ActDeadline, []string{"id", "bell-0"}, "table.unknown"},
		{"undo by a seat", engine.SeatViewer(1), actUndo, nil, "table.not-host"},
		{"an invitation by a seat", engine.SeatViewer(1), seats.ActInvite, []string{"seat", "seat-2"}, "table.not-host"},
		{"a new game by a seat", engine.SeatViewer(1), actNewGame, nil, "table.not-host"},
		{"a secret refusal", engine.SeatViewer(1), "deposit", []string{"card", "bad"}, "toy.secret"},
		{"a reason that is another seat's", engine.SeatViewer(1), "tell", nil, "table.refused"},
		{"no such act", engine.SeatViewer(1), "dance", nil, "toy.unknown"},
		{"an act out of its limits", engine.SeatViewer(1), strings.Repeat("x", 60), nil, "table.unknown"},
	} {
		m := newMemory()
		r := playing(t, m, 3)
		writes, was := m.writes, comparableState(t, r.last())
		out := r.act(c.by, c.act, c.args...)
		if out.OK || out.Reject == nil || out.Reject.Why.Key != c.key || out.ID != "x" {
			t.Errorf("%s: %+v", c.name, out.Reject)
		}
		if m.writes != writes || comparableState(t, r.last()) != was {
			t.Errorf("%s: something changed", c.name)
		}
	}
}

// Only Reject.To sees Reject.Why; the other viewers see Reject.Public.
func TestReasonOfARefusalReachesItsViewerAlone(t *testing.T) {
	r := playing(t, newMemory(), 3)
	r.act(engine.SeatViewer(1), "deposit", "card", "bad")
	s := r.last()
	if n := s.SeatUpdates()[0].Notice; n == nil || n.Msg.Key != "toy.secret" || !n.Private {
		t.Errorf("the seat hears %+v", n)
	}
	for _, u := range []wire.Update{s.Public, s.SeatUpdates()[1], s.SeatUpdates()[2], s.Host} {
		if u.Notice == nil || u.Notice.Msg.Key != "gen.again" || u.Notice.Rule != ruleNeutral || u.Notice.Private {
			t.Errorf("%s hears %+v", u.View.Viewer, u.Notice)
		}
	}
	out := r.act(engine.SeatViewer(1), "tell")
	if out.Reject.Rule != ruleNeutral || strings.Contains(asJSON(t, out), "HC-099") {
		t.Errorf("the actor reads another seat's reason: %+v", out.Reject)
	}
	s = r.last()
	if n := s.SeatUpdates()[1].Notice; n == nil || n.Msg.Key != "toy.of-seat-2" {
		t.Errorf("seat 2 hears %+v", n)
	}
	if s.SeatUpdates()[0].Notice != nil || s.Public.Notice != nil {
		t.Error("others hear of it")
	}
}

// A replayed act changes nothing, is refused as a replay, and is shown to no viewer.
func TestReplayedAct(t *testing.T) {
	m := newMemory()
	r := playing(t, m, 2)
	act := wire.Act{ID: "a", Seq: 5, Act: "deposit", Args: engine.Args{"card": "card-1"}}
	if out := r.send(wire.FirstPhoneOf(engine.SeatViewer(1)), act); !out.OK {
		t.Fatal(out.Reject)
	}
	if got := r.last().SeatUpdates()[0].Seq; got != 5 {
		t.Errorf("seq %d in the update", got)
	}
	writes, steps := m.writes, len(r.steps)
	for _, seq := range []uint64{5, 4, 0} {
		act.Seq = seq
		if out := r.send(wire.FirstPhoneOf(engine.SeatViewer(1)), act); out.OK || out.Reject.Why.Key != "gen.replayed" {
			t.Errorf("seq %d: %+v", seq, out)
		}
	}
	if m.writes != writes || len(r.steps) != steps {
		t.Error("a replayed act had an effect")
	}
	// The number of a refused act is used up as well: the act must not succeed later.
	act = wire.Act{ID: "b", Seq: 1, Act: "deposit", Args: engine.Args{"card": "bad"}}
	r.send(wire.FirstPhoneOf(engine.SeatViewer(2)), act)
	if out := r.send(wire.FirstPhoneOf(engine.SeatViewer(2)), act); out.Reject.Why.Key != "gen.replayed" {
		t.Errorf("a refused act came again: %+v", out.Reject)
	}
}

// An act that was held back on its way does not count any more once the view that its sender saw was replaced for actLife. Its number
// is used up. As long as nothing happens, an act may take any time.
func TestActThatWasHeldBack(t *testing.T) {
	m := newMemory()
	r := playing(t, m, 2)
	one := wire.FirstPhoneOf(engine.SeatViewer(1))
	r.passTime(time.Hour) // the bell has rung
	seen := r.last().Rev
	r.passTime(time.Hour)
	if r.last().Rev != seen {
		t.Fatal("the view was replaced")
	}
	r.core().publish(notices{})
	replaced := r.clock.at
	for range 3 { // many newer views, of which the first counts
		r.clock.at = r.clock.at.Add(actLife / 3)
		r.core().publish(notices{})
	}
	act := wire.Act{ID: "a", Seq: 5, Rev: seen, Act: "deposit", Args: engine.Args{"card": "card-1"}}
	r.clock.at = replaced.Add(actLife + 1)
	r.core().publish(notices{})
	writes, steps := m.writes, len(r.steps)
	for i, why := range []string{"table.late", "gen.replayed"} {
		if out := r.send(one, act); out.OK || out.Reject.Why.Key != why {
			t.Errorf("try %d: %+v", i, out)
		}
	}
	if m.writes != writes || len(r.steps) != steps {
		t.Error("a late act had an effect")
	}
	act.Seq, act.Rev = 6, seen+1 // replaced later
	if out := r.send(one, act); !out.OK {
		t.Errorf("an act for a view that was replaced %v ago: %+v", r.clock.at.Sub(replaced.Add(actLife/3)), out.Reject)
	}
}

// Deadlines come back as commands at their moment, once.
func TestDeadlines(t *testing.T) {
	r := playing(t, newMemory(), 2)
	n := len(r.steps)
	r.passTime(time.Duration(bell)*time.Millisecond - 1)
	if len(r.steps) != n {
		t.Fatal("the bell rang early")
	}
	r.passTime(1)
	if len(r.steps) != n+1 || r.last().Public.View.Clock.At != 1 {
		t.Fatalf("%d steps, %d rings", len(r.steps)-n, r.last().Public.View.Clock.At)
	}
	r.passTime(time.Hour)
	if len(r.steps) != n+1 {
		t.Error("a deadline that is no longer listed came")
	}
	r.dropInUrn("card-1")
	r.passTime(time.Hour)
	if r.last().Public.View.Clock.At != 2 {
		t.Error("the second bell did not ring")
	}
}

func TestMachineState(t *testing.T) {
	r := playing(t, newMemory(), 2)
	r.loop.SetReaderState(engine.ReaderUrn, ReaderLost)
	one := wire.FirstPhoneOf(engine.SeatViewer(2))
	r.loop.SetOnline([]wire.Handset{{Viewer: engine.SeatViewer(2), N: 3}, wire.FirstPhoneOf(engine.SeatViewer(1)), one,
		wire.FirstPhoneOf(engine.Host), one, {}, {Viewer: engine.SeatViewer(2), N: 9}})
	n := len(r.steps)
	r.core().setMachineState(r.loop.machineState())
	r.core().setMachineState(r.loop.machineState())
	if len(r.steps) != n+1 {
		t.Errorf("%d steps", len(r.steps)-n)
	}
	table := asJSON(t, r.last().Public.Table)
	if table != `{"readers":{"show":"ok","urn":"lost"},"online":[1,2]}` {
		t.Error(table)
	}
	for i := range 50 {
		r.loop.SetReaderState(string(rune('a'+i)), ReaderOK)
	}
	if readers, _, _ := r.loop.machineState(); len(readers) > maxReaders {
		t.Errorf("%d readers", len(readers))
	}
	r.loop.SetOnline(nil)
	r.core().setMachineState(r.loop.machineState())
	if s := r.last(); strings.Contains(asJSON(t, s.Public)+asJSON(t, s.Host)+asJSON(t, s.SeatUpdates()), "null") {
		t.Error("nobody online is null")
	}
}

func TestResultIsKept(t *testing.T) {
	m := newMemory()
	r := playing(t, m, 1)
	r.dropInUrn("card-1")
	r.mustAct(engine.Host, "open")
	got := m.result[1]
	if got == nil || got.Rule != "T-8" || len(got.Winners) != 1 || got.Players[0] != "P1" {
		t.Fatalf("%+v", got)
	}
	r.mustAct(engine.Host, actUndo, "force", "yes")
	if m.result[1] != nil {
		t.Error("an undone end is still a result")
	}
}

func TestNewRefuses(t *testing.T) {
	quiet := publisher(func(Step) {})
	if _, err := New(newMemory(), quiet, []engine.Rulebook{toyBook{"toy"}}, &Opts{Desk: &desk{}}); err == nil {
		t.Error("a loop without an epoch")
	}
	if _, err := New(newMemory(), quiet, []engine.Rulebook{toyBook{"toy"}}, &Opts{Epoch: 1}); err == nil {
		t.Error("a loop without a desk")
	}
	if _, err := New(newMemory(), quiet, nil, &Opts{Epoch: 1, Desk: &desk{}}); err == nil {
		t.Error("a loop without a rulebook")
	}
	m := newMemory()
	if _, err := m.BeginGame("chess", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := New(m, quiet, []engine.Rulebook{toyBook{"toy"}}, &Opts{Epoch: 1, Desk: &desk{}}); err == nil ||
		!strings.Contains(err.Error(), "chess") {
		t.Errorf("a game of an unknown rulebook: %v", err)
	}
	m = newMemory()
	g, _ := m.BeginGame("toy", []store.Event{{Step: 1, Kind: "sat", Data: []byte("{secret")}})
	if _, err := New(m, quiet, []engine.Rulebook{toyBook{"toy"}}, &Opts{Epoch: 1, Desk: &desk{}}); err == nil ||
		strings.Contains(err.Error(), "secret") {
		t.Errorf("an event that cannot be read in game %d: %v", g.ID, err)
	}
}
