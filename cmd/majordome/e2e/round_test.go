package e2e_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/deck"
	"majordome/engine/huisclos"
	"majordome/engine/words"
)

// room is a demonstration table with all its pages open, as a newcomer has it:
// a laptop with the bench, a table screen, the host's page and four phones.
type room struct {
	tongue
	d      *demo
	lang   words.Lang
	host   *tab
	screen *tab
	bench  *tab
	phones []*tab
	held   [4][]string         // hidden cards by seat
	cards  map[string][]string // what a card is called: both names and its id
	spots  map[string]string   // ids of spots by what they are called
	table  *bench              // what really lies on the table
	public *phone              // what everybody sees, without a page
	names  engine.Names        // of the deck
	taken  engine.ID           // the card that was taken last
	since  time.Time
	shots  int
}

var players = []string{"Anne", "Bruno", "Chloé", "David"}

func enter(t *testing.T, d *demo, b *browser, lang words.Lang) *room {
	t.Helper()
	r := &room{tongue: speak(t, lang), d: d, lang: lang, cards: map[string][]string{}, spots: map[string]string{}}
	r.bench = b.open("bench", d.links["bench"], laptopSize)
	if lang == words.EN {
		r.bench.tap("button", "EN")
	}
	r.screen = b.open("display", d.links["display"], tableSize)
	r.host = b.open("host", d.links["host"], laptopSize)
	for s := engine.Seat(1); s <= 4; s++ {
		r.phones = append(r.phones, b.open("phone-"+s.String(), d.links[s.String()], phoneSize))
	}
	r.table, r.public, r.since = d.bench(), watch(t, d.origin()), time.Now()
	book, err := huisclos.New(deck.HuisClos())
	if err != nil {
		t.Fatal(err)
	}
	r.names = book.Names()
	for i, name := range players {
		r.spots[r.say("ui.bench.spot.hand", "name", name)] = fmt.Sprintf("hand:seat-%d", i+1)
	}
	for _, n := range r.names {
		if n.Kind == "place" {
			r.spots[n.Text.FR], r.spots[n.Text.EN] = string(n.ID), string(n.ID)
		}
	}
	for _, c := range r.table.until("cards", func(wire.Bench) bool { return true }).Cards {
		called := []string{c.Name.FR, c.Name.EN, string(c.Card)}
		r.cards[c.Name.FR], r.cards[c.Name.EN] = called, called
	}
	for i, p := range r.phones {
		p.says(players[i])
		p.says(r.say("ui.link.live"))
	}
	return r
}

func (r *room) all() map[string]*tab {
	return map[string]*tab{"host": r.host, "display": r.screen, "bench": r.bench}
}

// pictures keeps what every page looks like now.
func (r *room) pictures(what string, phone *tab) {
	r.t.Helper()
	r.shots++
	r.t.Logf("%5.1f s: %s", time.Since(r.since).Seconds(), what)
	name := fmt.Sprintf("round-%s-%02d-%s-", r.lang, r.shots, what)
	for page, p := range r.all() {
		p.shot(name + page)
	}
	if phone != nil {
		phone.shot(name + "phone")
	}
}

// turn waits until some phone is asked for this, and tells which.
func (r *room) turn(prompt string) (seat int, p *tab) {
	r.t.Helper()
	r.screen.wait("a phone that is asked "+prompt, func() bool {
		for i, q := range r.phones {
			if q.heard(prompt) {
				seat, p = i, q
				return true
			}
		}
		return false
	})
	return seat, p
}

// choose answers a blind question on a phone: it holds to read, picks the first
// option that pleases, and says which it was.
func (r *room) choose(p *tab, act string, pleases func(name string) bool) (card string) {
	r.t.Helper()
	p.tap("button", r.say("ui.act."+act))
	p.sees("dialog", r.say("ui.act."+act))
	card, at := r.mark(p, "choose-"+act, pleases)
	confirm, grave := r.say("ui.choose.confirm", "n", fmt.Sprint(at+1)), r.say("ui.choose.next")
	p.wait("a way to confirm", func() bool { return p.has("button", confirm) || p.has("button", grave) })
	if p.has("button", grave) {
		p.tap("button", grave)
		p.says(r.say("ui.choose.sure"))
		confirm = r.say("ui.act." + act)
	}
	p.tap("button", confirm)
	p.lacks("dialog", r.say("ui.act."+act))
	return card
}

// mark holds to read the options of a blind question, and marks the first that
// pleases.
func (r *room) mark(p *tab, picture string, pleases func(name string) bool) (card string, at int) {
	r.t.Helper()
	nth := r.say("ui.choose.nth", "n", "")
	for _, n := range p.names("button", nth) {
		if strings.Contains(n, "clue") || strings.Contains(n, "ndice") {
			r.t.Errorf("%s: an option is named before it is held: %s", p.name, n)
		}
	}
	at = -1
	p.hold("button", r.say("ui.choose.read")+"*", 0, func() {
		p.wait("the names of the options", func() bool {
			for i, n := range p.names("button", nth) {
				if card = after(n, nth); pleases(card) {
					at = i
					return true
				}
			}
			return false
		})
		p.shot(fmt.Sprintf("round-%s-%s", r.lang, picture))
	})
	p.tapNth("button", nth+"*", at)
	return card, at
}

// after is what follows the number: "Choix n° 3 Corde" is "Corde".
func after(name, nth string) string {
	_, rest, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(name, nth)), " ")
	return strings.TrimSpace(rest)
}

// isClue tells a character's clue from a weapon.
func isClue(name string) bool {
	return strings.Contains(name, "Indice d") || strings.Contains(name, "'s clue no.")
}

// look holds a face-down card at a spot and reads its face: the first that
// pleases. The test knows where that one lies; a newcomer holds one after the
// other.
func (r *room) look(spot string, pleases func(name string) bool) (n int, name string) {
	r.t.Helper()
	id := r.spots[spot]
	for _, c := range r.table.until("cards at "+spot, func(wire.Bench) bool { return true }).Cards {
		if c.Spot != id || c.Up || c.Kind != "clue" && c.Kind != "weapon" {
			continue
		}
		if name = c.Name.FR; r.lang == words.EN {
			name = c.Name.EN
		}
		if !pleases(name) {
			n++
			continue
		}
		r.bench.hold("button", r.down(spot), n, func() {
			r.bench.wait("the face of "+name, func() bool {
				return ask[bool](r.bench, fmt.Sprintf(`all("status", "*").some((e) => norm(e.innerText).includes(norm(%q)))`, name))
			})
		})
		return n, name
	}
	r.bench.fail("no card at " + spot + " that pleases")
	return 0, ""
}

// play is set-up and the first round, looked at closely: wrong cards included.
func (r *room) play() {
	r.pictures("lobby", r.phones[0])
	r.host.tap("button", r.say("ui.act.begin"))
	r.bench.says(r.say("ui.bench.deal"))
	r.pictures("roles", r.phones[0])
	r.bench.tap("button", r.say("ui.bench.deal"))
	r.screen.says(r.say("ui.display.phase.laying"))
	r.pictures("laying", r.phones[0])
	r.lay()
	r.pick()
	r.investigate()
	r.deposit()
	r.reveal()
}

// lay lets the helping hand present the 39 clues, one by one.
func (r *room) lay() {
	r.t.Helper()
	deal, left := r.say("ui.bench.deal"), 3*patience
	var pressed time.Time // a card that was not taken must have left the reader for a while
	for began := time.Now(); !r.screen.heard(r.say("ui.display.phase.pick")); {
		before := r.screen.text()
		r.screen.wait("the next clue", func() bool {
			return r.screen.text() != before || time.Since(pressed) > 2*time.Second && r.bench.has("button", deal)
		})
		if at := r.bench.reach("button", deal, 0); at != (spot{}) && time.Since(pressed) > 2*time.Second { // the hand rests when a card was not taken
			r.bench.press(at)
			r.bench.lift(at)
			pressed = time.Now()
		}
		if time.Since(began) > left {
			r.bench.fail("the helping hand does not come to an end")
		}
	}
}

// down is what a card lying face down at a spot is called.
func (r *room) down(spot string) string {
	return r.say("ui.bench.card.in", "card", r.say("ui.bench.card.down"), "spot", spot)
}

// bring holds the cards at a spot until one pleases, and drags it to the reader.
func (r *room) bring(spot, reader string, pleases func(string) bool) string {
	r.t.Helper()
	n, name := r.look(spot, pleases)
	r.bench.drag(r.down(spot), n, r.say(reader))
	return name
}

// carry brings a card that was declared on a phone to where the record has it, as
// the bench asks.
func (r *room) carry(card, from string, seat int) {
	r.t.Helper()
	hand := r.say("ui.bench.spot.hand", "name", players[seat])
	r.bench.says(r.say("ui.bench.guide.move", "from", from, "to", hand))
	n, _ := r.look(from, func(name string) bool { return strings.Contains(name, card) })
	r.bench.drag(r.down(from), n, hand)
	r.bench.unsays(r.say("ui.bench.guide.move", "from", from, "to", hand))
}

func (r *room) pick() {
	for i := range 4 {
		seat, p := r.turn(r.say("hc.prompt.pick.you"))
		if i == 0 {
			r.pictures("pick", p)
		}
		if i%2 == 0 {
			card := r.choose(p, "keep", isClue)
			r.hold(seat, card)
			r.carry(card, r.name(blue), seat)
		} else {
			r.hold(seat, r.bring(r.name(blue), "ui.bench.spot.show", isClue))
		}
		p.unsays(r.say("hc.prompt.pick.you"))
	}
	r.pictures("picked", r.phones[0])
}

// hold notes that a seat has a card: from now on no other page may name it.
func (r *room) hold(seat int, card string) {
	if len(r.cards[card]) != 3 {
		r.t.Fatalf("%s has no card %q", players[seat], card)
	}
	r.held[seat] = append(r.held[seat], card)
}

// lamp is how the lamps of a place shine on the bench.
func (r *room) lamp(place string) string {
	return ask[string](r.bench, fmt.Sprintf(`all("image", %q)[0].innerHTML`, r.say("ui.bench.lamps", "spot", place)))
}

func (r *room) investigate() {
	for i, id := range []string{"place-salon", "place-3", "place-4", "place-5"} {
		place := r.name(id)
		seat, p := r.turn(r.say("hc.prompt.move.you"))
		if i == 0 {
			r.pictures("move", p)
		}
		p.tap("button", r.say("ui.act.move"))
		p.sees("dialog", r.say("ui.act.move"))
		lamp := r.lamp(place)
		p.tap("button", place+" *")
		p.says(r.say("hc.prompt.act.you"))
		r.bench.wait("other lights at "+place, func() bool { return r.lamp(place) != lamp })
		p.tap("button", r.say("ui.act.search"))
		p.says(r.say("hc.prompt.take.you", "place", place))
		if i == 0 {
			r.pictures("take", p)
		}
		if i%2 == 0 {
			card := r.choose(p, "take", isClue)
			r.hold(seat, card)
			r.carry(card, place, seat)
		} else {
			r.hold(seat, r.bring(place, "ui.bench.spot.show", isClue))
		}
		p.says(r.say("hc.prompt.finish.you"))
		if i == 0 {
			r.pictures("finish", p)
			r.screen.says(r.say("hc.log.took", "seat", players[seat]))
		}
		p.tap("button", r.say("ui.act.done"))
		p.unsays(r.say("hc.prompt.finish.you"))
		r.secret()
	}
}

// deposit drags a card of each seat into the slot. The first seat tries a card
// of no game and a card of somebody else before: the table is told to present
// again, this seat alone why, and nothing changes.
func (r *room) deposit() {
	for i := range 4 {
		seat, p := r.turn(r.say("hc.prompt.deposit.you"))
		hand := r.say("ui.bench.spot.hand", "name", players[seat])
		r.bench.says(r.say("ui.bench.guide.deposit", "seat", players[seat]))
		if i == 0 {
			r.pictures("deposit", p)
			r.wrong(p, seat, r.say("ui.bench.card.in", "card", r.foreign(), "spot", r.say("ui.bench.spot.box")), "hc.no.foreign")
			other := r.say("ui.bench.spot.hand", "name", players[(seat+1)%4])
			r.wrong(p, seat, r.down(other), "hc.no.not-held")
		}
		card := r.held[seat][1]
		n, _ := r.look(hand, func(name string) bool { return strings.Contains(name, card) })
		r.bench.drag(r.down(hand), n, r.say("ui.bench.spot.slot"))
		p.unsays(r.say("hc.prompt.deposit.you"))
		r.screen.says(r.say("hc.log.deposited", "seat", players[seat]))
		r.secret()
	}
}

// foreign is what the first card of no game is called: a bank card.
func (r *room) foreign() string {
	for _, c := range r.table.until("a card of no game", func(wire.Bench) bool { return true }).Cards {
		if c.Kind == "foreign" {
			return map[words.Lang]string{words.FR: c.Name.FR, words.EN: c.Name.EN}[r.lang]
		}
	}
	r.t.Fatal("the bench has no card of no game")
	return ""
}

// wrong presents a card that is not the right one.
func (r *room) wrong(p *tab, seat int, card, why string) {
	r.t.Helper()
	r.bench.drag(card, 0, r.say("ui.bench.spot.slot"))
	r.screen.says(r.say("gen.again", "seat", players[seat]))
	r.bench.says(r.say("gen.again", "seat", players[seat]))
	p.says(r.say("ui.notice.private"))
	if why == "hc.no.foreign" {
		r.pictures("wrong", p)
	}
	if p.heard(r.say(why)) {
		r.t.Errorf("%s: the reason shows before it is held", p.name)
	}
	p.hold("button", r.say("ui.notice.private")+"*", 0, func() {
		p.says(r.say(why))
		p.shot("round-" + string(r.lang) + "-reason")
	})
	p.unsays(r.say(why))
	for _, q := range append(r.phones, r.screen, r.bench, r.host) {
		if q != p && strings.Contains(q.source(), r.say(why)) {
			r.t.Errorf("%s says why %s's card was refused", q.name, players[seat])
		}
	}
	p.tap("button", r.say("ui.ok"))
	r.bench.sees("button", card) // it lies where it lay
	p.says(r.say("hc.prompt.deposit.you"))
}

// reveal opens the urn, and each takes a clue back.
func (r *room) reveal() {
	seat, p := r.turn(r.say("hc.prompt.reveal.you"))
	r.pictures("reveal", p)
	p.tap("button", r.say("ui.act.open"))
	p.says(r.say("ui.choose.sure"))
	p.shot("round-" + string(r.lang) + "-sure")
	p.tap("button", r.say("ui.act.open"))
	r.screen.says(r.say("ui.display.shown"))
	for s := range r.held {
		r.screen.says(r.held[s][1])
		r.bench.sees("button", r.say("ui.bench.card.in", "card", r.held[s][1], "spot", r.say("ui.bench.spot.open")))
		r.held[s] = r.held[s][:1] // the other is public now
	}
	r.secret()
	for i := range 4 {
		_, p := r.turn(r.say("hc.prompt.recovery.you"))
		if i == 0 {
			r.pictures("recovery", p)
		}
		if i%2 == 0 {
			p.tap("button", r.say("ui.act.recover"))
			p.sees("dialog", r.say("ui.act.recover"))
			p.shot(fmt.Sprintf("round-%s-choose-recover", r.lang))
			open := p.names("button", "") // the cards lie open: they are named
			p.tap("button", open[slices.IndexFunc(open, isClue)])
			p.lacks("dialog", r.say("ui.act.recover"))
		} else {
			open := r.say("ui.bench.card.in", "card", r.name(string(r.now().Shown[0])), "spot", r.say("ui.bench.spot.open"))
			r.bench.drag(open, 0, r.say("ui.bench.spot.show"))
		}
		p.unsays(r.say("hc.prompt.recovery.you"))
	}
	r.screen.says(r.say("ui.display.round", "at", "2", "of", "8"))
	first := (seat + 1) % 4
	r.phones[first].says(r.say("hc.prompt.move.you"))
	r.pictures("round-2", r.phones[first])
}

// secret looks for every hidden card in every page: its name, in either
// language, and its id are nowhere, not even on the phone whose card it is, for
// nobody holds it now.
func (r *room) secret() {
	r.t.Helper()
	for _, p := range append([]*tab{r.host, r.screen, r.bench}, r.phones...) {
		source := p.source()
		for seat, cards := range r.held {
			for _, card := range cards {
				for _, name := range r.cards[card] {
					if strings.Contains(source, name) {
						r.t.Errorf("%s holds %q, a secret of %s", p.name, name, players[seat])
					}
				}
			}
		}
	}
}
