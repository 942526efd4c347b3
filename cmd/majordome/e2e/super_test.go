package e2e_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/words"
)

func enterSuper(t *testing.T, lang words.Lang, film string) *inquest {
	t.Helper()
	return &inquest{room: open(t, startLively(t, "--game", "super-cluedo"), startUnpainted(t), lang, film, namesOf(t, "super-cluedo"), 3),
		words: map[string]string{"cl.prompt.start.you": "cl.prompt.start.free", "cl.prompt.move.you": "cl.prompt.move.exact",
			"cl.prompt.act.you": "cl.prompt.act.room.accuse", "cl.prompt.end.you": "cl.prompt.end.accuse"}}
}

// TestSuper plays a Super Cluedo of three on every page: the highest roll deals, the hands are dealt past a reader,
// both witnesses answer, and one opponent is spied on. The machine checks two accusations that only their seats have
// read, a wrong one and a right one: the display plays each as a scene, and every phone is covered before it shows
// the result (SC-006, SC-062, SC-076, SC-092, SC-093, SC-095).
func TestSuper(t *testing.T) {
	t.Parallel()
	for _, lang := range whole(words.FR) {
		t.Run(string(lang), func(t *testing.T) {
			q := enterSuper(t, lang, "super")
			q.pictures("lobby", q.phones[anne])
			q.presets()
			q.host.tap("button", q.phrase("ui.act.begin"))
			for seat, faces := range [][2]string{{"1", "2"}, {"1", "3"}, {"6", "6"}} { // Chloé deals
				q.roll(q.waitForPrompt(seat, "dealer"), faces[0], faces[1])
			}
			solution := []engine.ID{"suspect-violet", "weapon-corde", "room-bureau"}
			for _, card := range solution {
				q.seal(card)
			}
			before := q.startCensus()
			q.layAllByHand(q.phrase("display.phase.turn"))
			q.checkUnrevealed(before, "the deal")
			q.askAll(solution)
			q.spyOnChloe()
			q.accuseSilently(chloe, "wrong", []engine.ID{"suspect-violet", "weapon-corde", "room-7"}, q.phrase("display.verdict.wrong"))
			q.waitForUncovered(q.phrase("table.scene"))
			q.accuseSilently(anne, "right", solution,
				q.name(string(solution[0])), q.name(string(solution[1])), q.name(string(solution[2])), q.phrase("display.verdict.right"),
				q.phrase("ui.solution"))
			q.waitForUncovered(q.phrase("table.scene"), q.phrase("cl.over.right", "seat", players[anne]))
			q.checkEnd("SC-099", "cl.over.right")
		})
	}
}

// presets chooses each of the two texts of the rules with one tap of the host.
func (q *inquest) presets() {
	q.t.Helper()
	q.host.tap("button", q.phrase("host.step.rules")+"*")
	for _, text := range []string{"web", "booklet"} {
		q.host.tap("radio", q.name(text)+"*")
		q.public.waitFor("the house rules of "+text, func(u wire.Update) bool { return u.View.Switches["preset"] == text })
		q.host.takeShot("super-" + string(q.lang) + "-" + text)
	}
}

// askAll plays Anne's turn: she names a card of each of the others, if they have such cards, and each shows her one
// of the three.
func (q *inquest) askAll(solution []engine.ID) {
	q.t.Helper()
	q.pictures("turn", q.phones[anne])
	q.roll(q.waitForPrompt(anne, "start"), "4", "3")
	q.pictures("move", q.phones[anne])
	q.enterRoom(anne, "room-bureau")
	q.waitForPrompt(anne, "act")
	q.pictures("act", q.phones[anne])
	suspect := append(q.hand(bruno, "suspect"), solution[0])[0]
	weapon := append(q.hand(chloe, "weapon"), solution[1])[0]
	q.suppose(anne, suspect, weapon)
	named := []engine.ID{suspect, weapon, "room-bureau"}
	for _, seat := range []int{bruno, chloe} {
		p := q.waitForPrompt(seat, "answer")
		q.pictures("answer", p)
		before := q.startCensus()
		held := slices.DeleteFunc(q.hand(seat, "suspect", "weapon", "room"), func(c engine.ID) bool { return !slices.Contains(named, c) })
		if len(held) == 0 {
			p.tap("button", q.phrase("ui.act.none"))
			q.waitForAnswer(seat, "none")
			continue
		}
		card := held[0]
		q.present(card, "ui.bench.spot.show")
		q.waitForAnswer(seat, "shown")
		q.checkUnrevealed(before, "a card shown")
		if got := q.peek(anne, seat); got != card {
			q.t.Errorf("Anne was shown %s and reads %s", card, got)
		}
	}
	q.waitForPrompt(anne, "end")
	q.pictures("end", q.phones[anne])
	q.endTurn(anne)
}

// spyOnChloe plays Bruno's turn: on a spy square he sees a card of Chloé's choice, and goes on with the points that
// are left, from the Hall or from the room into which Anne has called his pawn.
func (q *inquest) spyOnChloe() {
	q.t.Helper()
	q.roll(q.waitForPrompt(bruno, "start"), "6", "6")
	p := q.waitForPrompt(bruno, "move")
	q.stopAt(bruno, 11, 8, "phone.where.stop.mark")
	q.waitForPrompt(bruno, "spy")
	q.pictures("spy", p)
	q.openSheet(p, "spy")
	p.tap("button", players[chloe]+"*")
	before := q.startCensus()
	q.waitForPrompt(chloe, "neighbour")
	q.pictures("spied", q.phones[chloe])
	card := q.hand(chloe, "suspect", "weapon", "room")[0]
	q.present(card, "ui.bench.spot.show")
	if got := q.peek(bruno, chloe); got != card {
		q.t.Errorf("Bruno was shown %s and reads %s", card, got)
	}
	q.checkUnrevealed(before, "a card shown to a spy")
	q.pictures("on", p)
	q.enterRoom(bruno, "room-7")
	q.waitForPrompt(bruno, "act")
	q.endTurn(bruno)
}

// accuseSilently plays an accusation that is not spoken: the display shows these texts one after the other.
func (q *inquest) accuseSilently(seat int, how string, cards []engine.ID, moments ...string) {
	q.t.Helper()
	p := q.waitForPrompt(seat, "start")
	q.openSheet(p, "accuse")
	scene := q.screen.recordText()
	for _, phone := range q.phones {
		phone.recordText()
	}
	q.nameAccused(p, cards...)
	for i, moment := range append([]string{q.phrase("display.verdict.accuses", "seat", players[seat])}, moments...) {
		scene(moment)
		q.screen.takeShot(fmt.Sprintf("verdict-%s-%s-%d", q.lang, how, i))
		if i == 0 {
			p.takeShot(fmt.Sprintf("verdict-%s-%s-covered", q.lang, how))
		}
	}
}

// waitForUncovered waits until every phone has shown these texts in this order and no longer shows the first.
func (q *inquest) waitForUncovered(said ...string) {
	q.t.Helper()
	list, err := json.Marshal(said)
	if err != nil {
		q.t.Fatal(err)
	}
	for _, p := range q.phones {
		p.waitUntil(p.name+" was covered",
			inPage+fmt.Sprintf(
				`((all) => all.every((at, i) => at >= 0 && (i === 0 || at > all[i - 1])))(%s.map((w) => window.said.indexOf(norm(w))))`,
				list)+"})()")
		p.waitForNoText(said[0])
	}
}
