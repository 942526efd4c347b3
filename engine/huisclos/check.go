package huisclos

import (
	"fmt"

	"majordome/engine"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/hidden"
	"majordome/engine/internal/rules"
)

// CheckInvariants returns an error that names a broken invariant; nil: none is broken. They are the invariants of the
// rules, 2.16, and of the representation:
//
//  1. 39 = clues in hands, on places, in the urn or shown, gone, out of the game,
//     lost, or unaccounted for (found too many or too few); no holder has more clues on
//     record than it holds; a place is recorded wholly or not at all; a seat
//     claims at most as many clues as are unrecorded in its hand, and no recorded one.
//  2. No hand exceeds 3, or 4 in the middle of a search or an exchange.
//  3. Accusation cards in play: n less those that the dead held.
//  4. Each living pawn is on one open place; a closed place holds no clue.
//  5. At most 3 destructions a player outside the Confrontation.
//  6. The first player lives, except during a resolution; the round is within 2n
//     unless the limit is lifted.
//  7. The known roles are possible: not two Murderers, nor none among all players,
//     unless cards turned up show otherwise.
//  8. A seat is called, or the game waits for the host, or it is over.
//  9. Audiences: a hand, claims on it and a deposit are known to their seat only; the clues
//     of a place to no one, or to the active seat while it looks through them; open and
//     removed clues to all; a role to its seat, or to all once it is face up.
func (s *state) CheckInvariants() error {
	return rules.CheckInvariants("huisclos", s, checkClues, checkHands, checkTokens, checkPawns, checkDestroyed, checkRound,
		checkRoles, checkCalledSeat, checkAudiences)
}

func checkClues(s *state) error {
	if err := s.ledger.Check(numCards); err != nil {
		return err
	}
	k := knowledge{cluesAt: s.ledger.AllByLocation()}
	if err := s.checkCountsAgainstRecords(&k); err != nil {
		return err
	}
	if k.shownClues() != 0 && s.phase != phaseRecovery && s.phase != phaseReveal && s.phase != phaseOver {
		return fmt.Errorf("clues of the urn lie open in phase %s", phaseNames[s.phase])
	}
	return nil
}

// checkCountsAgainstRecords compares the public counts with the records.
func (s *recordState) checkCountsAgainstRecords(k *knowledge) error {
	urn := 0
	for x := engine.Seat(1); x <= maxSeats; x++ {
		urn += k.knownDepositOf(x).Count()
		cs := s.ledger.ClaimsOf(x)
		switch {
		case s.seats[x].cards > numCards || s.countUnnamedInHand(x) < cs.Count():
			return fmt.Errorf("count of the hand of seat-%d", x)
		case cs&k.knownHandOf(x) != 0:
			return fmt.Errorf("seat-%d claims what is recorded", x)
		}
	}
	for p := place(1); p <= numPlaces; p++ {
		n := k.knownCluesIn(p).Count()
		if n != 0 && n != int(s.rooms[p].cards) || s.rooms[p].cards > numCards {
			return fmt.Errorf("count of place %d", p)
		}
	}
	if urn > int(s.urnCount) {
		return fmt.Errorf("count of the urn")
	}
	if n := s.countAccountedClues() + int(s.unaccounted) + int(s.count.Lost); n != numCards {
		return fmt.Errorf("%d clues in all", n)
	}
	return nil
}

func checkHands(s *state) error {
	for x := range s.seats {
		n := int(s.seats[x].cards)
		if n > handLimit+1 || n > handLimit && s.step != stepSettle && s.step != stepGive && s.step != stepDraw {
			return fmt.Errorf("seat-%d holds %d clues", x, n)
		}
	}
	return nil
}

func checkTokens(s *state) error {
	n := 0
	for x := range s.seats {
		n += int(s.seats[x].tokens)
	}
	if n > int(s.startPlayers) {
		return fmt.Errorf("%d Accusation cards for %d players", n, s.startPlayers)
	}
	return nil
}

func checkPawns(s *state) error {
	for x := range s.seats {
		p := &s.seats[x]
		if s.startPlayers > 0 && p.character != 0 && p.dead != (p.at == 0) || p.at != 0 && s.rooms[p.at].closed {
			return fmt.Errorf("pawn of seat-%d", x)
		}
	}
	for p, r := range s.rooms {
		if r.closed && r.cards > 0 {
			return fmt.Errorf("clues on closed place %d", p)
		}
	}
	return nil
}

func checkDestroyed(s *state) error {
	for x := range s.seats {
		if !s.duel && s.seats[x].destroyed > maxDestroy {
			return fmt.Errorf("seat-%d has destroyed %d clues", x, s.seats[x].destroyed)
		}
	}
	return nil
}

func checkRound(s *state) error {
	if s.phase > phaseLobby && s.phase < phaseReveal && !s.isLiving(s.first) {
		return fmt.Errorf("no living first player")
	}
	if int(s.round) > s.lastRound() && !s.isEndless() {
		return fmt.Errorf("round %d of %d", s.round, s.lastRound())
	}
	return nil
}

func checkRoles(s *state) error {
	if s.phase > phaseRoles && !s.rolesAmiss && !s.hasPossibleRoles() {
		return fmt.Errorf("not exactly one Murderer")
	}
	return nil
}

func checkCalledSeat(s *state) error {
	waits := s.phase == phaseLobby || s.phase == phaseLaying || s.phase == phaseOver
	if waits != (s.active == 0) {
		return fmt.Errorf("phase %s with active seat %d", phaseNames[s.phase], s.active)
	}
	if s.active != 0 && !s.isLiving(s.active) && s.step != stepRole {
		return fmt.Errorf("a dead seat is called")
	}
	return nil
}

func checkAudiences(s *state) error {
	for c := card(1); c <= numCards; c++ {
		l := s.ledger.LocationOf(c)
		want := hidden.Nobody
		switch {
		case l == locSomewhere:
		case l == locShown || l == locGone:
			want = hidden.Everyone
		case l > custody.HandBase:
			want = hidden.OnlySeats(engine.Seat(l - custody.HandBase))
		case l > locUrn:
			want = hidden.OnlySeats(engine.Seat(l - locUrn))
		case l != locOut && s.isLookingThrough(place(l)):
			want = hidden.OnlySeats(s.active)
		}
		if s.ledger.AudienceOf(c) != want {
			return fmt.Errorf("a clue at %d is known to others than it should", l)
		}
	}
	for x := range s.roles {
		who := s.roles[x].Audience()
		if _, drawn := s.roles[x].Open(); drawn && who != hidden.OnlySeats(engine.Seat(x)) && who != hidden.Everyone {
			return fmt.Errorf("the role of seat-%d is known to others", x)
		}
	}
	return nil
}

// isLookingThrough reports whether the active seat looks through the clues of p.
func (s *boardState) isLookingThrough(p place) bool {
	if s.active == 0 || s.seats[s.active].at != p {
		return false
	}
	return s.phase == phasePick || s.phase == phaseInvestigation &&
		(s.step == stepTake || s.step == stepSettle || s.step == stepPurge)
}
