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

// player is what everybody knows of a seat.
type player struct {
	who     uint8 // its suspect, from 1; zero: nobody sits here
	cards   uint8 // mystery cards
	butlers uint8 // Butler cards
	owed    uint8 // cards that it may draw for displacements (until-own-turn)
	dealt   bool  // has its cards
	dead    bool  // murdered
	wrong   bool  // has accused wrongly
	looked  bool  // has been shown the envelope by it
	spent   bool  // its Power
	// brought tells that a hypothesis has moved its pawn to where it stands,
	// since its last turn began (C8-098).
	brought bool
	last    area  // where it made its last hypothesis
	rolled  uint8 // total of the starting roll, plus one; zero: not rolled
	// told, said and named are how many of its mystery cards it has presented when they
	// were dealt, how many it has named on its phone since, and how many Butler cards it
	// has drawn by name. They count acts and never hang on which card it was, shown or
	// named by whomever: the host is shown grades made of them.
	told, said, named uint8
}

// outrolled marks a seat that others have outrolled, who now roll again.
const outrolled = 255

// said is a seat's public answer to the hypothesis.
type said uint8

const (
	saidNothing said = iota
	saidNone
	saidShown
	saidSkipped // the host has passed it over: it has said nothing
)

// hypothesis is what was named aloud, and the answers so far.
type hypothesis struct {
	by   engine.Seat
	what [3]card // suspect, weapon, room; zero: none in this turn
	said [maxSeats + 1]said
}

func (h *hypothesis) set() set { return setOf(h.what) }

// shown reports that a card was shown in answer.
func (h *hypothesis) shown() bool { return slices.Contains(h.said[:], saidShown) }

// reply is an answer that waits for its moment (C8-158).
type reply struct {
	card card // zero: none
	// named is false for a card that was shown by hand and not named.
	named bool
	none  bool
	read  bool // by a reader: a record of the hand
}

// amends is an answer "none" of a seat that could not be judged, or is to be given again
// (GEN-E10): one of the cards named, to the seat that would have seen it; zero: to all.
type amends struct {
	seat, to engine.Seat
	named    set
	unsaid   bool // another seat has said it, by the word that nobody has the card
}

// amended is the event that has a wrong answer put right, or lets it stand.
func (a amends) amended(kind eventKind) *event {
	e := &event{kind: kind, seat: a.seat, other: a.to, amend: box.Seal(a, box.Nobody)}
	if a.unsaid {
		e.n = 1
	}
	return e
}

// denial is one of those that are remembered.
type denial struct {
	prev *denial
	amends
}

// without is the chain less one answer, which is being put right.
func (d *denial) without(a amends) *denial {
	switch {
	case d == nil:
		return nil
	case d.amends == a:
		return d.prev
	}
	return &denial{d.prev.without(a), d.amends}
}

// gained is the chain less the answers of x: a card has come into its hand since,
// and what it holds now does not prove them wrong.
func (d *denial) gained(x engine.Seat) *denial {
	switch {
	case d == nil:
		return nil
	case d.seat == x:
		return d.prev.gained(x)
	}
	return &denial{d.prev.gained(x), d.amends}
}

// walkState is how far the active seat has moved in its turn.
type walkState struct {
	dice      [2]uint8
	way       way
	rolled    bool
	points    uint8
	began     area   // where its pawn stood when its turn began
	leftAreas areas  // left in this turn (C8-051)
	spies     uint32 // marked squares from which an opponent was spied on, where it is known which,
	spyings   uint8  // and how many with those of which it is not
	draws     uint8  // event cards that have to be drawn now
	moves     uint8  // rolls that still follow (C8-171)
	guessed   bool   // how many points are left, nobody has counted; where there are none it says nothing
	believed  bool   // this move goes by dice that nobody tells: see declare.go
	thrown    bool   // and something has come of them already
	faces     uint8  // event cards that they may still bring: of interest in the step to move alone
	obliged   bool   // has come by dice and passage: a hypothesis has to follow (SC-053)
	stays     bool   // the right of C8-097, as this turn found it
	moved     bool   // has moved, or stayed by right: may ask, look or accuse where it stands
}

// turnState is how the turn of a seat stands. Its zero value is between turns, so that beginTurn leaves
// nothing of the last one; giveBack brings that one back.
type turnState struct {
	walkState
	round    uint16
	active   engine.Seat // whose turn it is
	asked    engine.Seat // who is to act instead of the active seat
	step     step
	part     step         // the phase of the turn, where what interrupts it leads back to
	looked   areas        // where it has looked at the cards that lie there, in this turn (C8-063)
	forgone  bool         // has given up a hypothesis and a look (C8-031)
	noSecond bool         // the second hypothesis of this turn was given up (C8-175)
	carrying bool         // a clue card is carried out: see clueNow
	waived   rules.Waived // rules that do not bind the active seat in this turn: see waivers
	hyp      hypothesis
	heard    hypothesis // the one before, which the table still sees
	showing  showing
}

// houseRules are the edition that is played, and the value of each of its house rules.
type houseRules struct {
	book  *Book
	rules [maxSwitches]uint8
}

// seating is who plays.
type seating struct {
	names *[maxSeats + 1]string // of the players; never changed, see sit
	seats [maxSeats + 1]player
}

// clueCards are the clue cards that were drawn.
type clueCards struct {
	drawn uint16
	under *[maxEvents]card // those that lie under the pile, by their number in it; zero: not named. Never changed, see layUnder
	link  area             // the room that one of them has linked to all secret passages
}

// seatedTurn is the turn among those who play, by their house rules.
type seatedTurn struct {
	houseRules
	seating
	turnState
}

// boardState is where pawns and weapons stand in the turn, and how many cards lie where.
type boardState struct {
	seatedTurn
	pawns  [maxSuspects + 1]pos
	tokens [maxWeapons + 1]area
	lying  [maxAreas + 1]uint8 // mystery cards that lie face down in each area: see spots.go
	track  uint8
	gone   uint8 // Butler cards that left the game
	clues  clueCards
}

// dealState is how far the deal is read.
type dealState struct {
	dealer engine.Seat // zero: nobody rolls for it
	sealed uint8       // cards of the envelope
	laid   areas       // where the hidden card was read
}

// waiting is that for whoever is awaited; each begins with its zero value but for its number.
type waiting struct {
	wait     uint16 // its number
	reminded bool
	since    engine.Millis
	closes   engine.Millis
}

// public is what everybody sees of a game. It holds no hidden value, so that what its methods decide can
// depend on none but those that the caller knows.
type public struct {
	boardState
	dealState
	waiting
	count    rules.Count
	phase    phase
	first    engine.Seat
	doubt    bool       // the real envelope decides (C8-120)
	virtual  bool       // the machine has dealt: there are no real cards
	passedOn *turnState // the turn before, until somebody acts in this one; nil: none. Never changed
	result   *engine.Result
}

// recordState is what is recorded of the cards.
type recordState struct {
	public
	cards    custody.Ledger
	standIns set // Time cards on the track that stand for ones nobody has read
}

// answerState is what seats have said and shown that not all may know.
type answerState struct {
	recordState
	reply   box.Box[reply]
	amend   box.Box[amends]
	shown   box.Small[card]
	accused box.Box[[3]card] // the accusation that is being judged
	denied  box.Box[*denial]
	read    box.Small[card] // the last card accepted in this step (GEN-E04),
	readAt  engine.Millis   // at this moment
}

// state is one game at one moment. It is never changed: Evolve copies it.
// Check holds the numbered invariants.
type state struct {
	answerState
	log    story.Log
	sights story.Sights
	past   *question // the hypotheses of this game, the last first
}

// after is the next seated seat to the left of x, x itself last.
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

// running reports a seat that is neither murdered nor out by its accusation.
func (s *seating) running(x engine.Seat) bool {
	return s.seated(x) && !s.seats[x].dead && !s.seats[x].wrong
}

// inOrder calls f for the seated seats, from x on to the left.
func (s *seating) inOrder(x engine.Seat, f func(engine.Seat)) {
	for range maxSeats {
		if s.seated(x) {
			f(x)
		}
		x = x%maxSeats + 1
	}
}

// waits is the seat that is to act; zero: nobody, or several (see concerned).
func (t *turnState) waits() engine.Seat {
	if t.asked != 0 {
		return t.asked
	}
	if t.step == stepShown {
		return 0
	}
	return t.active
}

// here is where the pawn of the active seat stands; zero: outside all rooms.
func (s *boardState) here() area { return s.pawns[s.seats[s.active].who].area }

// inPool reports that the active pawn stands at the pool.
func (s *boardState) inPool() bool { return s.book.pool != 0 && s.here() == s.book.pool }

// playing is the seat that plays a suspect; zero: nobody does.
func (s *seating) playing(who uint8) engine.Seat {
	for x := range s.seats {
		if s.seats[x].who == who && who != 0 {
			return engine.Seat(x)
		}
	}
	return 0
}

// New is a game in its lobby.
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

// Format prints phase and turn for every verb: what a log may show of a game.
func (s state) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "%s (%s, turn %d)", s.book.Game, phases[s.phase].code, s.round)
}
