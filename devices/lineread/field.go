package lineread

import (
	"time"

	"majordome/devices"
)

// boot is what a repeating reader may take from power-up to its first line: the boot loader of a
// small board waits about two seconds for a new program.
const boot = 3 * time.Second

// field makes snapshots of messages. It is pure: time is a parameter.
//
// Invariants:
//  1. Each tag that was announced is in a snapshot, in the order of the announcements; but a card comes before a stray that waits, too.
//  2. At most one tag is in a snapshot: two that came after each other never look like two at once.
//  3. A stray, which cannot name a card (devices.UID.IsUnfit), takes no card away: it stands in the place of one in one snapshot.
//  4. A card that did not come by pulse, on a reader that has said REMOVE, leaves by REMOVE or another card only; but once
//     a stray has been announced after it, by its own silence, too.
type field struct {
	silence, pulse time.Duration

	removes bool // the reader says REMOVE: its silence means nothing
	card    spot
	stray   spot
}

// spot is where one tag lies. The zero value is empty.
type spot struct {
	here    bool
	brief   bool // the tag came by pulse
	fresh   bool // no snapshot has shown the tag yet
	covered bool // a tag of the other spot was announced since: the reader sees one at a time, and may see this one no more
	tag     devices.Tag
	heard   time.Duration // when it was last announced, or covered for the first time
}

// take takes a message; remarks and noise change nothing. It refuses a tag as long as the
// one before, a card or a stray as it is, is in no snapshot yet.
func (f *field) take(now time.Duration, m message) bool {
	switch m.kind {
	case scan, pulse:
		mine, other := &f.card, &f.stray
		if m.uid.IsUnfit() {
			mine, other = other, mine
		}
		if mine.fresh && m.uid != mine.tag.UID {
			return false
		}
		*mine = spot{here: true, brief: m.kind == pulse, fresh: true, tag: devices.Tag{UID: m.uid}, heard: now}
		other.cover(now, f.removes)
	case remove:
		f.removes = true
		f.card.remove(m.uid)
		f.stray.remove(m.uid)
	}
	return true
}

// cover notes that the reader has announced another tag. From then on the tag leaves by silence, on a reader that says REMOVE, too.
func (s *spot) cover(now time.Duration, removes bool) {
	if removes && !s.covered {
		s.covered, s.heard = true, now
	}
}

// remove takes the tag away if it is the one named, or if none is.
func (s *spot) remove(uid devices.UID) {
	if uid == (devices.UID{}) || uid == s.tag.UID {
		s.here = false
	}
}

// snapshot tells what lies there: what no snapshot has shown yet, else a card, else a stray.
func (f *field) snapshot(now time.Duration) (tag devices.Tag, ok bool) {
	f.expire(now, &f.card)
	f.expire(now, &f.stray)
	for _, s := range []*spot{&f.card, &f.stray} {
		if s.fresh {
			s.fresh = false
			return s.tag, true
		}
	}
	if f.card.here {
		return f.card.tag, true
	}
	return f.stray.tag, f.stray.here
}

// expire takes a tag away that has not been announced for too long.
func (f *field) expire(now time.Duration, s *spot) {
	quiet := now - s.heard
	switch {
	case s.brief:
		s.here = s.here && quiet < f.pulse
	case !f.removes || s.covered:
		s.here = s.here && quiet < f.silence
	}
}

// isFresh reports a tag that no snapshot has shown yet.
func (f *field) isFresh() bool { return f.card.fresh || f.stray.fresh }

// plugged says that the reader has just begun to start. What lay there still does,
// until the reader had time to say otherwise.
func (f *field) plugged(now time.Duration) {
	for _, s := range []*spot{&f.card, &f.stray} {
		if s.here && !s.brief {
			s.heard = now + boot
		}
	}
}
