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
	p.sees("button", l.say("ui.display.full"))
	p.shot("fills-window")
	p.tap("button", l.say("ui.display.full"))
	p.lacks("button", l.say("ui.display.full"))
	p.says(l.say("ui.display.demo"))
	p.shot("fills-screen")
	awaited[any](p, `document.exitFullscreen().then(() => null)`)
	p.sees("button", l.say("ui.display.full"))
}
