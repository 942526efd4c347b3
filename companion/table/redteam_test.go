package table

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"majordome/companion/seal"
	"majordome/engine"
)

// GEN-004 on the other way in: an act of a phone that is refused for a reason
// that may be secret shows the others the same bytes, in the same number of
// updates, as an act that names no card at all. No update tells how many acts
// another viewer has sent.
func TestRefusalsOnPhonesLookAlike(t *testing.T) {
	secret := 0
	momentsOfEvenings(t, func(e *evening, m *memory, seed uint64, v engine.View) {
		if len(v.Active) == 0 {
			return
		}
		want := ""
		for _, card := range []string{"no-card", e.held(), e.held(), e.cards[e.dice.Intn(len(e.cards))]} {
			for _, act := range []string{"keep", "take", "leave", "destroy", "give", "deposit", "recover"} {
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

// A view of Huis Clos always fits the one size of sealed views; one that did not
// would show the table nothing. Eight players with the longest names that JSON
// makes longest.
func TestHuisClosFitsASealedView(t *testing.T) {
	most := 0
	for seed := range uint64(seeds(3, 60)) {
		e := newEvening(t, newMemory(), seed)
		e.named(8, strings.Repeat("<", 24))
		for range 400 {
			if e.play(); e.last().Public.View.Result != nil {
				break
			}
			for _, u := range e.last().Sealed() {
				most = max(most, len(asJSON(t, u)))
			}
			e.steps = slices.Delete(e.steps, 0, len(e.steps)-1)
		}
	}
	t.Logf("the largest view has %d bytes", most)
	if most > seal.ViewSize-4 {
		t.Errorf("a view of %d bytes, at most %d", most, seal.ViewSize-4)
	}
}

// named is sit with a name of one's choice.
func (e *evening) named(n int, name string) {
	e.t.Helper()
	for _, x := range e.books[0].Names() {
		if x.Kind == "character" && n > 0 {
			e.must(engine.Host, "sit", "seat", engine.Seat(n).String(), "name", name, "character", string(x.ID))
			n--
		}
	}
	e.must(engine.Host, "first", "seat", "seat-2")
	e.must(engine.Host, "begin")
}

// Design 7.2: an evening on a failing disk fills the log with trouble and names
// no card, no role and nobody's act.
func TestTheLogNamesNoCard(t *testing.T) {
	for seed := range uint64(seeds(3, 30)) {
		m := newMemory()
		e := newEvening(t, m, seed)
		var log strings.Builder
		e.core().Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		e.sit(5)
		for range 200 {
			e.stumble(m)
			if e.last().Public.Paused != nil && e.dice.Intn(3) == 0 {
				m.fail, e.desk.fail = "", true
				e.pass(2 * retryMax)
				e.act(engine.Host, actInvite, "seat", "seat-2")
				e.desk.fail = false
			}
		}
		for _, word := range append([]string{"murderer", "innocent", "HC-1", "deposit"}, e.cards...) {
			if strings.Contains(log.String(), word) {
				t.Errorf("seed %d: the log says %q:\n%s", seed, word, log.String())
			}
		}
		if !strings.Contains(log.String(), "paused") || !strings.Contains(log.String(), "no invitation") {
			t.Errorf("seed %d: nothing went wrong:\n%s", seed, log.String())
		}
	}
}
