package cluedo

import (
	"fmt"
	"slices"

	"majordome/engine"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/hidden"
	"majordome/engine/internal/rules"
	"majordome/engine/internal/story"
)

// player is the public state of a seat.
type player struct {
	suspect        uint8 // its suspect, from 1; zero: the seat is empty
	cards          uint8 // mystery cards in its hand
	butlers        uint8 // Butler cards in its hand
	owedDraws      uint8 // cards that it may draw for displacements (until-own-turn)
	dealt          bool  // has its cards
	dead           bool  // murdered
	accusedWrongly bool  // has accused wrongly
	sawEnvelope    bool  // has been shown the envelope after that
	powerSpent     bool  // has used its Power
	// displaced is true when a hypothesis has moved its pawn to its present area since its last
	// turn began (C8-098).
	displaced  bool
	lastRoom   area  // area of its last hypothesis
	startTotal uint8 // total of its starting roll, plus one; zero: not rolled
	// cardsPresented is the number of mystery cards it has presented in the deal, cardsClaimed of
	// those it has named on its phone since, butlersNamed of Butler cards it has drawn by name.
	// They count acts and never depend on the cards: the host sees grades made from them.
	cardsPresented, cardsClaimed, butlersNamed uint8
}

// outrolled marks a seat with a lower starting roll than others, who now roll again.
const outrolled = 255

// seatAnswer is a seat's public answer to the hypothesis.
type seatAnswer uint8

const (
	saidNothing seatAnswer = iota
	saidNone
	saidShown
	saidSkipped // the host has skipped it: it has answered nothing
)

// hypothesis has the cards named aloud, and the answers so far.
type hypothesis struct {
	by         engine.Seat
	namedCards [3]card // suspect, weapon, room; zero: no hypothesis in this turn
	answerOf   [maxSeats + 1]seatAnswer
}

func (h *hypothesis) cardSet() set { return setOf(h.namedCards) }

func (h *hypothesis) hasShownCard() bool { return slices.Contains(h.answerOf[:], saidShown) }

// reply is an answer that has not taken effect yet (C8-158).
type reply struct {
	card card // zero: none
	// named is false for a card that was shown by hand without naming it.
	named        bool
	showsNothing bool
	fromReader   bool // by a reader, so that the hand is recorded
}

// deniedAnswer is an answer "none" that could not be verified, or that has to be given again
// (GEN-E10): the cards asked for, and the seat that would have seen one (zero: all players).
type deniedAnswer struct {
	seat, to engine.Seat
	named    set
	assumed  bool // the active seat has said it for this seat, by the act nobody-has
}

// correctionEvent returns the event that has a wrong answer corrected, or confirms it.
func (a deniedAnswer) correctionEvent(kind eventKind) *event {
	e := &event{kind: kind, seat: a.seat, other: a.to, correction: hidden.New(a, hidden.Nobody)}
	if a.assumed {
		e.n = 1
	}
	return e
}

// denialChain is the list of the remembered denials, the newest first.
type denialChain struct {
	prev *denialChain
	deniedAnswer
}

// withoutAnswer returns the chain without one answer, which is being corrected.
func (d *denialChain) withoutAnswer(a deniedAnswer) *denialChain {
	switch {
	case d == nil:
		return nil
	case d.deniedAnswer == a:
		return d.prev
	}
	return &denialChain{d.prev.withoutAnswer(a), d.deniedAnswer}
}

// withoutSeat returns the chain without the answers of x. A card has come into its hand since, so
// its present hand does not prove them wrong.
func (d *denialChain) withoutSeat(x engine.Seat) *denialChain {
	switch {
	case d == nil:
		return nil
	case d.seat == x:
		return d.prev.withoutSeat(x)
	}
	return &denialChain{d.prev.withoutSeat(x), d.deniedAnswer}
}

// walkState is the progress of the active seat's move in its turn.
type walkState struct {
	dice          [2]uint8
	way           way
	rolled        bool
	points        uint8
	startArea     area   // area of its pawn when its turn began
	leftAreas     areas  // areas left in this turn (C8-051)
	spiedMarks    uint32 // known marked squares from which a card of an opponent was seen,
	spyCount      uint8  // and the number of all of them, unknown ones too
	drawsLeft     uint8  // event cards that must be drawn now
	movesLeft     uint8  // rolls that still follow (C8-171)
	pointsUnknown bool   // the squares were not counted, so points is not exact; no meaning while points is 0
	diceUnknown   bool   // this move goes by dice that are not declared: see declare.go
	diceThrown    bool   // those dice have had an effect already
	faceDraws     uint8  // event cards that those dice may still bring; used only in stepMove
	combinedMove  bool   // has come by dice and passage: a hypothesis must follow (SC-053)
	stayRight     bool   // the right of C8-097, as it was when the turn began
	moved         bool   // has moved, or stayed by right: may ask, look or accuse here
}

// turnState is the state of the turn of one seat. Between turns it is zero, so applyTurn replaces
// all of it; restorePreviousTurn brings the previous one back.
type turnState struct {
	walkState
	round              uint16
	active             engine.Seat // the seat whose turn it is
	asked              engine.Seat // the seat that must act instead of the active seat
	step               step
	phaseStep          step         // the phase of the turn, to which interruptions return
	lookedAreas        areas        // areas where it has looked at the face-down cards in this turn (C8-063)
	gaveUpAct          bool         // has given up both hypothesis and look (C8-031)
	noSecondHypothesis bool         // has given up the second hypothesis of this turn (C8-175)
	clueOpen           bool         // a clue card is being carried out: see currentClue
	waived             rules.Waived // rules that the host has waived for the active seat in this turn: see waivers
	hyp                hypothesis
	lastHyp            hypothesis // the hypothesis before, which the table still sees
	showing            showing
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
	drawnCount uint16
	// underPile has the cards under the pile, by the number of their draw, modulo the size of the
	// pile; zero: not named. It is never changed in place, see putClueUnderPile.
	underPile  *[maxEventCards]card
	linkedRoom area // the room that a clue card has linked to all secret passages
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
	pawns         [maxSuspects + 1]pos
	tokens        [maxWeapons + 1]area
	faceDownCount [maxAreas + 1]uint8 // face-down mystery cards in each area; [0]: their room is not chosen yet
	track         uint8
	butlersGone   uint8 // Butler cards that left the game
	clues         clueCards
}

// dealState is the progress of the deal.
type dealState struct {
	dealer        engine.Seat // zero: the game has none
	envelopeCards uint8       // cards in the envelope
	hiddenRead    areas       // rooms whose hidden card was read
}

// awaitState describes the wait for a seat. Each wait begins with its zero value and the next
// number.
type awaitState struct {
	waitNumber uint16
	reminded   bool
	since      engine.Millis
	closes     engine.Millis
}

// public is all that every player sees of a game. It has no hidden value, so the decisions of its
// methods cannot depend on one, except through the caller.
type public struct {
	boardState
	dealState
	awaitState
	count        rules.CardCount
	phase        phase
	firstSeat    engine.Seat
	doubted      bool       // the real envelope decides, not the records (C8-120)
	virtual      bool       // the program has dealt: there are no real cards
	previousTurn *turnState // the turn before, until a seat acts in this one; nil: none. Never changed in place
	result       *engine.Result
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
	reply      hidden.Value[reply]
	correction hidden.Value[deniedAnswer]
	shownCard  hidden.SmallValue[card]
	accusation hidden.Value[[3]card] // the cards of the accusation that is being judged
	denials    hidden.Value[*denialChain]
	lastRead   hidden.SmallValue[card] // the last card accepted in this step (GEN-E04),
	lastReadAt engine.Millis           // at this moment
}

// state is one game at one moment. It is immutable: Apply copies it. CheckInvariants tests its numbered
// invariants.
type state struct {
	answerState
	log       story.Log
	sights    story.Sightings
	questions *question // the hypotheses of this game, the newest first
}

// nextSeatLeftOf returns the next taken seat to the left of x: x itself if no other one is taken.
func (s *seating) nextSeatLeftOf(x engine.Seat) engine.Seat {
	for range maxSeats {
		x = x%maxSeats + 1
		if s.isSeated(x) {
			return x
		}
	}
	return 0
}

func (s *seating) isSeated(x engine.Seat) bool { return s.seats[x].suspect != 0 }

// canWin reports whether a seat is taken, not murdered, and has not accused wrongly.
func (s *seating) canWin(x engine.Seat) bool {
	return s.isSeated(x) && !s.seats[x].dead && !s.seats[x].accusedWrongly
}

// eachSeatFrom calls f for the taken seats, from x on to the left.
func (s *seating) eachSeatFrom(x engine.Seat, f func(engine.Seat)) {
	for range maxSeats {
		if s.isSeated(x) {
			f(x)
		}
		x = x%maxSeats + 1
	}
}

// awaitedSeat returns the seat that must act; zero: none, or several (see canActInWindow).
func (t *turnState) awaitedSeat() engine.Seat {
	if t.asked != 0 {
		return t.asked
	}
	if t.step == stepShown {
		return 0
	}
	return t.active
}

// activeArea returns the area of the active pawn; zero: outside all areas.
func (s *boardState) activeArea() area { return s.pawns[s.seats[s.active].suspect].area }

func (s *boardState) isInPool() bool { return s.book.pool != 0 && s.activeArea() == s.book.pool }

// seatPlaying returns the seat that plays a suspect; zero: none.
func (s *seating) seatPlaying(who uint8) engine.Seat {
	for x := range s.seats {
		if s.seats[x].suspect == who && who != 0 {
			return engine.Seat(x)
		}
	}
	return 0
}

// NewGame returns a game in its lobby.
func (b *Book) NewGame() engine.Game { return b.newLobby() }

func (b *Book) newLobby() *state {
	s := new(state)
	s.cards = custody.New(len(b.cardID) - 1)
	s.houseRules = houseRules{b, b.deck.defaults}
	s.names = new([maxSeats + 1]string)
	s.cards.RecordCards(b.cardsOfKind(kindEvent), locPile, hidden.Nobody)
	s.placeWeaponsAtStart()
	for i := range b.deck.Suspects {
		s.pawns[i+1] = b.startPosition(uint8(i + 1))
	}
	return s
}

// Format prints only phase and turn, for every verb, so that a log shows no secret.
func (s state) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "%s (%s, turn %d)", s.book.Game, phaseRows[s.phase].code, s.round)
}
