package e2e_test

import (
	"slices"
	"testing"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/words"
)

// TestANewcomerJoinsByCard has a newcomer ask for a seat and lay a card of the character: the phone and the display show the
// same figures. The same card once more gives the seat, without the host.
func TestANewcomerJoinsByCard(t *testing.T) {
	t.Parallel()
	d, b, l := startDemo(t), startBrowser(t), speak(t, words.FR)
	table, public := d.bench(), watch(t, d.origin())
	wall := public.waitFor("the code of the lobby", func(u wire.Update) bool { return u.Table.Wall != "" }).Table.Wall
	display := b.private().open("card-display", d.links["display"], tabletSize)
	phone := b.private().open("card-phone", d.origin()+"/#w="+wall, phoneSize)
	phone.tap("textbox", l.phrase("phone.guest.name"))
	phone.typeText("Zoé")
	phone.tap("radio", "Georges (le majordome)")
	phone.tap("button", l.phrase("phone.guest.do"))
	phone.waitForText("posez sur un lecteur une carte de votre personnage")

	cards := table.waitFor("the box", func(wire.Bench) bool { return true }).Cards
	tag := cards[slices.IndexFunc(cards, func(c wire.BenchCard) bool { return c.Card == "clue-georges-1" })].Tag
	table.sendAct(wire.BenchAct{Act: "move", Card: tag, Spot: wire.SpotShow})
	display.waitUntil("figures", `/^\d{4}$/.test(document.querySelector(".compare b")?.textContent ?? "")`)
	figures := display.textOf(".compare b")
	phone.waitUntil("its figures", `document.querySelector(".told b") !== null`)
	if got := phone.textOf(".told b"); got != figures {
		t.Errorf("the phone shows %s, the display %s", got, figures)
	}
	phone.takeShot("card-compare")
	display.takeShot("card-compare-display")
	table.sendAct(wire.BenchAct{Act: "move", Card: tag, Spot: wire.SpotBox})
	time.Sleep(time.Second) // a hand lifts it for longer than a reader needs to miss it (150 ms)
	seated := func(u wire.Update) bool {
		return slices.ContainsFunc(u.View.Seats, func(s engine.SeatView) bool { return s.Name == "Zoé" })
	}
	if u := public.latest(); seated(u) {
		t.Error("one card gives the seat")
	}
	table.sendAct(wire.BenchAct{Act: "move", Card: tag, Spot: wire.SpotShow})
	public.waitFor("her seat", seated)
	phone.waitUntil("its seat", `document.querySelector('nav')`)
	phone.waitForText("Zoé")
	display.waitForText("Zoé")
}
