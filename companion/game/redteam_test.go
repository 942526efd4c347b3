package game

import (
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"

	"majordome/companion/master/seats"
	"majordome/engine"
)

// GEN-004 for phones: an act that is refused for a reason that may be secret gives the other viewers the same bytes
// in the same number of updates as an act that names no card. No update shows how many acts another viewer has sent.
func TestRefusalsOnPhonesLookAlike(t *testing.T) {
	forEachGame(t, func(t *testing.T, g game) { comparePhoneRefusals(t, g) })
}

func comparePhoneRefusals(t *testing.T, g game) {
	secret := 0
	momentsOfEvenings(t, g, func(e *evening, m *memory, seed uint64, v engine.View) {
		if len(v.Active) == 0 || e.dice.Intn(3) != 0 {
			return
		}
		want := ""
		for _, card := range []string{"no-card", e.heldCard(), e.heldCard(), e.cards[e.dice.Intn(len(e.cards))]} {
			for _, act := range e.naming {
				others, refused := e.actOnCopy(m, engine.SeatViewer(v.Active[0]), act, card)
				if !refused {
					continue // accepted, or refused for a public reason
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

// actOnCopy does an act on a copy of the table and returns what all other viewers see of it.
func (e *evening) actOnCopy(m *memory, by engine.Viewer, act, card string) (others string, refused bool) {
	twin := newRig(e.t, m.copy(), e.books...)
	n := len(twin.steps)
	out := twin.act(by, act, "card", card)
	if out.OK || twin.last().Public.Notice != nil {
		return "", false
	}
	return twin.updatesExcept(n, by), true
}

// updatesExcept returns what all viewers but one have seen since the n-th step.
func (r *rig) updatesExcept(n int, but engine.Viewer) string {
	var all strings.Builder
	for _, s := range r.steps[n:] {
		for _, u := range append(s.UpdatesToSeal(nil), s.Public) {
			if u.View.Viewer == but.String() {
				continue
			}
			if u.Seq != 0 {
				r.t.Fatalf("%s is shown the act numbers of another", u.View.Viewer)
			}
			fmt.Fprintln(&all, asJSON(r.t, u))
		}
	}
	return all.String()
}

// C8-158, GEN-003: until the constant delay is over only the seat that is asked can know whether and how it has
// answered: a card at the reader, the same card on its phone, another card, or none. Each time there is one update
// for all.
func TestAnswersLookAlike(t *testing.T) {
	answers := 0
	momentsOfEvenings(t, games[1], func(e *evening, m *memory, seed uint64, v engine.View) {
		if v.Case == nil || v.Case.Step != engine.StepAnswer || v.Mood == engine.MoodCount {
			return
		}
		by := engine.SeatViewer(v.Active[0])
		u, _ := e.last().UpdateFor(by)
		ways := map[string]func(*rig) bool{}
		for _, o := range engine.AllowedOffers(u.View.Offers) {
			switch o.Act {
			case "none":
				ways["none"] = func(r *rig) bool { return r.act(by, "none").OK }
			case "answer":
				cards := []string{o.Fixed["card"]}
				if len(o.Params) > 0 {
					cards = o.Params[0].Domain
				}
				for _, card := range cards {
					ways["a phone: "+card] = func(r *rig) bool { return r.act(by, "answer", "card", card).OK }
					ways["a reader: "+card] = func(r *rig) bool {
						step := r.core().lastStep
						presentCards(r, engine.ReaderShow, card)
						return r.core().lastStep > step
					}
				}
			}
		}
		if ways["none"] == nil {
			return // a card that must be shown is shown at once
		}
		want := ""
		for _, way := range slices.Sorted(maps.Keys(ways)) {
			twin := newRig(t, m.copy(), e.books...)
			n := len(twin.steps)
			if !ways[way](twin) {
				continue
			}
			if len(twin.steps) != n+1 {
				t.Fatalf("seed %d: %d updates after %s", seed, len(twin.steps)-n, way)
			}
			answers++
			got := twin.updatesExcept(n, by)
			if want == "" {
				want = got
			}
			if got != want {
				t.Fatalf("seed %d: others can tell %s: %s", seed, way, textDifference(got, want))
			}
		}
	})
	t.Logf("%d answers compared", answers)
	if answers < 30 {
		t.Error("too few answers")
	}
}

// C8-002, C8-004: the player who deals over the reader gets a confirmation of each card, although the public view
// does not change.
func TestDealtCardsAreAcknowledged(t *testing.T) {
	e := newEvening(t, games[1], newMemory(), 1)
	for i, who := range []string{"suspect-rose", "suspect-olive", "suspect-leblanc"} {
		e.mustAct(engine.Host, "sit", "seat", engine.Seat(i+1).String(), "name", numberedName("P", i), "character", who)
	}
	e.mustAct(engine.Host, "begin")
	for _, card := range []string{"suspect-violet", "weapon-hache", "room-spa", "weapon-corde"} {
		presentCards(e.rig, engine.ReaderShow, card)
		if n := e.last().Public.Notice; n == nil || n.Signal != "accepted" {
			t.Errorf("%s: the table is shown %+v", card, n)
		}
	}
}

// Design 7.2: an evening on a failing disk fills the log with errors, and the log names no card, no role and no
// player's act.
func TestTheLogNamesNoCard(t *testing.T) {
	forEachGame(t, func(t *testing.T, g game) {
		for seed := range uint64(eveningCount(2, 30)) {
			m := newMemory()
			e := newEvening(t, g, m, seed)
			var log strings.Builder
			e.core().Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
			e.seatAndBegin(g.least + 1)
			for range 200 {
				e.playOnFailingDisk(m)
				if e.last().Public.Paused != nil && e.dice.Intn(3) == 0 {
					m.fail, e.desk.fail = "", true
					e.passTime(2 * retryMax)
					e.act(engine.Host, seats.ActInvite, "seat", "seat-2")
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
