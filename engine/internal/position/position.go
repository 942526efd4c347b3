// Package position is how every game reads a position for scripts: lines of a verb and
// its words, kept in the event that leads there, and carried out one after the
// other.
//
// What may leak: a position names hidden cards; games keep it in a box. Errors
// quote at most 40 bytes of a word, for whoever wrote the script.
//
// Limits: 200 lines.
package position

import (
	"fmt"
	"slices"
	"strconv"

	"majordome/engine"
)

// Position is what the store keeps of a position.
type Position struct {
	Lines []Line `json:"lines"`
}

// Line is one line of it, with its number in its script.
type Line struct {
	Line  int      `json:"line"`
	Verb  string   `json:"verb"`
	Words []string `json:"words"`
}

// most lines of one position.
const most = 200

// Of keeps the lines of a script.
func Of(lines []engine.PositionLine) Position {
	p := Position{}
	for _, l := range lines {
		p.Lines = append(p.Lines, Line{l.Line, l.Verb, slices.Clone(l.Words)})
	}
	return p
}

// Last is the same position with the lines of one verb at its end.
func (p Position) Last(verb string) Position {
	lines := slices.Clone(p.Lines)
	slices.SortStableFunc(lines, func(a, b Line) int {
		return rank(a.Verb == verb) - rank(b.Verb == verb)
	})
	return Position{lines}
}

func rank(last bool) int {
	if last {
		return 1
	}
	return 0
}

// Verb is how many words a verb needs, and what it does to Q, the position that a
// game is building.
type Verb[Q any] struct {
	least int
	do    func(Q, []string) error
}

// Takes is a verb with at least so many words.
func Takes[Q any](least int, do func(Q, []string) error) Verb[Q] { return Verb[Q]{least, do} }

// Run carries out the lines in their order. The error names its line.
func Run[Q any](p Position, verbs map[string]Verb[Q], q Q) error {
	if len(p.Lines) > most {
		return fmt.Errorf("more than %d lines", most)
	}
	for _, l := range p.Lines {
		v, ok := verbs[l.Verb]
		if !ok {
			return fmt.Errorf("line %d: unknown verb %.40q", l.Line, l.Verb)
		}
		if len(l.Words) < v.least {
			return fmt.Errorf("line %d: %s needs at least %d words", l.Line, l.Verb, v.least)
		}
		if err := v.do(q, l.Words); err != nil {
			return fmt.Errorf("line %d: %s: %w", l.Line, l.Verb, err)
		}
	}
	return nil
}

// Seat reads a seat where a player sits.
func Seat(word string, seated func(engine.Seat) bool) (engine.Seat, error) {
	x, err := engine.ParseSeat(word)
	if err != nil || !seated(x) {
		return 0, fmt.Errorf("nobody sits at %.40q: put its seat line first", word)
	}
	return x, nil
}

// Number reads a number from 0 to most.
func Number(word string, most int) (int, error) {
	n, err := strconv.Atoi(word)
	if err != nil || n < 0 || n > most {
		return 0, fmt.Errorf("%.40q is no number from 0 to %d", word, most)
	}
	return n, nil
}
