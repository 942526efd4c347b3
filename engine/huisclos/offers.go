package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/rules"
)

// Fixed arguments of offers that name neither a role nor a clue. They are shared and must not be changed.
var (
	unknownRoleArgs = engine.Args{"value": unknownRole}
	unnamedCardArgs = engine.Args{"card": engine.Unnamed}
)

// Offers returns the legal acts of v: those of View(v).Offers that Decide accepts.
func (s *inquiryState) Offers(v engine.Viewer) []engine.Offer {
	return engine.RemoveForbiddenFrom(s.buildOffers(v, s.knowledgeFor(v)), 0)
}

// AppendMoves adds to out the Offers of v that are not aside.
func (s *inquiryState) AppendMoves(out []engine.Offer, v engine.Viewer) []engine.Offer {
	if x, seat := v.Seat(); seat && x != s.active && !s.count.Counting {
		return s.offerOutOfTurn(out, x)
	}
	return engine.RemoveForbiddenFrom(s.appendOffers(out, v, nil, false), len(out))
}

// buildOffers returns the acts that public facts allow to v. Decide uses the same functions and the same
// knowledge as the marks on these offers, so a domain is exactly what Decide accepts. k is the knowledge of
// v.
func (s *inquiryState) buildOffers(v engine.Viewer, k *knowledge) []engine.Offer {
	var room [24]engine.Offer // on the stack, large enough for one view
	return append([]engine.Offer{}, s.appendOffers(room[:0], v, k, true)...)
}

// appendOffers adds the offers of v to out. asides: also those that are aside. Without asides, k may be
// nil; it is then made only if v is to act.
func (s *inquiryState) appendOffers(out []engine.Offer, v engine.Viewer, k *knowledge, withAsides bool) []engine.Offer {
	if v.IsHost() {
		out = s.offerHostActs(out, withAsides)
	}
	x, seat := v.Seat()
	if !seat && !v.IsHost() || s.count.IsPlayStopped() {
		return out
	}
	if seat {
		out = s.offerOutOfTurn(out, x)
	}
	if seat && withAsides {
		out = s.offerClaims(out, x, k)
		if s.canDisagree(x) {
			out = append(out, engine.Offer{Act: "disagree", Rule: "HC-114", Aside: true})
		}
	}
	if s.active == 0 || seat && x != s.active {
		return out
	}
	if k == nil {
		k = s.knowledgeFor(v)
	}
	by := actor{seat: s.active, isHost: !seat, knowledge: k}
	if s.step == stepRole {
		return append(out, engine.Offer{Act: "role", Rule: s.turnUpRule(), Params: []engine.Param{
			{Name: "value", Kind: "value", Domain: []string{Murderer, Innocent}}}})
	}
	switch s.phase {
	case phaseRoles:
		return offerRole(out, by)
	case phasePick:
		return s.offerHiddenCard(out, "keep", "HC-022", by.choiceToTake(), by.listedPlaceClues())
	case phaseInvestigation:
		return s.offerInvestigation(out, by)
	case phaseDeposit:
		return by.offerDeposit(out)
	case phaseReveal:
		return s.offerReveal(out, by)
	case phaseRecovery:
		return s.offerRecovery(out, by)
	}
	return out
}

// offerRole adds the acts for a role. Only the seat itself may name its role, which is secret.
func offerRole(out []engine.Offer, by actor) []engine.Offer {
	role := engine.Offer{Act: "role", Rule: "HC-005"}
	if !by.isHost {
		tell := role
		tell.Params = []engine.Param{{Name: "value", Kind: "role", Domain: []string{Murderer, Innocent}}}
		out = append(out, tell)
	}
	role.Fixed = unknownRoleArgs
	return append(out, role)
}

// offerCard adds an act with one clue. allowed are the clues that it accepts, listed those that public
// facts allow. If both are empty it adds nothing.
func (h *houseRules) offerCard(out []engine.Offer, act, rule string, allowed, listed set, grave bool) []engine.Offer {
	if allowed|listed == 0 {
		return out
	}
	return append(out, engine.Offer{Act: act, Rule: rule, Grave: grave,
		Params: []engine.Param{rules.CardParam(h.book.listIDs, allowed, listed)}})
}

// offerOpenCard does the same for clues that all see.
func (h *houseRules) offerOpenCard(out []engine.Offer, act, rule string, allowed, listed set) []engine.Offer {
	out = h.offerCard(out, act, rule, allowed, listed, false)
	if allowed|listed != 0 {
		out[len(out)-1].Params[0].Aloud = true
	}
	return out
}

// offerHiddenCard adds an act on a hidden clue in its two forms: with a named clue, and with an unnamed one
// (GEN-024).
func (h *houseRules) offerHiddenCard(out []engine.Offer, act, rule string, allowed, listed choice) []engine.Offer {
	grave := act == "deposit"
	out = h.offerCard(out, act, rule, allowed.cards, listed.cards, grave)
	if allowed.unnamed || listed.unnamed {
		out = append(out, markIfRefused(!allowed.unnamed, engine.Offer{Act: act, Rule: rule, Grave: grave, Fixed: unnamedCardArgs}))
	}
	return out
}

// markIfRefused returns an offer that public facts allow; isRefused: what its seat knows forbids it, so it is
// marked.
func markIfRefused(isRefused bool, o engine.Offer) engine.Offer {
	if isRefused {
		o.No = &engine.Refusal{}
	}
	return o
}

func (s *roleState) offerInvestigation(out []engine.Offer, by actor) []engine.Offer {
	x := by.seat
	if s.windowOpen && s.step != stepMove && s.step != stepAct {
		return out
	}
	switch s.step {
	case stepMove:
		to, open, some := by.allowedMoves(x, !by.isHost)
		if !some {
			return out
		}
		p := engine.Param{Name: "place", Kind: "place", Domain: s.placeIDsWhere(func(p place) bool { return to[p] })}
		if open != to && !by.isHost { // which of them lead to an act can depend on the hand (HC-052, HC-181)
			p.All = s.placeIDsWhere(func(p place) bool { return open[p] })
		}
		return append(out, engine.Offer{Act: "move", Rule: "HC-050", Params: []engine.Param{p}})
	case stepAct:
		return s.offerActions(out, by)
	case stepTake:
		return by.offerTake(out)
	case stepDraw:
		if by.isHost {
			return s.offerHiddenCard(out, "draw", "HC-083", choice{unnamed: true}, choice{})
		}
		return append(out, engine.Offer{Act: "draw", Rule: "HC-083"})
	case stepGive:
		return s.offerHiddenCard(out, "give", "HC-083", by.choiceToGive(), by.listedHand())
	case stepSettle:
		return by.offerSearchEnd(out)
	case stepPurge:
		may, forced := by.purgeableClues()
		out = s.offerCard(out, "destroy", "HC-205", may, by.listedPlaceClues().cards, true)
		if !forced {
			out = append(out, engine.Offer{Act: "done", Rule: "HC-206"})
		}
	}
	return out
}

// offerTake adds the acts that take a clue of the searched place: as the last thing first, where the search could go on.
func (by actor) offerTake(out []engine.Offer) []engine.Offer {
	allowed, listed := by.choiceToTake(), by.listedPlaceClues()
	if by.canTakeAndEnd(by.seat) {
		last := allowed
		if by.mustSwap(by.seat) {
			last = choice{}
		}
		out = by.offerHiddenCard(out, "take-last", "HC-065", last, listed)
	}
	return by.offerHiddenCard(out, "take", "HC-061", allowed, listed)
}

// offerSearchEnd adds the acts that end a search. Whether a clue may be left, destroyed or kept depends on the
// hand and the role; whether the act is listed depends on public facts.
func (by actor) offerSearchEnd(out []engine.Offer) []engine.Offer {
	x, hand := by.seat, by.listedHand()
	leave, destroy := hand, hand.cards
	if !by.handWasFull && !by.canOweSwap(by.seats[x].cards) {
		leave = choice{}
	}
	if by.hasUsedDestructions(x) || !by.handWasFull && !by.canDestroyBelowLimit(x, by.seats[x].cards) {
		destroy = 0
	}
	out = by.offerHiddenCard(out, "leave", "HC-062", by.choiceToLeave(), leave)
	out = by.offerCard(out, "destroy", "HC-070", by.destroyableClues(), destroy, true)
	if !by.handWasFull {
		out = append(out, markIfRefused(by.mustSwap(x), engine.Offer{Act: "done", Rule: "HC-065"}))
	}
	return out
}

func (s *roleState) offerActions(out []engine.Offer, by actor) []engine.Offer {
	p := s.seats[by.seat].at
	if s.rooms[p].cards > 0 {
		out = append(out, engine.Offer{Act: "search", Rule: "HC-060"})
	}
	out = s.offerExchangesAndAccusations(out, by)
	if s.hasNoActionHere(by.seat) {
		out = append(out, markIfRefused(!by.hasNothingToDo(), engine.Offer{Act: "pass", Rule: "HC-054"}))
	}
	return out
}

func (by actor) offerDeposit(out []engine.Offer) []engine.Offer {
	out = by.offerHiddenCard(out, "deposit", "HC-120", by.choiceToDeposit(), by.listedHand())
	if by.seats[by.seat].cards == 1 {
		out = append(out, markIfRefused(!by.canDeclareNoDeposit(), engine.Offer{Act: "no-deposit", Rule: "HC-125", Grave: true}))
	}
	return out
}

func (s *recordState) offerReveal(out []engine.Offer, by actor) []engine.Offer {
	if s.step != stepShow {
		return append(out, engine.Offer{Act: "open", Rule: "HC-127", Grave: true})
	}
	out = s.offerOpenCard(out, "show", "HC-127", s.showableClues(by.knowledge), 0)
	end := engine.Offer{Act: "shown", Rule: "HC-127", Grave: true}
	if s.countUnfoundInUrn() > 0 {
		end.Fixed = engine.Args{"confirm": foundFewer}
	}
	return append(out, end)
}

func (s *roleState) offerRecovery(out []engine.Offer, by actor) []engine.Offer {
	if s.step != stepLay {
		out = s.offerOpenCard(out, "recover", "HC-133", s.recoverableClues(by.knowledge, by.seat, !by.isHost), by.listedShownClues())
		if s.step == stepExtra {
			out = append(out, engine.Offer{Act: "pass", Rule: "HC-133"})
		}
		return out
	}
	to := s.placesForUrnClues()
	return append(out, engine.Offer{Act: "lay", Rule: "HC-135", Params: []engine.Param{
		{Name: "card", Kind: "card", Aloud: true, Domain: s.book.listIDs(by.shownClues())},
		{Name: "place", Kind: "place", Domain: s.placeIDsWhere(func(p place) bool { return to[p] })}}})
}

// placeIDsWhere returns the ids of the places for which f is true.
func (h *houseRules) placeIDsWhere(f func(place) bool) []string {
	var set uint64
	for p := place(1); p <= numPlaces; p++ {
		if f(p) {
			set |= 1 << p
		}
	}
	return rules.ListIDs(h.book.placeID[:], set)
}

func (s *recordState) offerHostActs(out []engine.Offer, withAsides bool) []engine.Offer {
	if s.count.Alarmed {
		return append(out, engine.Offer{Act: rules.ActCount, Rule: "GEN-E09", Grave: true}) // it discards all that was read
	}
	switch s.phase {
	case phaseLobby:
		return s.offerLobby(out)
	case phaseRoles:
		out = append(out, engine.Offer{Act: "draw-roles", Rule: "HC-005"})
	case phaseLaying:
		out = append(out, engine.Offer{Act: "deal", Rule: "HC-009"}, engine.Offer{Act: "laid", Rule: "HC-009"})
	case phaseInvestigation:
		out = s.offerHostForBystanders(out)
	}
	if !withAsides && !s.count.Counting {
		return out
	}
	return s.offerOverruling(s.offerCount(s.offerPawnCorrections(out)))
}

// offerHostForBystanders lets the host declare, for a seat without a phone, an observation or its agreement to
// a draw.
func (s *public) offerHostForBystanders(out []engine.Offer) []engine.Offer {
	if s.count.Counting {
		return out
	}
	add := func(act, rule string, grave bool, may func(engine.Seat) bool) {
		if seats := rules.ListSeats(maxSeats, may); len(seats) > 0 {
			out = append(out, engine.Offer{Act: act, Rule: rule, Grave: grave,
				Params: []engine.Param{{Name: "seat", Kind: "seat", Domain: seats}}})
		}
	}
	if s.active != 0 && s.isBeforeTaking() {
		add("observe", "HC-110", false, func(y engine.Seat) bool { return s.canObserve(y, s.active) })
	}
	add("offer-draw", "HC-211", true, s.canOfferDraw)
	return out
}

func (s *boardState) offerLobby(out []engine.Offer) []engine.Offer {
	free := rules.ListSeats(maxSeats, func(x engine.Seat) bool { return !s.isSeated(x) })
	taken := rules.ListSeats(maxSeats, s.isSeated)
	notFirst := rules.ListSeats(maxSeats, func(x engine.Seat) bool { return s.isSeated(x) && x != s.first })
	var characters []string
	for f := character(1); f <= numCharacters; f++ {
		if !s.isPlayed(f) {
			characters = append(characters, s.book.characterID[f])
		}
	}
	if len(free) > 0 {
		out = append(out, engine.Offer{Act: "sit", Rule: "HC-002", Params: []engine.Param{
			{Name: "seat", Kind: "seat", Domain: free}, {Name: "name", Kind: "text", Max: rules.MaxName},
			{Name: "character", Kind: "character", Domain: characters}}})
	}
	if len(taken) > 0 {
		out = append(out, engine.Offer{Act: "rise", Rule: "HC-002",
			Params: []engine.Param{{Name: "seat", Kind: "seat", Domain: taken}}})
	}
	if len(notFirst) > 0 {
		out = append(out, engine.Offer{Act: "first", Rule: "HC-020",
			Params: []engine.Param{{Name: "seat", Kind: "seat", Domain: notFirst}}})
	}
	out = switches.AddSwitchOffers(out, s.rules[:])
	if rule, _ := s.ruleAgainstStart(); rule == "" {
		out = append(out, engine.Offer{Act: "begin", Rule: "HC-001"})
	}
	return out
}

// offerExchangesAndAccusations adds the exchanges and accusations that the actor can make in its place.
func (s *roleState) offerExchangesAndAccusations(out []engine.Offer, by actor) []engine.Offer {
	p := s.seats[by.seat].at
	compelled := by.mustSearchForExcess(by.seat) // it must search, which only this seat knows (HC-188)
	if vs := s.exchangeTargets(by.seat, p); len(vs) > 0 {
		seats := engine.Param{Name: "seat", Kind: "seat", Domain: make([]string, len(vs))}
		for i, y := range vs {
			seats.Domain[i] = y.String()
		}
		if compelled {
			seats.Domain, seats.All = nil, seats.Domain
		}
		out = append(out, engine.Offer{Act: "exchange", Rule: "HC-081", Params: []engine.Param{seats}})
	}
	for _, y := range s.accusableSeats(by.seat, p) {
		may, all := by.evidenceAgainst(y), by.listedHand()
		if all.unnamed {
			all.cards &= s.seats[y].character.cluesAgainst()
		}
		if compelled {
			may = 0
		}
		fixed := engine.Args{"seat": y.String()}
		if s.isKnownInnocent(y) {
			fixed["confirm"] = knownInnocent
		}
		if may|all.cards != 0 {
			out = append(out, engine.Offer{Act: "accuse", Rule: "HC-091", Grave: true, Fixed: fixed,
				Params: []engine.Param{rules.CardParam(s.book.listIDs, may, all.cards)}})
		}
	}
	return out
}

// offerOutOfTurn adds what a seat may do out of its turn.
func (s *boardState) offerOutOfTurn(out []engine.Offer, x engine.Seat) []engine.Offer {
	if s.phase != phaseInvestigation {
		return out
	}
	if s.canObserveNow(x) {
		out = append(out, engine.Offer{Act: "observe", Rule: "HC-110"})
	}
	if s.canOfferDraw(x) {
		out = append(out, engine.Offer{Act: "offer-draw", Rule: "HC-211", Grave: true})
	}
	return out
}
