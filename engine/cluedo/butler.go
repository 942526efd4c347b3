package cluedo

import (
	"slices"

	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/rules"
)

// special is a Butler card or a Power: a row of the tables below. An edition that has it adds the
// id of its rule (edition.Events, edition.Powers).
type special struct {
	kind string
	// isUsable reports by public facts whether seat x could use it now; lateKey is the refusal at
	// other moments.
	when   func(s *public, x engine.Seat) bool
	moment string
	// isIdle reports by public facts whether there is nothing to use it on; nil: never.
	idle func(s *public) bool
	// params returns the forms in which it is offered, made from the plain offer; nil: only that
	// one. noMatchKey is the refusal of a command that fits no form; empty: effect decides the
	// command.
	params func(s *public, by actor, plain engine.Offer, theirs engine.Param) []engine.Offer
	looks  bool // theirs is a card of the hand of the seat that was shown one
	no     string
	// change is its immediate change of the state, and effect the events that follow; either may be
	// nil.
	change func(s *public)
	effect func(s *state, by actor, c engine.Command, dice engine.Dice) ([]*event, *engine.Reject)
}

type specials []*special

// byKind returns the row of a kind; nil: there is none.
func (all specials) of(kind string) *special {
	i := slices.IndexFunc(all, func(m *special) bool { return m.kind == kind })
	if i < 0 {
		return nil
	}
	return all[i]
}

// kinds returns the kinds of all rows, as a deck names them.
func (all specials) kinds() (names []string) {
	for _, m := range all {
		names = append(names, m.kind)
	}
	return names
}

// butlers are the kinds of Butler cards, in the order of the offers.
var butlers = specials{
	{kind: "stay", moment: "cl.no.moment.in-room",
		when: func(s *public, x engine.Seat) bool { return s.setsOut(x) && s.here() != 0 },
		effect: func(s *state, by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
			return moved(c.At, by.seat, s.pawns[s.seats[by.seat].who], wayCard), nil
		}},
	{kind: "move-anywhere", moment: "cl.no.moment.start", no: "cl.no.reach",
		when: (*public).setsOut,
		params: func(s *public, _ actor, plain engine.Offer, _ engine.Param) []engine.Offer {
			rooms := s.book.rooms(s.those(func(a area) bool { return a != s.here() }))
			return []engine.Offer{with(plain, engine.Param{Name: "to", Kind: "place", Domain: rooms}),
				with(plain, engine.Param{Name: "to", Kind: "square", Domain: s.freeSquares()})}
		},
		effect: func(s *state, by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
			to, _ := s.goal(c.Args["to"])
			return moved(c.At, by.seat, to, wayCard), nil
		}},
	{kind: "plus-six", moment: "cl.no.moment.rolled",
		when: func(s *public, x engine.Seat) bool { return x == s.active && s.step == stepMove },
		change: func(s *public) {
			s.points += 6
			s.throw()
		}},
	{kind: "right-neighbour", moment: "cl.no.moment.end",
		when: func(s *public, x engine.Seat) bool { return x == s.active && s.step == stepEnd && s.neighbour() != 0 },
		effect: func(s *state, by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
			return []*event{{kind: evNeighbour, at: c.At, seat: s.neighbour(), other: by.seat}}, nil
		}},
	{kind: "replay", moment: "cl.no.moment.end",
		when: func(s *public, x engine.Seat) bool { return x == s.active && s.step == stepEnd && s.running(x) },
		effect: func(_ *state, by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
			return one(evReplay, c.At, by.seat), nil
		}},
	{kind: "pawn-home", moment: "cl.no.moment.end", no: "cl.no.home",
		when: func(s *public, x engine.Seat) bool { return x == s.active && s.step == stepEnd },
		idle: func(s *public) bool { return s.sendable() == 0 },
		params: func(s *public, _ actor, plain engine.Offer, _ engine.Param) []engine.Offer {
			return []engine.Offer{with(plain, s.nameParam("suspect", s.sendable()))}
		},
		effect: func(s *state, by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
			return []*event{{kind: evSent, at: c.At, seat: by.seat, who: uint8(s.book.cards[c.Args["suspect"]])}}, nil
		}},
	seeCard,
	{kind: "no-answer", moment: "cl.no.moment.asked",
		when: func(s *public, x engine.Seat) bool { return s.answering() && s.asked != 0 && s.interrupts(x) },
		effect: func(_ *state, by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
			return one(evHushed, c.At, by.seat), nil
		}},
}

// powers are the Powers of the characters, each usable once in the game (C8-160).
var powers = specials{
	{kind: "double-move", moment: "cl.no.moment.start",
		when: (*public).setsOut,
		change: func(s *public) {
			s.moves, s.way = 2, wayPower
			if s.believed { // the first of them has begun
				s.moves--
			}
		}},
	{kind: "second-hypothesis", moment: "cl.no.moment.settled",
		when: func(s *public, x engine.Seat) bool {
			return s.step == stepEnd && s.hyp.by == x && !s.noSecond && s.here() == s.hypRoom()
		},
		params: func(s *public, _ actor, plain engine.Offer, _ engine.Param) []engine.Offer {
			return []engine.Offer{with(plain, s.nameParams()...)}
		},
		effect: func(s *state, by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
			return s.hypothesisHere(by, c, s.book.Powers["second-hypothesis"])
		}},
	{kind: "hypothesis-elsewhere", moment: "cl.no.moment.moved",
		when: func(s *public, x engine.Seat) bool {
			return x == s.active && s.running(x) && s.step == stepAct && s.elsewhere()
		},
		params: func(s *public, _ actor, plain engine.Offer, _ engine.Param) []engine.Offer {
			rooms := s.book.all(kindRoom)
			if a := s.here(); a != 0 {
				rooms = rooms.Less(s.book.roomCard(a))
			}
			return []engine.Offer{with(plain, append(s.nameParams(), s.nameParam("room", rooms))...)}
		},
		effect: func(s *state, by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
			what, r := s.named(c, c.Args["room"])
			if r != nil {
				return nil, r
			}
			if s.book.areaID[s.here()] == c.Args["room"] {
				return nil, openly(engine.Forbidden, s.book.Powers["hypothesis-elsewhere"], engine.Say("cl.no.elsewhere"))
			}
			return s.hypothesis(by, c.At, what), nil
		}},
	{kind: "random-look", moment: "cl.no.moment.showed",
		when:  func(s *public, x engine.Seat) bool { return s.step == stepShown && x == s.showing.from },
		looks: true,
		params: func(s *public, by actor, plain engine.Offer, theirs engine.Param) []engine.Offer {
			unnamed := fixed{"card": engine.Unnamed}.offer(plain.Act, plain.Rule)
			switch {
			case s.virtual:
				return []engine.Offer{plain}
			case by.host:
				return []engine.Offer{unnamed}
			}
			return []engine.Offer{with(plain, theirs), unnamed}
		},
		effect: (*state).randomLook},
	seeCard,
	{kind: "go-to-room", moment: "cl.no.moment.start", no: "cl.no.go-to",
		when: (*public).setsOut,
		params: func(s *public, _ actor, plain engine.Offer, _ engine.Param) []engine.Offer {
			rooms := s.book.rooms(s.those(func(a area) bool { return a != s.here() && s.book.passage[a] == 0 }))
			return []engine.Offer{with(plain, engine.Param{Name: "to", Kind: "place", Domain: rooms})}
		},
		effect: func(s *state, by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
			return moved(c.At, by.seat, pos{area: s.book.areas[c.Args["to"]]}, wayPower), nil
		}},
}

// seeCard is both a Butler card and a Power: it is only for answers to a hypothesis (C8-156).
var seeCard = &special{kind: "see-card", moment: "cl.no.moment.shown",
	when: func(s *public, x engine.Seat) bool {
		return s.step == stepShown && s.showing.why == whyAnswer && x != s.showing.from && x != s.showing.to
	},
	effect: func(s *state, by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
		return []*event{{kind: evSaw, at: c.At, seat: by.seat, other: s.showing.from,
			card: s.shown.For(box.Nobody)}}, nil
	}}

// isAboutToMove reports whether x is the active seat and has to choose how to move.
func (s *public) setsOut(x engine.Seat) bool { return x == s.active && s.fresh() && s.mayRoll() }

// canUse reports whether x could use m now, by public facts; in the window after a shown card,
// until it has passed.
func (s *public) serves(m *special, x engine.Seat) bool {
	return m != nil && m.when(s, x) && (s.step != stepShown || s.concerned(x))
}

// canUseAny reports whether x could use its Power or, by public facts, a Butler card, whether or
// not it has one for this moment (GEN-005).
func (s *public) could(x engine.Seat) bool { return s.uses(x) != (use{}) }

// usable says what a seat may use at this moment, by public facts.
type use struct{ power, card bool }

func (s *public) uses(x engine.Seat) use {
	now := func(m *special) bool { return m.when(s, x) }
	power := s.powerOf(x)
	return use{power != nil && now(power), s.seats[x].butlers > 0 && slices.ContainsFunc(butlers, now)}
}

// canInterrupt reports whether seat x may play cards out of its turn, only by public facts (C8-118,
// GEN-005).
func (s *seatedTurn) interrupts(x engine.Seat) bool {
	p := &s.seats[x]
	return s.seated(x) && !p.dead && (!p.wrong || s.rule(polInterrupts) == "on")
}

// canActInWindow reports whether x may still do something in the window after a shown card.
func (s *public) concerned(x engine.Seat) bool {
	return s.step == stepShown && s.interrupts(x) && s.showing.passed&(1<<x) == 0 && s.could(x)
}

// unspentPower returns the Power of a seat's character until it is used; nil: none.
func (s *seatedTurn) powerOf(x engine.Seat) *special {
	if s.seats[x].spent {
		return nil
	}
	return powers.of(s.book.power[s.seats[x].who])
}

// canRepeatHypothesis reports whether x could make its second hypothesis now, which a Butler card
// played now would forfeit: it comes right after the first, or not at all (C8-175).
func (s *public) forfeits(x engine.Seat) bool {
	power := s.powerOf(x)
	return power != nil && power.kind == "second-hypothesis" && s.serves(power, x)
}

// decidePlay plays a Butler card: it is shown and leaves the game (C8-141).
func (s *state) doPlay(by actor, c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	x, named, r := s.cardArg(c)
	m := butlers.of(s.book.events[x])
	if r != nil || !named || m == nil {
		return nil, refuse(engine.Unknown, "GEN-E02", "cl.no.kind")
	}
	rule := s.book.Events[m.kind]
	switch {
	case !s.serves(m, by.seat):
		r := refuse(engine.Forbidden, rule, m.moment)
		if by.host { // the card is on the table: a late tap reveals nothing
			r.Public = engine.Say("cl.no.window-seen")
		}
		return nil, r
	case s.seats[by.seat].butlers == 0 || !s.knows(by).playable(by, m.kind).Has(x):
		return nil, refuse(engine.Forbidden, rule, "cl.no.not-held")
	}
	played := &event{kind: evPlayed, at: c.At, seat: by.seat, open: x}
	if by.host {
		played.n = byHost
	}
	evs, r := s.use(m, rule, played, by, c, dice)
	if r != nil && !by.host { // that the seat has the card stays secret until it is played
		r.Public = engine.Msg{}
	}
	return evs, r
}

// decidePower uses the Power of a seat's character, once in the game (C8-160).
func (s *state) doPower(by actor, c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	m := s.powerOf(by.seat)
	if m == nil {
		return nil, openly(engine.Forbidden, s.book.Rules.Spent, engine.Say("cl.no.power-spent"))
	}
	rule := s.book.Powers[m.kind]
	if !s.serves(m, by.seat) {
		return nil, refuse(engine.Forbidden, rule, m.moment)
	}
	return s.use(m, rule, &event{kind: evPower, at: c.At, seat: by.seat, text: m.kind}, by, c, dice)
}

// useEvents adds to the event of a Butler card or a Power the events that follow from it.
func (s *state) use(m *special, rule string, used *event, by actor, c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	other := func(p engine.Param) bool { return !slices.Contains(p.Domain, c.Args[p.Name]) }
	fits := func(o engine.Offer) bool { return !slices.ContainsFunc(o.Params, other) }
	if m.no != "" && !slices.ContainsFunc(m.params(&s.public, by, engine.Offer{}, engine.Param{}), fits) {
		return nil, openly(engine.Forbidden, rule, engine.Say(m.no))
	}
	if m.effect == nil {
		return []*event{used}, nil
	}
	follows, r := m.effect(s, by, c, dice)
	if r != nil {
		return nil, r
	}
	return append([]*event{used}, follows...), nil
}

// applyChange makes the immediate change of m.
func (s *public) changeAtOnce(m *special) {
	if m != nil && m.change != nil {
		m.change(s)
	}
}

// offerSpecials offers the Power that a seat may use now, and its Butler cards. Where public facts
// allow playing one, all its cards are listed, whichever it has (GEN-005).
func (l *offerList) offerUse() {
	if m := l.powerOf(l.by.seat); l.serves(m, l.by.seat) {
		o := offer("power", l.book.Powers[m.kind])
		o.Grave = !l.by.host && m.params == nil // once in the game, and not by one tap
		l.addUse(m, o)
	}
	if l.seats[l.by.seat].butlers > 0 {
		l.offerButlers()
	}
}

func (l *offerList) offerButlers() {
	rest, open := l.listButlers(l.by), false
	play := func(rule string, card engine.Param) engine.Offer {
		return engine.Offer{Act: "play", Rule: rule, Params: []engine.Param{card}, Grave: l.forfeits(l.by.seat)}
	}
	for _, m := range butlers {
		if !l.serves(m, l.by.seat) || m.idle != nil && m.idle(l.public) {
			continue
		}
		open = true
		if may := l.playable(l.by, m.kind); may != 0 {
			rest &^= may
			l.addUse(m, play(l.book.Events[m.kind], rules.CardParam(l.book.list, may, 0)))
		}
	}
	if open && rest != 0 && !l.by.host {
		l.add(play(l.book.Rules.Card, rules.CardParam(l.book.list, 0, rest)))
	}
}

// offerSpecial adds the ways to use m. plain is the offer without a choice; the host's offers name
// the seat.
func (l *offerList) addUse(m *special, plain engine.Offer) {
	n := len(l.out)
	if m.params == nil {
		l.add(plain)
	} else {
		var theirs engine.Param
		if m.looks {
			theirs = rules.CardParam(l.book.list, l.possible(l.showing.to), l.book.mystery()&^l.open)
		}
		l.add(m.params(l.public, l.by, plain, theirs)...)
	}
	for ; l.by.host && n < len(l.out); n++ {
		if l.out[n].Fixed == nil {
			l.out[n].Fixed = engine.Args{}
		}
		l.out[n].Fixed["for"] = l.by.seat.String()
	}
}

// withParams returns an offer with more to choose.
func with(o engine.Offer, more ...engine.Param) engine.Offer {
	o.Params = slices.Concat(o.Params, more)
	return o
}

// rightNeighbour returns the seat that shows a card to the active one (C8-153): the next on the
// right with a hidden hand; zero: none.
func (s *seatedTurn) neighbour() engine.Seat {
	for i := range engine.Seat(maxSeats - 1) {
		x := (s.active+maxSeats-2-i)%maxSeats + 1
		if !s.seats[x].dead && s.seats[x].cards > 0 {
			return x
		}
	}
	return 0
}

// freeSquares returns the squares without another pawn (C8-151).
func (s *boardState) freeSquares() []string {
	if s.book.board == nil || s.believed {
		if s.book.MarkedSquares {
			return []string{toCorridor, toQuestion}
		}
		return []string{toCorridor}
	}
	return s.book.free.answer(s.standing(),
		func() []string { return s.book.board.Free(s.occupied()).Squares() })
}

// sendablePawns returns the pawns that may be sent home: those on the board, except the active one
// (C8-155).
func (s *boardState) sendable() (may set) {
	for c := s.book.from[kindSuspect]; c <= s.book.to[kindSuspect]; c++ {
		if uint8(c) != s.seats[s.active].who && s.pawns[c].kind != onNothing {
			may = may.With(c)
		}
	}
	return may
}

func (s *seatedTurn) hypRoom() area { return s.book.roomOf(s.hyp.what[2]) }

// canNameElsewhere reports whether the active seat may name another room than its own (C8-173):
// from a corridor too, but not from an area without a card such as the pool.
func (s *boardState) elsewhere() bool {
	a := s.here()
	return s.moved && !s.acted() && (s.book.isRoom(a) || a == 0 && s.rule(polElsewhere) == "off")
}

// decideRandomLook draws one card of the hand of the seat that was just shown one (C8-174): by
// chance where there are no real cards, else the seat names the card that it drew, or does not. The
// record of that hand counts for nothing: a refusal by it would reveal it.
func (s *answerState) randomLook(by actor, c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	e := &event{kind: evLooked, at: c.At, seat: by.seat, other: s.showing.to}
	_, declared := c.Args["card"]
	x, named, r := s.cardArg(c)
	switch hand := s.cards.Held(s.showing.to) & s.book.mystery(); {
	case s.virtual && !declared:
		e.card = hide(hand.Draw(dice))
	case r != nil:
		return nil, r
	case s.virtual, named && (by.host || !s.knows(by).possible(s.showing.to).Has(x)):
		return nil, refuse(engine.Forbidden, s.book.Powers["random-look"], "cl.no.not-theirs")
	case named:
		e.card = hide(x)
	}
	return []*event{e}, nil
}
