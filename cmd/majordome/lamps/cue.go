package lamps

import (
	"slices"
	"time"

	"majordome/companion/wire"
	"majordome/devices/light"
	"majordome/engine"
)

// CueOf returns the cue of light for a public update. It sees nothing
// else, so no light can depend on a secret.
func CueOf(u wire.Update) light.Cue {
	v := u.View
	c := light.Cue{
		Mood:       lightMoodOf(u),
		Clock:      light.Clock{At: v.Clock.At, Of: v.Clock.Of, Mark: v.Clock.Mark, Open: v.Clock.Open},
		Urn:        readerGlow(u, engine.ReaderUrn),
		Show:       readerGlow(u, engine.ReaderShow),
		UrnOpen:    len(v.Shown) > 0,
		EndStaging: u.Cut > 0,
	}
	if v.Case != nil {
		addCaseCues(&c, v)
	}
	for i, p := range v.Places[:min(len(v.Places), light.MaxPlaces)] {
		c.Places[i], _ = light.ParseLamp(p.Lamp) // a place with an unknown code stays dark
	}
	if v.Result != nil {
		for _, s := range v.Result.Winners {
			if n := seatColourNumber(v, s); n >= 1 && n <= light.MaxSeats {
				c.Winners[n-1] = true
			}
		}
	}
	return c
}

// seatColourNumber returns the number of a seat's colour.
func seatColourNumber(v engine.View, x engine.Seat) int {
	for _, s := range v.Seats {
		if s.Seat == x && s.Colour > 0 {
			return s.Colour
		}
	}
	return int(x)
}

// staging has the display's times, for the lights.
var staging = light.Staging{
	FirstPlace:    (wire.StageOpening + wire.StageLaying) * time.Millisecond,
	NextPlace:     wire.StageEach * time.Millisecond,
	FirstWhenOpen: wire.StageBreath * time.Millisecond,
	Midnight:      wire.StageBack * time.Millisecond,
	Accusation:    wire.StageSeal * time.Millisecond,
	RightVerdict:  wire.StageRight * time.Millisecond,
	WrongVerdict:  wire.StageProof * time.Millisecond,
}

// addCaseCues adds the cues of a Cluedo. The LEDs of the clock count Time cards (C8-132), so it marks the hour that
// kills only when that hour is the next. It counts the murdered and the accusations that were compared with the
// envelope, because package light stages midnight or a verdict when one of these numbers grows.
func addCaseCues(c *light.Cue, v engine.View) {
	if !v.Clock.Open {
		c.Clock.Mark = 0
	}
	for _, s := range v.Seats {
		if !s.Alive {
			c.HourDeaths++
		}
		if s.Out {
			c.Accusations++
		}
	}
	if v.Result != nil && slices.ContainsFunc(v.Happened, func(h *engine.Happening) bool { return h.What == engine.HapProven }) {
		c.Accusations, c.RightAccusation = c.Accusations+1, true
	}
	if v.Case.Step == engine.StepMove && len(v.Active) == 1 {
		c.Mover = seatColourNumber(v, v.Active[0])
	}
}

func lightMoodOf(u wire.Update) light.Mood {
	v := u.View
	switch {
	case u.Hold != nil && u.Hold.Over: // the time has run out: no player wins
		return light.MoodEnd
	case u.Paused != nil, v.Mood == engine.MoodCount, v.Mood == engine.MoodAlarm:
		return light.MoodPause
	case v.Result != nil:
		return light.MoodEnd
	case v.Case != nil && v.Case.Step == engine.StepVerdict: // the accuser is looking into the envelope
		return light.MoodReveal
	case v.Mood == engine.MoodDuel: // includes the recovery after the deaths (HC-200)
		return light.MoodConfrontation
	}
	for _, p := range v.Places {
		if p.Lamp == engine.LampCrime {
			return light.MoodReveal
		}
	}
	return light.MoodOrdinary
}

func readerGlow(u wire.Update, reader string) light.Glow {
	if u.Table.Readers[reader] != "ok" {
		return light.Glow{}
	}
	g := light.Glow{State: light.GlowIdle}
	for _, r := range u.View.Readers {
		if r.Reader == reader {
			g = light.Glow{State: light.GlowWaiting, Seat: seatColourNumber(u.View, r.Seat)}
		}
	}
	if n := u.Notice; n != nil && n.Reader == reader {
		switch n.Signal {
		case wire.SignalAccepted:
			g.State = light.GlowAccepted
		case wire.SignalAgain:
			g.State = light.GlowAgain
		}
	}
	return g
}
