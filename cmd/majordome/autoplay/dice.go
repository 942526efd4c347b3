package autoplay

import (
	"sync"

	"majordome/engine/chance"
)

// Dice are random numbers that one goroutine draws while another may seed them again.
type Dice struct {
	mu   sync.Mutex
	dice *chance.Dice
}

// NewDice returns dice with a seed.
func NewDice(seed uint64) *Dice { return &Dice{dice: chance.New(seed)} }

// Seed starts the sequence of a seed.
func (d *Dice) Seed(seed uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dice = chance.New(seed)
}

// Intn returns a number from 0 to n-1 (engine.Dice).
func (d *Dice) Intn(n int) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.dice.Intn(n)
}
