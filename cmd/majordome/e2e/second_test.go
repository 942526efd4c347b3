package e2e_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"majordome/companion/seal"
	"majordome/engine/words"
)

// resize gives a page the sizes of other screens, one after the other, and takes a picture of each.
func (p *tab) resize(name string, sizes ...[2]int64) {
	p.t.Helper()
	if !filmed() {
		sizes = sizes[len(sizes)-1:]
	}
	for _, s := range sizes {
		p.runActions("resize", chromedp.EmulateViewport(s[0], s[1]))
		p.takeShot(fmt.Sprintf("%s-%dx%d", name, s[0], s[1]))
	}
}

// TestSecondPhone checks that a browser with a copied key of a seat, as after a photograph of the code and a
// recording of the joining, sees nothing of that seat. The seat's own phone, the host and the display report it, and
// one tap refuses it. The host may invite one more phone: it shows the same as the first and shares its note sheet,
// all pages say so, and it can be disconnected separately (GEN-011, GEN-E12).
func TestSecondPhone(t *testing.T) {
	t.Parallel()
	d, b, l := startDemo(t, "--game", "cluedo-2008"), startUnpainted(t), speak(t, words.FR)
	other := b.private()
	screen := b.open("display", d.links["display"], tableSize)
	host := b.open("host", d.links["host"], laptopSize)
	host.waitForText(l.phrase("host.step.phones"))
	screen.waitForText(l.phrase("ui.display.join"))
	key := func(seat int) string {
		return fmt.Sprintf(`Object.keys(localStorage).find((k) => k.endsWith(":seat-%d"))`, seat)
	}
	anne := b.open("anne", d.links["seat-1"], phoneSize)
	screen.waitForText(l.phrase("table.phone.joined", "seat", "Anne"))
	screen.takeShot("second-joined")
	anne.waitForText(l.phrase("ui.link.live"))
	where, pass := evaluate[string](anne, key(1)), evaluate[string](anne, "localStorage.getItem("+key(1)+")")
	p := other.open("second-1", d.origin()+"/table.json", phoneSize)
	p.runActions("takes the key",
		chromedp.Evaluate[chromedp.Void](
			fmt.Sprintf(`void localStorage.setItem(%q, JSON.stringify({ ...JSON.parse(%q), phone: %q, by: "" }))`, where, pass,
				string(seal.NewPhone()))))
	p.runActions("comes", chromedp.Navigate(d.origin()+"/#seat=1"))
	p.waitForText(l.phrase("ui.door.refused"))
	p.takeShot("second-door")
	asks := l.phrase("display.second", "seat", "Anne")
	screen.waitForText(asks)
	host.waitForText(l.phrase("host.second.title", "name", "Anne"))
	anne.waitForText(l.phrase("phone.second.title"))
	anne.resize("second-phone", [2]int64{360, 640}, phoneSize)
	screen.resize("second-display", [2]int64{1280, 800}, tableSize)
	host.resize("second-host", phoneSize, laptopSize)
	anne.checkAxe(t, "a second phone asks")
	anne.tap("button", l.phrase("ui.act.cut-phone"))
	screen.waitForText(l.phrase("table.phone.cut", "seat", "Anne"))
	screen.waitForNoText(asks)
	anne.waitForNoText(l.phrase("phone.second.title"))
	anne.waitForText(l.phrase("ui.link.live"))
	if p.hasText("Anne") {
		t.Error("the phone that was turned away shows the seat")
	}

	bruno := b.open("bruno", d.links["seat-2"], phoneSize)
	bruno.waitForText(l.phrase("ui.link.live"))
	// The code of a taken seat opens nothing, and the attempt is reported.
	late := other.open("late", d.links["seat-2"], phoneSize)
	late.waitForText(l.phrase("ui.door.used"))
	screen.waitForText(l.phrase("table.phone.tried", "seat", "Bruno"))

	host.tap("button", l.phrase("host.phone.more")+" : Bruno")
	host.waitForText(l.phrase("host.phone.more.how"))
	host.takeShot("team-code")
	host.tap("button", l.phrase("ui.host.invite.link")+" : Bruno")
	code := evaluate[string](host, `document.querySelector("#invitation-link").value`)
	host.tap("button", l.phrase("ui.host.close"))
	team := other.open("team", code, phoneSize)
	team.waitForText("Bruno")
	team.waitForText(l.phrase("ui.link.live"))
	screen.waitForText(l.phrase("table.phone.more", "seat", "Bruno", "n", "2"))
	for _, p := range []*tab{bruno, team} {
		p.waitForText(l.phrase("phone.shared", "n", "2"))
	}
	anne.waitForNoText(l.phrase("phone.shared", "n", "2"))
	host.waitForText(l.phrase("host.phone.nth", "n", "2"))
	host.resize("team-host", phoneSize, laptopSize)
	team.tap("button", l.phrase("ui.tab.manor"))
	team.waitForText(l.phrase("phone.shared.own", "n", "2"))
	team.resize("team-manor", [2]int64{360, 640}, phoneSize)
	team.checkAxe(t, "two phones of a seat")

	// The other phone of the seat shows each mark, and no other seat's phone does.
	host.tap("button", l.phrase("ui.act.begin"))
	for i, p := range []*tab{bruno, team} {
		p.tap("button", l.phrase("phone.tab.notes"))
		card := []string{"Mademoiselle Rose", "Monsieur Olive"}[i]
		p.tap("button", card+", "+l.phrase("phone.note.envelope"))
		p.tap("button", l.phrase("phone.mark.maybe"))
	}
	for _, p := range []*tab{bruno, team} {
		p.holdWhile(nthElement("button", l.phrase("ui.choose.read")+"*", 0), func() {
			for _, card := range []string{"Mademoiselle Rose", "Monsieur Olive"} {
				p.waitForElement("button", card+", "+l.phrase("phone.note.envelope")+": "+l.phrase("phone.mark.maybe"))
			}
			p.takeShot("team-sheet-" + p.name)
		})
		p.tap("button", l.phrase("ui.tab.hand"))
	}

	first := "Bruno, " + l.phrase("host.phone.nth", "n", "1")
	host.tap("button", l.phrase("host.phone.end")+" : "+first)
	host.tap("button", l.phrase("ui.host.sure")+" : "+first)
	screen.waitForText(l.phrase("table.phone.ended", "seat", "Bruno", "n", "1"))
	bruno.waitForText(l.phrase("ui.door.refused"))
	team.waitForNoText(l.phrase("phone.shared", "n", "2"))
	team.waitForText(l.phrase("ui.link.live"))
	bruno.takeShot("team-cut-off")
}
