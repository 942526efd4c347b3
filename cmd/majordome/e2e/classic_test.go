package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/cluedo"
	"majordome/engine/words"
)

// classic is a table of the current Cluedo. Anne is Rose, Bruno is Moutarde; Chloé is Olive, and the test answers for
// her phone over MQTT.
type classic struct {
	*inquest
	browser *browser
	third   *phone
}

// TestClassic plays the current Cluedo in its three ways on every page. The plain run plays one way in one language
// at random, the long run all of them; -run selects one.
func TestClassic(t *testing.T) {
	t.Parallel()
	ways := []struct {
		preset string
		play   func(*classic)
	}{{"standard", (*classic).standard}, {"two-player", (*classic).forTwo}, {"team", (*classic).inTeams}}
	all := len(whole(words.FR)) > 1
	way, tongue := rand.IntN(len(ways)), rand.IntN(len(words.Langs))
	for i, w := range ways {
		for j, lang := range words.Langs {
			if !all && (i != way || j != tongue) {
				continue
			}
			t.Run(w.preset+"/"+string(lang), func(t *testing.T) {
				t.Logf("again: MAJORDOME_SOAK=1 go test ./cmd/majordome/e2e -run '^TestClassic$/^%s$/^%s$'", w.preset, lang)
				w.play(enterClassic(t, lang, "classic-"+w.preset))
			})
		}
	}
}

func enterClassic(t *testing.T, lang words.Lang, film string) *classic {
	t.Helper()
	book, err := cluedo.New(cluedo.DefaultDeck("cluedo-classic"))
	if err != nil {
		t.Fatal(err)
	}
	q := &classic{browser: startUnpainted(t)}
	q.inquest = &inquest{room: open(t, startDemo(t, "--game", "cluedo-classic"), q.browser, lang, film, book.Names(), 2),
		words: map[string]string{"cl.prompt.start.you": "cl.prompt.start.roll", "cl.prompt.draw": "cl.prompt.draw.clue",
			"cl.prompt.draw.you": "cl.prompt.draw.clue.you", "cl.prompt.move.you": "cl.prompt.move.ways",
			"cl.prompt.act.you": "cl.prompt.act.room",
			"cl.prompt.end.you": "cl.prompt.end.accuse"}}
	for _, n := range q.names {
		if n.Kind == "room" {
			q.spots[q.name(string(n.ID))] = string(n.ID)
		}
	}
	return q
}

// followPreset chooses a way of playing with one tap.
func (q *classic) followPreset(preset string) {
	q.t.Helper()
	q.host.tap("button", q.phrase("host.step.rules")+"*")
	q.host.tap("radio", q.name(preset)+"*")
	q.public.waitFor("the house rules of "+preset, func(u wire.Update) bool { return u.View.Switches["preset"] == preset })
}

// writeClueCard sets on the host's page that the first clue card makes all show a card to all. The keyboard goes on
// from the card's name to its sentence, where one letter is enough.
func (q *classic) writeClueCard() {
	q.t.Helper()
	everybody := map[words.Lang]string{words.FR: "c", words.EN: "e"}[q.lang]
	q.host.tap("button", q.phrase("host.step.box")+"*")
	q.host.tap("button", q.phrase("host.deck.open"))
	q.host.tapNth("textbox", q.phrase("host.deck.other", "n", "1"), 3) // after the first suspect, weapon and room
	q.host.runActions("types", chromedp.KeyEvent("\t"), chromedp.KeyEvent(everybody))
	q.host.waitForText(q.phrase("host.deck.saved", "n", "1"))
	q.host.waitForNoElement("combobox", q.phrase("host.deck.cards.what", "n", "1"))
	q.host.resize(q.film+"-"+string(q.lang)+"-cards", tabletSize, phoneSize, laptopSize)
	q.host.checkAxe(q.t, "what clue cards do")
	q.host.tap("button", q.phrase("host.deck.done"))
}

// takeSizes takes pictures of a phone and of the host's page at other screen sizes.
func (q *classic) takeSizes(what string, p *tab) {
	q.t.Helper()
	name := q.film + "-" + string(q.lang) + "-" + what
	p.resize(name+"-phone", smallSize, phoneSize)
	q.host.resize(name+"-host", tabletSize, laptopSize)
}

// joinThird connects the third seat's phone.
func (q *classic) joinThird() {
	q.t.Helper()
	q.third = join(q.t, q.d.links["seat-3"], engine.SeatViewer(chloe+1))
	q.spots[q.phrase("ui.bench.spot.hand", "name", players[chloe])] = "hand:seat-3"
}

// handOut reports, on the host's page, that all cards are in their places; no reader reads one.
func (q *classic) handOut() {
	q.t.Helper()
	q.host.tap("button", q.phrase("host.act.sealed"))
	q.host.tap("button", q.phrase("host.act.dealt"))
	q.waitForPrompt(anne, "start")
	q.pictures("turn", q.phones[anne])
}

// accuseRightly ends the game: a seat accuses, sees in the envelope that it is right, and says so.
func (q *classic) accuseRightly(seat int) {
	q.t.Helper()
	p := q.phones[seat]
	q.openSheet(p, "accuse")
	q.nameAccused(p, q.inEnvelope()...)
	q.waitForPrompt(seat, "verdict")
	q.pictures("verdict", p)
	q.declareVerdict(p, "right")
	q.checkEnd("CC-074", "cl.over.right")
}

// waitForShown waits until a card that was shown to all is in the public view.
func (q *classic) waitForShown(card engine.ID) {
	q.t.Helper()
	q.public.waitFor("a card shown to all", func(u wire.Update) bool { return slices.Contains(u.View.Shown, card) })
}

// coveredCards returns the cards of a hand that were not shown to all.
func (q *classic) coveredCards(seat int, kinds ...engine.ID) []engine.ID {
	q.t.Helper()
	return slices.DeleteFunc(q.hand(seat, kinds...), func(c engine.ID) bool { return slices.Contains(q.publicView().Shown, c) })
}

// anyCovered returns one covered card of a hand.
func (q *classic) anyCovered(seat int) engine.ID {
	q.t.Helper()
	return q.coveredCards(seat, "suspect", "weapon", "room")[0]
}

// standard plays the standard rules. A magnifier brings a clue card that, as the host has written, makes all show a
// card to all, at the reader and on phones; two magnifiers bring one by which a chosen player shows a card, and one
// that calls all pawns together. There the accusation is made, and the envelope decides (CC-030, CC-031, CC-060,
// CC-074).
func (q *classic) standard() {
	q.joinThird()
	q.writeClueCard()
	q.pictures("lobby", q.phones[anne])
	q.host.tap("button", q.phrase("ui.act.begin"))
	q.handOut()
	q.roll(q.waitForPrompt(anne, "start"), "?", "6")
	q.draw(anne, "clue-card-1")
	p := q.waitForPrompt(anne, "reveal")
	q.pictures("clue", p)
	q.takeSizes("clue", p)
	for _, seat := range []int{anne, bruno} {
		q.waitForPrompt(seat, "reveal")
		card := q.anyCovered(seat)
		q.present(card, "ui.bench.spot.show")
		q.waitForShown(card)
	}
	q.third.waitFor("its question", func(u wire.Update) bool { return slices.Contains(u.View.Active, chloe+1) })
	shown := q.anyCovered(chloe)
	q.third.mustSend("answer", engine.Args{"card": string(shown)})
	q.waitForShown(shown)
	q.enterRoom(anne, "room-salon")
	q.pictures("shown", p)
	q.playHypothesis()
	q.endTurn(anne)

	p = q.waitForPrompt(bruno, "start")
	q.roll(p, "?", "?")
	q.draw(bruno, "clue-card-22")
	q.openSheet(p, "clue-seat") // the act is not sent yet: the player first chooses who shows a card
	p.takeShot("classic-" + string(q.lang) + "-whom")
	p.tap("button", players[chloe]+"*")
	q.third.waitFor("its question", func(u wire.Update) bool { return slices.Contains(u.View.Active, chloe+1) })
	shown = q.anyCovered(chloe)
	q.third.mustSend("answer", engine.Args{"card": string(shown)})
	q.waitForShown(shown)
	q.gatherPawns()
	q.waitForPrompt(bruno, "act")
	q.accuseRightly(bruno)
}

// gatherPawns calls all pawns to the Salon with Bruno's clue card; he stays there.
func (q *classic) gatherPawns() {
	q.t.Helper()
	q.draw(bruno, "clue-card-28")
	p := q.phones[bruno]
	q.openSheet(p, "clue-to")
	p.tap("button", q.name("room-salon"))
	p.waitForNoElement("dialog", q.phrase("ui.act.clue-to"))
	q.waitForPrompt(bruno, "move")
	q.pictures("gathered", p)
	p.tap("button", q.phrase("ui.act.stay"))
}

// playHypothesis plays Anne's hypothesis in the Salon, with a suspect of Bruno's if he has one: he shows her a card,
// and only she reads it.
func (q *classic) playHypothesis() {
	q.t.Helper()
	suspect, weapon := q.inEnvelope()[0], q.inEnvelope()[1]
	if held := q.coveredCards(bruno, "suspect"); len(held) > 0 {
		suspect = held[0]
	} else if held := q.coveredCards(bruno, "weapon"); len(held) > 0 {
		weapon = held[0]
	}
	q.waitForPrompt(anne, "act")
	q.suppose(anne, suspect, weapon)
	p := q.waitForPrompt(bruno, "answer")
	q.pictures("answer", p)
	held := q.coveredCards(bruno, "suspect", "weapon", "room")
	i := slices.IndexFunc(held, func(c engine.ID) bool { return c == suspect || c == weapon || c == "room-salon" })
	if i < 0 { // he has only rooms
		p.tap("button", q.phrase("ui.act.none"))
		q.waitForAnswer(bruno, "none")
		q.answerAsThird()
		return
	}
	before := q.startCensus()
	q.present(held[i], "ui.bench.spot.show")
	q.waitForAnswer(bruno, "shown")
	q.checkUnrevealed(before, "a card shown")
	if got := q.peek(anne, bruno); got != held[i] {
		q.t.Errorf("Anne was shown %s and reads %s", held[i], got)
	}
}

// answerAsThird lets Chloé, if she plays, answer Anne's hypothesis in the Salon: the Salon is the only card of it
// that she can have.
func (q *classic) answerAsThird() {
	q.t.Helper()
	if q.third == nil {
		return
	}
	q.third.waitFor("its question", func(u wire.Update) bool { return slices.Contains(u.View.Active, chloe+1) })
	if slices.Contains(q.hand(chloe, "room"), "room-salon") {
		q.third.mustSend("answer", engine.Args{"card": "room-salon"})
		q.waitForAnswer(chloe, "shown")
		return
	}
	q.third.mustSend("none", nil)
	q.waitForAnswer(chloe, "none")
}

// viewHidden plays the act by which a seat sees the card hidden in the Salon: the card passes the reader, only these
// phones read it, and it returns to the Salon (CC-133).
func (q *classic) viewHidden(seat int, phones ...*tab) (card engine.ID) {
	q.t.Helper()
	p := q.waitForPrompt(seat, "look")
	q.pictures("look", p)
	q.takeSizes("look", p)
	before := q.startCensus()
	cards := q.table.waitFor("a hidden card", func(b wire.Bench) bool { return true }).Cards
	i := slices.IndexFunc(cards, func(c wire.BenchCard) bool { return c.Spot == "room-salon" })
	if i < 0 {
		q.t.Fatal("nothing lies in the Salon")
	}
	card = cards[i].Card
	q.present(card, "ui.bench.spot.show")
	q.public.waitFor("the look", func(u wire.Update) bool { return u.View.Prompt.Key != "cl.prompt.look" })
	q.checkUnrevealed(before, "a look", "room-salon") // where it is
	for _, p := range phones {
		if got := q.readHeld(p, q.phrase("phone.saw.pool", "place", q.name("room-salon")), "a look"); got != card {
			q.t.Errorf("%s reads %s, and it was %s", p.name, got, card)
		}
	}
	q.table.waitFor("the card back in the Salon", func(wire.Bench) bool { return q.spotOf(card) == "room-salon" })
	return card
}

// forTwo plays the rules for two: four cards are hidden in rooms that the host chooses; Anne walks to one and sees
// it, and so does Bruno after a clue card has called him there (CC-130, CC-133, CC-134).
func (q *classic) forTwo() {
	q.followPreset("two-player")
	q.host.tap("button", q.phrase("host.step.seats")+"*")
	q.host.tap("button", q.phrase("host.sit.change")+" : "+players[chloe])
	q.pictures("lobby", q.phones[anne])
	q.host.tap("button", q.phrase("ui.act.begin"))
	q.host.tap("button", q.name("room-salon"))
	q.public.waitFor("a card in the Salon", func(u wire.Update) bool {
		return slices.ContainsFunc(u.View.Places, func(p engine.PlaceView) bool { return p.Place == "room-salon" && p.Cards == 1 })
	})
	q.pictures("hide", q.phones[anne])
	q.host.tap("button", q.phrase("host.act.hide.plain"))
	q.handOut()
	q.roll(q.phones[anne], "3", "4")
	q.enterRoom(anne, "room-salon")
	first := q.viewHidden(anne, q.phones[anne])
	q.playHypothesis()
	q.endTurn(anne)
	q.roll(q.waitForPrompt(bruno, "start"), "?", "6")
	q.gatherPawns()
	if again := q.viewHidden(bruno, q.phones[bruno]); again != first {
		q.t.Errorf("Anne has seen %s there, and Bruno %s", first, again)
	}
	q.waitForPrompt(bruno, "act")
	q.accuseRightly(bruno)
}

// inTeams plays a seat with two phones, which show the same; either answers for it. A mark made on one is still on
// the sheet of the other when the first is disconnected (CC-136, GEN-E12).
func (q *classic) inTeams() {
	q.joinThird()
	q.followPreset("team")
	q.host.tap("radio", q.name("corners")+"*")
	q.host.tap("button", q.phrase("host.step.phones")+"*")
	q.host.tap("button", q.phrase("host.phone.more")+" : "+players[bruno])
	q.host.waitForText(q.phrase("host.phone.more.how"))
	q.host.tap("button", q.phrase("ui.host.invite.link")+" : "+players[bruno])
	mate := q.browser.private().open("mate", evaluate[string](q.host, `document.querySelector("#invitation-link").value`), phoneSize)
	if q.lang == words.EN {
		mate.tap("button", "EN*")
	}
	mate.waitForText(q.phrase("phone.shared", "n", "2"))
	q.pictures("lobby", mate)
	q.host.tap("button", q.phrase("ui.act.begin"))
	q.handOut()
	q.roll(q.phones[anne], "3", "4")
	q.enterRoom(anne, "room-salon")
	q.viewHidden(anne, q.phones[anne])
	q.playHypothesis()
	q.endTurn(anne)

	q.roll(q.waitForPrompt(bruno, "start"), "6", "6")
	p := q.waitForPrompt(bruno, "move")
	if q.roomOf(bruno) == "room-salon" { // Anne's hypothesis has moved his pawn
		p.tap("button", q.phrase("ui.act.stay"))
	} else {
		q.enterRoom(bruno, "room-salon")
	}
	seen := q.viewHidden(bruno, p, mate)
	p.tap("button", q.phrase("phone.tab.notes"))
	p.tap("button", q.name(string(seen))+", "+q.phrase("phone.note.envelope"))
	p.tap("button", q.phrase("phone.mark.maybe"))
	q.pictures("sheet", p)
	q.takeSizes("sheet", p)
	mate.tap("button", q.phrase("phone.tab.notes"))
	marked := func() {
		mate.holdWhile(nthElement("button", q.phrase("ui.choose.read")+"*", 0), func() {
			mate.waitForElement("button", q.name(string(seen))+", "+q.phrase("phone.note.envelope")+": "+q.phrase("phone.mark.maybe"))
		})
	}
	marked() // within two seconds
	q.cutOff(p)
	q.phones[bruno] = mate
	marked()
	mate.tap("button", q.phrase("ui.tab.hand"))
	q.waitForPrompt(bruno, "act")
	q.accuseRightly(bruno)
}

// cutOff disconnects Bruno's first phone on the host's page.
func (q *classic) cutOff(p *tab) {
	q.t.Helper()
	first := players[bruno] + ", " + q.phrase("host.phone.nth", "n", "1")
	q.host.tap("button", q.phrase("host.phone.end")+" : "+first)
	q.host.tap("button", q.phrase("ui.host.sure")+" : "+first)
	p.waitForText(q.phrase("ui.door.refused"))
	p.takeShot(fmt.Sprintf("classic-team-%s-cut", q.lang))
}
