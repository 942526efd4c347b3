package huisclos

import (
	"slices"

	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/presentation"
)

// Clues that cannot be where they are presented (GEN-E13). Somebody with copies of
// cards could else ask the readers where the cards lie: the seat that acts in private,
// and a bystander, who lays a copy beside that seat, by what the table is told.
//
//   - Where clues lie open, any other clue is not wanted: the rules refuse it.
//   - Where the seat that acts takes a clue from a place or another hand, every clue that
//     cannot come from there raises the alarm, those of its own hand too. In a place that it
//     looks through the rules may refuse weapons alone: there they refuse every other weapon.
//   - Where it gives one of its own hand and knows all of it, the rules refuse every other
//     clue. At the urn such a clue raises the alarm, unless it would kill: of the clues in
//     the hand, those that kill are the only ones that may be refused there.
//   - Where it does not know all of its hand, the rules judge what they can by that seat's
//     knowledge; a clue on record elsewhere then raises the alarm, and so does a clue
//     that this seat alone can tell to lie elsewhere.

// astray reports that a clue at a reader cannot come from where the actor must take
// it, and is met by the alarm. plain: before any rule looks at the clue.
func (s *recordState) astray(by actor, c card) (no, plain bool) {
	x, k := by.seat, by.knowledge
	at := s.seats[x].at
	switch {
	case s.phase == reveal, s.phase == recovery, (k.gone() | k.shown()).Has(c):
		return false, false // what lies open is true (GEN-001)
	case s.step == stepDraw: // what was given first cannot come back (HC-084)
		return c == k.given || s.elsewhere(c, custody.HandOf(s.target), s.unnamed(s.target) > 0), true
	case s.phase == pick, s.step == stepTake:
		if k.place(at).Count() == int(s.rooms[at].cards) {
			return !k.place(at).Has(c) && !(isWeapon(c) && s.step == stepTake), true
		}
		return s.elsewhere(c, loc(at), true), true
	case k.knows(x) && !k.hand(x).Has(c):
		return s.phase == deposit && !(isWeapon(c) && s.kills(c) > 0), true
	}
	own := !k.knows(x) && k.seenApart(c)
	return own || s.elsewhere(c, custody.HandOf(x), true), own
}

// seenApart reports that the actor alone sees that c lies elsewhere than in the part of its
// hand that may be given: where it looks, or just taken.
func (k *knowledge) seenApart(c card) bool {
	return c == k.taken || slices.ContainsFunc(k.places(), func(here set) bool { return here.Has(c) })
}

// elsewhere reports that c is on record at another spot than from. unread: from holds
// clues without a record, and c may be one.
func (s *recordState) elsewhere(c card, from loc, unread bool) bool {
	l := s.cards.At(c)
	return l != from && (l != locSomewhere || !unread)
}

// same reports that this is the reading of the card that was accepted last (GEN-E04),
// or one that all have seen being recovered and that is still on its way into the hand.
func (s *state) same(at engine.Millis, id string) bool {
	before, _ := s.read.Open()
	since := at - s.readAt
	return before != 0 && before == s.book.tagged(id) && (since < presentation.Moment || s.phase == recovery && since < lifts)
}

// laid judges a clue that is named for all to see, as destroyed or as evidence: one
// that is on record elsewhere cannot lie there.
func (s *recordState) laid(c card, from loc) *engine.Reject {
	if s.elsewhere(c, from, true) {
		return presentation.Alarm()
	}
	return nil
}

// keepRead notes the card that was accepted last; a clue may have no name.
func (s *state) keepRead(card tagged, at engine.Millis) {
	s.read, s.readAt = box.SealSmall(card, box.Nobody), at
}

func (s *state) keepReadOf(e *event) { s.keepRead(tagged(e.clue()), e.at) }

// nothingRead begins another act: the same clue may be meant.
func (s *state) nothingRead() { s.read = box.Small[tagged]{} }
