package seats

import (
	"maps"
	"slices"

	"majordome/companion/master"
	"majordome/companion/staff"
	"majordome/companion/wire"
	"majordome/engine"
)

// guest is what a phone asks for that has joined where nobody sits yet: empty until its player has typed a name.
// It lasts until somebody sits there, the host turns it away or the game begins; a daemon that starts anew asks again.
type guest struct {
	name, character string
	played          bool // under this name it had the seat, or may have had it before the daemon started: another name is another person
}

// sitting is the offer by which the host seats players; false where nobody can sit down.
func (s *Seats) sitting() (engine.Offer, bool) {
	all := s.table.HostOffers()
	i := slices.IndexFunc(all, func(o engine.Offer) bool { return o.Act == ActSit })
	if i < 0 {
		return engine.Offer{}, false
	}
	return all[i], true
}

// free are the seats where somebody could sit down.
func (s *Seats) free() (free []engine.Seat) {
	o, _ := s.sitting()
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

// assign says who may have a phone: all who sit, the guests, and one place for the next to come, so that one code after the other is
// shown. A player who has got up is a guest again, under the same name.
func (s *Seats) assign(seated []engine.SeatView) []wire.Invite {
	free := s.free()
	if s.guests == nil { // the daemon has come up: whoever has a key of a free seat was a guest before
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
		s.desk().Invites(here)
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
	return s.desk().Invites(here)
}

// hasPhone reports that a phone has joined at a seat.
func (s *Seats) hasPhone(at engine.Seat) bool { return len(s.phonesAt(at.String()).Phones) > 0 }

// Guests implements master.GuestLister, in the order of their places.
func (s *Seats) Guests() (all []wire.Guest) {
	for _, at := range slices.Sorted(maps.Keys(s.guests)) {
		all = append(all, wire.Guest{Seat: at, Name: s.guests[at].name, Character: engine.ID(s.guests[at].character), Played: s.guests[at].played})
	}
	return all
}

// LobbyOpened implements master.LobbyListener: who played the game before keeps place, phone and name, and chooses a character.
func (s *Seats) LobbyOpened(_ string, stay []wire.Guest) {
	for _, g := range stay {
		s.guests[g.Seat] = guest{name: g.Name, played: g.Name != ""}
	}
}

// guestOffers are how the host turns guests away.
func (s *Seats) guestOffers(all []engine.Offer) []engine.Offer {
	if len(s.guests) == 0 {
		return all
	}
	o := engine.Offer{Act: ActTurnAway, Rule: ruleSeat, Aside: true, Grave: true, Params: []engine.Param{{Name: "seat", Kind: "seat"}}}
	for _, g := range s.Guests() {
		o.Params[0].Domain = append(o.Params[0].Domain, g.Seat.String())
	}
	return append(all, o)
}

// asGuest adds what a guest may do: say who sits here, without what other guests have asked for.
func (s *Seats) asGuest(all []engine.Offer, at engine.Seat) []engine.Offer {
	o, ok := s.sitting()
	if _, is := s.guests[at]; !is || !ok {
		return all
	}
	var params []engine.Param
	for _, p := range o.Params {
		switch p.Kind {
		case "seat":
			continue
		case "character":
			p.Domain = slices.DeleteFunc(slices.Clone(p.Domain), func(who string) bool { return s.spoken(who, at) })
		}
		params = append(params, p)
	}
	return append(all, engine.Offer{Act: ActSit, Rule: o.Rule, Params: params})
}

// spoken reports that another guest has asked for a character.
func (s *Seats) spoken(who string, but engine.Seat) bool {
	for at, g := range s.guests {
		if at != but && g.character != "" && g.character == who {
			return true
		}
	}
	return false
}

// FilterAct implements master.ActFilter. A name goes to the game as it is kept; no two at the table may have one. What a guest asks for is kept,
// if the game would take it now: the host seats it.
func (s *Seats) FilterAct(by master.Actor, act string, args engine.Args) (changed engine.Args, done bool, r *engine.Reject) {
	if act != ActSit {
		return args, false, nil
	}
	if args["name"] != "" {
		args = maps.Clone(args)
		args["name"] = staff.Composed(args["name"])
	}
	at, _ := by.Seat()
	if _, is := s.guests[at]; is {
		return args, true, s.ask(at, args)
	}
	if at, err := engine.ParseSeat(args["seat"]); err == nil && by.IsHost() {
		if r = s.sameName(at, args["name"]); r == nil {
			r = s.cutFormer(at, args)
		}
	}
	return args, r != nil, r
}

// cutFormer cuts the phones of who had a seat before the host seats another person there.
func (s *Seats) cutFormer(at engine.Seat, args engine.Args) *engine.Reject {
	if g := s.guests[at]; !g.played || staff.Alike(g.name, args["name"]) || s.table.Try(ActSit, args) != nil {
		return nil // the game says what is wrong
	}
	if _, r := s.replaceLink(at); r != nil {
		return r
	}
	delete(s.guests, at)
	s.countAfresh(at)
	return nil
}

func (s *Seats) ask(at engine.Seat, args engine.Args) *engine.Reject {
	args = engine.Args{"seat": at.String(), "name": args["name"], "character": args["character"]}
	if r := s.sameName(at, args["name"]); r != nil {
		return r
	}
	if s.spoken(args["character"], at) {
		return master.Refuse(engine.Forbidden, ruleHost, "table.guest.character")
	}
	if r := s.table.Try(ActSit, args); r != nil {
		return r
	}
	s.guests[at] = guest{name: args["name"], character: args["character"]}
	return nil
}

// sameName refuses a name that somebody else at the table has: two could not be told apart.
func (s *Seats) sameName(at engine.Seat, name string) *engine.Reject {
	taken := false
	for _, other := range s.table.Public().Seats {
		taken = taken || other.Seat != at && staff.Alike(other.Name, name)
	}
	for other, g := range s.guests {
		taken = taken || other != at && g.name != "" && staff.Alike(g.name, name)
	}
	if !taken {
		return nil
	}
	return master.Refuse(engine.Forbidden, ruleHost, "table.guest.name")
}

// turnAway sends a guest away; its phone is cut off.
func (s *Seats) turnAway(_ master.Actor, args engine.Args) (*wire.Notice, *engine.Reject) {
	at, err := engine.ParseSeat(args["seat"])
	if _, is := s.guests[at]; err != nil || !is {
		return nil, master.Refuse(engine.NotNow, ruleSeat, "table.guest.nobody")
	}
	delete(s.guests, at)
	return nil, nil
}
