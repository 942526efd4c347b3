package huisclos

import (
	"slices"

	"majordome/engine"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/hidden"
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

// mustRaiseAlarm reports whether a clue at a reader cannot come from where the actor must take it, and so
// raises the alarm. beforeRules: it does so before any rule is applied to the clue.
func (s *recordState) mustRaiseAlarm(by actor, c card) (alarm, beforeRules bool) {
	x, k := by.seat, by.knowledge
	at := s.seats[x].at
	switch {
	case s.phase == phaseReveal, s.phase == phaseRecovery, (k.goneClues() | k.shownClues()).Contains(c):
		return false, false // an open clue belongs where it is shown (GEN-001)
	case s.step == stepDraw: // what was given first cannot come back (HC-084)
		return c == k.given || s.isRecordedElsewhere(c, custody.HandOf(s.target), s.countUnnamedInHand(s.target) > 0), true
	case s.phase == phasePick, s.step == stepTake:
		if k.knownCluesIn(at).Count() == int(s.rooms[at].cards) {
			return !k.knownCluesIn(at).Contains(c) && !(isWeapon(c) && s.step == stepTake), true
		}
		return s.isRecordedElsewhere(c, loc(at), true), true
	case k.knowsHand(x) && !k.knownHandOf(x).Contains(c):
		return s.phase == phaseDeposit && !(isWeapon(c) && s.countKilledBy(c) > 0), true
	}
	own := !k.knowsHand(x) && k.isSeenOrTaken(c)
	return own || s.isRecordedElsewhere(c, custody.HandOf(x), true), own
}

// isSeenOrTaken reports whether the actor, as the only one, sees that c is not in the part of its hand
// that may be given: it is among the clues that the actor looks through, or was just taken.
func (k *knowledge) isSeenOrTaken(c card) bool {
	return c == k.taken || slices.ContainsFunc(k.knownCluesPerPlace(), func(here set) bool { return here.Contains(c) })
}

// isRecordedElsewhere reports whether c is recorded at another location than from. hasUnrecorded: from has unrecorded
// clues, and c may be one of them.
func (s *recordState) isRecordedElsewhere(c card, from loc, hasUnrecorded bool) bool {
	l := s.ledger.LocationOf(c)
	return l != from && (l != locSomewhere || !hasUnrecorded)
}

// isSameReadingAgain reports whether this reads again the card that was accepted last (GEN-E04), or a clue
// that all have seen being recovered and that is still on its way into the hand.
func (s *inquiryState) isSameReadingAgain(at engine.Millis, id string) bool {
	before, _ := s.lastRead.Open()
	since := at - s.lastReadAt
	return before != 0 && before == s.book.readerCardByID(id) &&
		(since < presentation.RepeatWindow || s.phase == phaseRecovery && since < liftTime)
}

// alarmIfRecordedElsewhere refuses with the alarm a clue that is named in public, as destroyed or as evidence, and is
// recorded elsewhere than at from.
func (s *recordState) alarmIfRecordedElsewhere(c card, from loc) *engine.Reject {
	if s.isRecordedElsewhere(c, from, true) {
		return presentation.NewAlarmReject()
	}
	return nil
}

// rememberLastRead stores the card that was accepted last; zero: an unnamed clue.
func (s *inquiryState) rememberLastRead(card readerCard, at engine.Millis) {
	s.lastRead, s.lastReadAt = hidden.NewSmall(card, hidden.Nobody), at
}

func (s *inquiryState) rememberLastReadFrom(e *event) { s.rememberLastRead(readerCard(e.clue()), e.at) }

// forgetLastRead forgets the last card, because another act begins: the same clue may be meant again.
func (s *inquiryState) forgetLastRead() { s.lastRead = hidden.SmallValue[readerCard]{} }
