package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/custody"
)

func (s *recordState) doDeposit(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := s.cardArg(by, c)
	if r != nil {
		return nil, r
	}
	return s.put2urn(by, c.At, x)
}

// depositEvents decides a deposit (HC-120 to HC-124).
func (s *recordState) put2urn(by actor, at engine.Millis, c card) ([]*event, *engine.Reject) {
	x := by.seat
	switch {
	case by.deposits().has(c):
		e := s.moved(evDeposited, at, by, c, custody.HandOf(x), s.seats[x].cards)
		if by.reader {
			e.n = 1
		}
		return []*event{e}, nil
	case c == 0:
		return nil, nameless()
	case !by.mine(x).has(c):
		return nil, refuse(engine.Forbidden, "GEN-E03", "hc.no.not-held")
	case !by.bound(x):
		return nil, refuse(engine.Forbidden, "HC-123", "hc.no.suicide")
	case by.hand(x)&^weapons == 0 && s.kills(c) > 0 && s.allKill(by.hand(x)):
		return nil, refuse(engine.Forbidden, "HC-124", "hc.no.kills-more")
	}
	return nil, refuse(engine.Forbidden, "HC-122", "hc.no.kills")
}

func (s *boardState) doNoDeposit(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	if !by.mayAbstain() {
		return nil, refuse(engine.Forbidden, "HC-120", "hc.no.must-deposit")
	}
	return one(evShort, c.At, by.seat), nil
}

// hasOnlyKillers reports whether every clue in x is a weapon that would kill a player.
func (s *boardState) allKill(x set) bool {
	for ; x != 0; x &= x - 1 {
		if s.kills(x.First()) == 0 {
			return false
		}
	}
	return true
}

func (s *recordState) doOpen(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	switch {
	case s.step != stepNone:
		return nil, s.notNow()
	case s.inUrn() != int(s.urn):
		return one(evUnsealed, c.At, by.seat), nil
	}
	return one(evOpened, c.At, by.seat), nil
}

func (s *roleState) doRecover(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := s.openCard(c)
	if r != nil {
		return nil, r
	}
	if s.step == stepLay || s.step == stepRole {
		return nil, s.notNow()
	}
	return s.recover(by, c.At, x)
}

func (s *roleState) recover(by actor, at engine.Millis, c card) ([]*event, *engine.Reject) {
	switch {
	case !by.shown().Has(c):
		return nil, refuse(engine.Forbidden, "HC-129", "hc.no.not-shown")
	case !s.recoverable(by.knowledge, by.seat, !by.host).Has(c) && by.host:
		return nil, refuse(engine.Forbidden, "HC-137", "hc.no.host-weapon")
	case !s.recoverable(by.knowledge, by.seat, !by.host).Has(c):
		return nil, refuse(engine.Forbidden, "HC-137", "hc.no.second-weapon")
	}
	return oneCard(evRecovered, at, by.seat, c), nil
}

// restPlaces returns the crime places that may still receive a clue of the urn: each as many as died there,
// then any (HC-135).
func (s *boardState) layable() (to [numPlaces + 1]bool) {
	short := false
	for _, r := range s.rooms {
		short = short || r.deaths > r.rest
	}
	for p, r := range s.rooms {
		to[p] = r.deaths > 0 && (!short || r.deaths > r.rest)
	}
	return to
}

// isRestForced reports whether the last n clues of the urn can be placed in only one way: at most one place
// has dead, or only one place must still receive clues, and all of them (HC-134, HC-135).
func (s *boardState) forced(n int) bool {
	crimes, open, missing := 0, 0, 0
	to := s.layable()
	for p, r := range s.rooms {
		if r.deaths > 0 {
			crimes++
		}
		if to[p] {
			open++
			missing += int(r.deaths) - int(r.rest)
		}
	}
	return crimes < 2 || open == 1 && n <= missing
}

func (s *public) doLay(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	if s.step != stepLay {
		return nil, s.notNow()
	}
	x, r := s.openCard(c)
	if r != nil {
		return nil, r
	}
	p, ok := s.book.places[c.Args["place"]]
	to := s.layable()
	switch {
	case !ok:
		return nil, refuse(engine.Unknown, "HC-135", "hc.no.no-place")
	case !by.shown().Has(x):
		return nil, openly(engine.Forbidden, "HC-134", engine.Say("hc.no.not-shown"))
	case !to[p]:
		return nil, openly(engine.Forbidden, "HC-135", engine.Say("hc.no.not-there", "place", c.Args["place"]))
	}
	return []*event{{kind: evRest, at: c.At, seat: by.seat, place: p, card: hide(x)}}, nil
}
