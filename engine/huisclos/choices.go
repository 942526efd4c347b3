package huisclos

import "majordome/engine"

// choice holds the clues that an act may move. unnamed: it may also move one without saying which
// (GEN-024).
type choice struct {
	cards   set
	unnamed bool
}

// allowsCard reports whether c may be chosen; zero is an unnamed clue.
func (o choice) allowsCard(c card) bool {
	if c == 0 {
		return o.unnamed
	}
	return o.cards.Contains(c)
}

func (o choice) isEmpty() bool { return o.cards == 0 && !o.unnamed }

// unseenClues returns the clues that may be anywhere that x does not see. It depends only on what x
// knows, never on what only the machine knows.
func (k *knowledge) unseenClues(x engine.Seat) set {
	out := clues &^ (k.goneClues() | k.shownClues() | k.knownHandOf(x) | k.knownDepositOf(x))
	for _, here := range k.knownCluesPerPlace() {
		out &^= here
	}
	return out
}

// knowsHand reports whether k knows each clue in the hand of x, as recorded or as claimed.
func (k *knowledge) knowsHand(x engine.Seat) bool {
	return k.knownHandOf(x).Count() == int(k.seats[x].cards)
}

// possibleHand returns the clues that x may hold: its hand if that is known, else every clue that x cannot
// exclude.
func (k *knowledge) possibleHand(x engine.Seat) choice {
	if k.knowsHand(x) {
		return choice{cards: k.knownHandOf(x)}
	}
	return choice{k.knownHandOf(x) | k.unseenClues(x), true}
}

// hiddenClues returns the clues that are in the game and have not been shown to all.
func (k *knowledge) hiddenClues() set { return clues &^ (k.goneClues() | k.shownClues()) }

// listedHand returns the clues that a choice in the hand of a seat lists, even if the rules refuse some: the
// whole hand if it is known, else all that public facts allow. It is empty for the host, whose page must
// not show a hand.
func (by actor) listedHand() choice {
	switch x := by.seat; {
	case by.isHost:
		return choice{}
	case by.knowsHand(x):
		return choice{cards: by.knownHandOf(x)}
	}
	return choice{by.hiddenClues(), true}
}

// listedPlaceClues does the same for the clues of the place that the seat searches.
func (by actor) listedPlaceClues() choice {
	switch at := by.seats[by.seat].at; {
	case by.isHost:
		return choice{}
	case by.knownCluesIn(at).Count() == int(by.rooms[at].cards):
		return choice{cards: by.knownCluesIn(at)}
	}
	return choice{by.hiddenClues(), true}
}

// listedShownClues does the same for the open clues.
func (by actor) listedShownClues() set {
	if by.isHost {
		return 0
	}
	return by.shownClues()
}

// choiceToTake returns the clues that may be kept or taken where the actor is.
func (by actor) choiceToTake() choice {
	at := by.seats[by.seat].at
	switch here := by.knownCluesIn(at); {
	case by.isHost:
		return choice{unnamed: true}
	case here.Count() != int(by.rooms[at].cards):
		return choice{by.unseenClues(by.seat), true}
	case by.phase == phasePick:
		return choice{cards: here}
	}
	return choice{cards: by.takeableClues(by.seat)}
}

// canOweSwap reports whether, by public facts, a searcher with so many cards in hand may have to leave a
// weapon (HC-181).
func (s *boardState) canOweSwap(cards uint8) bool { return !s.duel && s.hasMoved && cards >= handLimit }

// isSwapUncertain reports whether the machine cannot decide if HC-181 applies: x may have to leave a weapon
// although it held fewer than three clues. While the hand is not known this is open to the Murderer too:
// otherwise the Murderer's phone would differ (4.1).
func (k *knowledge) isSwapUncertain(x engine.Seat) bool {
	return k.canOweSwap(k.seats[x].cards) && (k.roleOf[x] == 0 || !k.knowsHand(x))
}

// choiceToLeave returns the clues that may be left in a swap (HC-062a, HC-043, HC-181).
func (by actor) choiceToLeave() choice {
	x, k := by.seat, by.knowledge
	if by.isHost {
		return choice{unnamed: by.handWasFull || by.canOweSwap(by.seats[x].cards)}
	}
	all, weapons := k.possibleHand(x), k.knownHandOf(x).WithoutCard(k.taken)&weapons
	all.cards = all.cards.WithoutCard(k.taken)
	switch {
	case k.mustSwap(x):
		return choice{cards: weapons}
	case by.handWasFull && k.isBoundAsInnocent(x) && countWeapons(k.knownHandOf(x)) >= 2:
		return choice{cards: partOrAll(weapons, all.cards)}
	case by.handWasFull:
		return all
	case k.isSwapUncertain(x) && !k.knowsHand(x):
		return all
	case k.isSwapUncertain(x) && weapons.Count() >= 2:
		return choice{cards: weapons}
	}
	return choice{}
}

// destroyableClues returns the clues of the hand that may be destroyed (HC-062b, HC-065, HC-073 to HC-077,
// HC-080, HC-207). A destroyed clue is shown to all.
func (by actor) destroyableClues() set {
	x, k := by.seat, by.knowledge
	of := k.possibleHand(x).cards
	switch p := &by.seats[x]; {
	case !by.handWasFull && !by.canDestroyBelowLimit(x, p.cards):
		return 0
	case k.mustSwap(x), by.handWasFull && k.isBoundAsInnocent(x) && countWeapons(k.knownHandOf(x)) >= 2: // the rules allow only a swap
		return 0
	case by.duel:
		return of &^ weapons
	case p.destroyed >= maxDestroy:
		return 0
	default:
		return of &^ weapons &^ p.character.cluesAgainst()
	}
}

// hasUsedDestructions reports whether x may destroy nothing more (HC-073). This is public.
func (s *boardState) hasUsedDestructions(x engine.Seat) bool {
	return !s.duel && s.seats[x].destroyed >= maxDestroy
}

// canDestroyBelowLimit reports whether x, with so many clues, may by public facts destroy one after a
// search with fewer than three in hand (HC-065). Its only clue never counts (HC-080): then the search ends
// at once. In the Confrontation only HC-207 applies.
func (s *boardState) canDestroyBelowLimit(x engine.Seat, cards uint8) bool {
	p := &s.seats[x]
	return s.ruleValue(swDestroyBelow) == "allowed" && !s.duel && p.destroyed < maxDestroy && cards >= 2
}

// canTakeAndEnd reports whether, by public facts, x has the choice to end its search by taking a clue, or to do more after
// it: its hand was not full, and may have to give a clue back (HC-181), or may lose one (HC-065).
func (s *boardState) canTakeAndEnd(x engine.Seat) bool {
	cards := s.seats[x].cards + 1
	return !s.handWasFull && (s.canDestroyBelowLimit(x, cards) || s.canOweSwap(cards))
}

// purgeableClues returns the clues of the searched place that may be destroyed in the Confrontation (HC-205,
// HC-206). forced: one must be, if there is one. Without records, or for the host, it is not forced,
// because there may be only weapons.
func (by actor) purgeableClues() (cs set, forced bool) {
	at := by.seats[by.seat].at
	here := by.knownCluesIn(at)
	forced = here.Count() == int(by.rooms[at].cards)
	if !forced {
		here = by.unseenClues(by.seat)
	}
	switch by.ruleValue(swDestroyWeapons) {
	case "always":
		return here, forced
	case "if-nothing-else":
		if !forced {
			return here, false
		}
		return partOrAll(here&^weapons, here), true
	default:
		return here &^ weapons, forced
	}
}

// choiceToGive returns the clues that may be given in an exchange (HC-084, HC-087).
func (by actor) choiceToGive() choice {
	x, k := by.seat, by.knowledge
	if by.isHost {
		return choice{unnamed: true}
	}
	all := k.possibleHand(x)
	all.cards = all.cards.WithoutCard(k.taken)
	if k.isBoundAsInnocent(x) && countWeapons(k.knownHandOf(x)) >= 2 {
		return choice{cards: partOrAll(all.cards&k.knownHandOf(x)&weapons, all.cards)}
	}
	return all
}

// evidenceAgainst returns the clues with which the actor may accuse y (HC-091).
func (by actor) evidenceAgainst(y engine.Seat) set {
	return by.possibleHand(by.seat).cards & by.seats[y].character.cluesAgainst()
}

// choiceToDeposit returns the clues that may be put in the urn (HC-122 to HC-125).
func (by actor) choiceToDeposit() choice {
	x, k := by.seat, by.knowledge
	all := k.possibleHand(x)
	switch {
	case by.isHost:
		return choice{unnamed: by.seats[x].cards > 0}
	case by.duel || k.roleOf[x] == murderer:
		all.cards = all.cards.WithoutCard(card(by.seats[x].at)) // no suicide
	case k.isBoundAsInnocent(x) && !all.unnamed:
		all.cards = by.leastHarmfulClues(all.cards)
	}
	return all
}

// leastHarmfulClues returns the clues of an Innocent's hand that may be deposited (HC-122, HC-124).
func (s *boardState) leastHarmfulClues(hand set) set {
	may, least, fewest := hand&^weapons, set(0), maxSeats+1
	for w := card(1); w <= numPlaces; w++ {
		if !hand.Contains(w) {
			continue
		}
		n := s.countKilledBy(w)
		if n == 0 {
			may = may.WithCard(w)
		}
		if n < fewest {
			least, fewest = 0, n
		}
		if n == fewest {
			least = least.WithCard(w)
		}
	}
	return partOrAll(may, least)
}

// canDeclareNoDeposit reports whether "no deposit" may be declared (HC-125): the only clue may be the weapon of the
// actor's place, in the hand of a Murderer. Every seat whose hand is not known may declare it: otherwise
// the Murderer's phone would differ (4.1).
func (by actor) canDeclareNoDeposit() bool {
	x, k := by.seat, by.knowledge
	switch {
	case by.seats[x].cards != 1:
		return false
	case by.isHost, !k.knowsHand(x):
		return true
	}
	return !k.isBoundAsInnocent(x) && k.knownHandOf(x).Contains(card(by.seats[x].at))
}
