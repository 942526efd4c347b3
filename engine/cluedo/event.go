package cluedo

import (
	"fmt"

	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/position"
)

// eventKind says what an event is. Names are stored: never rename one.
type eventKind uint8

const (
	evSat eventKind = iota + 1
	evRose
	evSwitched
	evBegun
	evSealed   // a card went into the envelope, face down
	evGot      // a seat has presented a card of its hand
	evDealt    // a seat has its cards
	evDealAll  // the machine has dealt
	evStarting // all have their cards: who begins?
	evStartRoll
	evTies // several rolled highest: they roll again
	evTurn
	evRolled
	evDrew // an event card: a Time card, or a Butler card
	evMurdered
	evMoved
	evStuck // cannot leave its room (C8-054)
	evActed // gives up what it could do, or its right
	evHypothesis
	evDeclined // a displaced seat draws nothing
	evAsked
	evReplied
	evNone
	evShown
	evUnrefuted
	evClosed  // the window after a card was shown: are more seats asked?
	evSettled // the answers are over
	evSaw     // an interrupting seat has seen the card shown
	evLooked  // a seat has seen a card of another's hand
	evPassed
	evHushed // nobody answers any more (C8-157)
	evPlayed // a Butler card
	evPower
	evPeeked
	evAccused
	evVerdict
	evWrong
	evSent // a pawn goes home
	evReplay
	evNeighbour
	evAmend  // an earlier answer was wrong
	evUpheld // it was right after all: the record of the hand was mended
	evOver
	evHeld
	evForgot
	evLost     // a Butler card, out of the game (GEN-E09)
	evSeen     // a pool card, by everybody
	evReminded // the seat whose card is awaited (GEN-E07)
	evDoubted  // the machine judges no accusation any more (C8-120)
	evCounting // play pauses, the cards are counted (GEN-E09)
	evCountIs
	evCounted
	evReread // the cards are counted in the deal, and read again from the start
	evPosition
	numEventKinds
)

var eventNames = [numEventKinds]string{
	evSat: "sat", evRose: "rose", evSwitched: "switched", evBegun: "begun", evSealed: "sealed", evGot: "got", evDealt: "dealt",
	evDealAll: "dealt-all", evStarting: "starting", evStartRoll: "start-roll", evTies: "ties", evTurn: "turn", evRolled: "rolled",
	evDrew: "drew", evMurdered: "murdered", evMoved: "moved", evStuck: "stuck", evActed: "acted", evHypothesis: "hypothesis",
	evDeclined: "declined", evAsked: "asked", evReplied: "replied", evNone: "none", evShown: "shown", evUnrefuted: "unrefuted",
	evClosed: "closed", evSettled: "settled", evSaw: "saw", evLooked: "looked", evPassed: "passed", evHushed: "no-answer", evPlayed: "played",
	evPower: "power", evPeeked: "peeked", evAccused: "accused", evVerdict: "verdict", evWrong: "wrong", evSent: "sent-home",
	evReplay: "replay", evNeighbour: "neighbour", evAmend: "amend", evUpheld: "upheld", evOver: "over", evHeld: "held", evForgot: "forgot", evLost: "lost", evSeen: "seen",
	evReminded: "reminded", evDoubted: "doubted", evCounting: "counting", evCountIs: "count-is", evCounted: "counted", evReread: "read-again", evPosition: "posed",
}

// deal is where the machine has laid each mystery card.
type deal [maxCards + 1]loc

// event is a fact. Which fields count depends on its kind; what is hidden from
// somebody lies in a box, so that printing an event shows a mask.
type event struct {
	kind     eventKind
	at       engine.Millis
	seat     engine.Seat
	other    engine.Seat
	who      uint8
	n        uint16 // house rule value, set of seats, total, 1 for yes
	sw       uint8
	dice     [2]uint8
	pos      pos
	names    [3]card // public: a hypothesis, or what the envelope holds
	accused  box.Box[[3]card]
	open     card // a public card
	text     string
	card     box.Box[card]
	reply    box.Box[reply]
	deal     box.Box[deal]
	amend    box.Box[amends]
	position box.Box[position.Position]
}

// Kind is the name under which the event is stored.
func (e *event) Kind() string { return eventNames[e.kind] }

// Barrier reports that somebody has seen something by this event.
func (e *event) Barrier() bool {
	switch e.kind {
	case evDealAll, evDrew, evMurdered, evShown, evSaw, evLooked, evPlayed, evPeeked, evAccused, evWrong, evSeen, evOver:
		return true
	}
	return false
}

// Format prints the kind for every verb: what a log may show of an event.
func (e *event) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(e.Kind())) }

func hide(c card) box.Box[card] { return box.Seal(c, box.Nobody) }

// moved is a move of a seat's pawn, in one of the ways of the turn.
func moved(at engine.Millis, x engine.Seat, to pos, way string) []*event {
	return []*event{{kind: evMoved, at: at, seat: x, pos: to, text: way}}
}

// one is a single event of a seat.
func one(k eventKind, at engine.Millis, x engine.Seat) []*event {
	return []*event{{kind: k, at: at, seat: x}}
}
