package table

import (
	"slices"
	"strings"
	"time"

	"majordome/engine"
)

// holdSlot is how long an accepted card that still lies in the slot of the urn
// keeps it for the hand that laid it.
const holdSlot = 10 * time.Second

// keepEarly is how long a card that came before anybody was to lay one is taken
// for the one that is then awaited; one that lies longer has been forgotten.
const keepEarly = 30 * time.Second

// bounce is how long after a card was accepted, or has left then, its tag may come back
// to that reader without being a presentation anew (GEN-E04). No other hand lays a copy
// so soon; any longer, the silence would tell whoever is next, who tries copies, which
// card was accepted (GEN-E13).
const bounce = 500 * time.Millisecond

// rests is how long a pawn has to lie in a place before it says that it stands there: it may be
// pushed over other places on its way.
const rests = time.Second

// lain is a tag that has come into the field of a reader and has not left it.
type lain struct {
	Tag
	came     time.Time
	early    bool      // alone, and ignored: nobody was to lay a card (GEN-E11)
	accepted time.Time // zero: it was not
}

// see takes what a reader tells.
//
// At the urn an accepted card holds the slot until it has left it, but no longer
// than holdSlot: until then a further card is of the same hand (GEN-E06; Huis
// Clos 4.2), after that the first is taken for one of the pile underneath. At
// every other reader of the table all that lies there is one presentation. What lay there when the
// reader was first heard is none.
//
// In a place pawns stand side by side, and of all tags there only theirs are read: a card that lies
// hidden in a room, or on its way into a hand, is as foreign there as any other.
func (c *core) see(at time.Time, reader string, seen Seen) {
	c.glimpse(at, reader, seen.Tags)
	if c.bounced(at, reader, seen) {
		return
	}
	tags := slices.Clone(seen.Tags)
	if ofPlace(reader) && c.inventory == nil {
		tags = c.pawns(tags)
		seen.Tags, seen.Beside = tags, false
	}
	if seen.Beside {
		for _, l := range c.fields[reader] {
			if reader != engine.ReaderUrn || !l.accepted.IsZero() && at.Sub(l.accepted) < holdSlot {
				tags = append(tags, l.Tag)
			}
		}
	}
	for _, t := range seen.Tags {
		c.left(reader, t.UID)
		if len(c.fields[reader]) < maxTags {
			c.fields[reader] = append(c.fields[reader], lain{Tag: t, came: at})
		}
	}
	if !seen.Found {
		c.present(at, reader, tags)
	}
}

// bounced takes a tag back into the field that has only just been accepted there and
// that nothing has followed.
func (c *core) bounced(at time.Time, reader string, seen Seen) bool {
	l, ok := c.passed[reader]
	if len(seen.Tags) == 0 || !ok {
		return false
	}
	if len(seen.Tags) > 1 || seen.Beside || len(c.fields[reader]) > 0 || seen.Tags[0].UID != l.UID || at.Sub(l.last) >= bounce {
		delete(c.passed, reader)
		return false
	}
	c.fields[reader] = append(c.fields[reader], l.lain)
	return true
}

// left forgets a tag that lies no more at a reader. One that is lifted during a scene, or before it
// has come to rest in a place, has not been laid; in the slot of the urn it has fallen.
func (c *core) left(reader, uid string) {
	if l, ok := c.passed[reader]; ok && l.UID == uid {
		l.last = c.Clock.Now()
		c.passed[reader] = l
	}
	c.fields[reader] = slices.DeleteFunc(c.fields[reader], func(l lain) bool { return l.UID == uid })
	if w := c.windows[reader]; w != nil && (c.scene != nil && reader != engine.ReaderUrn || ofPlace(reader)) {
		w.tags = slices.DeleteFunc(w.tags, func(t Tag) bool { return t.UID == uid })
		if len(w.tags) == 0 {
			delete(c.windows, reader)
		}
	}
}

// passed is a tag that was accepted alone at a reader.
type passed struct {
	lain
	last time.Time // when it was accepted or, if later, has left
}

// doubled reports that one of these tags lies at another reader that answers too:
// one of the two is a copy (GEN-E13). What a lost reader has last seen may have been
// taken away long ago.
func (c *core) doubled(reader string, tags []Tag) bool {
	for other, lie := range c.fields {
		if other == reader || c.readers[other] == ReaderLost {
			continue
		}
		for _, l := range lie {
			if l.Card != "" && slices.ContainsFunc(tags, func(t Tag) bool { return t.UID == l.UID }) {
				return true
			}
		}
	}
	return false
}

// judged remembers what became of the tags of a presentation.
func (c *core) judged(reader string, tags []Tag, r *engine.Reject) {
	if now := c.Clock.Now(); r == nil && len(tags) == 1 {
		c.passed[reader] = passed{lain{Tag: tags[0], came: now, accepted: now}, now}
	}
	for i := range c.fields[reader] {
		l := &c.fields[reader][i]
		if !slices.ContainsFunc(tags, func(t Tag) bool { return t.UID == l.UID }) {
			continue
		}
		l.early = len(tags) == 1 && r != nil && r.Code == engine.Unwanted && r.Rule == ruleIgnored
		if r == nil {
			l.accepted = c.Clock.Now()
		}
	}
}

// recall presents a card anew, once, that came to a reader too early and still
// lies there alone when the reader begins to wait, for a seat or for a kind. It
// hangs on what all see: the card on the reader, and whom the reader waits for.
// To the table it is a presentation like any other.
func (c *core) recall(readers []engine.ReaderView) {
	now := c.Clock.Now()
	for _, r := range readers {
		if slices.Contains(c.waited, r) {
			continue
		}
		lie := c.fields[r.Reader]
		if len(lie) != 1 || !lie[0].early || now.Sub(lie[0].came) > keepEarly {
			continue
		}
		lie[0].early = false
		ends := now
		if r.Reader == engine.ReaderUrn { // as every card there
			ends = now.Add(c.UrnWindow)
		}
		c.window(r.Reader, ends).add(lie[0].Tag)
	}
	c.waited = readers
}

// window is what is gathered at a reader, from now on if nothing is yet.
func (c *core) window(reader string, ends time.Time) *window {
	w := c.windows[reader]
	if w == nil {
		w = &window{ends: ends}
		c.windows[reader] = w
	}
	return w
}

func (w *window) add(t Tag) {
	if len(w.tags) < maxTags && !slices.ContainsFunc(w.tags, func(u Tag) bool { return u.UID == t.UID }) {
		w.tags = append(w.tags, t)
	}
}

// ofPlace reports the role of a reader that is no reader of the table, but of a place of the house.
func ofPlace(reader string) bool { return strings.HasPrefix(reader, engine.ReaderPlace) }

// place is the name by which the game knows a reader: that of a place is its id. In a game without
// such a place its role is nobody's, and nothing waits there.
func (c *core) place(reader string) string {
	return engine.PlaceOfReader(reader, c.game.look().Public.Places)
}

// pawns are the tags as a reader of a place tells them: those that are no pawn of this game have no
// name there.
func (c *core) pawns(tags []Tag) []Tag {
	known := engine.Pawns(c.book.Names())
	for i, t := range tags {
		if !slices.ContainsFunc(known, func(n engine.Name) bool { return n.ID == t.Card }) {
			tags[i].Card = ""
		}
	}
	return tags
}
