package e2e_test

import (
	"os"
	"testing"

	"majordome/engine"
	"majordome/engine/cluedo"
	"majordome/engine/words"
)

// TestOwnEdition plays a Cluedo that came in a file, with its own names, sizes, sentences and rule, on every page:
// both witnesses answer, a card is drawn, and the accusation at the pool is checked.
func TestOwnEdition(t *testing.T) {
	t.Parallel()
	const file = "../../../engine/cluedo/testdata/phare/phare.yaml"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	d, err := cluedo.ParseDeck(file, text)
	if err != nil {
		t.Fatal(err)
	}
	book, err := cluedo.New(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, lang := range whole(words.FR) {
		t.Run(string(lang), func(t *testing.T) {
			q := &inquest{room: open(t, startDemo(t, "--deck", file), startUnpainted(t), lang, "phare", book.Names(), 3)}
			q.pictures("lobby", q.phones[anne])
			q.host.tap("button", q.phrase("ui.act.begin"))
			solution := []engine.ID{"medecin", "sextant", "corne"}
			for _, card := range solution {
				q.seal(card)
			}
			q.deal()
			q.rollForFirst()
			q.pictures("turn", q.phones[anne])
			q.roll(q.waitForPrompt(anne, "start"), "6", "4")
			q.enterRoom(anne, "cambuse")
			q.allAnswer(solution)
			q.endTurn(anne)
			q.roll(q.waitForPrompt(bruno, "start"), "?", "6")
			q.draw(bruno, "vent")
			q.enterRoom(bruno, "puits")
			p := q.waitForPrompt(bruno, "act")
			q.openSheet(p, "accuse")
			q.nameAccused(p, solution...)
			q.screen.waitForText(q.phrase("ui.solution"))
			q.checkEnd("C8-190", "cl.over.right")
		})
	}
}

// allAnswer plays Anne's hypothesis, which names cards of the others where it can: each of them is asked, even after
// a card was shown (PN-080).
func (q *inquest) allAnswer(solution []engine.ID) {
	q.t.Helper()
	suspect, weapon := solution[0], solution[1]
	if held := q.hand(bruno, "suspect"); len(held) > 0 {
		suspect = held[0]
	}
	if held := q.hand(chloe, "weapon"); len(held) > 0 {
		weapon = held[0]
	}
	q.waitForPrompt(anne, "act")
	q.suppose(anne, suspect, weapon)
	for _, seat := range []int{bruno, chloe} {
		p := q.waitForPrompt(seat, "answer")
		q.pictures("answer", p)
		shows := engine.ID("")
		for _, card := range q.hand(seat, "suspect", "weapon", "room") {
			if card == suspect || card == weapon || card == "cambuse" {
				shows = card
			}
		}
		if shows == "" {
			p.tap("button", q.phrase("ui.act.none"))
			q.waitForAnswer(seat, "none")
			continue
		}
		before := q.startCensus()
		q.present(shows, "ui.bench.spot.show")
		q.waitForAnswer(seat, "shown")
		q.checkUnrevealed(before, "a card shown")
		if got := q.peek(anne, seat); got != shows {
			q.t.Errorf("Anne was shown %s and reads %s", shows, got)
		}
	}
}
