package e2e_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/cmd/majordome/demodecks"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/games"
	"majordome/engine/words"
)

// room is a demonstration table with all its pages open, as a newcomer has it: a laptop with the bench, a table
// screen, the host's page and the phones.
type room struct {
	language
	d      *demo
	lang   words.Lang
	film   string // the beginning of the names of its pictures
	host   *tab
	screen *tab
	bench  *tab
	phones []*tab
	held   [4][]string         // hidden cards by seat
	cards  map[string][]string // by each name of a card: both names and its id
	spots  map[string]string   // ids of spots by their names
	table  *bench              // the real cards on the simulated table
	public *phone              // the public view, without a page
	names  engine.Names        // of the deck
	taken  engine.ID           // the card that was taken last
	since  time.Time
	shots  int
}

var players = []string{"Anne", "Bruno", "Chloé", "David", "Élise", "Fabrice", "Gaëlle", "Hugo", "Inès", "Jules"}

// four is the number of players of Huis Clos.
const four = 4

// enter opens a table of Huis Clos.
func enter(t *testing.T, d *demo, b *browser, lang words.Lang) *room {
	t.Helper()
	return open(t, d, b, lang, "round", namesOf(t, "huis-clos"), four)
}

// namesOf returns the names of the cards and places of a game at a demonstration.
func namesOf(t testing.TB, game engine.ID) engine.Names {
	t.Helper()
	for _, d := range demodecks.WithDemoDecks(games.KnownGames()).DefaultDecks() {
		if d.ID() == game {
			book, err := d.NewRulebook()
			if err != nil {
				t.Fatal(err)
			}
			if by, ok := book.(engine.Relabeler); ok {
				return by.NamesUnder(nil)
			}
			return book.Names()
		}
	}
	t.Fatalf("no game %s", game)
	return nil
}

// open opens every page of a table with n players.
func open(t *testing.T, d *demo, b *browser, lang words.Lang, film string, names engine.Names, n int) *room {
	t.Helper()
	r := sit(t, d, lang, film, names, n)
	r.openPages(b, n)
	return r
}

// sit returns a table with n players, without a page.
func sit(t *testing.T, d *demo, lang words.Lang, film string, names engine.Names, n int) *room {
	t.Helper()
	r := &room{language: speak(t, lang), d: d, lang: lang, film: film, names: names, cards: map[string][]string{},
		spots: map[string]string{}}
	r.own = map[string]string{}
	for _, n := range names {
		if n.Kind == "sentence" {
			r.own[string(n.ID)] = map[words.Lang]string{words.FR: n.Text.FR, words.EN: n.Text.EN}[lang]
		}
	}
	r.table, r.public, r.since = d.bench(), watch(t, d.origin()), time.Now()
	for i, name := range players[:n] {
		r.spots[r.phrase("ui.bench.spot.hand", "name", name)] = fmt.Sprintf("hand:seat-%d", i+1)
	}
	r.spots[r.phrase("ui.bench.spot.box")] = wire.SpotBox
	pile := "ui.bench.spot.pile"
	for _, n := range names {
		switch n.Kind {
		case "place":
			r.spots[n.Text.FR], r.spots[n.Text.EN] = string(n.ID), string(n.ID)
		case "clue-card":
			pile = "ui.bench.spot.clues"
		}
	}
	r.spots[r.phrase(pile)] = wire.SpotPile
	for _, c := range r.table.waitFor("cards", func(wire.Bench) bool { return true }).Cards {
		called := []string{c.Name.FR, c.Name.EN, string(c.Card)}
		r.cards[c.Name.FR], r.cards[c.Name.EN] = called, called
	}
	return r
}

// openPages opens the pages of the table, and the phones of n seats.
func (r *room) openPages(b *browser, n int) {
	r.t.Helper()
	r.bench = b.open("bench", r.d.links["bench"], laptopSize)
	if r.lang == words.EN {
		r.bench.tap("button", "EN")
	}
	r.screen = b.open("display", r.d.links["display"], tableSize)
	if r.host == nil {
		r.host = b.open("host", r.d.links["host"], laptopSize)
	}
	for s := engine.Seat(1); int(s) <= n; s++ {
		r.phones = append(r.phones, b.open("phone-"+s.String(), r.d.links[s.String()], phoneSize))
	}
	for i, p := range r.phones {
		p.waitForText(players[i])
		p.waitForText(r.phrase("ui.link.live"))
	}
}

func (r *room) sharedPages() map[string]*tab {
	return map[string]*tab{"host": r.host, "display": r.screen, "bench": r.bench}
}

// allPages returns every page.
func (r *room) allPages() []*tab { return append([]*tab{r.host, r.screen, r.bench}, r.phones...) }

// pictures takes pictures of the pages of the table, and of one phone.
func (r *room) pictures(what string, phone *tab) {
	r.t.Helper()
	r.shots++
	r.t.Logf("%5.1f s: %s", time.Since(r.since).Seconds(), what)
	name := fmt.Sprintf("%s-%s-%02d-%s-", r.film, r.lang, r.shots, what)
	for page, p := range r.sharedPages() {
		p.takeShot(name + page)
	}
	if phone != nil {
		phone.takeShot(name + "phone")
	}
}

// waitForTurn waits until some phone shows this question and the public view names its seat, and returns both.
func (r *room) waitForTurn(prompt string) (seat int, p *tab) {
	r.t.Helper()
	r.screen.pollUntil("a phone that is asked "+prompt, func() bool {
		for i, q := range r.phones {
			if q.hasText(prompt) {
				seat, p = i, q
				return true
			}
		}
		return false
	})
	r.public.waitFor("the turn of "+players[seat], func(u wire.Update) bool {
		return slices.Contains(u.View.Active, engine.Seat(seat+1))
	})
	return seat, p
}

// choose answers a blind question on a phone: it holds to read, picks the first option for which pleases is true, and
// returns its name.
func (r *room) choose(p *tab, act string, pleases func(name string) bool) (card string) {
	r.t.Helper()
	p.openQuestion(r.phrase("ui.act." + act))
	card, at := r.mark(p, "choose-"+act, pleases)
	confirm, grave := r.phrase("ui.choose.confirm", "n", fmt.Sprint(at+1)), r.phrase("ui.choose.next")
	p.pollUntil("a way to confirm", func() bool { return p.hasElement("button", confirm) || p.hasElement("button", grave) })
	if p.hasElement("button", grave) {
		p.tap("button", grave)
		p.waitForText(r.phrase("ui.choose.sure"))
		confirm = r.phrase("ui.act." + act)
	}
	p.tap("button", confirm)
	p.waitForNoElement("dialog", r.phrase("ui.act."+act))
	return card
}

// mark holds to read the options of a blind question, and marks the first for which pleases is true.
func (r *room) mark(p *tab, picture string, pleases func(name string) bool) (card string, at int) {
	r.t.Helper()
	option := r.phrase("ui.choose.nth", "n", "")
	for _, n := range p.elementNames("button", option) {
		if afterNumber(n, option) != "" {
			r.t.Errorf("%s: an option is named before it is held: %s", p.name, n)
		}
	}
	at = -1
	p.holdWhile(nthElement("button", r.phrase("ui.choose.read")+"*", 0), func() {
		p.pollUntil("the names of the options", func() bool {
			for i, n := range p.elementNames("button", option) {
				if card = r.cardIn(afterNumber(n, option)); pleases(card) {
					at = i
					return true
				}
			}
			return false
		})
		p.takeShot(fmt.Sprintf("%s-%s-%s", r.film, r.lang, picture))
	})
	p.tapNth("button", option+"*", at)
	return card, at
}

// cardIn returns the card of an option: after the name of a weapon an option says its effect.
func (r *room) cardIn(option string) string {
	if r.idOf(option) != "" {
		return option
	}
	for name := range r.cards {
		if strings.HasPrefix(option, name+" ") {
			return name
		}
	}
	return option
}

// afterNumber returns the text after the number: "Choix n° 3 Corde" gives "Corde", with the spaces of the deck.
func afterNumber(name, nth string) string {
	_, rest, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(name, nth)), " ")
	return strings.ReplaceAll(strings.TrimSpace(rest), "\u00a0", " ")
}

// lookAt holds a face-down card at a spot and reads its face: the first for which pleases is true. The test knows
// where it is; a newcomer holds one after the other.
func (r *room) lookAt(spot string, pleases func(name string) bool) (card, name string) {
	r.t.Helper()
	r.bench.pollUntil("a card at "+spot+" that pleases", func() bool {
		card, name = r.pleasing(spot, pleases)
		return evaluate[bool](r.bench, "!!"+card) // the page and the test learn of changes of the table independently
	})
	face := fmt.Sprintf(`all("status", "*").some((e) => norm(e.innerText).includes(norm(%q)))`, name)
	r.bench.holdWhile(card, func() {
		r.bench.pollUntil("the face of "+name, func() bool { return evaluate[bool](r.bench, face) })
	})
	return card, name
}

// pleasing returns an expression that finds on the page a face-down card at a spot for which pleases is true, and the
// card's name.
func (r *room) pleasing(spot string, pleases func(name string) bool) (card, name string) {
	r.t.Helper()
	r.table.waitFor("a card at "+spot+" that pleases", func(s wire.Bench) bool {
		return slices.ContainsFunc(s.Cards, func(c wire.BenchCard) bool {
			if name = c.Name.FR; r.lang == words.EN {
				name = c.Name.EN
			}
			card = cardBack(c.Tag, r.faceDown(spot))
			return c.Spot == r.spots[spot] && !c.Up && c.Kind != "role-card" && c.Kind != "foreign" && pleases(name)
		})
	})
	return card, name
}

// cardBack returns an expression that finds one card on the bench, wherever it is among those of its name.
func cardBack(tag, name string) string {
	return fmt.Sprintf(`all("button", %q).find((e) => e.dataset.tag === %q)`, name, tag)
}

// cable returns the name of the key of a reader's cable.
func (r *room) cable(act, reader string) string {
	return r.phrase("ui.bench."+act) + ", " + r.phrase("ui.bench.reader."+reader)
}

// layAllByHand lets the helping hand present one card after the other, until the display shows that all are in place.
func (r *room) layAllByHand(done string) {
	r.t.Helper()
	r.bench.tap("button", r.phrase("ui.bench.deal"))
	for !r.screen.hasText(done) {
		r.screen.waitUntil("the next card", inPage+fmt.Sprintf(`norm(document.body.innerText) !== norm(%q)`, r.screen.text())+"})()")
	}
}

// faceDown returns the name of a face-down card at a spot.
func (r *room) faceDown(spot string) string {
	return r.phrase("ui.bench.card.in", "card", r.phrase("ui.bench.card.down"), "spot", spot)
}

// bring holds the cards at a spot until one pleases, and drags it to the reader.
func (r *room) bring(spot, reader string, pleases func(string) bool) string {
	r.t.Helper()
	card, name := r.lookAt(spot, pleases)
	r.bench.drag(card, r.phrase(reader))
	return name
}

// foreign returns an expression that finds the first card of no game in the box.
func (r *room) foreign() string {
	for _, c := range r.table.waitFor("a card of no game", func(wire.Bench) bool { return true }).Cards {
		if c.Kind == "foreign" {
			name := map[words.Lang]string{words.FR: c.Name.FR, words.EN: c.Name.EN}[r.lang]
			return nthElement("button", r.phrase("ui.bench.card.in", "card", name, "spot", r.phrase("ui.bench.spot.box")), 0)
		}
	}
	r.t.Fatal("the bench has no card of no game")
	return ""
}

// presentWrong presents a card that is not the right one at a reader: all pages ask to present again, only this
// seat's phone says why, and nothing changes.
func (r *room) presentWrong(seat int, card, reader, why string) {
	r.t.Helper()
	p := r.phones[seat]
	r.bench.drag(card, r.phrase(reader))
	r.screen.waitForText(r.phrase("gen.again", "seat", players[seat]))
	r.bench.waitForText(r.phrase("gen.again", "seat", players[seat]))
	p.waitForText(r.phrase("ui.notice.private"))
	if strings.HasSuffix(why, ".foreign") {
		r.pictures("wrong", p)
	}
	r.readReason(seat, r.phrase("ui.notice.private"), why)
	r.bench.waitForPoint(card) // the card has not moved
}

// alarm puts a card where it cannot be: the display and the bench show the alarm, and the card counts for no seat
// (GEN-E13).
func (r *room) alarm(card, reader string) {
	r.t.Helper()
	r.bench.drag(card, r.phrase(reader))
	r.screen.waitForText(r.phrase("gen.alarm"))
	r.bench.waitForText(r.phrase("gen.alarm"))
	r.bench.waitForPoint(card) // the card has not moved
}

// readReason reads under a finger why a seat was refused, and checks that no other page says so.
func (r *room) readReason(seat int, note, why string) {
	r.t.Helper()
	p := r.phones[seat]
	if p.hasText(r.phrase(why)) {
		r.t.Errorf("%s: the reason shows before it is held", p.name)
	}
	p.holdWhile(nthElement("button", note+"*", 0), func() {
		p.waitForText(r.phrase(why))
		p.takeShot(r.film + "-" + string(r.lang) + "-reason")
	})
	p.waitForNoText(r.phrase(why))
	for _, q := range r.allPages() {
		if q != p && strings.Contains(q.source(), r.phrase(why)) {
			r.t.Errorf("%s says why %s was refused", q.name, players[seat])
		}
	}
	p.tap("button", r.phrase("ui.ok"))
}
