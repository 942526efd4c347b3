package e2e_test

import (
	"testing"

	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/words"
)

// TestEveningPlaysItself checks that on the tour an evening plays automatically, of another game too, and that guests
// place cards on the readers; the phones join again for the new game. A person takes a seat, and then the table.
func TestEveningPlaysItself(t *testing.T) {
	t.Parallel()
	d, fr := startDemo(t), speak(t, words.FR)
	room := d.bench()
	page := startUnpainted(t).open("tour", d.links["tour"], laptopSize)
	page.waitForText(fr.phrase("ui.tour.before"))
	page.frameSays("seat-1", "Anne")
	page.frameSays("seat-2", "Bruno")

	evaluate[bool](page, `((s) => {
		s.value = "cluedo-classic"; s.dispatchEvent(new Event("change", { bubbles: true })); return true;
	})(document.querySelector("fieldset select"))`)
	page.tap("button", "×8")
	page.tap("button", fr.phrase("ui.tour.watch"))
	room.waitFor("a guest lays a card on a reader", func(b wire.Bench) bool {
		return b.Play != nil && b.Play.Did != nil && b.Play.Did.Reader != "" && b.Play.Did.Seat != 0
	})
	page.frameSays("display", fr.phrase("ui.display.demo"))
	page.frameSays("seat-1", "Anne") // invited again, because the players of another game sit down again
	page.takeShot("tour")

	page.tap("button", fr.phrase("ui.tour.mine.do")+" : Anne")
	room.waitFor("Anne is a person's", func(b wire.Bench) bool { return len(b.Play.Mine) == 1 && b.Play.Mine[0] == engine.Seat(1) })
	page.tap("button", fr.phrase("ui.tour.take"))
	room.waitFor("the guests rest", func(b wire.Bench) bool { return !b.Play.On })
	page.waitForText(fr.phrase("ui.tour.taken"))
}
