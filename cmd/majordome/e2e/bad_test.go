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
	d, b, other := startDemo(t), startBrowser(t), startBrowser(t)
	fr, en := speak(t, words.FR), speak(t, words.EN)
	first := b.open("first", d.links["seat-1"], phoneSize)
	first.says(fr.say("ui.link.live"))
	for _, c := range []struct{ name, url, key string }{
		{"used", d.links["seat-1"], "ui.door.used"},
		{"unknown", d.origin() + "/#j=AAAAAAAAAAAAAAAAAAAAAA", "ui.door.unknown"},
		{"malformed", d.origin() + "/#j=%00-not-a-code", "ui.door.broken"},
	} {
		p := other.open("door-"+c.name, c.url, phoneSize)
		p.says(fr.say(c.key))
		p.sees("alert", "")
		p.shot("door-" + c.name)
		p.tap("button", "EN*")
		p.says(en.say(c.key))
		p.tap("button", "FR*")
		p.says(fr.say(c.key))
	}
	first.says(fr.say("ui.link.live"))
	again := b.open("again", d.links["seat-1"], phoneSize) // the same link on the phone that has used it
	again.says("Anne")
	again.says(fr.say("ui.link.live"))
}

// TestOneSeat checks that one phone at a time has a seat, and keeps it.
func TestOneSeat(t *testing.T) {
	t.Parallel()
	d, b := startDemo(t), startBrowser(t)
	l := speak(t, words.FR)
	old := b.open("old", d.links["seat-1"], phoneSize)
	old.says(l.say("ui.link.live"))
	old.do("reload", chromedp.Reload())
	old.says("Anne")
	old.says(l.say("ui.link.live"))

	// Two tabs: the newer one has the seat, and the older one can take it back.
	second := b.open("second", d.origin()+"/#seat=1", phoneSize)
	second.says(l.say("ui.link.live"))
	old.says(l.say("ui.door.elsewhere"))
	old.shot("elsewhere")
	old.tap("button", l.say("ui.door.here"))
	old.says(l.say("ui.link.live"))
	second.says(l.say("ui.door.elsewhere"))

	// The role card turns face down when the page loses the focus, even under the finger.
	old.hold(nth("button", l.say("ui.hand.role")+"*", 0), func() {
		old.says(l.say("ui.eyes"))
		ask[bool](old, `window.dispatchEvent(new Event("blur"))`)
		old.unsays(l.say("ui.eyes"))
	})

	// Another phone is invited: the page of the old one says so.
	host := b.open("host", d.links["host"], laptopSize)
	host.tapNth("button", l.say("ui.host.invite.again"), 0)
	host.tap("button", l.say("ui.host.invite.sure"))
	old.says(l.say("ui.door.refused"))
	old.shot("refused")
	host.tap("button", l.say("ui.host.invite.link")+" : Anne") // her code is the one that is shown
	host.sees("dialog", l.say("ui.host.invite.title", "name", "Anne"))
	host.shot("invitation")
	link := ask[string](host, fmt.Sprintf(`all("textbox", %q)[0].value`, l.say("ui.host.invite.link")))
	if !strings.Contains(link, "/#j=") {
		t.Fatalf("the invitation is %q", link)
	}
	other := b.open("other", link, phoneSize)
	other.says("Anne")
	other.says(l.say("ui.link.live"))
	host.lacks("dialog", l.say("ui.host.invite.title", "name", "Anne"))
}

// TestDaemonStops checks that every page says when the daemon is away, and reconnects automatically.
func TestDaemonStops(t *testing.T) {
	t.Parallel()
	d := startDemo(t)
	r := enter(t, d, startBrowser(t), words.FR)
	phone := r.phones[0]
	d.kill()
	phone.says(r.say("ui.banner.lost"))
	r.screen.says(r.say("ui.display.link.lost"))
	r.host.says(r.say("ui.display.link.lost"))
	r.bench.says(r.say("ui.bench.broken"))
	r.pictures("lost", phone)
	d.start()
	phone.says(r.say("ui.link.live"))
	phone.unsays(r.say("ui.banner.lost"))
	for _, p := range []*tab{r.screen, r.host, r.bench} {
		p.unsays(r.say("ui.display.link.lost"))
	}
	r.bench.unsays(r.say("ui.bench.broken"))
	r.host.tap("button", r.say("ui.act.begin"))
	phone.says(r.say("hc.prompt.roles.you"))
}

// TestUnplugged checks that all pages show a reader that does not answer, and that the phones offer what replaces it.
func TestUnplugged(t *testing.T) {
	t.Parallel()
	r := enter(t, startDemo(t), startBrowser(t), words.FR)
	r.host.tap("button", r.say("ui.act.begin"))
	phone := r.phones[0]
	phone.says(r.say("hc.prompt.roles.you"))
	for _, role := range []string{"show", "urn"} {
		r.bench.tap("button", r.cable("unplug", role))
		r.screen.says(r.say("ui.display.reader." + role))
		phone.says(r.say("ui.reader.lost." + role))
		r.host.says(r.say("ui.bench.lost"))
		r.bench.says(r.say("ui.bench.guide.unplugged"))
	}
	r.pictures("unplugged", phone)
	phone.sees("button", r.say("ui.act.role"))
	phone.unsays(r.say("ui.reader.await.show")) // no card is asked for at a reader that does not answer
	for _, role := range []string{"show", "urn"} {
		r.bench.tap("button", r.cable("plug", role))
		r.screen.unsays(r.say("ui.display.reader." + role))
		phone.unsays(r.say("ui.reader.lost." + role))
	}
	r.host.unsays(r.say("ui.bench.lost"))
}
