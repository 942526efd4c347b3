// Package story keeps what has happened and been told: the happenings, the log lines
// of each audience, and which cards each seat has seen. All are values: adding to one
// makes a new one and leaves the old as it was, so that the states of a game share them.
//
// What may leak: lines and sightings lie in boxes; Lines and Seen read them
// through Box.See alone. Happenings are public, and lie in none.
//
// Limits: 65,535 happenings, and lines of one audience; 64 lines of a view. All grow with
// the events of one game and are dropped with it.
package story

import (
	"math/bits"
	"slices"

	"majordome/engine"
	"majordome/engine/internal/box"
)

// Log is the lines told so far, and what happened last. The zero value is an empty log.
type Log struct {
	last     *entry
	happened *happening
}

// New is an empty log. turns are the keys of lines that Tale keeps longest.
func New(turns map[string]bool) Log { return Log{last: &entry{turns: turns}} }

type happening struct {
	prev *happening
	engine.Happening
}

// entry is a line; the first of a log made by New is nobody's, and tells nothing.
type entry struct {
	prev  *entry
	turns map[string]bool // of New
	turn  *entry          // the last before this one whose key is among the turns
	round uint16
	own   bool
	of    uint16 // the happening that it tells
	told  engine.Msg
	msg   box.Box[engine.Msg] // around told
	// count is how many lines each audience has up to this one: index 0 the
	// public, else that seat. Numbering by audience keeps somebody else's
	// private line from showing as a gap.
	count [engine.MaxSeats + 1]uint16
}

// Happen adds a happening, and numbers it.
func (l Log) Happen(h engine.Happening) Log {
	h.N = l.number() + 1
	l.happened = &happening{l.happened, h}
	return l
}

// number is that of the last happening.
func (l Log) number() int {
	if l.happened == nil {
		return 0
	}
	return l.happened.N
}

// Happened is what happened last, newest last.
func (l Log) Happened() []*engine.Happening { return l.lately(engine.MaxHappened) }

// Chronicle is all that happened, oldest first, with the hands of the end.
func (l Log) Chronicle(held []engine.Held) engine.Chronicle {
	return engine.Chronicle{Happened: l.lately(engine.MaxChronicle), Held: append([]engine.Held{}, held...)}
}

// lately are the last n happenings, newest last.
func (l Log) lately(n int) []*engine.Happening {
	out := make([]*engine.Happening, min(n, l.number()))
	for i, h := len(out)-1, l.happened; i >= 0; i, h = i-1, h.prev {
		out[i] = &h.Happening
	}
	return out
}

// Tell adds a line for everybody.
func (l Log) Tell(round int, m engine.Msg) Log { return l.add(round, m, 0, 0) }

// TellOf adds a line for everybody about the last happening.
func (l Log) TellOf(round int, m engine.Msg) Log { return l.add(round, m, 0, l.number()) }

// Whisper adds a line for one seat alone.
func (l Log) Whisper(round int, to engine.Seat, m engine.Msg) Log { return l.add(round, m, to, 0) }

// Without is the log without the lines that drop picks, none of which is of a turn. The others keep
// their numbers.
func (l Log) Without(drop func(engine.Msg) bool) Log {
	l.last = l.last.without(drop)
	return l
}

func (e *entry) without(drop func(engine.Msg) bool) *entry {
	if e == nil || e.prev == nil && e.turns != nil { // that of New stays
		return e
	}
	prev := e.prev.without(drop)
	switch {
	case drop(e.told):
		return prev
	case prev == e.prev:
		return e
	}
	c := *e // its box stays around the message of e, which nobody changes
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

// Lines are the last n lines that v may read, newest last.
func (l Log) Lines(v engine.Viewer, n int) []engine.Line { return l.Tale(v, n, n) }

const maxLines = 64

// Tale are at most n lines that v may read, newest last: the last recent ones,
// and of those before only the turns. A view holds maxLines.
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

// Sights are the cards that seats have seen. The zero value is none.
type Sights struct{ last *seen }

type seen struct {
	prev *seen
	own  *seen // of what one seat saw: the last that it saw before
	seen sight
	what box.Box[sight] // around seen
}

// sight is one moment at which a seat saw cards.
type sight struct {
	set uint64 // bit c is card c of the deck
	engine.Sighting
}

// Add is s and what seat x saw; x zero: everybody saw it. Bit c of set is card c of the
// deck; the cards of what are those of the set.
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

// Seen are the sightings of v, newest first, each card once, where it was seen
// last; cards of skip are left out. Bit c of a set is card c of the deck.
func (s Sights) Seen(v engine.Viewer, skip uint64, deck []engine.ID) []*engine.Sighting {
	type last struct {
		*sight
		cards uint64 // of it, that were not seen since
	}
	found, parts, n := make([]last, 0, 64), 0, 0 // room on the stack: more cards there are not
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
		out[i] = &g.Sighting // one for all views, as long as it is whole
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

// Teller adds to the story of a game what its events tell.
type Teller struct {
	Log   Log
	Round int
}

// Tell adds a line for everybody.
func (t *Teller) Tell(key string, pairs ...string) {
	t.Log = t.Log.Tell(t.Round, engine.Say(key, pairs...))
}

// Happen adds what everybody has seen happen.
func (t *Teller) Happen(h engine.Happening) { t.Log = t.Log.Happen(h) }

// TellOf adds what has happened with the line that says it.
func (t *Teller) TellOf(h engine.Happening, key string, pairs ...string) {
	t.Log = t.Log.Happen(h).TellOf(t.Round, engine.Say(key, pairs...))
}

// Whisper adds a line for one seat alone.
func (t *Teller) Whisper(to engine.Seat, key string, pairs ...string) {
	t.Log = t.Log.Whisper(t.Round, to, engine.Say(key, pairs...))
}
