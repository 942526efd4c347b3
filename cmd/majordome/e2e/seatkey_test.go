package e2e_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/words"
)

// TestAKeyForEachGameInABrowser checks that a phone gets another key in the next game without a tap, goes on with it, also after a
// reload, and that a phone that does not ask for one keeps its own (package pair, "A key for each game").
func TestAKeyForEachGameInABrowser(t *testing.T) {
	t.Parallel()
	d, b, l := startDemo(t, "--game", "cluedo-2008"), startUnpainted(t), speak(t, words.FR)
	keyOf := func(p *tab, slot string) string {
		return evaluate[string](p, fmt.Sprintf(`(JSON.parse(localStorage.getItem(
			Object.keys(localStorage).find((k) => k.endsWith(%q))) ?? '{}').key ?? '')`, ":"+slot))
	}
	changes := func(p *tab, slot, from string) {
		p.waitUntil("another key", fmt.Sprintf(`JSON.parse(localStorage.getItem(
			Object.keys(localStorage).find((k) => k.endsWith(%q)))).key !== %q`, ":"+slot, from))
	}
	anne := b.open("anne", d.links["seat-1"], phoneSize)
	anne.waitForText(l.phrase("ui.link.live"))
	bruno := join(t, d.links["seat-2"], engine.SeatViewer(2)) // keeps its key, as a page from before does
	host := join(t, d.links["host"], engine.Host)
	host.waitFor("the lobby", func(wire.Update) bool { return true })
	first := keyOf(anne, "seat-1")
	host.mustSend("new-game", engine.Args{"seats": "keep"})
	changes(anne, "seat-1", first)
	anne.waitForText(l.phrase("ui.link.live"))
	second := keyOf(anne, "seat-1")
	anne.runActions("loads the page again", chromedp.Reload())
	anne.waitForText(l.phrase("ui.link.live"))
	if got := keyOf(anne, "seat-1"); got != second || anne.hasText(l.phrase("ui.door.refused")) {
		t.Errorf("after a reload in the same game: another key %v", got != second)
	}
	host.mustSend("new-game", engine.Args{"seats": "keep"})
	changes(anne, "seat-1", second)
	anne.waitForText(l.phrase("ui.link.live"))
	if anne.hasText(l.phrase("ui.banner.forged")) || anne.hasText(l.phrase("ui.banner.lost")) {
		t.Error("the page says that something is wrong")
	}
	game := host.waitFor("the third game", func(wire.Update) bool { return true }).Game
	bruno.waitFor("the third game", func(u wire.Update) bool { return u.Game == game })
}
