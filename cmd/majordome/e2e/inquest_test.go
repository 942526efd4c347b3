package e2e_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/cluedo"
	"majordome/engine/words"
)

// inquest is a table of Cluedo 2008 with three players: Anne is Rose, Bruno is Olive, Chloé is Pervenche, seated to
// the left in that order.
type inquest struct {
	*room
	words map[string]string // the prompts that an edition uses instead of others
}

const anne, bruno, chloe = 0, 1, 2

func enterCluedo(t *testing.T, lang words.Lang, film string) *inquest {
	t.Helper()
	book, err := cluedo.New(cluedo.DefaultDeck("cluedo-2008"))
	if err != nil {
		t.Fatal(err)
	}
	return &inquest{room: open(t, startDemo(t, "--game", "cluedo-2008"), startUnpainted(t), lang, film, book.Names(), 3)}
}

// begin leaves the lobby.
func (q *inquest) begin() {
	q.t.Helper()
	q.pictures("lobby", q.phones[anne])
	q.host.tap("button", q.phrase("ui.act.begin"))
	q.bench.waitForText(q.phrase("bench.case.seal"))
	q.screen.waitForText(q.phrase("display.phase.dealing"))
}

// seal puts a card into the envelope.
func (q *inquest) seal(card engine.ID) {
	q.t.Helper()
	q.present(card, "ui.bench.spot.show")
	q.table.waitFor("a card in the envelope", func(wire.Bench) bool { return q.spotOf(card) == wire.SpotEnvelope })
}

// deal lets the helping hand present the cards that are still in the box: first for the envelope if it is open, then
// for the hands.
func (q *inquest) deal() {
	q.t.Helper()
	before := q.startCensus()
	q.layAllByHand(q.phrase("display.phase.starting"))
	q.checkUnrevealed(before, "the deal")
}

// rollForFirst decides by the dice who begins: the first seat has the most.
func (q *inquest) rollForFirst() {
	q.t.Helper()
	for seat, faces := range [][2]string{{"6", "6"}, {"?", "6"}, {"2", "3"}} {
		q.roll(q.waitForPrompt(seat, "starting"), faces[0], faces[1])
	}
	q.waitForPrompt(anne, "start")
}

// waitForPrompt waits until a seat's phone and the public view show a question to it.
func (q *inquest) waitForPrompt(seat int, what string) *tab {
	q.t.Helper()
	p := q.phones[seat]
	key := "cl.prompt." + what + ".you"
	if other := q.words[key]; other != "" {
		key = other
	}
	public := "cl.prompt." + what
	if other := q.words[public]; other != "" {
		public = other
	}
	var asks []string
	for _, k := range q.variants(key, what) {
		asks = append(asks, q.begins(k, "n", "card", "room", "seat", "sought"))
	}
	p.waitForText(asks...)
	q.public.waitFor(players[seat]+" "+what, func(u wire.Update) bool {
		return (u.View.Prompt.Key == public || strings.HasPrefix(u.View.Prompt.Key, public+".")) &&
			u.View.Prompt.Args.Get("seat") == engine.Seat(seat+1).String()
	})
	return p
}

// variants returns a question and those that ask for the same step with other offers.
func (q *inquest) variants(key, what string) (all []string) {
	for _, k := range q.book.Keys() {
		if k == key || strings.HasPrefix(k, "cl.prompt."+what+".") && k != "cl.prompt."+what+".host" {
			all = append(all, k)
		}
	}
	if what == "act" { // at a pool without a card to see
		all = append(all, "cl.prompt.end.accuse")
	}
	return all
}

// waitForPages waits until every page shows the current question of the table: then each also shows everything that
// was published with it.
func (q *inquest) waitForPages() {
	q.t.Helper()
	for _, p := range q.allPages() {
		p.pollUntil("the question to the table", func() bool {
			prompt := q.publicView().Prompt
			args := []string{"n", "|"}
			for blank, id := range prompt.Args.Pairs() {
				if seat, err := engine.ParseSeat(id); err == nil {
					args = append(args, blank, players[seat-1])
				}
			}
			var asks []string
			for _, viewer := range []string{"", ".you", ".host"} {
				key := prompt.Key + viewer
				if other := q.words[key]; other != "" {
					key = other
				}
				what, _, _ := strings.Cut(strings.TrimPrefix(prompt.Key, "cl.prompt."), ".")
				for _, k := range q.variants(key, what) {
					asks = append(asks, upToBlank(q.phrase(k, args...)))
				}
			}
			return p.hasText(asks...)
		})
	}
}

// openSheet taps an act and waits for its dialog.
func (q *inquest) openSheet(p *tab, act string) {
	q.t.Helper()
	p.openQuestion(q.phrase("ui.act." + act))
}

// roll enters two dice; in a turn that is the second key of a move.
func (q *inquest) roll(p *tab, a, b string) {
	q.t.Helper()
	act := "roll"
	if q.publicView().Phase == "turn" {
		act = "roll-counted"
	}
	q.openSheet(p, act)
	for _, n := range q.names { // the name of the face that draws cards, where it has one
		if n.Kind == "die-face" {
			for _, face := range []*string{&a, &b} {
				if *face == "?" {
					*face = q.name(string(n.ID))
				}
			}
		}
	}
	p.tapNth("button", a, 0)
	p.tapNth("button", b, 1)
	p.tap("button", q.phrase("phone.dice.say", "dice", a+" + "+b))
	p.waitForNoElement("dialog", q.phrase("ui.act."+act))
}

// enterRoom moves a pawn into a room.
func (q *inquest) enterRoom(seat int, room string) {
	q.t.Helper()
	p, act := q.waitForPrompt(seat, "move"), "move-said"
	for _, n := range q.names { // the room is chosen on the board where the deck has one
		if n.Plan != nil && len(n.Plan.Rows) > 0 {
			act = "move"
		}
	}
	q.openSheet(p, act)
	p.tap("button", q.name(room))
	p.waitForNoElement("dialog", q.phrase("ui.act."+act))
	q.putAway(p, act)
}

// putAway closes the question of the hypothesis, which opens unasked once an act has brought the pawn to a room.
func (q *inquest) putAway(p *tab, act string) {
	q.t.Helper()
	moves, asks, opened := q.phrase("ui.act."+act), q.phrase("ui.act.hypothesis"), false
	p.pollUntil("the question that opens by itself, or none", func() bool {
		opened = p.hasElement("dialog", asks)
		return opened || !p.hasElement("button", moves) && !p.hasElement("button", asks)
	})
	if opened {
		p.tap("button", q.phrase("ui.close"))
		p.waitForNoElement("dialog", asks)
	}
}

// stopAt moves a pawn to a square: the finger touches it on the drawing, then the key that names it.
func (q *inquest) stopAt(seat, col, row int, key string) {
	q.t.Helper()
	p := q.waitForPrompt(seat, "move")
	q.openSheet(p, "move")
	board := q.phrase("phone.where.board", "n", "") + "*"
	at := spot{}
	p.pollUntil("the square on the drawing of the board", func() bool {
		last := at
		at = evaluate[spot](p, fmt.Sprintf(`((e) => {
			if (!e) return { X: 0, Y: 0 };
			const frame = e.parentElement, seen = () => new DOMPoint(%d.5, %d.5).matrixTransform(e.getScreenCTM());
			frame.scrollIntoView({ block: "nearest" }); // and then the board under it
			const [was, box] = [seen(), frame.getBoundingClientRect()];
			frame.scrollBy(was.x - box.x - box.width / 2, was.y - box.y - box.height / 2);
			Object.assign(aim(), { at: e, felt: false, done: false });
			const at = seen();
			return { X: at.x, Y: at.y };
		})(%s)`, col, row, nthElement("image", board, 0)))
		return at != spot{} && at == last && p.tapAimed(at)
	})
	if wide := evaluate[float64](p, nthElement("image", board, 0)+".getScreenCTM().a"); wide < 15 {
		q.t.Errorf("a square of the board is %.1f pixels wide on a phone", wide)
	}
	key = strings.TrimSpace(q.phrase(key, "near", "")) + "*"
	p.waitForElement("button", key)
	p.takeShot(fmt.Sprintf("%s-%s-square", q.film, q.lang))
	p.tap("button", key)
	p.waitForNoElement("dialog", q.phrase("ui.act.move"))
}

// square returns the square of a seat's pawn outside the rooms.
func (q *inquest) square(seat int) (at [2]int) {
	q.t.Helper()
	v := q.publicView()
	for _, p := range v.Case.Pawns {
		if p.Suspect == v.Seats[seat].Character {
			if _, err := fmt.Sscanf(p.Square, "%d,%d", &at[0], &at[1]); err != nil {
				q.t.Fatalf("%s stands on %q", players[seat], p.Square)
			}
		}
	}
	return at
}

// roomOf returns the room of a pawn; empty outside the rooms.
func (q *inquest) roomOf(seat int) engine.ID {
	v := q.publicView()
	for _, p := range v.Case.Pawns {
		if p.Suspect == v.Seats[seat].Character {
			return p.At
		}
	}
	return ""
}

// endTurn ends the turn of a seat, unless it ends automatically.
func (q *inquest) endTurn(seat int) {
	q.t.Helper()
	q.tapUnlessDone("ui.act.end", seat, func(c *engine.Case) bool { return c.Turn != engine.Seat(seat+1) })
}

// declineToPlay lets a seat play nothing after a card was shown.
func (q *inquest) declineToPlay(seat int) {
	q.t.Helper()
	q.tapUnlessDone("ui.act.pass", seat, func(c *engine.Case) bool { return c.Step != engine.StepShown })
}

// tapUnlessDone taps an act of a seat as soon as it is offered, until done; the table may also go on without it.
func (q *inquest) tapUnlessDone(act string, seat int, done func(*engine.Case) bool) {
	q.t.Helper()
	p := q.phones[seat]
	p.pollUntil(act, func() bool {
		if at := p.aimAt(nthElement("button", q.phrase(act), 0)); at != (spot{}) && !done(q.publicView().Case) {
			p.tapAimed(at)
		}
		return done(q.publicView().Case)
	})
}

// present puts a card on a reader.
func (q *inquest) present(card engine.ID, reader string) {
	q.t.Helper()
	spot := q.spotOf(card)
	label := ""
	for said, id := range q.spots {
		if id == spot {
			label = said
		}
	}
	q.bring(label, reader, func(name string) bool { return name == q.name(string(card)) })
}

// inPile returns a card of the Intrigue pile whose id has this beginning.
func (q *inquest) inPile(begins string) engine.ID {
	q.t.Helper()
	cards := q.table.waitFor("the pile", func(wire.Bench) bool { return true }).Cards
	i := slices.IndexFunc(cards, func(c wire.BenchCard) bool {
		return c.Spot == wire.SpotPile && strings.HasPrefix(string(c.Card), begins)
	})
	if i < 0 {
		q.t.Fatalf("no %s in the pile", begins)
	}
	return cards[i].Card
}

// draw takes a card from the Intrigue pile; the test chooses which one.
func (q *inquest) draw(seat int, begins string) {
	q.t.Helper()
	q.waitForPrompt(seat, "draw")
	q.bench.waitForText(q.phrase("bench.case.draw", "seat", players[seat]))
	was := q.publicView()
	before := q.startCensus()
	q.present(q.inPile(begins), "ui.bench.spot.slot")
	q.public.waitFor("the card drawn", func(u wire.Update) bool {
		return u.View.Case.Pile < was.Case.Pile || !u.View.Seats[seat].Alive
	})
	if q.publicView().Seats[seat].Alive {
		q.checkUnrevealed(before, "a card drawn by "+players[seat])
	}
}

// hand returns the mystery cards of these kinds in a hand.
func (q *inquest) hand(seat int, kinds ...engine.ID) (ids []engine.ID) {
	q.t.Helper()
	spot := q.spots[q.handOf(seat)]
	for _, c := range q.table.waitFor("the hands", func(wire.Bench) bool { return true }).Cards {
		if c.Spot == spot && slices.Contains(kinds, c.Kind) {
			ids = append(ids, c.Card)
		}
	}
	return ids
}

// suppose names a suspect and a weapon, in the room of the seat's pawn.
func (q *inquest) suppose(seat int, suspect, weapon engine.ID) {
	q.t.Helper()
	p := q.waitForPrompt(seat, "act")
	q.openSheet(p, "hypothesis")
	p.tap("button", q.name(string(suspect)))
	p.tap("button", q.name(string(weapon)))
	p.takeShot(fmt.Sprintf("%s-%s-names", q.film, q.lang))
	p.tap("button", q.phrase("ui.act.hypothesis"))
	p.waitForNoElement("dialog", q.phrase("ui.act.hypothesis"))
	q.screen.waitForText(q.phrase("display.hypothesis", "seat", players[seat]))
}

// nameAccused names three cards on the open sheet.
func (q *inquest) nameAccused(p *tab, cards ...engine.ID) {
	q.t.Helper()
	for _, card := range cards {
		p.tap("button", q.name(string(card)))
	}
	p.tap("button", q.phrase("ui.choose.next"))
	p.waitForText(q.phrase("phone.accuse.sure"))
	p.takeShot(fmt.Sprintf("%s-%s-sure", q.film, q.lang))
	p.tap("button", q.phrase("ui.act.accuse"))
}

// declareVerdict says whether the envelope has shown the accusation to be right or wrong.
func (q *inquest) declareVerdict(p *tab, verdict string) {
	q.t.Helper()
	q.openSheet(p, "verdict")
	p.tap("button", q.phrase("phone.plain."+verdict))
	p.waitForText(q.phrase("ui.choose.sure"))
	p.tap("button", q.phrase("ui.act.verdict"))
}

// inEnvelope returns the cards in the envelope: suspect, weapon, room.
func (q *inquest) inEnvelope() []engine.ID {
	q.t.Helper()
	all := []engine.ID{"", "", ""}
	for _, c := range q.table.waitFor("the table", func(wire.Bench) bool { return true }).Cards {
		for i, kind := range []engine.ID{"suspect", "weapon", "room"} {
			if c.Spot == wire.SpotEnvelope && c.Kind == kind {
				all[i] = c.Card
			}
		}
	}
	return all
}

// waitForAnswer waits until the public view says how a seat has answered.
func (q *inquest) waitForAnswer(seat int, how string) {
	q.t.Helper()
	q.public.waitFor(players[seat]+" "+how, func(u wire.Update) bool {
		h := u.View.Case.Hypothesis
		return h != nil && slices.Contains(h.Answers, engine.Answer{Seat: engine.Seat(seat + 1), Said: how})
	})
}

// peek reads under a finger the card that was shown to this seat only.
func (q *inquest) peek(seat, shower int) (card engine.ID) {
	q.t.Helper()
	return q.readHeld(q.phones[seat], q.phrase("phone.saw.shown", "seat", players[shower]), "a card for "+players[seat])
}

// readHeld returns the card that a phone shows under these words while it is held.
func (q *inquest) readHeld(p *tab, words, what string) (card engine.ID) {
	q.t.Helper()
	before := q.startCensus()
	p.waitForElement("button", q.phrase("phone.peek")+"*")
	if p.hasElement("button", words+"*") {
		q.t.Errorf("%s: a card shows before it is held", p.name)
	}
	p.holdWhile(nthElement("button", q.phrase("phone.peek")+"*", 0), func() {
		p.waitForElement("button", words+"*")
		name := strings.TrimSpace(strings.TrimPrefix(strings.Join(strings.Fields(p.elementNames("button", words)[0]), " "), words))
		if card = q.idOf(name); card == "" {
			q.t.Errorf("%s reads %q", p.name, name)
		}
		p.takeShot(fmt.Sprintf("%s-%s-peek-%s", q.film, q.lang, p.name))
		now := q.census()
		now[p.name] = nil
		q.compare(before, now, what)
	})
	p.waitForNoElement("button", words+"*")
	q.checkUnrevealed(before, what)
	p.tap("button", q.phrase("ui.ok"))
	p.waitForNoElement("button", q.phrase("phone.peek")+"*")
	return card
}

// census counts how often each page names each card: by either name or its id. In a Cluedo all cards are named in
// public; a page reveals a secret when it names one card more often than before. The characters of the three players
// do not count: the acting player is named all the time.
type census map[string]map[engine.ID]int

// startCensus returns the census to compare with, once all pages are up to date.
func (q *inquest) startCensus() census {
	q.t.Helper()
	q.waitForPages()
	return q.census()
}

func (q *inquest) census() census {
	q.t.Helper()
	c, seats := census{}, q.publicView().Seats
	for _, p := range q.allPages() {
		// The captions of the display repeat the story some time later, and a waiting phone shows hints from the
		// public part of a view (Wait.svelte): both change on their own.
		source := evaluate[string](p, `((all) => {
			all.querySelectorAll(".caption, .wait i").forEach((e) => e.remove());
			return all.outerHTML;
		})(document.documentElement.cloneNode(true))`)
		if source == "" {
			q.t.Fatalf("%s holds nothing", p.name)
		}
		count := map[engine.ID]int{}
		for _, n := range q.names {
			player := slices.ContainsFunc(seats, func(s engine.SeatView) bool { return s.Character == n.ID })
			if slices.Contains([]engine.ID{"suspect", "weapon", "room", "butler-card"}, n.Kind) && !player {
				count[n.ID] = strings.Count(source, n.Text.FR) + strings.Count(source, n.Text.EN) + strings.Count(source, string(n.ID))
			}
		}
		c[p.name] = count
	}
	return c
}

// checkUnrevealed checks that no page names any card more often than before, except the public ones.
func (q *inquest) checkUnrevealed(before census, what string, public ...engine.ID) {
	q.t.Helper()
	q.compare(before, q.census(), what, public...)
}

func (q *inquest) compare(before, now census, what string, public ...engine.ID) {
	q.t.Helper()
	for page, cards := range now {
		for id, n := range cards {
			if n > before[page][id] && !slices.Contains(public, id) {
				q.t.Errorf("%s: %s names %s %d times more than before", what, page, id, n-before[page][id])
			}
		}
	}
}
