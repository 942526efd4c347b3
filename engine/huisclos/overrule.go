package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/rules"
	"majordome/engine/internal/story"
)

// Overruling: what the host does against the rules (GEN-009). Each is an event of its own that
// all are told of, and whether it is possible hangs on public facts alone. What would leave a
// hand too large, a role card unturned or an exchange half done is refused until that is ended.

// passable reports that the seat that is awaited can be passed over: nothing that it has begun
// has to be ended first.
func (s *boardState) passable() bool {
	switch s.step {
	case stepRole, stepShow, stepLay:
		return false
	}
	return !s.half && s.seats[s.active].cards <= handLimit
}

// between reports that whoever is awaited has begun nothing yet.
func (s *boardState) between() bool {
	if s.phase == investigation {
		return s.step == stepMove || s.step == stepAct && !s.walked
	}
	return s.step == stepNone
}

// doSkip passes over the seat that is awaited.
func (s *boardState) doSkip(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	switch x, r := s.takenSeat(c); {
	case r != nil:
		return nil, r
	case x != s.active:
		return nil, refuse(engine.NotYou, "GEN-009", "gen.no.skip-other")
	case !s.passable():
		return nil, refuse(engine.NotNow, "GEN-009", "gen.no.unfinished")
	}
	return one(evSkipped, c.At, s.active), nil
}

// passOver lets x do nothing in this phase: an investigation ends where it stands, and whoever
// deposits nothing recovers last (HC-126).
func (s *state) passOver(x engine.Seat) {
	p := &s.seats[x]
	switch s.phase {
	case pick:
		s.unveil(p.at, box.Nobody)
	case investigation:
		s.finish(x)
	case deposit:
		p.short = true
	}
	p.done = true
}

// doNextPhase passes over all that are still awaited in the phase that the command names.
func (s *boardState) doNextPhase(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	switch {
	case c.Args["phase"] != phaseNames[s.phase]:
		return nil, refuse(engine.NotNow, "GEN-009", "gen.no.skip-other")
	case !s.passable():
		return nil, refuse(engine.NotNow, "GEN-009", "gen.no.unfinished")
	}
	return one(evAdvanced, c.At, 0), nil
}

func (s *state) advance(e *event) {
	s.passOver(s.active)
	for x := range s.seats {
		if p := &s.seats[x]; s.living(engine.Seat(x)) && !p.done {
			p.done, p.short = true, s.phase == deposit
		}
	}
	s.call(0, e.at)
}

// givable reports that the turn can be given to x: in an investigation to anybody, else to who
// has not done yet what the phase asks, or was passed over.
func (s *boardState) givable(x engine.Seat) bool {
	if !s.living(x) || x == s.active {
		return false
	}
	p := &s.seats[x]
	switch s.phase {
	case investigation:
		return true
	case deposit:
		return !p.done || p.short
	}
	return !p.done && p.cards < handLimit
}

// doTurnTo gives the turn to another seat; whoever was called is called again after it.
func (s *state) doTurnTo(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := s.takenSeat(c)
	switch {
	case r != nil:
		return nil, r
	case !s.between():
		return nil, refuse(engine.NotNow, "GEN-009", "gen.no.between")
	case s.dead(x):
		return nil, refuse(engine.Forbidden, "HC-138", "hc.no.dead", "seat", x.String())
	case !s.givable(x):
		return nil, refuse(engine.Forbidden, "GEN-009", "gen.no.turn-done", "seat", x.String())
	}
	evs := one(evTurnTo, c.At, x)
	if s.phase == deposit && (actor{seat: x, knowledge: s.knowledge(engine.At(x))}).deposits().none() { // HC-125, HC-126
		evs = append(evs, &event{kind: evShort, at: c.At, seat: x})
	}
	return evs, nil
}

func (s *public) giveTurn(e *event) {
	p := &s.seats[e.seat]
	p.done, p.short = false, false
	s.callToAct(e.seat, e.at)
}

// doKill lets a player die without the urn.
func (s *boardState) doKill(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := s.takenSeat(c)
	switch {
	case r != nil:
		return nil, r
	case s.dead(x):
		return nil, refuse(engine.Forbidden, "HC-138", "hc.no.dead", "seat", x.String())
	case !s.between():
		return nil, refuse(engine.NotNow, "GEN-009", "gen.no.between")
	}
	return one(evKilled, c.At, x), nil
}

// kill takes x out of the game as a murder does (HC-131, HC-132, HC-138), but leaves no crime
// place. The urn passes on at once, since a round needs a living first player.
func (s *state) kill(e *event) {
	if s.phase == pick {
		s.unveil(s.seats[s.active].at, box.Nobody)
	}
	s.fall(e.seat)
	if s.phase != recovery && s.first == e.seat {
		s.first = s.after(e.seat)
	}
	s.killed = true
	s.call(0, e.at)
}

// doRevive brings a player back, to an open place. In the Confrontation nobody comes back: what
// was done by its rules, such as a fourth destruction, has no place outside of it.
func (s *boardState) doRevive(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := s.takenSeat(c)
	at, ok := s.book.places[c.Args["place"]]
	switch {
	case r != nil:
		return nil, r
	case !s.dead(x):
		return nil, refuse(engine.Forbidden, "GEN-009", "gen.no.lives", "seat", x.String())
	case !ok:
		return nil, refuse(engine.Unknown, "GEN-009", "hc.no.no-place")
	case s.rooms[at].closed:
		return nil, refuse(engine.Forbidden, "HC-057", "hc.no.closed", "place", c.Args["place"])
	case s.duel:
		return nil, refuse(engine.Forbidden, "HC-200", "hc.no.revive-duel")
	case !s.between():
		return nil, refuse(engine.NotNow, "GEN-009", "gen.no.between")
	}
	return []*event{{kind: evRevived, at: c.At, seat: x, place: at}}, nil
}

// revive lets x play on from the next phase, with an empty hand and its role face up.
func (s *boardState) revive(e *event) {
	p := &s.seats[e.seat]
	p.dead, p.at, p.done, p.short = false, e.place, true, s.phase == deposit
}

// The rules that the host may waive for the investigation that goes on.
const (
	waiveRound = iota // when one may accuse
	waiveHand         // with how many clues one may force an exchange
)

var waivers = rules.Waivers{waiveRound: "HC-090", waiveHand: "HC-081"}

// binding are the waivers that would let the active seat do what it may not.
func (s *boardState) binding() []string {
	x := &s.seats[s.active]
	if s.phase != investigation || s.step != stepMove && s.step != stepAct {
		return nil
	}
	return waivers.Binding([]bool{
		waiveRound: !s.accusing() && !s.duel && x.tokens > 0,
		waiveHand:  x.cards > 0 && x.cards < handLimit,
	}, s.waived)
}

// bindingOf are those of seat x: the active one, or the one whose investigation had no action, if
// there is something that it may do without the rule.
func (s *state) bindingOf(x engine.Seat) (all []string) {
	switch x {
	case s.idled:
	case s.active:
		return s.binding()
	default:
		return nil
	}
	after := s.givenBack()
	at := after.seats[x].at
	for _, rule := range after.binding() {
		after.waived, _ = waivers.Read(rule)
		if len(after.victims(x, at)) > 0 || len(after.accusable(x, at)) > 0 {
			all = append(all, rule)
		}
	}
	return all
}

// waivable are the seats that a rule may be waived for.
func (s *public) waivable() []engine.Seat {
	if s.idled == 0 || s.idled == s.active {
		return []engine.Seat{s.active}
	}
	return []engine.Seat{s.active, s.idled}
}

// giveBack goes on with an investigation that had no action, as if nobody had been called since, and
// the urn not either.
func (s *public) giveBack(at engine.Millis) {
	x := s.idled
	if s.phase != investigation {
		s.phase = investigation
		for y := range s.seats {
			s.seats[y].done, s.seats[y].short = true, false
		}
	}
	s.seats[x].done, s.idled = false, 0
	s.callToAct(x, at)
	s.walked, s.step = s.step == stepMove, stepAct
}

// givenBack is the game after giveBack.
func (s *state) givenBack() *state {
	after := s.copied()
	after.giveBack(s.since)
	return after
}

// boundLate refuses an act of the seat whose investigation had no action by a rule that the host may
// still waive; nil: by none.
func (s *state) boundLate(c engine.Command) *engine.Reject {
	x, seat := c.By.Seat()
	if !seat || x != s.idled {
		return nil
	}
	_, r := s.givenBack().judge(c, nil)
	return rules.Late(r, s.bindingOf(x))
}

// doAllow lets the active seat do what a rule has refused to it: the host insists.
func (s *state) doAllow(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := s.takenSeat(c)
	if r == nil {
		r = waivers.Refuse(c, x == s.active && s.phase == investigation, s.bindingOf(x))
	}
	if r != nil {
		return nil, r
	}
	return []*event{{kind: evAllowed, at: c.At, seat: x, text: c.Args["rule"]}}, nil
}

// allow waives a rule, for the seat whose investigation had no action as well, which goes on.
func (s *public) allow(e *event) {
	if e.seat == s.idled {
		s.giveBack(e.at)
	}
	w, _ := waivers.Read(e.text)
	s.waived |= w
}

func (b *Book) decodeAllowed(_ *event, w *stored) error {
	_, err := waivers.Read(w.Text)
	return err
}

func (t teller) tellAllowed() story.Log {
	t.TellOf(t.hap(engine.HapOverruled, t.e.seat, 0), "gen.log.allowed", "seat", t.e.seat.String(), "rule", t.e.text)
	return t.Log
}

// tellKilled tells of it as of a murder, and that the host has said so.
func (t teller) tellKilled() story.Log {
	t.tellFall(t.e.seat, "hc.log.killed", "hc.log.killed.untold")
	return t.Log
}

// ofPhase name each phase, made once: nobody may change it.
var ofPhase = func() (all [len(phaseNames)]engine.Args) {
	for p, name := range phaseNames {
		all[p] = engine.Args{"phase": name}
	}
	return all
}()

// overruleOffers are the acts against the rules that the host may do now.
func (s *state) overruleOffers(out []engine.Offer) []engine.Offer {
	if s.phase < pick || s.phase == reveal || s.phase == over || s.count.Counting {
		return out
	}
	add := func(act string, fixed engine.Args, ps ...engine.Param) {
		out = append(out, rules.Overrule(act, fixed, ps...))
	}
	who := func(may func(engine.Seat) bool) engine.Param {
		return engine.Param{Name: "seat", Kind: "seat", Domain: rules.Seats(maxSeats, may)}
	}
	if s.passable() {
		add("skip", ofSeat[s.active])
		add("next-phase", ofPhase[s.phase])
	}
	for _, x := range s.waivable() {
		out = rules.OfferWaivers(out, x, s.bindingOf(x))
	}
	if !s.between() {
		return out
	}
	if to := who(s.givable); s.phase != pick && len(to.Domain) > 0 {
		add("turn-to", nil, to)
	}
	add("kill", nil, who(s.living))
	if dead := who(s.dead); len(dead.Domain) > 0 && !s.duel {
		var open [numPlaces + 1]bool
		for p := place(1); p <= numPlaces; p++ {
			open[p] = !s.rooms[p].closed
		}
		add("revive", nil, dead, engine.Param{Name: "place", Kind: "place", Domain: s.placeList(open)})
	}
	return out
}
