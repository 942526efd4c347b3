package story

import (
	"fmt"
	"math/bits"
	"reflect"
	"testing"

	"majordome/engine"
	"majordome/engine/internal/hidden"
)

// keys lists the lines that v reads, with their numbers.
func keys(l Log, v engine.Viewer, n int) (out []string) {
	for _, x := range l.LastReadableLines(v, n) {
		out = append(out, fmt.Sprint(x.N, " ", x.Msg.Key))
	}
	return out
}

// TestLines: each audience reads its own lines, numbered without gaps, the
// newest last; an older log stays as it was.
func TestLines(t *testing.T) {
	none := New(map[string]bool{"a": true})
	first := none.AddLine(1, engine.NewMsg("a"))
	all := first.AddPrivateLine(1, 2, engine.NewMsg("b")).AddLine(2, engine.NewMsg("c"))
	for _, c := range []struct {
		log  Log
		v    engine.Viewer
		most int
		want []string
	}{
		{none, engine.Public, 9, nil},
		{first, engine.SeatViewer(2), 9, []string{"1 a"}},
		{all, engine.Public, 9, []string{"1 a", "2 c"}},
		{all, engine.Host, 9, []string{"1 a", "2 c"}},
		{all, engine.SeatViewer(1), 9, []string{"1 a", "2 c"}},
		{all, engine.SeatViewer(2), 9, []string{"1 a", "2 b", "3 c"}},
		{all, engine.SeatViewer(2), 2, []string{"2 b", "3 c"}},
	} {
		if got := keys(c.log, c.v, c.most); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v reads %v, want %v", c.v, got, c.want)
		}
	}
	kept := all.AddLine(3, engine.NewMsg("a")).AddLine(3, engine.NewMsg("e")).AddLine(3,
		engine.NewMsg("d")).LinesWithTurningPoints(engine.SeatViewer(2), 3, 1)
	if len(kept) != 3 || kept[0].N != 1 || kept[1].N != 4 || kept[2].Msg.Key != "d" {
		t.Errorf("the newest, and of the others those that tell something: %+v", kept)
	}
	if l := all.LastReadableLines(engine.SeatViewer(2), 2)[0]; !l.Own || l.Round != 1 {
		t.Errorf("a line for one seat alone: %+v", l)
	}
	if l := all.LastReadableLines(engine.SeatViewer(2), 1)[0]; l.Own || l.Round != 2 {
		t.Errorf("a line for everybody: %+v", l)
	}
}

// TestRemovingLinesKeepsTheOthers: the other lines stay, with their numbers and their readers, and an older log stays as it was.
func TestRemovingLinesKeepsTheOthers(t *testing.T) {
	all := Log{}.AddLine(1, engine.NewMsg("a", "seat", "seat-1")).AddLine(1, engine.NewMsg("a", "seat", "seat-2")).
		AddPrivateLine(1, 2, engine.NewMsg("b")).AddLine(1, engine.NewMsg("c"))
	less := all.WithoutLines(func(m engine.Msg) bool { return m.Args.Get("seat") == "seat-1" }).AddLine(2, engine.NewMsg("d"))
	turns := New(map[string]bool{"t": true}).AddLine(1, engine.NewMsg("a"))
	every := func(engine.Msg) bool { return true }
	for _, c := range []struct {
		log  Log
		v    engine.Viewer
		want string
	}{
		{all, engine.Public, "1a 2a 3c "}, {less, engine.Public, "2a 3c 4d "}, {less, engine.SeatViewer(1), "2a 3c 4d "},
		{less, engine.SeatViewer(2), "2a 3b 4c 5d "},
		{all.WithoutLines(every), engine.SeatViewer(2), ""},
		{Log{}.WithoutLines(every), engine.SeatViewer(2), ""},
	} {
		got := ""
		for _, l := range c.log.LastReadableLines(c.v, 9) {
			got += fmt.Sprint(l.N, l.Msg.Key, " ")
		}
		if got != c.want {
			t.Errorf("%v reads %q, want %q", c.v, got, c.want)
		}
	}
	long := turns.WithoutLines(every).AddLine(1, engine.NewMsg("t")).AddLine(1, engine.NewMsg("e")).AddLine(1, engine.NewMsg("f"))
	if tale := long.LinesWithTurningPoints(engine.Public, 9, 1); len(tale) != 2 || tale[0].Msg.Key != "t" || tale[1].Msg.Key != "f" {
		t.Errorf("after all lines were dropped the turns are forgotten: %+v", tale)
	}
}

// TestViewHasWhereEachCardWasLastSeen: a seat's view has the place where each card was last seen, by the seat itself or
// by all, and nothing of what another seat saw.
func TestViewHasWhereEachCardWasLastSeen(t *testing.T) {
	ids := func(x uint64) (out []engine.ID) {
		for ; x != 0; x &= x - 1 {
			out = append(out, engine.ID(fmt.Sprint("card-", bits.TrailingZeros64(x))))
		}
		return out
	}
	var s Sightings
	s = s.Add(1, 0b1110, engine.Sighting{Cards: ids(0b1110), How: engine.SawThere, Place: "place-3", Round: 1})
	first := s
	s = s.Add(2, 0b10000, engine.Sighting{Cards: ids(0b10000), How: engine.SawUrn, Round: 1})
	s = s.Add(0, 0b0100, engine.Sighting{Cards: ids(0b0100), How: engine.SawShown, Other: 2, Round: 2})
	before := s
	m := s.last
	for _, want := range []hidden.Audience{hidden.Everyone, hidden.OnlySeats(2), hidden.OnlySeats(1)} {
		if got := m.hidden.Audience(); got != want {
			t.Errorf("a sighting is for %b, want %b", got, want)
		}
		m = m.prev
	}
	s = s.Add(1, 0b0010, engine.Sighting{Cards: ids(0b0010), How: engine.SawDrawn, Other: 2, Round: 3})
	shown := &engine.Sighting{Cards: []engine.ID{"card-2"}, How: engine.SawShown, Other: 2, Round: 2}
	for _, c := range []struct {
		name string
		s    Sightings
		v    engine.Viewer
		skip uint64
		want []*engine.Sighting
	}{
		{"nothing yet", Sightings{}, engine.SeatViewer(1), 0, []*engine.Sighting{}},
		{"all newest first", s, engine.SeatViewer(1), 0, []*engine.Sighting{
			{Cards: []engine.ID{"card-1"}, How: engine.SawDrawn, Other: 2, Round: 3}, shown,
			{Cards: []engine.ID{"card-3"}, How: engine.SawThere, Place: "place-3", Round: 1}}},
		{"what it holds is left out", s, engine.SeatViewer(1), 0b1010, []*engine.Sighting{shown}},
		{"the public", s, engine.Public, 0, []*engine.Sighting{shown}},
		{"the host", s, engine.Host, 0, []*engine.Sighting{shown}},
		{"another seat", s, engine.SeatViewer(2), 0,
			[]*engine.Sighting{shown, {Cards: []engine.ID{"card-4"}, How: engine.SawUrn, Round: 1}}},
		{"a seat that saw nothing itself", s, engine.SeatViewer(3), 0, []*engine.Sighting{shown}},
		{"an older value stays", before, engine.SeatViewer(1), 0, []*engine.Sighting{shown,
			{Cards: []engine.ID{"card-1", "card-3"}, How: engine.SawThere, Place: "place-3", Round: 1}}},
		{"and is whole", first, engine.SeatViewer(1), 0, []*engine.Sighting{
			{Cards: []engine.ID{"card-1", "card-2", "card-3"}, How: engine.SawThere, Place: "place-3", Round: 1}}},
	} {
		if got := c.s.NewestSightingsOf(c.v, c.skip, ids(0b11111)); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// TestHappened: happenings are numbered from 1 and the last ones kept. A line names the happening that it reports. An older log stays as it
// was.
func TestHappened(t *testing.T) {
	var l Log
	if got := l.LastHappenings(); got == nil || len(got) != 0 {
		t.Errorf("before the first: %#v", got)
	}
	for i := range engine.MaxHappened + 5 {
		l = l.AddHappening(engine.Happening{What: engine.HapFell, Seat: engine.Seat(i%8 + 1)})
	}
	before := l
	one, two := l.AddHappening(engine.Happening{What: engine.HapOver}).AddLineOnHappening(3,
		engine.NewMsg("a")), l.AddHappening(engine.Happening{What: engine.HapRest})
	for _, c := range []struct {
		log  Log
		last string
	}{{before, engine.HapFell}, {one, engine.HapOver}, {two, engine.HapRest}} {
		all := c.log.LastHappenings()
		last := all[len(all)-1]
		if len(all) != engine.MaxHappened || last.What != c.last {
			t.Errorf("%d, the last is %+v, want %s", len(all), last, c.last)
		}
		for i, h := range all {
			if h.N != last.N-len(all)+1+i {
				t.Errorf("%+v comes as number %d of %d", h, i, len(all))
			}
		}
	}
	if line := one.AddLine(3, engine.NewMsg("b")).LastReadableLines(engine.Public, 2); line[0].Of != engine.MaxHappened+6 ||
		line[1].Of != 0 {
		t.Errorf("of what the lines tell: %+v", line)
	}
}

// TestTellerAddsTheSameLinesAsTheLog: a teller adds to a log the same lines as the log's own methods.
func TestTellerAddsTheSameLinesAsTheLog(t *testing.T) {
	h := engine.Happening{What: "moved", Seat: 2}
	teller := Recorder{Log: &Log{}, Round: 3}
	teller.AddLine("a", "seat", "seat-2")
	teller.AddHappening(h)
	teller.AddHappeningLine(h, "b")
	teller.AddPrivateLine(2, "c", "n", "1")
	want := Log{}.AddLine(3, engine.NewMsg("a", "seat", "seat-2")).AddHappening(h).AddHappening(h).AddLineOnHappening(3,
		engine.NewMsg("b")).AddPrivateLine(3, 2, engine.NewMsg("c", "n", "1"))
	for _, v := range []engine.Viewer{engine.Public, engine.SeatViewer(2)} {
		if got, want := teller.Log.LastReadableLines(v, 9), want.LastReadableLines(v, 9); !reflect.DeepEqual(got, want) || len(got) < 2 {
			t.Errorf("%s reads %v, want %v", v, got, want)
		}
	}
	if got := teller.Log.LastHappenings(); !reflect.DeepEqual(got, want.LastHappenings()) {
		t.Errorf("happened: %v", got)
	}
}

// TestFatalAt: the time of the fatal happening counts from the first happening, and each one keeps
// the time of its own event.
func TestFatalAt(t *testing.T) {
	empty := New(nil)
	begun := empty.AddHappening(engine.Happening{What: engine.HapBegun})
	begun.StampHappenings(empty, 1000)
	fatal := begun.AddHappening(engine.Happening{What: engine.HapOpened}).AddHappening(engine.Happening{What: engine.HapDied})
	fatal.StampHappenings(begun, 6000)
	over := fatal.AddHappening(engine.Happening{What: engine.HapOver})
	over.StampHappenings(fatal, 9000)
	for n, want := range map[int]engine.Millis{0: 0, 1: 0, 2: 5000, 3: 5000, 4: 8000} {
		if c := over.WithFrontPage(over.Chronicle(nil), nil, n); c.Fatal != n || c.FatalAt != want {
			t.Errorf("happening %d: %d at %d, want %d", n, c.Fatal, c.FatalAt, want)
		}
	}
}
