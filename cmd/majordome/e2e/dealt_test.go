package e2e_test

import (
	"fmt"
	"testing"

	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/words"
)

// TestHandsOfADealtCluedo deals a Cluedo at the bench: once its cards are in the hands, all of them are on the screen
// of a small laptop, above the cards left in the box.
func TestHandsOfADealtCluedo(t *testing.T) {
	t.Parallel()
	d, b, l := startDemo(t, "--game", "cluedo-2008"), startUnpainted(t), speak(t, words.FR)
	room, host := d.bench(), join(t, d.links["host"], engine.Host)
	page := b.open("bench", d.links["bench"], [2]int64{1280, 800})
	page.waitForText(l.phrase("ui.bench.guide.begin"))
	host.mustSend("begin", nil)
	host.mustSend("deal", nil)
	table := room.waitFor("its cards", func(s wire.Bench) bool { return len(s.Cards) > 0 })
	seats, seat, sealed := engine.Seat(len(host.latest().View.Seats)), engine.Seat(0), map[engine.ID]bool{}
	held, left := 0, 0 // in the hands, and in the box
	for _, card := range table.Cards {
		spot := wire.SpotPile
		switch kind := card.Kind; {
		case card.Card == "": // a foreign one
			left++
			continue
		case kind != "suspect" && kind != "weapon" && kind != "room":
		case !sealed[kind]: // one of each
			sealed[kind], spot = true, wire.SpotEnvelope
		default:
			seat, held = seat%seats+1, held+1
			spot = fmt.Sprintf("hand:%v", seat)
		}
		room.sendAct(wire.BenchAct{Act: "move", Card: card.Tag, Spot: spot})
	}
	const lies = `(() => {
		const hands = [...document.querySelectorAll("[data-spot^='hand:']")], box = document.querySelector("[data-spot=box]");
		const cards = (spots) => spots.flatMap((s) => [...s.querySelectorAll("button[data-tag]")]);
		const bottom = (e) => e.getBoundingClientRect().bottom;
		return [cards(hands).length, cards([box]).length,
			Math.round(Math.max(...cards(hands).map(bottom)) - innerHeight),
			Math.round(Math.max(...hands.map(bottom)) - box.getBoundingClientRect().top)];
	})()`
	page.waitUntil("all cards where they were laid", fmt.Sprintf("`${%s.slice(0, 2)}` === '%d,%d'", lies, held, left))
	if at := evaluate[[]int](page, lies); at[2] > 0 || at[3] > 0 {
		t.Errorf("the hands' cards run %d pixels beyond the screen, and the hands %d below the top of the box", at[2], at[3])
	}
	page.takeShot("bench-dealt")
}
