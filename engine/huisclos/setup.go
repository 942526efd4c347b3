package huisclos

import (
	"slices"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/internal/box"
	"majordome/engine/internal/presentation"
	"majordome/engine/internal/rules"
)

// hostActs has the acts that belong to the host: set-up, and acts in place of cards that the table does not
// have or does not read.
var hostActs = map[string]struct {
	phases rules.Phases
	do     func(*state, engine.Command, engine.Dice) ([]*event, *engine.Reject)
}{
	"sit":        {rules.In(lobby), (*state).doSit},
	"rise":       {rules.In(lobby), (*state).doRise},
	"first":      {rules.In(lobby), (*state).doFirst},
	"switch":     {rules.In(lobby), (*state).doSwitch},
	"begin":      {rules.In(lobby), (*state).doBegin},
	"draw-roles": {rules.In(roles), (*state).doDrawRoles},
	"deal":       {rules.In(laying), (*state).doDeal},
	"laid":       {rules.In(laying), doLaid},
	"count":      {rules.AnyPhase, (*state).doCount},
	"count-is":   {rules.AnyPhase, (*state).doCountIs},
	"counted":    {rules.AnyPhase, (*state).doCounted},
	"pawn":       {rules.In(investigation, deposit), (*state).doPawn},
	"shuffled":   {rules.In(pick, investigation, deposit, reveal, recovery), (*state).doShuffled},
	"skip":       {rules.In(pick, investigation, deposit, recovery), (*state).doSkip},
	"next-phase": {rules.In(pick, investigation, deposit, recovery), (*state).doNextPhase},
	"allow":      {rules.In(investigation, deposit), (*state).doAllow},
	"turn-to":    {rules.In(investigation, deposit, recovery), (*state).doTurnTo},
	"kill":       {rules.In(pick, investigation, deposit, recovery), (*state).doKill},
	"revive":     {rules.In(pick, investigation, deposit, recovery), (*state).doRevive},
}

func (s *seatedRules) doSit(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := words.Seat(c, maxSeats, "HC-001")
	if r != nil {
		return nil, r
	}
	f, ok := s.book.characters[c.Args["character"]]
	name := c.Args["name"]
	switch {
	case !ok:
		return nil, refuse(engine.Unknown, "HC-002", "hc.no.no-character")
	case !rules.GoodName(name):
		return nil, refuse(engine.Forbidden, "HC-002", "hc.no.name")
	case s.seated(x):
		return nil, refuse(engine.Forbidden, "HC-002", "hc.no.seat-taken", "seat", x.String())
	case s.played(f):
		return nil, refuse(engine.Forbidden, "HC-002", "hc.no.character-taken", "character", s.book.characterID[f])
	}
	return []*event{{kind: evSat, at: c.At, seat: x, who: f, text: name}}, nil
}

// isPlayed reports whether a player plays f.
func (s *seating) played(f character) bool {
	return slices.ContainsFunc(s.seats[1:], func(p player) bool { return p.who == f })
}

// parseTakenSeat reads the seat argument; a player must sit there.
func (s *seating) takenSeat(c engine.Command) (engine.Seat, *engine.Reject) {
	return words.Taken(c, maxSeats, "HC-001", s.seated)
}

func (s *seating) doRise(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := s.takenSeat(c)
	if r != nil {
		return nil, r
	}
	return one(evRose, c.At, x), nil
}

func (s *boardState) doFirst(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := s.takenSeat(c)
	if r == nil && x == s.first {
		r = refuse(engine.Forbidden, "HC-020", "hc.no.same")
	}
	if r != nil {
		return nil, r
	}
	return one(evFirst, c.At, x), nil
}

func (h *houseRules) doSwitch(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	i, v, r := words.Switch(c, switches, h.rules[:])
	if r != nil {
		return nil, r
	}
	return []*event{{kind: evSwitched, at: c.At, sw: uint8(i), n: uint16(v)}}, nil
}

// checkReady returns the rule that forbids the start of the game, with its message key; both are empty if
// the game may begin.
func (s *boardState) ready() (rule, key string) {
	switch n := s.alive(); {
	case n < minSeats || n > maxSeats:
		return "HC-001", "hc.no.players"
	case s.first == 0:
		return "HC-020", "hc.no.first"
	}
	return "", ""
}

func (s *boardState) doBegin(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	if rule, key := s.ready(); rule != "" {
		return nil, refuse(engine.Forbidden, rule, key)
	}
	return one(evBegun, c.At, 0), nil
}

// unknownRole is the value with which a seat declares that it has looked at its role card, without naming
// the role.
const unknownRole = "unknown"

func (s *public) doRole(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	up := s.step == stepRole
	if !up && s.phase != roles {
		return nil, s.notNow()
	}
	k, r := evRole, role(0)
	switch c.Args["value"] {
	case Murderer:
		r = murderer
	case Innocent:
		r = innocent
	case unknownRole:
		if !up {
			return one(evUntold, c.At, by.seat), nil
		}
	}
	switch {
	case r == 0:
		return nil, refuse(engine.Unknown, "HC-004", "hc.no.no-value")
	case up:
		k = evTurned
	case by.host: // the role is secret
		return nil, refuse(engine.NotYou, "GEN-002", "hc.no.seat-only")
	}
	return []*event{{kind: k, at: c.At, seat: by.seat, role: hiddenRole(drew(r, 0))}}, nil
}

// decideRoleScan decides a role card presented by the seat whose turn it is: face down when the roles are
// drawn, face up when it must be shown.
func (s *roleState) scanRole(c engine.Command, id string) ([]*event, *engine.Reject) {
	card, ok := s.book.drawn[id]
	if !ok {
		return nil, presentation.Again(refuse(engine.BadRead, "GEN-E02", "hc.no.no-role"), s.active)
	}
	e := &event{kind: evRole, at: c.At, seat: s.active, role: hiddenRole(card)}
	up := s.step == stepRole
	if up {
		e.kind = evTurned
	}
	for x := range s.roles {
		d, _ := s.roles[x].Open()
		if up { // the shown card counts more than the record, but not more than a card already open
			d, _ = s.roles[x].See(engine.Public)
		}
		if d.card() != card.card() {
			continue
		}
		if up && c.At-s.since < lifts { // the same card again: all see whose it is
			return nil, words.Repeats()
		}
		return nil, presentation.Alarm()
	}
	return []*event{e}, nil
}

// hasPossibleRoles reports whether the known roles can be right: not two Murderers, and not none among all
// players (HC-004).
func (s *roleState) rolesRight() bool {
	return !s.contradiction(func(b box.Small[drawn]) (drawn, bool) { return b.Open() })
}

func (s *seatedRules) doDrawRoles(c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	pile := make([]role, s.n)
	for i := range pile {
		pile[i] = innocent
	}
	pile[0] = murderer
	chance.Shuffle(dice, len(pile), func(i, j int) { pile[i], pile[j] = pile[j], pile[i] })
	var rs [maxSeats + 1]role
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if s.seated(x) {
			rs[x], pile = pile[0], pile[1:]
		}
	}
	return []*event{{kind: evRolesAuto, at: c.At, roles: box.Seal(rs, box.Nobody)}}, nil
}

// shuffleDeal chooses the place of every clue: one of each character and the Corde on the start place
// (HC-007, HC-008), five on each other place (HC-009).
func (b *Book) shuffle(dice engine.Dice) deal {
	var d deal
	for f := character(1); f <= numCharacters; f++ {
		x := f.clues()
		for range dice.Intn(perCharacter) {
			x &= x - 1
		}
		d[x.First()] = b.start
	}
	d[b.corde] = b.start
	rest := make([]card, 0, numCards-atStart)
	for c := card(1); c <= numCards; c++ {
		if d[c] == 0 {
			rest = append(rest, c)
		}
	}
	chance.Shuffle(dice, len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	p := place(1)
	for i, c := range rest {
		if p == b.start {
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
func (s *state) dealt(at engine.Millis, dice engine.Dice) (deal, []*event) {
	if s.deal != nil {
		d, _ := s.deal.Open()
		return d, nil
	}
	d := s.book.shuffle(dice)
	return d, []*event{{kind: evDealt, at: at, deal: box.Seal(d, box.Nobody)}}
}

func (s *state) doDeal(c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	_, evs := s.dealt(c.At, dice)
	return append(evs, &event{kind: evLaidAll, at: c.At}), nil
}

// decideLaid confirms that the clues are placed as the rules order, although not every one was read: 9 on
// the start place, 5 on each other.
func doLaid(_ *state, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	return one(evLaidHand, c.At, 0), nil
}

// placeUnreadClues places the clues that no reader has read. A place is recorded only if all its clues were
// read.
func (s *recordState) layUnread() {
	for c := card(1); c <= numCards; c++ {
		if s.cards.At(c) == locOut {
			s.cards.Put(c, locSomewhere, box.Nobody)
		}
	}
	for p := place(1); p <= numPlaces; p++ {
		n := uint8(perPlace)
		if p == s.book.start {
			n = atStart
		}
		if s.rooms[p].cards = n; !s.recorded(p) {
			s.blur(loc(p))
		}
	}
}

// decideLayingScan announces on which place the presented face-down clue goes.
func (s *state) scanLaying(c engine.Command, x card, dice engine.Dice) ([]*event, *engine.Reject) {
	if l := s.cards.At(x); l != locOut {
		return nil, presentation.Alarm()
	}
	d, evs := s.dealt(c.At, dice)
	return append(evs, &event{kind: evLaid, at: c.At, place: d[x], card: hide(x)}), nil
}

func (s *recordState) doKeep(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := s.cardArg(by, c)
	if r != nil {
		return nil, r
	}
	return s.keep(by, c.At, x)
}

func (s *recordState) keep(by actor, at engine.Millis, c card) ([]*event, *engine.Reject) {
	p := s.seats[by.seat].at
	switch {
	case by.takes().has(c):
		return []*event{s.moved(evKept, at, by, c, loc(p), s.rooms[p].cards)}, nil
	case c == 0:
		return nil, nameless()
	}
	return nil, refuse(engine.Forbidden, "HC-022", "hc.no.not-in-pile")
}
