package e2e_test

import (
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"majordome/companion/wire"
	"majordome/engine/words"
)

// TestHostAlone plays the set-up and a round at a table without phones and without readers: the host declares what
// all players see, and no hidden card is ever named (GEN-024).
func TestHostAlone(t *testing.T) {
	t.Parallel()
	d, b, l := startDemo(t), startBrowser(t), speak(t, words.FR)
	bench := b.open("bench", d.links["bench"], laptopSize)
	host := b.open("host", d.links["host"], phoneSize)
	shots := func(name string) {
		host.shot("host-" + name)
		bench.shot("host-" + name + "-bench")
	}
	tap := func(name string) { t.Helper(); host.tap("button", name) }
	sure := func(act string) {
		t.Helper()
		tap(act)
		tap(l.say("ui.host.yes", "act", act))
	}
	each := func(prompt string, do func(player string)) {
		t.Helper()
		for _, p := range players[:four] {
			host.says(l.say(prompt, "seat", p))
			do(p)
		}
	}

	host.says(l.say("host.ready"))
	shots("lobby")
	tap(l.say("ui.act.begin"))
	host.says(l.say("host.path", "at", "7", "of", "9", "step", l.say("host.step.roles")))
	shots("roles")
	each("hc.prompt.roles", func(string) { tap(l.say("host.act.role.unknown")) })
	bench.says(l.say("hc.prompt.laying"))
	shots("laying")
	tap(l.say("host.act.laid"))
	host.says(l.say("host.custody.title"))
	each("hc.prompt.pick", func(string) {
		tap(l.say("host.act.keep.unnamed"))
		bench.tap("button", l.say("bench.tidy"))
	})
	host.says(l.say("ui.display.round", "at", "1", "of", "8"))
	shots("round")
	each("hc.prompt.move", func(p string) {
		tap("Salon")
		tap(l.say("ui.act.search"))
		host.says(l.say("hc.prompt.take", "seat", p))
		tap(l.say("host.act.take.unnamed"))
		tap(l.say("host.act.done"))
	})
	each("hc.prompt.deposit", func(p string) {
		if p == players[1] {
			shots("deposit")
		}
		tap(l.say("host.act.deposit.unnamed"))
	})
	clues := []string{"Lady Borrow, indice 1", "Dr Lecomte, indice 2", "Miss Peely, indice 3", "Sir Puddingham, indice 4"}
	room, dropped := d.bench(), wire.BenchAct{Act: "move", Spot: wire.SpotUrn}
	for _, c := range room.until("the cards", func(wire.Bench) bool { return true }).Cards {
		if slices.Contains(clues, c.Name.FR) {
			dropped.Cards = append(dropped.Cards, c.Tag)
		}
	}
	room.do(dropped)
	bench.tap("button", l.say("bench.tidy"))
	sure(l.say("ui.act.open"))
	bench.says(l.say("bench.guide.show"))
	for _, c := range clues {
		tap(c)
	}
	host.says(l.say("host.urn.named", "n", "4"))
	shots("urn")
	sure(l.say("host.act.shown"))
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
	host.says(l.say("ui.display.round", "at", "2", "of", "8"))
	host.axe(t, "second round")

	// A card is lost, and the host reports it.
	tap(l.say("host.mend.open"))
	tap(l.say("host.act.count"))
	host.says(l.say("host.count.title"))
	bench.says(l.say("bench.guide.count"))
	tap(l.say("host.count.less", "of", "Salon"))
	host.says(l.say("host.count.lost.one"))
	shots("count")
	host.axe(t, "count")
	tap(l.say("host.count.done"))
	host.says(l.say("hc.prompt.move", "seat", players[1]))
}

// TestHostBox checks the box by a card past a reader, shows how well the reader reads it, and names a place with the
// keyboard: the table shows the new name at once.
func TestHostBox(t *testing.T) {
	t.Parallel()
	d, b, l := startDemo(t), startBrowser(t), speak(t, words.FR)
	host := b.open("host", d.links["host"], laptopSize)
	bench := b.open("bench", d.links["bench"], laptopSize)
	room := d.bench()
	host.tap("button", l.say("host.step.box")+"*")
	host.tap("button", l.say("host.box.start"))
	host.says(l.say("host.missing.box"))
	tag := ""
	for _, c := range room.until("the cards", func(wire.Bench) bool { return true }).Cards {
		if c.Card == "weapon-corde" {
			tag = c.Tag
			room.do(wire.BenchAct{Act: "move", Card: c.Tag, Spot: wire.SpotShow})
		}
	}
	host.says(l.say("host.box.last", "card", "Corde"))
	host.shot("host-box")
	host.axe(t, "box check")
	host.tap("button", l.say("host.box.stop"))
	host.tap("button", l.say("host.try.start"))
	host.says(l.say("host.try.none"))
	room.do(wire.BenchAct{Act: "move", Card: tag, Spot: wire.SpotShow})
	host.says(tag)
	host.shot("host-try")
	host.axe(t, "trial of the readers")
	host.tap("button", l.say("host.try.stop"))
	host.tap("button", l.say("host.act.walk"))
	host.says(l.say("host.walk.red", "strip", "1"))
	host.tap("button", l.say("host.walk.next"))
	host.says(l.say("host.walk.green", "strip", "1"))
	host.axe(t, "walk along the lights")
	host.tap("button", l.say("host.act.walk-end"))
	host.tap("button", l.say("host.deck.open"))
	host.tap("textbox", l.say("host.deck.place", "n", "3"))
	host.do("types", chromedp.KeyEvent("Boudoir\rChandelier\r"))
	bench.says("Boudoir")
	bench.says("Chandelier")
	host.shot("host-deck")
	host.axe(t, "names of the cards")
	host.tap("button", l.say("host.deck.done"))
	host.says(l.say("host.ready"))
}
