package huisclos

import (
	"slices"

	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/presentation"
)

// Clues that cannot be where they are presented (GEN-E13). Without these rules a player with copies of
// cards could ask the readers where the cards are: as the seat that acts, by its private answers; as a
// bystander who presents a copy at that seat's turn, by the public answers.
//
//  - Where clues are open, the rules refuse any other clue.
//  - Where the acting seat takes a clue from a place or another hand, every clue that
//    cannot come from there raises the alarm, even one of its own hand. In a place that it
//    looks through, the rules may refuse only weapons; so there they also refuse every
//    weapon from elsewhere.
//  - Where the seat gives a clue of its own hand and knows the whole hand, the rules refuse
//    every other clue. At the urn such a clue raises the alarm, unless it would kill: of the
//    clues in the hand, only those that kill can be refused there.
//  - Where the seat does not know its whole hand, the rules decide by its knowledge. Then a
//    clue on record elsewhere raises the alarm, and so does a clue that only this seat can
//    know to be elsewhere.

// checkAstray reports whether a clue at a reader cannot come from where the actor must take it, and so
// raises the alarm. beforeRules: it does so before any rule is applied to the clue.
func (s *recordState) astray(by actor, c card) (no, plain bool) {
	x, k := by.seat, by.knowledge
	at := s.seats[x].at
	switch {
	case s.phase == reveal, s.phase == recovery, (k.gone() | k.shown()).Has(c):
		return false, false // an open clue is where it is shown (GEN-001)
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

// isKnownElsewhere reports whether the actor, as the only one, sees that c is not in the part of its hand
// that may be given: it is among the clues that the actor looks through, or was just taken.
func (k *knowledge) seenApart(c card) bool {
	return c == k.taken || slices.ContainsFunc(k.places(), func(here set) bool { return here.Has(c) })
}

// isElsewhere reports whether c is recorded at another location than from. unread: from holds unrecorded
// clues, and c may be one of them.
func (s *recordState) elsewhere(c card, from loc, unread bool) bool {
	l := s.cards.At(c)
	return l != from && (l != locSomewhere || !unread)
}

// isRepeatedReading reports whether this reads again the card that was accepted last (GEN-E04), or a clue
// that all have seen being recovered and that is still on its way into the hand.
func (s *state) same(at engine.Millis, id string) bool {
	before, _ := s.read.Open()
	since := at - s.readAt
	return before != 0 && before == s.book.tagged(id) &&
		(since < presentation.Moment || s.phase == recovery && since < lifts)
}

// checkOpenClue refuses with the alarm a clue that is named in public, as destroyed or as evidence, and is
// recorded elsewhere than at from.
func (s *recordState) laid(c card, from loc) *engine.Reject {
	if s.elsewhere(c, from, true) {
		return presentation.Alarm()
	}
	return nil
}

// setLastRead stores the card that was accepted last; zero: an unnamed clue.
func (s *state) keepRead(card tagged, at engine.Millis) {
	s.read, s.readAt = box.SealSmall(card, box.Nobody), at
}

func (s *state) keepReadOf(e *event) { s.keepRead(tagged(e.clue()), e.at) }

// clearLastRead forgets the last card, because another act begins: the same clue may be meant again.
func (s *state) nothingRead() { s.read = box.Small[tagged]{} }
