package e2e_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"majordome/companion/wire"
	"majordome/engine/words"
)

// handful counts the touches of each phone, by what they were for: a finger that goes down counts once, also when it
// holds or glides.
type handful struct {
	*room
	by [four]map[string]int
}

// touchedFor is the order of the columns of the table.
var touchedFor = []string{"move", "search", "take", "finish", "observe", "deposit", "recover"}

// count runs a step of a seat, and adds its touches to a column.
func (h *handful) count(seat int, what string, step func(p *tab)) {
	h.t.Helper()
	p := h.phones[seat]
	before := evaluate[int](p, "window.touches")
	step(p)
	h.by[seat][what] += evaluate[int](p, "window.touches") - before
}

// TestRoundTouches counts the touches of the first round of Huis Clos, when every player does everything by phone and
// has never played before.
func TestRoundTouches(t *testing.T) {
	t.Parallel()
	b := startUnpainted(t)
	b.newPlayers = true
	h := &handful{room: enter(t, startDemo(t), b, words.FR)}
	h.film = "touches"
	h.host.tap("button", h.phrase("ui.act.begin"))
	h.bench.tap("button", h.phrase("ui.bench.deal"))
	h.screen.waitForText(h.phrase("ui.display.phase.laying"))
	h.layAllByHand(h.phrase("ui.display.phase.pick"))
	any := func(string) bool { return true }
	for range four {
		_, p := h.waitForTurn(h.phrase("hc.prompt.pick.you"))
		h.choose(p, "keep", any)
		p.waitForNoText(h.phrase("hc.prompt.pick.you"))
	}
	for i, p := range h.phones {
		h.by[i] = map[string]int{}
		evaluate[int](p, `(window.touches = 0, addEventListener("pointerdown", (e) => e.isTrusted && window.touches++, true), 0)`)
	}
	for h.publicView().Clock.At == 1 {
		h.step()
	}
	for i, by := range h.by {
		all, line := 0, ""
		for _, what := range touchedFor {
			all += by[what]
			line += fmt.Sprintf(" %s %d,", what, by[what])
		}
		t.Logf("%s:%s together %d", players[i], line, all)
		if all > mostTouches {
			t.Errorf("%s: %d touches in the first round, want at most %d", players[i], all, mostTouches)
		}
	}
}

// mostTouches is the limit of one player's touches in a round.
const mostTouches = 12

// step does the next thing of the round.
func (h *handful) step() {
	h.t.Helper()
	if h.publicView().Prompt.Key == "hc.prompt.window" {
		h.observe()
		return
	}
	seat, what := h.waitForAnyPrompt()
	before := h.publicView().Prompt
	switch what {
	case "move":
		place := h.name("place-salon")
		if h.placeOf(seat) == "place-salon" {
			place = h.name("place-3")
		}
		h.count(seat, what, func(p *tab) {
			p.openQuestion(h.phrase("ui.act.move"))
			p.tap("button", place+" *")
		})
	case "act":
		h.count(seat, "search", func(p *tab) { h.doAtOnce(p, "search") })
	case "take":
		h.count(seat, what, func(p *tab) { h.chooseFirst(p, "take") })
	case "finish":
		h.count(seat, what, func(p *tab) { h.doAtOnce(p, "done") })
	case "deposit":
		h.count(seat, what, func(p *tab) { h.chooseFirst(p, "deposit") })
	case "reveal": // once for all
		h.phones[seat].tap("button", h.phrase("ui.act.open"))
		h.phones[seat].waitForText(h.phrase("ui.choose.sure"))
		h.phones[seat].tap("button", h.phrase("ui.act.open"))
	case "recovery":
		h.count(seat, "recover", func(p *tab) {
			p.openQuestion(h.phrase("ui.act.recover"))
			p.tap("button", h.name(string(h.publicView().Shown[0]))+"*")
		})
	case "lay":
		h.layRest(h.phones[seat])
	default:
		h.t.Fatalf("%s is asked for %s", players[seat], what)
	}
	h.public.waitFor("another question than "+what, func(u wire.Update) bool {
		return u.View.Prompt.Key != before.Key || u.View.Prompt.Args.Get("seat") != before.Args.Get("seat")
	})
}

// observe lets the seat before the active one come forward, if it may; else it waits for the end of the window.
func (h *handful) observe() {
	h.t.Helper()
	active := h.publicView().Active[0]
	seat := (int(active) - 2 + four) % four
	if h.publicView().Seats[seat].Place == h.publicView().Seats[active-1].Place && h.by[seat]["observe"] == 0 {
		h.count(seat, "observe", func(p *tab) { h.doAtOnce(p, "observe") })
	}
	h.public.waitFor("the end of the window", func(u wire.Update) bool { return u.View.Prompt.Key != "hc.prompt.window" })
}

// chooseFirst reads the cards of a blind question with a finger that glides to the first that is possible now, and confirms it.
func (h *handful) chooseFirst(p *tab, act string) {
	h.t.Helper()
	p.openQuestion(h.phrase("ui.act." + act))
	option, first := h.phrase("ui.choose.nth", "n", ""), 0
	p.glide(nthElement("button", h.phrase("ui.choose.read")+"*", 0), func() string {
		p.pollUntil("the name of a card that is possible now", func() bool {
			names := p.elementNames("button", option)
			first = slices.IndexFunc(names, func(n string) bool {
				return afterNumber(n, option) != "" && !strings.Contains(n, h.phrase("phone.tile.off"))
			})
			return first >= 0
		})
		return nthElement("button", option+"*", first)
	})
	p.tap("button", h.begins("ui.choose.confirm", "n")+"*")
	p.waitForNoElement("dialog", h.phrase("ui.act."+act))
}

// doAtOnce taps an act that asks nothing, and confirms it if the page wants that.
func (h *handful) doAtOnce(p *tab, act string) {
	h.t.Helper()
	rev, key := h.public.latest().Rev, h.phrase("ui.act."+act)
	p.tap("button", key)
	p.pollUntil("what comes of "+act, func() bool {
		if p.hasElement("dialog", key) && h.public.latest().Rev == rev {
			p.tap("button", key)
			p.waitForNoElement("dialog", key)
			return true
		}
		return h.public.latest().Rev > rev
	})
}
