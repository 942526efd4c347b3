package e2e_test

import (
	"testing"

	"github.com/chromedp/chromedp"

	"majordome/engine/words"
)

// TestAccounts checks that an owner can make two accounts on the host's page. An operator signs in on another device
// that was admitted before, sets a new PIN, and is locked out at once when the account is removed.
func TestAccounts(t *testing.T) {
	t.Parallel()
	d, b, l := startDemo(t), startUnpainted(t), speak(t, words.FR)
	owner := b.open("staff-owner", d.links["host"], phoneSize)
	owner.waitForText(l.phrase("host.step.phones"))
	tablet := b.private().open("staff-tablet", d.origin()+"/host", tabletSize)
	tablet.waitForText(l.phrase("ui.claim.taken"))
	tablet.tap("button", l.phrase("ui.claim.taken.ask"))
	owner.tap("button", l.phrase("ui.act.host-admit"))
	tablet.waitForText(l.phrase("host.step.phones"))

	write := func(p *tab, label, what string) {
		p.tap("textbox", label)
		p.runActions("types", chromedp.KeyEvent(what))
	}
	add := func(name, pin string) {
		write(owner, l.phrase("host.staff.name"), name)
		write(owner, l.phrase("host.staff.pin"), pin)
	}
	owner.tap("button", l.phrase("host.staff"))
	owner.waitForText(l.phrase("host.staff.how"))
	add("Odile", "271828")
	owner.takeShot("staff-first")
	owner.tap("button", l.phrase("host.staff.add"))
	tablet.waitForText(l.phrase("host.staff.who")) // locked with the first account
	add("Otto", "31415926")
	owner.tap("button", l.phrase("host.staff.add"))
	owner.waitForElement("button", l.phrase("host.staff.change", "name", "Otto"))
	owner.resize("staff-accounts", [2]int64{360, 640}, [2]int64{1280, 800}, phoneSize)
	owner.waitUntil("a header of two rows, nothing of it cut", `(() => {
		const all = [...document.querySelectorAll('header > *')],
			at = all.map((e) => e.getBoundingClientRect()).map((r) => (r.top + r.bottom) / 2).sort((a, b) => a - b);
		return all.length === 5 && at.filter((y, i) => i === 0 || y - at[i - 1] > 16).length <= 2 &&
			all.every((e) => e.scrollWidth <= e.clientWidth + 1 && e.getBoundingClientRect().right <= innerWidth);
	})()`)
	owner.checkAxe(t, "accounts")

	otto := "Otto " + l.phrase("host.staff.role.operator")
	tablet.tap("button", otto)
	tablet.waitForNoElement("button", l.phrase("host.staff"))
	write(tablet, l.phrase("host.staff.pin.own"), "27182818")
	tablet.tap("button", l.phrase("host.staff.open"))
	tablet.waitForText(l.phrase("table.staff.wrong"))
	tablet.resize("staff-locked", [2]int64{360, 640}, phoneSize, tableSize, tabletSize)
	tablet.checkAxe(t, "a locked device")
	write(tablet, l.phrase("host.staff.pin.own"), "31415926")
	tablet.tap("button", l.phrase("host.staff.open"))
	tablet.waitForText(l.phrase("host.step.phones"))
	tablet.waitForNoElement("button", l.phrase("host.staff"))
	tablet.waitForNoElement("button", l.phrase("host.act.settings"))
	tablet.resize("staff-operator", phoneSize, tabletSize)

	tablet.tap("button", l.phrase("host.staff.own"))
	write(tablet, l.phrase("host.staff.pin.present"), "31415926")
	write(tablet, l.phrase("host.staff.pin.next"), "8642")
	write(tablet, l.phrase("host.staff.pin.twice"), "8642")
	tablet.resize("staff-own-pin", [2]int64{360, 640}, phoneSize, tableSize, tabletSize)
	tablet.checkAxe(t, "the own PIN")
	tablet.tap("button", l.phrase("host.staff.keep"))
	tablet.waitForText(l.phrase("host.staff.own.done"))
	tablet.tap("button", l.phrase("host.staff.leave", "name", "Otto", "role", l.phrase("host.staff.role.operator")))
	tablet.tap("button", otto)
	write(tablet, l.phrase("host.staff.pin.own"), "8642")
	tablet.tap("button", l.phrase("host.staff.open"))
	tablet.waitForText(l.phrase("host.step.phones"))

	owner.tap("button", l.phrase("host.staff.change", "name", "Otto"))
	owner.tap("button", l.phrase("host.act.staff-drop"))
	owner.tap("button", l.phrase("ui.host.yes", "act", l.phrase("host.act.staff-drop")))
	tablet.waitForText(l.phrase("host.staff.who"))
	tablet.waitForNoElement("button", otto)
	owner.waitForNoText("Otto")
}
