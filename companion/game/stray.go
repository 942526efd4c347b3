package game

import (
	"maps"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

// strayNoticeEvery is the least time between two notices to one audience about stray tags at one reader.
const strayEvery = time.Minute

// ruleStray is the rule about tags that are not cards and that players carry with them.
const ruleStray = "GEN-E14"

// hostSeat is the key of the host where notices are stored by seat. The host has no seat.
const toHost engine.Seat = 0

// strayAudience is one audience of the notices about one reader.
type strayTold struct {
	reader string
	seat   engine.Seat // or hostSeat
}

// ReportStray handles a tag that cannot name a card, such as a phone or a bank card, in the field of a reader
// (GEN-E14). It is not a presentation. It blocks as HandleReading does.
func (l *Loop) Stray(reader string) {
	l.tell(input{l.core.Clock.Now(), func(c *core) { c.stray(reader) }})
}

// reportStray sends a notice to the host and to the seat that the reader waits for, to each at most once a
// minute. Whether it does depends only on public facts: the reader, the awaited seat and the clock. A seat that
// still shows why its card was refused gets no notice; there is a step all the same.
func (c *core) stray(reader string) {
	now := c.Clock.Now()
	maps.DeleteFunc(c.strays, func(_ strayTold, at time.Time) bool { return now.Sub(at) >= strayEvery })
	due := func(seat engine.Seat) bool {
		to := strayTold{reader, seat}
		_, told := c.strays[to]
		if !told {
			c.strays[to] = now
		}
		return !told
	}
	n := notices{}
	say := func() *wire.Notice {
		return &wire.Notice{Msg: engine.Say(strayKey(reader)), Rule: ruleStray, Private: true, Reader: reader}
	}
	if due(toHost) {
		n.host = say()
		c.Log.Info("a phone or a bank card lies at a reader", "role", reader,
			"conseil", "un téléphone ou une carte bancaire est au lecteur : éloignez-le ; les cartes comptent quand même")
	}
	seat, awaited := c.awaitedAt(reader)
	if awaited && due(seat) {
		if w, reads := c.whispers[seat]; !reads || !now.Before(w.until) {
			n.seat, n.private = seat, say()
		}
	} else if n.host == nil {
		return
	}
	c.publish(n)
}

// strayKey returns the catalogue key of the notice about a reader.
func strayKey(reader string) string {
	switch reader {
	case engine.ReaderUrn:
		return "gen.stray.urn"
	case engine.ReaderShow:
		return "gen.stray.show"
	}
	return "gen.stray.other"
}

// awaitedSeat returns the seat that a reader publicly waits for; ok is false if there is none or no card is
// decided now. In a place it is the only active seat.
func (c *core) awaitedAt(reader string) (seat engine.Seat, ok bool) {
	if c.scene != nil || c.paused != nil {
		return 0, false
	}
	for _, r := range c.sensing.awaited {
		if r.Reader == reader {
			return r.Seat, r.Seat.Valid()
		}
	}
	if active := c.game.look().Public.Active; ofPlace(reader) && len(active) == 1 {
		return active[0], true
	}
	return 0, false
}
