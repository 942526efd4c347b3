package e2e_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/words"
)

// solution are the cards that the test puts into the envelope.
var solution = []engine.ID{"suspect-violet", "weapon-hache", "room-salle-a-manger"}

// TestCluedo plays a whole game of three: the envelope is sealed and the hands are dealt past a reader, cards are
// drawn, shown, and seen with a Butler card, and the machine checks the right accusation without the players.
func TestCluedo(t *testing.T) {
	t.Parallel()
	for _, lang := range whole(words.FR) {
		t.Run(string(lang), func(t *testing.T) {
			q := enterCluedo(t, lang, "cluedo")
			q.begin()
			q.sealSolution()
			q.deal()
			q.pictures("starting", q.phones[anne])
			q.rollForFirst()
			q.firstTurn()
			q.secondTurn()
			q.thirdTurn()
			q.lastTurn()
			q.checkEnd("C8-190", "cl.over.right")
			q.checkStory()
		})
	}
}

// sealSolution puts the solution into the envelope, card by card. The table refuses a second suspect, and no page
// learns the content of the envelope (C8-002).
func (q *inquest) sealSolution() {
	q.t.Helper()
	q.pictures("sealing", q.phones[anne])
	before := q.startCensus()
	for i, card := range solution {
		q.seal(card)
		if i == 0 {
			q.present("suspect-moutarde", "ui.bench.spot.show")
			q.screen.waitForText(q.phrase("cl.no.second-of-kind")) // the kind is no secret: the envelope takes one of each
			q.pictures("second-suspect", q.phones[anne])
			q.table.waitFor("the card taken back", func(wire.Bench) bool { return q.spotOf("suspect-moutarde") == wire.SpotBox })
		}
	}
	q.bench.waitForText(q.phrase("bench.case.deal", "seat", players[anne]))
	q.checkUnrevealed(before, "the envelope")
}

// firstTurn plays Anne's turn: Bruno has nothing to show; Chloé says the same, is corrected in private, and shows a
// card that only Anne sees (C8-081 to C8-083).
func (q *inquest) firstTurn() {
	q.t.Helper()
	q.pictures("turn", q.phones[anne])
	q.roll(q.phones[anne], "6", "4")
	q.pictures("move", q.phones[anne])
	q.enterRoom(anne, "room-salle-a-manger")
	suspect, weapon := solution[0], solution[1]
	var card engine.ID // Chloé has it, and no one else has one of the named cards
	if weapons := q.hand(chloe, "weapon"); len(weapons) > 0 {
		weapon, card = weapons[0], weapons[0]
	} else {
		suspect = q.hand(chloe, "suspect")[0]
		card = suspect
	}
	q.waitForPrompt(anne, "act")
	q.pictures("act", q.phones[anne])
	q.suppose(anne, suspect, weapon)

	p := q.waitForPrompt(bruno, "answer")
	q.bench.waitForText(q.phrase("bench.case.answer", "seat", players[bruno]))
	q.pictures("answer", p)
	p.tap("button", q.phrase("ui.act.none"))
	q.waitForAnswer(bruno, "none")

	p = q.waitForPrompt(chloe, "answer")
	p.tap("button", q.phrase("ui.act.none"))
	p.waitForText(q.phrase("ui.refused"))
	q.readReason(chloe, q.phrase("ui.refused"), "cl.no.look-again")
	before := q.startCensus()
	q.present(card, "ui.bench.spot.show")
	q.waitForAnswer(chloe, "shown")
	q.declineToPlay(chloe)
	q.pictures("shown", q.phones[anne])
	q.checkUnrevealed(before, "a card shown")
	if got := q.peek(anne, chloe); got != card {
		q.t.Errorf("Anne was shown %s and reads %s", card, got)
	}
}

// secondTurn plays Bruno's turn: a question mark on a die draws a Time card, one on the board a Butler card, which he
// keeps (C8-042, C8-049).
func (q *inquest) secondTurn() {
	q.t.Helper()
	p := q.waitForPrompt(bruno, "start")
	q.roll(p, "?", "6")
	q.waitForPrompt(bruno, "draw")
	q.pictures("draw", p)
	q.draw(bruno, "time-")
	q.screen.waitForText(q.phrase("display.hour", "at", "1", "of", "8"))
	q.stopAt(bruno, 3, 8, "phone.where.stop.mark")
	q.draw(bruno, "butler-see-card")
	q.waitForPrompt(bruno, "end")
	q.pictures("end", p)
	q.endTurn(bruno)
}

// thirdTurn plays Chloé's turn: Anne answers on her phone, and Bruno has a Butler card but does not use it in time
// (C8-035).
func (q *inquest) thirdTurn() {
	q.t.Helper()
	q.roll(q.waitForPrompt(chloe, "start"), "6", "6")
	q.enterRoom(chloe, "room-spa")
	suspect, weapon := solution[0], solution[1]
	var card engine.ID
	for _, c := range q.hand(anne, "room", "suspect", "weapon") { // not her own pawn: she needs its position later
		switch {
		case c == "room-spa":
			card = c
		case strings.HasPrefix(string(c), "weapon-"):
			card, suspect, weapon = c, solution[0], c
		case strings.HasPrefix(string(c), "suspect-") && c != "suspect-rose":
			card, suspect, weapon = c, c, solution[1]
		}
	}
	q.suppose(chloe, suspect, weapon)
	p := q.waitForPrompt(anne, "answer")
	before := q.startCensus()
	q.choose(p, "answer", func(name string) bool { return strings.HasPrefix(name, q.name(string(card))) })
	q.waitForAnswer(anne, "shown")
	q.declineToPlay(bruno)
	q.pictures("passed", q.phones[chloe])
	q.checkUnrevealed(before, "a card shown")
	if got := q.peek(chloe, anne); got != card {
		q.t.Errorf("Chloé was shown %s and reads %s", card, got)
	}
}

// lastTurn plays Anne's second turn: she accuses from the pool, and is right.
func (q *inquest) lastTurn() {
	q.t.Helper()
	p := q.waitForPrompt(anne, "start")
	q.roll(p, "6", "6")
	q.enterRoom(anne, "pool")
	q.waitForPrompt(anne, "act")
	q.pictures("pool", p)
	q.openSheet(p, "accuse")
	q.nameAccused(p, solution...)
	q.screen.waitForText(q.phrase("ui.solution"))
}

// TestMidnight plays to the eighth Time card. The player who draws it is murdered, in a scene on the display; the
// card goes back and the clock shows seven hours again (C8-133 to C8-137). The game goes on without that seat.
func TestMidnight(t *testing.T) {
	t.Parallel()
	for _, lang := range whole(words.EN) {
		t.Run(string(lang), func(t *testing.T) {
			q := enterCluedo(t, lang, "midnight")
			q.begin()
			q.deal()
			q.rollForFirst()
			q.playStay(anne, "time-", "time-")
			q.playStay(bruno, "butler-replay-", "time-")
			q.playStay(chloe, "time-", "time-")
			q.playStay(anne, "time-", "time-")
			q.drawEighth()
			q.nameMurdered()
		})
	}
}

// playStay plays a turn of two question marks: the player draws two cards, and the pawn stays on its square (C8-044,
// C8-055).
func (q *inquest) playStay(seat int, draws ...string) {
	q.t.Helper()
	q.roll(q.waitForPrompt(seat, "start"), "?", "?")
	for _, card := range draws {
		q.draw(seat, card)
	}
	at := q.square(seat)
	q.stopAt(seat, at[0], at[1], "phone.where.stop")
	q.endTurn(seat)
}

// drawEighth plays Bruno's turn at seven hours.
func (q *inquest) drawEighth() {
	q.t.Helper()
	q.screen.waitForText(q.phrase("display.hour", "at", "7", "of", "8"))
	q.screen.waitForText(q.phrase("display.hour.last"))
	q.pictures("seven", q.phones[bruno])
	hand, before := q.hand(bruno, "suspect", "weapon", "room"), q.startCensus()
	q.roll(q.waitForPrompt(bruno, "start"), "?", "6")
	scene := q.screen.recordText()
	q.draw(bruno, "time-")
	for i, moment := range []string{
		q.phrase("display.midnight"),
		q.phrase("display.midnight.for", "seat", players[bruno]),
		q.name(string(hand[0])),
		q.phrase("display.midnight.back"),
	} {
		scene(moment)
		if i < 3 && q.phones[bruno].hasText(q.phrase("phone.ghost.title")) {
			q.t.Errorf("%s reads that it is dead before the display shows it: at %q", q.phones[bruno].name, moment)
		}
		q.screen.takeShot(fmt.Sprintf("midnight-%s-scene-%d", q.lang, i+1))
		if i == 0 {
			q.phones[chloe].waitForText(q.phrase("table.scene"))
			q.phones[chloe].takeShot(fmt.Sprintf("midnight-%s-phone", q.lang))
		}
	}
	q.phones[bruno].waitForText(q.phrase("phone.ghost.title"))
	q.waitForPrompt(chloe, "start")
	q.screen.waitForNoText(q.phrase("display.midnight.back"))
	q.screen.waitForText(q.phrase("display.hour", "at", "7", "of", "8"))
	q.pictures("after-midnight", q.phones[bruno])
	q.checkUnrevealed(before, "the murder", hand...) // his Butler card leaves unseen (C8-135)
	left := 0
	for _, c := range q.table.waitFor("the table", func(wire.Bench) bool { return true }).Cards {
		if c.Kind == "time-card" && c.Spot == wire.SpotPile {
			left++
		}
		if slices.Contains(hand, c.Card) && !c.Up {
			q.t.Errorf("%s does not lie face up", c.Card)
		}
	}
	if left != 1 {
		q.t.Errorf("%d Time cards lie in the pile", left)
	}
	for _, p := range append([]*tab{q.screen}, q.phones...) {
		p.waitForNoText(q.name("butler-replay-1"))
	}
}

// nameMurdered lets Chloé name the murdered seat, whose pawn stays away and which is not asked (C8-136, C8-085).
func (q *inquest) nameMurdered() {
	q.t.Helper()
	q.roll(q.waitForPrompt(chloe, "start"), "6", "6")
	q.enterRoom(chloe, "room-spa")
	weapon := solution[1]
	if weapons := q.hand(anne, "weapon"); len(weapons) > 0 {
		weapon = weapons[0]
	}
	q.suppose(chloe, "suspect-olive", weapon)
	p := q.waitForPrompt(anne, "answer")
	if a := q.publicView().Case.Hypothesis.Answers; len(a) != 1 || a[0].Seat != anne+1 {
		q.t.Errorf("others than Anne are asked: %v", a)
	}
	q.pictures("named", p)
	named := []engine.ID{"suspect-olive", weapon, "room-spa"}
	held := q.hand(anne, "suspect", "weapon", "room")
	if i := slices.IndexFunc(held, func(c engine.ID) bool { return slices.Contains(named, c) }); i >= 0 {
		q.present(held[i], "ui.bench.spot.show")
		q.waitForAnswer(anne, "shown")
		return
	}
	p.tap("button", q.phrase("ui.act.none"))
	q.waitForAnswer(anne, "none")
}

// TestRefutation plays with hands that no reader has seen. Bruno presents a card that does not answer and a card of
// no game, and the table says the same to both; then the reader is lost, and he answers on his phone (C8-S40,
// GEN-024).
func TestRefutation(t *testing.T) {
	t.Parallel()
	for _, lang := range whole(words.EN) {
		t.Run(string(lang), func(t *testing.T) {
			q := enterCluedo(t, lang, "refute")
			q.begin()
			q.setUpTrusted()
			right, wrong := q.askBruno()
			before := q.startCensus()
			hand := q.handOf(bruno)
			card, _ := q.lookAt(hand, func(name string) bool { return name == q.name(string(wrong)) })
			q.presentWrong(bruno, card, "ui.bench.spot.show", "cl.no.not-named")
			q.presentWrong(bruno, q.foreign(), "ui.bench.spot.show", "cl.no.foreign")
			q.checkUnrevealed(before, "cards that do not answer")
			q.unplugShow()
			q.choose(q.phones[bruno], "answer", func(name string) bool { return strings.HasPrefix(name, q.name(string(right))) })
			q.waitForAnswer(bruno, "shown")
			q.pictures("shown", q.phones[anne])
			q.checkUnrevealed(before, "a card shown")
			if got := q.peek(anne, bruno); got != right {
				t.Errorf("Anne was shown %s and reads %s", right, got)
			}
		})
	}
}

// setUpTrusted plays the set-up without a reader: the host confirms that the envelope is ready and the cards are
// dealt, and says who begins.
func (q *inquest) setUpTrusted() {
	q.t.Helper()
	q.pictures("envelope", q.phones[anne])
	q.host.tap("button", q.phrase("host.act.sealed"))
	q.bench.waitForText(q.phrase("bench.case.deal", "seat", players[anne]))
	q.pictures("deal", q.phones[anne])
	q.host.tap("button", q.phrase("host.act.dealt"))
	q.screen.waitForText(q.phrase("display.phase.starting"))
	q.pictures("first", q.phones[anne])
	q.host.tap("button", players[anne])
	q.waitForPrompt(anne, "start")
}

// askBruno plays Anne's turn up to the question to Bruno. It returns one card of his that answers, and one that does
// not.
func (q *inquest) askBruno() (right, wrong engine.ID) {
	q.t.Helper()
	q.roll(q.phones[anne], "6", "4")
	q.enterRoom(anne, "room-salle-a-manger")
	named := []engine.ID{solution[0], solution[1], "room-salle-a-manger"}
	for i, kind := range []engine.ID{"suspect", "weapon"} {
		if mine := q.hand(bruno, kind); len(mine) > 0 {
			named[i], right = mine[0], mine[0]
		}
	}
	for _, c := range q.hand(bruno, "suspect", "weapon", "room") {
		if !slices.Contains(named, c) {
			wrong = c
		}
	}
	q.suppose(anne, named[0], named[1])
	q.waitForPrompt(bruno, "answer")
	return right, wrong
}

// unplugShow pulls the cable of the reader that waits for a card.
func (q *inquest) unplugShow() {
	q.t.Helper()
	q.bench.tap("button", q.cable("unplug", "show"))
	p := q.phones[bruno]
	p.waitForText(q.phrase("ui.reader.lost.show"))
	q.screen.waitForText(q.phrase("ui.display.reader.show"))
	q.host.waitForText(q.phrase("ui.bench.lost"))
	q.waitForPrompt(bruno, "answer")
	q.pictures("lost", p)
}
