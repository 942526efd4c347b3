package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/hidden"
)

// Roles that the machine does not know. When a role card has to be turned up (HC-093, HC-131, HC-157), its
// seat, the host or the reader names it before the end of the game is decided.

// findSeatToTurnUp returns the first seat, in seat order, whose role must be open by now and is not known;
// zero: none. It considers only the seats that the function who accepts.
func (s *roleState) findSeatToTurnUp(who func(engine.Seat) bool) engine.Seat {
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if s.isSeated(x) && !s.isRoleKnown(x) && who(x) {
			return x
		}
	}
	return 0
}

// turnUpEvent returns the event that calls x to turn its role card up. If the roles of all others are open,
// the role of x follows from them and is turned up at once.
func (s *roleState) turnUpEvent(x engine.Seat) *event {
	r := murderer
	for y := engine.Seat(1); y <= maxSeats; y++ {
		if y == x || !s.isSeated(y) {
			continue
		}
		d, ok := s.roles[y].ValueFor(engine.Public)
		if !ok {
			return &event{kind: evTurning, seat: x}
		}
		if d.role() == murderer {
			r = innocent
		}
	}
	return &event{kind: evTurned, seat: x, role: hideRole(newDrawnRole(r, 0))}
}

// turnUpRule returns the rule by which a role card is turned up now.
func (s *boardState) turnUpRule() string {
	switch {
	case s.accuser != 0:
		return "HC-093"
	case s.phase == phaseRecovery && s.isLiving(s.active):
		return "HC-157"
	}
	return "HC-131"
}

// eventAfterAccusation returns the next event of an accusation by HC-093 to HC-095. nil: the role card of the
// accused is awaited.
func (s *roleState) eventAfterAccusation() *event {
	switch d, ok := s.roles[s.accused].Open(); {
	case !ok && s.step == stepRole:
		return nil
	case !ok:
		return s.turnUpEvent(s.accused)
	case d.role() == murderer:
		return gameOverEvent("HC-150", s.accuser)
	}
	return &event{kind: evEnded, seat: s.accuser}
}

// revealRole shows the role of x to all, if the machine knows it.
func (s *roleState) revealRole(x engine.Seat) {
	if s.isRoleKnown(x) {
		s.roles[x] = s.roles[x].WithAudience(hidden.Everyone)
	}
}

// applyRoleTurned records the role card that x has turned up.
func (s *roleState) applyRoleTurned(x engine.Seat, d drawnRole) {
	s.roles[x] = hidden.NewSmall(d, hidden.Everyone)
	s.rolesAmiss = s.rolesAmiss || s.hasRoleContradiction(func(b hidden.SmallValue[drawnRole]) (drawnRole, bool) { return b.Open() })
	if x == s.accused {
		s.passTokenIfInnocent()
	}
}

// hasRoleContradiction reports whether the roles that visibleRole returns cannot be right: two Murderers, or none among
// all players.
func (s *roleState) hasRoleContradiction(visibleRole func(hidden.SmallValue[drawnRole]) (drawnRole, bool)) bool {
	murderers, all := 0, true
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if !s.isSeated(x) {
			continue
		}
		d, ok := visibleRole(s.roles[x])
		all = all && ok
		if ok && d.role() == murderer {
			murderers++
		}
	}
	return murderers > 1 || all && murderers == 0
}

// hasPublicRoleContradiction reports whether all players can see that the roles are not right.
func (s *roleState) hasPublicRoleContradiction() bool {
	return s.hasRoleContradiction(func(b hidden.SmallValue[drawnRole]) (drawnRole, bool) { return b.ValueFor(engine.Public) })
}

// inferRoles fills in the roles that follow from the others at the end of a game.
func (s *roleState) inferRoles() {
	unknown, r := 0, murderer
	for x := engine.Seat(1); x <= maxSeats; x++ {
		d, ok := s.roles[x].Open()
		switch {
		case !s.isSeated(x):
		case !ok:
			unknown++
		case d.role() == murderer:
			r = innocent
		}
	}
	if r == murderer && unknown != 1 {
		return
	}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if s.isSeated(x) && !s.isRoleKnown(x) {
			s.roles[x] = hidden.NewSmall(newDrawnRole(r, 0), hidden.Everyone)
		}
	}
}
