package e2e_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"majordome/engine/words"
)

// TestJoinFromTheDisplay lets four people and a stranger scan the one code on the display at the same time. Each types a
// name on the own phone and waits; the host sees all, puts one of them a seat up, turns the stranger away, and seats the
// others with one tap. After a reload of its page a phone that waits still asks for the same. A phone that comes after
// the begin waits for the next game.
func TestJoinFromTheDisplay(t *testing.T) {
	t.Parallel()
	addr, link := serveEmptyTable(t, `url: "http://ADDRESS"`)
	b, l := startUnpainted(t), speak(t, words.FR)
	display := b.private().open("display", "http://"+addr+"/display", tabletSize)
	host := b.private().open("host", link, smallSize)
	host.tap("button", "Huis Clos")
	host.tap("button", l.phrase("host.next", "step", l.phrase("host.step.seats"))) // past the devices that could be attached
	host.waitForText(l.phrase("host.sit.nobody"))
	display.waitForText(l.phrase("ui.display.join.scan"))
	display.takeShot("wall-display")
	code := display.hrefOf(".how a.code")
	if read := readCode(t, photograph(t, display)); read != code || !strings.HasPrefix(code, "http://"+addr+"/#w=") {
		t.Fatalf("the code on the display says %q, and its link %q", read, code)
	}

	names := append(players[:four:four], "Zoé")
	phones := []*tab{}
	for i := range names {
		phones = append(phones, b.private().open(fmt.Sprint("wall-", i+1), code, phoneSize))
	}
	for i, p := range phones {
		p.tap("textbox", l.phrase("phone.guest.name"))
		p.typeText(names[i])
		p.tap("radio", p.textOf(fmt.Sprintf(".who button:nth-child(%d)", i+1)))
		p.tap("button", l.phrase("phone.guest.do"))
		host.waitUntil(names[i], fmt.Sprintf(`[...document.querySelectorAll("li[data-seat] input")].some((e) => e.value === %q)`, names[i]))
	}
	fourDigits := regexp.MustCompile(`\d{4}`)
	request := func(p *tab) string {
		p.waitUntil("its number", `/\d{4}/.test(document.querySelector(".told")?.textContent ?? "")`)
		return fourDigits.FindString(p.textOf(".told"))
	}
	phones[1].waitForText(l.phrase("phone.guest.change"))
	phones[1].checkAxe(t, "a phone that has asked by the code on the display")
	phones[1].takeShot("wall-asked")
	was := request(phones[1])
	phones[1].runActions("reloads", chromedp.Reload())
	if now := request(phones[1]); now != was {
		t.Errorf("after a reload it asks as %s, and before as %s", now, was)
	}
	if text := display.text(); strings.Contains(text, names[0]) {
		t.Errorf("the display says a name that nobody has confirmed: %s", text)
	}
	host.checkAxe(t, "phones that have scanned the display")
	host.takeShot("wall-asked-host")
	host.tap("button", l.phrase("host.sit.up", "name", names[1], "code", was))
	host.tap("button", l.phrase("host.sit.away")+" : "+names[four])
	host.tap("button", l.phrase("ui.host.sure")+" : "+names[four])
	phones[four].waitForText(l.phrase("phone.ask.denied"))
	host.tap("button", l.phrase("host.sit.all", "names", l.list(names[1], names[0], names[2], names[3])))
	for i, p := range phones[:four] {
		p.waitUntil("its seat", `document.querySelector('nav')`)
		p.waitForText(names[i])
	}
	display.waitForText(names[3])
	display.takeShot("wall-seated")
	if got := display.hrefOf(".how a.code"); got != code {
		t.Errorf("the code of one lobby changes: %s", got)
	}

	host.tap("button", l.phrase("host.next", "step", l.phrase("host.step.first")))
	host.tap("radio", names[0])
	host.tap("button", l.phrase("ui.act.begin"))
	host.waitForText(l.phrase("host.step.roles"))
	late := b.private().open("wall-late", code, phoneSize)
	late.waitForText(l.phrase("phone.ask.late.how"))
	late.tap("textbox", l.phrase("phone.guest.name"))
	late.typeText("Yves")
	late.tap("button", l.phrase("phone.guest.do"))
	// The phone that was turned away has the same address, and this may not ask for a minute.
	late.waitForText(l.phrase("phone.ask.late", "name", "Yves"))
	late.takeShot("wall-late")
	display.waitForNoText(l.phrase("ui.display.join.scan"))
}

// hrefOf returns the address of a link.
func (p *tab) hrefOf(selector string) string {
	p.t.Helper()
	p.waitUntil(selector, fmt.Sprintf("document.querySelector(%q)", selector))
	return evaluate[string](p, fmt.Sprintf("document.querySelector(%q).href", selector))
}
