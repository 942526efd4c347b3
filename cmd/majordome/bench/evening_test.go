package bench

import (
	"math/rand/v2"
	"slices"
	"testing"

	"majordome/companion/wire"
	"majordome/devices/randtest"
	"majordome/engine"
	"majordome/engine/chance"
)

// TestEvening plays whole games at random with the cards of the bench. At each step each card is at the spot that the
// seats' own views give.
func TestEvening(t *testing.T) {
	s := randtest.NewSeed(t)
	ends := map[string]int{}
	for n := range uint64(12) {
		r := newPickingRig(t, Opts{Dwell: forever})
		r.dice = chance.New(s + n)
		p := &player{rig: r, dice: rand.New(rand.NewPCG(s, n))}
		for step := 0; r.update.View.Result == nil; step++ {
			if step > 3000 {
				t.Fatalf("game %d has no end", n)
			}
			p.step()
			r.checkInvariants()
			p.checkSeatViews()
			if t.Failed() {
				t.Fatalf("game %d, step %d, phase %s", n, step, r.update.View.Phase)
			}
		}
		ends[r.update.View.Result.Rule]++
		r.table.Close()
	}
	t.Logf("ends: %v", ends)
}

// player acts for all seats.
type player struct {
	*rig
	dice    *rand.Rand
	plain   bool // uses no reader
	unnamed bool // a card was not named: not all are on record
}

// TestEveningWithoutReaders plays whole games with only the phones: after every step each hand has the cards that its
// phone shows, and each heap is as high as the game says; without tidying while all cards are on record.
func TestEveningWithoutReaders(t *testing.T) {
	s := randtest.NewSeed(t)
	for n := range uint64(6) {
		r := newDealtRig(t)
		r.dice = chance.New(s + n)
		p := &player{rig: r, dice: rand.New(rand.NewPCG(s, n)), plain: true}
		for step := 0; r.update.View.Result == nil; step++ {
			if step > 3000 {
				t.Fatalf("game %d has no end", n)
			}
			p.step()
			p.checkPhones()
			if p.unnamed {
				r.performAct(wire.BenchAct{Act: "tidy"})
				p.checkPhones()
			}
			r.checkInvariants()
			if r.update.View.Result == nil {
				r.checkHeaps()
			}
			if t.Failed() {
				t.Fatalf("game %d, step %d, phase %s", n, step, r.update.View.Phase)
			}
		}
		r.table.Close()
	}
}

// byCard are the acts that can be done with a card on a reader.
var byCard = map[string]string{"keep": wire.SpotShow, "take": wire.SpotShow, "give": wire.SpotShow,
	"deposit": wire.SpotSlot, "recover": wire.SpotShow}

func (p *player) step() {
	p.t.Helper()
	if ds := p.game.Deadlines(); len(ds) > 0 && len(ds[0].ID) > 6 && ds[0].ID[:6] == "window" && p.dice.IntN(2) == 0 {
		p.at = max(p.at, ds[0].At)
		p.act(engine.Public, engine.ActDeadline, "id", ds[0].ID)
		return
	}
	type choice struct {
		v engine.Viewer
		o engine.Offer
	}
	var all []choice
	for _, s := range p.update.View.Seats {
		for _, o := range engine.AllowedOffers(p.game.View(engine.SeatViewer(s.Seat)).Offers) {
			// take-last is for phones: a card on the reader does not say whether more is to come
			if o.Act != "offer-draw" && (p.plain || o.Act != "take-last") && !o.Aside {
				all = append(all, choice{engine.SeatViewer(s.Seat), o})
			}
		}
	}
	if len(all) == 0 {
		if ds := p.game.Deadlines(); len(ds) > 0 {
			p.at = max(p.at, ds[0].At)
			p.act(engine.Public, engine.ActDeadline, "id", ds[0].ID)
			return
		}
		p.t.Fatalf("nobody can act in %s", p.update.View.Phase)
	}
	c := all[p.dice.IntN(len(all))]
	args := []string{}
	card := engine.ID("")
	for k, v := range c.o.Fixed {
		args = append(args, k, v)
		if k == "card" {
			card = engine.ID(v)
		}
	}
	for _, param := range c.o.Params {
		value := param.Domain[p.dice.IntN(len(param.Domain))]
		args = append(args, param.Name, value)
		if param.Name == "card" {
			card = engine.ID(value)
		}
	}
	p.declare(c.v, c.o.Act, card, args)
}

func (p *player) declare(v engine.Viewer, act string, card engine.ID, args []string) {
	p.t.Helper()
	spot := byCard[act]
	if p.plain || card == engine.Unnamed { // without a reader the cards are arranged afterwards
		p.unnamed = p.unnamed || slices.Contains(args, engine.Unnamed)
		p.act(v, act, args...)
		return
	}
	if act == "recover" && p.dice.IntN(3) == 0 { // a card that all players see may also be named
		p.act(v, act, args...)
		return
	}
	if act == "recover" && p.dice.IntN(2) == 0 {
		spot = wire.SpotSlot
	}
	switch {
	case act == "draw":
		seat, _ := v.Seat()
		p.drawFrom(seat)
	case spot != "":
		if p.dice.IntN(8) == 0 { // a bad reading first: two at once
			p.move(spot, card, p.otherCard(card))
			p.readField(roleAt(spot))
		}
		p.move(spot, card)
		if r := p.readField(roleAt(spot)); r != nil {
			p.t.Fatalf("%s %s %s at %s: %v %v", v, act, card, spot, r, r.Why)
		}
	case act == "leave": // only the seat's own view shows which card that is
		seat, _ := v.Seat()
		place := p.update.View.Seats[slices.IndexFunc(p.update.View.Seats, func(s engine.SeatView) bool { return s.Seat == seat })].Place
		p.move(string(place), card)
		p.act(v, act, args...)
	default:
		p.act(v, act, args...)
	}
}

// drawFrom presents cards of the victim until one may be drawn.
func (p *player) drawFrom(seat engine.Seat) {
	p.t.Helper()
	for _, s := range p.update.View.Seats {
		if s.Seat == seat {
			continue
		}
		for _, id := range p.cardsAt(handSpot(s.Seat), "clue", "weapon") {
			p.move(wire.SpotShow, id)
			if p.readField(engine.ReaderShow) == nil {
				return
			}
			p.move(handSpot(s.Seat), id) // refused, or ignored because it was read last
		}
	}
	p.t.Fatal("no card can be drawn")
}

// otherCard returns a card, not the given one, that is in the box or on a place.
func (p *player) otherCard(than engine.ID) engine.ID {
	state, _ := p.table.State()
	for _, i := range p.dice.Perm(len(state.Cards)) {
		c := state.Cards[i]
		if c.Card != "" && c.Card != than && c.Spot != wire.SpotUrn && c.Spot != wire.SpotOpen && c.Spot != wire.SpotGone {
			return c.Card
		}
	}
	p.t.Fatal("no other card")
	return ""
}

func roleAt(spot string) string { role, _ := readerAtSpot(spot); return role }

// checkSeatViews compares the cards on the table with the views of the seats.
func (p *player) checkSeatViews() {
	p.t.Helper()
	v := p.update.View
	same := func(where string, got, want []engine.ID) {
		p.t.Helper()
		slices.Sort(got)
		want = slices.Sorted(slices.Values(want))
		if !slices.Equal(got, want) {
			p.t.Errorf("%s: on the table %v, by the record %v", where, got, want)
		}
	}
	same("open", p.cardsAt(wire.SpotOpen), v.Shown)
	same("gone", p.cardsAt(wire.SpotGone), v.Gone)
	if n := len(p.cardsAt(wire.SpotUrn)); n != v.Urn {
		p.t.Errorf("%d cards in the urn, %d by the record", n, v.Urn)
	}
	for _, s := range v.Seats {
		var hand []engine.ID
		for _, c := range p.game.View(engine.SeatViewer(s.Seat)).Me.Hand {
			hand = append(hand, c.Card)
		}
		same(s.Seat.String(), p.cardsAt(handSpot(s.Seat), "clue", "weapon"), hand)
		if roles := p.cardsAt(handSpot(s.Seat), "role-card"); len(roles) != 1 {
			p.t.Errorf("%s has the role cards %v", s.Seat, roles)
		} else if role := p.game.View(engine.SeatViewer(s.Seat)).Me.Role; roles[0] != role && roles[0][:len(role)] != role {
			p.t.Errorf("%s has the role card %s and is %s", s.Seat, roles[0], role)
		} else if up := p.card(roles[0]).Up; up != (s.Role != "") {
			p.t.Errorf("the role card of %s lies face up: %v", s.Seat, up)
		}
	}
	state, _ := p.table.State()
	for _, place := range v.Places {
		if n := len(p.cardsAt(string(place.Place))); n != place.Cards {
			p.t.Errorf("%s: %d cards on the table, %d by the record", place.Place, n, place.Cards)
		}
		pawns := []engine.Seat{}
		for _, x := range state.Pawns {
			if x.Place == place.Place {
				pawns = append(pawns, x.Seat)
			}
		}
		if !slices.Equal(pawns, place.Pawns) {
			p.t.Errorf("%s: pawns %v on the table, %v by the record", place.Place, pawns, place.Pawns)
		}
	}
}

// checkPhones checks that each hand, and each place that is looked through, has the cards on the phone of its seat.
func (p *player) checkPhones() {
	p.t.Helper()
	if p.update.View.Result != nil {
		return
	}
	for _, s := range p.update.View.Seats {
		me := p.game.View(engine.SeatViewer(s.Seat)).Me
		for _, c := range me.Hand {
			if s.Alive && !slices.Contains(p.update.View.Shown, c.Card) {
				p.checkSpot(c.Card, handSpot(s.Seat))
			}
		}
		for _, id := range me.Tray {
			if !slices.Contains(p.update.View.Shown, id) {
				p.checkSpot(id, string(s.Place))
			}
		}
	}
}
