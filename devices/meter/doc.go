// Package meter measures how well a reader reads: which tags, how many times a second, and how many of the
// scans are garbled. A person who holds a card to a coil and watches the figures finds the best place for it.
//
//	m := meter.New(scanner, nil)        // a Scanner that counts the scans of the given one
//	m.Gauge()                           // the figures of the last second
//
// It counts scans, so it is meaningful where each Scan reads the field, as with a mfrc522.Dev. A node and a
// reader that prints lines read their field at their own pace: of their gauge only Tags and Lost mean
// something.
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

// Clock gives the time to a Meter.
type Clock = pace.Clock

const (
	// MaxTags is the most tags that a Gauge names.
	MaxTags = 16
	// The meter covers one second in tenths; the eleventh bucket is the tenth that is being counted.
	span    = 100 * time.Millisecond
	buckets = 11
)

// Gauge is the result of the last second.
type Gauge struct {
	Tags    []devices.UID
	Reads   float64 // scans a second that named a tag
	Scans   float64 // scans a second
	Garbled float64 // noisy scans among the noisy ones and those that named a tag, 0 to 1
	Lost    bool    // the last scan failed
}

// bucket counts the scans of one span: all, those that named a tag, and those with noise.
type bucket struct{ scans, named, noisy int }

// Meter is a scanner that counts its scans. Its methods are safe for concurrent use if those of the scanner
// are.
type Meter struct {
	devices.Scanner
	clock Clock

	mu         sync.Mutex
	ring       [buckets]bucket
	spansBegun time.Duration // number of spans that have begun
	tags       []sighting
	lost       bool
}

type sighting struct {
	uid devices.UID
	at  time.Duration
}

// New makes a meter of a scanner; a nil clock means the computer's.
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
		m.countScan(tags, err)
	}
	return tags, err
}

// advanceBuckets empties the buckets of the spans that have begun since the last call, and returns the time. m.mu
// is held.
func (m *Meter) advanceBuckets() time.Duration {
	at := m.clock.Now()
	for n := at / span; m.spansBegun < n; m.spansBegun++ {
		if n-m.spansBegun > buckets {
			m.spansBegun = n - buckets
		}
		m.ring[(m.spansBegun+1)%buckets] = bucket{}
	}
	return at
}

func (m *Meter) countScan(tags []devices.Tag, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	at := m.advanceBuckets()
	b := &m.ring[m.spansBegun%buckets]
	noisy := errors.Is(err, devices.ErrNoise)
	m.lost = err != nil && !noisy
	b.scans++
	if noisy {
		b.noisy++
	}
	if len(tags) > 0 {
		b.named++
	}
	m.forgetOldTags(at)
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

// forgetOldTags drops tags that were not named for a second. m.mu is held.
func (m *Meter) forgetOldTags(at time.Duration) {
	m.tags = slices.DeleteFunc(m.tags, func(s sighting) bool { return at-s.at > time.Second })
}

// Gauge returns the figures of the last second, without the tenth that is being counted.
func (m *Meter) Gauge() Gauge {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forgetOldTags(m.advanceBuckets())
	var sum bucket
	for i, b := range m.ring {
		if i != int(m.spansBegun%buckets) {
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
