package huisclos

import (
	"majordome/engine"
	"majordome/engine/deck"
)

// Offers are the legal acts of v, as in View(v).Offers.
func (s *state) Offers(v engine.Viewer) []engine.Offer { return s.offers(v, nil) }

// offers are the legal acts of v. They use the same functions as Decide, with
// the same sight, so an offer is exactly what Decide accepts. k is the sight of
// v, or nil to make it only if it is needed.
func (s *state) offers(v engine.Viewer, k *sight) []engine.Offer {
	out := []engine.Offer{}
	if v.IsHost() {
		out = s.hostOffers(out)
	}
	x, seat := v.Seat()
	if seat {
		out = s.bystanderOffers(out, x)
	}
	if s.active == 0 || seat && x != s.active || !seat && !v.IsHost() {
		return out
	}
	if k == nil {
		k = s.see(v)
	}
	by := actor{seat: s.active, host: !seat, k: k}
	switch s.phase {
	case investigation:
		return s.offersInvestigation(out, by)
	case reveal:
		return append(out, engine.Offer{Act: "open", Rule: "HC-127", Grave: true})
	case recovery:
		return s.offersRecovery(out, by)
	}
	if by.host {
		return out
	}
	switch s.phase {
	case roles:
		return append(out, engine.Offer{Act: "role", Rule: "HC-005",
			Params: []engine.Param{{Name: "value", Kind: "value", Domain: []string{deck.Murderer, deck.Innocent}}}})
	case pick:
		return s.offerCard(out, "keep", "HC-022", k.place[s.seats[x].at], false)
	case deposit:
		return s.offerCard(out, "deposit", "HC-120", s.depositable(k, x), true)
	}
	return out
}

// offerCard adds an act with one clue of a set; nothing if the set is empty.
func (s *state) offerCard(out []engine.Offer, act, rule string, x set, grave bool) []engine.Offer {
	if x == 0 {
		return out
	}
	return append(out, engine.Offer{Act: act, Rule: rule, Grave: grave,
		Params: []engine.Param{{Name: "card", Kind: "card", Domain: s.book.list(x)}}})
}

func (s *state) offersInvestigation(out []engine.Offer, by actor) []engine.Offer {
	x := by.seat
	if s.step == stepMove {
		to, some := s.moves(by.k, x, !by.host)
		if !some {
			return out
		}
		return append(out, engine.Offer{Act: "move", Rule: "HC-050",
			Params: []engine.Param{{Name: "place", Kind: "place", Domain: s.placeList(to)}}})
	}
	if s.step == stepAct {
		return s.offersAct(out, by)
	}
	if by.host {
		return out
	}
	switch s.step {
	case stepTake:
		if !s.window {
			out = s.offerCard(out, "take", "HC-061", s.takeable(by.k, x), false)
		}
	case stepDraw:
		if !s.window {
			out = append(out, engine.Offer{Act: "draw", Rule: "HC-083"})
		}
	case stepGive:
		if !s.window {
			out = s.offerCard(out, "give", "HC-083", s.giveable(by.k, x), false)
		}
	case stepSettle:
		out = s.offerCard(out, "leave", "HC-062", s.leavable(by.k, x), false)
		out = s.offerCard(out, "destroy", "HC-070", s.destroyable(by.k, x), true)
		if !s.full && !s.swapping(by.k, x) {
			out = append(out, engine.Offer{Act: "done", Rule: "HC-065"})
		}
	case stepPurge:
		out = s.offerCard(out, "destroy", "HC-205", s.purgeable(by.k, x), true)
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

func (s *state) offersRecovery(out []engine.Offer, by actor) []engine.Offer {
	if s.step != stepLay {
		return s.offerCard(out, "recover", "HC-133", s.recoverable(by.k, by.seat, !by.host), false)
	}
	to, _ := s.layable()
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
		return append(out, engine.Offer{Act: "draw-roles", Rule: "HC-005"})
	case laying:
		return append(out, engine.Offer{Act: "deal", Rule: "HC-009"})
	}
	return out
}

func (s *state) lobbyOffers(out []engine.Offer) []engine.Offer {
	var free, taken, notFirst, figures []string
	for x := engine.Seat(1); x <= maxSeats; x++ {
		switch {
		case !s.seated(x):
			free = append(free, seatNames[x])
			continue
		case x != s.first:
			notFirst = append(notFirst, seatNames[x])
		}
		taken = append(taken, seatNames[x])
	}
	for f := figure(1); f <= numFigures; f++ {
		if !s.played(f) {
			figures = append(figures, s.book.figureID[f])
		}
	}
	if len(free) > 0 {
		out = append(out, engine.Offer{Act: "sit", Rule: "HC-002", Params: []engine.Param{
			{Name: "seat", Kind: "seat", Domain: free}, {Name: "name", Kind: "text", Max: maxPlayerName},
			{Name: "character", Kind: "character", Domain: figures}}})
	}
	if len(taken) > 0 {
		out = append(out, engine.Offer{Act: "rise", Rule: "HC-002", Params: []engine.Param{{Name: "seat", Kind: "seat", Domain: taken}}})
	}
	if len(notFirst) > 0 {
		out = append(out, engine.Offer{Act: "first", Rule: "HC-020", Params: []engine.Param{{Name: "seat", Kind: "seat", Domain: notFirst}}})
	}
	for i, sw := range switchValues {
		others := make([]string, 0, len(sw.values))
		for j, v := range sw.values {
			if j != int(s.rules[i]) {
				others = append(others, v)
			}
		}
		out = append(out, engine.Offer{Act: "switch", Rule: sw.rule, Fixed: engine.Args{"name": sw.id},
			Params: []engine.Param{{Name: "value", Kind: "value", Domain: others}}})
	}
	if rule, _ := s.ready(); rule == "" {
		out = append(out, engine.Offer{Act: "begin", Rule: "HC-001"})
	}
	return out
}
