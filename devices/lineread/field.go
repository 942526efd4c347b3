package lineread

import (
	"time"

	"majordome/devices"
)

const (
	maxTags = 16
	// boot is what a repeating reader may take from power-up to its first line: the
	// boot loader of a small board waits about two seconds for a new program.
	boot = 3 * time.Second
)

// field makes snapshots of messages. It is pure: time is a parameter.
//
// Invariants:
//  1. Each tag that was announced is in the next snapshot.
//  2. Beyond that at most one tag is in a snapshot, the last that was announced.
//  3. A tag that did not come by pulse, on a reader that has said REMOVE, leaves by
//     REMOVE or another tag only.
type field struct {
	silence, pulse time.Duration

	removes bool // the reader says REMOVE: its silence means nothing
	here    bool
	brief   bool // the tag came by pulse
	tag     devices.Tag
	heard   time.Duration // when it was last announced

	fresh  [maxTags]devices.Tag // announced since the last snapshot
	nFresh int
}

// full means that a snapshot is due before the next message.
func (f *field) full() bool { return f.nFresh == maxTags }

// take takes a message that is neither remark nor noise.
func (f *field) take(now time.Duration, m message) {
	switch m.kind {
	case scan, pulse:
		f.here, f.brief, f.heard = true, m.kind == pulse, now
		f.tag = devices.Tag{UID: m.uid}
		for _, t := range f.fresh[:f.nFresh] {
			if t == f.tag {
				return
			}
		}
		f.fresh[f.nFresh] = f.tag
		f.nFresh++
	case remove:
		f.removes = true
		if m.uid == (devices.UID{}) || m.uid == f.tag.UID {
			f.here = false
		}
	}
}

// snapshot appends what lies there to tags.
func (f *field) snapshot(now time.Duration, tags []devices.Tag) []devices.Tag {
	quiet := now - f.heard
	switch {
	case f.brief:
		f.here = f.here && quiet < f.pulse
	case !f.removes:
		f.here = f.here && quiet < f.silence
	}
	if f.nFresh > 0 {
		tags = append(tags, f.fresh[:f.nFresh]...)
		f.nFresh = 0
	} else if f.here {
		tags = append(tags, f.tag)
	}
	return tags
}

// plugged says that the reader has just begun to start. What lay there still does,
// until the reader had time to say otherwise.
func (f *field) plugged(now time.Duration) {
	if f.here && !f.brief {
		f.heard = now + boot
	}
}
