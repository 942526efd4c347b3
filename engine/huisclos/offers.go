package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/rules"
)

// Fixed arguments of offers that name neither a role nor a clue. They are shared and must not be changed.
var (
	sayUnknown = engine.Args{"value": unknownRole}
	sayUnnamed = engine.Args{"card": engine.Unnamed}
)

// Offers returns the legal acts of v: those of View(v).Offers that Decide accepts.
func (s *state) Offers(v engine.Viewer) []engine.Offer {
	return engine.AllowedFrom(s.offers(v, s.knowledge(v)), 0)
}

// AppendMoves adds to out the Offers of v that are not aside.
func (s *state) AppendMoves(out []engine.Offer, v engine.Viewer) []engine.Offer {
	if x, seat := v.Seat(); seat && x != s.active && !s.count.Counting {
		return s.bystanderOffers(out, x)
	}
	return engine.AllowedFrom(s.addOffers(out, v, nil, false), len(out))
}

// buildOffers returns the acts that public facts allow to v. Decide uses the same functions and the same
// knowledge as the marks on these offers, so a domain is exactly what Decide accepts. k is the knowledge of
// v.
func (s *state) offers(v engine.Viewer, k *knowledge) []engine.Offer {
	var room [24]engine.Offer // on the stack, large enough for one view
	return append([]engine.Offer{}, s.addOffers(room[:0], v, k, true)...)
}

// appendOffers adds the offers of v to out. asides: also those that are aside. Without asides, k may be
// nil; it is then made only if v is to act.
func (s *state) addOffers(out []engine.Offer, v engine.Viewer, k *knowledge, asides bool) []engine.Offer {
	if v.IsHost() {
		out = s.hostOffers(out, asides)
	}
	x, seat := v.Seat()
	if !seat && !v.IsHost() || s.count.Stands() {
		return out
	}
	if seat {
		out = s.bystanderOffers(out, x)
	}
	if seat && asides {
		out = s.namingOffers(out, x, k)
		if s.mayDisagree(x) {
			out = append(out, engine.Offer{Act: "disagree", Rule: "HC-114", Aside: true})
		}
	}
	if s.active == 0 || seat && x != s.active {
		return out
	}
	if k == nil {
		k = s.knowledge(v)
	}
	by := actor{seat: s.active, host: !seat, knowledge: k}
	if s.step == stepRole {
		return append(out, engine.Offer{Act: "role", Rule: s.turnRule(), Params: []engine.Param{
			{Name: "value", Kind: "value", Domain: []string{Murderer, Innocent}}}})
	}
	switch s.phase {
	case roles:
		return offerRole(out, by)
	case pick:
		return s.offerHidden(out, "keep", "HC-022", by.takes(), by.listPlace())
	case investigation:
		return s.offersInvestigation(out, by)
	case deposit:
		return by.offersDeposit(out)
	case reveal:
		return s.offersReveal(out, by)
	case recovery:
		return s.offersRecovery(out, by)
	}
	return out
}

// offerRole adds the acts for a role. Only the seat itself may name its role, which is secret.
func offerRole(out []engine.Offer, by actor) []engine.Offer {
	role := engine.Offer{Act: "role", Rule: "HC-005"}
	if !by.host {
		tell := role
		tell.Params = []engine.Param{{Name: "value", Kind: "role", Domain: []string{Murderer, Innocent}}}
		out = append(out, tell)
	}
	role.Fixed = sayUnknown
	return append(out, role)
}

// offerCard adds an act with one clue. may holds the clues that it accepts, all those that public facts
// allow. If both are empty it adds nothing.
func (h *houseRules) offerCard(out []engine.Offer, act, rule string, may, all set, grave bool) []engine.Offer {
	if may|all == 0 {
		return out
	}
	return append(out, engine.Offer{Act: act, Rule: rule, Grave: grave,
		Params: []engine.Param{rules.CardParam(h.book.list, may, all)}})
}

// offerAloud does the same for clues that all see.
func (h *houseRules) offerAloud(out []engine.Offer, act, rule string, may, all set) []engine.Offer {
	out = h.offerCard(out, act, rule, may, all, false)
	if may|all != 0 {
		out[len(out)-1].Params[0].Aloud = true
	}
	return out
}

// offerHidden adds an act on a hidden clue in its two forms: with a named clue, and with an unnamed one
// (GEN-024).
func (h *houseRules) offerHidden(out []engine.Offer, act, rule string, may, all choice) []engine.Offer {
	grave := act == "deposit"
	out = h.offerCard(out, act, rule, may.cards, all.cards, grave)
	if may.unnamed || all.unnamed {
		out = append(out, unless(!may.unnamed, engine.Offer{Act: act, Rule: rule, Grave: grave, Fixed: sayUnnamed}))
	}
	return out
}

// markRefused returns an offer that public facts allow; no: what its seat knows forbids it, so it is
// marked.
func unless(no bool, o engine.Offer) engine.Offer {
	if no {
		o.No = &engine.Refusal{}
	}
	return o
}

func (s *roleState) offersInvestigation(out []engine.Offer, by actor) []engine.Offer {
	x := by.seat
	if s.window && s.step != stepMove && s.step != stepAct {
		return out
	}
	switch s.step {
	case stepMove:
		to, open, some := by.moves(x, !by.host)
		if !some {
			return out
		}
		p := engine.Param{Name: "place", Kind: "place", Domain: s.placeList(to)}
		if open != to && !by.host { // which of them lead to an act can depend on the hand (HC-052, HC-181)
			p.All = s.placeList(open)
		}
		return append(out, engine.Offer{Act: "move", Rule: "HC-050", Params: []engine.Param{p}})
	case stepAct:
		return s.offersAct(out, by)
	case stepTake:
		return s.offerHidden(out, "take", "HC-061", by.takes(), by.listPlace())
	case stepDraw:
		if by.host {
			return s.offerHidden(out, "draw", "HC-083", choice{unnamed: true}, choice{})
		}
		return append(out, engine.Offer{Act: "draw", Rule: "HC-083"})
	case stepGive:
		return s.offerHidden(out, "give", "HC-083", by.gives(), by.listHand())
	case stepSettle:
		return by.offersSettle(out)
	case stepPurge:
		may, forced := by.purges()
		out = s.offerCard(out, "destroy", "HC-205", may, by.listPlace().cards, true)
		if !forced {
			out = append(out, engine.Offer{Act: "done", Rule: "HC-206"})
		}
	}
	return out
}

// offerSettle adds the acts that end a search. Whether a clue may be left, destroyed or kept depends on the
// hand and the role; whether the act is listed depends on public facts.
func (by actor) offersSettle(out []engine.Offer) []engine.Offer {
	x, hand := by.seat, by.listHand()
	leave, destroy := hand, hand.cards
	if !by.full && !by.mayOweSwap(by.seats[x].cards) {
		leave = choice{}
	}
	if by.spent(x) || !by.full && !by.below(x, by.seats[x].cards) {
		destroy = 0
	}
	out = by.offerHidden(out, "leave", "HC-062", by.leaves(), leave)
	out = by.offerCard(out, "destroy", "HC-070", by.destroys(), destroy, true)
	if !by.full {
		out = append(out, unless(by.swapping(x), engine.Offer{Act: "done", Rule: "HC-065"}))
	}
	return out
}

func (s *roleState) offersAct(out []engine.Offer, by actor) []engine.Offer {
	p := s.seats[by.seat].at
	if s.rooms[p].cards > 0 {
		out = append(out, engine.Offer{Act: "search", Rule: "HC-060"})
	}
	out = s.otherOffers(out, by)
	if s.idle(by.seat) {
		out = append(out, unless(!by.mayPass(), engine.Offer{Act: "pass", Rule: "HC-054"}))
	}
	return out
}

func (by actor) offersDeposit(out []engine.Offer) []engine.Offer {
	out = by.offerHidden(out, "deposit", "HC-120", by.deposits(), by.listHand())
	if by.seats[by.seat].cards == 1 {
		out = append(out, unless(!by.mayAbstain(), engine.Offer{Act: "no-deposit", Rule: "HC-125", Grave: true}))
	}
	return out
}

func (s *recordState) offersReveal(out []engine.Offer, by actor) []engine.Offer {
	if s.step != stepShow {
		return append(out, engine.Offer{Act: "open", Rule: "HC-127", Grave: true})
	}
	out = s.offerAloud(out, "show", "HC-127", s.showable(by.knowledge), 0)
	return append(out, engine.Offer{Act: "shown", Rule: "HC-127", Grave: true})
}

func (s *roleState) offersRecovery(out []engine.Offer, by actor) []engine.Offer {
	if s.step != stepLay {
		out = s.offerAloud(out, "recover", "HC-133", s.recoverable(by.knowledge, by.seat, !by.host), by.listShown())
		if s.step == stepExtra {
			out = append(out, engine.Offer{Act: "pass", Rule: "HC-133"})
		}
		return out
	}
	to := s.layable()
	return append(out, engine.Offer{Act: "lay", Rule: "HC-135", Params: []engine.Param{
		{Name: "card", Kind: "card", Aloud: true, Domain: s.book.list(by.shown())},
		{Name: "place", Kind: "place", Domain: s.placeList(to)}}})
}

func (h *houseRules) placeList(to [numPlaces + 1]bool) []string {
	var set uint64
	for p, is := range to {
		if is {
			set |= 1 << p
		}
	}
	return rules.List(h.book.placeID[:], set)
}

func (s *state) hostOffers(out []engine.Offer, asides bool) []engine.Offer {
	if s.count.Alarmed {
		return append(out, engine.Offer{Act: rules.ActCount, Rule: "GEN-E09", Grave: true}) // it discards all that was read
	}
	switch s.phase {
	case lobby:
		return s.lobbyOffers(out)
	case roles:
		out = append(out, engine.Offer{Act: "draw-roles", Rule: "HC-005"})
	case laying:
		out = append(out, engine.Offer{Act: "deal", Rule: "HC-009"}, engine.Offer{Act: "laid", Rule: "HC-009"})
	case investigation:
		out = s.bystandersOffers(out)
	}
	if !asides && !s.count.Counting {
		return out
	}
	return s.overruleOffers(s.countOffers(s.pawnOffers(out)))
}

// offerForBystanders lets the host declare, for a seat without a phone, an observation or its agreement to
// a draw.
func (s *public) bystandersOffers(out []engine.Offer) []engine.Offer {
	if s.count.Counting {
		return out
	}
	add := func(act, rule string, grave bool, may func(engine.Seat) bool) {
		if seats := rules.Seats(maxSeats, may); len(seats) > 0 {
			out = append(out, engine.Offer{Act: act, Rule: rule, Grave: grave,
				Params: []engine.Param{{Name: "seat", Kind: "seat", Domain: seats}}})
		}
	}
	if s.active != 0 && s.observable() {
		add("observe", "HC-110", false, func(y engine.Seat) bool { return s.mayObserve(y, s.active) })
	}
	add("offer-draw", "HC-211", true, s.drawable)
	return out
}

func (s *boardState) lobbyOffers(out []engine.Offer) []engine.Offer {
	var free, taken, notFirst, characters []string
	for x := engine.Seat(1); x <= maxSeats; x++ {
		switch {
		case !s.seated(x):
			free = append(free, x.String())
			continue
		case x != s.first:
			notFirst = append(notFirst, x.String())
		}
		taken = append(taken, x.String())
	}
	for f := character(1); f <= numCharacters; f++ {
		if !s.played(f) {
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
	out = switches.Offers(out, s.rules[:])
	if rule, _ := s.ready(); rule == "" {
		out = append(out, engine.Offer{Act: "begin", Rule: "HC-001"})
	}
	return out
}

// offerTargets adds the exchanges and accusations that the actor can make in its place.
func (s *roleState) otherOffers(out []engine.Offer, by actor) []engine.Offer {
	p := s.seats[by.seat].at
	compelled := by.compelled(by.seat) // it must search, which only this seat knows (HC-188)
	if vs := s.victims(by.seat, p); len(vs) > 0 {
		seats := engine.Param{Name: "seat", Kind: "seat", Domain: make([]string, len(vs))}
		for i, y := range vs {
			seats.Domain[i] = y.String()
		}
		if compelled {
			seats.Domain, seats.All = nil, seats.Domain
		}
		out = append(out, engine.Offer{Act: "exchange", Rule: "HC-081", Params: []engine.Param{seats}})
	}
	for _, y := range s.accusable(by.seat, p) {
		may, all := by.evidence(y), by.listHand()
		if all.unnamed {
			all.cards &= s.seats[y].who.clues()
		}
		if compelled {
			may = 0
		}
		fixed := engine.Args{"seat": y.String()}
		if s.cleared(y) {
			fixed["confirm"] = knownInnocent
		}
		if may|all.cards != 0 {
			out = append(out, engine.Offer{Act: "accuse", Rule: "HC-091", Grave: true, Fixed: fixed,
				Params: []engine.Param{rules.CardParam(s.book.list, may, all.cards)}})
		}
	}
	return out
}

// offerBystander adds what a seat may do out of its turn.
func (s *boardState) bystanderOffers(out []engine.Offer, x engine.Seat) []engine.Offer {
	if s.phase != investigation {
		return out
	}
	if s.mayWatch(x) {
		out = append(out, engine.Offer{Act: "observe", Rule: "HC-110"})
	}
	if s.drawable(x) {
		out = append(out, engine.Offer{Act: "offer-draw", Rule: "HC-211", Grave: true})
	}
	return out
}
