package cluedo

import (
	"slices"

	"majordome/engine"
	"majordome/engine/internal/hidden"
	"majordome/engine/internal/rules"
)

// special is a Butler card or a Power: a row of the tables below. An edition that has it adds the
// id of its rule (edition.Events, edition.Powers).
type special struct {
	kind string
	// isUsable reports by public facts whether seat x could use it now; lateKey is the refusal at
	// other moments.
	isUsable func(s *public, x engine.Seat) bool
	lateKey  string
	// isIdle reports by public facts whether there is nothing to use it on; nil: never.
	isIdle func(s *public) bool
	// params returns the forms in which it is offered, made from the plain offer; nil: only that
	// one. noMatchKey is the refusal of a command that fits no form; empty: effect decides the
	// command.
	params      func(s *public, by actor, plain engine.Offer, theirs engine.Param) []engine.Offer
	looksAtHand bool // theirs is a card of the hand of the seat that was shown one
	noMatchKey  string
	// change is its immediate change of the state, and effect the events that follow; either may be
	// nil.
	change func(s *public)
	effect func(s *state, by actor, c engine.Command, dice engine.Dice) ([]*event, *engine.Reject)
}

type specials []*special

// findSpecial returns the row of a kind; nil: there is none.
func (all specials) findSpecial(kind string) *special {
	i := slices.IndexFunc(all, func(m *special) bool { return m.kind == kind })
	if i < 0 {
		return nil
	}
	return all[i]
}

// kindNames returns the kinds of all rows, as a deck names them.
func (all specials) kindNames() (names []string) {
	for _, m := range all {
		names = append(names, m.kind)
	}
	return names
}

// butlers are the kinds of Butler cards, in the order of the offers.
var butlers = specials{
	{kind: "stay", lateKey: "cl.no.moment.in-room",
		isUsable: func(s *public, x engine.Seat) bool { return s.mustChooseHowToMove(x) && s.activeArea() != 0 },
		effect: func(s *state, by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
			return moveEvents(c.At, by.seat, s.pawns[s.seats[by.seat].suspect], wayCard), nil
		}},
	{kind: "move-anywhere", lateKey: "cl.no.moment.start", noMatchKey: "cl.no.reach",
		isUsable: (*public).mustChooseHowToMove,
		params: func(s *public, _ actor, plain engine.Offer, _ engine.Param) []engine.Offer {
			rooms := s.book.areaIDs(s.areasWhere(func(a area) bool { return a != s.activeArea() }))
			return []engine.Offer{withParams(plain, engine.Param{Name: "to", Kind: "place", Domain: rooms}),
				withParams(plain, engine.Param{Name: "to", Kind: "square", Domain: s.freeSquares()})}
		},
		effect: func(s *state, by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
			to, _ := s.parseGoal(c.Args["to"])
			return moveEvents(c.At, by.seat, to, wayCard), nil
		}},
	{kind: "plus-six", lateKey: "cl.no.moment.rolled",
		isUsable: func(s *public, x engine.Seat) bool { return x == s.active && s.step == stepMove },
		change: func(s *public) {
			s.points += 6
			s.markDiceThrown()
		}},
	{kind: "right-neighbour", lateKey: "cl.no.moment.end",
		isUsable: func(s *public, x engine.Seat) bool {
			return x == s.active && s.step == stepEnd && s.rightNeighbour() != 0
		},
		effect: func(s *state, by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
			return []*event{{kind: evNeighbour, at: c.At, seat: s.rightNeighbour(), other: by.seat}}, nil
		}},
	{kind: "replay", lateKey: "cl.no.moment.end",
		isUsable: func(s *public, x engine.Seat) bool { return x == s.active && s.step == stepEnd && s.canWin(x) },
		effect: func(_ *state, by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
			return seatEvent(evReplay, c.At, by.seat), nil
		}},
	{kind: "pawn-home", lateKey: "cl.no.moment.end", noMatchKey: "cl.no.home",
		isUsable: func(s *public, x engine.Seat) bool { return x == s.active && s.step == stepEnd },
		isIdle:   func(s *public) bool { return s.pawnsToSendHome() == 0 },
		params: func(s *public, _ actor, plain engine.Offer, _ engine.Param) []engine.Offer {
			return []engine.Offer{withParams(plain, s.aloudCardParam("suspect", s.pawnsToSendHome()))}
		},
		effect: func(s *state, by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
			return []*event{{kind: evSentHome, at: c.At, seat: by.seat, subject: uint8(s.book.cardByID[c.Args["suspect"]])}}, nil
		}},
	seeCard,
	{kind: "no-answer", lateKey: "cl.no.moment.asked",
		isUsable: func(s *public, x engine.Seat) bool { return s.isAnswering() && s.asked != 0 && s.canInterrupt(x) },
		effect: func(_ *state, by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
			return seatEvent(evNoAnswer, c.At, by.seat), nil
		}},
}

// powers are the Powers of the characters, each usable once in the game (C8-160).
var powers = specials{
	{kind: "double-move", lateKey: "cl.no.moment.start",
		isUsable: (*public).mustChooseHowToMove,
		change: func(s *public) {
			s.movesLeft, s.way = 2, wayPower
			if s.diceUnknown { // the first of them has begun
				s.movesLeft--
			}
		}},
	{kind: "second-hypothesis", lateKey: "cl.no.moment.settled",
		isUsable: func(s *public, x engine.Seat) bool {
			return s.step == stepEnd && s.hyp.by == x && !s.noSecondHypothesis && s.activeArea() == s.hypothesisRoom()
		},
		params: func(s *public, _ actor, plain engine.Offer, _ engine.Param) []engine.Offer {
			return []engine.Offer{withParams(plain, s.suspectAndWeaponParams()...)}
		},
		effect: func(s *state, by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
			return s.decideHypothesisHere(by, c, s.book.Powers["second-hypothesis"])
		}},
	{kind: "hypothesis-elsewhere", lateKey: "cl.no.moment.moved",
		isUsable: func(s *public, x engine.Seat) bool {
			return x == s.active && s.canWin(x) && s.step == stepAct && s.canNameOtherRoom()
		},
		params: func(s *public, _ actor, plain engine.Offer, _ engine.Param) []engine.Offer {
			rooms := s.book.cardsOfKind(kindRoom)
			if a := s.activeArea(); a != 0 {
				rooms = rooms.WithoutCard(s.book.cardOfRoom(a))
			}
			return []engine.Offer{withParams(plain, append(s.suspectAndWeaponParams(), s.aloudCardParam("room", rooms))...)}
		},
		effect: func(s *state, by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
			what, r := s.parseSuspectWeaponRoom(c, c.Args["room"])
			if r != nil {
				return nil, r
			}
			if s.book.areaID[s.activeArea()] == c.Args["room"] {
				return nil, refuseOpenly(engine.Forbidden, s.book.Powers["hypothesis-elsewhere"], "cl.no.elsewhere")
			}
			return s.hypothesisEvents(by, c.At, what), nil
		}},
	{kind: "random-look", lateKey: "cl.no.moment.showed",
		isUsable:    func(s *public, x engine.Seat) bool { return s.step == stepShown && x == s.showing.from },
		looksAtHand: true,
		params: func(s *public, by actor, plain engine.Offer, theirs engine.Param) []engine.Offer {
			unnamed := fixedArgs{"card": engine.Unnamed}.newOffer(plain.Act, plain.Rule)
			switch {
			case s.virtual:
				return []engine.Offer{plain}
			case by.isHost:
				return []engine.Offer{unnamed}
			}
			return []engine.Offer{withParams(plain, theirs), unnamed}
		},
		effect: (*state).decideRandomLook},
	seeCard,
	{kind: "go-to-room", lateKey: "cl.no.moment.start", noMatchKey: "cl.no.go-to",
		isUsable: (*public).mustChooseHowToMove,
		params: func(s *public, _ actor, plain engine.Offer, _ engine.Param) []engine.Offer {
			rooms := s.book.areaIDs(s.areasWhere(func(a area) bool { return a != s.activeArea() && s.book.passageTo[a] == 0 }))
			return []engine.Offer{withParams(plain, engine.Param{Name: "to", Kind: "place", Domain: rooms})}
		},
		effect: func(s *state, by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
			return moveEvents(c.At, by.seat, pos{area: s.book.areaByID[c.Args["to"]]}, wayPower), nil
		}},
}

// seeCard is both a Butler card and a Power: it is only for answers to a hypothesis (C8-156).
var seeCard = &special{kind: "see-card", lateKey: "cl.no.moment.shown",
	isUsable: func(s *public, x engine.Seat) bool {
		return s.step == stepShown && s.showing.reason == reasonAnswer && x != s.showing.from && x != s.showing.to
	},
	effect: func(s *state, by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
		return []*event{{kind: evSawShown, at: c.At, seat: by.seat, other: s.showing.from,
			card: s.shownCard.WithAudience(hidden.Nobody)}}, nil
	}}

// mustChooseHowToMove reports whether x is the active seat and has to choose how to move.
func (s *public) mustChooseHowToMove(x engine.Seat) bool {
	return x == s.active && s.canChooseWay() && s.canMove()
}

// canUseSpecial reports whether x could use m now, by public facts; in the window after a shown card,
// until it has passed.
func (s *public) canUseSpecial(m *special, x engine.Seat) bool {
	return m != nil && m.isUsable(s, x) && (s.step != stepShown || s.canActInWindow(x))
}

// canUseAnySpecial reports whether x could use its Power or, by public facts, a Butler card, whether or
// not it has one for this moment (GEN-005).
func (s *public) canUseAnySpecial(x engine.Seat) bool { return s.usableSpecialKinds(x) != (usable{}) }

// usable says what a seat may use at this moment, by public facts.
type usable struct{ power, card bool }

func (s *public) usableSpecialKinds(x engine.Seat) usable {
	now := func(m *special) bool { return m.isUsable(s, x) }
	power := s.unspentPower(x)
	return usable{power != nil && now(power), s.seats[x].butlers > 0 && slices.ContainsFunc(butlers, now)}
}

// canInterrupt reports whether seat x may play cards out of its turn, only by public facts (C8-118,
// GEN-005).
func (s *seatedTurn) canInterrupt(x engine.Seat) bool {
	p := &s.seats[x]
	return s.isSeated(x) && !p.dead && (!p.accusedWrongly || s.policyValue(polWrongInterrupts) == "on")
}

// canActInWindow reports whether x may still do something in the window after a shown card.
func (s *public) canActInWindow(x engine.Seat) bool {
	return s.step == stepShown && s.canInterrupt(x) && s.showing.passedSeats&(1<<x) == 0 && s.canUseAnySpecial(x)
}

// unspentPower returns the Power of a seat's character until it is used; nil: none.
func (s *seatedTurn) unspentPower(x engine.Seat) *special {
	if s.seats[x].powerSpent {
		return nil
	}
	return powers.findSpecial(s.book.suspectPower[s.seats[x].suspect])
}

// canRepeatHypothesis reports whether x could make its second hypothesis now, which a Butler card
// played now would forfeit: it comes right after the first, or not at all (C8-175).
func (s *public) canRepeatHypothesis(x engine.Seat) bool {
	power := s.unspentPower(x)
	return power != nil && power.kind == "second-hypothesis" && s.canUseSpecial(power, x)
}

// decidePlayButler plays a Butler card: it is shown and leaves the game (C8-141).
func (s *state) decidePlayButler(by actor, c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	x, named, r := s.parseCardArg(c)
	m := butlers.findSpecial(s.book.eventKindOf[x])
	if r != nil || !named || m == nil {
		return nil, refuse(engine.Unknown, "GEN-E02", "cl.no.kind")
	}
	rule := s.book.Events[m.kind]
	switch {
	case !s.canUseSpecial(m, by.seat):
		r := refuse(engine.Forbidden, rule, m.lateKey)
		if by.isHost { // the card is on the table: a late tap reveals nothing
			r.Public = engine.NewMsg("cl.no.window-seen")
		}
		return nil, r
	case s.seats[by.seat].butlers == 0 || !s.actorKnowledge(by).playableButlers(by, m.kind).Contains(x):
		return nil, refuse(engine.Forbidden, rule, "cl.no.not-held")
	}
	played := &event{kind: evPlayed, at: c.At, seat: by.seat, openCard: x}
	if by.isHost {
		played.n = byHost
	}
	evs, r := s.specialEvents(m, rule, played, by, c, dice)
	if r != nil && !by.isHost { // that the seat has the card stays secret until it is played
		r.Public = engine.Msg{}
	}
	return evs, r
}

// decideUsePower uses the Power of a seat's character, once in the game (C8-160).
func (s *state) decideUsePower(by actor, c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	m := s.unspentPower(by.seat)
	if m == nil {
		return nil, refuseOpenly(engine.Forbidden, s.book.Rules.Spent, "cl.no.power-spent")
	}
	rule := s.book.Powers[m.kind]
	if !s.canUseSpecial(m, by.seat) {
		return nil, refuse(engine.Forbidden, rule, m.lateKey)
	}
	return s.specialEvents(m, rule, &event{kind: evPower, at: c.At, seat: by.seat, text: m.kind}, by, c, dice)
}

// specialEvents adds to the event of a Butler card or a Power the events that follow from it.
func (s *state) specialEvents(m *special, rule string, used *event, by actor, c engine.Command, dice engine.Dice) ([]*event,
	*engine.Reject) {
	other := func(p engine.Param) bool { return !slices.Contains(p.Domain, c.Args[p.Name]) }
	fits := func(o engine.Offer) bool { return !slices.ContainsFunc(o.Params, other) }
	if m.noMatchKey != "" && !slices.ContainsFunc(m.params(&s.public, by, engine.Offer{}, engine.Param{}), fits) {
		return nil, refuseOpenly(engine.Forbidden, rule, m.noMatchKey)
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

// applySpecialChange makes the immediate change of m.
func (s *public) applySpecialChange(m *special) {
	if m != nil && m.change != nil {
		m.change(s)
	}
}

// offerPowerAndButlers offers the Power that a seat may use now, and its Butler cards. Where public facts
// allow playing one, all its cards are listed, whichever it has (GEN-005).
func (l *offerList) offerPowerAndButlers() {
	if m := l.unspentPower(l.by.seat); l.canUseSpecial(m, l.by.seat) {
		o := newOffer("power", l.book.Powers[m.kind])
		o.Grave = !l.by.isHost && m.params == nil // once in the game, and not by one tap
		l.offerSpecialForms(m, o)
	}
	if l.seats[l.by.seat].butlers > 0 {
		l.offerButlers()
	}
}

func (l *offerList) offerButlers() {
	rest, open := l.listedButlers(l.by), false
	play := func(rule string, card engine.Param) engine.Offer {
		return engine.Offer{Act: "play", Rule: rule, Params: []engine.Param{card}, Grave: l.canRepeatHypothesis(l.by.seat)}
	}
	for _, m := range butlers {
		if !l.canUseSpecial(m, l.by.seat) || m.isIdle != nil && m.isIdle(l.public) {
			continue
		}
		open = true
		if may := l.playableButlers(l.by, m.kind); may != 0 {
			rest &^= may
			l.offerSpecialForms(m, play(l.book.Events[m.kind], rules.CardParam(l.book.cardIDs, may, 0)))
		}
	}
	if open && rest != 0 && !l.by.isHost {
		l.addOffers(play(l.book.Rules.Card, rules.CardParam(l.book.cardIDs, 0, rest)))
	}
}

// offerSpecialForms adds the ways to use m. template is the offer without a choice; the host's offers name
// the seat.
func (l *offerList) offerSpecialForms(m *special, template engine.Offer) {
	n := len(l.out)
	if m.params == nil {
		l.addOffers(template)
	} else {
		var theirs engine.Param
		if m.looksAtHand {
			theirs = rules.CardParam(l.book.cardIDs, l.possibleCards(l.showing.to), l.book.mysteryCards()&^l.openCards)
		}
		l.addOffers(m.params(l.public, l.by, template, theirs)...)
	}
	for ; l.by.isHost && n < len(l.out); n++ {
		if l.out[n].Fixed == nil {
			l.out[n].Fixed = engine.Args{}
		}
		l.out[n].Fixed["for"] = l.by.seat.String()
	}
}

// withParams returns an offer with more to choose.
func withParams(o engine.Offer, more ...engine.Param) engine.Offer {
	o.Params = slices.Concat(o.Params, more)
	return o
}

// rightNeighbour returns the seat that shows a card to the active one (C8-153): the next on the
// right with a hidden hand; zero: none.
func (s *seatedTurn) rightNeighbour() engine.Seat {
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
	if s.book.board == nil || s.diceUnknown {
		if s.book.MarkedSquares {
			return []string{toCorridor, toQuestion}
		}
		return []string{toCorridor}
	}
	return s.book.freeSquaresMemo.getOrCompute(s.currentPawns(),
		func() []string { return s.book.board.FreeSquares(s.occupiedSquares()).Squares() })
}

// pawnsToSendHome returns the pawns that may be sent home: those on the board, except the active one
// (C8-155).
func (s *boardState) pawnsToSendHome() (may set) {
	for c := s.book.firstCard[kindSuspect]; c <= s.book.lastCard[kindSuspect]; c++ {
		if uint8(c) != s.seats[s.active].suspect && s.pawns[c].kind != onNothing {
			may = may.WithCard(c)
		}
	}
	return may
}

func (s *seatedTurn) hypothesisRoom() area { return s.book.roomOf(s.hyp.namedCards[2]) }

// canNameOtherRoom reports whether the active seat may name another room than its own (C8-173):
// from a corridor too, but not from an area without a card such as the pool.
func (s *boardState) canNameOtherRoom() bool {
	a := s.activeArea()
	return s.moved && !s.hasActed() && (s.book.isRoom(a) || a == 0 && s.policyValue(polElsewhereRoom) == "off")
}

// decideRandomLook draws one card of the hand of the seat that was just shown one (C8-174): by
// chance where there are no real cards, else the seat names the card that it drew, or does not. The
// record of that hand counts for nothing: a refusal by it would reveal it.
func (s *answerState) decideRandomLook(by actor, c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	e := &event{kind: evLooked, at: c.At, seat: by.seat, other: s.showing.to}
	_, declared := c.Args["card"]
	x, named, r := s.parseCardArg(c)
	switch hand := s.cards.RecordedOrClaimed(s.showing.to) & s.book.mysteryCards(); {
	case s.virtual && !declared:
		e.card = hideCard(hand.DrawRandom(dice))
	case r != nil:
		return nil, r
	case s.virtual, named && (by.isHost || !s.actorKnowledge(by).possibleCards(s.showing.to).Contains(x)):
		return nil, refuse(engine.Forbidden, s.book.Powers["random-look"], "cl.no.not-theirs")
	case named:
		e.card = hideCard(x)
	}
	return []*event{e}, nil
}
