package huisclos

import "majordome/engine"

// choice is what an act may move: clues by name, and whether it may move one
// without saying which (GEN-024).
type choice struct {
	cards   set
	unnamed bool
}

// has reports that c may be chosen; zero is a clue that is not named.
func (o choice) has(c card) bool {
	if c == 0 {
		return o.unnamed
	}
	return o.cards.Has(c)
}

func (o choice) none() bool { return o.cards == 0 && !o.unnamed }

// maybe are the clues that x cannot exclude to be where it does not know what
// lies: never fewer because of what the machine alone knows.
func (k *knowledge) maybe(x engine.Seat) set {
	out := clues &^ (k.gone() | k.shown() | k.hand(x) | k.urn(x))
	for _, here := range k.places() {
		out &^= here
	}
	return out
}

// knows reports that each clue of the hand of x is recorded or claimed, as seen
// by x itself.
func (s *seating) knows(k *knowledge, x engine.Seat) bool {
	return k.hand(x).Count() == int(s.seats[x].cards)
}

// mine is what x may hold: its hand if it is known, else every clue that x
// cannot exclude.
func (s *seating) mine(k *knowledge, x engine.Seat) choice {
	if s.knows(k, x) {
		return choice{cards: k.hand(x)}
	}
	return choice{k.hand(x) | k.maybe(x), true}
}

// concealed are the clues of which everybody knows no more than that they are in the game.
func (k *knowledge) concealed() set { return clues &^ (k.gone() | k.shown()) }

// listHand is what a choice in the hand of a seat lists, whatever may be chosen: the
// whole hand if it is known, else all that public facts allow. The host has no phone
// that could tell.
func (s *seatedRules) listHand(by actor) choice {
	switch x := by.seat; {
	case by.host:
		return choice{}
	case s.knows(by.k, x):
		return choice{cards: by.k.hand(x)}
	}
	return choice{by.k.concealed(), true}
}

// listPlace is the same for what lies where the seat searches.
func (s *boardState) listPlace(by actor) choice {
	switch at := s.seats[by.seat].at; {
	case by.host:
		return choice{}
	case by.k.place(at).Count() == int(s.rooms[at].cards):
		return choice{cards: by.k.place(at)}
	}
	return choice{by.k.concealed(), true}
}

// listShown is the same for the clues that lie open.
func (by actor) listShown() set {
	if by.host {
		return 0
	}
	return by.k.shown()
}

// takes are what may be kept or taken where the actor stands.
func (s *boardState) takes(by actor) choice {
	at := s.seats[by.seat].at
	switch here := by.k.place(at); {
	case by.host:
		return choice{unnamed: true}
	case here.Count() != int(s.rooms[at].cards):
		return choice{by.k.maybe(by.seat), true}
	case s.phase == pick:
		return choice{cards: here}
	}
	return choice{cards: s.takeable(by.k, by.seat)}
}

// mayOweSwap reports that, as far as everybody can tell, the searcher may have to leave a
// weapon with so many cards in hand (HC-181).
func (s *boardState) mayOweSwap(cards uint8) bool { return !s.duel && s.walked && cards >= handLimit }

// trusting reports that the obligation of HC-181 cannot be judged: it may be
// that x must leave a weapon although it holds fewer than three. Where the hand
// is not known this is open to the Murderer too, whose phone would differ (4.1).
func (s *boardState) trusting(k *knowledge, x engine.Seat) bool {
	return s.mayOweSwap(s.seats[x].cards) && (k.role[x] == 0 || !s.knows(k, x))
}

// leaves are what may be left in a swap (HC-062a, HC-043, HC-181).
func (s *boardState) leaves(by actor) choice {
	x, k := by.seat, by.k
	if by.host {
		return choice{unnamed: s.full || s.mayOweSwap(s.seats[x].cards)}
	}
	all, weapons := s.mine(k, x), k.hand(x).Less(k.taken)&weapons
	all.cards = all.cards.Less(k.taken)
	switch {
	case s.swapping(k, x):
		return choice{cards: weapons}
	case s.full && s.bound(k, x) && weaponsIn(k.hand(x)) >= 2:
		return choice{cards: orAll(weapons, all.cards)}
	case s.full:
		return all
	case s.trusting(k, x) && !s.knows(k, x):
		return all
	case s.trusting(k, x) && weapons.Count() >= 2:
		return choice{cards: weapons}
	}
	return choice{}
}

// destroys are the clues of the hand that may be destroyed (HC-062b, HC-065,
// HC-073 to HC-077, HC-080, HC-207). What is destroyed is shown to all.
func (s *boardState) destroys(by actor) set {
	x, k := by.seat, by.k
	of := s.mine(k, x).cards
	switch p := &s.seats[x]; {
	case !s.full && !s.below(x, p.cards):
		return 0
	case s.swapping(k, x), s.full && s.bound(k, x) && weaponsIn(k.hand(x)) >= 2: // only a swap ends lawfully
		return 0
	case s.duel:
		return of &^ weapons
	case p.destroyed >= maxDestroy:
		return 0
	default:
		return of &^ weapons &^ p.who.clues()
	}
}

// spent reports that x may destroy nothing more (HC-073): everybody has counted.
func (s *boardState) spent(x engine.Seat) bool { return !s.duel && s.seats[x].destroyed >= maxDestroy }

// below reports that x, with so many clues, may destroy with fewer than three, as far as
// everybody can tell (HC-065), and never its only one (HC-080): then the search
// ends by itself. In the Confrontation only HC-207 remains.
func (s *boardState) below(x engine.Seat, cards uint8) bool {
	p := &s.seats[x]
	return s.rule(swBelow) == "allowed" && !s.duel && p.destroyed < maxDestroy && cards >= 2
}

// purges are the clues of the searched place that may be destroyed in the
// Confrontation (HC-205, HC-206). Where they are not recorded, or for the host,
// nobody is forced: there may be weapons only.
func (s *boardState) purges(by actor) (cs set, forced bool) {
	at := s.seats[by.seat].at
	here := by.k.place(at)
	forced = here.Count() == int(s.rooms[at].cards)
	if !forced {
		here = by.k.maybe(by.seat)
	}
	switch s.rule(swDestroyWeapons) {
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

// gives are what may be given in an exchange (HC-084, HC-087).
func (s *boardState) gives(by actor) choice {
	x, k := by.seat, by.k
	if by.host {
		return choice{unnamed: true}
	}
	all := s.mine(k, x)
	all.cards = all.cards.Less(k.taken)
	if s.bound(k, x) && weaponsIn(k.hand(x)) >= 2 {
		return choice{cards: orAll(all.cards&k.hand(x)&weapons, all.cards)}
	}
	return all
}

// evidence are the clues with which the actor may accuse y (HC-091).
func (s *seatedRules) evidence(by actor, y engine.Seat) set {
	return s.mine(by.k, by.seat).cards & s.seats[y].who.clues()
}

// deposits are what may be put in the urn (HC-122 to HC-125).
func (s *boardState) deposits(by actor) choice {
	x, k := by.seat, by.k
	all := s.mine(k, x)
	switch {
	case by.host:
		return choice{unnamed: s.seats[x].cards > 0}
	case s.duel || k.role[x] == murderer:
		all.cards = all.cards.Less(card(s.seats[x].at)) // no suicide
	case s.bound(k, x) && !all.unnamed:
		all.cards = s.harmless(all.cards)
	}
	return all
}

// harmless are the clues of the hand of an Innocent that may be deposited
// (HC-122, HC-124).
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

// mayAbstain reports that "no deposit" may be said (HC-125): the only clue may
// be the weapon of the place where x stands, in the hand of a Murderer. Of a hand
// that is not known anybody may say so: else the Murderer's phone would differ (4.1).
func (s *boardState) mayAbstain(by actor) bool {
	x, k := by.seat, by.k
	switch {
	case s.seats[x].cards != 1:
		return false
	case by.host, !s.knows(k, x):
		return true
	}
	return !s.bound(k, x) && k.hand(x).Has(card(s.seats[x].at))
}
