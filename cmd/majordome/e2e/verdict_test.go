package e2e_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"majordome/engine"
	"majordome/engine/words"
)

// TestVerdict judges a wrong accusation and a right one of a Super Cluedo: the display plays
// each as a scene, and every phone is covered before it tells how it went (SC-093, SC-095).
func TestVerdict(t *testing.T) {
	t.Parallel()
	for _, lang := range whole(words.EN) {
		t.Run(string(lang), func(t *testing.T) {
			q := enterSuper(t, lang, "verdict")
			q.host.tap("button", q.say("ui.act.begin"))
			for seat, faces := range [][2]string{{"1", "2"}, {"1", "3"}, {"6", "6"}} { // Chloé deals
				q.roll(q.asked(seat, "dealer"), faces[0], faces[1])
			}
			solution := []engine.ID{"suspect-violet", "weapon-corde", "room-bureau"}
			for _, card := range solution {
				q.seal(card)
			}
			q.laid(q.say("display.phase.turn"))
			q.judged(anne, "wrong", []engine.ID{"suspect-violet", "weapon-corde", "room-7"}, q.say("display.verdict.wrong"))
			q.uncovers(q.say("table.scene"))
			q.judged(bruno, "right", solution,
				q.name(string(solution[0])), q.name(string(solution[1])), q.name(string(solution[2])), q.say("display.verdict.right"), q.say("ui.solution"))
			q.uncovers(q.say("table.scene"), q.say("cl.over.right", "seat", players[bruno]))
			q.ends("SC-099", "cl.over.right")
		})
	}
}

// judged is an accusation that nobody hears: the display says these one after the other.
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

// uncovers waits until every phone has said these, each first after the one before.
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
