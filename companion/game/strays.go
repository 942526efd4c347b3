package game

import (
	"majordome/companion/wire"
	"majordome/engine"
)

// ruleStray is the rule about tags that are not cards and that players carry with them.
const ruleStray = "GEN-E14"

// ReportStrayTag handles a tag that cannot name a card, such as a phone or a bank card, in the field of a reader
// (GEN-E14). It is not a presentation. It blocks as HandleReading does.
func (l *Loop) ReportStrayTag(reader string) {
	l.enqueue(func(c *core) { c.noticeStrayTag(reader) })
}

// noticeStrayTag sends a notice to the host and to the seat that the reader waits for, to each at most once a
// minute. Whether it does depends only on public facts: the reader, the awaited seat and the clock. A seat that
// still shows why its card was refused gets no notice; there is a step all the same.
func (c *core) noticeStrayTag(reader string) {
	now, n := c.Clock.Now(), notices{}
	say := func() *wire.Notice {
		return &wire.Notice{Msg: engine.NewMsg(strayNoticeKey(reader)), Rule: ruleStray, Private: true, Reader: reader}
	}
	if c.straysShown.countIfDue(reader, hostSeat, now) {
		n.host = say()
		c.Log.Info("a phone or a bank card lies at a reader", "role", reader,
			"conseil", "un téléphone ou une carte bancaire est au lecteur : éloignez-le ; les cartes comptent quand même")
	}
	seat, awaited := c.awaitedSeat(reader)
	if awaited && c.straysShown.countIfDue(reader, seat, now) {
		if w, reads := c.privateNotices[seat]; !reads || !now.Before(w.until) {
			n.seat, n.private = seat, say()
		}
	} else if n.host == nil {
		return
	}
	c.publish(n)
}

// strayNoticeKey returns the catalogue key of the notice about a reader.
func strayNoticeKey(reader string) string {
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
func (c *core) awaitedSeat(reader string) (seat engine.Seat, ok bool) {
	if c.scene != nil || c.pauseMsg != nil {
		return 0, false
	}
	for _, r := range c.tagFields.lastAwaited {
		if r.Reader == reader {
			return r.Seat, r.Seat.IsValid()
		}
	}
	if active := c.game.currentViews().Public.Active; isPlaceReader(reader) && len(active) == 1 {
		return active[0], true
	}
	return 0, false
}
