package presence

import (
	"slices"

	"majordome/devices"
)

// maxStrayNumbers is the most numbers of strays that are reported until none was named for Absence: an emulator
// may have another at each poll.
const strayNumbers = 8

// strays treats all tags in the field that cannot name a card as one: a phone or a bank card has another number
// each time it wakes. They never affect the state of cards.
type strays struct {
	here bool
	told int         // numbers reported since present was set
	last devices.UID // the last reported
	away run         // clean scans in a row that named none of them
}

// followStrays updates the strays with a scan, and emits Stray when one comes where there was none, or when
// another number than the last is named. whole means that no stray is missing: a missing one explains noise, as
// a badly coupled card does.
func (f *Fold) followStrays(tags []devices.Tag, clean bool) (whole bool) {
	s := &f.strays
	if i := slices.IndexFunc(tags, f.isStray); i >= 0 {
		if !s.here {
			s.told = 0
			f.forgetNoise() // the noise was this tag coming near
		}
		if s.told == 0 || s.told < strayNumbers && !named(tags, s.last) {
			s.told, s.last = s.told+1, tags[i].UID
			f.emit(Event{Kind: Stray, Tag: tags[i]})
		}
		s.here, s.away = true, run{}
		return true
	}
	if !s.here || !clean {
		return !s.here
	}
	s.away.add(f.last)
	s.here = f.unrest > 0 || !s.away.spans(f.opts.Misses, f.opts.Absence, f.last)
	return false
}

// isStray reports whether this fold treats t as a stray.
func (f *Fold) isStray(t devices.Tag) bool { return f.opts.Strays && t.UID.IsUnfit() }

// hasCard reports whether a scan named a tag that is no stray.
func (f *Fold) hasCard(tags []devices.Tag) bool {
	return slices.ContainsFunc(tags, func(t devices.Tag) bool { return !f.isStray(t) })
}
