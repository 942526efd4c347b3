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

// inquest is a table of Cluedo 2008 with three players: Anne is Rose, Bruno is
// Olive, Chloé is Pervenche, and their left is that order.
type inquest struct {
	*room
	words map[string]string // what an edition says in the place of other prompts
}

const anne, bruno, chloe = 0, 1, 2

func enterCluedo(t *testing.T, lang words.Lang, film string) *inquest {
	t.Helper()
	book, err := cluedo.New(cluedo.DefaultDeck("cluedo-2008"))
	if err != nil {
		t.Fatal(err)
	}
	return &inquest{room: open(t, startDemo(t, "--game", "cluedo-2008"), startBrowser(t), lang, film, book.Names(), 3)}
}

// begin leaves the lobby.
func (q *inquest) begin() {
	q.t.Helper()
	q.pictures("lobby", q.phones[anne])
	q.host.tap("button", q.say("ui.act.begin"))
	q.bench.says(q.say("bench.case.seal"))
	q.screen.says(q.say("display.phase.dealing"))
}

// seal puts a card into the envelope.
func (q *inquest) seal(card engine.ID) {
	q.t.Helper()
	q.present(card, "ui.bench.spot.show")
	q.table.until("a card in the envelope", func(wire.Bench) bool { return q.lies(card) == wire.SpotEnvelope })
}

// dealt lets the helping hand present what still lies in the box: the envelope
// first when it is open, then the hands.
func (q *inquest) dealt() {
	q.t.Helper()
	before := q.before()
	q.laid(q.say("display.phase.starting"))
	q.untold(before, "the deal")
}

// rolls decides by the dice who begins: the first seat has the most.
func (q *inquest) rolls() {
	q.t.Helper()
	for seat, faces := range [][2]string{{"6", "6"}, {"?", "6"}, {"2", "3"}} {
		q.roll(q.asked(seat, "starting"), faces[0], faces[1])
	}
	q.asked(anne, "start")
}

// asked waits until a seat is asked for something, and the public view tells it too.
func (q *inquest) asked(seat int, what string) *tab {
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
	p.says(asks...)
	q.public.until(players[seat]+" "+what, func(u wire.Update) bool {
		return (u.View.Prompt.Key == public || strings.HasPrefix(u.View.Prompt.Key, public+".")) && u.View.Prompt.Args.Get("seat") == engine.Seat(seat+1).String()
	})
	return p
}

// variants are a question and those that say the same step by what is offered now.
func (q *inquest) variants(key, what string) (all []string) {
	for _, k := range q.book.Keys() {
		if k == key || strings.HasPrefix(k, "cl.prompt."+what+".") && k != "cl.prompt."+what+".host" {
			all = append(all, k)
		}
	}
	if what == "act" { // at a pool where nothing lies to be looked at
		all = append(all, "cl.prompt.end.accuse")
	}
	return all
}

// caughtUp waits until every page shows the question that the table has come to:
// what is told with it stands everywhere then.
func (q *inquest) caughtUp() {
	q.t.Helper()
	for _, p := range q.everybody() {
		p.wait("the question to the table", func() bool {
			prompt := q.now().Prompt
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
					asks = append(asks, upToBlank(q.say(k, args...)))
				}
			}
			return p.heard(asks...)
		})
	}
}

// sheet taps an act and waits for its question.
func (q *inquest) sheet(p *tab, act string) {
	q.t.Helper()
	p.tap("button", q.say("ui.act."+act))
	p.sees("dialog", q.say("ui.act."+act))
}

// roll tells two dice; in a turn it is the second key of a move.
func (q *inquest) roll(p *tab, a, b string) {
	q.t.Helper()
	act := "roll"
	if q.now().Phase == "turn" {
		act = "roll-counted"
	}
	q.sheet(p, act)
	for _, n := range q.names { // what the face that draws cards is called, where it has a name
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
	p.tap("button", q.say("phone.dice.say", "dice", a+" + "+b))
	p.lacks("dialog", q.say("ui.act."+act))
}

// enters moves a pawn into a room.
func (q *inquest) enters(seat int, room string) {
	q.t.Helper()
	p, act := q.asked(seat, "move"), "move-said"
	for _, n := range q.names { // counted where a board is drawn
		if n.Plan != nil && len(n.Plan.Rows) > 0 {
			act = "move"
		}
	}
	q.sheet(p, act)
	p.tap("button", q.name(room))
	p.lacks("dialog", q.say("ui.act."+act))
}

// stops moves a pawn to a square: the finger touches it on the drawing, then the
// key that names it.
func (q *inquest) stops(seat, col, row int, key string) {
	q.t.Helper()
	p := q.asked(seat, "move")
	q.sheet(p, "move")
	board := q.say("phone.where.board", "n", "") + "*"
	at := spot{}
	p.wait("the square on the drawing of the board", func() bool {
		last := at
		at = ask[spot](p, fmt.Sprintf(`((e) => {
			if (!e) return { X: 0, Y: 0 };
			const frame = e.parentElement, seen = () => new DOMPoint(%d.5, %d.5).matrixTransform(e.getScreenCTM());
			frame.scrollIntoView({ block: "nearest" }); // and then the board under it
			const [was, box] = [seen(), frame.getBoundingClientRect()];
			frame.scrollBy(was.x - box.x - box.width / 2, was.y - box.y - box.height / 2);
			Object.assign(aim(), { at: e, felt: false, done: false });
			const at = seen();
			return { X: at.x, Y: at.y };
		})(%s)`, col, row, nth("image", board, 0)))
		return at != spot{} && at == last && p.strike(at)
	})
	if wide := ask[float64](p, nth("image", board, 0)+".getScreenCTM().a"); wide < 15 {
		q.t.Errorf("a square of the board is %.1f pixels wide on a phone", wide)
	}
	key = strings.TrimSpace(q.say(key, "near", "")) + "*"
	p.sees("button", key)
	p.shot(fmt.Sprintf("%s-%s-square", q.film, q.lang))
	p.tap("button", key)
	p.lacks("dialog", q.say("ui.act.move"))
}

// square is where the pawn of a seat stands outside the rooms.
func (q *inquest) square(seat int) (at [2]int) {
	q.t.Helper()
	v := q.now()
	for _, p := range v.Case.Pawns {
		if p.Suspect == v.Seats[seat].Character {
			if _, err := fmt.Sscanf(p.Square, "%d,%d", &at[0], &at[1]); err != nil {
				q.t.Fatalf("%s stands on %q", players[seat], p.Square)
			}
		}
	}
	return at
}

// within is the room of a pawn; empty outside the rooms.
func (q *inquest) within(seat int) engine.ID {
	v := q.now()
	for _, p := range v.Case.Pawns {
		if p.Suspect == v.Seats[seat].Character {
			return p.At
		}
	}
	return ""
}

// ended ends the turn of a seat, where it does not end by itself.
func (q *inquest) ended(seat int) {
	q.t.Helper()
	q.unless("ui.act.end", seat, func(c *engine.Case) bool { return c.Turn != engine.Seat(seat+1) })
}

// passes gives up what a seat could play now that a card was shown.
func (q *inquest) passes(seat int) {
	q.t.Helper()
	q.unless("ui.act.pass", seat, func(c *engine.Case) bool { return c.Step != engine.StepShown })
}

// unless taps an act of a seat as soon as it is offered, until the table has gone
// on, which it also does by itself.
func (q *inquest) unless(act string, seat int, done func(*engine.Case) bool) {
	q.t.Helper()
	p := q.phones[seat]
	p.wait(act, func() bool {
		if at := p.reach(nth("button", q.say(act), 0)); at != (spot{}) && !done(q.now().Case) {
			p.strike(at)
		}
		return done(q.now().Case)
	})
}

// present lays a card on a reader.
func (q *inquest) present(card engine.ID, reader string) {
	q.t.Helper()
	spot := q.lies(card)
	label := ""
	for said, id := range q.spots {
		if id == spot {
			label = said
		}
	}
	q.bring(label, reader, func(name string) bool { return name == q.name(string(card)) })
}

// inPile is a card of the Intrigue pile whose id begins so.
func (q *inquest) inPile(begins string) engine.ID {
	q.t.Helper()
	cards := q.table.until("the pile", func(wire.Bench) bool { return true }).Cards
	i := slices.IndexFunc(cards, func(c wire.BenchCard) bool {
		return c.Spot == wire.SpotPile && strings.HasPrefix(string(c.Card), begins)
	})
	if i < 0 {
		q.t.Fatalf("no %s in the pile", begins)
	}
	return cards[i].Card
}

// draws takes a card from the Intrigue pile; which one is the choice of the test.
func (q *inquest) draws(seat int, begins string) {
	q.t.Helper()
	q.asked(seat, "draw")
	q.bench.says(q.say("bench.case.draw", "seat", players[seat]))
	was := q.now()
	before := q.before()
	q.present(q.inPile(begins), "ui.bench.spot.slot")
	q.public.until("the card drawn", func(u wire.Update) bool {
		return u.View.Case.Pile < was.Case.Pile || !u.View.Seats[seat].Alive
	})
	if q.now().Seats[seat].Alive {
		q.untold(before, "a card drawn by "+players[seat])
	}
}

// hand are the mystery cards that lie in a hand, of these kinds.
func (q *inquest) hand(seat int, kinds ...engine.ID) (ids []engine.ID) {
	q.t.Helper()
	spot := q.spots[q.handOf(seat)]
	for _, c := range q.table.until("the hands", func(wire.Bench) bool { return true }).Cards {
		if c.Spot == spot && slices.Contains(kinds, c.Kind) {
			ids = append(ids, c.Card)
		}
	}
	return ids
}

// supposes names a suspect and a weapon, where the seat stands.
func (q *inquest) supposes(seat int, suspect, weapon engine.ID) {
	q.t.Helper()
	p := q.asked(seat, "act")
	q.sheet(p, "hypothesis")
	p.tap("button", q.name(string(suspect)))
	p.tap("button", q.name(string(weapon)))
	p.shot(fmt.Sprintf("%s-%s-names", q.film, q.lang))
	p.tap("button", q.say("ui.act.hypothesis"))
	p.lacks("dialog", q.say("ui.act.hypothesis"))
	q.screen.says(q.say("display.hypothesis", "seat", players[seat]))
}

// accuses names three cards on the sheet that is open.
func (q *inquest) accuses(p *tab, cards ...engine.ID) {
	q.t.Helper()
	for _, card := range cards {
		p.tap("button", q.name(string(card)))
	}
	p.tap("button", q.say("ui.choose.next"))
	p.says(q.say("phone.accuse.sure"))
	p.shot(fmt.Sprintf("%s-%s-sure", q.film, q.lang))
	p.tap("button", q.say("ui.act.accuse"))
}

// tells says what an accuser has seen in the envelope.
func (q *inquest) tells(p *tab, verdict string) {
	q.t.Helper()
	q.sheet(p, "verdict")
	p.tap("button", q.say("phone.plain."+verdict))
	p.says(q.say("ui.choose.sure"))
	p.tap("button", q.say("ui.act.verdict"))
}

// inEnvelope are the cards that lie there, whoever has put them.
func (q *inquest) inEnvelope() []engine.ID {
	q.t.Helper()
	all := []engine.ID{"", "", ""}
	for _, c := range q.table.until("the table", func(wire.Bench) bool { return true }).Cards {
		for i, kind := range []engine.ID{"suspect", "weapon", "room"} {
			if c.Spot == wire.SpotEnvelope && c.Kind == kind {
				all[i] = c.Card
			}
		}
	}
	return all
}

// said waits until everybody knows how a seat has answered.
func (q *inquest) said(seat int, how string) {
	q.t.Helper()
	q.public.until(players[seat]+" "+how, func(u wire.Update) bool {
		h := u.View.Case.Hypothesis
		return h != nil && slices.Contains(h.Answers, engine.Answer{Seat: engine.Seat(seat + 1), Said: how})
	})
}

// peeks reads under a finger what was shown to a seat alone.
func (q *inquest) peeks(seat, shower int) (card engine.ID) {
	q.t.Helper()
	return q.reads(q.phones[seat], q.say("phone.saw.shown", "seat", players[shower]), "a card for "+players[seat])
}

// reads is the card that a phone shows while it is held, under these words.
func (q *inquest) reads(p *tab, words, what string) (card engine.ID) {
	q.t.Helper()
	before := q.before()
	p.sees("button", q.say("phone.peek")+"*")
	if p.has("button", words+"*") {
		q.t.Errorf("%s: a card shows before it is held", p.name)
	}
	p.hold(nth("button", q.say("phone.peek")+"*", 0), func() {
		p.sees("button", words+"*")
		name := strings.TrimSpace(strings.TrimPrefix(strings.Join(strings.Fields(p.names("button", words)[0]), " "), words))
		if card = q.idOf(name); card == "" {
			q.t.Errorf("%s reads %q", p.name, name)
		}
		p.shot(fmt.Sprintf("%s-%s-peek-%s", q.film, q.lang, p.name))
		now := q.census()
		now[p.name] = nil
		q.compare(before, now, what)
	})
	p.lacks("button", words+"*")
	q.untold(before, what)
	p.tap("button", q.say("ui.ok"))
	p.lacks("button", q.say("phone.peek")+"*")
	return card
}

// census counts how often each page names each card: by either name or its id.
// In a Cluedo all of them are named in public; what is secret is told when a page
// names one card more than before. The characters of the three players do not
// count: who acts is named all the time.
type census map[string]map[engine.ID]int

// before is the census to compare with, of pages that are not behind.
func (q *inquest) before() census {
	q.t.Helper()
	q.caughtUp()
	return q.census()
}

func (q *inquest) census() census {
	q.t.Helper()
	c, seats := census{}, q.now().Seats
	for _, p := range q.everybody() {
		// The captions of the display say the story once more, some time later, and so does what a phone that
		// waits gives to think about: made of the public part of a view alone (Wait.svelte), it changes by itself.
		source := ask[string](p, `((all) => {
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

// untold checks that no page names any card more often than before, but for those
// that everybody has seen meanwhile.
func (q *inquest) untold(before census, what string, public ...engine.ID) {
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
