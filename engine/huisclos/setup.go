package huisclos

import (
	"slices"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/internal/hidden"
	"majordome/engine/internal/presentation"
	"majordome/engine/internal/rules"
)

// hostActs has the acts that belong to the host: set-up, and acts in place of cards that the table does not
// have or does not read.
var hostActs = map[string]struct {
	phases rules.Phases
	do     func(*state, engine.Command, engine.Dice) ([]*event, *engine.Reject)
}{
	"sit":        {rules.NewPhases(phaseLobby), (*state).decideSit},
	"rise":       {rules.NewPhases(phaseLobby), (*state).decideRise},
	"first":      {rules.NewPhases(phaseLobby), (*state).decideFirstPlayer},
	"switch":     {rules.NewPhases(phaseLobby), (*state).decideHouseRule},
	"begin":      {rules.NewPhases(phaseLobby), (*state).decideBeginGame},
	"draw-roles": {rules.NewPhases(phaseRoles), (*state).decideDrawRoles},
	"deal":       {rules.NewPhases(phaseLaying), (*state).decideDeal},
	"laid":       {rules.NewPhases(phaseLaying), decideCluesLaid},
	"count":      {rules.AnyPhase, (*state).decideStartCount},
	"count-is":   {rules.AnyPhase, (*state).decideHolderCount},
	"counted":    {rules.AnyPhase, (*state).decideEndCount},
	"pawn":       {rules.NewPhases(phaseInvestigation, phaseDeposit), (*state).decideCorrectPawn},
	"shuffled":   {rules.NewPhases(phasePick, phaseInvestigation, phaseDeposit, phaseReveal, phaseRecovery), (*state).decideCluesMixed},
	"skip":       {rules.NewPhases(phasePick, phaseInvestigation, phaseDeposit, phaseRecovery), (*state).decideSkipSeat},
	"next-phase": {rules.NewPhases(phasePick, phaseInvestigation, phaseDeposit, phaseRecovery), (*state).decideNextPhase},
	"allow":      {rules.NewPhases(phaseInvestigation, phaseDeposit), (*state).decideWaiveRule},
	"turn-to":    {rules.NewPhases(phaseInvestigation, phaseDeposit, phaseRecovery), (*state).decideGiveTurnTo},
	"kill":       {rules.NewPhases(phasePick, phaseInvestigation, phaseDeposit, phaseRecovery), (*state).decideKillPlayer},
	"revive":     {rules.NewPhases(phasePick, phaseInvestigation, phaseDeposit, phaseRecovery), (*state).decideRevivePlayer},
}

func (s *seatedRules) decideSit(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := refusalKeys.ParseSeat(c, maxSeats, "HC-001")
	if r != nil {
		return nil, r
	}
	f, ok := s.book.characterByID[c.Args["character"]]
	name := c.Args["name"]
	switch {
	case !ok:
		return nil, refuse(engine.Unknown, "HC-002", "hc.no.no-character")
	case !rules.IsPlayerName(name):
		return nil, refuse(engine.Forbidden, "HC-002", "hc.no.name")
	case s.isSeated(x):
		return nil, refuse(engine.Forbidden, "HC-002", "hc.no.seat-taken", "seat", x.String())
	case s.isPlayed(f):
		return nil, refuse(engine.Forbidden, "HC-002", "hc.no.character-taken", "character", s.book.characterID[f])
	}
	return []*event{{kind: evSat, at: c.At, seat: x, character: f, text: name}}, nil
}

// isPlayed reports whether a player plays f.
func (s *seating) isPlayed(f character) bool {
	return slices.ContainsFunc(s.seats[1:], func(p player) bool { return p.character == f })
}

// parseTakenSeat reads the seat argument; a player must sit there.
func (s *seating) parseTakenSeat(c engine.Command) (engine.Seat, *engine.Reject) {
	return refusalKeys.ParseTakenSeat(c, maxSeats, "HC-001", s.isSeated)
}

// parseBystander returns the seat of an act out of turn: that of the player or, for a seat without a
// phone, the one that the host names. ok is false for the public.
func (s *seating) parseBystander(c engine.Command) (x engine.Seat, ok bool, r *engine.Reject) {
	if c.By.IsHost() {
		x, r = s.parseTakenSeat(c)
		return x, true, r
	}
	x, ok = c.By.Seat()
	return x, ok, nil
}

func (s *seating) decideRise(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := s.parseTakenSeat(c)
	if r != nil {
		return nil, r
	}
	return seatEvent(evRose, c.At, x), nil
}

func (s *boardState) decideFirstPlayer(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := s.parseTakenSeat(c)
	if r == nil && x == s.first {
		r = refuse(engine.Forbidden, "HC-020", "hc.no.same")
	}
	if r != nil {
		return nil, r
	}
	return seatEvent(evFirst, c.At, x), nil
}

func (h *houseRules) decideHouseRule(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	i, v, r := refusalKeys.ParseSwitchChange(c, switches, h.rules[:])
	if r != nil {
		return nil, r
	}
	return []*event{{kind: evSwitched, at: c.At, houseRule: uint8(i), n: uint16(v)}}, nil
}

// ruleAgainstStart returns the rule that forbids the start of the game, with its message key; both are empty if
// the game may begin.
func (s *boardState) ruleAgainstStart() (rule, key string) {
	switch n := s.countLiving(); {
	case n < minSeats || n > maxSeats:
		return "HC-001", "hc.no.players"
	case s.first == 0:
		return "HC-020", "hc.no.first"
	}
	return "", ""
}

func (s *boardState) decideBeginGame(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	if rule, key := s.ruleAgainstStart(); rule != "" {
		return nil, refuse(engine.Forbidden, rule, key)
	}
	return seatEvent(evBegun, c.At, 0), nil
}

// unknownRole is the value with which a seat declares that it has looked at its role card, without naming
// the role.
const unknownRole = "unknown"

func (s *public) decideRoleCard(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	up := s.step == stepRole
	if !up && s.phase != phaseRoles {
		return nil, s.refuseNotNow()
	}
	k, r := evRole, role(0)
	switch c.Args["value"] {
	case Murderer:
		r = murderer
	case Innocent:
		r = innocent
	case unknownRole:
		if !up {
			return seatEvent(evUntold, c.At, by.seat), nil
		}
	}
	switch {
	case r == 0:
		return nil, refuse(engine.Unknown, "HC-004", "hc.no.no-value")
	case up:
		k = evTurned
	case by.isHost: // the role is secret
		return nil, refuse(engine.NotYou, "GEN-002", "hc.no.seat-only")
	}
	return []*event{{kind: k, at: c.At, seat: by.seat, role: hideRole(newDrawnRole(r, 0))}}, nil
}

// decideRoleScan decides a role card presented by the seat whose turn it is: face down when the roles are
// drawn, face up when it must be shown.
func (s *roleState) decideRoleScan(c engine.Command, id string) ([]*event, *engine.Reject) {
	card, ok := s.book.roleByCardID[id]
	if !ok {
		return nil, presentation.AsNeutralRefusal(refuse(engine.BadRead, "GEN-E02", "hc.no.no-role"), s.active)
	}
	e := &event{kind: evRole, at: c.At, seat: s.active, role: hideRole(card)}
	up := s.step == stepRole
	if up {
		e.kind = evTurned
	}
	for x := range s.roles {
		d, _ := s.roles[x].Open()
		if up { // the shown card counts more than the record, but not more than a card already open
			d, _ = s.roles[x].ValueFor(engine.Public)
		}
		if d.card() != card.card() {
			continue
		}
		if up && c.At-s.waitingSince < liftTime { // the same card again: all see whose it is
			return nil, refusalKeys.RefuseRepeatedCard()
		}
		return nil, presentation.NewAlarmReject()
	}
	return []*event{e}, nil
}

// hasPossibleRoles reports whether the known roles can be right: not two Murderers, and not none among all
// players (HC-004).
func (s *roleState) hasPossibleRoles() bool {
	return !s.hasRoleContradiction(func(b hidden.SmallValue[drawnRole]) (drawnRole, bool) { return b.Open() })
}

func (s *seatedRules) decideDrawRoles(c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	pile := make([]role, s.startPlayers)
	for i := range pile {
		pile[i] = innocent
	}
	pile[0] = murderer
	chance.Shuffle(dice, len(pile), func(i, j int) { pile[i], pile[j] = pile[j], pile[i] })
	var rs [maxSeats + 1]role
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if s.isSeated(x) {
			rs[x], pile = pile[0], pile[1:]
		}
	}
	return []*event{{kind: evRolesAuto, at: c.At, roles: hidden.New(rs, hidden.Nobody)}}, nil
}

// shuffleDeal chooses the place of every clue: one of each character and the Corde on the start place
// (HC-007, HC-008), five on each other place (HC-009).
func (b *Book) shuffleDeal(dice engine.Dice) deal {
	var d deal
	for f := character(1); f <= numCharacters; f++ {
		x := f.cluesAgainst()
		for range dice.Intn(perCharacter) {
			x &= x - 1
		}
		d[x.First()] = b.startPlace
	}
	d[b.startWeapon] = b.startPlace
	rest := make([]card, 0, numCards-atStart)
	for c := card(1); c <= numCards; c++ {
		if d[c] == 0 {
			rest = append(rest, c)
		}
	}
	chance.Shuffle(dice, len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	p := place(1)
	for i, c := range rest {
		if p == b.startPlace {
			p++
		}
		d[c] = p
		if i%perPlace == perPlace-1 {
			p++
		}
	}
	return d
}

// ensureDeal returns the deal that is already fixed, or a new one with the event that records it.
func (s *inquiryState) ensureDeal(at engine.Millis, dice engine.Dice) (deal, []*event) {
	if s.deal != nil {
		d, _ := s.deal.Open()
		return d, nil
	}
	d := s.book.shuffleDeal(dice)
	return d, []*event{{kind: evDealt, at: at, deal: hidden.New(d, hidden.Nobody)}}
}

func (s *inquiryState) decideDeal(c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	_, evs := s.ensureDeal(c.At, dice)
	return append(evs, &event{kind: evLaidAll, at: c.At}), nil
}

// decideCluesLaid confirms that the clues are placed as the rules order, although not every one was read: 9 on
// the start place, 5 on each other.
func decideCluesLaid(_ *state, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	return seatEvent(evLaidHand, c.At, 0), nil
}

// placeUnreadClues places the clues that no reader has read. A place is recorded only if all its clues were
// read.
func (s *recordState) placeUnreadClues() {
	for c := card(1); c <= numCards; c++ {
		if s.ledger.LocationOf(c) == locOut {
			s.ledger.RecordCard(c, locSomewhere, hidden.Nobody)
		}
	}
	for p := place(1); p <= numPlaces; p++ {
		n := uint8(perPlace)
		if p == s.book.startPlace {
			n = atStart
		}
		if s.rooms[p].cards = n; !s.isPlaceRecorded(p) {
			s.forgetCluesAt(loc(p))
		}
	}
}

// decideLayingScan announces on which place the presented face-down clue goes.
func (s *inquiryState) decideLayingScan(c engine.Command, x card, dice engine.Dice) ([]*event, *engine.Reject) {
	if l := s.ledger.LocationOf(x); l != locOut {
		return nil, presentation.NewAlarmReject()
	}
	d, evs := s.ensureDeal(c.At, dice)
	return append(evs, &event{kind: evLaid, at: c.At, place: d[x], card: hideCard(x)}), nil
}

func (s *recordState) keepEvents(by actor, at engine.Millis, c card) ([]*event, *engine.Reject) {
	p := s.seats[by.seat].at
	switch {
	case by.choiceToTake().allowsCard(c):
		return []*event{s.moveEvent(evKept, at, by, c, loc(p), s.rooms[p].cards)}, nil
	case c == 0:
		return nil, refuseUnnamed()
	}
	return nil, refuse(engine.Forbidden, "HC-022", "hc.no.not-in-pile")
}
