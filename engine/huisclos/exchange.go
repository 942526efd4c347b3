package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/story"
)

// The forced exchange (HC-081 to HC-088).

// parseTarget reads the argument "seat" of an act on another player. It refuses the act outside stepAct,
// and by rule any seat but that of another living player.
func (s *public) otherArg(by actor, c engine.Command, rule string) (engine.Seat, *engine.Reject) {
	if s.step != stepAct {
		return 0, s.wrongStep()
	}
	y, r := words.Seat(c, maxSeats, "HC-001")
	if r == nil && (y == by.seat || !s.living(y)) {
		r = openly(engine.Unknown, rule, engine.Say("hc.no.empty-seat", "seat", y.String()))
	}
	return y, r
}

// canExchange reports whether the hand size of x allows it to force an exchange (HC-081).
func (s *boardState) mayExchange(x engine.Seat) bool {
	n := s.seats[x].cards
	return n == handLimit || n > 0 && n < handLimit && s.waived.Has(waiveHand)
}

func (s *public) doExchange(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x := by.seat
	y, r := s.otherArg(by, c, "HC-082")
	if r != nil {
		return nil, r
	}
	switch {
	case !s.mayExchange(x):
		return nil, openly(engine.Forbidden, "HC-081", engine.Say("hc.no.exchange-hand"))
	case s.seats[y].at != s.seats[x].at || s.seats[y].cards == 0:
		return nil, openly(engine.Forbidden, "HC-082", engine.Say("hc.no.exchange-victim", "seat", y.String()))
	case by.compelled(x):
		return nil, refuse(engine.Forbidden, "HC-188", "hc.fact.excess")
	}
	e := &event{kind: evExchange, at: c.At, seat: x, other: y, n: s.watchers(x), step: stepDraw}
	if s.rule(swOrder) == "give-then-draw" {
		e.step = stepGive
	}
	return []*event{e}, nil
}

// decideDraw draws a clue without looking (HC-083): by dice from a hand that the machine knows, else at the
// table. Neither a refusal nor anything before it shows the actor whether the machine knows the victim's
// hand. To record a clue drawn at the table, the actor presents it at the reader or names it afterwards.
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
	from := s.cards.Held(s.target)
	if g, ok := s.given.Open(); ok {
		from = from.Less(g)
	}
	return s.drew(by, c.At, from.Draw(dice)), nil
}

// drawReadEvents decides a draw whose clue is on the reader (HC-083). checkAstray has raised the alarm
// already for a clue that is not in that hand, or that was given first.
func (s *recordState) draw(by actor, at engine.Millis, c card) ([]*event, *engine.Reject) {
	switch {
	case s.window:
		return nil, refuse(engine.NotNow, "HC-118", "hc.no.observers")
	case !by.maybe(by.seat).Has(c):
		return nil, refuse(engine.Forbidden, "HC-083", "hc.no.not-theirs")
	}
	return s.drew(by, at, c), nil
}

// drawEvents returns the draw of c, and the end of the investigation if it completes the exchange.
func (s *recordState) drew(by actor, at engine.Millis, c card) []*event {
	y := s.target
	e := s.moved(evDrew, at, by, c, custody.HandOf(y), s.seats[y].cards)
	if e.other = y; c == 0 {
		e.trust = blind // it may be any clue of the victim
	}
	return s.exchanged(e)
}

// withExchangeEnd returns e, and the end of the investigation if e completes the exchange.
func (s *inquiry) exchanged(e *event) []*event {
	if s.half {
		return []*event{e, {kind: evEnded, at: e.at, seat: e.seat}}
	}
	return []*event{e}
}

func (s *recordState) doGive(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := s.cardArg(by, c)
	if r != nil {
		return nil, r
	}
	if s.step != stepGive {
		return nil, s.wrongStep()
	}
	return s.give(by, c.At, x)
}

func (s *recordState) give(by actor, at engine.Millis, c card) ([]*event, *engine.Reject) {
	x := by.seat
	may := by.gives()
	switch {
	case s.window:
		return nil, refuse(engine.NotNow, "HC-118", "hc.no.observers")
	case may.has(c):
		e := s.moved(evGave, at, by, c, custody.HandOf(x), s.seats[x].cards)
		e.other = s.target
		return s.exchanged(e), nil
	case c == 0:
		return nil, nameless()
	case c == by.taken:
		return nil, refuse(engine.Forbidden, "HC-084", "hc.no.give-back")
	case !by.mine(x).has(c):
		return nil, refuse(engine.Forbidden, "HC-083", "hc.no.not-held")
	}
	return nil, refuse(engine.Forbidden, "HC-087", "hc.no.leave-weapon")
}

// applyDrew moves a clue from the hand of the victim to the actor.
func (s *state) drawFrom(e *event) {
	x, y, c := e.seat, e.other, e.clue()
	s.fromHand(y, c, e.trust)
	s.intoHand(x, c, e.trust)
	s.taken = e.card.For(box.Only(x))
	s.shows(x, e.card)
	s.step, s.half = stepGive, true
	s.await(e.at)
	s.sawObservers(x, y, e.clues())
	s.sawPassed(e, engine.SawDrawn)
}

// applyGave moves a clue from the actor to the hand of the victim.
func (s *state) giveTo(e *event) {
	x, y, c := e.seat, e.other, e.clue()
	s.fromHand(x, c, e.trust)
	s.intoHand(y, c, e.trust)
	s.given = e.card.For(box.Only(x))
	s.step, s.half = stepDraw, true
	s.await(e.at)
	s.sawPassed(e, engine.SawGiven)
}

func (t teller) tellDrew() story.Log {
	t.TellOf(engine.Happening{What: engine.HapPassed, Seat: t.e.other, Other: t.e.seat},
		"hc.log.drew", "seat", t.e.seat.String(), "other", t.e.other.String())
	t.tellPassed(t.e.other, t.e.seat)
	t.tellObservers(t.e.seat, t.e.clue())
	return t.Log
}

func (t teller) tellGave() story.Log {
	t.tellPassed(t.e.seat, t.e.other)
	return t.Log
}

// recordPassed records for both seats which clue passed between them, if it was named.
func (t *teller) tellPassed(from, to engine.Seat) {
	if c := t.e.clue(); c != 0 {
		for _, x := range []engine.Seat{t.e.seat, t.e.other} {
			t.Whisper(x, "hc.log.drew.own", "seat", from.String(), "other", to.String(), "card", t.book.cardID[c])
		}
	}
}
