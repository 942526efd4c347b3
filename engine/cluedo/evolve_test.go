package cluedo

import (
	"slices"
	"testing"

	"majordome/engine"
	"majordome/engine/board"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/hidden"
)

// stranger is an event of another game.
type stranger struct{ engine.Event }

// An event of another game, or none at all, changes nothing.
func TestEvolveOfStrangers(t *testing.T) {
	b, err := New(DefaultDeck("cluedo-2008"))
	if err != nil {
		t.Fatal(err)
	}
	s := b.newLobby()
	for _, e := range []engine.Event{stranger{}, (*event)(nil), nil} {
		if s.Apply(e) != engine.Game(s) {
			t.Errorf("%T changes the game", e)
		}
	}
}

// Playing a card that has no such effect only leaves it open on the table, whatever is stored.
func TestPlayedAndNoCardForIt(t *testing.T) {
	s := stateAt(t, three).copyState()
	c := s.book.cardByID["time-1"]
	s.applyButlerPlayed(&event{seat: 1, openCard: c})
	if s.cards.LocationOf(c) != locGone {
		t.Errorf("it is in %d", s.cards.LocationOf(c))
	}
}

// TestCardsOfAFace: the points of a die are counted once all the cards of its face are drawn. No more cards are drawn than the dice grant,
// whatever is stored.
func TestCardsOfAFace(t *testing.T) {
	s := stateAt(t, three).copyState()
	e := *s.book.edition
	e.MarkedFace.Points, e.MarkedFace.Draws = 1, 2
	b := *s.book
	b.edition = &e
	s.book = &b
	s.startMoving()
	for _, want := range [][2]uint8{{3, 12}, {2, 7}, {1, 7}, {0, 2}, {0, 2}} {
		if s.countMarkedFaceDraw(); s.faceDraws != want[0] || s.points != want[1] {
			t.Errorf("%d cards and %d points are left, want %v", s.faceDraws, s.points, want)
		}
	}
}

// TestCardsComeBeforeTheWalk: in an edition with cards for the dice and spy squares, a pawn that has stopped on one walks on and draws no
// more: the cards for the dice were drawn before it set out.
func TestCardsComeBeforeTheWalk(t *testing.T) {
	s := stateAt(t, three).copyState()
	e, b := *s.book.edition, *s.book
	e.Walk.Marks = board.MarksPause
	b.edition, s.book = &e, &b
	if s.step = s.startMoving(); !s.canDrawEventCard() {
		t.Fatal("the dice, which nobody tells, bring no card")
	}
	s.applyMutating(&event{kind: evMoved, seat: s.active, pos: pos{kind: onQuestion}, text: "dice", n: 5})
	if s.step != stepSpy {
		t.Fatalf("it stands on a square for spying at step %d", s.step)
	}
	if s.applyMutating(&event{kind: evStepEnded, seat: s.active}); s.step != stepMove || s.canDrawEventCard() {
		t.Errorf("step %d, and it may draw: %t", s.step, s.canDrawEventCard())
	}
}

// TestPawnAloneOnTheBoardIsNotOfferedToSendHome: a player who is the only one on the board is not offered to send a pawn home (C8-155).
func TestPawnAloneOnTheBoardIsNotOfferedToSendHome(t *testing.T) {
	s := stateAt(t, three).copyState()
	x := s.active
	s.step, s.seats[x].butlers = stepEnd, 1
	s.cards.RecordCard(s.book.eventCardsOfKind(s.book.cardsOfKind(kindEvent), "pawn-home").First(), custody.HandOf(x), hidden.OnlySeats(x))
	offered := func() bool {
		return slices.ContainsFunc(s.View(engine.SeatViewer(x)).Offers, func(o engine.Offer) bool {
			return o.Rule == s.book.Events["pawn-home"]
		})
	}
	if !offered() {
		t.Fatal("nobody may be sent home")
	}
	for who := range s.pawns {
		if uint8(who) != s.seats[x].suspect {
			s.pawns[who] = pos{kind: onNothing}
		}
	}
	if offered() {
		t.Error("somebody may be sent home, and nobody is there")
	}
}

// C8-005, GEN-021: once all hands were presented, the remaining cards are in the pool. A card that its seat takes back while they roll for
// the first turn is not.
func TestTheRestIsFoundOnce(t *testing.T) {
	b, err := New(DefaultDeck("cluedo-2008"))
	if err != nil {
		t.Fatal(err)
	}
	s := b.newLobby()
	for x := engine.Seat(1); x <= 4; x++ {
		s.applyMutating(&event{kind: evSat, seat: x, subject: uint8(x), text: "Guest"})
	}
	s.applyMutating(&event{kind: evBegun})
	solution := set(0).WithCard(b.lastCard[kindSuspect]).WithCard(b.lastCard[kindWeapon]).WithCard(b.lastCard[kindRoom])
	for c := solution; c != 0; c &= c - 1 {
		s.applyMutating(&event{kind: evSealed, card: hideCard(c.First())})
	}
	rest := b.mysteryCards() &^ solution
	for ; s.asked != 0; rest &= rest - 1 {
		s.applyMutating(&event{kind: evPresented, seat: s.asked, card: hideCard(rest.First())})
	}
	s.applyMutating(&event{kind: evStarting, seat: 1})
	if rest.Count() != 1 || s.cards.LocationOf(rest.First()) != locBoard+loc(b.pool) {
		t.Fatalf("%d cards are left, the first lies at %d", rest.Count(), s.cards.LocationOf(rest.First()))
	}
	s.applyMutating(&event{kind: evUnclaimed, seat: 1, card: hideCard(1)})
	s.applyMutating(&event{kind: evStarting, seat: 2})
	if s.cards.LocationOf(1) != locUnknown {
		t.Errorf("the card that was taken back lies at %d", s.cards.LocationOf(1))
	}
}

// The last MaxPast hypotheses are shown, and the number of the first says how many came before. A fact added to one copy of a state does
// not appear in another copy.
func TestPastIsBounded(t *testing.T) {
	var s state
	for n := range engine.MaxPast + 5 {
		s.updateQuestions(&event{kind: evCorrection, seat: engine.Seat(n%6 + 1)})
		for x := range engine.Seat(3) {
			s.updateQuestions(&event{kind: evNone, seat: x + 1})
		}
	}
	one, two := s, s
	one.updateQuestions(&event{kind: evNone, seat: 4})
	two.updateQuestions(&event{kind: evNone, seat: 5})
	past := one.questions.heardBy(engine.SeatViewer(2), one.book)
	last := past[len(past)-1]
	if len(past) != engine.MaxPast || past[0].N != 6 || last.N != engine.MaxPast+5 || !slices.Equal(last.None, []engine.Seat{1, 2, 3, 4}) {
		t.Errorf("%d, the first %+v, the last %+v", len(past), past[0], last)
	}
}
