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
	minAbsence = 150 * time.Millisecond
	// maxSpacing is the longest time between two arrivals that is reproduced here. It is longer than a slot
	// collects cards as one.
	maxSpacing = time.Second
)

// readerState turns the events of one reader of the node into scans.
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
type readerState struct {
	pending   []event
	complete  int // length of the part of pending that is complete batches
	sinceScan int // events since the last scan

	tags    [maxTags]devices.Tag
	n       int
	noisy   bool
	failure error // nil while the reader works; at first its state is unknown

	departures  [maxTags]departure // of tags whose return may have to wait
	nDepartures int
	equalSince  time.Duration // when the series of equal scans began
	equalScans  int
	lastScan    time.Duration

	hasArrival   bool          // an arrival was shown since the node started
	arrivalShown bool          // it was shown in the last scan
	arrivedAt    time.Duration // its time by the node's clock
	shownAt      time.Duration // the scan after it, by our clock
}

// departure is a tag that left, and when by the node's clock.
type departure struct {
	uid devices.UID
	at  time.Duration
}

// elapsedBetween returns the time from earlier to at on the node's clock, which wraps every 2^32 ms.
func elapsedBetween(earlier, at time.Duration) time.Duration {
	return time.Duration(uint32((at-earlier)/time.Millisecond)) * time.Millisecond
}

// queueNewStream adds the start of a new stream behind the pending events. A batch without its end is dropped:
// the rest of it will not come.
func (r *readerState) queueNewStream() {
	if r.complete >= maxPending {
		r.applyOldestBatch()
	}
	r.sinceScan++
	r.pending = append(r.pending[:r.complete], event{})
	r.complete = len(r.pending)
}

// queueEvent adds an event and reports whether there was room.
func (r *readerState) queueEvent(e *event) (hadRoom bool) {
	if len(r.pending) >= maxPending {
		if r.sinceScan < maxPending || r.complete == 0 {
			return false
		}
		r.applyOldestBatch()
	}
	r.sinceScan++
	r.pending = append(r.pending, *e)
	if !e.more {
		r.complete = len(r.pending)
	}
	return true
}

// applyOldestBatch applies the pending events of the oldest moment. There must be some.
func (r *readerState) applyOldestBatch() {
	n := len(r.oldestBatch())
	for i := range n {
		r.applyEvent(&r.pending[i])
	}
	r.pending = append(r.pending[:0], r.pending[n:]...)
	r.complete -= n
}

// nextScan returns the next scan. It applies the oldest batch first, if that may be shown. When the node is not
// connected and no batch is left, it returns errAway.
func (r *readerState) nextScan(now time.Duration, connected bool) ([]devices.Tag, error) {
	r.sinceScan = 0
	if r.arrivalShown { // the caller has handled the last scan
		r.arrivalShown, r.shownAt = false, now
	}
	if r.complete > 0 && r.canShowBatch(now, r.oldestBatch()) {
		if at, ok := r.arrivalTime(r.oldestBatch()); ok {
			r.hasArrival, r.arrivalShown, r.arrivedAt = true, true, at
		}
		r.applyOldestBatch()
		r.equalScans = 0
	}
	switch {
	case !connected && r.complete == 0:
		r.equalScans = 0
		return nil, errAway
	case r.failure != nil:
		r.equalScans = 0
		return nil, r.failure
	}
	if r.equalScans == 0 {
		r.equalSince = now
	}
	r.equalScans++
	r.lastScan = now
	if r.noisy {
		return r.tags[:r.n], devices.ErrNoise
	}
	return r.tags[:r.n], nil
}

// oldestBatch returns the pending events of one moment.
func (r *readerState) oldestBatch() []event {
	n := 1
	for n < r.complete && r.pending[n-1].more {
		n++
	}
	return r.pending[:n]
}

// arrivalTime returns when a tag of a batch arrived, by the node's clock; ok is false if none did. A tag that
// comes back within minAbsence had not left.
func (r *readerState) arrivalTime(batch []event) (at time.Duration, ok bool) {
	for _, e := range batch {
		if e.kind == kindArrived && !slices.ContainsFunc(r.departures[:r.nDepartures],
			func(d departure) bool { return d.uid == e.tag.UID && elapsedBetween(d.at, e.at) < minAbsence }) {
			return e.at, true
		}
	}
	return 0, false
}

// canShowBatch reports whether a batch may be shown. A tag that returns after minAbsence, and the end of noise, wait
// until the current state has been scanned long enough; an arrival keeps its distance from the one before.
func (r *readerState) canShowBatch(now time.Duration, batch []event) bool {
	if at, ok := r.arrivalTime(batch); ok && r.hasArrival && now-r.shownAt < min(maxSpacing, elapsedBetween(r.arrivedAt, at)) {
		return false
	}
	if r.failure != nil || r.equalScans >= settleScans && r.lastScan-r.equalSince >= settleTime {
		r.nDepartures = 0
		return true
	}
	for _, e := range batch {
		switch e.kind {
		case kindQuiet:
			return false
		case kindArrived:
			for _, d := range r.departures[:r.nDepartures] {
				if d.uid == e.tag.UID && elapsedBetween(d.at, e.at) >= minAbsence {
					return false
				}
			}
		}
	}
	return true
}

func (r *readerState) applyEvent(e *event) {
	switch e.kind {
	case 0: // of queueNewStream
		r.n, r.noisy, r.failure, r.nDepartures, r.hasArrival, r.arrivalShown = 0, false, errStarted, 0, false, false
	case kindBack:
		r.failure = nil
	case kindLost:
		r.failure = errLost
	case kindNoise:
		r.noisy = true
	case kindQuiet:
		r.noisy = false
	case kindArrived:
		r.nDepartures = len(slices.DeleteFunc(r.departures[:r.nDepartures], func(d departure) bool { return d.uid == e.tag.UID }))
		if r.n < maxTags {
			r.tags[r.n] = e.tag
			r.n++
		}
	case kindLeft:
		r.n = len(slices.DeleteFunc(r.tags[:r.n], func(t devices.Tag) bool { return t.UID == e.tag.UID }))
		if r.nDepartures == maxTags {
			copy(r.departures[:], r.departures[1:])
			r.nDepartures--
		}
		r.departures[r.nDepartures] = departure{e.tag.UID, e.at}
		r.nDepartures++
	}
}
