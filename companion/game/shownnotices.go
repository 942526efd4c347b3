package game

import (
	"maps"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

const (
	// privateNoticeTime is the time for which a private notice is shown.
	privateNoticeTime = 8 * time.Second
	// passingNoticeTime is the time for which a notice about phones is shown. A phone connects as soon as it has joined,
	// and the update of that must not remove the notice.
	passingNoticeTime = 6 * time.Second
)

// hostSeat is the key of the host where notices are stored by seat. The host has no seat.
const hostSeat engine.Seat = 0

// notices are the notices of one step: one for all viewers, and for at most one seat a private one in its
// place. The host gets its own if there is no public one.
type notices struct {
	public  *wire.Notice
	seat    engine.Seat
	private *wire.Notice
	host    *wire.Notice
}

// shownNotices holds the notices that updates still show.
type shownNotices struct {
	passingNotice timedNotice // the last notice about phones, for all viewers
	// privateNotices are the private notices of seats, and of the host under hostSeat. Each is shown until the
	// seat's next act or card, a public notice, or privateNoticeTime: a phone that connects must not remove the
	// only reason that a seat gets.
	privateNotices map[engine.Seat]timedNotice
	straysShown    strayTimes
}

func newShownNotices() shownNotices {
	return shownNotices{privateNotices: map[engine.Seat]timedNotice{}, straysShown: strayTimes{}}
}

// timedNotice is a notice that is shown until a certain time, over several steps.
type timedNotice struct {
	wire.Notice
	until time.Time
}

// storeNotices stores and numbers the notices of a step, and returns the notice that all viewers are shown; nil
// if there is none.
func (t *shownNotices) storeNotices(n notices, number uint64, now time.Time) (public *wire.Notice) {
	maps.DeleteFunc(t.privateNotices, func(_ engine.Seat, w timedNotice) bool { return !now.Before(w.until) })
	if n.public != nil && n.private == nil && n.public.Signal == "" && !n.public.Passing {
		clear(t.privateNotices)
	}
	if n.private != nil {
		n.private.N = number
		t.privateNotices[n.seat] = timedNotice{*n.private, now.Add(privateNoticeTime)}
	}
	if n.host != nil {
		n.host.N = number
		t.privateNotices[hostSeat] = timedNotice{*n.host, now.Add(privateNoticeTime)}
	}
	switch {
	case n.public != nil:
		n.public.N = number
	case now.Before(t.passingNotice.until):
		return &t.passingNotice.Notice // the same number, so that a phone that has shown it does not show it again
	}
	return n.public
}

// privateNotice returns the private notice of a seat, or of the host under hostSeat; nil if there is none.
func (t *shownNotices) privateNotice(seat engine.Seat) *wire.Notice {
	w, ok := t.privateNotices[seat]
	if !ok {
		return nil
	}
	one := w.Notice
	return &one
}

// dropReaderNotices forgets the private notices about a reader.
func (t *shownNotices) dropReaderNotices(reader string) {
	maps.DeleteFunc(t.privateNotices, func(_ engine.Seat, w timedNotice) bool { return w.Reader == reader })
}

// strayNoticeEvery is the least time between two notices to one audience about stray tags at one reader.
const strayNoticeEvery = time.Minute

// strayTimes holds when each audience got its last notice about a stray tag at a reader.
type strayTimes map[strayAudience]time.Time

type strayAudience struct {
	reader string
	seat   engine.Seat // or hostSeat
}

// countIfDue reports whether an audience gets another notice now, and then counts it as given.
func (s strayTimes) countIfDue(reader string, seat engine.Seat, now time.Time) (isDue bool) {
	maps.DeleteFunc(s, func(_ strayAudience, at time.Time) bool { return now.Sub(at) >= strayNoticeEvery })
	to := strayAudience{reader, seat}
	_, given := s[to]
	if !given {
		s[to] = now
	}
	return !given
}
