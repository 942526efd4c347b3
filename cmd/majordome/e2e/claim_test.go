package e2e_test

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"majordome/companion/porttest"
	"majordome/companion/wire"
	"majordome/devices/logtest"
	"majordome/engine/words"
)

// TestClaimAtTheScreen checks that the screen of the table's own computer shows a code that makes a phone the host's.
// A display elsewhere shows the address of the host's page, and the daemon refuses it the code.
func TestClaimAtTheScreen(t *testing.T) {
	t.Parallel()
	d := &demo{t: t, binary: binary, data: t.TempDir(), addr: porttest.FreeAddress(t), log: &logtest.Buffer{}}
	_, port, _ := net.SplitHostPort(d.addr)
	d.more = []string{"--listen", ":" + port} // phones of the network can reach it
	d.start()
	t.Cleanup(d.kill)
	outside, err := url.Parse(d.links["display"])
	if err != nil || outside.Hostname() == "127.0.0.1" {
		t.Skip("SKIPPED: this machine has no network, in which there is nobody to claim anything")
	}
	b, l := startUnpainted(t), speak(t, words.FR)
	own := b.open("claim-own", d.origin()+"/display", tabletSize)
	own.waitForText(l.phrase("ui.display.host.scan"))
	own.resize("claim-own", tabletSize, tableSize, smallSize)
	far := b.open("claim-far", outside.String(), tabletSize)
	far.waitForText("/host")
	far.waitForText(l.phrase("ui.display.host.open"))
	far.resize("claim-far", tabletSize, smallSize)
	res, err := http.Get(d.origin() + "/claim") // no page of ours asks
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusForbidden {
		t.Errorf("a request from another origin is answered %s", res.Status)
	}
	link := evaluatePromise[string](own, `fetch("/claim").then((r) => r.json()).then((r) => r.url)`)
	host := b.private().open("claim-host", link, phoneSize)
	host.waitForText(l.phrase("host.step.phones"))
	own.waitForNoText(l.phrase("ui.display.host.free"))
	own.waitForText(l.phrase("ui.display.join.scan"))
	if got := evaluatePromise[int](far, `fetch("/claim").then((r) => r.status)`); got != http.StatusForbidden {
		t.Errorf("a display elsewhere is answered %d", got)
	}
	if got := evaluatePromise[int](own, `fetch("/claim").then((r) => r.status)`); got != http.StatusNotFound {
		t.Errorf("with a host the screen is answered %d", got)
	}
}

// TestClaimByACard checks that a phone that opens the host's page and asks becomes the host's when a card is placed
// as the page says. Meanwhile the display shows that a phone asks, and another phone has to wait.
func TestClaimByACard(t *testing.T) {
	t.Parallel()
	d, b := startDemo(t), startUnpainted(t)
	fr, en := speak(t, words.FR), speak(t, words.EN)
	table := d.bench()
	screen := b.open("claim-asked", d.origin()+"/display", tabletSize)
	phone := b.private().open("claim-phone", d.origin()+"/host", smallSize)
	phone.waitForText(fr.phrase("ui.claim.free"))
	phone.checkAxe(t, "nobody is the host")
	phone.resize("claim-free-fr", smallSize, tabletSize)
	phone.tap("button", "EN: "+fr.phrase("ui.lang.other"))
	phone.waitForText(en.phrase("ui.claim.free"))
	phone.resize("claim-free-en", smallSize, tabletSize)
	other := b.private().open("claim-other", d.origin()+"/host", smallSize)
	other.waitForText(fr.phrase("ui.claim.free"))
	phone.tap("button", en.phrase("ui.claim.ask"))
	phone.waitForText(en.phrase("ui.claim.lay"))
	phone.checkAxe(t, "a card is to be laid")
	screen.waitForText(fr.phrase("ui.display.host.asked"))
	other.waitForText(fr.phrase("ui.claim.busy"))
	screen.takeShot("claim-asked-1280x800")
	other.takeShot("claim-busy-360x640")
	tag := table.waitFor("cards", func(s wire.Bench) bool { return len(s.Cards) > 0 }).Cards[0].Tag
	for at, n := range evaluate[[]int](phone, `[...document.querySelectorAll("ol b")].map((e) => Number(e.textContent))`) {
		for range n {
			seen := evaluate[int](phone, `document.querySelector("li.now i").textContent.length`)
			table.sendAct(wire.BenchAct{Act: "move", Card: tag, Spot: wire.SpotShow})
			phone.waitUntil("the card is seen", `(document.querySelector("li.now i")?.textContent.length ?? 0) > `+string(rune('0'+seen)))
			table.sendAct(wire.BenchAct{Act: "move", Card: tag, Spot: wire.SpotBox})
			time.Sleep(300 * time.Millisecond) // a hand lifts it for longer than a reader needs to miss it (150 ms)
		}
		if at == 0 {
			phone.resize("claim-lay-en", smallSize, tabletSize)
		}
		if at < 2 {
			phone.waitUntil("the number is ticked", `document.querySelectorAll("ol li.done").length === `+string(rune('1'+at)))
		}
	}
	phone.waitForText(en.phrase("host.step.phones"))
	screen.waitForNoText(fr.phrase("ui.display.host.free"))
	other.waitForText(fr.phrase("ui.claim.taken"))
	other.takeShot("claim-taken-360x640")
}

// evaluatePromise returns the value of a promise in the page.
func evaluatePromise[T any](p *tab, js string) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	got, err := chromedp.Run(ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%s: %s: %v", p.name, js, err)
	}
	return got
}
