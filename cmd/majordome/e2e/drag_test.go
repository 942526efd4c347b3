package e2e_test

import (
	"slices"
	"testing"

	"github.com/chromedp/cdproto/input"

	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/words"
)

// places notes the place of every element of the page, and at the second call lists the elements that moved. The
// browser's own layout-shift entries do not serve: they report nothing for a tab in the background, or while a finger
// is down.
const places = `((anew) => {
	if (anew) window.placed = new Map();
	const moved = [];
	for (const e of anew ? document.querySelectorAll("body *") : window.placed.keys()) {
		const r = e.getBoundingClientRect(), at = [r.x, r.y, r.width, r.height].map(Math.round).join(" ");
		if (anew) window.placed.set(e, at);
		else if (window.placed.get(e) !== at) moved.push(e.outerHTML.slice(0, 120) + ": " + window.placed.get(e) + ", now " + at);
	}
	return moved.length + " things moved: " + moved.slice(0, 5).join("; ");
})`

// watchLayout notes the place of every element; the function that it returns reports those that have moved since.
func (p *tab) watchLayout(t *testing.T) (reports func(while string)) {
	t.Helper()
	before := evaluate[string](p, places+"(true)")
	return func(while string) {
		t.Helper()
		evaluate[bool](p,
			`((function frames(n) { window.framed = n === 0 || (requestAnimationFrame(() => frames(n - 1)), false); })(20), true)`)
		p.waitUntil("some frames", `window.framed`)
		if after := evaluate[string](p, places+"(false)"); after != before {
			t.Errorf("%s: while %s: %s", p.name, while, after)
		}
	}
}

// TestHandOnTheBench carries a card, and holds one to look at it, while the guide changes its text and cards of the
// same heap come and go: nothing moves under the hand, and the card arrives.
func TestHandOnTheBench(t *testing.T) {
	t.Parallel()
	d, b, l := startDemo(t), startBrowser(t), speak(t, words.FR)
	room, host := d.bench(), join(t, d.links["host"], engine.Host)
	page := b.open("bench", d.links["bench"], [2]int64{1280, 800})
	page.waitForText(l.phrase("ui.bench.guide.begin"))
	box := room.waitFor("the box", func(wire.Bench) bool { return true }).Cards
	box = slices.DeleteFunc(slices.Clone(box), func(c wire.BenchCard) bool { return c.Kind != "clue" })
	down := l.phrase("ui.bench.card.in", "card", l.phrase("ui.bench.card.down"), "spot", l.phrase("ui.bench.spot.box"))
	at := func(card wire.BenchCard, spot string) func(wire.Bench) bool {
		return func(s wire.Bench) bool {
			return slices.ContainsFunc(s.Cards, func(c wire.BenchCard) bool { return c.Tag == card.Tag && c.Spot == spot })
		}
	}
	// Meanwhile the heap loses cards on both sides and gets them back in another order, and the guide has more to
	// say.
	plug, begun := "unplug", false
	still := func(while string) {
		t.Helper()
		reports := page.watchLayout(t)
		for _, spot := range []string{wire.SpotGone, wire.SpotBox} {
			for _, i := range []int{4, 6, 0, 9} {
				room.sendAct(wire.BenchAct{Act: "move", Card: box[i].Tag, Spot: spot})
				room.waitFor("a card elsewhere", at(box[i], spot))
			}
		}
		room.sendAct(wire.BenchAct{Act: plug, Reader: engine.ReaderUrn})
		if plug = "plug"; !begun {
			begun = true
			host.mustSend("begin", nil)
		} else {
			host.mustSend("draw-roles", nil)
		}
		reports(while)
	}
	hand := l.phrase("ui.bench.spot.hand", "name", "Anne")
	to := page.waitForPoint(nthElement("region", hand, 0))
	from := page.pressElement(cardBack(box[5].Tag, down))
	page.mouse(input.DispatchMouseEventTypeMouseMoved, spot{from.X + (to.X-from.X)/2, from.Y + (to.Y-from.Y)/2}, 1)
	still("a card is carried")
	page.mouse(input.DispatchMouseEventTypeMouseMoved, to, 1)
	page.lift(to)
	room.waitFor("the card in the hand", at(box[5], "hand:seat-1"))

	face := cardBack(box[7].Tag, down)
	page.holdWhile(face, func() {
		page.waitForText(box[7].Name.FR)
		still("a card is looked at")
		page.waitForText(box[7].Name.FR)
	})
}

// TestFingerOnThePhone holds a covered card, and the covered note sheet, while the table goes on and its own turn
// comes: nothing moves under the finger, and the new question is there when it is lifted.
func TestFingerOnThePhone(t *testing.T) {
	t.Parallel()
	l := speak(t, words.FR)
	b := startBrowser(t)
	still := func(d *demo, page *tab, thing, prompt, public string, goesOn func()) {
		t.Helper()
		room := d.bench()
		page.holdWhile(thing, func() {
			page.waitUntil("the page as it is held", `document.querySelector(".dim")`)
			reports := page.watchLayout(t)
			goesOn()
			room.sendAct(wire.BenchAct{Act: "unplug", Reader: engine.ReaderShow})
			room.waitFor("a lost reader", func(s wire.Bench) bool {
				return slices.ContainsFunc(s.Readers, func(r wire.BenchReader) bool { return r.Role == engine.ReaderShow && !r.Plugged })
			})
			screen := b.open("display", d.links["display"], tabletSize) // a text that the display shows has reached all pages
			screen.waitForText(public)
			reports("a finger is down")
		})
		page.waitForText(prompt)
	}

	d := startDemo(t)
	host, anne := join(t, d.links["host"], engine.Host), join(t, d.links["seat-1"], engine.SeatViewer(1))
	bruno := b.open("bruno", d.links["seat-2"], smallSize)
	bruno.waitForText(players[1])
	for _, act := range []string{"begin", "draw-roles", "deal"} {
		host.mustSend(act, nil)
	}
	bruno.waitForText(l.phrase("hc.prompt.pick", "seat", players[0]))
	u := anne.waitFor("her pick", func(u wire.Update) bool { return u.View.Phase == "pick" && len(u.View.Offers) > 0 })
	still(d, bruno, nthElement("button", l.phrase("ui.hand.role")+"*", 0), l.phrase("hc.prompt.pick.you"),
		l.phrase("hc.prompt.pick", "seat", players[1]), func() {
			anne.mustSend("keep", engine.Args{"card": u.View.Offers[0].Params[0].Domain[0]})
		})

	d = startDemo(t, "--game", "cluedo-2008")
	host = join(t, d.links["host"], engine.Host)
	bruno = b.open("bruno-notes", d.links["seat-2"], smallSize)
	bruno.waitForText(players[1])
	host.mustSend("begin", nil)
	host.mustSend("deal", nil)
	bruno.tap("button", l.phrase("phone.tab.notes"))
	still(d, bruno, nthElement("button", l.phrase("ui.choose.read")+"*", 0), l.phrase("cl.prompt.start.said"),
		l.phrase("cl.prompt.start", "seat", players[1]), func() {
			host.mustSend("first", engine.Args{"seat": "seat-2"})
		})
}
