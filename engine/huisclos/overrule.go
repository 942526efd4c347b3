package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/rules"
	"majordome/engine/internal/story"
)

// Overruling: what the host does against the rules (GEN-009). Each act is an event of its own, announced to
// all, and only public facts decide whether it is possible. An act that would leave a hand too large, a
// role card unturned or an exchange half done is refused until that is finished.

// canPassOver reports whether the awaited seat can be passed over: it has begun nothing that must be
// finished first.
func (s *boardState) passable() bool {
	switch s.step {
	case stepRole, stepShow, stepLay:
		return false
	}
	return !s.half && s.seats[s.active].cards <= handLimit
}

// isBetweenActs reports whether the awaited seat has begun nothing yet.
func (s *boardState) between() bool {
	if s.phase == investigation {
		return s.step == stepMove || s.step == stepAct && !s.walked
	}
	return s.step == stepNone
}

// decideSkip passes over the awaited seat.
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

// passOver lets x do nothing in this phase. An investigation ends at once; a seat without a deposit
// recovers last (HC-126).
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

// decideNextPhase passes over all seats that are still awaited in the phase that the command names.
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

// canReceiveTurn reports whether the turn can be given to x: in an investigation to any other
// living seat, else to a seat that has not acted in this phase, or was passed over.
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

// decideTurnTo gives the turn to another seat. The seat that was called before is called again after it.
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
	if s.phase == deposit && // HC-125, HC-126
		(actor{seat: x, knowledge: s.knowledge(engine.At(x))}).deposits().none() {
		evs = append(evs, &event{kind: evShort, at: c.At, seat: x})
	}
	return evs, nil
}

func (s *public) giveTurn(e *event) {
	p := &s.seats[e.seat]
	p.done, p.short = false, false
	s.callToAct(e.seat, e.at)
}

// decideKill lets a player die without the urn.
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

// applyKilled takes x out of the game as a murder does (HC-131, HC-132, HC-138), but makes no crime place.
// The urn passes on at once, since a round needs a living first player.
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

// decideRevive brings a player back, to an open place. In the Confrontation no player comes back: its rules
// allow acts, such as a fourth destruction, that are impossible outside it.
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

// applyRevived lets x play on from the next phase, with an empty hand and its role face up.
func (s *boardState) revive(e *event) {
	p := &s.seats[e.seat]
	p.dead, p.at, p.done, p.short = false, e.place, true, s.phase == deposit
}

// The rules that the host may waive for the current investigation.
const (
	waiveRound = iota // when one may accuse
	waiveHand         // with how many clues one may force an exchange
)

var waivers = rules.Waivers{waiveRound: "HC-090", waiveHand: "HC-081"}

// waivableRules returns the rules that keep the active seat from an act and can be waived.
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

// waivableRulesOf does the same for seat x: the active one, or idleSeat if it could do something without
// the rule.
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

// waivableSeats returns the seats for which a rule may be waived.
func (s *public) waivable() []engine.Seat {
	if s.idled == 0 || s.idled == s.active {
		return []engine.Seat{s.active}
	}
	return []engine.Seat{s.active, s.idled}
}

// reopenInvestigation continues the investigation of idleSeat as if no other seat had been called since,
// and no deposit either.
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

// withReopened returns the game after reopenInvestigation.
func (s *state) givenBack() *state {
	after := s.copied()
	after.giveBack(s.since)
	return after
}

// lateWaivableRefusal returns the refusal of an act of idleSeat if a rule forbids it that the host may
// still waive; nil: no such rule does.
func (s *state) boundLate(c engine.Command) *engine.Reject {
	x, seat := c.By.Seat()
	if !seat || x != s.idled {
		return nil
	}
	_, r := s.givenBack().judge(c, nil)
	return rules.Late(r, s.bindingOf(x))
}

// decideAllow waives a rule that has refused an act to a seat: the host insists.
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

// applyAllowed waives a rule. For idleSeat it also reopens the investigation.
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
	t.TellOf(t.hap(engine.HapOverruled, t.e.seat, 0), "gen.log.allowed", "seat", t.e.seat.String(),
		"rule", t.e.text)
	return t.Log
}

// recordKilled records the death like a murder, and that the host has declared it.
func (t teller) tellKilled() story.Log {
	t.tellFall(t.e.seat, "hc.log.killed", "hc.log.killed.untold")
	return t.Log
}

// phaseArgs has arguments that name each phase. They are shared and must not be changed.
var ofPhase = func() (all [len(phaseNames)]engine.Args) {
	for p, name := range phaseNames {
		all[p] = engine.Args{"phase": name}
	}
	return all
}()

// offerOverruling adds the acts against the rules that the host may do now.
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
