package light

import "time"

// Times of fades and animations. The fades are the same as on the pages.
const (
	fadeRoom  = 420 * time.Millisecond
	fadeClock = 1200 * time.Millisecond

	// A part keeps each state at least this long, so that no series of cues makes it flash faster than 1.5
	// times a second.
	holdAny = 334 * time.Millisecond
	// Accepted and again last this long.
	holdSignal = 900 * time.Millisecond

	whiteHold = time.Second

	breathHere    = 4 * time.Second
	breathWaiting = 2800 * time.Millisecond
	breathCrime   = 2400 * time.Millisecond
	breathUnrest  = 5 * time.Second
	dipAgain      = 800 * time.Millisecond // two of them
	settleAccept  = 1200 * time.Millisecond

	// A crime: the place is dark for darkCrime, then garnet rises.
	darkCrime = 900 * time.Millisecond
	riseCrime = 1200 * time.Millisecond
)

type partKind uint8

const (
	kindClock partKind = iota
	kindPlace
	kindReader
)

// state is the appearance of one part. Two equal states look the same at the same age.
type state struct {
	kind  partKind
	index uint8 // of a place, so that neighbours are animated out of step; of a reader: indexUrn, indexShow
	mood  Mood
	lamp  Lamp
	clock Clock
	glow  Glow
	// winner is the seat whose colour a place shows at the end, 0 for none.
	winner uint8
	mover  uint8 // the seat whose colour a place within reach shows
}

// fadeTime returns the time in which the part fades into this state.
func (s *state) fadeTime() time.Duration {
	if s.kind == kindClock {
		return fadeClock
	}
	return fadeRoom
}

// isReaderSignal reports whether the state must always last holdSignal.
func (s *state) isReaderSignal() bool {
	return s.kind == kindReader && (s.glow.State == GlowAccepted || s.glow.State == GlowAgain)
}

// minHoldTime returns how long the part keeps this state at least.
func (s *state) minHoldTime() time.Duration {
	if s.isReaderSignal() {
		return holdSignal
	}
	return holdAny
}

// isAnimatedAt reports whether the state still changes time t after it began.
func (s *state) isAnimatedAt(t time.Duration) bool {
	switch s.kind {
	case kindPlace:
		return s.lamp == LampHere || s.lamp == LampCrime || s.lamp == LampOpen && s.mood == MoodConfrontation
	case kindReader:
		return s.glow.State == GlowWaiting || s.glow.State == GlowAgain ||
			s.glow.State == GlowAccepted && t < settleAccept
	}
	return false
}

// paintPart paints the state of a part on its LEDs, time t after the state began. calm freezes every animation.
func (s *state) paintPart(dst []colour, t time.Duration, calm bool) {
	clear(dst)
	switch s.kind {
	case kindClock:
		s.paintRounds(dst)
	case kindPlace:
		s.paintPlace(dst, t, calm)
	case kindReader:
		s.paintReader(dst, t, calm)
	}
}

func fillColour(dst []colour, c colour) {
	for i := range dst {
		dst[i] = c
	}
}

// paintPlace paints a place by the state of its lamp. Colour is never the only sign: open is dim, here is bright,
// a crime is brightest at both ends of the lamp, closed is dark; within reach is brighter at the beginning.
func (s *state) paintPlace(dst []colour, t time.Duration, calm bool) {
	switch s.lamp {
	case LampOpen:
		s.paintOpenPlace(dst, t, calm)
	case LampReach:
		c := colourOfSeat(int(s.mover))
		fillColour(dst, c.dimmed(levelOfPercent(24)))
		for i := range (len(dst) + 1) / 3 {
			dst[i] = c.dimmed(levelOfPercent(56))
		}
	case LampHere:
		level := uint32(full)
		if !calm {
			level = breathLevel(t, breathHere, levelOfPercent(84), full)
		}
		fillColour(dst, candle.dimmed(level))
	case LampCrime:
		level := uint32(full)
		if since := t - darkCrime - riseCrime; !calm && since < 0 {
			level = easeInOut(elapsedShare(t-darkCrime, riseCrime))
		} else if !calm {
			level = breathLevel(since, breathCrime, levelOfPercent(55), full)
		}
		fillColour(dst, garnet.dimmed(level/4))
		if n := len(dst); n > 0 {
			dst[0], dst[n-1] = garnet.dimmed(level), garnet.dimmed(level)
		}
	}
}

// paintOpenPlace paints an open place in the mood of the house.
func (s *state) paintOpenPlace(dst []colour, t time.Duration, calm bool) {
	switch s.mood {
	case MoodReveal:
		fillColour(dst, brass.dimmed(levelOfPercent(22)))
	case MoodConfrontation:
		level := levelOfPercent(28)
		if !calm {
			level = breathLevel(t+time.Duration(s.index)*breathUnrest/7, breathUnrest, levelOfPercent(22), levelOfPercent(36))
		}
		fillColour(dst, brass.dimmed(level))
	case MoodEnd:
		c := ivory.dimmed(levelOfPercent(60))
		if s.winner != 0 {
			c = colourOfSeat(int(s.winner)).dimmed(levelOfPercent(80))
		}
		fillColour(dst, c)
	case MoodPause:
		if n := len(dst); n > 0 {
			dst[n/2] = ivory.dimmed(levelOfPercent(45))
		}
	default:
		fillColour(dst, brass.dimmed(levelOfPercent(34)))
	}
}

// paintReader paints the ring of a reader as its glow is at time t: waiting and accepted fill it, again leaves every second LED
// dark. A calm ring does not breathe.
func (s *state) paintReader(dst []colour, t time.Duration, calm bool) {
	switch s.glow.State {
	case GlowIdle:
		fillColour(dst, brass.dimmed(levelOfPercent(24)))
	case GlowWaiting:
		level := uint32(full)
		if !calm {
			level = breathLevel(t, breathWaiting, levelOfPercent(50), full)
		}
		fillColour(dst, colourOfSeat(s.glow.Seat).dimmed(level))
	case GlowAccepted:
		level := uint32(full)
		if !calm {
			// One swell: full at the end of the fade, then dimmer.
			level = full - uint32(uint64(levelOfPercent(55))*uint64(easeInOut(elapsedShare(t-fadeRoom, settleAccept-fadeRoom)))>>16)
		}
		fillColour(dst, ivory.dimmed(level))
	case GlowAgain:
		level := uint32(full)
		switch {
		case calm:
		case t < 2*dipAgain:
			level = breathLevel(t, dipAgain, levelOfPercent(25), full)
		default:
			level = breathLevel(t-2*dipAgain, breathWaiting, levelOfPercent(50), full)
		}
		for i := 0; i < len(dst); i += 2 {
			dst[i] = colourOfSeat(s.glow.Seat).dimmed(level)
		}
	}
}

// paintRounds shows the rounds on any number of LEDs, with the hand at round At of Of. A LED that is reached in
// part is lit in part, so each round of 8, 12 or 16 looks different.
func (s *state) paintRounds(dst []colour) {
	c, n := s.clock, len(dst)
	if n == 0 {
		return
	}
	if c.Of <= 0 { // no limit yet: no hand
		if c.At > 0 {
			fillColour(dst, brass.dimmed(levelOfPercent(24)))
		}
		return
	}
	c.Of = min(c.Of, maxRounds)
	at := min(max(c.At, 0), c.Of)
	ended := s.mood == MoodEnd
	past := levelOfPercent(50)
	if s.mood == MoodReveal {
		past = levelOfPercent(34)
	}
	mark, hand := n, -1 // LEDs; none
	if c.Mark > 0 && c.Mark <= c.Of {
		mark = lastLEDOfRound(c.Mark, c.Of, n)
	}
	if at > 0 {
		hand = lastLEDOfRound(at, c.Of, n)
	}
	for i := range dst {
		switch {
		case i < hand || i == hand && ended:
			dst[i] = brass.dimmed(past)
			if i == mark {
				dst[i] = oxblood.dimmed(levelOfPercent(80))
			}
		case i == hand:
			// the part of this LED that the current round has reached, in 1/Of
			reached := uint32(at*n - i*c.Of)
			now := candle
			if s.mood == MoodPause {
				now = ivory // the game is paused
			}
			dst[i] = now.dimmed(levelOfPercent(40) + min(reached, uint32(c.Of))*levelOfPercent(60)/uint32(c.Of))
		case i == mark:
			dst[i] = oxblood.dimmed(levelOfPercent(50))
		case c.Open && !ended:
			dst[i] = oxblood.dimmed(levelOfPercent(30))
		}
	}
}

// maxRounds limits the numbers in the arithmetic of the clock.
const maxRounds = 1000

// lastLEDOfRound returns the LED, counted from 0, in which a round ends on a clock that shows this number of
// rounds on this number of LEDs.
func lastLEDOfRound(round, rounds, leds int) int { return (round*leds+rounds-1)/rounds - 1 }
