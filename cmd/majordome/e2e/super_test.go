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
	return &inquest{room: open(t, startLively(t, "--game", "super-cluedo"), startBrowser(t), lang, film, namesOf(t, "super-cluedo"), 3),
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
			q.host.tap("button", q.say("ui.act.begin"))
			for seat, faces := range [][2]string{{"1", "2"}, {"1", "3"}, {"6", "6"}} { // Chloé deals
				q.roll(q.asked(seat, "dealer"), faces[0], faces[1])
			}
			solution := []engine.ID{"suspect-violet", "weapon-corde", "room-bureau"}
			for _, card := range solution {
				q.seal(card)
			}
			before := q.before()
			q.laid(q.say("display.phase.turn"))
			q.untold(before, "the deal")
			q.asksAll(solution)
			q.spies()
			q.judged(chloe, "wrong", []engine.ID{"suspect-violet", "weapon-corde", "room-7"}, q.say("display.verdict.wrong"))
			q.uncovers(q.say("table.scene"))
			q.judged(anne, "right", solution,
				q.name(string(solution[0])), q.name(string(solution[1])), q.name(string(solution[2])), q.say("display.verdict.right"), q.say("ui.solution"))
			q.uncovers(q.say("table.scene"), q.say("cl.over.right", "seat", players[anne]))
			q.ends("SC-099", "cl.over.right")
		})
	}
}

// presets chooses each of the two texts of the rules with one tap of the host.
func (q *inquest) presets() {
	q.t.Helper()
	q.host.tap("button", q.say("host.step.rules")+"*")
	for _, text := range []string{"web", "booklet"} {
		q.host.tap("radio", q.name(text)+"*")
		q.public.until("the house rules of "+text, func(u wire.Update) bool { return u.View.Switches["preset"] == text })
		q.host.shot("super-" + string(q.lang) + "-" + text)
	}
}

// askAll plays Anne's turn: she names a card of each of the others, if they have such cards, and each shows her one
// of the three.
func (q *inquest) asksAll(solution []engine.ID) {
	q.t.Helper()
	q.pictures("turn", q.phones[anne])
	q.roll(q.asked(anne, "start"), "4", "3")
	q.pictures("move", q.phones[anne])
	q.enters(anne, "room-bureau")
	q.asked(anne, "act")
	q.pictures("act", q.phones[anne])
	suspect := append(q.hand(bruno, "suspect"), solution[0])[0]
	weapon := append(q.hand(chloe, "weapon"), solution[1])[0]
	q.supposes(anne, suspect, weapon)
	named := []engine.ID{suspect, weapon, "room-bureau"}
	for _, seat := range []int{bruno, chloe} {
		p := q.asked(seat, "answer")
		q.pictures("answer", p)
		before := q.before()
		held := slices.DeleteFunc(q.hand(seat, "suspect", "weapon", "room"), func(c engine.ID) bool { return !slices.Contains(named, c) })
		if len(held) == 0 {
			p.tap("button", q.say("ui.act.none"))
			q.said(seat, "none")
			continue
		}
		card := held[0]
		q.present(card, "ui.bench.spot.show")
		q.said(seat, "shown")
		q.untold(before, "a card shown")
		if got := q.peeks(anne, seat); got != card {
			q.t.Errorf("Anne was shown %s and reads %s", card, got)
		}
	}
	q.asked(anne, "end")
	q.pictures("end", q.phones[anne])
	q.ended(anne)
}

// spyOnChloe plays Bruno's turn: on a spy square he sees a card of Chloé's choice, and goes on with the points that
// are left, from the Hall or from the room into which Anne has called his pawn.
func (q *inquest) spies() {
	q.t.Helper()
	q.roll(q.asked(bruno, "start"), "6", "6")
	p := q.asked(bruno, "move")
	q.stops(bruno, 11, 8, "phone.where.stop.mark")
	q.asked(bruno, "spy")
	q.pictures("spy", p)
	q.sheet(p, "spy")
	p.tap("button", players[chloe]+"*")
	before := q.before()
	q.asked(chloe, "neighbour")
	q.pictures("spied", q.phones[chloe])
	card := q.hand(chloe, "suspect", "weapon", "room")[0]
	q.present(card, "ui.bench.spot.show")
	if got := q.peeks(bruno, chloe); got != card {
		q.t.Errorf("Bruno was shown %s and reads %s", card, got)
	}
	q.untold(before, "a card shown to a spy")
	q.pictures("on", p)
	q.enters(bruno, "room-7")
	q.asked(bruno, "act")
	q.ended(bruno)
}

// accuseSilently plays an accusation that is not spoken: the display shows these texts one after the other.
func (q *inquest) judged(seat int, how string, cards []engine.ID, moments ...string) {
	q.t.Helper()
	p := q.asked(seat, "start")
	q.sheet(p, "accuse")
	scene := q.screen.record()
	for _, phone := range q.phones {
		phone.record()
	}
	q.accuses(p, cards...)
	for i, moment := range append([]string{q.say("display.verdict.accuses", "seat", players[seat])}, moments...) {
		scene(moment)
		q.screen.shot(fmt.Sprintf("verdict-%s-%s-%d", q.lang, how, i))
		if i == 0 {
			p.shot(fmt.Sprintf("verdict-%s-%s-covered", q.lang, how))
		}
	}
}

// waitForUncovered waits until every phone has shown these texts in this order and no longer shows the first.
func (q *inquest) uncovers(said ...string) {
	q.t.Helper()
	list, err := json.Marshal(said)
	if err != nil {
		q.t.Fatal(err)
	}
	for _, p := range q.phones {
		p.until(p.name+" was covered", inPage+fmt.Sprintf(`((all) => all.every((at, i) => at >= 0 && (i === 0 || at > all[i - 1])))(%s.map((w) => window.said.indexOf(norm(w))))`,
			list)+"})()")
		p.unsays(said[0])
	}
}
