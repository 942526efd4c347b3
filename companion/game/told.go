package game

import (
	"maps"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

const (
	// privateNoticeTime is the time for which a private notice is shown.
	keepWhisper = 8 * time.Second
	// passingNoticeTime is the time for which a notice about phones is shown. A phone connects as soon as it has joined,
	// and the update of that must not remove the notice.
	keepNews = 6 * time.Second
)

// shownNotices holds the notices that updates still show.
type told struct {
	opened notices // for the first update
	news   lasting // the last notice about phones, for all viewers
	// privateNotices are the private notices of seats, and of the host under hostSeat. Each is shown until the
	// seat's next act or card, a public notice, or privateNoticeTime: a phone that connects must not remove the
	// only reason that a seat gets.
	whispers map[engine.Seat]lasting
	strays   map[strayTold]time.Time // when each audience got its last notice, for strayNoticeEvery
}

func newTold() told {
	return told{whispers: map[engine.Seat]lasting{}, strays: map[strayTold]time.Time{}}
}

// timedNotice is a notice that is shown until a certain time, over several steps.
type lasting struct {
	wire.Notice
	until time.Time
}

// addNotices stores and numbers the notices of a step, and returns the notice that all viewers are shown; nil
// if there is none.
func (t *told) add(n notices, number uint64, now time.Time) (public *wire.Notice) {
	maps.DeleteFunc(t.whispers, func(_ engine.Seat, w lasting) bool { return !now.Before(w.until) })
	if n.public != nil && n.private == nil && n.public.Signal == "" && !n.public.Passing {
		clear(t.whispers)
	}
	if n.private != nil {
		n.private.N = number
		t.whispers[n.seat] = lasting{*n.private, now.Add(keepWhisper)}
	}
	if n.host != nil {
		n.host.N = number
		t.whispers[toHost] = lasting{*n.host, now.Add(keepWhisper)}
	}
	switch {
	case n.public != nil:
		n.public.N = number
	case now.Before(t.news.until):
		return &t.news.Notice // the same number, so that a phone that has shown it does not show it again
	}
	return n.public
}

// privateNotice returns the private notice of a seat, or of the host under hostSeat; nil if there is none.
func (t *told) whisper(seat engine.Seat) *wire.Notice {
	w, ok := t.whispers[seat]
	if !ok {
		return nil
	}
	one := w.Notice
	return &one
}

// dropReaderNotices forgets the private notices about a reader.
func (t *told) hush(reader string) {
	maps.DeleteFunc(t.whispers, func(_ engine.Seat, w lasting) bool { return w.Reader == reader })
}

// announce publishes a notice about phones to all viewers.
func (c *core) announce(said engine.Msg) { c.publish(notices{public: c.tell(said)}) }

// startPhoneNotice returns a notice about phones (GEN-011) that all updates then show for passingNoticeTime.
func (c *core) tell(said engine.Msg) *wire.Notice {
	n := &wire.Notice{N: c.Epoch<<32 | (c.rev + 1), Msg: said, Rule: "GEN-011", Passing: true}
	c.news = lasting{*n, c.Clock.Now().Add(keepNews)}
	return n
}

// startPassingNotice returns a notice that all updates then show for passingNoticeTime.
func (c *core) passing(said engine.Msg) *wire.Notice {
	n := c.tell(said)
	n.Rule, c.news.Rule = "", ""
	return n
}
