package e2e_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"majordome/companion/seal"
	"majordome/engine/words"
)

// resize makes a page as large as another screen and keeps a picture of it.
func (p *tab) resize(name string, sizes ...[2]int64) {
	p.t.Helper()
	for _, s := range sizes {
		p.do("resize", chromedp.EmulateViewport(s[0], s[1]))
		p.shot(fmt.Sprintf("%s-%dx%d", name, s[0], s[1]))
	}
}

// TestSecondPhone: a browser that has come by the key of a seat, as who has
// photographed the code and recorded the joining, sees nothing of that seat. The
// seat's own phone, the host and the display are told; one tap turns it away, and
// one lets it in (GEN-011, GEN-E12).
func TestSecondPhone(t *testing.T) {
	t.Parallel()
	d, b, other, l := startDemo(t), startBrowser(t), startBrowser(t), speak(t, words.FR)
	screen := b.open("display", d.links["display"], tableSize)
	host := b.open("host", d.links["host"], laptopSize)
	host.says(l.say("host.ready"))
	screen.says(l.say("ui.display.join"))
	key := func(seat int) string {
		return fmt.Sprintf(`Object.keys(localStorage).find((k) => k.endsWith(":seat-%d"))`, seat)
	}
	second := func(seat int, own *tab) *tab {
		t.Helper()
		where, pass := ask[string](own, key(seat)), ask[string](own, "localStorage.getItem("+key(seat)+")")
		p := other.open(fmt.Sprintf("second-%d", seat), d.origin()+"/table.json", phoneSize)
		p.do("takes the key", chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`void localStorage.setItem(%q, JSON.stringify({ ...JSON.parse(%q), phone: %q, by: "" }))`, where, pass, string(seal.NewPhone()))))
		p.do("comes", chromedp.Navigate(fmt.Sprintf("%s/#seat=%d", d.origin(), seat)))
		p.says(l.say("ui.door.refused"))
		return p
	}

	anne := b.open("anne", d.links["seat-1"], phoneSize)
	screen.says(l.say("table.phone.joined", "seat", "Anne"))
	screen.shot("second-joined")
	anne.says(l.say("ui.link.live"))
	p := second(1, anne)
	p.shot("second-door")
	asks := l.say("display.second", "seat", "Anne")
	screen.says(asks)
	host.says(l.say("host.second.title", "name", "Anne"))
	anne.says(l.say("phone.second.title"))
	anne.resize("second-phone", [2]int64{360, 640}, phoneSize)
	screen.resize("second-display", [2]int64{1280, 800}, tableSize)
	host.resize("second-host", phoneSize, laptopSize)
	anne.axe(t, "a second phone asks")
	anne.tap("button", l.say("ui.act.cut-phone"))
	screen.says(l.say("table.phone.cut", "seat", "Anne"))
	screen.unsays(asks)
	anne.unsays(l.say("phone.second.title"))
	anne.says(l.say("ui.link.live"))
	if p.heard("Anne") {
		t.Error("the phone that was turned away shows the seat")
	}

	bruno := b.open("bruno", d.links["seat-2"], phoneSize)
	bruno.says(l.say("ui.link.live"))
	p = second(2, bruno)
	host.says(l.say("host.second.title", "name", "Bruno"))
	host.tap("button", l.say("ui.act.keep-phone"))
	p.says("Bruno")
	p.says(l.say("ui.link.live"))
	bruno.says(l.say("ui.link.live"))

	// The code of a seat that is taken opens nothing, and who shows it is noticed.
	late := other.open("late", d.links["seat-2"], phoneSize)
	late.says(l.say("ui.door.used"))
	screen.says(l.say("table.phone.tried", "seat", "Bruno"))
}
