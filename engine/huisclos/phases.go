package huisclos

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

var switches = [numSwitches]struct {
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
