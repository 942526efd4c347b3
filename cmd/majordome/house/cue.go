package house

import (
	"majordome/companion/wire"
	"majordome/devices/light"
	"majordome/engine"
)

// cue says in light what the public update says in words. It sees nothing
// else, so no light can depend on a secret.
func cue(u wire.Update) light.Cue {
	v := u.View
	c := light.Cue{
		Mood:  mood(v),
		Clock: light.Clock{At: v.Clock.At, Of: v.Clock.Of, Mark: v.Clock.Mark, Open: v.Clock.Open},
		Urn:   glow(u, engine.ReaderUrn),
		Show:  glow(u, engine.ReaderShow),
	}
	for i, p := range v.Places[:min(len(v.Places), light.MaxPlaces)] {
		c.Places[i], _ = light.ParseLamp(p.Lamp) // an unknown code stays dark
	}
	return c
}

func mood(v engine.View) light.Mood {
	if v.Result != nil {
		return light.MoodEnd
	}
	for _, p := range v.Places {
		if p.Lamp == engine.LampCrime {
			return light.MoodReveal
		}
	}
	alive := 0
	for _, s := range v.Seats {
		if s.Alive {
			alive++
		}
	}
	if alive == 2 && v.Clock.At > 0 { // HC-156: two are left
		return light.MoodConfrontation
	}
	return light.MoodOrdinary
}

func glow(u wire.Update, reader string) light.Glow {
	if u.Table.Readers[reader] != "ok" {
		return light.Glow{}
	}
	g := light.Glow{State: light.GlowIdle}
	for _, r := range u.View.Readers {
		if r.Reader == reader {
			g = light.Glow{State: light.GlowWaiting, Seat: int(r.Seat)}
		}
	}
	if n := u.Notice; n != nil && n.Reader == reader {
		switch n.Signal {
		case "accepted":
			g.State = light.GlowAccepted
		case "again":
			g.State = light.GlowAgain
		}
	}
	return g
}
