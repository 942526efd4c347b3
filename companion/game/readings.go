package game

import (
	"reflect"
	"slices"
	"time"

	"majordome/companion/master"
	"majordome/companion/wire"
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
	eachPart(c.parts, func(t master.CardTaker) { t.ObserveCards(at, reader, reading.Tags[:min(len(reading.Tags), maxTags)]) })
	if c.tagFields.restoreIfBounced(at, reader, reading) {
		return
	}
	tags := slices.Clone(reading.Tags)
	if isPlaceReader(reader) && c.parts.activeCardTaker() == nil {
		tags = forgetNonPawnCards(c.book, tags)
		reading.Tags, reading.OthersPresent = tags, false
	}
	if reading.OthersPresent {
		tags = append(tags, c.tagFields.sameHandTags(at, reader)...)
	}
	for _, t := range reading.Tags {
		c.removeLeftTag(reader, t.UID) // in case it was still listed
		c.tagFields.addTag(at, reader, t)
	}
	if !reading.FoundAtStart {
		c.presentTags(at, reader, tags)
	}
}

// removeLeftTag handles a tag that has left the field of a reader. A tag that is lifted during a scene, or from
// a place before pawnRest is over, was not presented. In the slot of the urn it has fallen into the pile and
// still counts.
func (c *core) removeLeftTag(reader, uid string) {
	c.tagFields.removeTag(c.Clock.Now(), reader, uid)
	if c.scene != nil && reader != engine.ReaderUrn || isPlaceReader(reader) {
		c.tagFields.removeGatheredTag(reader, uid)
	}
}

// forgetNonPawnCards removes the names of all tags that are not pawns of this game, so that they count as foreign.
func forgetNonPawnCards(book engine.Rulebook, tags []Tag) []Tag {
	known := engine.NamesOfPawns(book.Names())
	for i, t := range tags {
		if !slices.ContainsFunc(known, func(n engine.Name) bool { return n.ID == t.Card }) {
			tags[i].Card = ""
		}
	}
	return tags
}

// presentTags handles the tags of one reading. At the urn they wait until the window ends. So does a card that
// another reader still reports: it may just have been moved. In a place a tag waits for pawnRest. During a
// scene all wait until it ends, because an answer would show who is next, and so who is alive; an unreadable
// tag at a reader other than the urn is dropped then, because the player can put it down again.
func (c *core) presentTags(at time.Time, reader string, tags []Tag) {
	if t := c.parts.activeCardTaker(); t != nil {
		t.TakeCards(reader, tags[:min(len(tags), maxTags)])
		return
	}
	wait := c.UrnWindow
	if reader != engine.ReaderUrn {
		switch {
		case c.scene != nil && len(tags) == 0:
			return
		case isPlaceReader(reader):
			wait = pawnRest
		case c.scene == nil && !c.tagFields.isGathering(reader) && !c.tagFields.isOnOtherReader(reader, tags, c.readerStates):
			c.playPresentation(reader, tags)
			return
		}
	}
	c.tagFields.gatherTags(reader, at.Add(wait), tags...)
}

// playPresentation plays the tags of one presentation as one command, and publishes one step. It does not show
// that a card was accepted before the card takes effect.
func (c *core) playPresentation(reader string, tags []Tag) {
	c.dropReaderNotices(reader)
	var cards []engine.ID
	foreign := 0
	for _, t := range tags[:min(len(tags), maxTags)] {
		switch {
		case t.Card == "":
			foreign++
		case !slices.Contains(cards, t.Card):
			cards = append(cards, t.Card)
		}
	}
	cmd := engine.ScanCommand(c.gameTime(), c.readerName(reader), cards, foreign)
	if c.tagFields.isOnOtherReader(reader, tags, c.readerStates) {
		cmd.Args[engine.ArgDoubled] = "1"
	}
	before, due := c.game.currentViews().Public, c.game.Deadlines()
	r := c.playCommand(cmd, master.ByScan)
	c.tagFields.recordDecision(c.Clock.Now(), reader, tags, r)
	toPublish := scanNotices(reader, r)
	if r == nil && !slices.Equal(due, c.game.Deadlines()) && reflect.DeepEqual(before, c.game.currentViews().Public) {
		// The card takes effect later, as an answer to a hypothesis does. Until then only its seat, whose view
		// has changed, may know that a card was placed (C8-158). A dealt card takes effect at once, and the
		// dealer has to see that it was accepted.
		toPublish = notices{}
	}
	c.recordReaderAnswer(reader, toPublish.public)
	c.publish(toPublish)
}

// recordReaderAnswer stores a public answer of a reader, for the minutes and for the parts.
func (c *core) recordReaderAnswer(reader string, answer *wire.Notice) {
	if answer == nil {
		return
	}
	c.readerAnswers.addAnswer(MinutesLine{Wall: c.Clock.Now(), Said: answer.Msg, Rule: answer.Rule})
	for _, o := range c.parts.observers {
		o.ObserveAnswer(reader, answer)
	}
}
