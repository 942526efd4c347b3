package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/custody"
)

// depositEvents decides a deposit (HC-120 to HC-124).
func (s *recordState) depositEvents(by actor, at engine.Millis, c card) ([]*event, *engine.Reject) {
	x := by.seat
	switch {
	case by.choiceToDeposit().allowsCard(c):
		e := s.moveEvent(evDeposited, at, by, c, custody.HandOf(x), s.seats[x].cards)
		if by.fromReader {
			e.n = 1
		}
		return []*event{e}, nil
	case c == 0:
		return nil, refuseUnnamed()
	case !by.possibleHand(x).allowsCard(c):
		return nil, refuse(engine.Forbidden, "GEN-E03", "hc.no.not-held")
	case !by.isBoundAsInnocent(x):
		return nil, refuse(engine.Forbidden, "HC-123", "hc.no.suicide")
	case by.knownHandOf(x)&^weapons == 0 && s.countKilledBy(c) > 0 && s.hasOnlyKillers(by.knownHandOf(x)):
		return nil, refuse(engine.Forbidden, "HC-124", "hc.no.kills-more")
	}
	return nil, refuse(engine.Forbidden, "HC-122", "hc.no.kills")
}

func (s *boardState) decideNoDeposit(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	if !by.canDeclareNoDeposit() {
		return nil, refuse(engine.Forbidden, "HC-120", "hc.no.must-deposit")
	}
	return seatEvent(evShort, c.At, by.seat), nil
}

// hasOnlyKillers reports whether every clue in x is a weapon that would kill a player.
func (s *recordState) hasOnlyKillers(x set) bool {
	for ; x != 0; x &= x - 1 {
		if s.countKilledBy(x.First()) == 0 {
			return false
		}
	}
	return true
}

func (s *recordState) decideOpenUrn(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	switch {
	case s.step != stepNone:
		return nil, s.refuseNotNow()
	case s.countRecordedInUrn() != int(s.urnCount):
		return seatEvent(evUnsealed, c.At, by.seat), nil
	}
	return seatEvent(evOpened, c.At, by.seat), nil
}

func (s *roleState) recoverEvents(by actor, at engine.Millis, c card) ([]*event, *engine.Reject) {
	switch {
	case s.step == stepLay || s.step == stepRole:
		return nil, s.refuseNotNow()
	case !by.shownClues().Contains(c):
		return nil, refuse(engine.Forbidden, "HC-129", "hc.no.not-shown")
	case !s.recoverableClues(by.knowledge, by.seat, !by.isHost).Contains(c) && by.isHost:
		return nil, refuse(engine.Forbidden, "HC-137", "hc.no.host-weapon")
	case !s.recoverableClues(by.knowledge, by.seat, !by.isHost).Contains(c):
		return nil, refuse(engine.Forbidden, "HC-137", "hc.no.second-weapon")
	}
	return cardEvent(evRecovered, at, by.seat, c), nil
}

// placesForUrnClues returns the crime places that may still receive a clue of the urn: each as many as died there,
// then any (HC-135).
func (s *boardState) placesForUrnClues() (to [numPlaces + 1]bool) {
	short := false
	for _, r := range s.rooms {
		short = short || r.deaths > r.urnClues
	}
	for p, r := range s.rooms {
		to[p] = r.deaths > 0 && (!short || r.deaths > r.urnClues)
	}
	return to
}

// isUrnRestForced reports whether the last n clues of the urn can be placed in only one way: at most one place
// has dead, or only one place must still receive clues, and all of them (HC-134, HC-135).
func (s *boardState) isUrnRestForced(n int) bool {
	crimes, open, missing := 0, 0, 0
	to := s.placesForUrnClues()
	for p, r := range s.rooms {
		if r.deaths > 0 {
			crimes++
		}
		if to[p] {
			open++
			missing += int(r.deaths) - int(r.urnClues)
		}
	}
	return crimes < 2 || open == 1 && n <= missing
}

func (s *public) decideLayUrnClue(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	if s.step != stepLay {
		return nil, s.refuseNotNow()
	}
	x, r := s.parseOpenCard(c)
	if r != nil {
		return nil, r
	}
	p, ok := s.book.placeByID[c.Args["place"]]
	to := s.placesForUrnClues()
	switch {
	case !ok:
		return nil, refuse(engine.Unknown, "HC-135", "hc.no.no-place")
	case !by.shownClues().Contains(x):
		return nil, refuseOpenly(engine.Forbidden, "HC-134", "hc.no.not-shown")
	case !to[p]:
		return nil, refuseOpenly(engine.Forbidden, "HC-135", "hc.no.not-there", "place", c.Args["place"])
	}
	return []*event{{kind: evRest, at: c.At, seat: by.seat, place: p, card: hideCard(x)}}, nil
}
