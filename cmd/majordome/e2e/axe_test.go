package e2e_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"majordome/engine/words"
)

// checkAxe runs axe-core in a page; every violation is an error.
func (p *tab) checkAxe(t testing.TB, state string) {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("..", "..", "..", "companion", "web", "app", "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatalf("axe-core is not installed: make web: %v", err)
	}
	ctx, cancel := context.WithTimeout(p.ctx, 2*patience)
	defer cancel()
	if !evaluate[bool](p, `typeof window.axe === "object"`) {
		if err := chromedp.Do(ctx, chromedp.Evaluate[chromedp.Void](string(source)+";({})")); err != nil {
			t.Fatalf("%s: load axe-core: %v", p.name, err)
		}
	}
	found, err := chromedp.Run(ctx, chromedp.Evaluate[string](
		`axe.run(document, { resultTypes: ["violations"] }).then((r) => JSON.stringify(r.violations.map((v) =>
			v.id + " (" + v.help + "): " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + " | " +
				(n.any[0]?.message ?? n.all[0]?.message ?? n.none[0]?.message ?? "")).join("; "))))`, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("%s: axe-core: %v", p.name, err)
	}
	var violations []string
	if err := json.Unmarshal([]byte(found), &violations); err != nil {
		t.Fatal(err)
	}
	for _, v := range violations {
		t.Errorf("%s, %s: %s", p.name, state, v)
	}
	if len(violations) > 0 {
		p.savePicture("failed-" + p.name)
	}
}

// TestAxe checks every page with axe-core, and plays the set-up without readers on the way.
func TestAxe(t *testing.T) {
	t.Parallel()
	for _, lang := range whole(words.EN) {
		t.Run(string(lang), func(t *testing.T) {
			r := enter(t, startDemo(t), startBrowser(t), lang)
			p, say := r.phones[0], r.phrase
			for _, q := range []*tab{r.host, r.screen, r.bench, p} {
				q.checkAxe(t, "lobby")
			}
			r.host.tap("button", say("ui.act.begin"))
			r.host.tap("button", say("host.act.draw-roles"))
			r.host.tap("button", say("host.act.deal"))
			p.waitForText(say("hc.prompt.pick.you"))
			p.checkAxe(t, "hand")
			for _, q := range []*tab{r.host, r.screen, r.bench} {
				q.waitForText(say("hc.prompt.pick", "seat", players[0]))
				q.checkAxe(t, "pick")
			}
			p.tap("button", say("ui.act.keep"))
			p.waitForElement("dialog", say("ui.act.keep"))
			p.checkAxe(t, "choosing sheet")
			p.tap("button", say("ui.close"))
			p.waitForNoElement("dialog", say("ui.act.keep"))
			for _, page := range [][2]string{
				{"phone.tab.know", "phone.know.title"},
				{"ui.tab.story", "ui.story.title"},
				{"ui.tab.manor", "ui.manor.places"},
			} {
				p.tap("button", say(page[0])+"*")
				p.waitForText(say(page[1]))
				p.checkAxe(t, page[0])
			}
			p.tap("button", say("ui.tab.hand"))
			r.choose(p, "keep", isClue)
			r.screen.waitForText(say("hc.log.kept", "seat", players[0]))
			if s := p.text(); strings.Contains(s, "ui.") || strings.Contains(s, "hc.") {
				t.Errorf("a key instead of words: %s", s)
			}
		})
	}
}

// appearance is one way in which a page is shown.
type appearance struct {
	name    string
	letters int64 // pixels of the browser's default font size, which is 16
	zoom    int64 // a page zoomed to twice its size has half as many pixels
	whole   bool  // every sample is checked, also one that is made of parts of others
}

// setFontSize sets the default font size of the browser, in pixels; the page's letters follow it.
func (p *tab) setFontSize(size int64) {
	p.t.Helper()
	p.runActions("sets its letters", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, page.SetFontSizes, page.SetFontSizesParams{FontSizes: &page.FontSizes{Standard: size}})
		return err
	}))
	p.waitUntil("its letters grow", fmt.Sprintf(`getComputedStyle(document.body).fontSize === "%gpx"`, float64(size)*17/16))
}

// TestAccessible checks with axe-core every sample of every page (src/dev), and every sheet and list that its keys
// open: as they are, with letters twice as large, and zoomed to 200 %. Each sample is checked in one language and
// appearance by turns; a long run checks all of them in each.
func TestAccessible(t *testing.T) {
	t.Parallel()
	soak := len(whole(words.FR)) > 1
	url := startSamples(t)
	b := startBrowser(t)
	for page, size := range map[string][2]int64{
		"phone":  phoneSize,
		"table":  tableSize,
		"host":   laptopSize,
		"bench":  laptopSize,
		"tables": laptopSize,
		"tour":   laptopSize,
	} {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			own := (&browser{t: t, ctx: b.ctx}).private() // the pages share no storage
			own.noTree = true
			own.newPlayers = true // the samples of a first evening explain the game
			p := own.open(page, url+"?page="+page, size)
			p.waitUntil("its samples", "window.samples?.length > 0")
			views, sheets, samples, turn := 0, 0, evaluate[[]string](p, "window.samples"), 0
			for _, how := range []appearance{{"plain", 16, 1, soak}, {"zoomed", 16, 2, soak}, {"large", 32, 1, soak}} {
				p.runActions("is "+how.name,
					chromedp.EmulateViewport(size[0]/how.zoom, size[1]/how.zoom, chromedp.EmulateScale(float64(how.zoom))))
				p.setFontSize(how.letters)
				for _, lang := range words.Langs {
					anew := soak
					for i, sample := range samples {
						if !soak && i%6 != turn {
							continue
						}
						found := p.crawlSample(t, sample, how, lang, anew)
						anew, views, sheets = false, views+found.Looked, sheets+found.Sheets
					}
					turn++
				}
			}
			t.Logf("%s: %d samples, %d pictures, %d of them sheets", page, len(samples), views, sheets)
		})
	}
}

// crawlResult is the report of the samples' page (src/dev/crawl.ts).
type crawlResult struct {
	Looked, Sheets int
	Wrong          []string
}

// crawlSample shows a sample and all that can be reached from it, and reports each violation that axe-core finds.
func (p *tab) crawlSample(t *testing.T, sample string, how appearance, lang words.Lang, anew bool) (found crawlResult) {
	t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 20*patience)
	defer cancel()
	said, err := chromedp.Run(ctx, chromedp.Evaluate[string](
		fmt.Sprintf("look(%q, %q, { anew: %t, whole: %t })", sample, lang, anew, how.whole), chromedp.EvalAwaitPromise))
	if err == nil {
		err = json.Unmarshal([]byte(said), &found)
	}
	if err != nil {
		t.Fatalf("%s, %s: %v", p.name, sample, err)
	}
	for _, wrong := range found.Wrong {
		t.Errorf("%s, %s, %s: %s", p.name, how.name, lang, wrong)
	}
	return found
}
