package game

import (
	"time"

	"majordome/companion/master"
	"majordome/companion/wire"
	"majordome/engine"
)

// core is the state of the loop: the current game, and what the updates show besides it. Only the loop's
// goroutine uses it.
type core struct {
	currentGame
	display
	actRegistry
	phones
	shownNotices
	replacedViews
	tagFields    readerFields
	readerStates map[string]string // the state of each reader, by its role; a change replaces the map
	publishStep  func(Step)
	scratch      []engine.Offer // reused for the offers of each step, which are then copied
}

// actRegistry lists the acts that exist in addition to those of the game.
type actRegistry struct {
	acts   map[string]master.Act
	rights rights
	orders map[string]master.Act // of programs of the house
}

// isEndKnownToPhones reports whether the game is over and the phones know it, which they do not during a scene.
func (c *core) isEndKnownToPhones() bool {
	return c.game.currentViews().Public.Result != nil && c.scene == nil
}

// resetActCounts lets phones count their acts from 1 again after they have lost their keys: acts encrypted with
// those keys are refused anyway.
func (c *core) resetActCounts(gone func(wire.Handset) bool) {
	c.resetSeqs(gone)
	c.notes.forgetWrites(gone)
}

// input is one thing to do and the moment when it came in. The loop first runs the timers that were due by
// then, however long the input has waited, and the later ones after it.
type input struct {
	at time.Time
	do func(*core)
}
