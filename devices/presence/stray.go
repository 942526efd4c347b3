package presence

import (
	"slices"

	"majordome/devices"
)

// strayNumbers is how many numbers of strays are told until none was named for Absence: an emulator may have another at each poll.
const strayNumbers = 8

// strays are the tags in the field that cannot name a card, as one: a phone or a bank card has another number each time it wakes, and
// whatever it does costs nothing of what is known of cards.
type strays struct {
	here bool
	told int         // numbers, since here
	last devices.UID // of them
	away run         // clean snapshots in a row that named none of them
}

// followStrays updates the strays by a snapshot, and emits Stray when one comes where none was, or another number than the last. whole
// means that none is missing: one that is explains noise, as a badly coupled card does.
func (f *Fold) followStrays(tags []devices.Tag, clean bool) (whole bool) {
	s := &f.strays
	if i := slices.IndexFunc(tags, f.isStray); i >= 0 {
		if !s.here {
			s.told = 0
			f.forgetNoise() // it was this one coming near
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

// isStray reports a tag that this fold takes for a stray.
func (f *Fold) isStray(t devices.Tag) bool { return f.opts.Strays && t.UID.IsUnfit() }

// hasCard reports that a snapshot named a tag that is no stray.
func (f *Fold) hasCard(tags []devices.Tag) bool {
	return slices.ContainsFunc(tags, func(t devices.Tag) bool { return !f.isStray(t) })
}
