package seats

import (
	"slices"
	"time"

	"majordome/companion/master"
	"majordome/companion/staff"
	"majordome/companion/wire"
	"majordome/engine"
)

// heldCharacters returns the characters of the players whose seats can be claimed by a card: in a running game those whose pawns
// have a tag.
func (s *Seats) heldCharacters() (all []engine.ID) {
	enrolled, inLobby := s.table.Enrolled(), s.table.InLobby()
	for _, p := range s.table.PublicView().Seats {
		if p.Character != "" && (inLobby || slices.Contains(enrolled, engine.PawnID(p.Character))) {
			all = append(all, p.Character)
		}
	}
	return all
}

// ListTimers implements master.Timer: a phone whose claim a card has confirmed gets its seat at once, or the reason against it.
func (s *Seats) ListTimers(addTimer func(at time.Time, do func())) {
	if _, confirmed := s.desk().CardClaims(); len(confirmed) > 0 {
		addTimer(time.Time{}, s.answerCardClaims) // due at once
	}
}

func (s *Seats) answerCardClaims() {
	_, confirmed := s.desk().CardClaims()
	for _, g := range confirmed {
		g.Name = staff.NormaliseName(g.Name)
		notice, r := s.admitByCard(g)
		if r != nil {
			s.desk().RefuseClaim(g.Ask, r.Why)
		}
		s.table.Publish(notice)
	}
}

// admitByCard gives a phone whose card has confirmed the request the seat of a player, and cuts off the phones that had it; in the
// lobby it seats a newcomer.
func (s *Seats) admitByCard(g wire.Guest) (*wire.Notice, *engine.Reject) {
	for _, p := range s.table.PublicView().Seats {
		if p.Character == g.Character && g.Played {
			return s.movePhoneByCard(g, p.Seat)
		}
	}
	free := slices.DeleteFunc(s.freeSeats(), s.isGuest)
	at := s.seatFor(g.Ask, free)
	if !s.table.InLobby() || at == 0 {
		return nil, master.Refuse(engine.NotNow, ruleSeat, "table.ask.gone")
	}
	args := engine.Args{"seat": at.String(), "name": g.Name, "character": string(g.Character)}
	if r := s.refuseSameName(at, g.Name); r != nil {
		return nil, r
	}
	if r := s.table.TryAct(ActSit, args); r != nil {
		return nil, r
	}
	if r := s.admitOrRefuse(g.Ask, at); r != nil {
		return nil, r
	}
	delete(s.asking, at)
	return nil, s.table.PlayAct(master.ByScan, ActSit, args)
}

// movePhoneByCard gives a phone the seat of a player, with a public notice, so that no seat is taken over unnoticed.
func (s *Seats) movePhoneByCard(g wire.Guest, at engine.Seat) (*wire.Notice, *engine.Reject) {
	had := s.hasPhone(at)
	if r := s.admitOrRefuse(g.Ask, at); r != nil {
		return nil, r
	}
	s.resetSeatActCounts(at)
	if !had {
		return nil, nil // that it has a phone is said when this one joins
	}
	return s.table.StartPhoneNotice(engine.NewMsg("table.card.moved", "seat", at.String())), nil
}

// admitOrRefuse lets the phone with this code join at a seat.
func (s *Seats) admitOrRefuse(code string, at engine.Seat) *engine.Reject {
	if err := s.desk().AdmitToSeat(code, at); err != nil {
		s.table.Log().Error("no invitation", "seat", at, "cause", err, "conseil", "aucun code pour ce téléphone")
		return master.Refuse(engine.NotNow, ruleSeat, "table.invite.failed")
	}
	return nil
}
