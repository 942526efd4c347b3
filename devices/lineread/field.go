package lineread

import (
	"time"

	"majordome/devices"
)

// boot is the time that a repeating reader has from power-up to its first line: the boot loader of a small
// board waits about two seconds for a new program.
const boot = 3 * time.Second

// field turns messages into snapshots: the tag on the reader at one time. It is pure: time is a parameter.
//
// Invariants:
//  1. Each tag that was announced is in a snapshot, in the order of the announcements, except that a card comes
//     before a waiting stray.
//  2. At most one tag is in a snapshot: two successive tags never look like two at once.
//  3. A stray, which cannot name a card (devices.UID.IsUnfitForCard), does not remove a card: it replaces the card in
//     one snapshot.
//  4. A card that was not announced by pulse, on a reader that prints REMOVE, leaves only by REMOVE or another
//     card; once a stray has been announced after it, also by its own silence.
type field struct {
	silence, pulse time.Duration

	saysRemove bool // the reader prints REMOVE: its silence means nothing
	card       tagState
	stray      tagState
}

// tagState is the state of one tag. The zero value is no tag.
type tagState struct {
	here        bool
	pulsed      bool // announced by pulse
	unshown     bool // no snapshot has shown the tag yet
	covered     bool // the other kind of tag was announced since: the reader may not see this one any more
	tag         devices.Tag
	announcedAt time.Duration // last announcement, or when covered was set
}

// applyUnlessPending applies a message; remarks and noise change nothing. It refuses a tag while the one before, of
// the same kind (card or stray), has not been in a snapshot yet.
func (f *field) applyUnlessPending(now time.Duration, m message) (applied bool) {
	switch m.kind {
	case scan, pulse:
		mine, other := &f.card, &f.stray
		if m.uid.IsUnfitForCard() {
			mine, other = other, mine
		}
		if mine.unshown && m.uid != mine.tag.UID {
			return false
		}
		*mine = tagState{here: true, pulsed: m.kind == pulse, unshown: true, tag: devices.Tag{UID: m.uid}, announcedAt: now}
		other.markOtherKindAnnounced(now, f.saysRemove)
	case remove:
		f.saysRemove = true
		f.card.removeIfMatches(m.uid)
		f.stray.removeIfMatches(m.uid)
	}
	return true
}

// markOtherKindAnnounced notes that the reader has announced the other kind of tag. From then on this tag leaves by silence
// even on a reader that prints REMOVE (saysRemove); on any other it does so anyway.
func (s *tagState) markOtherKindAnnounced(now time.Duration, saysRemove bool) {
	if saysRemove && !s.covered {
		s.covered, s.announcedAt = true, now
	}
}

// removeIfMatches removes the tag if uid is its own or zero.
func (s *tagState) removeIfMatches(uid devices.UID) {
	if uid == (devices.UID{}) || uid == s.tag.UID {
		s.here = false
	}
}

// nextSnapshot returns the tag of the next snapshot: one that no snapshot has shown yet, else the card, else
// the stray. ok is false if no tag is there.
func (f *field) nextSnapshot(now time.Duration) (tag devices.Tag, ok bool) {
	f.removeSilentTag(now, &f.card)
	f.removeSilentTag(now, &f.stray)
	for _, s := range []*tagState{&f.card, &f.stray} {
		if s.unshown {
			s.unshown = false
			return s.tag, true
		}
	}
	if f.card.here {
		return f.card.tag, true
	}
	return f.stray.tag, f.stray.here
}

// removeSilentTag removes a tag that has not been announced for too long.
func (f *field) removeSilentTag(now time.Duration, s *tagState) {
	quiet := now - s.announcedAt
	switch {
	case s.pulsed:
		s.here = s.here && quiet < f.pulse
	case !f.saysRemove || s.covered:
		s.here = s.here && quiet < f.silence
	}
}

// hasUnshown reports whether there is a tag that no snapshot has shown yet.
func (f *field) hasUnshown() bool { return f.card.unshown || f.stray.unshown }

// noteReaderRestart notes that the reader starts now. A tag that was there still counts as there until the
// reader has had time to announce it.
func (f *field) noteReaderRestart(now time.Duration) {
	for _, s := range []*tagState{&f.card, &f.stray} {
		if s.here && !s.pulsed {
			s.announcedAt = now + boot
		}
	}
}
