package light

import (
	"time"

	"majordome/devices"
)

// Stage computes frames from cues. It is pure: times are durations on one clock of the caller, and never go
// back. It is not safe for concurrent use.
//
//  1. A frame depends on the cues, the times at which they were set and the time of the frame, not on the
//     number of frames before. (Only the gain of the power limit, while it recovers, and MixedFrame and
//     FineFrame depend on earlier frames.)
//  2. A part keeps each state for its hold time. Later states wait, at most two: of two that only pass through,
//     the later one is kept, but a signal (accepted, again) is not dropped for a state that is none.
//  3. A new cue does not touch parts whose state stays the same.
//  4. New crimes are staged: the house dims at once, the places go dark one after the other in the order of the
//     layout, and a mood that comes with them waits for the last. Any other cue ends the staging; the first cue
//     is not staged.
//  5. Midnight is staged in the same way: the house dims, the clock strikes its last hour, and after
//     Staging.Midnight everything returns to the state of the cue. A change of a reader's glow does not end it,
//     because the card that kills has just been accepted by one.
//  6. A verdict is staged like midnight: the house dims until the verdict is announced, and nothing shows which
//     one it will be. If the house was dim before, because the accuser has looked into the envelope, the wait
//     is shorter by Staging.Accusation.
//  7. White light takes precedence over everything, and nothing waits for it.
type Stage struct {
	parts []part
	last  Cue
	lit   bool // lastCue is set
	px    []colour
	out   *output
	calm  bool
	times Staging

	layout    Layout
	alone     string
	white     bool
	whiteEnds time.Duration // the white light does not end before
}

// lampGroup is the LEDs of one part, with its current and its waiting states.
type part struct {
	leds   Segment
	cur    state
	since  time.Duration
	queue  [2]wish
	queued int
	from   []colour // its colours when cur began
	buf    []colour
}

// queuedState is a state and the time before which it does not begin; that of a staged one is in the future.
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
	const longAgo = -time.Hour // dark for long, so that the first cue begins at once
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

// Values of state.index for the two readers.
const (
	indexUrn = iota
	indexShow
)

// Staging has the times of staged reveals. They come from the display, so that a place darkens in the room when
// it does on the screen. With zero times nothing is staged.
type Staging struct {
	First    time.Duration // until the first place: the urn opens and the clues are laid out
	Each     time.Duration // from one place to the next
	Open     time.Duration // until the first place if the clues were public before
	Midnight time.Duration // duration of the last hour
	Said     time.Duration // from an accusation until the envelope opens
	Right    time.Duration // from an accusation until it is announced that it was right
	Wrong    time.Duration // the same if it was wrong
}

// SetCue makes c the cue from now on.
func (s *Stage) Set(c Cue, now time.Duration) {
	s.switchWhite(c.White, now)
	s.alone = c.Alone
	c.White, c.Alone = false, "" // these two neither end nor begin a staging
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

// switchWhite switches the white light. It comes at once and stays at least a second, so that a button that is
// pressed again and again does not make it flash.
func (s *Stage) switchWhite(on bool, now time.Duration) {
	if on && !s.white && now >= s.whiteEnds {
		s.whiteEnds = now + whiteHold
	}
	s.white = on
}

// rankCrimes returns for each place with a new crime in c its number in the order in which they go dark, from
// 1, and the count of such places.
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

// scheduleStates shows first from now on, and last from then on.
func (p *part) schedule(first, last state, now, then time.Duration, calm bool) {
	p.want(wish{first, now})
	p.advance(now, calm)
	p.want(wish{last, then})
}

// atMidnight returns the state of the part while the last hour strikes.
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

// verdictTime returns the time until a verdict is announced.
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

// inSuspense returns the state of the part until a verdict is announced.
func (s state) inSuspense() state {
	s.mood, s.winner, s.mover = MoodReveal, 0, 0
	switch {
	case s.kind == kindPlace && s.lamp != LampClosed:
		s.lamp = LampOpen
	case s.kind == kindReader:
		s.glow = Glow{State: GlowIdle} // does not show the next seat
	}
	return s
}

// clearDelays lets all queued states begin now at the latest, unless a hold time forbids it.
func (p *part) hurry(now time.Duration) {
	for i := range p.queued {
		p.queue[i].asked = min(p.queue[i].asked, now)
	}
}

// underCue returns the state of the same part under another cue.
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

// queueState appends w to the queue of the part.
func (p *part) want(w wish) {
	last := p.cur
	if p.queued > 0 {
		last = p.queue[p.queued-1].state
	}
	if w.state == last {
		return
	}
	if p.queued > 0 && !last.signal() {
		// The last state has not been shown and may be dropped.
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

// nextStart returns when the first queued state begins: when the hold time of the current one is over, but not
// before the notBefore of the queued one.
func (p *part) next() time.Duration {
	return max(p.since+p.cur.hold(), p.queue[0].asked)
}

// advanceTo begins the queued states whose time has come, each with a fade from the colours of the part at that
// moment.
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

// drawPart draws the part at now into buf.
func (p *part) draw(now time.Duration, calm bool) {
	age := now - p.since
	p.cur.paint(p.buf, age, calm)
	if k := easeOut(share(age, p.cur.fade())); k < full {
		for i := range p.buf {
			p.buf[i] = mix(p.from[i], p.buf[i], k)
		}
	}
}

// Frame returns the light at now: linear, limited, in whole steps, one pixel for each LED of the strip. It is
// valid until the next call. It allocates nothing.
func (s *Stage) Frame(now time.Duration) []devices.RGB {
	s.light(now)
	return s.out.rounded()
}

// MixedFrame is like Frame, for a strip that shows 100 frames a second or more: the eye adds up successive
// frames, and so sees light between two steps. Each call counts as one frame shown.
func (s *Stage) Mixed(now time.Duration) []devices.RGB {
	s.light(now)
	return s.out.mixed()
}

// FineFrame is like Frame, for a devices.MixingStrip: whole steps, and 16ths of a step. Each call counts as one
// frame shown.
func (s *Stage) Fine(now time.Duration) (px, parts []devices.RGB) {
	s.light(now)
	return s.out.fine()
}

// HasPartialSteps reports whether the last frame has light between two steps, which only a series of mixed
// frames can show.
func (s *Stage) Between() bool { return s.out.between() }

func (s *Stage) light(now time.Duration) {
	if s.white || now < s.whiteEnds {
		fill(s.px, ivory)
		s.out.frame(s.px, now)
		return
	}
	clear(s.px) // also LEDs that belong to no part: they were white
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

// NextChange returns when the frame after the one at now may look different: now itself while something moves,
// later if a state waits. ok is false when nothing will change without a new cue.
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

// PowerUse reports whether the last frame was scaled down to the budget, the current it would have drawn, and
// the budget, in mA.
func (s *Stage) Limited() (limited bool, would, budget int) {
	return s.out.gain < full, s.out.estimate, int(s.out.budget / 1000)
}
