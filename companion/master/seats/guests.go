package seats

import (
	"maps"
	"slices"

	"majordome/companion/master"
	"majordome/companion/staff"
	"majordome/companion/wire"
	"majordome/engine"
)

// guest is the request of a phone that has joined at a seat without a player; it is empty until the player has
// typed a name. It lasts until a player takes the seat, the host turns the guest away or the game begins. After
// a restart the daemon asks again.
type guest struct {
	name, character string
	// played: the guest had this seat as a player, or may have had it before the daemon started. Then another name
	// means another person.
	played bool
}

// sitOffer returns the host's offer to seat players; false if no seat is free.
func (s *Seats) sitOffer() (offer engine.Offer, canSit bool) {
	all := s.table.HostOffers()
	i := slices.IndexFunc(all, func(o engine.Offer) bool { return o.Act == ActSit })
	if i < 0 {
		return engine.Offer{}, false
	}
	return all[i], true
}

// freeSeats returns the seats that a player could take.
func (s *Seats) freeSeats() (free []engine.Seat) {
	o, _ := s.sitOffer()
	for _, p := range o.Params {
		if p.Kind != "seat" {
			continue
		}
		for _, name := range p.Domain {
			if at, err := engine.ParseSeat(name); err == nil {
				free = append(free, at)
			}
		}
	}
	return free
}

// updateGuestsAndInvites updates the guests and returns the invitations: of all players, of the guests, and of one free
// seat for the next phone, so that only one code at a time is shown for new phones. A player who has left the
// seat becomes a guest with the same name.
func (s *Seats) updateGuestsAndInvites(seated []engine.SeatView) []wire.Invite {
	free := s.freeSeats()
	if s.guests == nil { // after a start each phone with the key of a free seat is a guest
		s.guests = map[engine.Seat]guest{}
		for _, at := range free {
			if s.hasPhone(at) {
				s.guests[at] = guest{played: true}
			}
		}
	}
	for at, name := range s.seated {
		if s.hasPhone(at) && slices.Contains(free, at) {
			s.guests[at] = guest{name: name, played: true}
		}
	}
	s.seated = map[engine.Seat]string{}
	maps.DeleteFunc(s.guests, func(at engine.Seat, _ guest) bool { return !slices.Contains(free, at) })
	if !slices.Contains(free, s.vacant) {
		s.vacant = 0
	}
	if s.vacant != 0 && s.hasPhone(s.vacant) {
		s.guests[s.vacant], s.vacant = guest{}, 0
	}
	here := slices.Collect(maps.Keys(s.guests))
	for _, p := range seated {
		s.seated[p.Seat] = p.Name
		here = append(here, p.Seat)
	}
	if s.vacant == 0 && len(free) > len(s.guests) {
		s.desk().RefreshInvites(here)
		for _, at := range free {
			if _, is := s.guests[at]; !is && !s.hasPhone(at) {
				s.vacant = at
				break
			}
		}
	}
	if s.vacant != 0 {
		here = append(here, s.vacant)
	}
	slices.Sort(here)
	return s.desk().RefreshInvites(here)
}

// hasPhone reports whether a phone has joined at a seat.
func (s *Seats) hasPhone(at engine.Seat) bool { return len(s.phonesAt(at.String()).Phones) > 0 }

// Guests implements master.GuestLister, in the order of the seats.
func (s *Seats) Guests() (all []wire.Guest) {
	for at := range engine.Seat(engine.MaxSeats + 1) {
		if g, is := s.guests[at]; is {
			all = append(all, wire.Guest{Seat: at, Name: g.name, Character: engine.ID(g.character), Played: g.played})
		}
	}
	return all
}

// HandleLobbyOpened implements master.LobbyListener: a player of the game before keeps seat, phone and name, and has
// to choose a character.
func (s *Seats) HandleLobbyOpened(_ string, stay []wire.Guest) {
	s.desk().SyncLobby(false, 0, nil, nil) // so that this lobby has a code of its own, also after another that was left without a game
	for _, g := range stay {
		s.guests[g.Seat] = guest{name: g.Name, played: g.Name != ""}
	}
}

// appendTurnAwayOffer appends the host's offer to turn a guest away, if there are any.
func (s *Seats) appendTurnAwayOffer(all []engine.Offer) []engine.Offer {
	if len(s.guests)+len(s.asking) == 0 {
		return all
	}
	o := engine.Offer{Act: ActTurnAway, Rule: ruleSeat, Aside: true, Grave: true, Params: []engine.Param{{Name: "seat", Kind: "seat"}}}
	for _, at := range slices.Sorted(maps.Keys(s.asking)) {
		o.Params[0].Domain = append(o.Params[0].Domain, at.String())
	}
	for _, g := range s.Guests() {
		o.Params[0].Domain = append(o.Params[0].Domain, g.Seat.String())
	}
	return append(all, o)
}

// appendSitOffer appends the offer to the guest at a seat to choose a name and a character, without the characters
// that other guests have asked for.
func (s *Seats) appendSitOffer(all []engine.Offer, at engine.Seat) []engine.Offer {
	o, ok := s.sitOffer()
	if _, is := s.guests[at]; !is || !ok {
		return all
	}
	var params []engine.Param
	for _, p := range o.Params {
		switch p.Kind {
		case "seat":
			continue
		case "character":
			p.Domain = slices.DeleteFunc(slices.Clone(p.Domain), func(who string) bool { return s.isCharacterTaken(who, at) })
		}
		params = append(params, p)
	}
	return append(all, engine.Offer{Act: ActSit, Rule: o.Rule, Params: params})
}

// isCharacterTaken reports whether a guest at another seat than exceptSeat has asked for a character.
func (s *Seats) isCharacterTaken(character string, exceptSeat engine.Seat) bool {
	for at, g := range s.guests {
		if at != exceptSeat && g.character != "" && g.character == character {
			return true
		}
	}
	return false
}

// FilterAct implements master.ActFilter. It brings a name into the form in which names are stored; no two at
// the table may have the same. The request of a guest is stored if the game would accept it now; the host then
// seats the guest.
func (s *Seats) FilterAct(by master.Actor, act string, args engine.Args) (changed engine.Args, done bool, r *engine.Reject) {
	if act != ActSit {
		return args, false, nil
	}
	if args["name"] != "" {
		args = maps.Clone(args)
		args["name"] = staff.NormaliseName(args["name"])
	}
	at, _ := by.Seat()
	if _, is := s.guests[at]; is {
		return args, true, s.storeGuestRequest(at, args)
	}
	if at, err := engine.ParseSeat(args["seat"]); err == nil && by.IsHost() {
		if r = s.refuseSameName(at, args["name"]); r == nil && args["ask"] != "" {
			return s.admitToSeat(at, args)
		}
		if r == nil {
			r = s.cutFormerPhones(at, args)
		}
	}
	return args, r != nil, r
}

// cutFormerPhones cuts off the phones of the seat's former player before the host seats another person there.
func (s *Seats) cutFormerPhones(at engine.Seat, args engine.Args) *engine.Reject {
	if g := s.guests[at]; !g.played || staff.IsLookalike(g.name, args["name"]) || s.table.TryAct(ActSit, args) != nil {
		return nil // the game then gives the reason
	}
	if _, r := s.replaceLink(at); r != nil {
		return r
	}
	delete(s.guests, at)
	s.resetSeatActCounts(at)
	return nil
}

// storeGuestRequest stores the name and character that a guest asks for, if the game would accept them.
func (s *Seats) storeGuestRequest(at engine.Seat, args engine.Args) *engine.Reject {
	args = engine.Args{"seat": at.String(), "name": args["name"], "character": args["character"]}
	if r := s.refuseSameName(at, args["name"]); r != nil {
		return r
	}
	if s.isCharacterTaken(args["character"], at) {
		return master.Refuse(engine.Forbidden, ruleHost, "table.guest.character")
	}
	if r := s.table.TryAct(ActSit, args); r != nil {
		return r
	}
	s.guests[at] = guest{name: args["name"], character: args["character"]}
	return nil
}

// refuseSameName refuses a name that another player or guest at the table has.
func (s *Seats) refuseSameName(at engine.Seat, name string) *engine.Reject {
	taken := false
	for _, other := range s.table.PublicView().Seats {
		taken = taken || other.Seat != at && staff.IsLookalike(other.Name, name)
	}
	for other, g := range s.guests {
		taken = taken || other != at && g.name != "" && staff.IsLookalike(g.name, name)
	}
	if !taken {
		return nil
	}
	return master.Refuse(engine.Forbidden, ruleHost, "table.guest.name")
}

// turnAwayGuest removes a guest from a seat, whose phone is cut off at the next step, or the request with the code args["ask"].
func (s *Seats) turnAwayGuest(_ master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	at, err := engine.ParseSeat(args["seat"])
	if code := args["ask"]; code != "" {
		if s.desk().RefuseSeat(code) != nil {
			return nil, master.Refuse(engine.NotNow, ruleSeat, "table.ask.gone")
		}
		return nil, nil
	}
	if _, is := s.guests[at]; err != nil || !is {
		return nil, master.Refuse(engine.NotNow, ruleSeat, "table.guest.nobody")
	}
	delete(s.guests, at)
	return nil, nil
}
