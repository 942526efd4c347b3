package house

import (
	"slices"
	"strings"
	"testing"

	"majordome/companion/wire"
	"majordome/engine"
)

// readersPage returns the reader test that the office shows.
func (r *rig) readersPage() (shown wire.Trial) {
	r.t.Helper()
	r.doRow("readers", nil, &shown)
	return shown
}

// setTrial begins a reader test with "yes", or ends it.
func (r *rig) setTrial(on string) {
	r.t.Helper()
	r.doRow("readers-try", engine.Args{"on": on}, nil)
}

// meterOf returns the meter of a reader as the host sees it; false if no reader test is on.
func (r *rig) meterOf(role string) (wire.Meter, bool) {
	r.t.Helper()
	all := r.readersPage().Meters
	i := slices.IndexFunc(all, func(m wire.Meter) bool { return m.Role == role })
	if i < 0 {
		return wire.Meter{}, false
	}
	return all[i], true
}

// A reader test in the lobby sends no step, and ends when a game begins.
func TestReadersAreTried(t *testing.T) {
	t.Parallel()
	if rows := startRig(t, func(o *Opts) { o.Readers = nil }).house.readers.TestRows(); rows != nil {
		t.Errorf("a table that measures nothing is tried: %v", rows)
	}
	r := startRig(t, nil)
	if shown := r.readersPage(); shown.On || shown.Meters != nil {
		t.Errorf("shown before it began: %+v", shown)
	}
	before, _ := r.house.Loop.Snapshot(engine.Host)
	r.setTrial("yes")
	if shown := r.readersPage(); !shown.On || len(shown.Meters) != len(r.house.opts.Readers) {
		t.Errorf("%+v", shown)
	}
	// only the time since the reader answered changes each second
	if seen := r.watchRow("readers", ""); r.watchRow("readers", seen.Seen).Value == nil {
		t.Error("a device that follows the test gets no more updates")
	}
	if after, _ := r.house.Loop.Snapshot(engine.Host); after.Rev != before.Rev {
		t.Errorf("a trial is %d steps", after.Rev-before.Rev)
	}
	r.setTrial("no")
	if shown := r.readersPage(); shown.On || shown.Meters != nil {
		t.Errorf("the reader test goes on: %+v", shown)
	}
	r.setTrial("yes")
	r.mustHostAct("begin", nil)
	if shown := r.readersPage(); shown.On || shown.Meters != nil {
		t.Errorf("a game is measured: %+v", shown)
	}
	if a := r.askOffice("readers-try", engine.Args{"on": "yes"}); a.Why == nil || r.readersPage().On {
		t.Errorf("a game is measured: %+v", a)
	}
}

// The tags go to a reader test or to an enrolment: beginning one ends the other.
func TestReaderTestAndEnrolmentEndEachOther(t *testing.T) {
	t.Parallel()
	r := startRig(t, nil)
	r.setTrial("yes")
	r.openEnrolment(wire.EnrolCards)
	if r.readersPage().On {
		t.Error("an enrolled card goes to the reader test")
	}
	r.setTrial("yes")
	if e := r.enrolPage(); e.Open != nil || r.house.enrolment.AcceptsAllTags() || !r.readersPage().On {
		t.Errorf("a card of the reader test is enrolled: %+v", e)
	}
}

// The host tests the readers with a card in the hand: the meter shows its number and how often it is read. The table,
// whose box is being checked meanwhile, does not receive it. A reader that is lost during the test is reported as
// always.
func TestReadersAreTriedBeforeAGame(t *testing.T) {
	r := startRig(t, nil)
	card := tagOf(t, "role-murderer")
	r.mustHostAct("box-check", engine.Args{"on": "yes"})
	r.setTrial("yes")
	r.placeTags(engine.ReaderUrn, card)
	eventually(t, "no card in the meter", func() bool {
		m, ok := r.meterOf(engine.ReaderUrn)
		return ok && slices.Equal(m.Tags, []string{card.String()}) && m.Reads > m.Looks/10 && !m.Lost && m.Cards == 1
	})
	if u, _ := r.house.Loop.Snapshot(engine.Host); u.Box == nil || u.Box.Last != "" {
		t.Errorf("a card of a trial is counted: %+v", u.Box)
	}
	if u, _ := r.house.Loop.Snapshot(engine.Public); u.ForHost != nil {
		t.Error("everybody sees which cards are in the urn")
	}
	r.sims[engine.ReaderShow].Unplug(0)
	eventually(t, "no reader is lost", func() bool {
		m, _ := r.meterOf(engine.ReaderShow)
		u, _ := r.house.Loop.Snapshot(engine.Public)
		return hasReaderState(engine.ReaderShow, "lost")(u) && m.Lost && m.Losses == 1
	})
	r.sims[engine.ReaderShow].Plug()
	eventually(t, "the reader is not back", func() bool { m, ok := r.meterOf(engine.ReaderShow); return ok && !m.Lost })
	r.sims[engine.ReaderUrn].RemoveTag(card)
	eventually(t, "no empty urn", func() bool { m, ok := r.meterOf(engine.ReaderUrn); return ok && len(m.Tags) == 0 })
	e := r.eyes[engine.ReaderUrn]
	e.mu.Lock()
	trial := e.watch
	e.mu.Unlock()
	r.setTrial("no")
	if _, ok := r.meterOf(engine.ReaderUrn); ok {
		t.Error("the reader test goes on")
	}
	// The house begins a new watch, and a card that is there at its first look counts as presented by no player.
	e.waitUntil(t, "the house looks at an empty urn", func() bool { return e.watch != trial && e.settled && e.clear })
	from := r.mark()
	r.placeTags(engine.ReaderUrn, card)
	r.waitUpdate(from, "the card is counted again", func(wire.Update) bool {
		u, _ := r.house.Loop.Snapshot(engine.Host)
		return u.Box != nil && u.Box.Last == "role-murderer"
	})
}

// During a game nothing is counted that a card or a bad reading would change: it would show how many refusals were
// private.
func TestNothingIsCountedInAGame(t *testing.T) {
	r := startRoles(t, nil)
	before := cardMetrics(t, r)
	r.presentAccepted(engine.ReaderShow, func() { r.placeTags(engine.ReaderShow, tagOf(t, "role-innocent-1")) })
	if after := cardMetrics(t, r); after != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
}

// cardMetrics returns the lines of the metrics that count cards and noise.
func cardMetrics(t *testing.T, r *rig) string {
	t.Helper()
	_, body := fetchPage(t, r, "/metrics")
	var lines []string
	for line := range strings.Lines(body) {
		if strings.HasPrefix(line, "majordome_reader_cards_total") || strings.HasPrefix(line, "majordome_reader_noisy_total") {
			lines = append(lines, line)
		}
	}
	if len(lines) != 4 {
		t.Fatalf("two readers have the lines %q", lines)
	}
	return strings.Join(lines, "")
}

// A reader test that no one ends, ends with the house.
func TestReaderTestEndsWithTheHouse(t *testing.T) {
	r := startRig(t, nil)
	r.setTrial("yes")
	if !r.readersPage().On {
		t.Error("none has begun")
	}
}
