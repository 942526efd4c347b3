package e2e_test

import (
	"testing"

	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/words"
)

// TestTurnTaps counts the touches of a turn with real dice, on a small phone: one to the room where the key is pulled
// and two by taps, and three for the hypothesis, whose question opens unasked, in every Cluedo.
func TestTurnTaps(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		game engine.ID
		room string
	}{{"cluedo-2008", "room-spa"}, {"super-cluedo", "room-bureau"}, {"cluedo-classic", "room-salon"}} {
		for _, lang := range whole(words.FR) {
			t.Run(string(c.game)+"-"+string(lang), func(t *testing.T) {
				q := &inquest{room: open(t, startDemo(t, "--game", string(c.game)), startUnpainted(t), lang, "taps-"+string(c.game),
					namesOf(t, c.game), 3)}
				q.setUpUnread(c.game)
				p := q.phones[anne]
				p.waitForText(q.phrase("cl.prompt.start.said"))
				film := q.film + "-" + string(lang)
				p.resize(film+"-start", phoneSize, smallSize)
				evaluate[int](p, `(window.taps = 0, addEventListener("pointerdown", (e) => e.isTrusted && window.taps++, true), 0)`)
				taps := func(want int, what string) {
					t.Helper()
					if got := evaluate[int](p, "window.taps"); got != want {
						t.Errorf("%d touches %s, want %d", got, what, want)
					}
				}
				q.openSheet(p, "move-said")
				p.resize(film+"-room", phoneSize, smallSize)
				p.waitForElement("button", q.name(c.room))
				p.tap("button", q.phrase("ui.close"))
				p.waitForNoElement("dialog", q.phrase("ui.act.move-said"))
				taps(2, "to look at the rooms")
				p.glide(nthElement("button", q.phrase("ui.act.move-said"), 0), func() string {
					return nthElement("button", q.name(c.room), 0)
				})
				p.waitForElement("dialog", q.phrase("ui.act.hypothesis"))
				taps(2+1, "to the hypothesis")
				p.resize(film+"-act", phoneSize, smallSize)
				p.tap("button", q.name("suspect-rose"))
				p.tap("button", q.name("weapon-corde"))
				p.tap("button", q.phrase("ui.act.hypothesis"))
				q.screen.waitForText(q.phrase("display.hypothesis", "seat", players[anne]))
				taps(2+1+3, "to the end of it")
			})
		}
	}
}

// setUpUnread plays a table whose cards no reader sees up to the first turn, which is Anne's.
func (q *inquest) setUpUnread(game engine.ID) {
	q.t.Helper()
	q.host.tap("button", q.phrase("ui.act.begin"))
	if game == "super-cluedo" { // Chloé deals
		q.host.tap("button", players[chloe])
	}
	q.host.tap("button", q.phrase("host.act.sealed"))
	q.host.tap("button", q.phrase("host.act.dealt"))
	if game == "cluedo-2008" {
		q.host.tap("button", players[anne])
	}
	q.public.waitFor("the first turn", func(u wire.Update) bool { return u.View.Phase == "turn" })
}
