package light

import (
	"time"

	"majordome/devices"
)

// Stage is the pure fold of cues into frames. Times are elapsed times of one
// clock of the caller's and never run backwards. Not safe for concurrent use.
//
//  1. A frame depends on the cues, the times at which they were set and the time
//     of the frame, not on how many frames were drawn in between. (Only the
//     gain of the power limit, while it recovers, and Mixed remember earlier frames.)
//  2. A part keeps each state for its hold; what comes sooner waits, at most two
//     states deep: of two that only pass through, the later one is kept, but a
//     signal (accepted, again) is not dropped for a state that is none.
//  3. Parts whose state did not change are not touched by a new cue.
//  4. New crimes are staged: the house dims at once, the places go dark one after
//     the other in the order of the layout, and a mood that comes with them waits
//     for the last. Any other cue ends the staging; the first cue is not staged.
//  5. Midnight is staged like them: the house dims, the clock strikes its last
//     hour, and after Staging.Midnight all goes back to what the cue says. What the readers
//     show does not end it: the card that kills has just been taken by one.
//  6. A verdict is staged like midnight: the house dims until it is told, and nothing
//     shows which it will be. Where it was dim before, because the accuser has looked into
//     the envelope, that is so much sooner.
//  7. White light stands before all else, and nothing waits for it.
type Stage struct {
	parts []part
	last  Cue  // the cue before
	lit   bool // there was one
	px    []colour
	out   *output
	calm  bool
	times Staging

	layout    Layout
	alone     string
	white     bool
	whiteEnds time.Duration // not before
}

// part is one lamp group and its history.
type part struct {
	leds   Segment
	cur    state
	since  time.Duration
	queue  [2]wish
	queued int
	from   []colour // what it showed when cur began
	buf    []colour
}

// wish is a state and when it was asked for; a staged one is asked for later.
type wish struct {
	state
	asked time.Duration
}

// NewStage makes a dark stage for a strip of n LEDs.
func NewStage(l Layout, n int, o *Opts) (*Stage, error) {
	if o == nil {
		o = &Opts{}
	}
	if err := l.Check(n); err != nil {
		return nil, err
	}
	out, err := newOutput(n, *o)
	if err != nil {
		return nil, err
	}
	const longAgo = -time.Hour // dark for long: nothing holds the first cue back
	s := &Stage{px: make([]colour, n), out: out, calm: o.Calm, times: o.Staging, layout: l}
	add := func(leds Segment, st state) {
		if n := len(leds); n > 0 {
			s.parts = append(s.parts, part{leds: leds, cur: st, since: longAgo, from: make([]colour, n), buf: make([]colour, n)})
		}
	}
	add(l.Clock, state{kind: kindClock})
	for i, leds := range l.Places {
		add(leds, state{kind: kindPlace, index: uint8(i)})
	}
	add(l.Urn, state{kind: kindReader, index: indexUrn})
	add(l.Show, state{kind: kindReader, index: indexShow})
	return s, nil
}

// The two readers, told apart by state.index.
const (
	indexUrn = iota
	indexShow
)

// Staging are the times of a staged reveal. They are the display's, so that a place
// darkens in the room when it does on the screen. Zero: nothing is staged.
type Staging struct {
	First    time.Duration // the urn opens and the clues are laid out
	Each     time.Duration // from one place to the next
	Open     time.Duration // before the first place, where the clues lie there already
	Midnight time.Duration // how long the last hour stands
	Said     time.Duration // from an accusation until the envelope opens
	Right    time.Duration // and until it is told that it was right
	Wrong    time.Duration // or that it was not
}

// Set makes c the cue from now on.
func (s *Stage) Set(c Cue, now time.Duration) {
	s.switchWhite(c.White, now)
	s.alone = c.Alone
	c.White, c.Alone = false, "" // they end nothing and begin nothing
	rank, crimes := s.crimes(&c)
	ends := s.lit && c != s.last
	if c.Struck > 0 || c.Judged > 0 {
		ends = s.lit && c.unread() != s.last.unread()
	}
	begins := s.times.First
	if s.last.Open {
		begins = s.times.Open
	}
	for i := range s.parts {
		p := &s.parts[i]
		p.advance(now, s.calm)
		if ends {
			p.hurry(now)
			p.advance(now, s.calm)
		}
		last := p.cur.under(&c)
		switch {
		case last.kind == kindReader && (last.glow.State != GlowWaiting || c.Judged <= s.last.Judged):
			p.want(wish{last, now})
		case s.lit && c.Struck > s.last.Struck:
			p.schedule(last.atMidnight(), last, now, now+s.times.Midnight, s.calm)
		case s.lit && c.Judged > s.last.Judged:
			p.schedule(last.inSuspense(), last, now, now+s.verdict(&c), s.calm)
		case crimes > 0:
			first, start := last, now
			first.mood, first.winner = MoodReveal, 0
			if last.kind == kindPlace && rank[last.index] > 0 {
				first.lamp = s.last.Places[last.index]
				start += begins + time.Duration(rank[last.index]-1)*s.times.Each
			} else if last.mood != MoodReveal {
				start += begins + time.Duration(crimes)*s.times.Each
			}
			p.schedule(first, last, now, start, s.calm)
		default:
			p.want(wish{last, now})
		}
		p.advance(now, s.calm)
	}
	s.last, s.lit = c, true
}

// switchWhite switches the white light. It comes at once and stays a second at least, so that a button that is
// pressed again and again does not make it flash.
func (s *Stage) switchWhite(on bool, now time.Duration) {
	if on && !s.white && now >= s.whiteEnds {
		s.whiteEnds = now + whiteHold
	}
	s.white = on
}

// crimes are the places whose crime is new in c, counted from 1 in the order in which they go dark.
func (s *Stage) crimes(c *Cue) (rank [MaxPlaces]int, n int) {
	isNew := func(i int) bool { return s.lit && c.Places[i] == LampCrime && s.last.Places[i] != LampCrime }
	for i := range c.Places {
		if !isNew(i) {
			continue
		}
		n++
		for k := range c.Places {
			if isNew(k) && (c.Turns[k] < c.Turns[i] || c.Turns[k] == c.Turns[i] && k <= i) {
				rank[i]++
			}
		}
	}
	return rank, n
}

// schedule shows first from now on, and last from then on.
func (p *part) schedule(first, last state, now, then time.Duration, calm bool) {
	p.want(wish{first, now})
	p.advance(now, calm)
	p.want(wish{last, then})
}

// atMidnight is the state while the last hour stands.
func (s state) atMidnight() state {
	s.mood, s.winner, s.mover = MoodReveal, 0, 0
	switch s.kind {
	case kindPlace:
		s.lamp = LampOpen
	case kindClock:
		s.clock.At, s.clock.Open = s.clock.Of, true
	}
	return s
}

// verdict is how long it takes until a verdict is told.
func (s *Stage) verdict(c *Cue) time.Duration {
	d := s.times.Wrong
	if c.Right {
		d = s.times.Right
	}
	if s.last.Mood == MoodReveal {
		d -= s.times.Said
	}
	return max(0, d)
}

// inSuspense is the state until a verdict is told.
func (s state) inSuspense() state {
	s.mood, s.winner, s.mover = MoodReveal, 0, 0
	switch {
	case s.kind == kindPlace && s.lamp != LampClosed:
		s.lamp = LampOpen
	case s.kind == kindReader:
		s.glow = Glow{State: GlowIdle} // who is awaited next
	}
	return s
}

// hurry makes what was to come later come now.
func (p *part) hurry(now time.Duration) {
	for i := range p.queued {
		p.queue[i].asked = min(p.queue[i].asked, now)
	}
}

// under is the state of the same part under another cue.
func (s state) under(c *Cue) state {
	s.mood = c.Mood
	switch s.kind {
	case kindClock:
		s.clock = c.Clock
	case kindPlace:
		s.lamp, s.winner, s.mover = c.Places[s.index], 0, 0
		if s.lamp == LampReach && c.Mover > 0 && c.Mover <= MaxSeats {
			s.mover = uint8(c.Mover)
		}
		if s.mood == MoodEnd && s.lamp == LampOpen {
			s.winner = uint8(c.winnerAt(int(s.index)))
		}
	case kindReader:
		s.mood = MoodOrdinary // a reader looks the same in every mood
		s.glow = c.Urn
		if s.index == indexShow {
			s.glow = c.Show
		}
	}
	return s
}

// want puts w at the end of what the part is to show.
func (p *part) want(w wish) {
	last := p.cur
	if p.queued > 0 {
		last = p.queue[p.queued-1].state
	}
	if w.state == last {
		return
	}
	if p.queued > 0 && !last.signal() {
		// The last one has not been seen and need not be.
		p.queued--
		before := p.cur
		if p.queued > 0 {
			before = p.queue[p.queued-1].state
		}
		if w.state == before {
			return
		}
	}
	if p.queued == len(p.queue) {
		p.queue[0] = p.queue[1]
		p.queued--
	}
	p.queue[p.queued] = w
	p.queued++
}

// next is when the first queued state begins: when the hold of the current one
// has run out, but not before it was asked for.
func (p *part) next() time.Duration {
	return max(p.since+p.cur.hold(), p.queue[0].asked)
}

// advance begins the queued states whose time has come, each with a fade from
// what the part showed at that moment.
func (p *part) advance(now time.Duration, calm bool) {
	for p.queued > 0 && p.next() <= now {
		start := p.next()
		p.draw(start, calm)
		copy(p.from, p.buf)
		p.cur, p.since = p.queue[0].state, start
		p.queue[0] = p.queue[1]
		p.queued--
	}
}

// draw leaves in buf what the part shows at now.
func (p *part) draw(now time.Duration, calm bool) {
	age := now - p.since
	p.cur.paint(p.buf, age, calm)
	if k := easeOut(share(age, p.cur.fade())); k < full {
		for i := range p.buf {
			p.buf[i] = mix(p.from[i], p.buf[i], k)
		}
	}
}

// Frame is the light at now: linear, limited, in whole steps, one pixel for each LED of
// the strip. It is valid until the next call. It allocates nothing.
func (s *Stage) Frame(now time.Duration) []devices.RGB {
	s.light(now)
	return s.out.rounded()
}

// Mixed is Frame for a strip that shows 100 frames a second or more: the eye adds up what follows each other, so
// that light between two steps is seen as it is. Each call counts as one frame shown.
func (s *Stage) Mixed(now time.Duration) []devices.RGB {
	s.light(now)
	return s.out.mixed()
}

// Fine is Frame for a strip that mixes by itself (devices.MixingStrip): whole steps, and 16ths of one. Each call counts as one frame shown.
func (s *Stage) Fine(now time.Duration) (px, parts []devices.RGB) {
	s.light(now)
	return s.out.fine()
}

// Between reports whether the last frame has light between two steps, which only a run of mixed frames can show.
func (s *Stage) Between() bool { return s.out.between() }

func (s *Stage) light(now time.Duration) {
	if s.white || now < s.whiteEnds {
		fill(s.px, ivory)
		s.out.frame(s.px, now)
		return
	}
	clear(s.px) // also LEDs of no part, which were white
	if s.alone != "" {
		paintStep(s.px, s.layout, s.alone)
		s.out.frame(s.px, now)
		return
	}
	for i := range s.parts {
		p := &s.parts[i]
		p.advance(now, s.calm)
		p.draw(now, s.calm)
		for k, c := range p.buf {
			s.px[p.leds[k]] = c
		}
	}
	s.out.frame(s.px, now)
}

// Next is when the frame after the one at now may look different: now itself
// while something moves, later if a state waits for its turn. It reports false
// when nothing will change without a new cue.
func (s *Stage) Next(now time.Duration) (at time.Duration, ok bool) {
	if s.out.recovering {
		return now, true
	}
	if !s.white && now < s.whiteEnds {
		return s.whiteEnds, true
	}
	for i := range s.parts {
		p := &s.parts[i]
		if age := now - p.since; age < p.cur.fade() || !s.calm && p.cur.moving(age) {
			return now, true
		}
		if p.queued > 0 && (!ok || p.next() < at) {
			at, ok = p.next(), true
		}
	}
	return at, ok
}

// Limited reports whether the last frame was scaled down to the budget, and
// how much it would have drawn and may draw, in mA.
func (s *Stage) Limited() (limited bool, would, budget int) {
	return s.out.gain < full, s.out.estimate, int(s.out.budget / 1000)
}
