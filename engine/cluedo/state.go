package cluedo

import (
	"fmt"
	"slices"

	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/rules"
	"majordome/engine/internal/story"
)

// player is the public state of a seat.
type player struct {
	who     uint8 // its suspect, from 1; zero: the seat is empty
	cards   uint8 // mystery cards in its hand
	butlers uint8 // Butler cards in its hand
	owed    uint8 // cards that it may draw for displacements (until-own-turn)
	dealt   bool  // has its cards
	dead    bool  // murdered
	wrong   bool  // has accused wrongly
	looked  bool  // has been shown the envelope after that
	spent   bool  // has used its Power
	// displaced is true when a hypothesis has moved its pawn to its present area since its last
	// turn began (C8-098).
	brought bool
	last    area  // area of its last hypothesis
	rolled  uint8 // total of its starting roll, plus one; zero: not rolled
	// cardsPresented is the number of mystery cards it has presented in the deal, cardsClaimed of
	// those it has named on its phone since, butlersNamed of Butler cards it has drawn by name.
	// They count acts and never depend on the cards: the host sees grades made from them.
	told, said, named uint8
}

// outrolled marks a seat with a lower starting roll than others, who now roll again.
const outrolled = 255

// seatAnswer is a seat's public answer to the hypothesis.
type said uint8

const (
	saidNothing said = iota
	saidNone
	saidShown
	saidSkipped // the host has skipped it: it has answered nothing
)

// hypothesis has the cards named aloud, and the answers so far.
type hypothesis struct {
	by   engine.Seat
	what [3]card // suspect, weapon, room; zero: no hypothesis in this turn
	said [maxSeats + 1]said
}

func (h *hypothesis) set() set { return setOf(h.what) }

func (h *hypothesis) shown() bool { return slices.Contains(h.said[:], saidShown) }

// reply is an answer that has not taken effect yet (C8-158).
type reply struct {
	card card // zero: none
	// named is false for a card that was shown by hand without naming it.
	named bool
	none  bool
	read  bool // by a reader, so that the hand is recorded
}

// deniedAnswer is an answer "none" that could not be verified, or that has to be given again
// (GEN-E10): the cards asked for, and the seat that would have seen one (zero: all players).
type amends struct {
	seat, to engine.Seat
	named    set
	unsaid   bool // the active seat has said it for this seat, by the act nobody-has
}

// correctionEvent returns the event that has a wrong answer corrected, or confirms it.
func (a amends) amended(kind eventKind) *event {
	e := &event{kind: kind, seat: a.seat, other: a.to, amend: box.Seal(a, box.Nobody)}
	if a.unsaid {
		e.n = 1
	}
	return e
}

// denialChain is the list of the remembered denials, the newest first.
type denial struct {
	prev *denial
	amends
}

// withoutAnswer returns the chain without one answer, which is being corrected.
func (d *denial) without(a amends) *denial {
	switch {
	case d == nil:
		return nil
	case d.amends == a:
		return d.prev
	}
	return &denial{d.prev.without(a), d.amends}
}

// withoutSeat returns the chain without the answers of x. A card has come into its hand since, so
// its present hand does not prove them wrong.
func (d *denial) gained(x engine.Seat) *denial {
	switch {
	case d == nil:
		return nil
	case d.seat == x:
		return d.prev.gained(x)
	}
	return &denial{d.prev.gained(x), d.amends}
}

// walkState is the progress of the active seat's move in its turn.
type walkState struct {
	dice      [2]uint8
	way       way
	rolled    bool
	points    uint8
	began     area   // area of its pawn when its turn began
	leftAreas areas  // areas left in this turn (C8-051)
	spies     uint32 // known marked squares from which a card of an opponent was seen,
	spyings   uint8  // and the number of all of them, unknown ones too
	draws     uint8  // event cards that must be drawn now
	moves     uint8  // rolls that still follow (C8-171)
	guessed   bool   // the squares were not counted, so points is not exact; no meaning while points is 0
	believed  bool   // this move goes by dice that are not declared: see declare.go
	thrown    bool   // those dice have had an effect already
	faces     uint8  // event cards that those dice may still bring; used only in stepMove
	obliged   bool   // has come by dice and passage: a hypothesis must follow (SC-053)
	stays     bool   // the right of C8-097, as it was when the turn began
	moved     bool   // has moved, or stayed by right: may ask, look or accuse here
}

// turnState is the state of the turn of one seat. Between turns it is zero, so applyTurn replaces
// all of it; restorePreviousTurn brings the previous one back.
type turnState struct {
	walkState
	round    uint16
	active   engine.Seat // the seat whose turn it is
	asked    engine.Seat // the seat that must act instead of the active seat
	step     step
	part     step         // the phase of the turn, to which interruptions return
	looked   areas        // areas where it has looked at the face-down cards in this turn (C8-063)
	forgone  bool         // has given up both hypothesis and look (C8-031)
	noSecond bool         // has given up the second hypothesis of this turn (C8-175)
	carrying bool         // a clue card is being carried out: see currentClue
	waived   rules.Waived // rules that the host has waived for the active seat in this turn: see waivers
	hyp      hypothesis
	heard    hypothesis // the hypothesis before, which the table still sees
	showing  showing
}

// houseRules are the edition in play, and the value of each of its house rules.
type houseRules struct {
	book  *Book
	rules [maxSwitches]uint8
}

// seating has the players.
type seating struct {
	names *[maxSeats + 1]string // of the players; never changed in place, see setPlayer
	seats [maxSeats + 1]player
}

// clueCards are the clue cards that were drawn.
type clueCards struct {
	drawn uint16
	// underPile has the cards under the pile, by the number of their draw, modulo the size of the
	// pile; zero: not named. It is never changed in place, see putUnderPile.
	under *[maxEvents]card
	link  area // the room that a clue card has linked to all secret passages
}

// seatedTurn is the turn, with the players and their house rules.
type seatedTurn struct {
	houseRules
	seating
	turnState
}

// boardState adds where pawns and weapons are, and how many cards are face down where.
type boardState struct {
	seatedTurn
	pawns  [maxSuspects + 1]pos
	tokens [maxWeapons + 1]area
	lying  [maxAreas + 1]uint8 // face-down mystery cards in each area; [0]: their room is not chosen yet
	track  uint8
	gone   uint8 // Butler cards that left the game
	clues  clueCards
}

// dealState is the progress of the deal.
type dealState struct {
	dealer engine.Seat // zero: the game has none
	sealed uint8       // cards in the envelope
	laid   areas       // rooms whose hidden card was read
}

// awaitState describes the wait for a seat. Each wait begins with its zero value and the next
// number.
type waiting struct {
	wait     uint16
	reminded bool
	since    engine.Millis
	closes   engine.Millis
}

// public is all that every player sees of a game. It has no hidden value, so the decisions of its
// methods cannot depend on one, except through the caller.
type public struct {
	boardState
	dealState
	waiting
	count    rules.Count
	phase    phase
	first    engine.Seat
	doubt    bool       // the real envelope decides, not the records (C8-120)
	virtual  bool       // the program has dealt: there are no real cards
	passedOn *turnState // the turn before, until a seat acts in this one; nil: none. Never changed in place
	result   *engine.Result
}

// recordState adds the records of the cards.
type recordState struct {
	public
	cards    custody.Ledger
	standIns set // Time cards put on the track in place of drawn ones that no reader has read
}

// answerState adds what seats have said and shown, which not all may know.
type answerState struct {
	recordState
	reply   box.Box[reply]
	amend   box.Box[amends]
	shown   box.Small[card]
	accused box.Box[[3]card] // the cards of the accusation that is being judged
	denied  box.Box[*denial]
	read    box.Small[card] // the last card accepted in this step (GEN-E04),
	readAt  engine.Millis   // at this moment
}

// state is one game at one moment. It is immutable: Evolve copies it. Check tests its numbered
// invariants.
type state struct {
	answerState
	log    story.Log
	sights story.Sights
	past   *question // the hypotheses of this game, the newest first
}

// leftOf returns the next taken seat to the left of x: x itself if no other one is taken.
func (s *seating) after(x engine.Seat) engine.Seat {
	for range maxSeats {
		x = x%maxSeats + 1
		if s.seated(x) {
			return x
		}
	}
	return 0
}

func (s *seating) seated(x engine.Seat) bool { return s.seats[x].who != 0 }

// canWin reports whether a seat is taken, not murdered, and has not accused wrongly.
func (s *seating) running(x engine.Seat) bool {
	return s.seated(x) && !s.seats[x].dead && !s.seats[x].wrong
}

// eachSeatFrom calls f for the taken seats, from x on to the left.
func (s *seating) inOrder(x engine.Seat, f func(engine.Seat)) {
	for range maxSeats {
		if s.seated(x) {
			f(x)
		}
		x = x%maxSeats + 1
	}
}

// awaitedSeat returns the seat that must act; zero: none, or several (see canActInWindow).
func (t *turnState) waits() engine.Seat {
	if t.asked != 0 {
		return t.asked
	}
	if t.step == stepShown {
		return 0
	}
	return t.active
}

// activeArea returns the area of the active pawn; zero: outside all areas.
func (s *boardState) here() area { return s.pawns[s.seats[s.active].who].area }

func (s *boardState) inPool() bool { return s.book.pool != 0 && s.here() == s.book.pool }

// seatPlaying returns the seat that plays a suspect; zero: none.
func (s *seating) playing(who uint8) engine.Seat {
	for x := range s.seats {
		if s.seats[x].who == who && who != 0 {
			return engine.Seat(x)
		}
	}
	return 0
}

// New returns a game in its lobby.
func (b *Book) New() engine.Game { return b.lobby() }

func (b *Book) lobby() *state {
	s := new(state)
	s.cards = custody.New(len(b.cardID) - 1)
	s.houseRules = houseRules{b, b.deck.defaults}
	s.names = new([maxSeats + 1]string)
	s.cards.PutAll(b.all(kindEvent), locPile, box.Nobody)
	s.layTokens()
	for i := range b.deck.Suspects {
		s.pawns[i+1] = b.home(uint8(i + 1))
	}
	return s
}

// Format prints only phase and turn, for every verb, so that a log shows no secret.
func (s state) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "%s (%s, turn %d)", s.book.Game, phases[s.phase].code, s.round)
}
