package house

import (
	"slices"
	"strings"
	"testing"

	"majordome/companion/wire"
	"majordome/engine"
)

// meterOf is what the host sees of a reader; false when nothing is tried.
func (r *rig) meterOf(role string) (wire.Meter, bool) {
	u, _ := r.house.loop.Snapshot(engine.Host)
	i := slices.IndexFunc(u.Meters, func(m wire.Meter) bool { return m.Role == role })
	if i < 0 {
		return wire.Meter{}, false
	}
	return u.Meters[i], true
}

// The host tries the readers with a card in the hand: the meter shows its number and how often it is read, and the table, which has
// its box checked meanwhile, hears nothing of it. A reader that is lost during the trial is told as ever.
func TestReadersAreTriedBeforeAGame(t *testing.T) {
	r := start(t, nil)
	card := tagOf(t, "role-murderer")
	r.host("box-check", engine.Args{"on": "yes"})
	r.host("try-readers", engine.Args{"on": "yes"})
	from := r.mark()
	r.put(engine.ReaderUrn, card)
	r.until(from, "the card in the meter", func(wire.Update) bool {
		m, ok := r.meterOf(engine.ReaderUrn)
		return ok && slices.Equal(m.Tags, []string{card.String()}) && m.Reads > m.Looks/10 && !m.Lost && m.Cards == 1
	})
	if u, _ := r.house.loop.Snapshot(engine.Host); u.Box == nil || u.Box.Last != "" {
		t.Errorf("a card of a trial is counted: %+v", u.Box)
	}
	if u, _ := r.house.loop.Snapshot(engine.Public); u.ForHost != nil {
		t.Error("everybody sees what lies in the urn")
	}
	r.sims[engine.ReaderShow].Unplug(0)
	r.until(from, "a lost reader", func(u wire.Update) bool {
		m, _ := r.meterOf(engine.ReaderShow)
		return lost(engine.ReaderShow, "lost")(u) && m.Lost && m.Losses == 1
	})
	r.sims[engine.ReaderShow].Plug()
	r.until(from, "it is back", func(wire.Update) bool { m, ok := r.meterOf(engine.ReaderShow); return ok && !m.Lost })
	r.sims[engine.ReaderUrn].Take(card)
	r.until(from, "an empty urn", func(wire.Update) bool { m, ok := r.meterOf(engine.ReaderUrn); return ok && len(m.Tags) == 0 })
	e := r.eyes[engine.ReaderUrn]
	e.mu.Lock()
	trial := e.watch
	e.mu.Unlock()
	r.host("try-readers", engine.Args{"on": "no"})
	if _, ok := r.meterOf(engine.ReaderUrn); ok {
		t.Error("it goes on")
	}
	// The house begins to look anew, and what it finds then nobody presents.
	e.await(t, "the house looks at an empty urn", func() bool { return e.watch != trial && e.settled && e.clear })
	from = r.mark()
	r.put(engine.ReaderUrn, card)
	r.until(from, "the card is counted again", func(wire.Update) bool {
		u, _ := r.house.loop.Snapshot(engine.Host)
		return u.Box != nil && u.Box.Last == "role-murderer"
	})
}

// In a game nothing that a card or a bad reading would change is counted: it would tell how many refusals were private.
func TestNothingIsCountedInAGame(t *testing.T) {
	r := roles(t, nil)
	before := counted(t, r)
	r.accepted(engine.ReaderShow, func() { r.put(engine.ReaderShow, tagOf(t, "role-innocent-1")) })
	if after := counted(t, r); after != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
}

// counted are the lines of the metrics that count cards and noise.
func counted(t *testing.T, r *rig) string {
	t.Helper()
	_, body := fetch(t, r, "/metrics")
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

// A trial that nobody ends, ends with the house.
func TestATrialEndsWithTheHouse(t *testing.T) {
	r := start(t, nil)
	r.host("try-readers", engine.Args{"on": "yes"})
	if !r.house.trial.Trying() {
		t.Error("none has begun")
	}
}
