package e2e_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/words"
)

// smallSize, tabletSize and portraitSize are the screens on which ten seats must have room.
var (
	smallSize    = [2]int64{360, 640}
	tabletSize   = [2]int64{1280, 800}
	portraitSize = [2]int64{1080, 1920}
)

// ten is a table of Super Cluedo with ten players: the first three have a page, and the test answers for the others
// over MQTT.
type ten struct {
	*inquest
	others []*phone // of the seats from the fourth on
}

// TestSuperCluedoOfTen plays a Super Cluedo of ten, as slow and unkind as players are: the envelope and most hands are not read, a
// phone sleeps while it is asked, one accusation is wrong and one right (SC-001, SC-062, SC-076, SC-095, SC-099).
func TestSuperCluedoOfTen(t *testing.T) {
	t.Parallel()
	for _, lang := range whole(words.FR) {
		t.Run(string(lang), func(t *testing.T) {
			q := &ten{inquest: enterSuper(t, lang, "ten")}
			q.sitDown()
			q.handOut()
			q.spyOnSleeper()
			q.askNine()
			q.accuseWrongly()
			for _, p := range q.others {
				p.waitFor("its turn", func(u wire.Update) bool { return u.View.Case.Turn == seatOf(p) })
				p.mustSend("end", nil)
			}
			q.accuseAgain()
			q.checkEnd("SC-099", "cl.over.right")
		})
	}
}

// sitDown seats seven more players on the host's page, and their phones join.
func (q *ten) sitDown() {
	q.t.Helper()
	q.host.tap("button", q.phrase("host.step.seats")+"*")
	q.host.tap("textbox", q.phrase("host.sit.name", "n", "4"))
	for _, name := range players[3:] { // Enter goes on to the next line
		q.host.typeText(name)
		q.host.runActions("goes on", chromedp.KeyEvent("\r"))
		q.host.waitForElement("button", q.phrase("host.sit.change")+" : "+name)
	}
	table := q.table.waitFor("ten phones", func(b wire.Bench) bool { return len(b.Players) == 11 })
	for _, p := range table.Players {
		if p.Seat > 3 {
			q.others = append(q.others, join(q.t, p.URL, engine.SeatViewer(p.Seat)))
		}
	}
	for i, name := range players {
		q.spots[q.phrase("ui.bench.spot.hand", "name", name)] = fmt.Sprintf("hand:seat-%d", i+1)
	}
	slices.SortFunc(q.others, func(a, b *phone) int { return int(seatOf(a)) - int(seatOf(b)) })
	q.pictures("lobby", nil)
}

// everywhere takes pictures of pages with many seats on other screens.
func (q *ten) everywhere(what string) {
	q.t.Helper()
	name := "ten-" + string(q.lang) + "-" + what + "-"
	q.host.resize(name+"host", phoneSize, laptopSize)
	q.bench.resize(name+"bench", smallSize, tabletSize, tableSize, laptopSize)
	q.screen.resize(name+"display", tabletSize, portraitSize, tableSize)
}

func seatOf(p *phone) engine.Seat {
	x, _ := p.viewer.Seat()
	return x
}

// handOut leaves the lobby: the host names the dealer and confirms that the envelope is ready; of all the cards only
// two of Anne's are read.
func (q *ten) handOut() {
	q.t.Helper()
	q.host.tap("button", q.phrase("ui.act.begin"))
	q.screen.waitForText(q.phrase("cl.prompt.dealer", "seat", players[0]))
	q.host.tap("button", players[len(players)-1])
	q.screen.waitForText(q.phrase("cl.prompt.envelope"))
	q.pictures("envelope", q.phones[anne])
	q.host.tap("button", q.phrase("host.act.sealed"))
	q.bench.waitForText(q.phrase("bench.case.deal", "seat", players[anne]))
	for _, card := range []engine.ID{"weapon-poignard", "room-veranda"} {
		q.present(card, "ui.bench.spot.show")
		q.table.waitFor("a card in her hand", func(wire.Bench) bool { return q.spotOf(card) == "hand:seat-1" })
	}
	q.pictures("deal", q.phones[anne])
	q.host.tap("button", q.phrase("host.act.dealt"))
	q.waitForPrompt(anne, "start")
	for _, p := range q.others {
		p.waitFor("its hand", func(u wire.Update) bool { return u.View.Seats[seatOf(p)-1].Cards > 1 })
	}
}

// spyOnSleeper plays Anne's turn: she spies on Chloé, whose phone sleeps and has not answered yet; it wakes and shows
// the question.
func (q *ten) spyOnSleeper() {
	q.t.Helper()
	q.phones[chloe].runActions("falls asleep", chromedp.Navigate("about:blank"))
	p := q.waitForPrompt(anne, "start")
	q.roll(p, "6", "6")
	q.stopAt(anne, 11, 8, "phone.where.stop.mark")
	q.waitForPrompt(anne, "spy")
	q.openSheet(p, "spy")
	p.resize("ten-"+string(q.lang)+"-spy", smallSize, phoneSize)
	p.tap("button", players[chloe]+"*")
	q.screen.waitForText(q.phrase("cl.prompt.neighbour", "seat", players[chloe]))
	q.phones[chloe].runActions("wakes", chromedp.Navigate(q.d.origin()+"/#seat=3"))
	q.waitForPrompt(chloe, "neighbour")
	card := q.hand(chloe, "suspect", "weapon", "room")[0]
	q.present(card, "ui.bench.spot.show")
	if got := q.peek(anne, chloe); got != card {
		q.t.Errorf("Anne was shown %s and reads %s", card, got)
	}
	q.enterRoom(anne, "room-7")
	q.waitForPrompt(anne, "act")
	p.tap("button", q.phrase("ui.act.end"))
	q.endTurn(anne)
}

// askNine plays Bruno's turn: all nine others answer, one after the other.
func (q *ten) askNine() {
	q.t.Helper()
	q.roll(q.waitForPrompt(bruno, "start"), "4", "3")
	q.enterRoom(bruno, "room-bureau")
	named := []engine.ID{"suspect-rose", "weapon-corde", "room-bureau"}
	q.suppose(bruno, named[0], named[1])
	for i := range players {
		seat := (chloe + i) % len(players)
		if seat == bruno {
			continue
		}
		q.public.waitFor(players[seat]+" is asked", func(u wire.Update) bool { return slices.Contains(u.View.Active, engine.Seat(seat+1)) })
		held := ""
		for _, card := range q.hand(seat, "suspect", "weapon", "room") {
			if slices.Contains(named, card) {
				held = string(card)
			}
		}
		switch {
		case seat > chloe && held != "":
			q.others[seat-3].mustSend("answer", engine.Args{"card": held})
		case seat > chloe:
			q.others[seat-3].mustSend("none", nil)
		case held != "":
			q.present(engine.ID(held), "ui.bench.spot.show")
		default:
			q.phones[seat].tap("button", q.phrase("ui.act.none"))
		}
		how := "none"
		if held != "" {
			how = "shown"
		}
		q.waitForAnswer(seat, how)
	}
	q.waitForPrompt(bruno, "end")
	q.phones[bruno].tap("button", q.phrase("phone.tab.notes"))
	q.phones[bruno].resize("ten-"+string(q.lang)+"-sheet", smallSize, phoneSize)
	q.phones[bruno].tap("button", q.phrase("ui.tab.hand"))
	q.everywhere("answered")
	q.bench.checkAxe(q.t, "ten hands")
	q.screen.checkAxe(q.t, "ten seats")
	q.endTurn(bruno)
}

// accuseWrongly plays Chloé's turn: no page says what she has named, and she is out.
func (q *ten) accuseWrongly() {
	q.t.Helper()
	p := q.waitForPrompt(chloe, "start")
	before := q.startCensus()
	q.openSheet(p, "accuse")
	p.resize("ten-"+string(q.lang)+"-accuse", smallSize, phoneSize)
	q.nameAccused(p, "suspect-violet", "weapon-matraque", "room-7")
	q.waitForPrompt(chloe, "verdict")
	q.declareVerdict(p, "wrong")
	q.public.waitFor("the next turn", func(u wire.Update) bool { return u.View.Seats[chloe].Out && u.View.Case.Turn == chloe+2 })
	q.checkUnrevealed(before, "a wrong accusation")
	q.pictures("out", p)
}

// accuseAgain plays Anne's second turn: her accusation is right.
func (q *ten) accuseAgain() {
	q.t.Helper()
	p := q.waitForPrompt(anne, "start")
	q.openSheet(p, "accuse")
	q.nameAccused(p, q.inEnvelope()...)
	q.waitForPrompt(anne, "verdict")
	q.declareVerdict(p, "right")
}
