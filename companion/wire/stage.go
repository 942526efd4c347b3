package wire

import "majordome/engine"

// The times of what the display plays as a scene, in milliseconds. They stand here
// alone: the display takes them from the types made of this package, the lights
// are given them (cmd/majordome/house), and the table loop learns from Playing how long
// the phones wait (package game, "Reveals").
const (
	// The urn: it opens, its clues are laid out, and each weapon that killed is
	// named; after it the cards of its dead turn.
	StageOpening = 1800 // until the first clue lies there
	StageLaying  = 4200 // for all clues, however many
	StageEach    = 5600 // from one weapon to the next
	StageTurning = 2400 // after its weapon, the cards of the dead turn
	StageQuiet   = 3200 // nobody dies: how long that stands
	StageBreath  = 800  // before the first weapon, where the clues lie open already

	// Midnight: the eighth hour strikes, the seat falls, its cards are laid open.
	StageToll = 900    // the eighth hour strikes
	StageFall = 3600   // the seat is murdered
	StageHand = 5000   // the first of its cards lies open
	StageLaid = 3000   // for all of them
	StageBack = 9600   // the eighth card goes back
	StageDawn = 12_000 // the scene is over

	// The verdict of a Cluedo: what was accused is said, the envelope opens, and either its
	// cards lie open one after the other, or it closes again: until then both are alike.
	StageNaming  = 600    // the first of three names is said
	StageName    = 1400   // from one to the next
	StageSeal    = 5000   // the envelope opens
	StageProof   = 7000   // the first of its cards lies open, or it closes
	StageCard    = 1900   // from one card to the next
	StageRight   = 12_600 // all three were right
	StageSolved  = 15_400 // the scene of a right one is over
	StageMistake = 11_000 // and that of a wrong one

	// Everything else that is revealed (an hour, a card turned up, the
	// end) has no scene: the display shows it, and the phones a stroke later.
	StageStroke = 1200
)

// Playing is how long the display plays what has happened in one step, in
// milliseconds; 0 when it only shows it. testdata/stages.json of package game binds
// it and the scenes of the display.
func Playing(happened []*engine.Happening) int {
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
		case engine.HapAccused: // in the same step: else the accuser has looked, and all have heard it
			begins = 0
		case engine.HapProven:
			scene = StageSolved - begins
		case engine.HapWrong:
			if stroke = StageStroke; h.Other == 0 { // nobody but the envelope judged it
				scene = StageMistake - begins
			}
		case engine.HapStruck, engine.HapDied, engine.HapTurned, engine.HapExposed, engine.HapOver:
			stroke = StageStroke
		}
	}
	return max(scene, stroke)
}
