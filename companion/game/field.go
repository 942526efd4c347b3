package game

import (
	"slices"
	"strings"
	"time"

	"majordome/companion/master"
	"majordome/engine"
)

// rests is how long a pawn has to lie in a place before it says that it stands there: it may be
// pushed over other places on its way.
const rests = time.Second

// onReading handles one reading of a reader.
//
// At the urn an accepted card holds the slot until it has left it, but no longer than holdSlot: until then a further card is of the same
// hand (GEN-E06; Huis Clos 4.2). At every other reader of the table all that lies there is one presentation. What lay there when the
// reader was first heard is none.
//
// In a place pawns stand side by side, and of all tags there only theirs are read: a card that lies hidden in a room, or on its way into
// a hand, is as foreign there as any other.
func (c *core) onReading(at time.Time, reader string, seen Seen) {
	eachPart(c.parts, func(t master.CardTaker) { t.NoteCards(at, reader, seen.Tags[:min(len(seen.Tags), maxTags)]) })
	if c.sensing.bounced(at, reader, seen) {
		return
	}
	tags := slices.Clone(seen.Tags)
	if ofPlace(reader) && c.parts.taker() == nil {
		tags = pawnsOf(c.book, tags)
		seen.Tags, seen.Beside = tags, false
	}
	if seen.Beside {
		tags = append(tags, c.sensing.sameHand(at, reader)...)
	}
	for _, t := range seen.Tags {
		c.onLeft(reader, t.UID) // whatever was known of it
		c.sensing.addTag(at, reader, t)
	}
	if !seen.Found {
		c.present(at, reader, tags)
	}
}

// onLeft handles a tag that has left the field of a reader. One that is lifted during a scene, or before it has come to rest in a place,
// has not been presented; in the slot of the urn it has fallen.
func (c *core) onLeft(reader, uid string) {
	c.sensing.removeTag(c.Clock.Now(), reader, uid)
	if c.scene != nil && reader != engine.ReaderUrn || ofPlace(reader) {
		c.sensing.removeGathered(reader, uid)
	}
}

// ofPlace reports the role of a reader that is no reader of the table, but of a place of the house.
func ofPlace(reader string) bool { return strings.HasPrefix(reader, engine.ReaderPlace) }

// place is the name by which the game knows a reader: that of a place is its id. In a game without
// such a place its role is nobody's, and nothing waits there.
func (c *core) place(reader string) string {
	return engine.PlaceOfReader(reader, c.game.look().Public.Places)
}

// pawnsOf are the tags as a reader of a place tells them: those that are no pawn of this game have no
// name there.
func pawnsOf(book engine.Rulebook, tags []Tag) []Tag {
	known := engine.Pawns(book.Names())
	for i, t := range tags {
		if !slices.ContainsFunc(known, func(n engine.Name) bool { return n.ID == t.Card }) {
			tags[i].Card = ""
		}
	}
	return tags
}
