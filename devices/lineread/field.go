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
//  1. Each tag that was announced is in a snapshot, in the order of the announcements.
//  2. At most one tag is in a snapshot: two that came after each other never look like two at once.
//  3. A tag that did not come by pulse, on a reader that has said REMOVE, leaves by
//     REMOVE or another tag only.
type field struct {
	silence, pulse time.Duration

	removes bool // the reader says REMOVE: its silence means nothing
	here    bool
	brief   bool // the tag came by pulse
	fresh   bool // no snapshot has shown the tag yet
	tag     devices.Tag
	heard   time.Duration // when it was last announced
}

// take takes a message; remarks and noise change nothing. It refuses a tag as long as the
// one before is in no snapshot yet.
func (f *field) take(now time.Duration, m message) bool {
	switch m.kind {
	case scan, pulse:
		if f.fresh && m.uid != f.tag.UID {
			return false
		}
		f.here, f.brief, f.fresh, f.heard = true, m.kind == pulse, true, now
		f.tag = devices.Tag{UID: m.uid}
	case remove:
		f.removes = true
		if m.uid == (devices.UID{}) || m.uid == f.tag.UID {
			f.here = false
		}
	}
	return true
}

// snapshot tells what lies there.
func (f *field) snapshot(now time.Duration) (tag devices.Tag, ok bool) {
	quiet := now - f.heard
	switch {
	case f.brief:
		f.here = f.here && quiet < f.pulse
	case !f.removes:
		f.here = f.here && quiet < f.silence
	}
	ok = f.here || f.fresh
	f.fresh = false
	return f.tag, ok
}

// plugged says that the reader has just begun to start. What lay there still does,
// until the reader had time to say otherwise.
func (f *field) plugged(now time.Duration) {
	if f.here && !f.brief {
		f.heard = now + boot
	}
}
