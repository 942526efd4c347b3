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
//     FrameWithParts depend on earlier frames.)
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
	parts   []animatedPart
	lastCue Cue
	hasCue  bool // lastCue is set
	px      []colour
	out     *output
	calm    bool
	staging Staging

	layout     Layout
	onlyStep   string
	white      bool
	whiteUntil time.Duration // the white light does not end before
}

// animatedPart is one part of the layout: its LEDs, its current state and the states that wait.
type animatedPart struct {
	leds   Segment
	cur    state
	since  time.Duration
	queue  [2]queuedState
	queued int
	from   []colour // its colours when cur began
	buf    []colour
}

// queuedState is a state and the time before which it does not begin; that of a staged one is in the future.
type queuedState struct {
	state
	notBefore time.Duration
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
	s := &Stage{px: make([]colour, n), out: out, calm: o.Calm, staging: o.Staging, layout: l}
	add := func(leds Segment, st state) {
		if n := len(leds); n > 0 {
			s.parts = append(s.parts, animatedPart{leds: leds, cur: st, since: longAgo, from: make([]colour, n), buf: make([]colour, n)})
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
	FirstPlace    time.Duration // until the first place: the urn opens and the clues are shown
	NextPlace     time.Duration // from one place to the next
	FirstWhenOpen time.Duration // until the first place if the clues were public before
	Midnight      time.Duration // duration of the last hour
	Accusation    time.Duration // from an accusation until the envelope opens
	RightVerdict  time.Duration // from an accusation until it is announced that it was right
	WrongVerdict  time.Duration // the same if it was wrong
}

// SetCue makes c the cue from now on, and begins or ends the staging that follows from the difference to the
// last one.
func (s *Stage) SetCue(c Cue, now time.Duration) {
	s.switchWhite(c.White, now)
	s.onlyStep = c.OnlyStep
	c.White, c.OnlyStep = false, "" // these two neither end nor begin a staging
	rank, crimes := s.rankNewCrimes(&c)
	ends := s.hasCue && c != s.lastCue
	if c.HourDeaths > 0 || c.Accusations > 0 {
		ends = s.hasCue && c.withoutReaderGlow() != s.lastCue.withoutReaderGlow()
	}
	begins := s.staging.FirstPlace
	if s.lastCue.UrnOpen {
		begins = s.staging.FirstWhenOpen
	}
	for i := range s.parts {
		p := &s.parts[i]
		p.beginDueStates(now, s.calm)
		if ends {
			p.startQueuedNow(now)
			p.beginDueStates(now, s.calm)
		}
		last := p.cur.stateUnderCue(&c)
		switch {
		case last.kind == kindReader && (last.glow.State != GlowWaiting || c.Accusations <= s.lastCue.Accusations):
			p.queueState(queuedState{last, now})
		case s.hasCue && c.HourDeaths > s.lastCue.HourDeaths:
			p.scheduleStates(last.stateAtMidnight(), last, now, now+s.staging.Midnight, s.calm)
		case s.hasCue && c.Accusations > s.lastCue.Accusations:
			p.scheduleStates(last.stateInSuspense(), last, now, now+s.timeUntilVerdict(&c), s.calm)
		case crimes > 0:
			first, start := last, now
			first.mood, first.winner = MoodReveal, 0
			if last.kind == kindPlace && rank[last.index] > 0 {
				first.lamp = s.lastCue.Places[last.index]
				start += begins + time.Duration(rank[last.index]-1)*s.staging.NextPlace
			} else if last.mood != MoodReveal {
				start += begins + time.Duration(crimes)*s.staging.NextPlace
			}
			p.scheduleStates(first, last, now, start, s.calm)
		default:
			p.queueState(queuedState{last, now})
		}
		p.beginDueStates(now, s.calm)
	}
	s.lastCue, s.hasCue = c, true
}

// switchWhite switches the white light. It comes at once and stays at least a second, so that a button that is
// pressed again and again does not make it flash.
func (s *Stage) switchWhite(on bool, now time.Duration) {
	if on && !s.white && now >= s.whiteUntil {
		s.whiteUntil = now + whiteHold
	}
	s.white = on
}

// rankNewCrimes returns for each place with a new crime in c its number in the order in which they go dark, from
// 1, and the count of such places.
func (s *Stage) rankNewCrimes(c *Cue) (rank [MaxPlaces]int, n int) {
	isNew := func(i int) bool { return s.hasCue && c.Places[i] == LampCrime && s.lastCue.Places[i] != LampCrime }
	for i := range c.Places {
		if !isNew(i) {
			continue
		}
		n++
		for k := range c.Places {
			if isNew(k) && (c.DarkOrder[k] < c.DarkOrder[i] || c.DarkOrder[k] == c.DarkOrder[i] && k <= i) {
				rank[i]++
			}
		}
	}
	return rank, n
}

// scheduleStates shows first from now on, and last from then on.
func (p *animatedPart) scheduleStates(first, last state, now, then time.Duration, calm bool) {
	p.queueState(queuedState{first, now})
	p.beginDueStates(now, calm)
	p.queueState(queuedState{last, then})
}

// stateAtMidnight returns the state of the part while the last hour strikes.
func (s state) stateAtMidnight() state {
	s.mood, s.winner, s.mover = MoodReveal, 0, 0
	switch s.kind {
	case kindPlace:
		s.lamp = LampOpen
	case kindClock:
		s.clock.At, s.clock.Open = s.clock.Of, true
	}
	return s
}

// timeUntilVerdict returns the time until a verdict is announced.
func (s *Stage) timeUntilVerdict(c *Cue) time.Duration {
	d := s.staging.WrongVerdict
	if c.RightAccusation {
		d = s.staging.RightVerdict
	}
	if s.lastCue.Mood == MoodReveal {
		d -= s.staging.Accusation
	}
	return max(0, d)
}

// stateInSuspense returns the state of the part until a verdict is announced.
func (s state) stateInSuspense() state {
	s.mood, s.winner, s.mover = MoodReveal, 0, 0
	switch {
	case s.kind == kindPlace && s.lamp != LampClosed:
		s.lamp = LampOpen
	case s.kind == kindReader:
		s.glow = Glow{State: GlowIdle} // does not show the next seat
	}
	return s
}

// startQueuedNow lets all queued states begin now at the latest, unless a hold time forbids it.
func (p *animatedPart) startQueuedNow(now time.Duration) {
	for i := range p.queued {
		p.queue[i].notBefore = min(p.queue[i].notBefore, now)
	}
}

// stateUnderCue returns the state of the same part under another cue.
func (s state) stateUnderCue(c *Cue) state {
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
			s.winner = uint8(c.winnerOfPlace(int(s.index)))
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
func (p *animatedPart) queueState(w queuedState) {
	last := p.cur
	if p.queued > 0 {
		last = p.queue[p.queued-1].state
	}
	if w.state == last {
		return
	}
	if p.queued > 0 && !last.isReaderSignal() {
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

// nextStateStart returns when the first queued state begins: when the hold time of the current one is over, but not
// before the notBefore of the queued one.
func (p *animatedPart) nextStateStart() time.Duration {
	return max(p.since+p.cur.minHoldTime(), p.queue[0].notBefore)
}

// beginDueStates begins the queued states whose time has come, each with a fade from the colours of the part at that
// moment.
func (p *animatedPart) beginDueStates(now time.Duration, calm bool) {
	for p.queued > 0 && p.nextStateStart() <= now {
		start := p.nextStateStart()
		p.drawPart(start, calm)
		copy(p.from, p.buf)
		p.cur, p.since = p.queue[0].state, start
		p.queue[0] = p.queue[1]
		p.queued--
	}
}

// drawPart draws the part at now into buf, without beginning a queued state.
func (p *animatedPart) drawPart(now time.Duration, calm bool) {
	age := now - p.since
	p.cur.paintPart(p.buf, age, calm)
	if k := easeOut(elapsedShare(age, p.cur.fadeTime())); k < full {
		for i := range p.buf {
			p.buf[i] = mixColours(p.from[i], p.buf[i], k)
		}
	}
}

// Frame returns the light at now: linear, limited, in whole steps, one pixel for each LED of the strip. It is
// valid until the next call. It allocates nothing.
func (s *Stage) Frame(now time.Duration) []devices.RGB {
	s.computeLightAt(now)
	return s.out.roundPixels()
}

// MixedFrame is like Frame, for a strip that shows 100 frames a second or more: the eye adds up successive
// frames, and so sees light between two steps. Each call counts as one frame shown.
func (s *Stage) MixedFrame(now time.Duration) []devices.RGB {
	s.computeLightAt(now)
	return s.out.ditherPixels()
}

// FrameWithParts is like Frame, for a devices.MixingStrip: whole steps, and 16ths of a step. Each call counts as one
// frame shown.
func (s *Stage) FrameWithParts(now time.Duration) (px, parts []devices.RGB) {
	s.computeLightAt(now)
	return s.out.ditherPixelsWithParts()
}

// HasLightBetweenSteps reports whether the last frame has light between two steps, which only a series of mixed
// frames can show.
func (s *Stage) HasLightBetweenSteps() bool { return s.out.hasLightBetweenSteps() }

// computeLightAt computes the light at now in s.out.
func (s *Stage) computeLightAt(now time.Duration) {
	if s.white || now < s.whiteUntil {
		fillColour(s.px, ivory)
		s.out.computeFrame(s.px, now)
		return
	}
	clear(s.px) // also LEDs that belong to no part: they were white
	if s.onlyStep != "" {
		paintStep(s.px, s.layout, s.onlyStep)
		s.out.computeFrame(s.px, now)
		return
	}
	for i := range s.parts {
		p := &s.parts[i]
		p.beginDueStates(now, s.calm)
		p.drawPart(now, s.calm)
		for k, c := range p.buf {
			s.px[p.leds[k]] = c
		}
	}
	s.out.computeFrame(s.px, now)
}

// NextChange returns when the frame after the one at now may look different: now itself while something moves,
// later if a state waits. ok is false when nothing will change without a new cue.
func (s *Stage) NextChange(now time.Duration) (at time.Duration, ok bool) {
	if s.out.recovering {
		return now, true
	}
	if !s.white && now < s.whiteUntil {
		return s.whiteUntil, true
	}
	for i := range s.parts {
		p := &s.parts[i]
		if age := now - p.since; age < p.cur.fadeTime() || !s.calm && p.cur.isAnimatedAt(age) {
			return now, true
		}
		if p.queued > 0 && (!ok || p.nextStateStart() < at) {
			at, ok = p.nextStateStart(), true
		}
	}
	return at, ok
}

// PowerUse reports whether the last frame was scaled down to the budget, and returns the current that it would
// have drawn and the budget, both in mA.
func (s *Stage) PowerUse() (limited bool, demandMA, budgetMA int) {
	return s.out.gain < full, s.out.estimate, int(s.out.budget / 1000)
}
