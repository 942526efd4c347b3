package autoplay

import (
	"sync"

	"majordome/engine/chance"
)

// Dice are thrown by one goroutine while another may seed them anew.
type Dice struct {
	mu   sync.Mutex
	dice *chance.Dice
}

// NewDice seeds dice.
func NewDice(seed uint64) *Dice { return &Dice{dice: chance.New(seed)} }

// Seed begins their sequence anew.
func (d *Dice) Seed(seed uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dice = chance.New(seed)
}

// Intn is a number from 0 to n-1 (engine.Dice).
func (d *Dice) Intn(n int) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.dice.Intn(n)
}
