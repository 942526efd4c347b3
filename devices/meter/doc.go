// Package meter says how well a reader reads what lies before it now: which tags, how many times a second, and how much of what
// comes back is garbled. With a card in the hand it is a signal meter, to find the place of a coil.
//
//	m := meter.New(scanner, nil)        // m is that scanner, and counts
//	m.Gauge()                           // of the last second
//
// It counts snapshots, so it means something where each Scan asks the field anew, as a mfrc522.Dev does. A node and a reader
// that prints lines are asked by somebody else: their gauge has tags and Lost alone.
//
// Leaks: the numbers of the tags. Limits: 16 tags.
package meter

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"majordome/devices"
	"majordome/devices/internal/pace"
)

// Clock is the time as a Meter sees it.
type Clock = pace.Clock

const (
	// MaxTags are named.
	MaxTags = 16
	// A second is looked at, in tenths: the first of them is being counted.
	span    = 100 * time.Millisecond
	buckets = 11
)

// Gauge is how well a reader read in the last second.
type Gauge struct {
	Tags    []devices.UID
	Reads   float64 // snapshots a second that named a tag
	Scans   float64 // snapshots a second
	Garbled float64 // of the snapshots that found something, the share that was garbled: 0 to 1
	Lost    bool    // the last one failed
}

type bucket struct{ scans, named, noisy int }

// Meter is a scanner whose snapshots are counted. Its methods are safe for concurrent use as far as the scanner's are.
type Meter struct {
	devices.Scanner
	clock Clock

	mu   sync.Mutex
	ring [buckets]bucket
	now  time.Duration // whole spans so far
	tags []sighting
	lost bool
}

type sighting struct {
	uid devices.UID
	at  time.Duration
}

// New makes a meter of a scanner; a nil clock is the computer's.
func New(s devices.Scanner, clock Clock) *Meter {
	if clock == nil {
		clock = pace.NewReal()
	}
	return &Meter{Scanner: s, clock: clock}
}

// Scan implements devices.Scanner.
func (m *Meter) Scan(ctx context.Context) ([]devices.Tag, error) {
	tags, err := m.Scanner.Scan(ctx)
	if ctx.Err() == nil {
		m.count(tags, err)
	}
	return tags, err
}

// turn empties the spans that have begun since the last call and returns the time; mu is held.
func (m *Meter) turn() time.Duration {
	at := m.clock.Now()
	for n := at / span; m.now < n; m.now++ {
		if n-m.now > buckets {
			m.now = n - buckets
		}
		m.ring[(m.now+1)%buckets] = bucket{}
	}
	return at
}

func (m *Meter) count(tags []devices.Tag, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	at := m.turn()
	b := &m.ring[m.now%buckets]
	noisy := errors.Is(err, devices.ErrNoise)
	m.lost = err != nil && !noisy
	b.scans++
	if noisy {
		b.noisy++
	}
	if len(tags) > 0 {
		b.named++
	}
	m.forget(at)
	for _, t := range tags {
		i := slices.IndexFunc(m.tags, func(s sighting) bool { return s.uid == t.UID })
		switch {
		case i >= 0:
			m.tags[i].at = at
		case len(m.tags) < MaxTags:
			m.tags = append(m.tags, sighting{t.UID, at})
		}
	}
}

// forget leaves out tags that were not named for a second; mu is held.
func (m *Meter) forget(at time.Duration) {
	m.tags = slices.DeleteFunc(m.tags, func(s sighting) bool { return at-s.at > time.Second })
}

// Gauge is what the last second was like. The tenth that is being counted is not in it.
func (m *Meter) Gauge() Gauge {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forget(m.turn())
	var sum bucket
	for i, b := range m.ring {
		if i != int(m.now%buckets) {
			sum.scans, sum.named, sum.noisy = sum.scans+b.scans, sum.named+b.named, sum.noisy+b.noisy
		}
	}
	g := Gauge{Lost: m.lost, Reads: float64(sum.named), Scans: float64(sum.scans)}
	if found := sum.noisy + sum.named; found > 0 {
		g.Garbled = float64(sum.noisy) / float64(found)
	}
	for _, s := range m.tags {
		g.Tags = append(g.Tags, s.uid)
	}
	return g
}
