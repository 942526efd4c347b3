package node

import (
	"slices"
	"time"

	"majordome/devices"
)

const (
	maxTags    = 64 // more than a node keeps
	maxPending = 64

	// What package presence wants before it says that a tag has left, or that something cannot be read,
	// and a little more.
	settleScans = 4
	settleTime  = 160 * time.Millisecond
	// absence is what that package wants before it says so of a local reader.
	absence = 150 * time.Millisecond
	// spacing is how far apart arrivals are shown that were as far apart at the node: longer than a slot gathers what it sees.
	spacing = time.Second
)

// reader makes snapshots of the events of one reader.
//
// A fold of package presence stands behind Scan and decides what arrived and left. It may be slower than the node, or have been kept waiting by
// the line: so each batch of events is shown, one after the other. A tag that was away for less than 150 ms of the node's time comes back at
// once, and that fold finds nothing to tell; one that was away for longer comes back only when it was absent long enough for that fold to notice.
// Cards that came one after the other while the line was away are shown as far apart, up to a second: they are not two at once.
//
// Invariants:
//  1. Events are applied in order, all of one moment at once.
//  2. Each tag that arrived is in a snapshot, however soon it left, if anybody asks for snapshots.
//  3. A reader for which nobody asks holds up no other: it forgets the oldest events, and knows what lies there.
type reader struct {
	pending []event
	whole   int // of pending: up to the end of the last complete batch
	unseen  int // events since the last snapshot

	tags  [maxTags]devices.Tag
	n     int
	noisy bool
	why   error // the reader is lost, or unknown

	left  [maxTags]departure // of tags that may not come back yet
	nLeft int
	since time.Duration // of the run of equal snapshots
	scans int
	last  time.Duration

	spaced      bool          // an arrival was shown since the node started,
	fresh       bool          // in the last snapshot,
	came, shown time.Duration // the last by its clock, and when it had been dealt with by ours
}

// departure is when a tag left, by the node's clock.
type departure struct {
	uid devices.UID
	at  time.Duration
}

// since is how long one time of that clock is after another; it begins anew every 2^32 ms.
func since(earlier, at time.Duration) time.Duration {
	return time.Duration(uint32((at-earlier)/time.Millisecond)) * time.Millisecond
}

// restarted is the beginning of a stream, told in order behind what is pending.
func (r *reader) restarted() {
	if r.whole >= maxPending {
		r.take()
	}
	r.unseen++
	r.pending = append(r.pending[:r.whole], event{}) // of a batch without an end nothing more will come
	r.whole = len(r.pending)
}

// push keeps an event and reports whether there was room.
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

// take applies the oldest batch; there is one.
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
	if r.fresh { // who asks again has dealt with it, however long that took
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

// batch is what happened at one moment.
func (r *reader) batch() []event {
	n := 1
	for n < r.whole && r.pending[n-1].more {
		n++
	}
	return r.pending[:n]
}

// arrival is when a tag arrived with a batch, by the node's clock; one that comes back at once has not left.
func (r *reader) arrival(batch []event) (at time.Duration, ok bool) {
	for _, e := range batch {
		if e.kind == kindArrived && !slices.ContainsFunc(r.left[:r.nLeft], func(d departure) bool { return d.uid == e.tag.UID && since(d.at, e.at) < absence }) {
			return e.at, true
		}
	}
	return 0, false
}

// ripe says whether a batch may be shown. A tag that comes back after an absence that counts, and the end of noise, wait until what
// is shown now has been seen; an arrival waits for its distance from the one before.
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
	case 0: // restarted
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
