package node

import (
	"slices"
	"time"

	"majordome/devices"
)

const (
	maxTags    = 64 // more than a node has in its memory
	maxPending = 64

	// Equal scans, and the time they span, after which package presence has noticed that a tag left or that
	// something cannot be read; a little more than it needs.
	settleScans = 4
	settleTime  = 160 * time.Millisecond
	// minAbsence is the time away after which a tag has left, as for a local reader.
	absence = 150 * time.Millisecond
	// maxSpacing is the longest time between two arrivals that is reproduced here. It is longer than a slot
	// collects cards as one.
	spacing = time.Second
)

// reader turns the events of one reader of the node into scans.
//
// The scans go to a Fold of package presence, which decides what arrived and left. It may poll less often than
// the node, or the line may have been down: so each batch of events is shown, one after the other. A tag that
// was away for less than 150 ms by the node's clock comes back at once, and the Fold notices nothing; one that
// was away for longer comes back only after the Fold has had time to notice. Cards that arrived one after the
// other while the line was down are shown with the same time between them, at most a second, so that they do
// not look like two at once.
//
// Invariants:
//  1. Events are applied in order, all of one moment at once.
//  2. Each tag that arrived is in a scan, however soon it left, if there are scans.
//  3. A reader that no one scans does not hold up the others: its oldest events are applied without being
//     shown.
type reader struct {
	pending []event
	whole   int // length of the part of pending that is complete batches
	unseen  int // events since the last scan

	tags  [maxTags]devices.Tag
	n     int
	noisy bool
	why   error // nil while the reader works; at first its state is unknown

	left  [maxTags]departure // of tags whose return may have to wait
	nLeft int
	since time.Duration // when the series of equal scans began
	scans int
	last  time.Duration

	spaced bool          // an arrival was shown since the node started
	fresh  bool          // it was shown in the last scan
	came   time.Duration // its time by the node's clock
	shown  time.Duration // the scan after it, by our clock
}

// departure is a tag that left, and when by the node's clock.
type departure struct {
	uid devices.UID
	at  time.Duration
}

// elapsedBetween returns the time from earlier to at on the node's clock, which wraps every 2^32 ms.
func since(earlier, at time.Duration) time.Duration {
	return time.Duration(uint32((at-earlier)/time.Millisecond)) * time.Millisecond
}

// queueRestart adds the start of a new stream behind the pending events. A batch without its end is dropped:
// the rest of it will not come.
func (r *reader) restarted() {
	if r.whole >= maxPending {
		r.take()
	}
	r.unseen++
	r.pending = append(r.pending[:r.whole], event{})
	r.whole = len(r.pending)
}

// queueEvent adds an event and reports whether there was room.
func (r *reader) push(e *event) bool {
	if len(r.pending) >= maxPending {
		if r.unseen < maxPending || r.whole == 0 {
			return false
		}
		r.take()
	}
	r.unseen++
	r.pending = append(r.pending, *e)
	if !e.more {
		r.whole = len(r.pending)
	}
	return true
}

// applyBatch applies the oldest batch. There must be one.
func (r *reader) take() {
	n := len(r.batch())
	for i := range n {
		r.apply(&r.pending[i])
	}
	r.pending = append(r.pending[:0], r.pending[n:]...)
	r.whole -= n
}

func (r *reader) scan(now time.Duration, up bool) ([]devices.Tag, error) {
	r.unseen = 0
	if r.fresh { // the caller has handled the last scan
		r.fresh, r.shown = false, now
	}
	if r.whole > 0 && r.ripe(now, r.batch()) {
		if at, ok := r.arrival(r.batch()); ok {
			r.spaced, r.fresh, r.came = true, true, at
		}
		r.take()
		r.scans = 0
	}
	switch {
	case !up && r.whole == 0:
		r.scans = 0
		return nil, errAway
	case r.why != nil:
		r.scans = 0
		return nil, r.why
	}
	if r.scans == 0 {
		r.since = now
	}
	r.scans++
	r.last = now
	if r.noisy {
		return r.tags[:r.n], devices.ErrNoise
	}
	return r.tags[:r.n], nil
}

// oldestBatch returns the pending events of one moment.
func (r *reader) batch() []event {
	n := 1
	for n < r.whole && r.pending[n-1].more {
		n++
	}
	return r.pending[:n]
}

// arrivalTime returns when a batch has a tag arrive, by the node's clock. A tag that comes back within
// minAbsence had not left.
func (r *reader) arrival(batch []event) (at time.Duration, ok bool) {
	for _, e := range batch {
		if e.kind == kindArrived && !slices.ContainsFunc(r.left[:r.nLeft],
			func(d departure) bool { return d.uid == e.tag.UID && since(d.at, e.at) < absence }) {
			return e.at, true
		}
	}
	return 0, false
}

// canShow reports whether a batch may be shown. A tag that returns after minAbsence, and the end of noise, wait
// until the current state has been scanned long enough; an arrival keeps its distance from the one before.
func (r *reader) ripe(now time.Duration, batch []event) bool {
	if at, ok := r.arrival(batch); ok && r.spaced && now-r.shown < min(spacing, since(r.came, at)) {
		return false
	}
	if r.why != nil || r.scans >= settleScans && r.last-r.since >= settleTime {
		r.nLeft = 0
		return true
	}
	for _, e := range batch {
		switch e.kind {
		case kindQuiet:
			return false
		case kindArrived:
			for _, d := range r.left[:r.nLeft] {
				if d.uid == e.tag.UID && since(d.at, e.at) >= absence {
					return false
				}
			}
		}
	}
	return true
}

func (r *reader) apply(e *event) {
	switch e.kind {
	case 0: // of queueRestart
		r.n, r.noisy, r.why, r.nLeft, r.spaced, r.fresh = 0, false, errStarted, 0, false, false
	case kindBack:
		r.why = nil
	case kindLost:
		r.why = errLost
	case kindNoise:
		r.noisy = true
	case kindQuiet:
		r.noisy = false
	case kindArrived:
		r.nLeft = len(slices.DeleteFunc(r.left[:r.nLeft], func(d departure) bool { return d.uid == e.tag.UID }))
		if r.n < maxTags {
			r.tags[r.n] = e.tag
			r.n++
		}
	case kindLeft:
		r.n = len(slices.DeleteFunc(r.tags[:r.n], func(t devices.Tag) bool { return t.UID == e.tag.UID }))
		if r.nLeft == maxTags {
			copy(r.left[:], r.left[1:])
			r.nLeft--
		}
		r.left[r.nLeft] = departure{e.tag.UID, e.at}
		r.nLeft++
	}
}
