package e2e_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"majordome/engine/words"
)

// TestLargeText checks every sample with text at 200 %, both as a page zoomed to twice its size and with letters twice
// as large: no text is cut or lies on other text, and every key can be reached. Each way has a language and, on phones,
// a size of its own; a long run checks both languages.
func TestLargeText(t *testing.T) {
	t.Parallel()
	laptop := [2]int64{1280, 800}
	for page, sizes := range map[string][2][2]int64{"phone": {{360, 640}, phoneSize}, "host": {laptop, laptop}, "table": {laptop, laptop}} {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			p := openSamples(t, page, page, sizes[0])
			p.stopPainting()
			for i, how := range []appearance{{name: "zoomed", letters: 16, zoom: 2}, {name: "large", letters: 32, zoom: 1}} {
				p.runActions("is "+how.name, chromedp.EmulateViewport(sizes[i][0]/how.zoom, sizes[i][1]/how.zoom))
				p.setFontSize(how.letters)
				for _, lang := range whole(words.Langs[i]) {
					for _, wrong := range p.listLosses(lang) {
						t.Errorf("%s, %s", how.name, wrong)
					}
				}
			}
		})
	}
}

// listLosses shows all samples of a page in a language, and reports what each loses (src/dev/losses.ts).
func (p *tab) listLosses(lang words.Lang) []string {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 10*patience)
	defer cancel()
	found, err := chromedp.Run(ctx, chromedp.Evaluate[[]string](fmt.Sprintf(`(async () => {
		const found = [];
		for (const sample of window.samples) {
			found.push(...(await losses(sample, %[1]q)).map((what) => [sample, %[1]q, what].join(", ")));
		}
		return found;
	})()`, lang), chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatal(err)
	}
	return found
}
