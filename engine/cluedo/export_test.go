package cluedo

import "majordome/engine"

// Told and Awaited are parts of the public view, for tests that look at every
// step of thousands of games: a whole view would take most of their time.
func Told(g engine.Game, n int) []engine.Line { return g.(*state).log.Lines(engine.Public, n) }

func Awaited(g engine.Game) []engine.Seat { return g.(*state).awaited() }
