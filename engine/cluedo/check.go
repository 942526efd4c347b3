package cluedo

import (
	"fmt"

	"majordome/engine"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/hidden"
	"majordome/engine/internal/rules"
)

// CheckInvariants returns an error for the first broken invariant; nil when there is none. They come from
// the rules, 2.15, and from the representation:
//
//  1. The ledger is valid. Mystery cards: three in the envelope, those on the board, the hands, and
//     those declared lost are all of them (except during a count); no hand has more cards recorded
//     or claimed than all can count.
//  2. Event cards: the pile, at most seven on the track, Butler cards in hands, and those out of
//     the game are all of them.
//  3. No one wins after a wrong accusation: a seat that accused wrongly is out.
//  4. A murdered seat has no pawn, no Butler card and no turn; its hand is face up.
//  5. A hypothesis has at most one card shown in answer where the first one ends the questioning,
//     and no seat is asked twice.
//  6. A seat is awaited, or the game waits for the host or a moment, or is over.
//  7. Viewers: a hand is known to its seat and to those who were shown the card; cards on the board
//     to those who looked; the envelope to wrong accusers until the end.
func (s *state) CheckInvariants() error {
	return rules.CheckInvariants(
		"cluedo",
		s,
		checkMystery,
		checkEvents,
		checkWinners,
		checkMurdered,
		checkAnswers,
		checkAwaited,
		checkAudiences,
	)
}

func checkMystery(s *state) error {
	if err := s.cards.Check(len(s.book.cardID) - 1); err != nil {
		return err
	}
	if s.phase != dealing && !s.isDealComplete() {
		return nil
	}
	total := 3 + s.countInPlay() + int(s.count.Lost)
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if n := (s.cards.RecordedOrClaimed(x) & s.book.mysteryCards()).Count(); n > int(s.seats[x].cards) {
			return fmt.Errorf("%s holds %d cards, %d are recorded", x, s.seats[x].cards, n)
		}
	}
	if total != s.book.mysteryCards().Count() && !s.count.Counting {
		return fmt.Errorf("%d mystery cards of %d", total, s.book.mysteryCards().Count())
	}
	for a := range s.faceDownCount {
		if n := s.recordedFaceDownCards(area(a)).Count(); n > int(s.faceDownCount[a]) {
			return fmt.Errorf("%d cards lie in area %d, %d are recorded", s.faceDownCount[a], a, n)
		}
	}
	if n := s.recordedKnowledge().knownEnvelope().Count(); n > 3 {
		return fmt.Errorf("%d cards in the envelope", n)
	}
	return nil
}

func checkEvents(s *state) error {
	if s.track > s.book.trackLimit() {
		return fmt.Errorf("%d Time cards on the track", s.track)
	}
	if on := s.cards.CardsAt(locTrack).Count(); on != int(s.track) {
		return fmt.Errorf("the track shows %d of %d cards", s.track, on)
	}
	if s.book.hasHeldCards() && s.drawPileSize() < 1 && s.phase == turn && !s.isPileEmpty() { // C8-142
		return fmt.Errorf("the pile is empty")
	}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if s.countUnnamedButlers(x) < 0 {
			return fmt.Errorf("%s holds fewer Butler cards than are recorded", x)
		}
	}
	return nil
}

func checkWinners(s *state) error {
	if s.result == nil {
		return nil
	}
	for _, x := range s.result.Winners {
		if !s.canWin(x) {
			return fmt.Errorf("%s wins and is out", x)
		}
	}
	return nil
}

func checkMurdered(s *state) error {
	for x := engine.Seat(1); x <= maxSeats; x++ {
		p := &s.seats[x]
		if !p.dead {
			continue
		}
		if s.pawns[p.suspect].kind != onNothing || p.butlers > 0 || s.phase == turn && s.active == x {
			return fmt.Errorf("%s is murdered and goes on", x)
		}
	}
	return nil
}

func checkAnswers(s *state) error {
	shown := 0
	for _, a := range s.hyp.answerOf {
		if a == saidShown {
			shown++
		}
	}
	if shown > 1 && s.policyValue(polAskOrder) == "until-first" {
		return fmt.Errorf("%d cards shown for one hypothesis", shown)
	}
	return nil
}

func checkAwaited(s *state) error {
	waits := s.count.IsPlayStopped() || s.phase == lobby || s.phase == over || s.phase == dealing || s.step == stepShown && s.phase == turn
	if !waits && s.awaitedSeat() == 0 {
		return fmt.Errorf("phase %s, step %d: nobody is awaited", phaseRows[s.phase].code, s.step)
	}
	if x := s.awaitedSeat(); s.phase == turn && x != 0 && s.seats[x].dead {
		return fmt.Errorf("a murdered seat is awaited")
	}
	return nil
}

func checkAudiences(s *state) error {
	looked := hidden.Nobody
	for x := range s.seats {
		if s.seats[x].sawEnvelope {
			looked = looked.Union(hidden.OnlySeats(engine.Seat(x)))
		}
	}
	for c := card(1); int(c) < len(s.book.cardID); c++ {
		l, aud := s.cards.LocationOf(c), s.cards.AudienceOf(c)
		switch {
		case l == locUnknown || l == locPile:
			if aud != hidden.Nobody && s.phase != over {
				return fmt.Errorf("a card without a record is known to somebody")
			}
		case l == locEnvelope && aud.Union(looked) != looked && s.phase != over:
			return fmt.Errorf("the envelope is open")
		case l > custody.HandBase && !aud.Contains(engine.SeatViewer(engine.Seat(l-custody.HandBase))):
			return fmt.Errorf("a seat does not know its own card")
		}
	}
	return nil
}
