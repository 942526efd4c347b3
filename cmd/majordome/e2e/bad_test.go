package e2e_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"majordome/engine/words"
)

// TestDoor checks what a phone says in both languages when its link does not work.
func TestDoor(t *testing.T) {
	t.Parallel()
	d, b, other := startDemo(t), startUnpainted(t), startBrowser(t)
	fr, en := speak(t, words.FR), speak(t, words.EN)
	first := b.open("first", d.links["seat-1"], phoneSize)
	first.waitForText(fr.phrase("ui.link.live"))
	for _, c := range []struct{ name, url, key string }{
		{"used", d.links["seat-1"], "ui.door.used"},
		{"unknown", d.origin() + "/#j=AAAAAAAAAAAAAAAAAAAAAA", "ui.door.unknown"},
		{"malformed", d.origin() + "/#j=%00-not-a-code", "ui.door.broken"},
	} {
		p := other.open("door-"+c.name, c.url, phoneSize)
		p.waitForText(fr.phrase(c.key))
		p.waitForElement("alert", "")
		p.takeShot("door-" + c.name)
		p.tap("button", "EN*")
		p.waitForText(en.phrase(c.key))
		p.tap("button", "FR*")
		p.waitForText(fr.phrase(c.key))
	}
	first.waitForText(fr.phrase("ui.link.live"))
	again := b.open("again", d.links["seat-1"], phoneSize) // the same link on the phone that has used it
	again.waitForText("Anne")
	again.waitForText(fr.phrase("ui.link.live"))
}

// TestOneSeat checks that one phone at a time has a seat, and keeps it.
func TestOneSeat(t *testing.T) {
	t.Parallel()
	d, b := startDemo(t), startUnpainted(t)
	l := speak(t, words.FR)
	old := b.open("old", d.links["seat-1"], phoneSize)
	old.waitForText(l.phrase("ui.link.live"))
	old.runActions("reload", chromedp.Reload())
	old.waitForText("Anne")
	old.waitForText(l.phrase("ui.link.live"))

	// Two tabs: the newer one has the seat, and the older one can take it back.
	second := b.open("second", d.origin()+"/#seat=1", phoneSize)
	second.waitForText(l.phrase("ui.link.live"))
	old.waitForText(l.phrase("ui.door.elsewhere"))
	old.takeShot("elsewhere")
	old.tap("button", l.phrase("ui.door.here"))
	old.waitForText(l.phrase("ui.link.live"))
	second.waitForText(l.phrase("ui.door.elsewhere"))

	// The role card turns face down when the page loses the focus, even under the finger.
	old.holdWhile(nthElement("button", l.phrase("ui.hand.role")+"*", 0), func() {
		old.waitForText(l.phrase("ui.eyes"))
		evaluate[bool](old, `window.dispatchEvent(new Event("blur"))`)
		old.waitForNoText(l.phrase("ui.eyes"))
	})

	// Another phone is invited: the page of the old one says so.
	host := b.open("host", d.links["host"], laptopSize)
	host.tapNth("button", l.phrase("ui.host.invite.again"), 0)
	host.tap("button", l.phrase("ui.host.invite.sure"))
	old.waitForText(l.phrase("ui.door.refused"))
	old.takeShot("refused")
	host.tap("button", l.phrase("ui.host.invite.link")+" : Anne") // her code is the one that is shown
	host.waitForElement("dialog", l.phrase("ui.host.invite.title", "name", "Anne"))
	host.takeShot("invitation")
	link := evaluate[string](host, fmt.Sprintf(`all("textbox", %q)[0].value`, l.phrase("ui.host.invite.link")))
	if !strings.Contains(link, "/#j=") {
		t.Fatalf("the invitation is %q", link)
	}
	other := b.open("other", link, phoneSize)
	other.waitForText("Anne")
	other.waitForText(l.phrase("ui.link.live"))
	host.waitForNoElement("dialog", l.phrase("ui.host.invite.title", "name", "Anne"))
}

// TestDaemonStops checks that every page says when the daemon is away, and reconnects automatically.
func TestDaemonStops(t *testing.T) {
	t.Parallel()
	d := startDemo(t)
	r := enter(t, d, startUnpainted(t), words.FR)
	phone := r.phones[0]
	d.kill()
	phone.waitForText(r.phrase("ui.banner.lost"))
	r.screen.waitForText(r.phrase("ui.display.link.lost"))
	r.host.waitForText(r.phrase("ui.display.link.lost"))
	r.bench.waitForText(r.phrase("ui.bench.broken"))
	r.pictures("lost", phone)
	d.start()
	phone.waitForText(r.phrase("ui.link.live"))
	phone.waitForNoText(r.phrase("ui.banner.lost"))
	for _, p := range []*tab{r.screen, r.host, r.bench} {
		p.waitForNoText(r.phrase("ui.display.link.lost"))
	}
	r.bench.waitForNoText(r.phrase("ui.bench.broken"))
	r.host.tap("button", r.phrase("ui.act.begin"))
	phone.waitForText(r.phrase("hc.prompt.roles.you"))
}

// TestUnplugged checks that all pages show a reader that does not answer, and that the phones offer what replaces it.
func TestUnplugged(t *testing.T) {
	t.Parallel()
	r := enter(t, startDemo(t), startUnpainted(t), words.FR)
	r.host.tap("button", r.phrase("ui.act.begin"))
	phone := r.phones[0]
	phone.waitForText(r.phrase("hc.prompt.roles.you"))
	for _, role := range []string{"show", "urn"} {
		r.bench.tap("button", r.cable("unplug", role))
		r.screen.waitForText(r.phrase("ui.display.reader." + role))
		phone.waitForText(r.phrase("ui.reader.lost." + role))
		r.host.waitForText(r.phrase("ui.bench.lost"))
		r.bench.waitForText(r.phrase("ui.bench.guide.unplugged"))
	}
	r.pictures("unplugged", phone)
	phone.waitForElement("button", r.phrase("ui.act.role"))
	phone.waitForNoText(r.phrase("ui.reader.await.show")) // no card is asked for at a reader that does not answer
	for _, role := range []string{"show", "urn"} {
		r.bench.tap("button", r.cable("plug", role))
		r.screen.waitForNoText(r.phrase("ui.display.reader." + role))
		phone.waitForNoText(r.phrase("ui.reader.lost." + role))
	}
	r.host.waitForNoText(r.phrase("ui.bench.lost"))
}
