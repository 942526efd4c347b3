package bench

import (
	"slices"
	"testing"

	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/cluedo"
)

// newCluedoRig returns a rig with three players of Cluedo 2008 and nothing dealt yet.
func newCluedoRig(t *testing.T) *rig {
	t.Helper()
	r := newRig(t, Opts{Dwell: forever})
	r.book = r.books[1]
	r.game = r.book.NewGame()
	r.sendUpdate(nil)
	for i, who := range []string{"suspect-rose", "suspect-olive", "suspect-violet"} {
		r.act(engine.Host, "sit", "seat", engine.Seat(i+1).String(), "name", "P", "character", who)
	}
	r.act(engine.Host, "begin")
	return r
}

// countCards counts the cards of some kinds at a spot.
func countCards(r *rig, spot string, kinds ...engine.ID) (n int) {
	state, _ := r.table.State()
	for _, c := range state.Cards {
		if c.Spot == spot && slices.Contains(kinds, c.Kind) {
			n++
		}
	}
	return n
}

var mystery = []engine.ID{"suspect", "weapon", "room"}

// C8-002 to C8-005: three cards of three kinds go into the envelope, face down, and the others into the hands; the
// Intrigue cards are in their pile. The box of the other game is shut.
func TestCluedoIsDealtOverTheReader(t *testing.T) {
	r := newCluedoRig(t)
	if n := countCards(r, wire.SpotPile, "time-card", "butler-card"); n != 24 {
		t.Errorf("%d Intrigue cards in the pile", n)
	}
	r.performAct(wire.BenchAct{Act: "deal"})
	r.readAll(engine.ReaderShow)
	for _, k := range mystery {
		if n := countCards(r, wire.SpotEnvelope, k); n != 1 {
			t.Errorf("%d cards of kind %s in the envelope", n, k)
		}
	}
	if v := r.update.View; v.Phase == "dealing" {
		t.Fatal("the hands are not dealt")
	}
	for _, s := range r.update.View.Seats {
		if n := countCards(r, handSpot(s.Seat), mystery...); n != s.Cards {
			t.Errorf("seat %d holds %d cards, the game says %d", s.Seat, n, s.Cards)
		}
	}
	state, _ := r.table.State()
	if len(state.Cards) != 24+24+2 {
		t.Errorf("%d cards on the table", len(state.Cards))
	}
}

// GEN-024: a table without a reader is dealt all the same; which card goes where is chosen at random.
func TestCluedoIsDealtByHand(t *testing.T) {
	r := newCluedoRig(t)
	r.act(engine.Host, "sealed")
	r.act(engine.Host, "dealt")
	for _, k := range mystery {
		if n := countCards(r, wire.SpotEnvelope, k); n != 1 {
			t.Errorf("%d cards of kind %s in the envelope", n, k)
		}
	}
	for _, s := range r.update.View.Seats {
		if n := countCards(r, handSpot(s.Seat), mystery...); n != s.Cards {
			t.Errorf("seat %d holds %d cards, the game says %d", s.Seat, n, s.Cards)
		}
	}
	pool := 0
	for _, p := range r.update.View.Places {
		if p.Place == "pool" {
			pool = p.Cards
		}
	}
	if n := countCards(r, "pool", mystery...); n != pool {
		t.Errorf("%d cards in the pool, the game says %d", n, pool)
	}
}

// A card drawn over the urn's reader goes into the hand, a Time card is placed face up; a card that answers goes back
// into the hand that showed it. Tidying arranges what was declared on a phone.
func TestCluedoDrawsAndAnswers(t *testing.T) {
	r := newCluedoRig(t)
	r.performAct(wire.BenchAct{Act: "deal"})
	r.readAll(engine.ReaderShow)
	r.act(engine.Host, "first", "seat", "seat-1")
	r.act(engine.SeatViewer(1), "roll", "dice", "?+?")
	butler, hour := r.cardsAt(wire.SpotPile, "butler-card")[0], r.cardsAt(wire.SpotPile, "time-card")[0]
	for _, c := range []struct {
		card engine.ID
		spot string
	}{{butler, handSpot(1)}, {hour, wire.SpotGone}} {
		r.move(wire.SpotSlot, c.card)
		if reject := r.readField(engine.ReaderUrn); reject != nil {
			t.Fatalf("%s is refused: %v", c.card, reject)
		}
		r.checkSpot(c.card, c.spot)
	}
	r.checkInvariants()

	next := r.cardsAt(wire.SpotPile, "butler-card")
	r.move(wire.SpotGone, next[:3]...) // a person disturbs the pile
	r.performAct(wire.BenchAct{Act: "tidy"})
	if n, want := countCards(r, wire.SpotPile, "time-card", "butler-card"), r.update.View.Case.Pile; n != want {
		t.Errorf("%d cards in the pile, the game says %d", n, want)
	}
	r.checkSpot(butler, handSpot(1))
	r.checkSpot(hour, wire.SpotGone)
}

// C8-134, C8-135, C8-137: the hand of a murdered player is turned over at its place, a Butler card leaves unseen, and
// the eighth Time card goes back into the pile.
func TestCluedoMurder(t *testing.T) {
	r := newCluedoRig(t)
	r.performAct(wire.BenchAct{Act: "deal"})
	r.readAll(engine.ReaderShow)
	r.act(engine.Host, "first", "seat", "seat-1")
	var butlers []engine.ID
	for i, kind := range []engine.ID{"time-card", "butler-card", "time-card", "time-card", "time-card"} { // seat 2 is murdered at the end
		v := r.update.View
		seat := v.Active[0]
		if seat != engine.Seat(i%3+1) {
			t.Fatalf("turn %d is of seat %d", i, seat)
		}
		r.act(engine.SeatViewer(seat), "roll", "dice", "?+?")
		for range 2 {
			card := r.cardsAt(wire.SpotPile, kind)[0]
			r.move(wire.SpotSlot, card)
			if reject := r.readField(engine.ReaderUrn); reject != nil {
				t.Fatalf("%s is refused: %v", card, reject)
			}
			if kind == "butler-card" {
				butlers = append(butlers, card)
			}
		}
		if v = r.update.View; v.Case.Turn != seat {
			break
		}
		who := slices.IndexFunc(v.Case.Pawns, func(p engine.Pawn) bool { return p.Suspect == v.Seats[seat-1].Character })
		r.act(engine.SeatViewer(seat), "move", "to", v.Case.Pawns[who].Square)
		for r.update.View.Case.Turn == seat {
			r.act(engine.SeatViewer(seat), "end")
		}
	}
	if r.update.View.Seats[1].Alive {
		t.Fatal("nobody is murdered")
	}
	r.sendUpdate(nil) // a card that has left does not return
	hand := r.cardsAt(handSpot(2), mystery...)
	if len(hand) != r.update.View.Seats[1].Cards {
		t.Errorf("%d cards lie before the murdered player", len(hand))
	}
	for _, c := range hand {
		if !r.card(c).Up {
			t.Errorf("%s is not turned over", c)
		}
	}
	for _, c := range butlers {
		if r.checkSpot(c, wire.SpotGone); r.card(c).Up {
			t.Errorf("%s is seen", c)
		}
	}
	if n := countCards(r, wire.SpotPile, "time-card"); n != 1 {
		t.Errorf("%d Time cards in the pile", n)
	}
	r.checkInvariants()
}

// Another game on the table: the box of the first is shut, wherever its cards were.
func TestAnotherGame(t *testing.T) {
	r := newPickingRig(t, Opts{Dwell: forever})
	r.book = r.books[1]
	r.game = r.book.NewGame()
	r.sendUpdate(nil)
	state, _ := r.table.State()
	for _, c := range state.Cards {
		if c.Spot != wire.SpotBox || c.Kind == "clue" {
			t.Errorf("%s of kind %s lies at %s", c.Card, c.Kind, c.Spot)
		}
	}
	if len(state.Pawns) != 0 {
		t.Error("pawns of the other game stand there")
	}
	r.checkInvariants()
}

// Where the machine deals, the cards stay in their box, also those that it shows to all (C8-004).
func TestTheMachineDealsWithoutCards(t *testing.T) {
	r := newCluedoRig(t)
	r.act(engine.Host, "deal")
	r.performAct(wire.BenchAct{Act: "tidy"})
	if v := r.update.View; !v.Case.Virtual || v.Seats[0].Cards == 0 {
		t.Fatalf("the machine has not dealt: %+v", v.Case)
	}
	state, _ := r.table.State()
	for _, c := range state.Cards {
		if c.Spot != wire.SpotBox {
			t.Errorf("%s lies at %s", c.Name.EN, c.Spot)
		}
	}
}

// CC-030, CC-032: a player who draws a clue card holds it, face up if it was named, and puts it under the pile when it
// is carried out. So at no moment a heap differs from the number in the game.
func TestClueCardIsReadAloud(t *testing.T) {
	for _, c := range []struct {
		name string
		draw func(r *rig) // clue-card-28 sends all to a room of the player's choice
		open bool
	}{
		{"at a reader", func(r *rig) {
			r.move(wire.SpotSlot, "clue-card-28")
			if reject := r.readField(engine.ReaderUrn); reject != nil {
				t.Fatalf("refused: %v", reject)
			}
		}, true},
		{"named on the phone", func(r *rig) { r.act(engine.SeatViewer(1), "draw", "card", "clue-card-28") }, true},
		{"not named", func(r *rig) { r.act(engine.SeatViewer(1), "draw", "card", engine.Unnamed) }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, Opts{Dwell: forever})
			book, err := cluedo.New(cluedo.DefaultDeck("cluedo-classic"))
			if err != nil {
				t.Fatal(err)
			}
			if err := r.table.addBox(boxes(t, book)[0]); err != nil {
				t.Fatal(err)
			}
			r.book, r.game = book, book.NewGame()
			r.sendUpdate(nil)
			for i, who := range []string{"suspect-rose", "suspect-moutarde", "suspect-olive"} {
				r.act(engine.Host, "sit", "seat", engine.Seat(i+1).String(), "name", "P", "character", who)
			}
			for _, act := range []string{"begin", "sealed", "dealt"} {
				r.act(engine.Host, act)
			}
			r.act(engine.SeatViewer(1), "roll", "dice", "?+6")
			agrees := func(hand int) {
				t.Helper()
				n, want := countCards(r, wire.SpotPile, "clue-card"), r.update.View.Case.Pile
				if n != want || countCards(r, handSpot(1), "clue-card") != hand {
					t.Errorf("%d clue cards in the pile and %d in the hand, the game says %d", n, countCards(r, handSpot(1), "clue-card"),
						want)
				}
			}
			agrees(0)
			c.draw(r)
			agrees(1)
			if up := slices.ContainsFunc(r.table.cards, func(x *card) bool { return x.Kind == "clue-card" && x.Up }); up != c.open {
				t.Errorf("the card lies open: %t", up)
			}
			if c.open {
				r.act(engine.SeatViewer(1), "clue", "to", "room-salon")
			} else {
				r.act(engine.SeatViewer(1), "clue")
			}
			agrees(0)
			r.checkInvariants()
		})
	}
}
