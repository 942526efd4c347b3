package game

import (
	"maps"
	"slices"
	"time"

	"majordome/engine"
)

const (
	// holdSlot is how long an accepted card in the slot of the urn keeps it for the hand that laid it.
	holdSlot = 10 * time.Second
	// keepEarly is how long a card that came too early is kept for the one that is then awaited; one that lies longer has been forgotten.
	keepEarly = 30 * time.Second
	// bounce is how long after a card was accepted, or has left then, its tag may come back to that reader without being a presentation
	// again (GEN-E04). No other hand lays a copy so soon; any longer, the silence would tell a player who tries copies which card was
	// accepted (GEN-E13).
	bounce = 500 * time.Millisecond
)

// sensing tracks the tags in the fields of the readers, and gathers those that are still to be judged. It knows no game.
type sensing struct {
	fields   map[string][]lyingTag
	accepted map[string]acceptedTag // the card accepted last at each reader
	windows  map[string]*window
	awaited  []engine.ReaderView // what the readers were last shown to wait for
}

// lyingTag is a tag that has come into the field of a reader and has not left it.
type lyingTag struct {
	Tag
	came     time.Time
	early    bool      // a single tag that was ignored: no card was awaited (GEN-E11)
	accepted time.Time // zero: it was not
}

// acceptedTag is a single tag that was accepted at a reader.
type acceptedTag struct {
	lyingTag
	last time.Time // when it was accepted or, if later, has left
}

// window gathers what one reader sees until it ends.
type window struct {
	ends time.Time
	tags []Tag
}

func newSensing() sensing {
	return sensing{fields: map[string][]lyingTag{}, accepted: map[string]acceptedTag{}, windows: map[string]*window{}}
}

// reset forgets the former game; the tags in the fields stay.
func (s *sensing) reset() {
	clear(s.windows)
	clear(s.accepted)
	for _, tags := range s.fields {
		for i := range tags {
			tags[i].early, tags[i].accepted = false, time.Time{}
		}
	}
}

// addTag adds a tag to the field of a reader, up to maxTags.
func (s *sensing) addTag(at time.Time, reader string, t Tag) {
	if len(s.fields[reader]) < maxTags {
		s.fields[reader] = append(s.fields[reader], lyingTag{Tag: t, came: at})
	}
}

// removeTag removes a tag from the field of a reader.
func (s *sensing) removeTag(at time.Time, reader, uid string) {
	if l, ok := s.accepted[reader]; ok && l.UID == uid {
		l.last = at
		s.accepted[reader] = l
	}
	s.fields[reader] = slices.DeleteFunc(s.fields[reader], func(l lyingTag) bool { return l.UID == uid })
}

// removeGathered removes a tag from the window of a reader.
func (s *sensing) removeGathered(reader, uid string) {
	w := s.windows[reader]
	if w == nil {
		return
	}
	w.tags = slices.DeleteFunc(w.tags, func(t Tag) bool { return t.UID == uid })
	if len(w.tags) == 0 {
		delete(s.windows, reader)
	}
}

// sameHand returns the tags in the field of a reader that form one presentation with a tag that arrives now: all of them, but in the slot
// of the urn only those that were accepted less than holdSlot ago. After that the first is taken for one of the pile underneath.
func (s *sensing) sameHand(at time.Time, reader string) (tags []Tag) {
	for _, l := range s.fields[reader] {
		if reader != engine.ReaderUrn || !l.accepted.IsZero() && at.Sub(l.accepted) < holdSlot {
			tags = append(tags, l.Tag)
		}
	}
	return tags
}

// bounced takes a tag back into the field in which it was accepted within bounce, if nothing has followed it there.
func (s *sensing) bounced(at time.Time, reader string, seen Seen) bool {
	l, ok := s.accepted[reader]
	if len(seen.Tags) == 0 || !ok {
		return false
	}
	if len(seen.Tags) > 1 || seen.Beside || len(s.fields[reader]) > 0 || seen.Tags[0].UID != l.UID || at.Sub(l.last) >= bounce {
		delete(s.accepted, reader)
		return false
	}
	s.fields[reader] = append(s.fields[reader], l.lyingTag)
	return true
}

// doubled reports that one of these tags lies at another reader that answers, too: one of the two is a copy (GEN-E13). What a lost
// reader has last seen may have been taken away long ago.
func (s *sensing) doubled(reader string, tags []Tag, states map[string]string) bool {
	for other, lying := range s.fields {
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

// judged remembers what became of the tags of a presentation; r is nil where they were accepted.
func (s *sensing) judged(now time.Time, reader string, tags []Tag, r *engine.Reject) {
	if r == nil && len(tags) == 1 {
		s.accepted[reader] = acceptedTag{lyingTag{Tag: tags[0], came: now, accepted: now}, now}
	}
	for i := range s.fields[reader] {
		l := &s.fields[reader][i]
		if !slices.ContainsFunc(tags, func(t Tag) bool { return t.UID == l.UID }) {
			continue
		}
		l.early = len(tags) == 1 && r != nil && r.Code == engine.Unwanted && r.Rule == ruleIgnored
		if r == nil {
			l.accepted = now
		}
	}
}

// recall presents a card again, once, that came to a reader too early and still lies there alone when the reader begins to wait, for a
// seat or for a kind. It depends on what all see: the card on the reader, and who is awaited there. To the table it is a
// presentation like any other; at the urn it is gathered for urnWindow.
func (s *sensing) recall(now time.Time, readers []engine.ReaderView, urnWindow time.Duration) {
	for _, r := range readers {
		if slices.Contains(s.awaited, r) {
			continue
		}
		lying := s.fields[r.Reader]
		if len(lying) != 1 || !lying[0].early || now.Sub(lying[0].came) > keepEarly {
			continue
		}
		lying[0].early = false
		ends := now
		if r.Reader == engine.ReaderUrn {
			ends = now.Add(urnWindow)
		}
		s.gather(r.Reader, ends, lying[0].Tag)
	}
	s.awaited = readers
}

// gather adds tags to the window of a reader; one that opens now ends then.
func (s *sensing) gather(reader string, ends time.Time, tags ...Tag) {
	w := s.windows[reader]
	if w == nil {
		w = &window{ends: ends}
		s.windows[reader] = w
	}
	for _, t := range tags {
		if len(w.tags) < maxTags && !slices.ContainsFunc(w.tags, func(u Tag) bool { return u.UID == t.UID }) {
			w.tags = append(w.tags, t)
		}
	}
}

// gathers reports that a window is open at a reader.
func (s *sensing) gathers(reader string) bool { return s.windows[reader] != nil }

// dueWindows names when each window ends, in the order of the readers, and has judge called with its tags then.
func (s *sensing) dueWindows(due func(time.Time, func()), judge func(reader string, tags []Tag)) {
	for _, reader := range slices.Sorted(maps.Keys(s.windows)) {
		w := s.windows[reader]
		due(w.ends, func() { delete(s.windows, reader); judge(reader, w.tags) })
	}
}
