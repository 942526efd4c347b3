package game

import (
	"testing"

	"majordome/companion/wire"
)

// TestShownStepsStay: the updates of a step share lists with each other, with the game and with the deck. Nothing
// that comes later may change a step that was shown, nor its offers.
func TestShownStepsStay(t *testing.T) {
	whole := func(s Step) string { return asJSON(t, append([]wire.Update{s.Public}, s.UpdatesToSeal(nil)...)) }
	for _, g := range games {
		e := newEvening(t, g, newMemory(), 1)
		e.seatAndBegin(g.most)
		var shown []string
		for range 80 {
			e.play()
			for _, s := range e.steps[len(shown):] {
				shown = append(shown, whole(s))
			}
		}
		for i, was := range shown {
			if now := whole(e.steps[i]); now != was {
				t.Fatalf("%s, seed 1: step %d of %d has changed: %s", g.id, i, len(shown), textDifference(was, now))
			}
		}
	}
}
