package e2e_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"majordome/engine/words"
)

// TestSeating lets six people sit down at the empty table. Each scans the one code on the host's page and types a
// name on the own phone; the host, who never leaves the list, confirms all of them with one tap.
func TestSeating(t *testing.T) {
	t.Parallel()
	addr, link := serveEmptyTable(t, "")
	b, l := startUnpainted(t), speak(t, words.FR)
	display := b.private().open("display", "http://"+addr+"/display", tabletSize)
	host := b.private().open("host", link, smallSize)
	pictures := func(name string, tabs ...*tab) {
		for _, p := range tabs {
			p.takeShot("seating-" + name + "-" + p.name)
		}
	}
	host.tap("button", "Huis Clos")
	host.tap("button", l.phrase("host.next", "step", l.phrase("host.step.seats"))) // past the devices that could be attached
	host.waitForText(l.phrase("host.sit.nobody"))
	pictures("empty", host, display)
	// The places of the keys on the page, however far it is scrolled.
	places := func() string {
		return evaluate[string](host, `[...document.querySelectorAll(".all, .code, li[data-seat]")]
			.map((e) => Math.round(e.getBoundingClientRect().top -
				document.querySelector(".setup").getBoundingClientRect().top))
			.join(" ")`)
	}
	before := places()

	names := append(players[:four:four], "Éléonore", "Barthélemy-François")
	phones := []*tab{}
	for i, name := range names {
		host.tap("button", l.phrase("ui.host.invite.link")+" : "+l.phrase("ui.seat.n", "n", fmt.Sprint(i+1)))
		code := host.value("#invitation-link")
		host.tap("button", l.phrase("ui.host.close"))
		p := b.private().open(fmt.Sprint("seat-", i+1), code, phoneSize)
		phones = append(phones, p)
		p.tap("textbox", l.phrase("phone.guest.name"))
		p.typeText(name)
		if i == 0 {
			pictures("typing", p)
		}
		p.tap("radio", p.textOf(".who button:not(:disabled)"))
		p.tap("button", l.phrase("phone.guest.do"))
		p.waitForText(l.phrase("phone.guest.asked"))
	}
	pictures("asked", host, phones[5])
	if now := places(); now != before {
		t.Errorf("what the host touches has moved while players came: %s, and before %s", now, before)
	}
	host.checkAxe(t, "players who wait for a seat")
	phones[5].checkAxe(t, "a phone that asks for a seat")
	phones[5].resize("seating-asked", smallSize, [2]int64{640, 360})
	if text := display.text(); strings.Contains(text, names[5]) {
		t.Errorf("the display says a name that nobody has confirmed: %s", text)
	}
	host.tap("button", l.phrase("host.sit.all", "names", l.list(names...)))
	for i, p := range phones {
		p.waitForText(names[i])
		p.waitUntil("its seat", `document.querySelector('nav')`)
	}
	host.waitForText(l.phrase("host.sit.nobody"))
	host.waitForText(names[5])
	if now := places(); now != before {
		t.Errorf("what the host touches has moved when players sat down: %s, and before %s", now, before)
	}
	display.waitForText(names[5])
	pictures("seated", host, display, phones[5])
}

// textOf returns the text of the first element with a selector.
func (p *tab) textOf(selector string) string {
	p.t.Helper()
	p.waitUntil(selector, fmt.Sprintf("document.querySelector(%q)", selector))
	s, err := chromedp.Run(p.ctx, chromedp.Evaluate[string](fmt.Sprintf("document.querySelector(%q).textContent.trim()", selector)))
	if err != nil {
		p.fail(err.Error())
	}
	return s
}

// value returns the content of a field.
func (p *tab) value(selector string) string {
	p.t.Helper()
	p.waitUntil(selector, fmt.Sprintf("document.querySelector(%q)", selector))
	s, err := chromedp.Run(p.ctx, chromedp.Evaluate[string](fmt.Sprintf("document.querySelector(%q).value", selector)))
	if err != nil {
		p.fail(err.Error())
	}
	return s
}
