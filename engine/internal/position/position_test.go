package position

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"majordome/engine"
)

var verbs = map[string]Verb[*[]string]{
	"say": {1, func(q *[]string, w []string) error { *q = append(*q, strings.Join(w, " ")); return nil }},
	"seat": {1, func(_ *[]string, w []string) error {
		_, err := Seat(w[0], func(x engine.Seat) bool { return x != 1 })
		return err
	}},
	"n": {1, func(_ *[]string, w []string) error { _, err := Number(w[0], 3); return err }},
}

func TestRun(t *testing.T) {
	line := func(n int, words ...string) engine.PositionLine {
		return engine.PositionLine{Line: n, Verb: words[0], Words: words[1:]}
	}
	for _, tt := range []struct {
		lines []engine.PositionLine
		last  string
		said  string
		err   string
	}{
		{[]engine.PositionLine{line(1, "say", "a"), line(2, "n", "3"), line(3, "say", "b", "c")}, "", "a|b c", ""},
		{[]engine.PositionLine{line(1, "say", "z"), line(2, "seat", "seat-2"), line(3, "say", "y")}, "say", "z|y", ""},
		{[]engine.PositionLine{line(1, "say", "z"), line(2, "n", "9")}, "say", "", `line 2: n: "9" is no number from 0 to 3`},
		{[]engine.PositionLine{line(4, "sing", "a")}, "", "", `line 4: unknown verb "sing"`},
		{[]engine.PositionLine{line(5, "say")}, "", "", "line 5: say needs at least 1 words"},
		{[]engine.PositionLine{line(6, "seat", "seat-1")}, "", "", `line 6: seat: nobody sits at "seat-1": put its seat line first`},
		{[]engine.PositionLine{line(6, "seat", "Rose")}, "", "", `line 6: seat: nobody sits at "Rose": put its seat line first`},
		{[]engine.PositionLine{line(7, "n", "-1")}, "", "", `line 7: n: "-1" is no number from 0 to 3`},
		{[]engine.PositionLine{line(7, "n", "some")}, "", "", `line 7: n: "some" is no number from 0 to 3`},
		{[]engine.PositionLine{line(1, "say", "a"), line(2, "n", "0"), line(3, "say", "b")}, "n", "a|b", ""},
		{slices.Repeat([]engine.PositionLine{line(1, "n", "1")}, 200), "", "", ""},
		{make([]engine.PositionLine, 201), "", "", "more than 200 lines"},
	} {
		p := Of(tt.lines)
		if tt.last != "" {
			p = p.Last(tt.last)
		}
		var said []string
		err := Run(p, verbs, &said)
		if got := strings.Join(said, "|"); got != tt.said {
			t.Errorf("%v: said %q, want %q", tt.lines, got, tt.said)
		}
		if err == nil && tt.err != "" || err != nil && err.Error() != tt.err {
			t.Errorf("%v: %v, want %s", tt.lines, err, tt.err)
		}
	}
}

// A game that lies in the store is read by the same names for ever.
func TestStored(t *testing.T) {
	data, err := json.Marshal(Of([]engine.PositionLine{{Line: 3, Verb: "hand", Words: []string{"seat-1", "x"}}}))
	if err != nil || string(data) != `{"lines":[{"line":3,"verb":"hand","words":["seat-1","x"]}]}` {
		t.Errorf("%s %v", data, err)
	}
}
