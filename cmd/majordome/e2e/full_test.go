package e2e_test

import (
	"testing"

	"majordome/engine/words"
)

// TestDisplayFills checks that the display offers to fill the screen as long as it does not.
func TestDisplayFills(t *testing.T) {
	t.Parallel()
	l := speak(t, words.FR)
	p := startBrowser(t).open("fills", startDemo(t).links["display"], tableSize)
	p.waitForElement("button", l.phrase("ui.display.full"))
	p.takeShot("fills-window")
	p.tap("button", l.phrase("ui.display.full"))
	p.waitForNoElement("button", l.phrase("ui.display.full"))
	p.waitForText(l.phrase("ui.display.demo"))
	p.takeShot("fills-screen")
	evaluatePromise[any](p, `document.exitFullscreen().then(() => null)`)
	p.waitForElement("button", l.phrase("ui.display.full"))
}
