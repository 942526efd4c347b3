package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/box"
)

// The acts that touch another player: forced exchange (HC-081 to HC-088),
// accusation (HC-090 to HC-101), observation (HC-110 to HC-118) and the draw by
// agreement (HC-211).

// otherArg is how every act on another player begins: it is time to act, and
// the argument "seat" names a living player beside the actor, as rule says.
func (s *state) otherArg(by actor, c engine.Command, rule string) (engine.Seat, *engine.Reject) {
	if s.step != stepAct {
		return 0, s.wrongStep()
	}
	y, r := seatArg(c)
	if r == nil && (y == by.seat || !s.living(y)) {
		r = openly(engine.Unknown, rule, engine.Say("hc.no.empty-seat", "seat", y.String()))
	}
	return y, r
}

func (s *state) doExchange(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x := by.seat
	y, r := s.otherArg(by, c, "HC-082")
	if r != nil {
		return nil, r
	}
	switch {
	case s.seats[x].cards != handLimit:
		return nil, openly(engine.Forbidden, "HC-081", engine.Say("hc.no.exchange-hand"))
	case s.seats[y].at != s.seats[x].at || s.seats[y].cards == 0:
		return nil, openly(engine.Forbidden, "HC-082", engine.Say("hc.no.exchange-victim", "seat", y.String()))
	case s.compelled(by.k, x):
		return nil, refuse(engine.Forbidden, "HC-188", "hc.fact.excess")
	}
	e := &event{kind: evExchange, at: c.At, seat: x, other: y, n: s.watchers(x), sw: uint8(stepDraw)}
	if s.rule(swOrder) == "give-then-draw" {
		e.sw = uint8(stepGive)
	}
	return []*event{e}, nil
}

// doDraw draws without looking (HC-083): from a hand that the machine knows by
// dice, from another one at the table. Whether it knows the victim's hand shows
// to the actor neither before, nor by a refusal; who wants to tell the machine what
// was drawn lays it on the reader, or names it when it is held.
func (s *state) doDraw(by actor, c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	_, named := c.Args["card"]
	switch {
	case s.step != stepDraw:
		return nil, s.wrongStep()
	case by.host && c.Args["card"] != engine.Unnamed:
		return nil, refuse(engine.Forbidden, "GEN-024", "hc.no.host-unnamed")
	case named && !by.host:
		return nil, refuse(engine.Forbidden, "HC-083", "hc.no.draw-named")
	case s.window:
		return nil, refuse(engine.NotNow, "HC-118", "hc.no.observers")
	case by.host || !s.known(s.target):
		return s.drew(by, c.At, 0), nil
	}
	from := s.holding(s.target)
	if g, ok := s.given.Open(); ok {
		from = from.less(g)
	}
	for range dice.Intn(from.count()) {
		from &= from - 1
	}
	return s.drew(by, c.At, from.first()), nil
}

// holding is the hand of y as recorded or claimed.
func (s *state) holding(y engine.Seat) (cs set) {
	cs, _ = s.claims[y].Open()
	return cs | s.at(inHand(y))
}

// draw takes the clue of the victim's hand that lies on the reader (HC-083); the
// clue given first cannot be the one that comes back (HC-084). The clue is there, or
// the record has raised the alarm before (astray).
func (s *state) draw(by actor, at engine.Millis, c card) ([]*event, *engine.Reject) {
	switch {
	case s.window:
		return nil, refuse(engine.NotNow, "HC-118", "hc.no.observers")
	case by.k.given == c:
		return nil, refuse(engine.Forbidden, "HC-084", "hc.no.give-back")
	case !by.k.maybe(by.seat).has(c):
		return nil, refuse(engine.Forbidden, "HC-083", "hc.no.not-theirs")
	}
	return s.drew(by, at, c), nil
}

// drew is the drawing of c, and the end of the investigation if it was the
// second half of the exchange.
func (s *state) drew(by actor, at engine.Millis, c card) []*event {
	y := s.target
	e := s.moved(evDrew, at, by, c, inHand(y), s.seats[y].cards)
	if e.other = y; c == 0 {
		e.trust = blind // it may be any of the victim's
	}
	return s.exchanged(e)
}

func (s *state) exchanged(e *event) []*event {
	if s.half {
		return []*event{e, {kind: evEnded, at: e.at, seat: e.seat}}
	}
	return []*event{e}
}

func (s *state) doGive(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := s.cardArg(by, c)
	if r != nil {
		return nil, r
	}
	if s.step != stepGive {
		return nil, s.wrongStep()
	}
	return s.give(by, c.At, x)
}

func (s *state) give(by actor, at engine.Millis, c card) ([]*event, *engine.Reject) {
	x := by.seat
	may := s.gives(by)
	switch {
	case s.window:
		return nil, refuse(engine.NotNow, "HC-118", "hc.no.observers")
	case may.has(c):
		e := s.moved(evGave, at, by, c, inHand(x), s.seats[x].cards)
		e.other = s.target
		return s.exchanged(e), nil
	case c == 0:
		return nil, nameless()
	case c == by.k.taken:
		return nil, refuse(engine.Forbidden, "HC-084", "hc.no.give-back")
	case !s.mine(by.k, x).has(c):
		return nil, refuse(engine.Forbidden, "HC-083", "hc.no.not-held")
	}
	return nil, refuse(engine.Forbidden, "HC-087", "hc.no.leave-weapon")
}

// cancelled refuses an accusation that was announced: the table hears that it
// does not take place, the accuser alone why (rules, 4.2).
func cancelled(rule, key string) *engine.Reject {
	r := refuse(engine.Forbidden, rule, key)
	r.Public = engine.Say("hc.public.accusation-cancelled")
	return r
}

// knownInnocent is the value of "confirm" with which somebody whose Innocent
// card lies face up is accused again (HC-099).
const knownInnocent = "known-innocent"

// cleared reports that everybody knows y to be innocent.
func (s *state) cleared(y engine.Seat) bool {
	d, ok := s.roles[y].See(engine.Public)
	return ok && d.role == innocent
}

// doAccuse judges an accusation. Its public conditions are refused openly; that
// the clue is missing is told to the accuser alone (HC-091).
func (s *state) doAccuse(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x := by.seat
	y, r := s.otherArg(by, c, "HC-101")
	if r != nil {
		return nil, r
	}
	switch {
	case s.duel:
		return nil, openly(engine.Forbidden, "HC-202", engine.Say("hc.no.accuse-duel"))
	case !s.accusing():
		return nil, openly(engine.Forbidden, "HC-090", engine.Say("hc.no.accuse-round", "n", numbers[s.n+1]))
	case s.seats[x].tokens == 0:
		return nil, openly(engine.Forbidden, "HC-100", engine.Say("hc.no.accuse-token", "seat", x.String()))
	case s.seats[y].at != s.seats[x].at:
		return nil, openly(engine.Forbidden, "HC-091", engine.Say("hc.no.accuse-place", "seat", y.String()))
	case s.compelled(by.k, x):
		return nil, cancelled("HC-188", "hc.fact.excess")
	}
	clue, ok := s.book.cards[c.Args["card"]]
	switch {
	case !ok || !s.evidence(by, y).has(clue):
		return nil, cancelled("HC-091", "hc.no.accuse-clue")
	case s.cleared(y) && c.Args["confirm"] != knownInnocent:
		return nil, refuse(engine.Forbidden, "HC-099", "hc.no.known-innocent", "seat", y.String())
	}
	if alarm := s.laid(clue, inHand(x)); alarm != nil {
		return nil, alarm
	}
	return []*event{{kind: evAccused, at: c.At, seat: x, other: y, card: hide(clue)}}, nil
}

// observe comes from another seat than the active one (HC-110 to HC-116).
func (s *state) observe(c engine.Command) ([]*event, *engine.Reject) {
	y, ok := c.By.Seat()
	if c.By.IsHost() { // for a seat without a phone
		var r *engine.Reject
		if y, r = s.takenSeat(c); r != nil {
			return nil, r
		}
		ok = true
	}
	no := func(code engine.Code, rule, key string) ([]*event, *engine.Reject) {
		return nil, openly(code, rule, engine.Say(key, "seat", y.String()))
	}
	at := s.seats[s.active].at
	switch {
	case !ok:
		return nil, refuse(engine.NotYou, "HC-110", "hc.no.seat-only")
	case s.dead(y):
		return no(engine.NotYou, "HC-138", "hc.no.dead")
	case s.duel:
		return no(engine.Forbidden, "HC-204", "hc.no.observe-duel")
	case s.phase != investigation:
		return no(engine.NotNow, "HC-110", "hc.no.observe-phase")
	case y == s.active:
		return no(engine.Forbidden, "HC-110", "hc.no.observe-self")
	case s.step < stepTake || s.step == stepRole:
		return no(engine.NotNow, "HC-116", "hc.no.observe-early")
	case !s.seated(y) || s.seats[y].at != at:
		return no(engine.Forbidden, "HC-111", "hc.no.observe-place")
	case s.seats[y].observed:
		return no(engine.Forbidden, "HC-110", "hc.no.observe-used")
	case !s.observable():
		return no(engine.NotNow, "HC-112", "hc.no.observe-late")
	}
	return []*event{{kind: evObserved, at: c.At, seat: y, other: s.active}}, nil
}

// observable reports that an action has been announced and nothing is taken
// yet (HC-112, HC-116), whether or not the machine is told which clue it was.
func (s *state) observable() bool {
	return s.step == stepTake || s.step == stepDraw || s.step == stepGive && !s.half
}

// mayObserve reports that y stands with x and has not observed this round
// (HC-110, HC-111, HC-204).
func (s *state) mayObserve(y, x engine.Seat) bool {
	return y != x && !s.duel && s.living(y) && !s.seats[y].observed && s.seats[y].at == s.seats[x].at
}

// agree offers to end the Confrontation without a winner.
func (s *state) agree(c engine.Command) ([]*event, *engine.Reject) {
	x, ok := c.By.Seat()
	if c.By.IsHost() { // for a seat without a phone
		var r *engine.Reject
		if x, r = s.takenSeat(c); r != nil {
			return nil, r
		}
		ok = true
	}
	switch {
	case s.dead(x):
		return nil, refuse(engine.NotYou, "HC-138", "hc.no.dead", "seat", x.String())
	case !ok || !s.seated(x):
		return nil, refuse(engine.NotYou, "HC-211", "hc.no.seat-only")
	case !s.drawable(x):
		return nil, openly(engine.NotNow, "HC-211", engine.Say("hc.no.not-now"))
	}
	evs := one(evAgreed, c.At, x)
	if s.next(func(y engine.Seat) bool { return y != x && !s.seats[y].agrees }) == 0 {
		evs = append(evs, &event{kind: evOver, at: c.At, text: "HC-211", ends: true})
	}
	return evs, nil
}

// drawable reports that x may offer to end without a winner: only with the
// round limit lifted, and never in the middle of an action (HC-211).
func (s *state) drawable(x engine.Seat) bool {
	return s.endless() && s.phase == investigation && s.step <= stepAct && s.living(x) && !s.seats[x].agrees
}

// applyOther applies the events of this file.
func (s *state) applyOther(e *event) {
	x, y := e.seat, e.other
	c, _ := e.card.Open()
	switch e.kind {
	case evExchange:
		s.target, s.step, s.window = y, step(e.sw), e.n != 0
		s.await(e.at)
	case evDrew:
		s.fromHand(y, c, e.trust)
		s.intoHand(x, c, e.trust)
		s.taken = e.card.For(box.Only(x))
		s.shows(x, e.card)
		s.step, s.half = stepGive, true
		s.await(e.at)
	case evGave:
		s.fromHand(x, c, e.trust)
		s.intoHand(y, c, e.trust)
		s.given = e.card.For(box.Only(x))
		s.step, s.half = stepDraw, true
		s.await(e.at)
	case evObserved:
		s.seats[x].observed, s.seats[x].watching = true, true
	case evAccused:
		s.drop(e.card, x)
		s.accuser, s.accused = x, y
		s.reveal(y)
		s.acquit()
	}
}

// acquit passes the Accusation card on if the accused has turned up an Innocent
// card (HC-095).
func (s *state) acquit() {
	if d, ok := s.roles[s.accused].See(engine.Public); ok && d.role != murderer {
		s.seats[s.accuser].tokens--
		s.seats[s.accused].tokens++
	}
}

// narrateOther adds the log lines of those events.
func (s *state) narrateOther(e *event) {
	x, y := e.seat, e.other
	c, _ := e.card.Open()
	id := s.book.cardID[c]
	from, to := x.String(), y.String()
	switch e.kind {
	case evExchange:
		s.tell(engine.Say("hc.log.exchange", "seat", from, "other", to))
	case evDrew:
		s.tellOf(engine.Happening{What: engine.HapPassed, Seat: y, Other: x}, engine.Say("hc.log.drew", "seat", from, "other", to))
		if c != 0 {
			both := engine.Say("hc.log.drew.own", "seat", to, "other", from, "card", id)
			s.whisper(x, both)
			s.whisper(y, both)
		}
		s.showObservers(x, c)
	case evGave:
		s.tellOf(engine.Happening{What: engine.HapPassed, Seat: x, Other: y}, engine.Say("hc.log.gave", "seat", from, "other", to))
		if c != 0 {
			both := engine.Say("hc.log.drew.own", "seat", from, "other", to, "card", id)
			s.whisper(x, both)
			s.whisper(y, both)
		}
	case evObserved:
		s.tell(engine.Say("hc.log.observes", "seat", from, "other", to))
	case evAccused:
		h := s.hap(engine.HapAccused, x, 0, c)
		h.Other = y
		s.tellOf(h, engine.Say("hc.log.accused", "seat", from, "other", to, "card", id))
		s.tellAcquitted()
	case evAgreed:
		s.tell(engine.Say("hc.log.draw-offered", "seat", from))
	}
}

// tellAcquitted says that an accusation was wrong, if the card of the accused
// says so.
func (s *state) tellAcquitted() {
	if s.cleared(s.accused) {
		s.tellOf(engine.Happening{What: engine.HapWrong, Seat: s.accuser, Other: s.accused},
			engine.Say("hc.log.accused.wrong", "seat", s.accuser.String(), "other", s.accused.String()))
	}
}

// otherOffers are the offers of exchange and accusation where the actor stands.
func (s *state) otherOffers(out []engine.Offer, by actor) []engine.Offer {
	p := s.seats[by.seat].at
	if vs := s.victims(by.k, by.seat, p); len(vs) > 0 {
		domain := make([]string, len(vs))
		for i, y := range vs {
			domain[i] = y.String()
		}
		out = append(out, engine.Offer{Act: "exchange", Rule: "HC-081",
			Params: []engine.Param{{Name: "seat", Kind: "seat", Domain: domain}}})
	}
	if s.compelled(by.k, by.seat) {
		return out
	}
	for _, y := range s.accusable(by.seat, p) {
		if x := s.evidence(by, y); x != 0 {
			fixed := engine.Args{"seat": y.String()}
			if s.cleared(y) {
				fixed["confirm"] = knownInnocent
			}
			out = append(out, engine.Offer{Act: "accuse", Rule: "HC-091", Grave: true, Fixed: fixed,
				Params: []engine.Param{{Name: "card", Kind: "card", Domain: s.book.list(x)}}})
		}
	}
	return out
}

// bystanderOffers are what a seat may do out of its turn.
func (s *state) bystanderOffers(out []engine.Offer, x engine.Seat) []engine.Offer {
	if s.phase != investigation {
		return out
	}
	if s.active != 0 && s.observable() && s.mayObserve(x, s.active) {
		out = append(out, engine.Offer{Act: "observe", Rule: "HC-110"})
	}
	if s.drawable(x) {
		out = append(out, engine.Offer{Act: "offer-draw", Rule: "HC-211", Grave: true})
	}
	return out
}
