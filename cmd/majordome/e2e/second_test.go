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
		p.do("resize", chromedp.EmulateViewport(s[0], s[1]))
		p.shot(fmt.Sprintf("%s-%dx%d", name, s[0], s[1]))
	}
}

// TestSecondPhone checks that a browser with a copied key of a seat, as after a photograph of the code and a
// recording of the joining, sees nothing of that seat. The seat's own phone, the host and the display report it, and
// one tap refuses it. The host may invite one more phone: it shows the same as the first and shares its note sheet,
// all pages say so, and it can be disconnected separately (GEN-011, GEN-E12).
func TestSecondPhone(t *testing.T) {
	t.Parallel()
	d, b, l := startDemo(t, "--game", "cluedo-2008"), startBrowser(t), speak(t, words.FR)
	other := b.private()
	screen := b.open("display", d.links["display"], tableSize)
	host := b.open("host", d.links["host"], laptopSize)
	host.says(l.say("host.step.phones"))
	screen.says(l.say("ui.display.join"))
	key := func(seat int) string {
		return fmt.Sprintf(`Object.keys(localStorage).find((k) => k.endsWith(":seat-%d"))`, seat)
	}
	anne := b.open("anne", d.links["seat-1"], phoneSize)
	screen.says(l.say("table.phone.joined", "seat", "Anne"))
	screen.shot("second-joined")
	anne.says(l.say("ui.link.live"))
	where, pass := ask[string](anne, key(1)), ask[string](anne, "localStorage.getItem("+key(1)+")")
	p := other.open("second-1", d.origin()+"/table.json", phoneSize)
	p.do("takes the key", chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`void localStorage.setItem(%q, JSON.stringify({ ...JSON.parse(%q), phone: %q, by: "" }))`, where, pass, string(seal.NewPhone()))))
	p.do("comes", chromedp.Navigate(d.origin()+"/#seat=1"))
	p.says(l.say("ui.door.refused"))
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
	// The code of a taken seat opens nothing, and the attempt is reported.
	late := other.open("late", d.links["seat-2"], phoneSize)
	late.says(l.say("ui.door.used"))
	screen.says(l.say("table.phone.tried", "seat", "Bruno"))

	host.tap("button", l.say("host.phone.more")+" : Bruno")
	host.says(l.say("host.phone.more.how"))
	host.shot("team-code")
	host.tap("button", l.say("ui.host.invite.link")+" : Bruno")
	code := ask[string](host, `document.querySelector("#invitation-link").value`)
	host.tap("button", l.say("ui.host.close"))
	team := other.open("team", code, phoneSize)
	team.says("Bruno")
	team.says(l.say("ui.link.live"))
	screen.says(l.say("table.phone.more", "seat", "Bruno", "n", "2"))
	for _, p := range []*tab{bruno, team} {
		p.says(l.say("phone.shared", "n", "2"))
	}
	anne.unsays(l.say("phone.shared", "n", "2"))
	host.says(l.say("host.phone.nth", "n", "2"))
	host.resize("team-host", phoneSize, laptopSize)
	team.tap("button", l.say("ui.tab.manor"))
	team.says(l.say("phone.shared.own", "n", "2"))
	team.resize("team-manor", [2]int64{360, 640}, phoneSize)
	team.axe(t, "two phones of a seat")

	// The other phone of the seat shows each mark, and no other seat's phone does.
	host.tap("button", l.say("ui.act.begin"))
	for i, p := range []*tab{bruno, team} {
		p.tap("button", l.say("phone.tab.notes"))
		card := []string{"Mademoiselle Rose", "Monsieur Olive"}[i]
		p.tap("button", card+", "+l.say("phone.note.envelope"))
		p.tap("button", l.say("phone.mark.maybe"))
	}
	for _, p := range []*tab{bruno, team} {
		p.hold(nth("button", l.say("ui.choose.read")+"*", 0), func() {
			for _, card := range []string{"Mademoiselle Rose", "Monsieur Olive"} {
				p.sees("button", card+", "+l.say("phone.note.envelope")+": "+l.say("phone.mark.maybe"))
			}
			p.shot("team-sheet-" + p.name)
		})
		p.tap("button", l.say("ui.tab.hand"))
	}

	first := "Bruno, " + l.say("host.phone.nth", "n", "1")
	host.tap("button", l.say("host.phone.end")+" : "+first)
	host.tap("button", l.say("ui.host.sure")+" : "+first)
	screen.says(l.say("table.phone.ended", "seat", "Bruno", "n", "1"))
	bruno.says(l.say("ui.door.refused"))
	team.unsays(l.say("phone.shared", "n", "2"))
	team.says(l.say("ui.link.live"))
	bruno.shot("team-cut-off")
}
