package e2e_test

import (
	"context"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestBenchFits checks every sample of the bench on a small laptop: the cards in the hands are on the screen, and no name
// is broken or cut, except a very long one. The lobby without players has no hands.
func TestBenchFits(t *testing.T) {
	t.Parallel()
	p := openSamples(t, "bench", "bench", [2]int64{1280, 800})
	ctx, cancel := context.WithTimeout(p.ctx, 2*patience)
	defer cancel()
	wrong, err := chromedp.Run(ctx, chromedp.Evaluate[[]string](`(async () => {
		const wrong = [];
		for (const sample of window.samples) for (const lang of ["fr", "en"]) {
			await show(sample, lang);
			document.body.offsetHeight; // it asks for its fonts
			await document.fonts.ready;
			const hands = [...document.querySelectorAll("[data-spot^='hand:']")];
			if (hands.length < 2 && sample !== "bare") wrong.push(sample + ": no hands");
			for (const name of hands.map((h) => h.querySelector("h2 span"))) {
				const letters = document.createRange();
				letters.selectNodeContents(name);
				const lines = new Set([...letters.getClientRects()].map((r) => Math.round(r.top))).size;
				if (name.textContent.length < 12 && (name.scrollWidth > name.clientWidth + 1 && name.clientWidth > 0 || lines > 1))
					wrong.push([sample, lang, "name cut or broken", name.textContent].join(", "));
			}
			const cards = hands.flatMap((h) => [...h.querySelectorAll("button[data-tag]")]),
				low = Math.max(...cards.map((c) => c.getBoundingClientRect().bottom)) - innerHeight;
			if (low > 0) wrong.push([sample, lang, low + " pixels beyond the screen"].join(", "));
		}
		return wrong;
	})()`, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	for _, what := range wrong {
		t.Error(what)
	}
}
