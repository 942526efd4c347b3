package e2e_test

import (
	"slices"
	"testing"

	"github.com/chromedp/cdproto/input"

	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/words"
)

// shifts notes from now on by how much the page moves under the hand, whatever the
// browser excuses; the answer is the sum so far.
const shifts = `(() => {
	window.shifted ??= (() => {
		const s = { sum: 0, moved: [] };
		new PerformanceObserver((l) => l.getEntries().forEach((e) => { s.sum += e.value; s.moved.push(...e.sources.map((x) => x.node?.outerHTML?.slice(0, 120) ?? "?")); }))
			.observe({ type: "layout-shift" });
		return s;
	})();
	return JSON.stringify([window.shifted.sum, ...window.shifted.moved]);
})()`

// TestHandOnTheBench carries a card, and holds one to look at it, while the guide says
// something else and cards of the same heap come and go: nothing moves under the
// hand, and the card arrives.
func TestHandOnTheBench(t *testing.T) {
	t.Parallel()
	d, b, l := startDemo(t), startBrowser(t), speak(t, words.FR)
	room, host := d.bench(), join(t, d.links["host"], engine.Host)
	page := b.open("bench", d.links["bench"], [2]int64{1280, 800})
	page.says(l.say("ui.bench.guide.begin"))
	box := room.until("the box", func(wire.Bench) bool { return true }).Cards
	box = slices.DeleteFunc(slices.Clone(box), func(c wire.BenchCard) bool { return c.Kind != "clue" })
	down := l.say("ui.bench.card.in", "card", l.say("ui.bench.card.down"), "spot", l.say("ui.bench.spot.box"))
	at := func(card wire.BenchCard, spot string) func(wire.Bench) bool {
		return func(s wire.Bench) bool {
			return slices.ContainsFunc(s.Cards, func(c wire.BenchCard) bool { return c.Tag == card.Tag && c.Spot == spot })
		}
	}
	// Whatever happens at the table meanwhile: the heap loses cards on both sides and gets them back in
	// another order, and the guide has more to say.
	plug, begun := "unplug", false
	still := func(while string) {
		t.Helper()
		before := ask[string](page, shifts)
		for _, spot := range []string{wire.SpotGone, wire.SpotBox} {
			for _, i := range []int{4, 6, 0, 9} {
				room.do(wire.BenchAct{Act: "move", Card: box[i].Tag, Spot: spot})
				room.until("a card elsewhere", at(box[i], spot))
			}
		}
		room.do(wire.BenchAct{Act: plug, Reader: engine.ReaderUrn})
		if plug = "plug"; !begun {
			begun = true
			host.must("begin", nil)
		} else {
			host.must("draw-roles", nil)
		}
		page.until("some frames", `(window.framed ??= 0, requestAnimationFrame(() => window.framed++), window.framed % 20 === 19)`)
		if after := ask[string](page, shifts); after != before {
			t.Errorf("the page moved while %s: %s, before %s", while, after, before)
		}
	}
	hand := l.say("ui.bench.spot.hand", "name", "Anne")
	to := page.find(nth("region", hand, 0))
	from := page.take(back(box[5].Tag, down))
	page.mouse(input.DispatchMouseEventTypeMouseMoved, spot{from.X + (to.X-from.X)/2, from.Y + (to.Y-from.Y)/2}, 1)
	still("a card is carried")
	page.mouse(input.DispatchMouseEventTypeMouseMoved, to, 1)
	page.lift(to)
	room.until("the card in the hand", at(box[5], "hand:seat-1"))

	face := back(box[7].Tag, down)
	page.hold(face, func() {
		page.says(box[7].Name.FR)
		still("a card is looked at")
		page.says(box[7].Name.FR)
	})
}
