package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/hidden"
)

// knowledge holds the hidden values that one viewer knows, in addition to the public state. Its methods and
// those of actor decide what is legal, so that an offer to a viewer depends on nothing that this viewer
// does not know.
type knowledge struct {
	*boardState
	cluesAt custody.CardsByLocation // the clues known to be at each location
	roleOf  [maxSeats + 1]role
	taken   card
	given   card
}

func (k *knowledge) knownHandOf(x engine.Seat) set    { return k.cluesAt[custody.HandOf(x)] }
func (k *knowledge) knownCluesIn(p place) set         { return k.cluesAt[p] }
func (k *knowledge) knownDepositOf(x engine.Seat) set { return k.cluesAt[locUrn+loc(x)] }
func (k *knowledge) shownClues() set                  { return k.cluesAt[locShown] }
func (k *knowledge) goneClues() set                   { return k.cluesAt[locGone] }

// knownCluesPerPlace returns the known clues of each place.
func (k *knowledge) knownCluesPerPlace() []set { return k.cluesAt[1 : numPlaces+1] }

// knowledgeFor returns the knowledge of a viewer.
func (s *inquiryState) knowledgeFor(v engine.Viewer) *knowledge {
	k := new(knowledge) // the compiler can keep it on the stack of the caller
	s.fillKnowledge(k, v)
	return k
}

// fillKnowledge fills in what v knows.
func (s *inquiryState) fillKnowledge(k *knowledge, v engine.Viewer) {
	k.boardState = &s.boardState
	s.ledger.AddCardsVisibleTo(v, &k.cluesAt)
	for x := range s.roles {
		if d, ok := s.roles[x].ValueFor(v); ok {
			k.roleOf[x] = d.role()
		}
	}
	k.taken, _ = s.taken.ValueFor(v)
	k.given, _ = s.given.ValueFor(v)
}

// isBoundAsInnocent reports whether seat x is known to be bound by the limits of an Innocent (HC-042); in the
// Confrontation no seat is (HC-201).
func (k *knowledge) isBoundAsInnocent(x engine.Seat) bool {
	return k.roleOf[x] == innocent && !k.duel
}

// isRoleKnown reports whether the machine knows the role of x.
func (s *roleState) isRoleKnown(x engine.Seat) bool { return s.roles[x].Audience() != hidden.Nobody }

// hasExcessWeapons reports whether seat x is known to be an Innocent with two weapons or more (HC-180).
func (k *knowledge) hasExcessWeapons(x engine.Seat) bool {
	return k.isBoundAsInnocent(x) && countWeapons(k.knownHandOf(x)) >= 2
}

// mustSearchForExcess reports whether the investigation of x must be the search of HC-181: x is in excess,
// and another open place has clues, or had some before x moved. Without such a place the investigation is
// an ordinary one (HC-188).
func (k *knowledge) mustSearchForExcess(x engine.Seat) bool {
	if !k.hasExcessWeapons(x) {
		return false
	}
	if x == k.active && k.phase == phaseInvestigation && k.step > stepMove {
		return k.hasMoved && k.rooms[k.seats[x].at].cards > 0
	}
	for p := place(1); p <= numPlaces; p++ {
		if p != k.seats[x].at && !k.rooms[p].closed && k.rooms[p].cards > 0 {
			return true
		}
	}
	return false
}

// mustSwap reports whether the current search must be a swap by HC-181: the searcher was in excess before
// taking, and has moved here for it.
func (k *knowledge) mustSwap(x engine.Seat) bool {
	return k.hasMoved && k.isBoundAsInnocent(x) && countWeapons(k.knownHandOf(x).WithoutCard(k.taken)) >= 2
}

// exchangeTargets returns the seats in p with which x can force an exchange, by public facts (HC-081,
// HC-082).
func (s *boardState) exchangeTargets(x engine.Seat, p place) (xs []engine.Seat) {
	if !s.hasExchangeHandSize(x) {
		return nil
	}
	for y := engine.Seat(1); y <= maxSeats; y++ {
		if y != x && s.isLiving(y) && s.seats[y].at == p && s.seats[y].cards > 0 {
			xs = append(xs, y)
		}
	}
	return xs
}

// accusableSeats returns the living seats in p that x may accuse, by public facts (HC-090, HC-091, HC-101).
// It does not look at the clues of x.
func (s *boardState) accusableSeats(x engine.Seat, p place) (ys []engine.Seat) {
	if !s.allowsAccusations() && !s.waived.Contains(waiveRound) || s.seats[x].tokens == 0 || s.seats[x].cards == 0 {
		return nil
	}
	for y := engine.Seat(1); y <= maxSeats; y++ {
		if y != x && s.isLiving(y) && s.seats[y].at == p {
			ys = append(ys, y)
		}
	}
	return ys
}

// hasSomethingToDoIn reports whether x would have something to do in p (HC-052). isOwnKnowledge: k is the knowledge of x itself;
// other viewers cannot exclude an accusation.
func (k *knowledge) hasSomethingToDoIn(x engine.Seat, p place, isOwnKnowledge bool) bool {
	switch {
	case k.rooms[p].cards > 0:
		return true
	case k.mustSearchForExcess(x): // HC-188
		return false
	case len(k.exchangeTargets(x, p)) > 0:
		return true
	}
	for _, y := range k.accusableSeats(x, p) {
		if !isOwnKnowledge || k.possibleHand(x).cards&k.seats[y].character.cluesAgainst() != 0 {
			return true
		}
	}
	return false
}

// allowedMoves returns the places where x may go (HC-050 to HC-054, HC-181, HC-182), and all open places.
// hasAllowed: there is at least one. Which open places are allowed can depend on the hand.
func (k *knowledge) allowedMoves(x engine.Seat, isOwnKnowledge bool) (allowed, open [numPlaces + 1]bool, hasAllowed bool) {
	var useful [numPlaces + 1]bool
	most, any, use := uint8(0), false, false
	for p := place(1); p <= numPlaces; p++ {
		if k.rooms[p].closed || p == k.seats[x].at {
			continue
		}
		open[p], any = true, true
		most = max(most, k.rooms[p].cards)
		if k.hasSomethingToDoIn(x, p, isOwnKnowledge) {
			useful[p], use = true, true
		}
	}
	switch {
	case k.mustSearchForExcess(x):
		for p := range open {
			allowed[p] = open[p] && k.rooms[p].cards == most
		}
		return allowed, open, true
	case use:
		return useful, open, true
	default:
		return open, open, any
	}
}

// takeableClues returns the clues that x may take in its search (HC-061, HC-067, HC-183).
func (k *knowledge) takeableClues(x engine.Seat) set {
	here := k.knownCluesIn(k.seats[x].at)
	if !k.isBoundAsInnocent(x) {
		return here
	}
	switch countWeapons(k.knownHandOf(x)) {
	case 0:
		return here
	case 1:
		if k.seats[x].cards >= handLimit { // it can swap a weapon for a weapon
			return here
		}
	}
	return partOrAll(here&^weapons, here)
}

// countKilledBy returns the number of characters that w would kill now (rules, part 2).
func (s *boardState) countKilledBy(w card) int {
	p := deadlyPlace(w)
	if p == 0 || s.rooms[p].closed {
		return 0
	}
	return s.countPawns(p)
}

// recoverableClues returns the shown clues that x may recover (HC-129, HC-133, HC-137). For a seat whose
// hand and role are recorded, the host may recover only clues that every role may take; for any other seat,
// the machine believes what is taken in public.
func (s *roleState) recoverableClues(k *knowledge, x engine.Seat, isOwnChoice bool) set {
	held := k.isBoundAsInnocent(x) && countWeapons(k.knownHandOf(x)) >= 1
	if !isOwnChoice && k.roleOf[x] != murderer && !s.duel && s.isHandKnown(x) && s.isRoleKnown(x) {
		held = true
	}
	if held {
		return partOrAll(k.shownClues()&^weapons, k.shownClues())
	}
	return k.shownClues()
}
