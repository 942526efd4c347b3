// Package story keeps the story of a game: the happenings, the log lines of each audience, and the
// cards that each seat has seen. All types are values: adding to one returns a new one and leaves
// the old one as it was, so that the states of a game share them.
//
// What may leak: lines and sightings are hidden values, which LastLines and LastSightings read only
// through RefFor. Happenings are public.
//
// Limits: 65,535 happenings, and as many lines for one audience; 64 lines in a view. All grow with
// the events of one game and are dropped with it.
package story

import (
	"math/bits"
	"slices"

	"majordome/engine"
	"majordome/engine/internal/box"
)

// Log holds the lines and happenings so far. The zero value is an empty log.
type Log struct {
	last     *entry
	happened *happening
}

// New returns an empty log. turns are the keys of the lines that LinesWithTurns keeps longest.
func New(turns map[string]bool) Log { return Log{last: &entry{turns: turns}} }

type happening struct {
	prev *happening
	engine.Happening
}

// entry is a line. The first entry of a log made by New is a placeholder without text or audience.
type entry struct {
	prev  *entry
	turns map[string]bool // those of New
	turn  *entry          // the last entry before this one whose key is in turns
	round uint16
	own   bool
	of    uint16 // number of the happening that it describes; 0: none
	told  engine.Msg
	msg   box.Box[engine.Msg] // refers to text
	// count is the number of lines of each audience up to this one: index 0 is the public, the
	// others are seats. Each audience has its own numbers, so that the private line of another seat
	// leaves no gap.
	count [engine.MaxSeats + 1]uint16
}

// AddHappening adds a happening and gives it the next number.
func (l Log) Happen(h engine.Happening) Log {
	h.N = l.number() + 1
	l.happened = &happening{l.happened, h}
	return l
}

// lastN returns the number of the last happening; 0: none.
func (l Log) number() int {
	if l.happened == nil {
		return 0
	}
	return l.happened.N
}

// LastHappenings returns the last happenings, newest last.
func (l Log) Happened() []*engine.Happening { return l.lately(engine.MaxHappened) }

// Chronicle returns all happenings, oldest first, with the hands at the end.
func (l Log) Chronicle(held []engine.Held) engine.Chronicle {
	return engine.Chronicle{Happened: l.lately(engine.MaxChronicle), Held: append([]engine.Held{}, held...)}
}

// newestHappenings returns the last n happenings, newest last.
func (l Log) lately(n int) []*engine.Happening {
	out := make([]*engine.Happening, min(n, l.number()))
	for i, h := len(out)-1, l.happened; i >= 0; i, h = i-1, h.prev {
		out[i] = &h.Happening
	}
	return out
}

// AddLine adds a line for everyone.
func (l Log) Tell(round int, m engine.Msg) Log { return l.add(round, m, 0, 0) }

// AddHappeningLine adds a line for everyone about the last happening.
func (l Log) TellOf(round int, m engine.Msg) Log { return l.add(round, m, 0, l.number()) }

// AddPrivateLine adds a line for one seat only.
func (l Log) Whisper(round int, to engine.Seat, m engine.Msg) Log { return l.add(round, m, to, 0) }

// WithoutLines returns the log without the lines that drop picks, which must not be turns. The
// others keep their numbers.
func (l Log) Without(drop func(engine.Msg) bool) Log {
	l.last = l.last.without(drop)
	return l
}

func (e *entry) without(drop func(engine.Msg) bool) *entry {
	if e == nil || e.prev == nil && e.turns != nil { // keeps the placeholder of New
		return e
	}
	prev := e.prev.without(drop)
	switch {
	case drop(e.told):
		return prev
	case prev == e.prev:
		return e
	}
	c := *e // its hidden value still refers to the message of e, which never changes
	c.prev = prev
	return &c
}

func (l Log) add(round int, m engine.Msg, to engine.Seat, of int) Log {
	e := &entry{prev: l.last, round: uint16(round), own: to != 0, of: uint16(of), told: m}
	if last := l.last; last != nil {
		e.count, e.turns, e.turn = last.count, last.turns, last.turn
		if e.turns[last.told.Key] {
			e.turn = last
		}
	}
	aud := box.All
	if to != 0 {
		aud = box.Only(to)
		e.count[to]++
	} else {
		for i := range e.count {
			e.count[i]++
		}
	}
	e.msg = box.Around(&e.told, aud)
	l.last = e
	return l
}

// LastLines returns the last n lines that v may read, newest last.
func (l Log) Lines(v engine.Viewer, n int) []engine.Line { return l.Tale(v, n, n) }

const maxLines = 64

// LinesWithTurns returns at most n lines that v may read, newest last: the last recent ones, and
// before those only lines whose key is in turns. It never returns more than maxLines.
func (l Log) Tale(v engine.Viewer, n, recent int) []engine.Line {
	i, _ := v.Seat()
	var room [maxLines]engine.Line // on the stack, filled from its end
	n, recent = max(0, maxLines-n), maxLines-recent
	at := maxLines
	for e := l.last; e != nil && at > n; {
		if m, ok := e.msg.Show(v); ok {
			at--
			room[at] = engine.Line{N: e.count[i], Round: e.round, Of: e.of, Own: e.own, Msg: m}
		}
		if at > recent {
			e = e.prev
		} else {
			e = e.turn
		}
	}
	return append([]engine.Line{}, room[at:]...)
}

// Sightings holds the cards that the seats have seen. The zero value is empty.
type Sights struct{ last *seen }

type seen struct {
	prev *seen
	own  *seen // for a sighting of one seat: its previous sighting
	seen sight
	what box.Box[sight] // refers to sight
}

// sight is one moment at which a seat saw cards.
type sight struct {
	set uint64 // bit c is card c of the deck
	engine.Sighting
}

// Add returns s with the sighting what of seat x; x zero: of everyone. Bit c of set is card c of
// the deck; what.Cards must be the cards of set.
func (s Sights) Add(x engine.Seat, set uint64, what engine.Sighting) Sights {
	aud := box.All
	if x != 0 {
		aud = box.Only(x)
	}
	m := &seen{prev: s.last, seen: sight{set, what}}
	m.what = box.Around(&m.seen, aud)
	if x != 0 {
		m.own = s.last
		for m.own != nil && !m.own.what.Audience().Has(engine.At(x)) {
			m.own = m.own.prev
		}
	}
	return Sights{m}
}

// LastSightings returns the sightings of v, newest first. Each card is only in the last one in
// which it was seen, and cards of skip are left out. Bit c of a set is card c of the deck.
func (s Sights) Seen(v engine.Viewer, skip uint64, deck []engine.ID) []*engine.Sighting {
	type last struct {
		*sight
		cards uint64 // its cards that were not seen later
	}
	found, parts, n := make([]last, 0, 64), 0, 0 // on the stack; 64 cards are the most
	for m := s.last; m != nil; {
		g, ok := m.what.Show(v)
		if ok && g.set&^skip != 0 {
			found = append(found, last{g, g.set &^ skip})
			if g.set&skip != 0 {
				parts, n = parts+1, n+bits.OnesCount64(g.set&^skip)
			}
			skip |= g.set
		}
		if ok && m.own != nil {
			m = m.own
		} else {
			m = m.prev
		}
	}
	out, part, cards := make([]*engine.Sighting, len(found)), make([]engine.Sighting, 0, parts), make([]engine.ID, 0, n)
	for i, g := range found {
		out[i] = &g.Sighting // shared by all views if no card is left out
		if g.cards != g.set {
			part = append(part, g.Sighting)
			out[i] = &part[len(part)-1]
			from := len(cards)
			for left := g.cards; left != 0; left &= left - 1 {
				cards = append(cards, deck[bits.TrailingZeros64(left)])
			}
			out[i].Cards = slices.Clip(cards[from:])
		}
	}
	return out
}

// Recorder adds lines and happenings to the story of a game, for one event.
type Teller struct {
	Log   Log
	Round int
}

// AddLine adds a line for everyone.
func (t *Teller) Tell(key string, pairs ...string) {
	t.Log = t.Log.Tell(t.Round, engine.Say(key, pairs...))
}

// AddHappening adds a happening.
func (t *Teller) Happen(h engine.Happening) { t.Log = t.Log.Happen(h) }

// AddHappeningLine adds a happening and a line about it.
func (t *Teller) TellOf(h engine.Happening, key string, pairs ...string) {
	t.Log = t.Log.Happen(h).TellOf(t.Round, engine.Say(key, pairs...))
}

// AddPrivateLine adds a line for one seat only.
func (t *Teller) Whisper(to engine.Seat, key string, pairs ...string) {
	t.Log = t.Log.Whisper(t.Round, to, engine.Say(key, pairs...))
}
