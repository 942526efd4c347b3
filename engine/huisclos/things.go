package huisclos

import "math/bits"

// card is a clue: 1 to 7 the weapons in the order of their places, 8 to 39 the
// clues of the characters, four each. Zero is no clue. This is the deck order.
type card uint8

// place is 1 to 7 in deck order; zero is nowhere.
type place uint8

// figure is a character, 1 to 8 in deck order; zero is none.
type figure uint8

// Counts of the box (rules, 1.1).
const (
	numPlaces  = 7
	numFigures = 8
	numCards   = 39
	perFigure  = 4
	maxSeats   = 8
	minSeats   = 4
	handLimit  = 3 // HC-040
	maxDestroy = 3 // HC-073
	perPlace   = 5 // HC-009
	atStart    = 9 // HC-007
)

func (c card) weapon() bool { return c >= 1 && c <= numPlaces }

// kills is the place where a weapon kills; zero for other clues.
func (c card) kills() place {
	if c.weapon() {
		return place(c)
	}
	return 0
}

// of is the character whom a clue accuses; zero for weapons.
func (c card) of() figure {
	if c <= numPlaces {
		return 0
	}
	return figure((c-numPlaces-1)/perFigure + 1)
}

// set is a set of clues.
type set uint64

// weapons are all seven; clues are all 39.
const (
	weapons set = 1<<(numPlaces+1) - 2
	clues   set = 1<<(numCards+1) - 2
)

func (x set) has(c card) bool { return x>>c&1 != 0 }
func (x set) with(c card) set { return x | 1<<c }
func (x set) less(c card) set { return x &^ (1 << c) }
func (x set) count() int      { return bits.OnesCount64(uint64(x)) }
func (x set) first() card     { return card(bits.TrailingZeros64(uint64(x))) }
func (x set) weapons() int    { return (x & weapons).count() }
func (f figure) clues() set   { return 0xf << (numPlaces + 1 + perFigure*(int(f)-1)) }

// or is x, or alt if x is empty.
func (x set) or(alt set) set {
	if x == 0 {
		return alt
	}
	return x
}

// loc is where a clue is.
type loc uint8

// Places are loc 1 to 7; then come hands and the urn, one per seat.
const (
	locOut       loc = 0  // not in this game, or not laid yet
	locHand      loc = 8  // + seat
	locUrn       loc = 16 // + the seat that deposited
	locShown     loc = 25 // face up, from the opened urn
	locGone      loc = 26 // publicly out of the game
	locSomewhere loc = 27 // in a hand, on a place or in the urn without a record, or lost
	numLocs          = 28
)

// role of a player; zero is not known or not drawn.
type role uint8

const (
	innocent role = 1
	murderer role = 2
)

// Phase codes, as in View.Phase.
type phase uint8

const (
	lobby phase = iota
	roles
	laying
	pick
	investigation
	deposit
	reveal
	recovery
	over
)

var phaseNames = [...]string{"lobby", "roles", "laying", "pick", "investigation", "deposit", "reveal", "recovery", "over"}

// step is what the active seat of an investigation is to do; lay is the last
// step of a recovery with several crime places.
type step uint8

const (
	stepNone   step = iota
	stepMove        // HC-050
	stepAct         // HC-051
	stepTake        // HC-061
	stepSettle      // HC-062, HC-065: leave, destroy or be done
	stepPurge       // HC-205
	stepDraw        // HC-083
	stepGive        // HC-083
	stepLay         // HC-135
	stepShow        // the clues of the opened urn are named (HC-127)
	stepRole        // a role card is turned up (HC-093, HC-131, HC-157)
	stepExtra       // is the hand one clue short? (rules, 4.2)
	numSteps
)

// House rules by number; their ids and values, the first being the default of
// the rules.
const (
	swRounds = iota
	swLimit
	swDouble
	swDestroyWeapons
	swBelow
	swOrder
	swDebrief
	numSwitches
)

var switchValues = [numSwitches]struct {
	id     string
	rule   string
	values []string
}{
	{"rounds-exhausted", "HC-154", []string{"survivors", "murderer", "nobody"}},
	{"confrontation-round-limit", "HC-211", []string{"applies", "lifted"}},
	{"confrontation-double-kill", "HC-210", []string{"murderer", "nobody"}},
	{"confrontation-destroy-weapons", "HC-206", []string{"never", "if-nothing-else", "always"}},
	{"destroy-below-limit", "HC-065", []string{"allowed", "forbidden"}},
	{"exchange-order", "HC-083", []string{"draw-then-give", "give-then-draw"}},
	{"post-game-debrief", "GEN-008", []string{"off", "on"}},
}
