package seats

import (
	"slices"
	"time"

	"majordome/companion/master"
	"majordome/companion/staff"
	"majordome/companion/wire"
	"majordome/engine"
)

// charactersWithPawn returns the characters of the players whose pawns have a tag: by these their seats can be claimed in a
// running game.
func (s *Seats) charactersWithPawn() (all []engine.ID) {
	enrolled := s.table.Enrolled()
	for _, p := range s.table.PublicView().Seats {
		if p.Character != "" && slices.Contains(enrolled, engine.PawnID(p.Character)) {
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

// admitByCard seats a player whose card has confirmed the request in the lobby. In a running game it gives the phone the seat of
// its character, and cuts off the phones that had it.
func (s *Seats) admitByCard(g wire.Guest) (*wire.Notice, *engine.Reject) {
	inLobby := s.table.PublicView().Phase == engine.PhaseLobby
	for _, p := range s.table.PublicView().Seats {
		if p.Character == g.Character && !inLobby {
			return s.movePhoneByCard(g, p.Seat)
		}
	}
	free := slices.DeleteFunc(s.freeSeats(), s.isGuest)
	at := s.seatFor(g.Ask, free)
	if !inLobby || at == 0 {
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
	if r := s.admitOrRefuse(g.Ask, at); r != nil {
		return nil, r
	}
	s.resetSeatActCounts(at)
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
