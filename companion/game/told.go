package game

import (
	"maps"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

const (
	// keepWhisper is how long a seat reads what it was told in private.
	keepWhisper = 8 * time.Second
	// keepNews is how long news of phones stands: a phone connects as soon as it has
	// joined, and the update of that must not wipe what was told.
	keepNews = 6 * time.Second
)

// told is what viewers were told and are still shown.
type told struct {
	opened notices // what the first update tells
	news   lasting // what everybody was told last about phones
	// whispers are what a seat, or the host as toHost, was told in private. One stays on that seat's phone until its next act or card,
	// an announcement to all, or keepWhisper: a phone that comes online must not wipe the only reason that a seat hears.
	whispers map[engine.Seat]lasting
	strays   map[strayTold]time.Time // when each was told last, for strayEvery
}

func newTold() told {
	return told{whispers: map[engine.Seat]lasting{}, strays: map[strayTold]time.Time{}}
}

// lasting is a notice that stands for a while, beyond the step that told it.
type lasting struct {
	wire.Notice
	until time.Time
}

// add takes in the notices of a step, numbers them, and returns what everybody is shown; nil: nothing.
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
		return &t.news.Notice // the same number: who has read it is not told again
	}
	return n.public
}

// whisper returns what a seat, or the host as toHost, reads in private; nil: nothing.
func (t *told) whisper(seat engine.Seat) *wire.Notice {
	w, ok := t.whispers[seat]
	if !ok {
		return nil
	}
	one := w.Notice
	return &one
}

// hush forgets what seats were told about a reader.
func (t *told) hush(reader string) {
	maps.DeleteFunc(t.whispers, func(_ engine.Seat, w lasting) bool { return w.Reader == reader })
}

// announce tells everybody something about phones.
func (c *core) announce(said engine.Msg) { c.publish(notices{public: c.tell(said)}) }

// tell makes a notice that stands for a while.
func (c *core) tell(said engine.Msg) *wire.Notice {
	n := &wire.Notice{N: c.Epoch<<32 | (c.rev + 1), Msg: said, Rule: "GEN-011", Passing: true}
	c.news = lasting{*n, c.Clock.Now().Add(keepNews)}
	return n
}

// passing is a notice that goes by itself.
func (c *core) passing(said engine.Msg) *wire.Notice {
	n := c.tell(said)
	n.Rule, c.news.Rule = "", ""
	return n
}
