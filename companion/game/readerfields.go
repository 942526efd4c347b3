package game

import (
	"maps"
	"slices"
	"strings"
	"time"

	"majordome/companion/master"
	"majordome/engine"
)

const (
	// slotHoldTime is the time for which an accepted card in the slot of the urn keeps the slot for the hand that placed
	// it.
	slotHoldTime = 10 * time.Second
	// maxEarlyAge is the greatest age of a card that came too early, when a card is awaited: an older one was
	// forgotten there.
	maxEarlyAge = 30 * time.Second
	// bounceTime is the time in which the tag of an accepted card may return to its reader, after its
	// acceptance or removal, without a new presentation (GEN-E04). No one places a copy so quickly. A longer
	// time would show a player who tries copies which card was accepted (GEN-E13).
	bounceTime = 500 * time.Millisecond
)

// Reader states of Loop.SetReaderState.
const (
	ReaderOK   = master.ReaderOK
	ReaderLost = master.ReaderLost
)

// maxTags limits the tags of one presentation, and those in the field of one reader.
const maxTags = 16

// ruleIgnored is the rule of a card that was not awaited.
const ruleIgnored = "GEN-E11"

// Tag is one NFC tag that came into the field of a reader.
type Tag = master.Tag

// Reading is one reading of a reader. Without tags it is a tag that could not be read.
type Reading struct {
	Tags          []Tag // tags that have just come
	OthersPresent bool  // tags of earlier readings may still be in the field
	FoundAtStart  bool  // the tags were on the reader when it first answered: no one presents them now
}

// readerFields tracks the tags in the fields of the readers, and gathers those that are still to be decided. It
// knows nothing of the game.
type readerFields struct {
	game        int64 // its number, see resetForGame
	tags        map[string][]fieldTag
	accepted    map[string]acceptedTag // the last accepted card of each reader
	windows     map[string]*tagWindow
	lastAwaited []engine.ReaderView // the public view of what the readers waited for, as last published
}

// fieldTag is a tag in the field of a reader.
type fieldTag struct {
	Tag
	arrivedAt time.Time
	early     bool      // the tag came as a single one and was ignored, because no card was awaited (GEN-E11)
	accepted  time.Time // zero if the tag was not accepted
}

// acceptedTag is a single tag that a reader has accepted.
type acceptedTag struct {
	fieldTag
	lastSeenAt time.Time // time of the acceptance, or of the removal if that is later
}

// tagWindow gathers the tags of one reader until it ends.
type tagWindow struct {
	ends time.Time
	tags []Tag
}

func newReaderFields() readerFields {
	return readerFields{tags: map[string][]fieldTag{}, accepted: map[string]acceptedTag{}, windows: map[string]*tagWindow{}}
}

// resetForGame forgets the former game if this is another one. The tags stay in the fields.
func (s *readerFields) resetForGame(id int64) {
	if s.game == id {
		return
	}
	s.game = id
	clear(s.windows)
	clear(s.accepted)
	for _, tags := range s.tags {
		for i := range tags {
			tags[i].early, tags[i].accepted = false, time.Time{}
		}
	}
}

// addTag adds a tag to the field of a reader, up to maxTags.
func (s *readerFields) addTag(at time.Time, reader string, t Tag) {
	if len(s.tags[reader]) < maxTags {
		s.tags[reader] = append(s.tags[reader], fieldTag{Tag: t, arrivedAt: at})
	}
}

// removeTag removes a tag from the field of a reader.
func (s *readerFields) removeTag(at time.Time, reader, uid string) {
	if l, ok := s.accepted[reader]; ok && l.UID == uid {
		l.lastSeenAt = at
		s.accepted[reader] = l
	}
	s.tags[reader] = slices.DeleteFunc(s.tags[reader], func(l fieldTag) bool { return l.UID == uid })
}

// removeGatheredTag removes a tag from the window of a reader.
func (s *readerFields) removeGatheredTag(reader, uid string) {
	w := s.windows[reader]
	if w == nil {
		return
	}
	w.tags = slices.DeleteFunc(w.tags, func(t Tag) bool { return t.UID == uid })
	if len(w.tags) == 0 {
		delete(s.windows, reader)
	}
}

// sameHandTags returns the tags in the field of a reader that form one presentation with a tag that comes now:
// all of them, but in the slot of the urn only those accepted less than slotHoldTime ago. An older one is
// assumed to be in the pile below.
func (s *readerFields) sameHandTags(at time.Time, reader string) (tags []Tag) {
	for _, l := range s.tags[reader] {
		if reader != engine.ReaderUrn || !l.accepted.IsZero() && at.Sub(l.accepted) < slotHoldTime {
			tags = append(tags, l.Tag)
		}
	}
	return tags
}

// restoreIfBounced puts a tag back into the field that has accepted it, if it returns within bounceTime and
// before any other. If it returns true the reading is no presentation.
func (s *readerFields) restoreIfBounced(at time.Time, reader string, reading Reading) (restored bool) {
	l, ok := s.accepted[reader]
	if len(reading.Tags) == 0 || !ok {
		return false
	}
	if len(reading.Tags) > 1 || reading.OthersPresent || len(s.tags[reader]) > 0 || reading.Tags[0].UID != l.UID ||
		at.Sub(l.lastSeenAt) >= bounceTime {
		delete(s.accepted, reader)
		return false
	}
	s.tags[reader] = append(s.tags[reader], l.fieldTag)
	return true
}

// isOnOtherReader reports whether one of these tags is also on another reader that answers, so that one of the two is
// a copy (GEN-E13). The tags of a lost reader may be long gone and do not count.
func (s *readerFields) isOnOtherReader(reader string, tags []Tag, states map[string]string) bool {
	for other, lying := range s.tags {
		if other == reader || states[other] == ReaderLost {
			continue
		}
		for _, l := range lying {
			if l.Card != "" && slices.ContainsFunc(tags, func(t Tag) bool { return t.UID == l.UID }) {
				return true
			}
		}
	}
	return false
}

// recordDecision stores the decision on the tags of a presentation; r is nil if they were accepted.
func (s *readerFields) recordDecision(now time.Time, reader string, tags []Tag, r *engine.Reject) {
	if r == nil && len(tags) == 1 {
		s.accepted[reader] = acceptedTag{fieldTag{Tag: tags[0], arrivedAt: now, accepted: now}, now}
	}
	for i := range s.tags[reader] {
		l := &s.tags[reader][i]
		if !slices.ContainsFunc(tags, func(t Tag) bool { return t.UID == l.UID }) {
			continue
		}
		l.early = len(tags) == 1 && r != nil && r.Code == engine.Unwanted && r.Rule == ruleIgnored
		if r == nil {
			l.accepted = now
		}
	}
}

// promoteEarlyTags gathers a card again, once, that came too early and is the only tag on its reader when the
// reader begins to wait for a seat or a kind of card. This depends only on public facts. It is a presentation
// like any other; at the urn it waits for urnWindow.
func (s *readerFields) promoteEarlyTags(now time.Time, readers []engine.ReaderView, urnWindow time.Duration) {
	for _, r := range readers {
		if slices.Contains(s.lastAwaited, r) {
			continue
		}
		lying := s.tags[r.Reader]
		if len(lying) != 1 || !lying[0].early || now.Sub(lying[0].arrivedAt) > maxEarlyAge {
			continue
		}
		lying[0].early = false
		ends := now
		if r.Reader == engine.ReaderUrn {
			ends = now.Add(urnWindow)
		}
		s.gatherTags(r.Reader, ends, lying[0].Tag)
	}
	s.lastAwaited = readers
}

// gatherTags adds tags to the window of a reader. If there is none it opens one that ends at ends.
func (s *readerFields) gatherTags(reader string, ends time.Time, tags ...Tag) {
	w := s.windows[reader]
	if w == nil {
		w = &tagWindow{ends: ends}
		s.windows[reader] = w
	}
	for _, t := range tags {
		if len(w.tags) < maxTags && !slices.ContainsFunc(w.tags, func(u Tag) bool { return u.UID == t.UID }) {
			w.tags = append(w.tags, t)
		}
	}
}

// isGathering reports whether a reader has an open window.
func (s *readerFields) isGathering(reader string) bool { return s.windows[reader] != nil }

// addWindowTimers passes to addTimer the end of each window, sorted by the name of its reader, with a function that
// closes the window and calls present with its tags.
func (s *readerFields) addWindowTimers(addTimer func(time.Time, func()), present func(reader string, tags []Tag)) {
	for _, reader := range slices.Sorted(maps.Keys(s.windows)) {
		w := s.windows[reader]
		addTimer(w.ends, func() { delete(s.windows, reader); present(reader, w.tags) })
	}
}

// isPlaceReader reports whether a reader is in a place of the house, and not on the table.
func isPlaceReader(reader string) bool { return strings.HasPrefix(reader, engine.ReaderPlace) }
