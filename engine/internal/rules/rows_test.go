package rules

import (
	"fmt"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/internal/story"
)

// TestSentenceOfARowReachesItsAudience: a row's sentence reaches its audience, and refers to the happening that the row records before it.
func TestSentenceOfARowReachesItsAudience(t *testing.T) {
	f := Facts{Seat: 2, Other: 3, Place: "hall", Card: "axe", Character: "rose", N: 7}
	for _, c := range []struct {
		row               Row[int, int, int, int, int]
		happened, all, to string
	}{
		{Row[int, int, int, int, int]{}, "[]", "[]", "[]"},
		{Row[int, int, int, int, int]{LogLine: NewLine("k", "seat", "other", "place", "character", "n")}, "[]",
			"[{1 0 {k [character rose n 7 other seat-3 place hall seat seat-2]} false 0}]", "="},
		{Row[int, int, int, int, int]{Happening: NewHappening("moved", "seat", "place")}, "[{moved 1 seat-2 seat-0 hall []}]", "[]", "[]"},
		{Row[int, int, int, int, int]{Happening: NewHappening("shown", "other", "card"), LogLine: NewLine("k", "card")},
			"[{shown 1 seat-0 seat-3  [axe]}]", "[{1 0 {k [card axe]} false 1}]", "="},
		{Row[int, int, int, int, int]{OwnKey: "mine"}, "[]", "[]", "[{1 0 {mine [card axe]} true 0}]"},
	} {
		log := c.row.AddToLog(story.Log{}, 0, f)
		if c.to == "=" {
			c.to = c.all
		}
		if got := fmt.Sprint(log.LastHappenings()); got != c.happened {
			t.Errorf("%+v: happened %s, want %s", c.row, got, c.happened)
		}
		if got := fmt.Sprint(log.LastReadableLines(engine.Public, 9)); got != c.all {
			t.Errorf("%+v: the table hears %s, want %s", c.row, got, c.all)
		}
		if got := fmt.Sprint(log.LastReadableLines(engine.SeatViewer(2), 9)); got != c.to {
			t.Errorf("%+v: the seat hears %s, want %s", c.row, got, c.to)
		}
	}
	before := story.Log{}.AddHappening(engine.Happening{What: "earlier"})
	quiet := Row[int, int, int, int, int]{LogLine: NewLine("k")}
	if l := quiet.AddToLog(before, 0, f).LastReadableLines(engine.Public, 9)[0]; l.Of != 0 {
		t.Errorf("a line without a happening tells number %d", l.Of)
	}
	unnamed := Row[int, int, int, int, int]{OwnKey: "mine"}
	if got := unnamed.AddToLog(story.Log{}, 0, Facts{Seat: 2}).LastReadableLines(engine.SeatViewer(2), 9); len(got) != 0 {
		t.Errorf("of a card without a name the seat hears %v", got)
	}
}

// TestNameFindsItsRow: a name finds its row, and no other name finds one.
func TestNameFindsItsRow(t *testing.T) {
	rows := []Row[int, int, int, int, int]{{}, {Name: "sat"}, {Name: "rose"}}
	for name, want := range map[string]int{"": 0, "sat": 1, "rose": 2, "gone": 0} {
		if got := FindRow(rows, name); got != want {
			t.Errorf("%q is row %d, want %d", name, got, want)
		}
	}
	if got := fmt.Sprint(RowNames(rows[1:])); got != "[sat rose]" {
		t.Errorf("names %s", got)
	}
}

// TestBarrierSaysWhatItsRowShows: a row without a barrier shows nothing; a barrier says what its row shows.
func TestBarrierSaysWhatItsRowShows(t *testing.T) {
	even := func(e int) bool { return e%2 == 0 }
	for _, c := range []struct {
		barrier func(int) bool
		want    string
	}{{nil, "false false"}, {even, "true false"}} {
		r := Row[int, int, int, int, int]{Barrier: c.barrier}
		mustEqual(t, "shows", fmt.Sprint(r.IsBarrier(2), r.IsBarrier(3)), c.want)
	}
}

// TestNeeds: the first thing that is missing is named.
func TestNeeds(t *testing.T) {
	for _, c := range []struct {
		need Needs
		has  [4]bool
		want string
	}{
		{0, [4]bool{}, ""}, {NeedSeat | NeedCard, [4]bool{true, false, false, true}, ""},
		{NeedSeat | NeedCard, [4]bool{false, true, true, false}, "no such seat"},
		{NeedOther, [4]bool{true, false, true, true}, "no such other seat"},
		{NeedPlace | NeedCard, [4]bool{true, true, false, false}, "no such place"},
		{NeedCard, [4]bool{true, true, true, false}, "no such card"},
	} {
		got := ""
		if err := c.need.RequireFacts(c.has[:]...); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%04b of %v: %q, want %q", c.need, c.has, got, c.want)
		}
	}
}

// TestUnknownFactOfALogLineIsFound: a log line that names a fact that no event has is found at once.
func TestUnknownFactOfALogLineIsFound(t *testing.T) {
	defer func() {
		if r := recover(); r != `rules: an event has no "weather"` {
			t.Errorf("panic %v", r)
		}
	}()
	NewLine("k", "weather")
}

// TestUnreadableRowIsRefusedWithoutAQuotation: data that no row can be read from is refused, and the error quotes nothing of it.
func TestUnreadableRowIsRefusedWithoutAQuotation(t *testing.T) {
	rows := []Row[int, int, int, *struct{ N int }, int]{{}, {Name: "sat"}}
	for _, c := range []struct{ name, data, want string }{
		{"sat", `{"n":3}`, "1 3 <nil>"}, {"rose", `{}`, "0 0 decode: unknown kind of event"},
		{"sat", `{`, "0 0 decode sat: not the JSON of an event"},
		{"sat", strings.Repeat(" ", MaxStored-7) + `{"n":3}`, "1 3 <nil>"},
		{"sat", strings.Repeat(" ", MaxStored-6) + `{"n":3}`, "0 0 decode sat: more than 16384 bytes"},
	} {
		var w struct{ N int }
		k, err := DecodeEvent(rows, c.name, []byte(c.data), &w)
		if got := fmt.Sprint(k, w.N, err); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
