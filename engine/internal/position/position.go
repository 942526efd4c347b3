// Package position reads the positions that scripts set up, for every game. A position is a list of
// lines, each a verb and its words. The event that leads to it keeps these lines; ApplyLines
// carries them out in order.
//
// What may leak: a position names hidden cards, so games keep it in a hidden value. Faults quote at
// most 40 characters of a word, for the author of the script.
//
// Limits: 200 lines.
package position

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"majordome/engine"
	"majordome/engine/internal/rules"
)

// Position is a position as the store keeps it.
type Position struct {
	Lines []Line `json:"lines"`
}

// Line is one line of a position, with its number in the script.
type Line struct {
	Line  int      `json:"line"`
	Verb  string   `json:"verb"`
	Words []string `json:"words"`
}

// maxLines is the most lines of one position.
const maxLines = 200

// FromScript copies the lines of a script.
func FromScript(lines []engine.PositionLine) Position {
	p := Position{}
	for _, l := range lines {
		p.Lines = append(p.Lines, Line{l.Line, l.Verb, slices.Clone(l.Words)})
	}
	return p
}

// WithVerbLinesLast returns the same position with the lines of one verb at its end.
func (p Position) WithVerbLinesLast(verb string) Position {
	lines := slices.Clone(p.Lines)
	slices.SortStableFunc(lines, func(a, b Line) int {
		return boolToInt(a.Verb == verb) - boolToInt(b.Verb == verb)
	})
	return Position{lines}
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Verb describes the words after a verb, and changes Q, the position that a game is building.
type Verb[Q any] struct {
	usage       string
	least, most int
	apply       func(Q, []string) *Fault
}

// NewVerb returns a verb with this usage: <word> is required, [word] is optional, and a final "..."
// allows any number.
func NewVerb[Q any](usage string, apply func(Q, []string) *Fault) Verb[Q] {
	v := Verb[Q]{usage: usage, apply: apply}
	for _, w := range strings.Fields(usage) {
		v.most++
		if w[0] != '[' {
			v.least++
		}
	}
	if strings.HasSuffix(usage, "...") {
		v.most = math.MaxInt
	}
	return v
}

// ApplyLines carries out the lines in order and stops at the first fault.
func ApplyLines[Q any](p Position, verbs map[string]Verb[Q], q Q) *Fault {
	if len(p.Lines) > maxLines {
		return p.LocateFault(TooManyLines.NewFault(maxLines), "", "")
	}
	for _, l := range p.Lines {
		f := applyLine(l, verbs, q)
		if f != nil {
			f.Line = l.Line
			return f
		}
	}
	return nil
}

func applyLine[Q any](l Line, verbs map[string]Verb[Q], q Q) *Fault {
	v, ok := verbs[l.Verb]
	switch {
	case !ok:
		return NotOneOfFault(l.Verb, verbNoun, slices.Sorted(maps.Keys(verbs))...)
	case len(l.Words) < v.least, len(l.Words) > v.most:
		return WrongWordCount.NewFault(l.Verb, sameText(v.usage))
	}
	return v.apply(q, l.Words)
}

// ParseSeat parses the name of a taken seat.
func ParseSeat(word string, seated func(engine.Seat) bool) (engine.Seat, *Fault) {
	x, _ := engine.ParseSeat(word) // not a seat: x is zero, which is never taken
	if !seated(x) {
		return 0, EmptySeat.NewFault(word)
	}
	return x, nil
}

// ParseEach parses words in order and, if all are right, calls use for each value.
func ParseEach[T any](words []string, parse func(string) (T, *Fault), use func(T)) *Fault {
	values := make([]T, len(words))
	for i, word := range words {
		v, f := parse(word)
		if f != nil {
			return f
		}
		values[i] = v
	}
	for _, v := range values {
		use(v)
	}
	return nil
}

// ParsePlayer parses the seat of a new player and checks the name.
func ParsePlayer(seat, name string, lastSeat engine.Seat, seated func(engine.Seat) bool) (engine.Seat, *Fault) {
	x, err := engine.ParseSeat(seat)
	switch {
	case err != nil || x > lastSeat:
		var all []string
		for x = 1; x <= lastSeat; x++ {
			all = append(all, x.String())
		}
		return 0, NotOneOfFault(seat, seatNoun, all...)
	case seated(x):
		return 0, Duplicate.NewFault(seat)
	case !rules.IsPlayerName(name):
		return 0, BadName.NewFault(rules.MaxName)
	}
	return x, nil
}

// ParseAndSetSwitch parses a house rule and its value, and sets the value in to.
func ParseAndSetSwitch(id, value string, of rules.Switches, to []uint8) *Fault {
	i, v := of.IndexesOf(id, value)
	switch {
	case i < 0:
		var all []string
		for _, s := range of {
			all = append(all, s.ID)
		}
		return NotOneOfFault(id, ruleNoun, all...)
	case v < 0:
		return NotOneOfFault(value, valueNoun, of[i].Values...)
	}
	to[i] = uint8(v)
	return nil
}

// ParseNumber parses a number from 0 to most.
func ParseNumber(word string, most int) (int, *Fault) {
	n, err := strconv.Atoi(word)
	if err != nil || n < 0 || n > most {
		return 0, OutOfRange.NewFault(word, most)
	}
	return n, nil
}
