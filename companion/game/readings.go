package game

import (
	"slices"
	"strings"
	"time"

	"majordome/companion/master"
	"majordome/engine"
)

// pawnRest is the time that a pawn has to be in a place before it counts as moved there: a player may push it over
// other places on its way.
const pawnRest = time.Second

// handleReading handles one reading of a reader.
//
// At the urn an accepted card keeps the slot until it leaves, for at most slotHoldTime; until then a further
// card is from the same hand (GEN-E06; Huis Clos 4.2). At each other reader of the table all tags in the field
// are one presentation. Tags that were on the reader when it first answered are none.
//
// A place may hold several pawns, and only tags of pawns are read there. A card that is hidden in a room, or on
// its way into a hand, counts as any foreign tag.
func (c *core) handleReading(at time.Time, reader string, reading Reading) {
	eachPart(c.parts, func(t master.CardTaker) { t.NoteCards(at, reader, reading.Tags[:min(len(reading.Tags), maxTags)]) })
	if c.fields.restoreBounced(at, reader, reading) {
		return
	}
	tags := slices.Clone(reading.Tags)
	if isPlaceReader(reader) && c.parts.cardTaker() == nil {
		tags = hideNonPawns(c.book, tags)
		reading.Tags, reading.OthersPresent = tags, false
	}
	if reading.OthersPresent {
		tags = append(tags, c.fields.sameHandTags(at, reader)...)
	}
	for _, t := range reading.Tags {
		c.handleTagLeft(reader, t.UID) // in case it was still listed
		c.fields.addTag(at, reader, t)
	}
	if !reading.FoundAtStart {
		c.presentTags(at, reader, tags)
	}
}

// handleTagLeft handles a tag that has left the field of a reader. A tag that is lifted during a scene, or from
// a place before pawnRest is over, was not presented. In the slot of the urn it has fallen into the pile and
// still counts.
func (c *core) handleTagLeft(reader, uid string) {
	c.fields.removeTag(c.Clock.Now(), reader, uid)
	if c.scene != nil && reader != engine.ReaderUrn || isPlaceReader(reader) {
		c.fields.removeGathered(reader, uid)
	}
}

// isPlaceReader reports whether a role belongs to a reader in a place of the house, and not to one of the
// table.
func isPlaceReader(reader string) bool { return strings.HasPrefix(reader, engine.ReaderPlace) }

// readerName returns the name by which the game knows a reader: for one in a place the id of the place. If the
// game has no such place it is the role itself, which the game never waits for.
func (c *core) readerName(reader string) string {
	return engine.PlaceOfReader(reader, c.game.currentViews().Public.Places)
}

// hideNonPawns removes the names of all tags that are not pawns of this game, so that they count as foreign.
func hideNonPawns(book engine.Rulebook, tags []Tag) []Tag {
	known := engine.PawnNames(book.Names())
	for i, t := range tags {
		if !slices.ContainsFunc(known, func(n engine.Name) bool { return n.ID == t.Card }) {
			tags[i].Card = ""
		}
	}
	return tags
}
