package e2e_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestHostFits checks every sample of the host's page on phones and larger screens: nothing is pushed out of the
// page, no name or word is cut, and each code can be scanned whole, large, and clear of the bars; the code of an open
// step without a touch.
func TestHostFits(t *testing.T) {
	t.Parallel()
	p := openSamples(t, "host", "host", smallSize)
	for _, size := range [][2]int64{smallSize, phoneSize, {1024, 768}, {1280, 800}} {
		p.runActions("has this size", chromedp.EmulateViewport(size[0], size[1]))
		ctx, cancel := context.WithTimeout(p.ctx, 3*patience)
		defer cancel()
		type looks struct {
			Wrong        []string
			Codes, Names int
		}
		found, err := chromedp.Run(ctx, chromedp.Evaluate[looks](`(async () => {
			const Wrong = [];
			let Codes = 0, Names = 0;
			for (const sample of window.samples) for (const lang of ["fr", "en"]) {
				await stand(sample, lang);
				const box = (e) => e.getBoundingClientRect(), wrong = (what) => Wrong.push([sample, lang, what].join(", "));
				if (document.documentElement.scrollWidth > innerWidth) wrong("wider than the page");
				if (document.documentElement.scrollHeight > innerHeight) wrong("the window scrolls past the page");
				for (const e of document.querySelectorAll("#app *")) {
					if (e.closest("svg, input, textarea, select, .sr, details:not([open])") || !e.checkVisibility() ||
						e.childElementCount > 0 && ![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())) continue;
					Names++;
					const style = getComputedStyle(e);
					if (style.overflowX !== "visible" && style.overflowX !== "auto" && style.display !== "inline" && e.clientWidth > 1 &&
						e.scrollWidth > e.clientWidth + 1) wrong("cut: " + e.textContent.trim());
				}
				for (const e of document.querySelectorAll("li .who i, li .who .state")) {
					const letters = document.createRange();
					letters.selectNodeContents(e.firstChild ?? e);
					if (new Set([...letters.getClientRects()].map((r) => Math.round(r.top))).size > 1)
						wrong("squeezed by a key: " + e.textContent.trim());
				}
				for (const code of document.querySelectorAll("[role=img][aria-label*=QR]")) {
					if (!code.checkVisibility()) continue;
					Codes++;
					// nothing above it is to be read first
					const path = code.closest(".setup"), alone = path && box(path).top - box(document.querySelector("header")).top < 120;
					const covers = (bar) => box(bar).top > box(code).top && box(bar).top < box(code).bottom - 1;
					if (alone && [...document.querySelectorAll(".bar")].some(covers))
						wrong("a code that is not seen whole when the page opens");
					code.scrollIntoView({ block: "center" });
					const at = box(code);
					if (at.width < 200) wrong("a code of " + at.width + " pixels");
					if (at.top < 0 || at.bottom > innerHeight) wrong("a code runs out of the page");
					for (const bar of document.querySelectorAll(".bar")) {
						const over = Math.min(box(bar).bottom, at.bottom) - Math.max(box(bar).top, at.top);
						if (bar.checkVisibility() && over > 1) wrong("a bar covers " + Math.round(over) + " pixels of a code");
					}
				}
			}
			return { Wrong, Codes, Names };
		})()`, chromedp.EvalAwaitPromise))
		if err != nil {
			t.Fatal(err)
		}
		what := fmt.Sprintf("%dx%d", size[0], size[1])
		for _, wrong := range found.Wrong {
			t.Errorf("%s, %s", what, wrong)
		}
		if found.Codes == 0 || found.Names == 0 {
			t.Errorf("%s: %d codes, %d words: there is nothing to look at", what, found.Codes, found.Names)
		}
		t.Logf("%s: %d codes, %d words", what, found.Codes, found.Names)
	}
}
