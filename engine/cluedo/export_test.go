package cluedo

import "majordome/engine"

// Told and Awaited are parts of a view, for tests that look at every
// step of thousands of games: a whole view would take most of their time.
func Told(g engine.Game, v engine.Viewer, n int) []engine.Line { return g.(*state).log.Lines(v, n) }

func Awaited(g engine.Game) []engine.Seat { return g.(*state).awaited() }
