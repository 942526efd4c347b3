package cluedo

import (
	"math/bits"

	"majordome/engine"
)

// card is a card of the deck, from 1 in deck order: suspects, weapons, rooms,
// then event cards. Zero is no card. A deck has at most 63.
type card uint8

// set is a set of cards.
type set uint64

func (x set) has(c card) bool { return x>>c&1 != 0 }
func (x set) with(c card) set { return x | 1<<c }
func (x set) less(c card) set { return x &^ (1 << c) }
func (x set) count() int      { return bits.OnesCount64(uint64(x)) }
func (x set) first() card     { return card(bits.TrailingZeros64(uint64(x))) }

// span is the set of the cards from a to b.
func span(a, b card) set { return 1<<(b+1) - 1<<a }

// loc is where a card is.
type loc uint8

const (
	locUnknown  loc = iota // somewhere in the game
	locEnvelope            // the solution
	locPool                // face down for all to look at (C8-005)
	locPile                // an event card that no record places elsewhere
	locTrack               // a Time card on the track
	locGone                // out of the game
	locHand                // + seat
)

// Phase codes, as in View.Phase.
type phase uint8

const (
	lobby phase = iota
	dealing
	starting // who begins (C8-011)
	turn
	over
)

var phaseNames = [...]string{"lobby", "dealing", "starting", "turn", "over"}

// step is where a turn stands (T1 to T8), or what interrupts it.
type step uint8

const (
	stepNone step = iota
	stepStart
	stepDraw
	stepMove
	stepAct
	stepDisplaced
	stepAnswer
	stepShown
	stepNeighbour // the right neighbour shows a card (C8-153)
	stepAmend     // an earlier answer was wrong (GEN-E10)
	stepVerdict   // the accuser looks into the envelope
	stepEnd
	numSteps
)

// stepNames are the codes of engine.Case.
var stepNames = [numSteps]string{"", engine.StepStart, engine.StepDraw, engine.StepMove, engine.StepAct, engine.StepDisplaced,
	engine.StepAnswer, engine.StepShown, engine.StepNeighbour, engine.StepAmend, engine.StepVerdict, engine.StepEnd}

// area is a room of the deck, from 1, or the pool, which comes last; zero is a
// square outside all rooms.
type area uint8

// pos is where a pawn stands.
type pos struct {
	area area
	// Outside the rooms: one of these, and the square where the board is known.
	kind     spot
	col, row int8
}

type spot uint8

const (
	onSquare   spot = iota // a known square of the board, or in a room
	onStart                // its start square, without a board
	onCorridor             // some square, without a board
	onQuestion             // a marked square, without a board
	onNothing              // out of the game
)

// House rules that the engine asks for. An edition that lacks one answers "".
const (
	swTwo        = "two-players"
	swTiming     = "displacement-draw-timing"
	swOrigin     = "displacement-draw-origin"
	swTurns      = "wrong-accuser-turns"
	swInterrupts = "wrong-accuser-interrupts"
	swOlive      = "olive-needs-room"
	swDebrief    = "post-game-debrief"
)

// maxSwitches is the most house rules of an edition.
const maxSwitches = 12
