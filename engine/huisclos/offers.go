package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/rules"
)

// Offers are the legal acts of v, as in View(v).Offers.
func (s *state) Offers(v engine.Viewer) []engine.Offer { return s.offers(v, nil) }

// offers are the legal acts of v. They use the same functions as Decide, with
// the same knowledge, so an offer is exactly what Decide accepts. k is the knowledge of
// v, or nil to make it only if it is needed.
func (s *state) offers(v engine.Viewer, k *knowledge) []engine.Offer {
	out := []engine.Offer{}
	if v.IsHost() {
		out = s.hostOffers(out)
	}
	x, seat := v.Seat()
	if !seat && !v.IsHost() || s.counting {
		return out
	}
	if k == nil {
		k = s.knowledge(v)
	}
	if seat {
		out = s.bystanderOffers(out, x)
		out = s.namingOffers(out, x, k)
		if s.mayDisagree(x) {
			out = append(out, engine.Offer{Act: "disagree", Rule: "HC-114", Aside: true})
		}
	}
	if s.active == 0 || seat && x != s.active {
		return out
	}
	by := actor{seat: s.active, host: !seat, k: k}
	if s.step == stepRole {
		return append(out, engine.Offer{Act: "role", Rule: s.turnRule(), Params: []engine.Param{
			{Name: "value", Kind: "value", Domain: []string{Murderer, Innocent}}}})
	}
	switch s.phase {
	case roles:
		return s.offerRole(out, by)
	case pick:
		return s.offerHidden(out, "keep", "HC-022", s.takes(by))
	case investigation:
		return s.offersInvestigation(out, by)
	case deposit:
		return s.offersDeposit(out, by)
	case reveal:
		return s.offersReveal(out, by)
	case recovery:
		return s.offersRecovery(out, by)
	}
	return out
}

// offerRole: only a seat itself may say its role, which is secret.
func (s *state) offerRole(out []engine.Offer, by actor) []engine.Offer {
	role := engine.Offer{Act: "role", Rule: "HC-005"}
	if !by.host {
		tell := role
		tell.Params = []engine.Param{{Name: "value", Kind: "role", Domain: []string{Murderer, Innocent}}}
		out = append(out, tell)
	}
	role.Fixed = engine.Args{"value": unknownRole}
	return append(out, role)
}

// offerCard adds an act with one clue of a set; nothing if the set is empty.
func (s *state) offerCard(out []engine.Offer, act, rule string, x set, grave bool) []engine.Offer {
	if x == 0 {
		return out
	}
	return append(out, engine.Offer{Act: act, Rule: rule, Grave: grave,
		Params: []engine.Param{{Name: "card", Kind: "card", Domain: s.book.list(x)}}})
}

// offerHidden adds an act on a hidden clue in its two forms: with a clue by
// name, and without saying which (GEN-024).
func (s *state) offerHidden(out []engine.Offer, act, rule string, o choice) []engine.Offer {
	grave := act == "deposit"
	out = s.offerCard(out, act, rule, o.cards, grave)
	if o.unnamed {
		out = append(out, engine.Offer{Act: act, Rule: rule, Grave: grave, Fixed: engine.Args{"card": engine.Unnamed}})
	}
	return out
}

func (s *state) offersInvestigation(out []engine.Offer, by actor) []engine.Offer {
	x := by.seat
	if s.window && s.step != stepMove && s.step != stepAct {
		return out
	}
	switch s.step {
	case stepMove:
		to, some := s.moves(by.k, x, !by.host)
		if !some {
			return out
		}
		return append(out, engine.Offer{Act: "move", Rule: "HC-050",
			Params: []engine.Param{{Name: "place", Kind: "place", Domain: s.placeList(to)}}})
	case stepAct:
		return s.offersAct(out, by)
	case stepTake:
		return s.offerHidden(out, "take", "HC-061", s.takes(by))
	case stepDraw:
		if by.host {
			return s.offerHidden(out, "draw", "HC-083", choice{unnamed: true})
		}
		return append(out, engine.Offer{Act: "draw", Rule: "HC-083"})
	case stepGive:
		return s.offerHidden(out, "give", "HC-083", s.gives(by))
	case stepSettle:
		out = s.offerHidden(out, "leave", "HC-062", s.leaves(by))
		out = s.offerCard(out, "destroy", "HC-070", s.destroys(by), true)
		if !s.full && !s.swapping(by.k, x) {
			out = append(out, engine.Offer{Act: "done", Rule: "HC-065"})
		}
	case stepPurge:
		may, forced := s.purges(by)
		out = s.offerCard(out, "destroy", "HC-205", may, true)
		if !forced {
			out = append(out, engine.Offer{Act: "done", Rule: "HC-206"})
		}
	}
	return out
}

func (s *state) offersAct(out []engine.Offer, by actor) []engine.Offer {
	p := s.seats[by.seat].at
	if s.rooms[p].cards > 0 {
		out = append(out, engine.Offer{Act: "search", Rule: "HC-060"})
	}
	out = s.otherOffers(out, by)
	if s.idle(by) {
		out = append(out, engine.Offer{Act: "pass", Rule: "HC-054"})
	}
	return out
}

func (s *state) offersDeposit(out []engine.Offer, by actor) []engine.Offer {
	out = s.offerHidden(out, "deposit", "HC-120", s.deposits(by))
	if s.mayAbstain(by) {
		out = append(out, engine.Offer{Act: "no-deposit", Rule: "HC-125", Grave: true})
	}
	return out
}

func (s *state) offersReveal(out []engine.Offer, by actor) []engine.Offer {
	if s.step != stepShow {
		return append(out, engine.Offer{Act: "open", Rule: "HC-127", Grave: true})
	}
	out = s.offerCard(out, "show", "HC-127", s.showable(by.k), false)
	return append(out, engine.Offer{Act: "shown", Rule: "HC-127", Grave: true})
}

func (s *state) offersRecovery(out []engine.Offer, by actor) []engine.Offer {
	if s.step != stepLay {
		out = s.offerCard(out, "recover", "HC-133", s.recoverable(by.k, by.seat, !by.host), false)
		if s.step == stepExtra {
			out = append(out, engine.Offer{Act: "pass", Rule: "HC-133"})
		}
		return out
	}
	to := s.layable()
	return append(out, engine.Offer{Act: "lay", Rule: "HC-135", Params: []engine.Param{
		{Name: "card", Kind: "card", Domain: s.book.list(by.k.shown)},
		{Name: "place", Kind: "place", Domain: s.placeList(to)}}})
}

func (s *state) placeList(to [numPlaces + 1]bool) []string {
	ids := make([]string, 0, numPlaces)
	for p := place(1); p <= numPlaces; p++ {
		if to[p] {
			ids = append(ids, s.book.placeID[p])
		}
	}
	return ids
}

func (s *state) hostOffers(out []engine.Offer) []engine.Offer {
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
	return s.countOffers(s.pawnOffers(out))
}

// bystandersOffers let the host declare the observation of a seat without a
// phone, and that it agrees to a draw.
func (s *state) bystandersOffers(out []engine.Offer) []engine.Offer {
	if s.counting {
		return out
	}
	add := func(act, rule string, grave bool, may func(engine.Seat) bool) {
		var seats []string
		for y := engine.Seat(1); y <= maxSeats; y++ {
			if may(y) {
				seats = append(seats, y.String())
			}
		}
		if seats != nil {
			out = append(out, engine.Offer{Act: act, Rule: rule, Grave: grave, Params: []engine.Param{{Name: "seat", Kind: "seat", Domain: seats}}})
		}
	}
	if s.active != 0 && s.observable() {
		add("observe", "HC-110", false, func(y engine.Seat) bool { return s.mayObserve(y, s.active) })
	}
	add("offer-draw", "HC-211", true, s.drawable)
	return out
}

func (s *state) lobbyOffers(out []engine.Offer) []engine.Offer {
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
		out = append(out, engine.Offer{Act: "rise", Rule: "HC-002", Params: []engine.Param{{Name: "seat", Kind: "seat", Domain: taken}}})
	}
	if len(notFirst) > 0 {
		out = append(out, engine.Offer{Act: "first", Rule: "HC-020", Params: []engine.Param{{Name: "seat", Kind: "seat", Domain: notFirst}}})
	}
	out = switches.Offers(out, s.rules[:])
	if rule, _ := s.ready(); rule == "" {
		out = append(out, engine.Offer{Act: "begin", Rule: "HC-001"})
	}
	return out
}

// otherOffers are the offers of exchange and accusation where the actor stands.
func (s *state) otherOffers(out []engine.Offer, by actor) []engine.Offer {
	p := s.seats[by.seat].at
	if vs := s.victims(by.k, by.seat, p); len(vs) > 0 {
		domain := make([]string, len(vs))
		for i, y := range vs {
			domain[i] = y.String()
		}
		out = append(out, engine.Offer{Act: "exchange", Rule: "HC-081",
			Params: []engine.Param{{Name: "seat", Kind: "seat", Domain: domain}}})
	}
	if s.compelled(by.k, by.seat) {
		return out
	}
	for _, y := range s.accusable(by.seat, p) {
		if x := s.evidence(by, y); x != 0 {
			fixed := engine.Args{"seat": y.String()}
			if s.cleared(y) {
				fixed["confirm"] = knownInnocent
			}
			out = append(out, engine.Offer{Act: "accuse", Rule: "HC-091", Grave: true, Fixed: fixed,
				Params: []engine.Param{{Name: "card", Kind: "card", Domain: s.book.list(x)}}})
		}
	}
	return out
}

// bystanderOffers are what a seat may do out of its turn.
func (s *state) bystanderOffers(out []engine.Offer, x engine.Seat) []engine.Offer {
	if s.phase != investigation {
		return out
	}
	if s.active != 0 && s.observable() && s.mayObserve(x, s.active) {
		out = append(out, engine.Offer{Act: "observe", Rule: "HC-110"})
	}
	if s.drawable(x) {
		out = append(out, engine.Offer{Act: "offer-draw", Rule: "HC-211", Grave: true})
	}
	return out
}
