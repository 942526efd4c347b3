package presence

import (
	"slices"

	"majordome/devices"
)

// maxStrayNumbers is the most numbers of strays that are reported until none was named for Absence: an emulator
// may have another at each poll.
const maxStrayNumbers = 8

// strays treats all tags in the field that cannot name a card as one: a phone or a bank card has another number
// each time it wakes. They never affect the state of cards.
type strays struct {
	present  bool
	reported int         // numbers reported since present was set
	lastUID  devices.UID // the last reported
	missed   streak      // clean scans in a row that named none of them
}

// updateStrays updates the strays with a scan, and emits Stray when one comes where there was none, or when
// another number than the last is named. allNamed means that no stray is missing: a missing one explains noise,
// as a badly coupled card does.
func (f *Fold) updateStrays(tags []devices.Tag, clean bool) (allNamed bool) {
	s := &f.strays
	if i := slices.IndexFunc(tags, f.isStray); i >= 0 {
		if !s.present {
			s.reported = 0
			f.forgetNoise() // the noise was this tag coming near
		}
		if s.reported == 0 || s.reported < maxStrayNumbers && !hasTag(tags, s.lastUID) {
			s.reported, s.lastUID = s.reported+1, tags[i].UID
			f.emitEvent(Event{Kind: Stray, Tag: tags[i]})
		}
		s.present, s.missed = true, streak{}
		return true
	}
	if !s.present || !clean {
		return !s.present
	}
	s.missed.addScanAt(f.last)
	s.present = f.noiseDensity > 0 || !s.missed.isLongEnough(f.opts.Misses, f.opts.Absence, f.last)
	return false
}

// isStray reports whether this fold treats t as a stray.
func (f *Fold) isStray(t devices.Tag) bool { return f.opts.Strays && t.UID.IsUnfitForCard() }

// hasCard reports whether a scan named a tag that is no stray.
func (f *Fold) hasCard(tags []devices.Tag) bool {
	return slices.ContainsFunc(tags, func(t devices.Tag) bool { return !f.isStray(t) })
}
