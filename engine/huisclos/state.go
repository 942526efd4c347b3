package huisclos

import (
	"fmt"

	"majordome/engine"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/hidden"
	"majordome/engine/internal/rules"
	"majordome/engine/internal/story"
)

// player is the public state of a seat.
type player struct {
	character       character // zero: no one sits here
	at              place     // where the pawn is; zero when it has left the table
	cards           uint8
	tokens          uint8 // Accusation cards
	destroyed       uint8
	dead            bool
	done            bool // has acted in this phase, where each seat acts once
	noDeposit       bool // deposited nothing (HC-126): recovers last
	usedObservation bool // has used the observation of this round (HC-110)
	observing       bool // observes the current investigation
	offeredDraw     bool // has offered a draw (HC-211, lifted)
}

// room is the public state of a place.
type room struct {
	cards    uint8
	closed   bool
	deaths   uint8 // in this murder resolution; not zero: a crime place
	urnClues uint8 // clues of the urn put here in this resolution (HC-135)
}

// deal gives the place of each clue at set-up.
type deal [numCards + 1]place

// drawnRole is a role and the number of the role card that was read for it, from 1 in deck order. Number
// zero: no card was read.
type drawnRole uint8

func newDrawnRole(r role, card uint8) drawnRole { return drawnRole(r) | drawnRole(card)<<2 }

func (d drawnRole) role() role  { return role(d & 3) }
func (d drawnRole) card() uint8 { return uint8(d >> 2) }

// readerCard is a card that a reader can read: a clue, or a role card numbered after the clues. Zero: none.
type readerCard uint8

func (d drawnRole) readerCard() readerCard {
	if d.card() == 0 {
		return 0
	}
	return numCards + readerCard(d.card())
}

// houseRules is the deck in use and the value of each house rule.
type houseRules struct {
	book  *Book
	rules [numSwitches]uint8
}

// seating holds the players and the public state of their seats.
type seating struct {
	names *[maxSeats + 1]string // of the players; copied on change, see seatPlayer
	seats [maxSeats + 1]player

	startPlayers uint8 // players at the start (HC-035)
	hostKilled   bool  // the host has declared a player dead
}

// inquiry is the state of the current investigation. It is zero between two investigations.
type inquiry struct {
	target           engine.Seat // victim of the exchange
	accuser, accused engine.Seat // set while the role card of the accused is awaited
	hasMoved         bool        // the active seat has moved (HC-050)
	handWasFull      bool        // the searcher held three clues before taking
	windowOpen       bool        // observers may still come forward; nothing may be taken yet (HC-118)
	halfDone         bool        // the first half of the exchange is done
}

// roundState is the state of a round. Each round starts from the zero value.
type roundState struct {
	round        uint8
	first        engine.Seat // first player of the round, holds the urn
	lastRecovery engine.Seat // seat that recovered last (HC-134)
	surplus      uint8       // clues found in the urn above the expected number (rules, 4.2)
	doomed       uint16      // seats that the opened urn kills and that have not died yet
	askedShort   uint16      // seats that were asked whether their hand is one clue short
	shownTo      uint16      // seats that were shown a clue as observers and have not disagreed yet
	urnOpened    bool        // the urn is open
}

// seatedRules combines the house rules and the players.
type seatedRules struct {
	houseRules
	seating
}

// boardState adds the state of the round: whose turn it is, and what is in the places.
type boardState struct {
	seatedRules
	roundState
	rooms [numPlaces + 1]room
	inquiry
	phase  phase
	step   step
	active engine.Seat  // seat that is to act; zero: none is called yet
	waived rules.Waived // rules that do not bind the active seat: see waivers
	duel   bool         // the Confrontation has begun (HC-200)
}

// public is the state that every player may see. It holds no hidden value, so its methods depend only on
// hidden values that the caller passes in.
type public struct {
	boardState
	result *engine.Result

	lastReadAt   engine.Millis // when the last card of this act was accepted
	waitingSince engine.Millis // when the wait for the active seat began
	waitNumber   uint16        // number of that wait
	unaccounted  int16         // clues of the box that the public counts lack; negative: they have too many (4.2)

	count          rules.CardCount
	reminded       bool        // the active seat has been reminded
	shownBy        engine.Seat // seat that showed observers a clue
	idleSeat       engine.Seat // seat whose investigation had no action, until the next act: a waiver reopens it
	urnCount       uint8       // number of clues in the urn
	urnExpected    uint8       // number of clues in the urn before it was opened
	lastDepositor  engine.Seat // seat that deposited last in this phase
	depositedByTap bool        // it deposited on a phone: the clue itself may still be dropped
	rolesAmiss     bool        // the role cards turned up contradict each other
}

// recordState adds the records of the clues. No seat claims a clue that is recorded in its hand.
type recordState struct {
	public
	ledger custody.Ledger
}

// roleState adds the role of each player.
type roleState struct {
	recordState
	roles [maxSeats + 1]hidden.SmallValue[drawnRole]
}

// inquiryState adds the clues that were taken, given, shown and read last, and the deal, which not all
// may know.
type inquiryState struct {
	roleState
	taken     hidden.SmallValue[card]       // the clue taken or drawn in this investigation
	lastShown hidden.SmallValue[card]       // the last clue shown to observers
	given     hidden.SmallValue[card]       // the clue given first (exchange-order)
	lastRead  hidden.SmallValue[readerCard] // the card accepted last in this act (GEN-E04)
	deal      *hidden.Value[deal]           // the place dealt to each clue; nil: no deal is fixed yet
}

// state is one game at one moment. It is never changed: Apply copies it. CheckInvariants tests the numbered
// invariants.
//
// Almost every command copies it. The fields are ordered so that it takes at most 512 bytes: the Go runtime
// adds a header to a larger allocation.
type state struct {
	inquiryState
	log       story.Log
	sightings story.Sightings
}

// Format prints the phase and the round for every verb, so that a log of the program shows no secret.
func (s state) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "huis-clos (%s, round %d)", phaseNames[s.phase], s.round)
}

// NewGame returns a game in its lobby.
func (b *Book) NewGame() engine.Game { return b.newLobby() }

func (b *Book) newLobby() *state {
	s := &state{log: story.New(storyKeys)}
	s.ledger = custody.New(numCards)
	s.houseRules = houseRules{b, b.defaults}
	s.names = new([maxSeats + 1]string)
	return s
}

func (s *seating) isSeated(x engine.Seat) bool {
	return x >= 1 && x <= maxSeats && s.seats[x].character != 0
}

func (s *seating) isLiving(x engine.Seat) bool { return s.isSeated(x) && !s.seats[x].dead }

// isDead reports whether the player of x has died. A dead player only follows the game.
func (s *seating) isDead(x engine.Seat) bool { return s.isSeated(x) && s.seats[x].dead }

// countLiving returns the number of living players.
func (s *seating) countLiving() int {
	n := 0
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if s.isLiving(x) {
			n++
		}
	}
	return n
}

// nextLivingSeatAfter returns the next living seat to the left of x (HC-034), and x itself last. Zero: no player
// lives.
func (s *seating) nextLivingSeatAfter(x engine.Seat) engine.Seat {
	for i := 0; i < maxSeats; i++ {
		x = x%maxSeats + 1
		if s.isLiving(x) {
			return x
		}
	}
	return 0
}

// eachLivingSeat calls f for each living seat in table order until f returns false. It begins at the first
// player, even if that player died during a resolution (HC-133).
func (s *boardState) eachLivingSeat(f func(engine.Seat) bool) {
	x := s.first
	if x == 0 {
		x = 1
	}
	for i := 0; i < maxSeats; i++ {
		if s.isLiving(x) && !f(x) {
			return
		}
		x = x%maxSeats + 1
	}
}

// findFirstLiving returns the first living seat in table order for which f is true; zero: none.
func (s *boardState) findFirstLiving(f func(engine.Seat) bool) (found engine.Seat) {
	s.eachLivingSeat(func(x engine.Seat) bool {
		if f(x) {
			found = x
		}
		return found == 0
	})
	return found
}

func (s *seating) hasNotActed(x engine.Seat) bool { return !s.seats[x].done }

// countPawns returns the number of living pawns in p.
func (s *seating) countPawns(p place) int {
	n := 0
	for x := range s.seats {
		if s.seats[x].at == p && p != 0 && s.isLiving(engine.Seat(x)) {
			n++
		}
	}
	return n
}

func (h *houseRules) ruleValue(sw int) string { return switches[sw].Values[h.rules[sw]] }

// allowsAccusations reports whether the round allows accusations (HC-090, HC-202).
func (s *boardState) allowsAccusations() bool { return s.round > s.startPlayers && !s.duel }

// lastRound returns the number of the last round (HC-030), which isEndless can lift.
func (s *seatedRules) lastRound() int { return 2 * int(s.startPlayers) }

// isEndless reports whether this is a Confrontation without a last round (HC-211).
func (s *boardState) isEndless() bool { return s.duel && s.ruleValue(swRoundLimit) == "lifted" }
