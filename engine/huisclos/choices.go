package huisclos

import "majordome/engine"

// choice holds the clues that an act may move. unnamed: it may also move one without saying which
// (GEN-024).
type choice struct {
	cards   set
	unnamed bool
}

// allowsCard reports whether c may be chosen; zero is an unnamed clue.
func (o choice) has(c card) bool {
	if c == 0 {
		return o.unnamed
	}
	return o.cards.Has(c)
}

func (o choice) none() bool { return o.cards == 0 && !o.unnamed }

// possibleClues returns the clues that may be anywhere that x does not see. It depends only on what x
// knows, never on what only the machine knows.
func (k *knowledge) maybe(x engine.Seat) set {
	out := clues &^ (k.gone() | k.shown() | k.hand(x) | k.urn(x))
	for _, here := range k.places() {
		out &^= here
	}
	return out
}

// knowsHand reports whether k knows each clue in the hand of x, as recorded or as claimed.
func (k *knowledge) knows(x engine.Seat) bool {
	return k.hand(x).Count() == int(k.seats[x].cards)
}

// possibleHand returns the clues that x may hold: its hand if that is known, else every clue that x cannot
// exclude.
func (k *knowledge) mine(x engine.Seat) choice {
	if k.knows(x) {
		return choice{cards: k.hand(x)}
	}
	return choice{k.hand(x) | k.maybe(x), true}
}

// hiddenClues returns the clues that are in the game and have not been shown to all.
func (k *knowledge) concealed() set { return clues &^ (k.gone() | k.shown()) }

// listHand returns the clues that a choice in the hand of a seat lists, even if the rules refuse some: the
// whole hand if it is known, else all that public facts allow. It is empty for the host, whose page must
// not show a hand.
func (by actor) listHand() choice {
	switch x := by.seat; {
	case by.host:
		return choice{}
	case by.knows(x):
		return choice{cards: by.hand(x)}
	}
	return choice{by.concealed(), true}
}

// listPlace does the same for the clues of the place that the seat searches.
func (by actor) listPlace() choice {
	switch at := by.seats[by.seat].at; {
	case by.host:
		return choice{}
	case by.place(at).Count() == int(by.rooms[at].cards):
		return choice{cards: by.place(at)}
	}
	return choice{by.concealed(), true}
}

// listShown does the same for the open clues.
func (by actor) listShown() set {
	if by.host {
		return 0
	}
	return by.shown()
}

// takeChoice returns the clues that may be kept or taken where the actor is.
func (by actor) takes() choice {
	at := by.seats[by.seat].at
	switch here := by.place(at); {
	case by.host:
		return choice{unnamed: true}
	case here.Count() != int(by.rooms[at].cards):
		return choice{by.maybe(by.seat), true}
	case by.phase == pick:
		return choice{cards: here}
	}
	return choice{cards: by.takeable(by.seat)}
}

// canOweSwap reports whether, by public facts, a searcher with so many cards in hand may have to leave a
// weapon (HC-181).
func (s *boardState) mayOweSwap(cards uint8) bool { return !s.duel && s.walked && cards >= handLimit }

// isSwapUncertain reports whether the machine cannot decide if HC-181 applies: x may have to leave a weapon
// although it held fewer than three clues. While the hand is not known this is open to the Murderer too:
// otherwise the Murderer's phone would differ (4.1).
func (k *knowledge) trusting(x engine.Seat) bool {
	return k.mayOweSwap(k.seats[x].cards) && (k.role[x] == 0 || !k.knows(x))
}

// leaveChoice returns the clues that may be left in a swap (HC-062a, HC-043, HC-181).
func (by actor) leaves() choice {
	x, k := by.seat, by.knowledge
	if by.host {
		return choice{unnamed: by.full || by.mayOweSwap(by.seats[x].cards)}
	}
	all, weapons := k.mine(x), k.hand(x).Less(k.taken)&weapons
	all.cards = all.cards.Less(k.taken)
	switch {
	case k.swapping(x):
		return choice{cards: weapons}
	case by.full && k.bound(x) && weaponsIn(k.hand(x)) >= 2:
		return choice{cards: orAll(weapons, all.cards)}
	case by.full:
		return all
	case k.trusting(x) && !k.knows(x):
		return all
	case k.trusting(x) && weapons.Count() >= 2:
		return choice{cards: weapons}
	}
	return choice{}
}

// destroyableClues returns the clues of the hand that may be destroyed (HC-062b, HC-065, HC-073 to HC-077,
// HC-080, HC-207). A destroyed clue is shown to all.
func (by actor) destroys() set {
	x, k := by.seat, by.knowledge
	of := k.mine(x).cards
	switch p := &by.seats[x]; {
	case !by.full && !by.below(x, p.cards):
		return 0
	case k.swapping(x), by.full && k.bound(x) && weaponsIn(k.hand(x)) >= 2: // the rules allow only a swap
		return 0
	case by.duel:
		return of &^ weapons
	case p.destroyed >= maxDestroy:
		return 0
	default:
		return of &^ weapons &^ p.who.clues()
	}
}

// hasUsedDestructions reports whether x may destroy nothing more (HC-073). This is public.
func (s *boardState) spent(x engine.Seat) bool { return !s.duel && s.seats[x].destroyed >= maxDestroy }

// canDestroyBelowLimit reports whether x, with so many clues, may by public facts destroy one after a
// search with fewer than three in hand (HC-065). Its only clue never counts (HC-080): then the search ends
// at once. In the Confrontation only HC-207 applies.
func (s *boardState) below(x engine.Seat, cards uint8) bool {
	p := &s.seats[x]
	return s.rule(swBelow) == "allowed" && !s.duel && p.destroyed < maxDestroy && cards >= 2
}

// purgeChoice returns the clues of the searched place that may be destroyed in the Confrontation (HC-205,
// HC-206). forced: one must be, if there is one. Without records, or for the host, it is not forced,
// because there may be only weapons.
func (by actor) purges() (cs set, forced bool) {
	at := by.seats[by.seat].at
	here := by.place(at)
	forced = here.Count() == int(by.rooms[at].cards)
	if !forced {
		here = by.maybe(by.seat)
	}
	switch by.rule(swDestroyWeapons) {
	case "always":
		return here, forced
	case "if-nothing-else":
		if !forced {
			return here, false
		}
		return orAll(here&^weapons, here), true
	default:
		return here &^ weapons, forced
	}
}

// giveChoice returns the clues that may be given in an exchange (HC-084, HC-087).
func (by actor) gives() choice {
	x, k := by.seat, by.knowledge
	if by.host {
		return choice{unnamed: true}
	}
	all := k.mine(x)
	all.cards = all.cards.Less(k.taken)
	if k.bound(x) && weaponsIn(k.hand(x)) >= 2 {
		return choice{cards: orAll(all.cards&k.hand(x)&weapons, all.cards)}
	}
	return all
}

// evidenceAgainst returns the clues with which the actor may accuse y (HC-091).
func (by actor) evidence(y engine.Seat) set {
	return by.mine(by.seat).cards & by.seats[y].who.clues()
}

// depositChoice returns the clues that may be put in the urn (HC-122 to HC-125).
func (by actor) deposits() choice {
	x, k := by.seat, by.knowledge
	all := k.mine(x)
	switch {
	case by.host:
		return choice{unnamed: by.seats[x].cards > 0}
	case by.duel || k.role[x] == murderer:
		all.cards = all.cards.Less(card(by.seats[x].at)) // no suicide
	case k.bound(x) && !all.unnamed:
		all.cards = by.harmless(all.cards)
	}
	return all
}

// harmlessClues returns the clues of an Innocent's hand that may be deposited (HC-122, HC-124).
func (s *boardState) harmless(hand set) set {
	may, least, fewest := hand&^weapons, set(0), maxSeats+1
	for w := card(1); w <= numPlaces; w++ {
		if !hand.Has(w) {
			continue
		}
		n := s.kills(w)
		if n == 0 {
			may = may.With(w)
		}
		if n < fewest {
			least, fewest = 0, n
		}
		if n == fewest {
			least = least.With(w)
		}
	}
	return orAll(may, least)
}

// canAbstain reports whether "no deposit" may be declared (HC-125): the only clue may be the weapon of the
// actor's place, in the hand of a Murderer. Every seat whose hand is not known may declare it: otherwise
// the Murderer's phone would differ (4.1).
func (by actor) mayAbstain() bool {
	x, k := by.seat, by.knowledge
	switch {
	case by.seats[x].cards != 1:
		return false
	case by.host, !k.knows(x):
		return true
	}
	return !k.bound(x) && k.hand(x).Has(card(by.seats[x].at))
}
