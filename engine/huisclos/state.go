package huisclos

import (
	"fmt"

	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/rules"
	"majordome/engine/internal/story"
)

// player is what everybody knows of a seat.
type player struct {
	who       character // zero: nobody sits here
	at        place     // where the pawn stands; zero when it has left the table
	cards     uint8
	tokens    uint8 // Accusation cards
	destroyed uint8
	dead      bool
	done      bool // has done what this phase asks once
	short     bool // deposited nothing (HC-126): recovers last
	observed  bool // has used the observation of this round (HC-110)
	watching  bool // observes the investigation that goes on
	agrees    bool // has offered a draw (HC-211, lifted)
}

// room is what everybody knows of a place.
type room struct {
	cards  uint8
	closed bool
	deaths uint8 // in this resolution: a crime place
	rest   uint8 // clues of the urn laid here in this resolution (HC-135)
}

// deal says where each clue is to be laid at set-up.
type deal [numCards + 1]place

// drawn is a role and the number of the role card that said so, from 1 in deck order;
// zero: declared on the phone.
type drawn uint8

func drew(r role, card uint8) drawn { return drawn(r) | drawn(card)<<2 }

func (d drawn) role() role  { return role(d & 3) }
func (d drawn) card() uint8 { return uint8(d >> 2) }

// tagged is a card that a reader can meet: a clue, or after them a role card; zero: none.
type tagged uint8

func (d drawn) tagged() tagged {
	if d.card() == 0 {
		return 0
	}
	return numCards + tagged(d.card())
}

// houseRules are the deck that is played with, and the value of each house rule.
type houseRules struct {
	book  *Book
	rules [numSwitches]uint8
}

// seating is who plays, and where the game stands with each.
type seating struct {
	names *[maxSeats + 1]string // of the players; never changed, see sit
	seats [maxSeats + 1]player

	n      uint8 // players at the start (HC-035)
	killed bool  // one of them, by the host
}

// inquiry is what has come of the investigation that goes on. Its zero value is between two of them.
type inquiry struct {
	target           engine.Seat // victim of the exchange
	accuser, accused engine.Seat // while the role card of the accused is awaited
	walked           bool        // the active seat has moved (HC-050)
	full             bool        // the searcher held three clues before taking
	window           bool        // observers may still come forward; taking has to wait (HC-118)
	half             bool        // the first half of the exchange is done
}

// roundState is what has come of a round. Each begins with its zero value.
type roundState struct {
	round      uint8
	first      engine.Seat // first player of the round, holds the urn
	last       engine.Seat // who recovered last (HC-134)
	surplus    uint8       // how many clues more than expected were found in the urn (rules, 4.2)
	doomed     uint16      // seats that the opened urn kills and that have not died yet
	askedShort uint16
	showed     uint16 // who was shown a clue as observers, and has not said yet that it was another
	opened     bool   // the urn lies open
}

// seatedRules are those who play, and their house rules.
type seatedRules struct {
	houseRules
	seating
}

// boardState is where the game stands in a round: whose act it is, and what lies in the rooms.
type boardState struct {
	seatedRules
	roundState
	rooms [numPlaces + 1]room
	inquiry
	phase  phase
	step   step
	active engine.Seat  // who is to act; zero: nobody is called yet
	waived rules.Waived // rules that do not bind the active seat: see waivers
	duel   bool         // the Confrontation has begun (HC-200)
}

// public is what everybody sees of a game. It holds no hidden value, so that what its methods decide can
// depend on none but those that the caller knows.
type public struct {
	boardState
	result *engine.Result

	readAt engine.Millis // when the card was read that was accepted last in this act
	since  engine.Millis // when the wait for the active seat began
	wait   uint16        // its number
	adrift int16         // clues of the box less those that the public counts make up (4.2)

	count    rules.Count
	reminded bool        // the seat that is to act
	shower   engine.Seat // by whom observers were shown a clue
	idled    engine.Seat // whose investigation had no action, until somebody acts: a waiver gives it back
	urn      uint8
	expect   uint8       // clues that were counted in it before it was opened
	dropper  engine.Seat // who deposited last in this phase,
	tap      bool        // on a phone: the clue may still be dropped
	amiss    bool        // the role cards turned up cannot be right
}

// recordState is what is recorded of the clues. No seat claims one that is recorded in its hand.
type recordState struct {
	public
	cards custody.Ledger
}

// roleState is who plays which role.
type roleState struct {
	recordState
	roles [maxSeats + 1]box.Small[drawn]
}

// state is one game at one moment. It is never changed: Evolve copies it.
// Check holds the numbered invariants.
//
// A copy is made of it for almost each command: the fields stand so that it takes 512 bytes and no
// more, from where on a piece of memory costs a header.
type state struct {
	roleState
	taken box.Small[card]   // the clue taken or drawn in this investigation
	shown box.Small[card]   // the last one that was shown to observers
	given box.Small[card]   // the clue given first (exchange-order)
	read  box.Small[tagged] // the card accepted last in this act (GEN-E04)

	deal   *box.Box[deal] // where the machine has dealt each clue; nil: it has not
	log    story.Log
	sights story.Sights
}

// Format prints phase and round for every verb: what a log may show of a game.
func (s state) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "huis-clos (%s, round %d)", phaseNames[s.phase], s.round)
}

// New is a game in its lobby.
func (b *Book) New() engine.Game { return b.lobby() }

func (b *Book) lobby() *state {
	s := &state{log: story.New(turns)}
	s.cards = custody.New(numCards)
	s.houseRules = houseRules{b, b.defaults}
	s.names = new([maxSeats + 1]string)
	return s
}

func (s *seating) seated(x engine.Seat) bool {
	return x >= 1 && x <= maxSeats && s.seats[x].who != 0
}

func (s *seating) living(x engine.Seat) bool { return s.seated(x) && !s.seats[x].dead }

// dead reports that the player of x has died: a guest who only follows the game.
func (s *seating) dead(x engine.Seat) bool { return s.seated(x) && s.seats[x].dead }

// alive is the number of living players.
func (s *seating) alive() int {
	n := 0
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if s.living(x) {
			n++
		}
	}
	return n
}

// after is the next living seat to the left of x (HC-034), x itself last.
func (s *seating) after(x engine.Seat) engine.Seat {
	for i := 0; i < maxSeats; i++ {
		x = x%maxSeats + 1
		if s.living(x) {
			return x
		}
	}
	return 0
}

// inOrder calls f for the living seats in table order until it answers false.
// The first player may be dead during a resolution (HC-133).
func (s *boardState) inOrder(f func(engine.Seat) bool) {
	x := s.first
	if x == 0 {
		x = 1
	}
	for i := 0; i < maxSeats; i++ {
		if s.living(x) && !f(x) {
			return
		}
		x = x%maxSeats + 1
	}
}

// next is the first living seat in table order for which f holds; zero: none.
func (s *boardState) next(f func(engine.Seat) bool) (found engine.Seat) {
	s.inOrder(func(x engine.Seat) bool {
		if f(x) {
			found = x
		}
		return found == 0
	})
	return found
}

func (s *seating) pending(x engine.Seat) bool { return !s.seats[x].done }

// standing is the number of living pawns in p.
func (s *seating) standing(p place) int {
	n := 0
	for x := range s.seats {
		if s.seats[x].at == p && p != 0 && s.living(engine.Seat(x)) {
			n++
		}
	}
	return n
}

func (h *houseRules) rule(sw int) string { return switches[sw].Values[h.rules[sw]] }

// accusing reports that the round allows accusations (HC-090, HC-202).
func (s *boardState) accusing() bool { return s.round > s.n && !s.duel }

// limit is the last round (HC-030), unless the game is endless.
func (s *seatedRules) limit() int { return 2 * int(s.n) }

// endless reports a Confrontation without a last round (HC-211).
func (s *boardState) endless() bool { return s.duel && s.rule(swLimit) == "lifted" }
