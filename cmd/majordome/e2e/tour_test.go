package e2e_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"majordome/engine/words"
)

// frameSays waits until the page in a frame of this one shows a text.
func (p *tab) frameSays(name, says string) {
	p.t.Helper()
	p.waitUntil(name+" in its frame: "+says,
		fmt.Sprintf(`document.querySelector('iframe[name=%q]')?.contentDocument?.body?.innerText.toLowerCase().includes(%q.toLowerCase())`,
			name, says))
}

// TestTour checks that one page shows the table, two phones and the bench, each like a separate page: the phones take
// their seats automatically and keep them after a reload, and another one can replace the first.
func TestTour(t *testing.T) {
	t.Parallel()
	d, b, l := startDemo(t), startBrowser(t), speak(t, words.FR)
	p := b.open("tour", d.origin()+"/tour#b="+d.bench().token, laptopSize)
	stand := func() {
		t.Helper()
		p.frameSays("display", l.phrase("ui.display.lobby"))
		p.frameSays("seat-1", "Anne")
		p.frameSays("seat-2", "Bruno")
		p.frameSays("bench", l.phrase("ui.bench.spot.box"))
	}
	stand()
	p.waitForText(l.phrase("ui.tour.before"))
	p.checkAxe(t, "the tour")
	p.takeShot("tour")
	p.runActions("is loaded again", chromedp.Reload())
	stand()
	p.runActions("shows another phone", chromedp.Evaluate[chromedp.Void](
		`(() => {
			const s = document.querySelector("section select");
			s.value = "3"; s.dispatchEvent(new Event("change", { bubbles: true })); return {};
		})()`))
	p.frameSays("seat-3", "Chloé")
	p.frameSays("seat-2", "Bruno")
}
