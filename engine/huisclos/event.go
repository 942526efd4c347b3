package huisclos

import (
	"fmt"

	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/position"
)

// eventKind says what happened. Names are stored: never rename one.
type eventKind uint8

const (
	evSat eventKind = iota + 1
	evRose
	evFirst
	evSwitched
	evBegun
	evRole      // a seat has its role
	evRolesBad  // not exactly one Murderer: start over
	evRolesAuto // the machine drew the roles
	evRolesGood // laying begins
	evDealt     // the machine has fixed where each clue goes
	evLaid
	evLaidAll
	evPile // the pile of the initial pick goes to a seat
	evKept
	evRound
	evCalled // a seat is to act
	evMoved
	evSearched
	evWindow // the time for observers is over
	evTook
	evLeft
	evDestroyed
	evPurged
	evEnded // the investigation of a seat has ended
	evDepositing
	evDeposited
	evShort // a seat has nothing to deposit
	evReady // the urn may be opened
	evOpened
	evDied
	evDuel
	evRecovering
	evRecovered
	evLaying // a seat is to lay the rest on the crime places
	evRest
	evClosed
	evReminded
	evOver
	evPosition
	evExchange
	evDrew
	evGave
	evObserved
	evAccused
	evAgreed
	evUntold // a seat has its role and does not tell the machine
	evLaidHand
	evHeld   // a seat names a clue of its hand
	evForgot // ... or says that it does not hold one
	evUnsealed
	evFound
	evFoundAll
	evTurning // a seat is to turn its role card up
	evTurned
	evAsked // is the hand of a seat one clue short?
	evNotShort
	evCounting
	evCountIs
	evCounted
	evShuffled
	evPawn      // where a pawn stands is corrected
	evDisagreed // an observer was shown another clue
	evReread    // the cards of this phase are counted, and read again from the start
	numEventKinds
)

var eventNames = [numEventKinds]string{
	evSat: "sat", evRose: "rose", evFirst: "first", evSwitched: "switched", evBegun: "begun",
	evRole: "role", evRolesBad: "roles-wrong", evRolesAuto: "roles-drawn", evRolesGood: "roles-right",
	evDealt: "dealt", evLaid: "laid", evLaidAll: "laid-all", evPile: "pile", evKept: "kept",
	evRound: "round", evCalled: "called", evMoved: "moved", evSearched: "searched", evWindow: "window-closed",
	evTook: "took", evLeft: "left", evDestroyed: "destroyed", evPurged: "purged", evEnded: "investigated",
	evDepositing: "deposit-begun", evDeposited: "deposited", evShort: "no-deposit", evReady: "urn-full",
	evOpened: "opened", evDied: "died", evDuel: "confrontation", evRecovering: "recovery-begun",
	evRecovered: "recovered", evLaying: "laying-rest", evRest: "rest-laid", evClosed: "closed",
	evReminded: "reminded", evOver: "over", evPosition: "posed", evExchange: "exchange", evDrew: "drew",
	evGave: "gave", evObserved: "observed", evAccused: "accused", evAgreed: "draw-offered",
	evUntold: "role-untold", evLaidHand: "laid-by-hand", evHeld: "held", evForgot: "forgot",
	evUnsealed: "urn-unsealed", evFound: "found", evFoundAll: "urn-named", evTurning: "role-called", evTurned: "role-turned",
	evAsked: "asked", evNotShort: "not-short", evCounting: "count-begun", evCountIs: "count-is", evCounted: "counted",
	evShuffled: "shuffled", evPawn: "pawn-corrected", evDisagreed: "disagreed", evReread: "read-again",
}

// event is a fact. Which fields count depends on its kind; what is hidden from
// somebody lies in a box, so that printing an event shows a mask.
type event struct {
	kind     eventKind
	at       engine.Millis
	seat     engine.Seat
	other    engine.Seat
	place    place
	who      character
	n        uint16 // round, switch value, set of winning seats, number of clues; 1: a reader has read the deposit
	trust    trust  // how the clue is known; a clue that nobody named is an empty box
	sw       uint8
	ends     bool // the investigation had no action (HC-054); the game ends by agreement (HC-211)
	text     string
	card     box.Box[card]
	role     box.Box[drawn]
	roles    box.Box[[maxSeats + 1]role]
	deal     box.Box[deal]
	position box.Box[position.Position]
}

// Kind is the name under which the event is stored.
func (e *event) Kind() string { return eventNames[e.kind] }

// Barrier reports that somebody has seen something by this event.
func (e *event) Barrier() bool {
	switch e.kind {
	case evRolesAuto, evPile, evSearched, evDestroyed, evPurged, evOpened, evDied, evDrew, evGave, evAccused, evOver, evUnsealed, evTurned:
		return true
	case evTook:
		return e.n != 0 // observers have seen the clue
	}
	return false
}

// Format prints the kind for every verb: what a log may show of an event.
func (e *event) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(e.Kind())) }

func hide(c card) box.Box[card] { return box.Seal(c, box.Nobody) }
