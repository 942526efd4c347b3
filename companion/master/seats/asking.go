package seats

import (
	"maps"
	"slices"

	"majordome/companion/master"
	"majordome/companion/staff"
	"majordome/companion/wire"
	"majordome/engine"
)

// syncLobby sets what phones can ask for at the desk, and returns the code of the lobby; "" while a game is running.
func (s *Seats) syncLobby() (code string) {
	if s.table.PublicView().Phase != engine.PhaseLobby {
		return s.desk().SyncLobby(false, 0, nil, s.heldCharacters())
	}
	places := slices.DeleteFunc(s.freeSeats(), s.isGuest)
	return s.desk().SyncLobby(true, len(places), s.freeCharacters(), s.heldCharacters())
}

// countWaiting returns the number of phones that wait for the host to seat their players.
func (s *Seats) countWaiting() int {
	all, more := s.desk().SeatRequests()
	n := len(all) + more
	for _, g := range s.guests {
		if g.name != "" {
			n++
		}
	}
	return n
}

// isGuest reports whether a guest is at a seat.
func (s *Seats) isGuest(at engine.Seat) bool {
	_, is := s.guests[at]
	return is
}

// freeCharacters returns the characters that no player has and no guest asks for.
func (s *Seats) freeCharacters() (free []engine.ID) {
	o, _ := s.sitOffer()
	for _, p := range o.Params {
		if p.Kind != "character" {
			continue
		}
		for _, who := range p.Domain {
			if !s.isCharacterTaken(who, 0) {
				free = append(free, engine.ID(who))
			}
		}
	}
	return free
}

// updateAsking proposes a free seat for each phone that asks the host, and passes on to the phones the reasons
// against it. A phone keeps its seat as long as that is free. The seat with the invitation for a new phone is the last to be proposed. more
// is the number of phones for which there is none.
func (s *Seats) updateAsking() (asking []wire.Guest, more int) {
	all, more := s.desk().SeatRequests()
	free := slices.DeleteFunc(s.freeSeats(), s.isGuest)
	maps.DeleteFunc(s.asking, func(at engine.Seat, code string) bool {
		return !slices.Contains(free, at) || !slices.ContainsFunc(all, func(g wire.Guest) bool { return g.Ask == code })
	})
	if s.asking == nil {
		s.asking = map[engine.Seat]string{}
	}
	var wanted []engine.ID // the characters that phones have asked for before
	if i := slices.Index(free, s.vacant); i >= 0 {
		free = append(slices.Delete(free, i, i+1), s.vacant)
	}
	for _, g := range all {
		g.Name = staff.NormaliseName(g.Name)
		if g.Seat = s.seatFor(g.Ask, free); g.Seat == 0 {
			more++
			continue
		}
		s.asking[g.Seat] = g.Ask
		g.Second = g.Character != "" && slices.Contains(wanted, g.Character)
		wanted = append(wanted, g.Character)
		s.desk().ExplainSeat(g.Ask, s.whyNot(g))
		asking = append(asking, g)
	}
	slices.SortFunc(asking, func(a, b wire.Guest) int { return int(a.Seat) - int(b.Seat) })
	return asking, more
}

// seatFor returns the seat proposed for the phone with this code: the one that it has, else the first of free that no other
// has; 0 for none.
func (s *Seats) seatFor(code string, free []engine.Seat) engine.Seat {
	for at, other := range s.asking {
		if other == code {
			return at
		}
	}
	for _, at := range free {
		if _, taken := s.asking[at]; !taken {
			return at
		}
	}
	return 0
}

// whyNot returns why the game would not seat a player now; an empty message if it would, or if the player has not chosen a
// character yet.
func (s *Seats) whyNot(g wire.Guest) engine.Msg {
	r := s.refuseSameName(g.Seat, g.Name)
	if r == nil && g.Second {
		return engine.NewMsg("phone.ask.second", "character", string(g.Character))
	}
	if r == nil && (g.Character != "" || len(s.freeCharacters()) == 0) {
		r = s.table.TryAct(ActSit, engine.Args{"seat": g.Seat.String(), "name": g.Name, "character": string(g.Character)})
	}
	if r == nil {
		return engine.Msg{}
	}
	return r.Why
}

// admitToSeat lets the phone with the code args["ask"] join at a seat whose player the host seats now. It returns the
// arguments for the game, which then seats the player. A phone that asks under another name than the player's does not join.
func (s *Seats) admitToSeat(at engine.Seat, args engine.Args) (forGame engine.Args, done bool, r *engine.Reject) {
	code := args["ask"]
	args = maps.Clone(args)
	delete(args, "ask")
	if r := s.table.TryAct(ActSit, args); r != nil {
		return args, true, r
	}
	if s.hasPhone(at) || !s.isAsking(code, args["name"]) || s.desk().AdmitToSeat(code, at) != nil {
		return args, true, master.Refuse(engine.NotNow, ruleSeat, "table.ask.gone")
	}
	delete(s.asking, at)
	return args, false, nil
}

// isAsking reports whether the phone with this code asks under this name.
func (s *Seats) isAsking(code, name string) bool {
	all, _ := s.desk().SeatRequests()
	return slices.ContainsFunc(all, func(g wire.Guest) bool {
		return g.Ask == code && staff.NormaliseName(g.Name) == staff.NormaliseName(name)
	})
}
