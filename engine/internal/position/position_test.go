package position

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/internal/rules"
	"majordome/engine/ownfile/ownfiletest"
)

var verbs = map[string]Verb[*[]string]{
	"say":  NewVerb("<word> [word]...", func(q *[]string, w []string) *Fault { *q = append(*q, strings.Join(w, " ")); return nil }),
	"seat": NewVerb("<seat>", func(_ *[]string, w []string) *Fault { _, f := ParseSeat(w[0], isRose); return f }),
	"many": NewVerb("<seat>...", func(q *[]string, w []string) *Fault {
		parse := func(word string) (engine.Seat, *Fault) {
			return ParseSeat(word, func(x engine.Seat) bool { return x > 1 })
		}
		return ParseEach(w, parse, func(x engine.Seat) { *q = append(*q, x.String()) })
	}),
	"new": NewVerb("<seat> <name>", func(_ *[]string, w []string) *Fault { _, f := ParsePlayer(w[0], w[1], 3, isRose); return f }),
	"rule": NewVerb("<name> [value]", func(_ *[]string, w []string) *Fault {
		return ParseAndSetSwitch(w[0], w[1], rules.Switches{{ID: "cats", Values: []string{"on", "off"}}}, make([]uint8, 1))
	}),
	"n": NewVerb("<n>", func(_ *[]string, w []string) *Fault { _, f := ParseNumber(w[0], 3); return f }),
}

// isRose reports whether x is seat-2, the seat of Rose.
func isRose(x engine.Seat) bool { return x == 2 }

func TestLinesOfAPositionAreAppliedInOrder(t *testing.T) {
	line := func(n int, words ...string) engine.PositionLine {
		return engine.PositionLine{Line: n, Verb: words[0], Words: words[1:]}
	}
	for _, tt := range []struct {
		lines []engine.PositionLine
		last  string
		said  string
		fault string
	}{
		{[]engine.PositionLine{line(1, "say", "a"), line(2, "n", "3"), line(3, "say", "b", "c")}, "", "a|b c", ""},
		{[]engine.PositionLine{line(1, "say", "z"), line(2, "seat", "seat-2"), line(3, "say", "y")}, "say", "z|y", ""},
		{[]engine.PositionLine{line(1, "say", "a", "b", "c", "d")}, "", "a b c d", ""},
		{[]engine.PositionLine{line(1, "rule", "cats", "off"), line(2, "new", "seat-3", "Eve")}, "", "", ""},
		{[]engine.PositionLine{line(1, "say", "z"), line(2, "n", "9")}, "say", "",
			`:2: "9" is not a number from 0 to 3 (write it in digits)`},
		{[]engine.PositionLine{line(4, "sing", "a")}, "", "",
			`:4: "sing" is not a verb of given (write one of: many, n, new, rule, say, seat)`},
		{[]engine.PositionLine{line(4, "syy", "a")}, "", "", `:4: "syy" is not a verb of given (did you mean "say"?)`},
		{[]engine.PositionLine{line(5, "say")}, "", "", ":5: given say has too few or too many words (write: given say <word> [word]...)"},
		{[]engine.PositionLine{line(5, "n", "1", "2")}, "", "", ":5: given n has too few or too many words (write: given n <n>)"},
		{[]engine.PositionLine{line(5, "rule", "a", "b", "c")}, "", "",
			":5: given rule has too few or too many words (write: given rule <name> [value])"},
		{[]engine.PositionLine{line(1, "many", "seat-3", "seat-2")}, "", "seat-3|seat-2", ""},
		{[]engine.PositionLine{line(6, "many", "seat-3", "seat-1", "seat-2")}, "", "",
			`:6: nobody sits at "seat-1" (put its given seat line before this one)`},
		{[]engine.PositionLine{line(6, "seat", "seat-1")}, "", "", `:6: nobody sits at "seat-1" (put its given seat line before this one)`},
		{[]engine.PositionLine{line(6, "seat", "Rose")}, "", "", `:6: nobody sits at "Rose" (put its given seat line before this one)`},
		{[]engine.PositionLine{line(6, "new", "seat-4", "Eve")}, "", "", `:6: "seat-4" is not a seat (did you mean "seat-1"?)`},
		{[]engine.PositionLine{line(6, "new", "Eve", "Eve")}, "", "", `:6: "Eve" is not a seat (write one of: seat-1, seat-2, seat-3)`},
		{[]engine.PositionLine{line(6, "new", "seat-2", "Eve")}, "", "",
			`:6: "seat-2" stands in another given line already (keep one of the two)`},
		{[]engine.PositionLine{line(6, "new", "seat-1", " Eve")}, "", "",
			":6: a player’s name that cannot be shown (take one of 1 to 24 bytes, without blanks around it)"},
		{[]engine.PositionLine{line(6, "rule", "dogs", "on")}, "", "", `:6: "dogs" is not a house rule (write one of: cats)`},
		{[]engine.PositionLine{line(6, "rule", "cats", "purr")}, "", "", `:6: "purr" is not a value of this rule (write one of: on, off)`},
		{[]engine.PositionLine{line(7, "n", "-1")}, "", "", `:7: "-1" is not a number from 0 to 3 (write it in digits)`},
		{[]engine.PositionLine{line(7, "n", "some")}, "", "", `:7: "some" is not a number from 0 to 3 (write it in digits)`},
		{[]engine.PositionLine{line(1, "say", "a"), line(2, "n", "0"), line(3, "say", "b")}, "n", "a|b", ""},
		{slices.Repeat([]engine.PositionLine{line(1, "n", "1")}, 200), "", "", ""},
		{slices.Repeat([]engine.PositionLine{line(1, "n", "1")}, 201), "", "",
			":1: more than 200 given lines (keep those that the scene needs)"},
	} {
		p := FromScript(tt.lines)
		if tt.last != "" {
			p = p.WithVerbLinesLast(tt.last)
		}
		var said []string
		f := ApplyLines(p, verbs, &said)
		if got := strings.Join(said, "|"); got != tt.said {
			t.Errorf("%v: said %q, want %q", tt.lines, got, tt.said)
		}
		if f == nil && tt.fault != "" || f != nil && f.Error() != tt.fault {
			t.Errorf("%v: %v, want %s", tt.lines, f, tt.fault)
		}
		if f != nil {
			ownfiletest.CheckFaults(t, f)
		}
	}
}

// A rule line gives its house rule that value, even if it is the first one, and changes no other.
func TestRuleLineSetsItsHouseRuleAlone(t *testing.T) {
	of := rules.Switches{{ID: "cats", Values: []string{"on", "off"}}, {ID: "dogs", Values: []string{"off", "on"}}}
	for i, value := range of[1].Values {
		to := []uint8{1, 7}
		if f := ParseAndSetSwitch("dogs", value, of, to); f != nil || !slices.Equal(to, []uint8{1, uint8(i)}) {
			t.Errorf("%s: %v, %v", value, to, f)
		}
	}
}

// A fault of the whole position is reported at the line that it concerns most.
func TestFaultOfThePositionIsReportedAtItsLine(t *testing.T) {
	p := FromScript([]engine.PositionLine{{Line: 2, Verb: "seat", Words: []string{"a"}}, {Line: 3, Verb: "dead", Words: []string{"a", "b"}},
		{Line: 4, Verb: "dead", Words: []string{"c"}}})
	for _, tt := range []struct {
		verb, word string
		line       int
	}{{"dead", "b", 3}, {"dead", "c", 4}, {"dead", "", 4}, {"pawn", "a", 2}} {
		if f := p.LocateFault(TooManyLines.NewFault(1), tt.verb, tt.word); f.Line != tt.line {
			t.Errorf("%s %s: line %d, want %d", tt.verb, tt.word, f.Line, tt.line)
		}
	}
	if f := FromScript(nil).LocateFault(TooManyLines.NewFault(1), "dead", ""); f.Line != 0 {
		t.Errorf("line %d of nothing", f.Line)
	}
}

// A stored game can be read by the same names for ever.
func TestStoredNamesNeverChange(t *testing.T) {
	data, err := json.Marshal(FromScript([]engine.PositionLine{{Line: 3, Verb: "hand", Words: []string{"seat-1", "x"}}}))
	if err != nil || string(data) != `{"lines":[{"line":3,"verb":"hand","words":["seat-1","x"]}]}` {
		t.Errorf("%s %v", data, err)
	}
}
