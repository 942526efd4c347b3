package e2e_test

import (
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"majordome/companion/wire"
	"majordome/engine/words"
)

// TestHostPlaysWithoutPhonesAndReaders plays the set-up and a round at a table without phones and without readers: the host declares what
// all players see, and no hidden card is ever named (GEN-024).
func TestHostPlaysWithoutPhonesAndReaders(t *testing.T) {
	t.Parallel()
	d, b, l := startDemo(t), startUnpainted(t), speak(t, words.FR)
	bench := b.open("bench", d.links["bench"], laptopSize)
	host := b.open("host", d.links["host"], phoneSize)
	shots := func(name string) {
		host.takeShot("host-" + name)
		bench.takeShot("host-" + name + "-bench")
	}
	tap := func(name string) { t.Helper(); host.tap("button", name) }
	sure := func(act string) {
		t.Helper()
		tap(act)
		tap(l.phrase("ui.host.yes", "act", act))
	}
	each := func(prompt string, do func(player string)) {
		t.Helper()
		for _, p := range players[:four] {
			host.waitForText(l.phrase(prompt, "seat", p))
			do(p)
		}
	}

	host.waitForText(l.phrase("host.ready"))
	shots("lobby")
	tap(l.phrase("ui.act.begin"))
	host.waitForText(l.phrase("host.path", "at", "7", "of", "9", "step", l.phrase("host.step.roles")))
	shots("roles")
	each("hc.prompt.roles", func(string) { tap(l.phrase("host.act.role.unknown")) })
	bench.waitForText(l.phrase("hc.prompt.laying"))
	shots("laying")
	tap(l.phrase("host.act.laid"))
	host.waitForText(l.phrase("host.custody.title"))
	each("hc.prompt.pick", func(string) {
		tap(l.phrase("host.act.keep.unnamed"))
		bench.tap("button", l.phrase("bench.tidy"))
	})
	host.waitForText(l.phrase("ui.display.round", "at", "1", "of", "8"))
	shots("round")
	each("hc.prompt.move", func(p string) {
		tap("Salon")
		tap(l.phrase("ui.act.search"))
		host.waitForText(l.phrase("hc.prompt.take", "seat", p))
		tap(l.phrase("host.act.take.unnamed"))
		tap(l.phrase("host.act.done"))
	})
	each("hc.prompt.deposit", func(p string) {
		if p == players[1] {
			shots("deposit")
		}
		tap(l.phrase("host.act.deposit.unnamed"))
	})
	clues := []string{"Lady Borrow, indice 1", "Dr Lecomte, indice 2", "Miss Peely, indice 3", "Sir Puddingham, indice 4"}
	room, dropped := d.bench(), wire.BenchAct{Act: "move", Spot: wire.SpotUrn}
	for _, c := range room.waitFor("the cards", func(wire.Bench) bool { return true }).Cards {
		if slices.Contains(clues, c.Name.FR) {
			dropped.Cards = append(dropped.Cards, c.Tag)
		}
	}
	room.sendAct(dropped)
	bench.tap("button", l.phrase("bench.tidy"))
	sure(l.phrase("ui.act.open"))
	bench.waitForText(l.phrase("bench.guide.show"))
	for _, c := range clues {
		tap(c)
	}
	host.waitForText(l.phrase("host.urn.named", "n", "4"))
	shots("urn")
	sure(l.phrase("host.act.shown"))
	each("hc.prompt.recovery", func(p string) {
		if p == players[3] {
			shots("recovery")
		}
		for i, of := range players[:four] {
			if of == p && i < four-1 { // the last player takes the remaining one
				tap(clues[i])
			}
		}
		if p == players[3] {
			tap(clues[3])
		}
	})
	host.waitForText(l.phrase("ui.display.round", "at", "2", "of", "8"))
	host.checkAxe(t, "second round")

	// A card is lost, and the host reports it.
	tap(l.phrase("host.mend.open"))
	tap(l.phrase("host.act.count"))
	host.waitForText(l.phrase("host.count.title"))
	bench.waitForText(l.phrase("bench.guide.count"))
	tap(l.phrase("host.count.less", "of", "Salon"))
	host.waitForText(l.phrase("host.count.lost.one"))
	shots("count")
	host.checkAxe(t, "count")
	tap(l.phrase("host.count.done"))
	host.waitForText(l.phrase("hc.prompt.move", "seat", players[1]))
}

// TestHostBox checks the box by a card past a reader, shows how well the reader reads it, and names a place with the
// keyboard: the table shows the new name at once.
func TestHostBox(t *testing.T) {
	t.Parallel()
	d, b, l := startDemo(t), startUnpainted(t), speak(t, words.FR)
	host := b.open("host", d.links["host"], laptopSize)
	bench := b.open("bench", d.links["bench"], laptopSize)
	room := d.bench()
	host.tap("button", l.phrase("host.step.box")+"*")
	host.tap("button", l.phrase("host.box.start"))
	host.waitForText(l.phrase("host.missing.box"))
	tag := ""
	for _, c := range room.waitFor("the cards", func(wire.Bench) bool { return true }).Cards {
		if c.Card == "weapon-corde" {
			tag = c.Tag
			room.sendAct(wire.BenchAct{Act: "move", Card: c.Tag, Spot: wire.SpotShow})
		}
	}
	host.waitForText(l.phrase("host.box.last", "card", "Corde"))
	host.takeShot("host-box")
	host.checkAxe(t, "box check")
	host.tap("button", l.phrase("host.box.stop"))
	host.tap("button", l.phrase("host.try.start"))
	host.waitForText(l.phrase("host.try.none"))
	room.sendAct(wire.BenchAct{Act: "move", Card: tag, Spot: wire.SpotShow})
	host.waitForText(tag)
	host.takeShot("host-try")
	host.checkAxe(t, "trial of the readers")
	host.tap("button", l.phrase("host.try.stop"))
	host.tap("button", l.phrase("host.act.walk"))
	host.waitForText(l.phrase("host.walk.red", "strip", "1"))
	host.tap("button", l.phrase("host.walk.next"))
	host.waitForText(l.phrase("host.walk.green", "strip", "1"))
	host.checkAxe(t, "walk along the lights")
	host.tap("button", l.phrase("host.act.walk-end"))
	host.tap("button", l.phrase("host.deck.open"))
	host.tap("textbox", l.phrase("host.deck.place", "n", "3"))
	host.runActions("types", chromedp.KeyEvent("Boudoir\rChandelier\r"))
	bench.waitForText("Boudoir")
	bench.waitForText("Chandelier")
	host.takeShot("host-deck")
	host.checkAxe(t, "names of the cards")
	host.tap("button", l.phrase("host.deck.done"))
	host.waitForText(l.phrase("host.ready"))
}
