package e2e_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/words"
)

// TestDisplay checks every moment of an evening on the table display: all of it fits on common screens.
func TestDisplay(t *testing.T) {
	t.Parallel()
	p := openSamples(t, "display", "table", tableSize)
	screens := map[string][2]int64{"large": tableSize, "small": {960, 540}, "tablet": {800, 480}, "upright": {1080, 1920}}
	evening := []string{"bare", "lobby", "hostless", "laying", "start", "play", "eight", "lost", "countdown", "shut,crime", "crime",
		"quiet", "count", "duel", "alarm", "curtain", "survivors", "nobody"}
	// "c-" is Cluedo; "!" is a deck without the drawing of its board.
	evening = append(evening, "c-dealing", "c-start", "c-move", "c-move!", "c-outside", "c-answer", "c-six", "c-shown", "c-pool",
		"c-seven,c-midnight", "c-accusing,c-wrong", "c-accusing,c-win", "c-writing,c-secret", "c-many", "c-win", "c-ten", "c-nobody")
	p.stopPainting()
	for _, sample := range evening {
		for _, lang := range words.Langs {
			p.showSample(sample, lang)
			for screen, size := range screens {
				p.resizeAndWait(size)
				comesToRest(t, func() []string { return p.layoutFaults(sample + ", " + string(lang) + ", " + screen) })
			}
			// On a phone the display may scroll down, never sideways.
			for _, size := range [][2]int64{phoneSize, {360, 640}} {
				p.resizeAndWait(size)
				comesToRest(t, func() (wrong []string) {
					if wide := evaluate[[]string](p, beyondFrame); len(wide) > 0 {
						wrong = append(wrong, fmt.Sprintf("%s, %s, %d wide: on the frame or beyond: %q", sample, lang, size[0], wide))
					}
					return wrong
				})
			}
		}
	}
}

// resizeAndWait gives the page this size, and waits for its layout. Measuring requests the fonts, and they load later.
func (p *tab) resizeAndWait(size [2]int64) {
	p.t.Helper()
	p.runActions("resize", chromedp.EmulateViewport(size[0], size[1]))
	laidOut := `innerWidth === %d && document.body.offsetHeight > 0 && document.fonts.status === "loaded"`
	p.waitUntil("the new size", fmt.Sprintf(laidOut, size[0]))
}

// showSample shows a sample of the display.
func (p *tab) showSample(sample string, lang words.Lang) {
	p.t.Helper()
	p.runActions("show "+sample, chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`show(%q, %q)`, sample, lang), chromedp.EvalAwaitPromise))
	p.waitUntil("the display of "+sample, `document.querySelector("main .table")`)
}

// TestScenes checks the great scenes, each as a still picture: they have the whole screen, and none of their parts
// overlaps another or leaves the frame, however many die and however long the names are.
func TestScenes(t *testing.T) {
	t.Parallel()
	p := openSamples(t, "scenes", "table", tableSize)
	p.stopPainting()
	scenes := []string{"shut-8,dead-8@3000", "shut-8,dead-8@5900", "c-accusing,c-win@12000", "c-accusing,c-wrong@9500",
		"c-writing,c-secret@12000", "c-seven,c-midnight@2000", "c-seven,c-midnight@9000"}
	for n := 1; n <= 8; n++ {
		scenes = append(scenes, fmt.Sprintf("shut-%d,dead-%d@9500", n, n))
	}
	for i, scene := range scenes {
		for _, lang := range whole(words.Langs[i%len(words.Langs)]) {
			p.showSample(scene, lang)
			p.waitUntil("the scene", `document.querySelector(".table.staging")`)
			for _, size := range [][2]int64{{1280, 800}, tableSize, {800, 1280}, {3840, 2160}, {960, 540}, {800, 480}} {
				p.resizeAndWait(size)
				comesToRest(t, func() (wrong []string) {
					for _, w := range evaluate[[]string](p, sceneFaults) {
						wrong = append(wrong, fmt.Sprintf("%s, %s, %d wide: %s", scene, lang, size[0], w))
					}
					return wrong
				})
				p.takeShot(fmt.Sprintf("scene-%s-%s-%d", scene, lang, size[0]))
			}
		}
	}
}

// TestFrontPage checks the front page with two to ten players, one or all dead, and long names: on the display it fits
// whole, and no part lies on another; on a phone it scrolls down, never sideways.
func TestFrontPage(t *testing.T) {
	t.Parallel()
	p := openSamples(t, "front", "table", tableSize)
	p.stopPainting()
	samples := evaluate[[]string](p, `window.samples.filter((s) => /^(c-)?front-/.test(s))`)
	if len(samples) < 10 {
		t.Fatalf("samples: %q", samples)
	}
	for i, sample := range samples {
		for _, lang := range whole(words.Langs[i%len(words.Langs)]) {
			p.showSample(sample, lang)
			p.waitUntil("the front page", `document.querySelector(".table.fronting .front")`)
			for _, size := range [][2]int64{{1280, 800}, tableSize, {800, 1280}, phoneSize, {360, 640}, {960, 540}, {800, 480}} {
				p.resizeAndWait(size)
				comesToRest(t, func() (wrong []string) {
					for _, w := range evaluate[[]string](p, frontFaults) {
						wrong = append(wrong, fmt.Sprintf("%s, %s, %d wide: %s", sample, lang, size[0], w))
					}
					return wrong
				})
			}
		}
	}
}

// frontFaults lists the parts of the front page that leave the display or overlap. A display as narrow as a phone
// scrolls down.
const frontFaults = `(() => {
	const table = document.querySelector("main .table"), box = table.getBoundingClientRect(), css = getComputedStyle(table);
	const right = box.right - parseFloat(css.paddingRight), bottom = box.bottom - parseFloat(css.paddingBottom);
	const all = (which) => [...table.querySelectorAll(which)];
	const named = (e) => e.textContent.trim().slice(0, 30) || e.className;
	const parts = all(".front header, .front h2, .front .house, .front figcaption, .front li, .fronts nav")
		.map((e) => [named(e), e.getBoundingClientRect(), e]);
	const across = (r, s) => Math.min(r.right, s.right) - Math.max(r.left, s.left);
	const down = (r, s) => Math.min(r.bottom, s.bottom) - Math.max(r.top, s.top);
	const overlap = (r, s) => Math.min(across(r, s), down(r, s)) > 1;
	const cut = (e) => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== "inline";
	const out = ([, r]) => r.width < 20 || r.right > right + 1 || r.bottom > bottom + 1;
	return [
		...(innerWidth >= 800 && document.querySelector("main").scrollHeight > innerHeight + 1 ? ["the page is beyond the screen"] : []),
		...parts.filter(out).map(([a, r]) => a + " leaves the frame: " + [r.left, r.top, r.right, r.bottom].map(Math.round)),
		...parts.flatMap(([a, r, e], i) => parts.slice(i + 1)
			.filter(([, s, f]) => !e.contains(f) && overlap(r, s)).map(([b]) => a + " lies on " + b)),
		...all(".front b, .front i, .front p, .front h2").filter(cut).map((e) => "cut: " + named(e)),
		...(document.querySelector(".front .house").getBoundingClientRect().height < 150 ? ["the house is too small"] : []),
	];
})()`

// sceneFaults lists the parts of a scene that leave the frame of the display, are cut, or overlap.
const sceneFaults = `(() => {
	const table = document.querySelector("main .table"), box = table.getBoundingClientRect(), css = getComputedStyle(table);
	const frame = { left: box.left + parseFloat(css.paddingLeft), top: box.top + parseFloat(css.paddingTop),
		right: Math.min(innerWidth, box.right) - parseFloat(css.paddingRight),
		bottom: Math.min(innerHeight, box.bottom) - parseFloat(css.paddingBottom) };
	const parts = [...table.querySelectorAll("aside li, aside h2, aside .where, aside .dial, .caption:not(:empty)")]
		.map((e) => [e.textContent.trim().slice(0, 30) || e.className, e.getBoundingClientRect(), e]).filter(([, r]) => r.width > 0);
	const by = (r, s) => Math.min(Math.min(r.right, s.right) - Math.max(r.left, s.left),
		Math.min(r.bottom, s.bottom) - Math.max(r.top, s.top));
	return [
		...parts
			.filter(([, r]) => r.left < frame.left - 1 || r.right > frame.right + 1 || r.top < frame.top - 1 || r.bottom > frame.bottom + 1)
			.map(([a, r]) => a + " leaves the frame: " + [r.left, r.top, r.right, r.bottom].map(Math.round)),
		...parts.flatMap(([a, r, e], i) => parts.slice(i + 1).filter(([, s, f]) => !e.contains(f) && by(r, s) > 1)
			.map(([b]) => a + " lies on " + b)),
		...[...table.querySelectorAll("aside b, aside i, aside h2, aside .face")]
			.filter((e) => e.scrollWidth > e.clientWidth + 1 ||
				e.scrollHeight > e.clientHeight + parseFloat(getComputedStyle(e).fontSize) / 2)
			.map((e) => "cut: " + e.textContent.trim()),
		...[...table.querySelectorAll("aside .face")]
			.filter((e) => e.getBoundingClientRect().width < Math.min(60, innerWidth / 18)).map(() => "a card is too small"),
	];
})()`

// beyondFrame lists the elements that reach beyond the right side of the display's frame; in the state, also words
// that leave their box.
const beyondFrame = `(() => {
	const table = document.querySelector("main .table"),
		right = table.getBoundingClientRect().right - parseFloat(getComputedStyle(table).paddingRight);
	return [...table.querySelectorAll("li, dl, dd, p, h2, b, button")].filter((e) => {
		const words = document.createRange();
		words.selectNodeContents(e);
		return e.textContent.trim() && (e.closest(".state") ? words : e).getBoundingClientRect().right > right + 1;
	}).map((e) => e.textContent.trim());
})()`

// comesToRest looks until there are no faults any more, at most 50 times: after a change of size a page measures its content
// again.
func comesToRest(t *testing.T, wrong func() []string) {
	t.Helper()
	all := wrong()
	for looks := 1; len(all) > 0 && looks < 50; looks++ {
		time.Sleep(100 * time.Millisecond)
		all = wrong()
	}
	for _, w := range all {
		t.Error(w)
	}
}

// layoutFaults lists layout faults: content beyond the screen, a side column under the players, house rules over the
// players, cut or broken names, and overlaps in the header.
func (p *tab) layoutFaults(what string) (wrong []string) {
	p.t.Helper()
	says := func(format string, args ...any) { wrong = append(wrong, what+": "+fmt.Sprintf(format, args...)) }
	if high := evaluate[int](p, `document.querySelector("main").scrollHeight - innerHeight`); high > 1 {
		says("%d pixels beyond the screen", high)
	}
	if low := evaluate[int](p, `(() => {
		const dock = document.querySelector("footer")?.getBoundingClientRect(), side = document.querySelector("aside");
		if (!dock || dock.bottom <= side.getBoundingClientRect().top) return 0;
		return Math.round(Math.max(...[...side.children].map((c) => c.getBoundingClientRect().bottom)) - dock.top);
	})()`); low > 1 {
		says("the side runs %d pixels under the players", low)
	}
	if over := evaluate[int](p, `(() => {
		const dock = document.querySelector("footer"), rules = document.querySelector(".table > section:has(> h2 + p)");
		return dock && rules ? Math.round(dock.getBoundingClientRect().bottom - rules.getBoundingClientRect().top) : 0;
	})()`); over > 1 {
		says("the house rules lie %d pixels on the players", over)
	}
	cut := evaluate[[]string](p,
		`[...document.querySelectorAll("footer b, footer i")].filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent)`)
	if len(cut) > 0 {
		says("cut: %q", cut)
	}
	if broken := evaluate[[]string](p, `[...document.querySelectorAll("footer b")].flatMap((e) => {
		const words = document.createRange(), text = e.firstChild;
		return [...text.data.matchAll(/[^\s-]+-?/g)].filter((w) => {
			words.setStart(text, w.index);
			words.setEnd(text, w.index + w[0].length);
			return words.getClientRects().length > 1;
		}).map(([w]) => w);
	})`); len(broken) > 0 {
		says("broken over two lines: %q", broken)
	}
	if over := evaluate[[]string](p, `(() => {
		const parts = [...document.querySelectorAll("header .tools button, header .time, header .note")]
			.map((e) => [e.textContent.trim(), e.getBoundingClientRect()]);
		const by = (r, s) => Math.min(Math.min(r.right, s.right) - Math.max(r.left, s.left),
			Math.min(r.bottom, s.bottom) - Math.max(r.top, s.top));
		return parts.flatMap(([a, r], i) => parts.slice(i + 1).filter(([, s]) => by(r, s) > 1)
			.map(([b, s]) => a + " on " + b + " by " + Math.round(by(r, s))));
	})()`); len(over) > 0 {
		says("in the head: %q", over)
	}
	return wrong
}

// TestDisplayOfACluedo plays the first steps of a Cluedo: the display draws the house of the deck, lights the rooms
// within reach of the roll, and shows the dice.
func TestDisplayOfACluedo(t *testing.T) {
	t.Parallel()
	d := startDemo(t, "--game", "cluedo-2008")
	host, fr := join(t, d.links["host"], engine.Host), speak(t, words.FR)
	screen := startBrowser(t).open("display", d.links["display"], tableSize)
	host.mustSend("begin", nil)
	host.mustSend("deal", nil)
	screen.waitForText(fr.phrase("display.phase.starting"))
	screen.waitUntil("the marked squares", `document.querySelectorAll("main .mark").length === 12`)
	host.mustSend("first", engine.Args{"seat": "seat-2"})
	host.waitFor("the first turn", func(u wire.Update) bool { return u.View.Phase == "turn" })
	screen.waitForText(fr.phrase("display.hour.none"))
	host.mustSend("roll", engine.Args{"dice": "6+6"})
	screen.waitForText(fr.phrase("display.points", "n", "12"))
	screen.waitUntil("rooms within reach", `document.querySelectorAll("main .room.reach").length > 0`)
	screen.takeShot("cluedo")
}
