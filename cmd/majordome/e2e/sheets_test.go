package e2e_test

import (
	"bytes"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"majordome/engine/words"
)

// onScreens lists, for each page, the sizes of common screens.
var onScreens = map[string][][2]int64{
	"phone":  {{360, 640}, phoneSize},
	"table":  {{1280, 800}, tableSize, {1080, 1920}},
	"host":   {smallSize, phoneSize, {1280, 800}, tableSize},
	"bench":  {{1280, 800}, tableSize},
	"tables": {{360, 640}, {1280, 800}, tableSize},
	"tour":   {phoneSize, {1280, 800}, laptopSize, tableSize},
}

var noFileName = regexp.MustCompile(`[^\w-]+`)

// TestSheets photographs every sample of every page (src/dev) on common screens, in both languages, into
// artefacts/states, and puts the pictures of each page and screen on contact sheets, for a person to check. With
// MAJORDOME_BEFORE=DIR, the moved folder states of an earlier run, the sheets have only the pictures that have
// changed, each next to the earlier one.
func TestSheets(t *testing.T) {
	if !filmed() {
		t.Skip("SKIPPED: thousands of pictures: MAJORDOME_PICTURES=1, or make soak")
	}
	url := startSamples(t)
	b := startBrowser(t)
	b.newPlayers = true // the samples of a first evening explain the game
	states := filepath.Join(artefacts(t), "states")
	before := os.Getenv("MAJORDOME_BEFORE")
	if before != "" && !filepath.IsAbs(before) {
		before = filepath.Join(artefacts(t), "..", before)
	}
	if before == states {
		t.Fatal("MAJORDOME_BEFORE is where the new pictures go: put the earlier ones elsewhere")
	}
	for name, screens := range onScreens {
		t.Run(name, func(t *testing.T) {
			p := b.open(name, url+"?page="+name, screens[0])
			defer p.close()
			p.waitUntil("its samples", "window.samples?.length > 0")
			samples := evaluate[[]string](p, "window.samples")
			for _, size := range screens {
				p.runActions("resize", chromedp.EmulateViewport(size[0], size[1]))
				for _, lang := range words.Langs {
					shelf := filepath.Join(states, fmt.Sprintf("%s-%dx%d-%s", name, size[0], size[1], lang))
					var plates []plate
					for _, sample := range samples {
						p.runActions("show "+sample,
							chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`stand(%q, %q)`, sample, lang), chromedp.EvalAwaitPromise))
						now := photograph(t, p)
						file := filepath.Join(shelf, noFileName.ReplaceAllString(sample, "_")+".png")
						writeFile(t, file, now)
						one := plate{sample: sample, now: file}
						if before != "" {
							one.was = filepath.Join(before, filepath.Base(shelf), filepath.Base(file))
							was, err := os.ReadFile(one.was)
							if err == nil && bytes.Equal(was, now) {
								continue
							}
							if err != nil {
								one.sample, one.was = sample+" (new)", ""
							}
						}
						plates = append(plates, one)
					}
					b.sheets(t, shelf, size, plates, before != "")
				}
			}
		})
	}
}

// plate is a picture of a sample, and its earlier one.
type plate struct{ sample, now, was string }

// sheets puts pictures next to one another on as many pages as they need, with room for two on each plate if wanted.
func (b *browser) sheets(t *testing.T, shelf string, size [2]int64, plates []plate, two bool) {
	t.Helper()
	old, _ := filepath.Glob(shelf + "-[0-9][0-9].*")
	for _, sheet := range old { // an earlier run may have had more
		if err := os.Remove(sheet); err != nil {
			t.Fatal(err)
		}
	}
	const wide, high = 1920, 1400
	width := int64(300)
	if size[0] > size[1] {
		width = 460
	}
	each := width // pixels of one plate
	if two {
		each = 2*width + 4
	}
	fit := int((wide / (each + 12)) * max(1, high/(width*size[1]/size[0]+34)))
	tab := b.open("sheet", anonymous, [2]int64{wide, high})
	defer tab.close()
	for n := 0; n*fit < len(plates); n++ {
		var of strings.Builder
		fmt.Fprintf(
			&of, `<!doctype html><meta charset="utf-8"><style>body{margin:6px;background:#444;color:#fff;font:15px sans-serif;
display:flex;flex-wrap:wrap;gap:8px}
figure{margin:0;width:%dpx;display:flex;flex-wrap:wrap;gap:4px;align-content:start}figcaption{width:100%%}img{width:%dpx}</style>`, each,
			width)
		for _, one := range plates[n*fit : min(len(plates), (n+1)*fit)] {
			of.WriteString("<figure><figcaption>" + html.EscapeString(one.sample) + "</figcaption>")
			for _, file := range []string{one.was, one.now} {
				if file != "" {
					of.WriteString(`<img src="file://` + file + `">`)
				}
			}
			of.WriteString("</figure>")
		}
		page := fmt.Sprintf("%s-%02d", shelf, n+1)
		writeFile(t, page+".html", []byte(of.String()))
		tab.runActions("opens a sheet", chromedp.Navigate("file://"+page+".html"))
		tab.waitUntil("all its pictures", `[...document.images].every((i) => i.complete && i.naturalWidth > 0)`)
		writeFile(t, page+".png", photograph(t, tab))
	}
	t.Logf("%s: %d pictures", filepath.Base(shelf), len(plates))
}

// photograph returns a picture of the visible page.
func photograph(t *testing.T, p *tab) []byte {
	t.Helper()
	png, err := p.png()
	if err != nil {
		t.Fatalf("%s is not photographed: %v", p.name, err)
	}
	return png
}

func writeFile(t *testing.T, file string, what []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, what, 0o644); err != nil {
		t.Fatal(err)
	}
}
