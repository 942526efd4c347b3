package game

import (
	"majordome/companion/master"
	"majordome/companion/proof"
	"majordome/engine"
	"majordome/engine/chance"
)

// stepSeed is the seed of the dice of one step, by which that step can be replayed.
type stepSeed struct {
	value uint64
	draw  int // its number among the draws of a proof.Joint; 0: it is not from one
	dice  *chance.Dice
	first chance.Dice // before the step
}

func newStepSeed(value uint64, draw int) stepSeed {
	dice := chance.New(value)
	return stepSeed{value, draw, dice, *dice}
}

// usedDraw returns the number of the draw if the step has used its dice; else 0.
func (s *stepSeed) usedDraw() int {
	if *s.dice == s.first {
		return 0
	}
	return s.draw
}

// seedOfNextDraw returns the seed of the next step. Steps that use no dice do not count, and an undone draw gives its number free:
// what was rolled comes again, whatever is done before, so that nobody undoes a roll in order to have another.
func (c *currentGame) seedOfNextDraw(joint *proof.Joint) stepSeed {
	if joint != nil {
		return newStepSeed(joint.SeedFor(c.draws+1), c.draws+1)
	}
	seed := uint64(0)
	for range 4 {
		seed = seed<<16 | uint64(c.Dice.Intn(1<<16))
	}
	return newStepSeed(seed, 0)
}

// jointSeedFor returns the seed to which phones have added for the game that a command begins; nil: none has. If wait is true
// the game begins later, when they have.
func (c *currentGame) jointSeedFor(begin engine.Command, author string) (joint *proof.Joint, wait bool) {
	if _, r := c.game.Decide(begin, chance.New(0)); r != nil {
		return nil, false
	}
	eachPart(c.parts, func(s master.Seeder) { joint, wait = s.JointSeed(author, begin.Args) })
	return joint, wait
}
