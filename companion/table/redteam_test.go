package table

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"majordome/engine"
)

// GEN-004 on the other way in: an act of a phone that is refused for a reason
// that may be secret shows the others the same bytes, in the same number of
// updates, as an act that names no card at all. No update tells how many acts
// another viewer has sent.
func TestRefusalsOnPhonesLookAlike(t *testing.T) {
	each(t, func(t *testing.T, g game) { refusalsOnPhones(t, g) })
}

func refusalsOnPhones(t *testing.T, g game) {
	secret := 0
	momentsOfEvenings(t, g, func(e *evening, m *memory, seed uint64, v engine.View) {
		if len(v.Active) == 0 || e.dice.Intn(3) != 0 {
			return
		}
		want := ""
		for _, card := range []string{"no-card", e.held(), e.held(), e.cards[e.dice.Intn(len(e.cards))]} {
			for _, act := range e.naming {
				others, refused := e.tried(m, engine.At(v.Active[0]), act, card)
				if !refused {
					continue // accepted, or refused for a reason that everybody is told
				}
				if want == "" {
					want = others
				}
				if card != "no-card" {
					secret++
				}
				if others != want {
					t.Fatalf("seed %d, phase %s: others can tell a refused %s:\n%s\n%s", seed, v.Phase, act, others, want)
				}
			}
		}
	})
	if secret == 0 {
		t.Error("no act was refused in private")
	}
}

// tried acts on a copy of the table and gives what all others see of it.
func (e *evening) tried(m *memory, by engine.Viewer, act, card string) (others string, refused bool) {
	twin := newRig(e.t, m.copy(), e.books...)
	n := len(twin.steps)
	out := twin.act(by, act, "card", card)
	if out.OK || twin.last().Public.Notice != nil {
		return "", false
	}
	var all strings.Builder
	fmt.Fprintln(&all, len(twin.steps)-n)
	for _, u := range append(twin.last().Sealed(), twin.last().Public) {
		if u.View.Viewer == by.String() {
			continue
		}
		if u.Seq != 0 {
			e.t.Fatalf("%s is told the act numbers of another", u.View.Viewer)
		}
		fmt.Fprintln(&all, asJSON(e.t, u))
	}
	return all.String(), true
}

// Design 7.2: an evening on a failing disk fills the log with trouble and names
// no card, no role and nobody's act.
func TestTheLogNamesNoCard(t *testing.T) {
	each(t, func(t *testing.T, g game) {
		for seed := range uint64(seeds(2, 30)) {
			m := newMemory()
			e := newEvening(t, g, m, seed)
			var log strings.Builder
			e.core().Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
			e.sit(g.least + 1)
			for range 200 {
				e.stumble(m)
				if e.last().Public.Paused != nil && e.dice.Intn(3) == 0 {
					m.fail, e.desk.fail = "", true
					e.pass(2 * retryMax)
					e.act(engine.Host, actInvite, "seat", "seat-2")
					e.desk.fail = false
				}
			}
			for _, word := range slices.Concat([]string{"murderer", "innocent", "HC-1", "C8-1"}, e.naming, e.cards) {
				if strings.Contains(log.String(), word) {
					t.Errorf("seed %d: the log says %q:\n%s", seed, word, log.String())
				}
			}
			if !strings.Contains(log.String(), "paused") || !strings.Contains(log.String(), "no invitation") {
				t.Errorf("seed %d: nothing went wrong:\n%s", seed, log.String())
			}
		}
	})
}
