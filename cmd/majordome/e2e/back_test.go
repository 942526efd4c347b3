package e2e_test

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"majordome/engine/words"
)

// goBack goes back in the browser's history, as its Back key does.
func (p *tab) goBack() {
	p.t.Helper()
	p.runActions("goes back", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		h, err := cdp.Call(ctx, t, page.GetNavigationHistory, cdp.Empty{})
		if err != nil {
			return err
		}
		_, err = cdp.Call(ctx, t, page.NavigateToHistoryEntry, page.NavigateToHistoryEntryParams{EntryID: h.Entries[h.CurrentIndex-1].ID})
		return err
	}))
}

// TestBackStaysInTheGame opens tabs by finger and goes back with the browser's key, after a reload too and more often
// than there are tabs: each Back opens the previous tab, and none leaves the page as long as a person touches it in
// between.
func TestBackStaysInTheGame(t *testing.T) {
	t.Parallel()
	d, l := startDemo(t), speak(t, words.FR)
	p := startUnpainted(t).open("phone", anonymous, phoneSize)
	p.runActions("comes", chromedp.Navigate(d.links["seat-1"]))
	at := func(tab string) {
		t.Helper()
		p.waitUntil(tab, `document.querySelector("main.tab-`+tab+`")`)
	}
	open := func(tab, key string) {
		t.Helper()
		p.tap("button", l.phrase(key)+"*")
		at(tab)
	}
	at("hand")
	open("story", "ui.tab.story")
	open("manor", "ui.tab.manor")
	open("know", "phone.tab.know")
	p.goBack()
	at("manor")
	p.runActions("loads again", chromedp.Reload())
	at("manor")
	for _, tab := range []string{"story", "hand", "hand"} {
		p.goBack()
		at(tab)
	}
	// At the first entry one more Back would leave the page, but each touch adds a new entry.
	for range 2 {
		open("story", "ui.tab.story")
		p.goBack()
		at("hand")
		p.goBack()
		at("hand")
	}
}
