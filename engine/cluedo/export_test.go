package cluedo

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"majordome/engine"
	"majordome/engine/board"
)

// LogLines and Awaited are parts of a view, for tests that check every step of thousands of games: a whole view would take most of their
// time.
func LogLines(g engine.Game, v engine.Viewer, n int) []engine.Line {
	return g.(*state).log.LastReadableLines(v, n)
}

func Awaited(g engine.Game) []engine.Seat { return g.(*state).awaitedSeats() }

// CheckCaches returns an error if a cached answer of a step differs from the same answer computed afresh.
func CheckCaches(g engine.Game) error {
	s := g.(*state)
	if s.phase == turn && s.book.board != nil && !s.diceUnknown {
		if now, then := s.book.board.FreeSquares(s.occupiedSquares()).Squares(), s.freeSquares(); !slices.Equal(now, then) {
			return fmt.Errorf("squares %v are remembered to be free, and %v are", then, now)
		}
	}
	if s.phase != turn || s.step != stepMove || !s.hasBoardReach() {
		return nil
	}
	now, then := s.boardGoals(), s.moveGoals()
	if !reflect.DeepEqual(now.stops, then.stops) || now.squares != then.squares || now.rooms != then.rooms ||
		!slices.Equal(now.squareArgs, then.squareArgs) {
		return fmt.Errorf("%d rooms and squares %v are remembered, %d and %v there", then.rooms, then.squareArgs, now.rooms, now.squareArgs)
	}
	return nil
}

// Lists returns the lists of a book that its offers share.
func Lists(b *Book) [][]string {
	return [][]string{slices.Clone(b.cardID), slices.Clone(b.areaID), strings.Fields(fmt.Sprint(b.engineID))}
}

// walkSwitch is a house rule that leaves a word of the walk to the table.
func walkSwitch(w board.PolicyWord) string {
	var values, means []string
	for _, word := range w.Known {
		values = append(values, fmt.Sprintf("{id: %s, fr: x, en: x}", word))
		means = append(means, fmt.Sprintf("%[1]s: {%[2]s: %[1]s}", word, w.Key))
	}
	return fmt.Sprintf("switches: [{id: walk-%s, rule: XY-08, fr: x, en: x, values: [%s], walk: {%s}}]", w.Key, strings.Join(values, ", "),
		strings.Join(means, ", "))
}

// OneChanges returns lines of an edition, each of which sets one policy differently from every other line.
func OneChanges() (all []string) {
	for _, p := range policies {
		for _, v := range p.values {
			if v == "two-player" { // a lobby of exactly two, which random players hardly ever reach
				continue
			}
			all = append(all, "policies: {"+p.id+": \""+v+"\"}")
		}
	}
	for _, w := range board.KnownPolicyWords() {
		for _, word := range w.Known {
			all = append(all, "walk: {"+w.Key+": "+word+"}")
		}
		all = append(all, walkSwitch(w))
	}
	return all
}
