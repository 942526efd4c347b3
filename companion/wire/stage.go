package wire

import "majordome/engine"

// Times of the scenes that the display plays, in milliseconds. This is their only definition: the
// display uses the generated types, cmd/majordome/house passes them to the lights, and SceneMillis
// gives the table loop the time for which phones wait (package game, "Reveals").
const (
	// The urn: it opens, its clues are shown one by one, and each weapon that killed is named; then
	// the role cards of its dead turn up.
	StageOpening = 1800 // until the first clue appears
	StageLaying  = 4200 // for all clues, regardless of number
	StageEach    = 5600 // from one weapon to the next
	StageTurning = 2400 // from its weapon to the role cards of the dead
	StageQuiet   = 3200 // no one dies: the length of that
	StageBreath  = 800  // before the first weapon, if the clues are face up already

	// Midnight: the eighth hour strikes, the seat falls, its cards are shown.
	StageToll = 900    // the eighth hour strikes
	StageFall = 3600   // the seat is murdered
	StageHand = 5000   // the first of its cards is face up
	StageLaid = 3000   // from the first to the last of them
	StageBack = 9600   // the eighth card goes back
	StageDawn = 12_000 // the scene is over

	// The verdict of a Cluedo: the accusation is read, the envelope opens, and either its cards are
	// shown one by one, or it closes. Until then both outcomes look the same.
	StageNaming  = 600    // the first of three names is said
	StageName    = 1400   // from one to the next
	StageSeal    = 5000   // the envelope opens
	StageProof   = 7000   // the first of its cards is face up, or the envelope closes
	StageCard    = 1900   // from one card to the next
	StageRight   = 12_600 // all three were right
	StageSolved  = 15_400 // the scene of a right accusation ends
	StageMistake = 11_000 // the scene of a wrong accusation ends

	// Everything else that is revealed (an hour, a card turned up, the end) has no scene: phones
	// show it this long after the display.
	StageStroke = 1200
)

// SceneMillis returns for how long the display plays the happenings of one step, in milliseconds; 0 if
// it only shows them. testdata/stages.json of package game keeps it equal to the scenes of the
// display.
func SceneMillis(happened []*engine.Happening) int {
	scene, stroke, opened, begins := 0, 0, false, StageSeal
	for _, h := range happened {
		switch h.What {
		case engine.HapOpened:
			if opened = len(h.Cards) > 0; opened {
				scene = StageOpening + StageLaying
			}
		case engine.HapCrime:
			if scene == 0 { // its clues were named one by one (GEN-024)
				scene = StageBreath
			}
			scene += StageEach
		case engine.HapSpared:
			if opened {
				scene += StageQuiet
			}
		case engine.HapMurdered:
			scene = StageDawn
		case engine.HapAccused: // in the same step; otherwise the accuser looked, and all have heard the accusation already
			begins = 0
		case engine.HapProven:
			scene = StageSolved - begins
		case engine.HapWrong:
			if stroke = StageStroke; h.Other == 0 { // a wrong accusation that only the envelope decides
				scene = StageMistake - begins
			}
		case engine.HapStruck, engine.HapDied, engine.HapTurned, engine.HapExposed, engine.HapOver:
			stroke = StageStroke
		}
	}
	return max(scene, stroke)
}
