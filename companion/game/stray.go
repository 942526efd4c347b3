package game

import (
	"maps"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

// strayEvery is how often one audience is told that a stray lies at one reader.
const strayEvery = time.Minute

// ruleStray is the rule of what is no card, but what everybody carries.
const ruleStray = "GEN-E14"

// toHost stands for the host where words are kept by seat: it sits at none.
const toHost engine.Seat = 0

// strayTold is one audience at one reader.
type strayTold struct {
	reader string
	seat   engine.Seat // or toHost
}

// Stray tells that a tag which cannot name a card, such as a phone or a bank card, has come into the field of a reader (GEN-E14). It is no
// presentation. It waits for room in the queue, as Present does.
func (l *Loop) Stray(reader string) {
	l.tell(input{l.core.Clock.Now(), func(c *core) { c.stray(reader) }})
}

// stray tells the host and the seat that the reader waits for, each at most once a minute. Whether and when it does hangs on what all see: the
// reader, its turn and the clock. A seat that still reads why its card was refused is not told this time; the step is the same.
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
		c.Log.Info("a phone or a bank card lies at a reader", "role", reader, "conseil", "un téléphone ou une carte bancaire est au lecteur : éloignez-le ; les cartes comptent quand même")
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

// strayKey is the key of the words about a reader.
func strayKey(reader string) string {
	switch reader {
	case engine.ReaderUrn:
		return "gen.stray.urn"
	case engine.ReaderShow:
		return "gen.stray.show"
	}
	return "gen.stray.other"
}

// awaitedAt is the seat whose turn it is at a reader, as everybody is shown it; ok is false for none, and while nothing is judged. In a
// place that is the seat that is to act alone.
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
