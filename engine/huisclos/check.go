package huisclos

import (
	"fmt"

	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/rules"
)

// Check returns an error that names a broken invariant; nil: none is broken. They are the invariants of the
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
func (s *state) Check() error {
	return rules.Invariants("huisclos", s, checkClues, checkHands, checkTokens, checkPawns, checkDestroyed, checkRound,
		checkRoles, checkCalled, checkAudiences)
}

func checkClues(s *state) error {
	if err := s.cards.Check(numCards); err != nil {
		return err
	}
	k := knowledge{at: s.cards.Truth()}
	if err := s.checkRecord(&k); err != nil {
		return err
	}
	if k.shown() != 0 && s.phase != recovery && s.phase != reveal && s.phase != over {
		return fmt.Errorf("clues of the urn lie open in phase %s", phaseNames[s.phase])
	}
	return nil
}

// checkRecord compares the public counts with the records.
func (s *recordState) checkRecord(k *knowledge) error {
	urn := 0
	for x := engine.Seat(1); x <= maxSeats; x++ {
		urn += k.urn(x).Count()
		cs := s.cards.Claims(x)
		switch {
		case s.seats[x].cards > numCards || s.unnamed(x) < cs.Count():
			return fmt.Errorf("count of the hand of seat-%d", x)
		case cs&k.hand(x) != 0:
			return fmt.Errorf("seat-%d claims what is recorded", x)
		}
	}
	for p := place(1); p <= numPlaces; p++ {
		n := k.place(p).Count()
		if n != 0 && n != int(s.rooms[p].cards) || s.rooms[p].cards > numCards {
			return fmt.Errorf("count of place %d", p)
		}
	}
	if urn > int(s.urn) {
		return fmt.Errorf("count of the urn")
	}
	if n := s.counted() + int(s.adrift) + int(s.count.Lost); n != numCards {
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
	if n > int(s.n) {
		return fmt.Errorf("%d Accusation cards for %d players", n, s.n)
	}
	return nil
}

func checkPawns(s *state) error {
	for x := range s.seats {
		p := &s.seats[x]
		if s.n > 0 && p.who != 0 && p.dead != (p.at == 0) || p.at != 0 && s.rooms[p.at].closed {
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
	if s.phase > lobby && s.phase < reveal && !s.living(s.first) {
		return fmt.Errorf("no living first player")
	}
	if int(s.round) > s.limit() && !s.endless() {
		return fmt.Errorf("round %d of %d", s.round, s.limit())
	}
	return nil
}

func checkRoles(s *state) error {
	if s.phase > roles && !s.amiss && !s.rolesRight() {
		return fmt.Errorf("not exactly one Murderer")
	}
	return nil
}

func checkCalled(s *state) error {
	waits := s.phase == lobby || s.phase == laying || s.phase == over
	if waits != (s.active == 0) {
		return fmt.Errorf("phase %s with active seat %d", phaseNames[s.phase], s.active)
	}
	if s.active != 0 && !s.living(s.active) && s.step != stepRole {
		return fmt.Errorf("a dead seat is called")
	}
	return nil
}

func checkAudiences(s *state) error {
	for c := card(1); c <= numCards; c++ {
		l := s.cards.At(c)
		want := box.Nobody
		switch {
		case l == locSomewhere:
		case l == locShown || l == locGone:
			want = box.All
		case l > custody.Hand:
			want = box.Only(engine.Seat(l - custody.Hand))
		case l > locUrn:
			want = box.Only(engine.Seat(l - locUrn))
		case l != locOut && s.looking(place(l)):
			want = box.Only(s.active)
		}
		if s.cards.Known(c) != want {
			return fmt.Errorf("a clue at %d is known to others than it should", l)
		}
	}
	for x := range s.roles {
		who := s.roles[x].Audience()
		if _, drawn := s.roles[x].Open(); drawn && who != box.Only(engine.Seat(x)) && who != box.All {
			return fmt.Errorf("the role of seat-%d is known to others", x)
		}
	}
	return nil
}

// isLookingThrough reports whether the active seat looks through the clues of p.
func (s *boardState) looking(p place) bool {
	if s.active == 0 || s.seats[s.active].at != p {
		return false
	}
	return s.phase == pick || s.phase == investigation &&
		(s.step == stepTake || s.step == stepSettle || s.step == stepPurge)
}
