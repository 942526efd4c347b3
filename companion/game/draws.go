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
	draw  int // its number among the draws of its act, from a proof.Joint; 0: it is not from one
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

// drawCounts are the numbers of draws of a game by their acts. They are never changed in place.
type drawCounts map[string]int

// withDraw returns the counts after draw n by an act; 0: it has used no dice.
func (d drawCounts) withDraw(act string, n int) drawCounts {
	if n <= d[act] {
		return d
	}
	next := drawCounts{act: n}
	for other, count := range d {
		if other != act {
			next[other] = count
		}
	}
	return next
}

// total returns the number of all draws.
func (d drawCounts) total() (n int) {
	for _, count := range d {
		n += count
	}
	return n
}

// nextSeed returns the seed of the next draw by an act.
func (d drawCounts) nextSeed(joint *proof.Joint, act string) stepSeed {
	return newStepSeed(joint.SeedFor(act, d[act]+1), d[act]+1)
}

// seedOfNextDraw returns the seed of the next step, which an act makes. Steps that use no dice do not count, and an undone draw gives
// its number free: what was rolled comes again, whatever else is drawn before, so that nobody undoes a roll in order to have another.
func (c *currentGame) seedOfNextDraw(joint *proof.Joint, act string) stepSeed {
	if joint != nil {
		return c.draws.nextSeed(joint, act)
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
