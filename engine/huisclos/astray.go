package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/presentation"
)

// Clues that cannot be where they are presented (GEN-E13). Whoever has copies of
// cards could else ask the readers, in private, where the cards lie.
//
// Where the seat that acts knows all that may be presented (its own hand, the place
// that it looks through, the opened urn), every other clue raises the alarm, whether
// or not the machine has it on record. Where it does not, a clue that the rules would
// let it present is believed unless it is on record elsewhere, and then the alarm is
// public. Of a clue whose place this seat knows by itself it hears the rule instead
// (GEN-E05).

// astray reports that a clue at a reader cannot come from where the actor must take
// it. plain: no rule that looks at the clue itself comes before that, as one does for
// a clue of a hand that is not known.
func (s *state) astray(by actor, c card) (no, plain bool) {
	x := by.seat
	at := s.seats[x].at
	switch {
	case s.phase == reveal, s.ownKnowledge(by, c):
		return false, false // what lies open is true (GEN-001)
	case s.phase == recovery:
		return true, true // what lies open is its own knowledge
	case s.step == stepDraw: // the rules ask nothing but whose it is
		return s.elsewhere(c, inHand(s.target), s.unnamed(s.target) > 0), true
	case s.phase == pick, s.step == stepTake:
		return by.k.place(at).count() == int(s.rooms[at].cards) || s.elsewhere(c, loc(at), true), true
	}
	all := s.knows(by.k, x) && !by.k.hand(x).has(c)
	return all || s.elsewhere(c, inHand(x), true), all
}

// ownKnowledge reports that the actor knows by itself where c lies: before all, on
// record in its hand, in its deposit or where it looks.
func (s *state) ownKnowledge(by actor, c card) bool {
	k := by.k
	for _, here := range k.places() {
		if here.has(c) {
			return true
		}
	}
	return (k.gone() | k.shown() | k.urn(by.seat)).has(c) || s.is(c, inHand(by.seat))
}

// elsewhere reports that c is on record at another spot than from. unread: from holds
// clues without a record, and c may be one.
func (s *state) elsewhere(c card, from loc, unread bool) bool {
	l, _ := s.clues[c].Open()
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
func (s *state) laid(c card, from loc) *engine.Reject {
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
