package huisclos

import "majordome/engine/internal/rules"

// phase is a part of a game.
type phase uint8

const (
	phaseLobby phase = iota
	phaseRoles
	phaseLaying
	phasePick
	phaseInvestigation
	phaseDeposit
	phaseReveal
	phaseRecovery
	phaseOver
)

// phaseNames are the values of View.Phase.
var phaseNames = [...]string{"lobby", "roles", "laying", "pick", "investigation", "deposit", "reveal", "recovery", "over"}

// step is the current task of the active seat, in phases that have several tasks.
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

// The house rules by number. switches has their ids and values; the first value is the default of the
// rules.
const (
	swRoundsExhausted = iota
	swRoundLimit
	swDoubleKill
	swDestroyWeapons
	swDestroyBelow
	swExchangeOrder
	swDebrief
	numSwitches
)

var switches = rules.Switches{
	{ID: "rounds-exhausted", Rule: "HC-154", Values: []string{"survivors", "murderer", "nobody"}},
	{ID: "confrontation-round-limit", Rule: "HC-211", Values: []string{"applies", "lifted"}},
	{ID: "confrontation-double-kill", Rule: "HC-210", Values: []string{"murderer", "nobody"}},
	{ID: "confrontation-destroy-weapons", Rule: "HC-206", Values: []string{"never", "if-nothing-else", "always"}},
	{ID: "destroy-below-limit", Rule: "HC-065", Values: []string{"allowed", "forbidden"}},
	{ID: "exchange-order", Rule: "HC-083", Values: []string{"draw-then-give", "give-then-draw"}},
	{ID: "post-game-debrief", Rule: "GEN-008", Values: []string{"off", "on"}},
}
