// Package story keeps the story of a game: the happenings, the log lines of each audience, and the
// cards that each seat has seen. All types are values: adding to one returns a new one and leaves
// the old one as it was, so that the states of a game share them.
//
// What may leak: lines and sightings are hidden values, which LastReadableLines and NewestSightingsOf read only
// through RefFor. Happenings are public.
//
// Limits: 65,535 happenings, and as many lines for one audience; 64 lines in a view. All grow with
// the events of one game and are dropped with it.
package story

import (
	"math/bits"
	"slices"

	"majordome/engine"
	"majordome/engine/internal/hidden"
)

// Log holds the lines and happenings so far. The zero value is an empty log.
type Log struct {
	last     *entry
	happened *happening
}

// New returns an empty log. turningPoints are the keys of the lines that LinesWithTurningPoints keeps longest.
func New(turningPoints map[string]bool) Log { return Log{last: &entry{turningPoints: turningPoints}} }

type happening struct {
	prev *happening
	at   engine.Millis
	engine.Happening
}

// entry is a line. The first entry of a log made by New is a placeholder without text or audience.
type entry struct {
	prev             *entry
	turningPoints    map[string]bool // those of New
	lastTurningPoint *entry          // the last entry before this one whose key is in turns
	round            uint16
	isPrivate        bool
	happeningN       uint16 // number of the happening that it describes; 0: none
	text             engine.Msg
	msg              hidden.Value[engine.Msg] // refers to text
	// lineCounts is the number of lines of each audience up to this one: index 0 is the public, the
	// others are seats. Each audience has its own numbers, so that the private line of another seat
	// leaves no gap.
	lineCounts [engine.MaxSeats + 1]uint16
}

// AddHappening adds a happening and gives it the next number.
func (l Log) AddHappening(h engine.Happening) Log {
	h.N = l.LastNumber() + 1
	l.happened = &happening{prev: l.happened, Happening: h}
	return l
}

// StampHappenings sets the time of the happenings that l has and before has not. Call it for each
// event, before others share l: a time in Log itself would make every copy of a state larger.
func (l Log) StampHappenings(before Log, at engine.Millis) {
	for h := l.happened; h != before.happened; h = h.prev {
		h.at = at
	}
}

// LastNumber returns the number of the last happening; 0: none.
func (l Log) LastNumber() int {
	if l.happened == nil {
		return 0
	}
	return l.happened.N
}

// LastHappenings returns the last happenings, newest last.
func (l Log) LastHappenings() []*engine.Happening { return l.newestHappenings(engine.MaxHappened) }

// Chronicle returns all happenings, oldest first, with the hands at the end. Its front page is
// empty: see WithFrontPage.
func (l Log) Chronicle(held []engine.Held) engine.Chronicle {
	return engine.Chronicle{Happened: l.newestHappenings(engine.MaxChronicle), Held: append([]engine.Held{}, held...)}
}

// AllHappenings returns all happenings, oldest first, even more than a chronicle has.
func (l Log) AllHappenings() []*engine.Happening { return l.newestHappenings(l.LastNumber()) }

// WithFrontPage returns c with the superlatives and the fatal happening of a game that is over.
func (l Log) WithFrontPage(c engine.Chronicle, superlatives []engine.Superlative, fatal int) engine.Chronicle {
	c.Superlatives, c.Fatal = superlatives, fatal
	for h := l.happened; h != nil; h = h.prev {
		if h.N == fatal {
			c.FatalAt += h.at
		}
		if h.prev == nil && fatal != 0 {
			c.FatalAt -= h.at
		}
	}
	return c
}

// newestHappenings returns the last n happenings, newest last.
func (l Log) newestHappenings(n int) []*engine.Happening {
	out := make([]*engine.Happening, min(n, l.LastNumber()))
	for i, h := len(out)-1, l.happened; i >= 0; i, h = i-1, h.prev {
		out[i] = &h.Happening
	}
	return out
}

// AddLine adds a line for everyone.
func (l Log) AddLine(round int, m engine.Msg) Log { return l.appendLine(round, m, 0, 0) }

// AddLineOnHappening adds a line for everyone about the last happening.
func (l Log) AddLineOnHappening(round int, m engine.Msg) Log {
	return l.appendLine(round, m, 0, l.LastNumber())
}

// AddPrivateLine adds a line for one seat only.
func (l Log) AddPrivateLine(round int, to engine.Seat, m engine.Msg) Log {
	return l.appendLine(round, m, to, 0)
}

// WithoutLines returns the log without the lines that drop picks, which must not be turns. The
// others keep their numbers.
func (l Log) WithoutLines(drop func(engine.Msg) bool) Log {
	l.last = l.last.withoutLines(drop)
	return l
}

func (e *entry) withoutLines(drop func(engine.Msg) bool) *entry {
	if e == nil || e.prev == nil && e.turningPoints != nil { // keeps the placeholder of New
		return e
	}
	prev := e.prev.withoutLines(drop)
	switch {
	case drop(e.text):
		return prev
	case prev == e.prev:
		return e
	}
	c := *e // its hidden value still refers to the message of e, which never changes
	c.prev = prev
	return &c
}

func (l Log) appendLine(round int, m engine.Msg, to engine.Seat, happeningN int) Log {
	e := &entry{prev: l.last, round: uint16(round), isPrivate: to != 0, happeningN: uint16(happeningN), text: m}
	if last := l.last; last != nil {
		e.lineCounts, e.turningPoints, e.lastTurningPoint = last.lineCounts, last.turningPoints, last.lastTurningPoint
		if e.turningPoints[last.text.Key] {
			e.lastTurningPoint = last
		}
	}
	aud := hidden.Everyone
	if to != 0 {
		aud = hidden.OnlySeats(to)
		e.lineCounts[to]++
	} else {
		for i := range e.lineCounts {
			e.lineCounts[i]++
		}
	}
	e.msg = hidden.NewRef(&e.text, aud)
	l.last = e
	return l
}

// LastReadableLines returns the last n lines that v may read, newest last.
func (l Log) LastReadableLines(v engine.Viewer, n int) []engine.Line {
	return l.LinesWithTurningPoints(v, n, n)
}

const maxLines = 64

// LinesWithTurningPoints returns at most n lines that v may read, newest last: the last recentCount, and
// before those only turning points. It never returns more than maxLines.
func (l Log) LinesWithTurningPoints(v engine.Viewer, n, recentCount int) []engine.Line {
	i, _ := v.Seat()
	var room [maxLines]engine.Line // on the stack, filled from its end
	n, recentCount = max(0, maxLines-n), maxLines-recentCount
	at := maxLines
	for e := l.last; e != nil && at > n; {
		if m, ok := e.msg.RefFor(v); ok {
			at--
			room[at] = engine.Line{N: e.lineCounts[i], Round: e.round, Of: e.happeningN, Own: e.isPrivate, Msg: m}
		}
		if at > recentCount {
			e = e.prev
		} else {
			e = e.lastTurningPoint
		}
	}
	return append([]engine.Line{}, room[at:]...)
}

// Sightings holds the cards that the seats have seen. The zero value is empty.
type Sightings struct{ last *sightNode }

type sightNode struct {
	prev       *sightNode
	prevOfSeat *sightNode // for a sighting of one seat: its previous sighting
	sight      sight
	hidden     hidden.Value[sight] // refers to sight
}

// sight is one moment at which a seat saw cards.
type sight struct {
	set uint64 // bit c is card c of the deck
	engine.Sighting
}

// Add returns s with the sighting of seat x; x zero: of everyone. Bit c of set is card c of
// the deck; sighting.Cards must be the cards of set.
func (s Sightings) Add(x engine.Seat, set uint64, sighting engine.Sighting) Sightings {
	aud := hidden.Everyone
	if x != 0 {
		aud = hidden.OnlySeats(x)
	}
	m := &sightNode{prev: s.last, sight: sight{set, sighting}}
	m.hidden = hidden.NewRef(&m.sight, aud)
	if x != 0 {
		m.prevOfSeat = s.last
		for m.prevOfSeat != nil && !m.prevOfSeat.hidden.Audience().Contains(engine.SeatViewer(x)) {
			m.prevOfSeat = m.prevOfSeat.prev
		}
	}
	return Sightings{m}
}

// NewestSightingsOf returns the sightings of v, newest first. Each card is only in the last one in
// which it was seen, and skippedCards are left out. Bit c of a set is card c of the deck.
func (s Sightings) NewestSightingsOf(v engine.Viewer, skippedCards uint64, deck []engine.ID) []*engine.Sighting {
	type last struct {
		*sight
		cards uint64 // its cards that were not seen later
	}
	found, parts, n := make([]last, 0, 64), 0, 0 // on the stack; 64 cards are the most
	for m := s.last; m != nil; {
		g, ok := m.hidden.RefFor(v)
		if ok && g.set&^skippedCards != 0 {
			found = append(found, last{g, g.set &^ skippedCards})
			if g.set&skippedCards != 0 {
				parts, n = parts+1, n+bits.OnesCount64(g.set&^skippedCards)
			}
			skippedCards |= g.set
		}
		if ok && m.prevOfSeat != nil {
			m = m.prevOfSeat
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
type Recorder struct {
	Log   *Log // of a state that only the caller has
	Round int
}

// AddLine adds a line for everyone.
func (t Recorder) AddLine(key string, pairs ...string) {
	*t.Log = t.Log.AddLine(t.Round, engine.NewMsg(key, pairs...))
}

// AddHappening adds a happening.
func (t Recorder) AddHappening(h engine.Happening) { *t.Log = t.Log.AddHappening(h) }

// AddHappeningLine adds a happening and a line about it.
func (t Recorder) AddHappeningLine(h engine.Happening, key string, pairs ...string) {
	*t.Log = t.Log.AddHappening(h).AddLineOnHappening(t.Round, engine.NewMsg(key, pairs...))
}

// AddPrivateLine adds a line for one seat only.
func (t Recorder) AddPrivateLine(to engine.Seat, key string, pairs ...string) {
	*t.Log = t.Log.AddPrivateLine(t.Round, to, engine.NewMsg(key, pairs...))
}

// AddHands adds lines for everyone with the cards of hands. keys are the lines for one card, for
// two, and so on; a longer hand takes several lines.
func (t Recorder) AddHands(hands []engine.Held, keys ...string) {
	for _, h := range hands {
		for ids := range slices.Chunk(h.Cards, len(keys)) {
			args := []string{"seat", h.Seat.String()}
			for i, id := range ids {
				args = append(args, string(rune('a'+i)), string(id))
			}
			t.AddLine(keys[len(ids)-1], args...)
		}
	}
}
