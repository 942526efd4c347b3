package cluedo

import (
	"slices"

	"majordome/engine"
	"majordome/engine/internal/rules"
)

// Offers returns the legal acts of v: those of View(v).Offers that Decide accepts.
func (s *state) Offers(v engine.Viewer) []engine.Offer {
	return engine.AllowedFrom(s.knowledge(v).offers(v), 0)
}

// AppendMoves adds to out the Offers of v, except the asides.
func (s *state) AppendMoves(out []engine.Offer, v engine.Viewer) []engine.Offer {
	if x, seat := v.Seat(); seat && s.phase == turn && x != s.waits() && x != s.active && !s.could(x) &&
		!s.beside("answer", x) {
		return out // nothing that it knows could allow an act
	}
	return engine.AllowedFrom(s.knowledge(v).offersTo(out, v, false), len(out))
}

// offersFor returns the acts that public facts allow to v. The same functions with the same
// knowledge as in Decide choose the values, so Decide accepts all of them.
func (k *knowledge) offers(v engine.Viewer) []engine.Offer {
	return k.offersTo([]engine.Offer{}, v, true)
}

// appendOffers adds the offers to v to out, with the asides if asides is true.
func (k *knowledge) offersTo(out []engine.Offer, v engine.Viewer, asides bool) []engine.Offer {
	x, seat := v.Seat()
	if !seat && !v.IsHost() || k.count.Stands() && seat {
		return out
	}
	l := offerList{knowledge: *k, by: actor{seat: k.waits(), host: !seat}, out: out}
	if seat {
		l.by.seat = x
	}
	switch {
	case k.count.Alarmed:
		l.offerDealAgain(false)
		return l.out
	case k.count.Counting:
		return rules.CountOffers(out, k.holders(), true)
	}
	l.offerPhase()
	if asides {
		l.offerAsides()
	}
	return l.out
}

// offerList collects the offers to a seat or the host, by its knowledge.
type offerList struct {
	knowledge // a copy, so that the list can stay on the stack, though its offers cannot
	by        actor
	out       []engine.Offer
}

func (l *offerList) add(offers ...engine.Offer) { l.out = append(l.out, offers...) }

// offerAsides offers corrections of the records.
func (l *offerList) offerAsides() {
	switch {
	case l.by.host && l.phase == dealing:
		l.offerDealAgain(true)
	case l.by.host && l.phase == turn:
		l.offerErrors()
		l.offerOverrule()
	case !l.by.host && !l.seats[l.by.seat].dead && l.dealt() && l.phase != over:
		l.offerMend()
	}
}

// offerDealAgain offers to begin the deal again: with a new envelope, or by a count and a second
// reading. Both discard all that was read, so neither acts at one tap.
func (l *offerList) offerDealAgain(aside bool) {
	l.add(engine.Offer{Act: rules.ActRedeal, Rule: engine.RuleAlarm, Aside: aside, Grave: true},
		engine.Offer{Act: rules.ActCount, Rule: "GEN-E09", Aside: aside, Grave: true})
}

func offer(act, rule string, params ...engine.Param) engine.Offer {
	return engine.Offer{Act: act, Rule: rule, Params: params}
}

func (o fixed) offer(act, rule string, params ...engine.Param) engine.Offer {
	return engine.Offer{Act: act, Rule: rule, Fixed: engine.Args(o), Params: params}
}

// fixedArgs are the arguments of an offer that are not chosen.
type fixed map[string]string

// Arguments of frequent offers; callers must not change them.
var (
	timeCard    = fixed{"kind": EventTime}
	cardUnnamed = fixed{"card": engine.Unnamed}
)

func seatParam(name string, domain []string) engine.Param {
	return engine.Param{Name: name, Kind: "seat", Domain: domain}
}

// aloudCardParam returns the parameter for a card that is named aloud.
func (h *houseRules) nameParam(name string, may set) engine.Param {
	return engine.Param{Name: name, Kind: "card", Domain: h.book.list(may), Aloud: true}
}

func (s *seating) seatList(f func(engine.Seat) bool) []string {
	return rules.Seats(maxSeats, func(x engine.Seat) bool { return s.seated(x) && f(x) })
}

// offerPhase offers what a phase allows. It and offerStep are switches instead of rows of a table,
// so that a list can stay on the stack.
func (l *offerList) offerPhase() {
	switch l.phase {
	case lobby:
		l.offerLobby()
	case dealing:
		l.offerDealing()
	case starting:
		l.offerStarting()
	case turn:
		l.offerTurn()
	}
}

// offerStep offers what the awaited seat may do in a step.
func (l *offerList) offerStep() {
	switch l.step {
	case stepStart:
		l.offerStart()
	case stepDraw:
		l.offerDraw()
	case stepMove:
		l.offerMove()
	case stepLook:
		l.offerLook()
	case stepAct:
		l.offerAct()
	case stepDisplaced:
		l.offerDisplaced()
	case stepShowing:
		l.offerAnswer()
	case stepSpy:
		l.offerSpy()
	case stepVerdict:
		l.offerVerdict()
	case stepClue:
		l.offerClue()
	case stepEnd:
		l.add(offer("end", l.book.Rules.Next))
	}
}

// offerTurn offers what the awaited seat may do, and the interruptions of others.
func (l *offerList) offerTurn() {
	if l.by.seat == l.waits() {
		l.offerStep()
	}
	l.offerHolder()
	l.offerAccuse()
	l.offerInterruptions()
}

// offerRoll lets a seat declare the dice, or let the program roll them.
func (l *offerList) offerRoll(rule string) {
	l.add(engine.Offer{Act: "roll", Rule: rule, Params: l.book.rolls}, offer("roll", rule))
}

func (l *offerList) offerMove() {
	r, g := &l.book.Rules, l.goals()
	l.out = slices.Grow(l.out, 4)
	if g.rooms != 0 {
		l.add(offer("move", r.Reach, engine.Param{Name: "to", Kind: "place", Domain: l.book.rooms(g.rooms)}))
	}
	if squares := g.outside(); len(squares) > 0 {
		l.add(offer("move", r.Reach, engine.Param{Name: "to", Kind: "square", Domain: squares}))
	}
	if g.through != 0 {
		l.add(offer("passage", r.Passage, engine.Param{Name: "to", Kind: "place", Domain: l.book.rooms(g.through)}))
	}
	l.offerLook()
	l.offerWay()
	if l.drawing() {
		l.offerDraw()
	}
	if l.untold() {
		l.offerRoll(r.Dice)
	}
	if l.second() || g.none() && !l.mayStay() || l.rule(polMove) == "no" {
		l.add(offer("end", r.Stuck))
	}
}

func (l *offerList) offerDisplaced() {
	l.offerDraw()
	l.add(offer("pass", l.book.Rules.Displaced))
}

func (l *offerList) offerSpy() {
	if who := l.seatList(l.spied); len(who) > 0 {
		l.add(offer("spy", l.book.Rules.Spy, seatParam("seat", who)))
	}
	l.add(offer("walk-on", l.book.Rules.Spy))
}

func (l *offerList) offerVerdict() {
	l.add(engine.Offer{Act: "verdict", Rule: l.book.Rules.Look, Grave: true,
		Params: []engine.Param{{Name: "value", Kind: "value", Domain: []string{"right", "wrong", "void"}}}})
}

func (l *offerList) offerStart() {
	r := &l.book.Rules
	if l.owes() {
		l.offerDraw()
	}
	if !l.mayRoll() {
		l.add(offer("end", r.Wrong))
	} else {
		l.offerRoll(r.Dice)
		if l.rule(polMove) == "no" && !l.rollsFirst() {
			l.add(offer("end", r.Leave))
		}
	}
	l.offerLook()
	l.offerWay()
}

// offerWay offers the ways of moving without dice.
func (l *offerList) offerWay() {
	r := &l.book.Rules
	if !l.fresh() {
		return
	}
	switch all := l.passages(); {
	case all == 0 || !l.mayRoll():
	case l.clues.link != 0:
		l.add(offer("passage", r.Passage, engine.Param{Name: "to", Kind: "place", Domain: l.book.rooms(all)}))
	default:
		l.add(offer("passage", r.Passage))
	}
	if l.mayStay() {
		l.add(offer("stay", r.Stay))
	}
}

// offerDraw offers a card for the dice, for a displacement, or for one before this turn.
func (l *offerList) offerDraw() {
	rule := l.book.Rules.Draw
	switch {
	case l.step == stepDisplaced:
		rule = l.book.Rules.Displaced
	case l.owes():
		rule = l.book.Rules.DisplacedNow
	}
	if l.virtual {
		l.add(offer("draw", rule))
		return
	}
	if l.book.clued() {
		all := l.book.all(kindEvent)
		may := all.Less(l.lastClue())
		if l.by.host {
			all = may
		}
		card := rules.CardParam(l.book.list, may, all)
		card.Aloud = true // it is read to all players (CC-030)
		l.add(offer("draw", rule, card), cardUnnamed.offer("draw", rule))
		return
	}
	if l.book.timeCards()&^l.open != 0 { // one is in the pile
		l.add(timeCard.offer("draw", l.book.Rules.Track))
	}
	if l.butlersLeft() < 1 {
		return
	}
	if !l.by.host {
		l.add(offer("draw", rule, rules.CardParam(l.book.list, l.drawable(l.by.seat), l.unplayed())))
	}
	l.add(cardUnnamed.offer("draw", rule))
}

// suspectAndWeaponParams returns the parameters for any suspect and any weapon (C8-073).
func (h *houseRules) nameParams() []engine.Param {
	return []engine.Param{h.nameParam("suspect", h.book.all(kindSuspect)),
		h.nameParam("weapon", h.book.all(kindWeapon))}
}

func (l *offerList) offerAct() {
	r := &l.book.Rules
	if l.hypothetical() {
		l.add(offer("hypothesis", r.Hypothesis, l.nameParams()...))
	}
	if l.inPool() && l.lyingHere() && !l.seats[l.active].wrong {
		l.add(offer("peek", r.Peek))
	}
	if !l.mustAsk() {
		l.add(offer("end", r.Next))
	}
}

// offerAccuse offers the accusation, where and when the edition allows it.
func (l *offerList) offerAccuse() {
	if l.by.seat != l.active || !l.accuses() {
		return
	}
	o := offer("accuse", l.book.Rules.Accuse,
		append(l.nameParams(), l.nameParam("room", l.book.all(kindRoom)))...)
	switch {
	case l.by.host && l.accusesUnheard(): // written on paper, and compared by its writer
		o = cardUnnamed.offer("accuse", l.book.Rules.Look)
	case l.accusesUnheard():
		for i := range o.Params {
			o.Params[i].Aloud = false
		}
	}
	o.Grave = true
	l.add(o)
}

func (l *offerList) offerAnswer() {
	if l.answered {
		return
	}
	may, all := l.answers(l.by.seat, l.wanted), l.listHand(l.by)
	none := showings[l.showing.why].none
	if l.wanted != l.book.mystery() { // only the seat knows whether one of them fits
		all = l.wanted
	}
	if l.by.host { // the host may name what all see, whatever is recorded
		may = l.wanted & l.possible(l.by.seat)
		all = may
	}
	if !l.by.host || l.showing.open && !l.virtual {
		l.add(offer("answer", l.must(), rules.CardParam(l.book.list, may, all)))
	}
	if l.by.host && l.virtual {
		return // there are no real cards for a host to see: the seat answers on its phone
	}
	if l.by.host || !l.named(l.by.seat) {
		l.add(cardUnnamed.offer("answer", l.must()))
	}
	if none {
		o := offer("none", l.book.Rules.None)
		switch has := l.hand(l.by.seat)&l.wanted != 0; {
		case has && l.by.host: // the card is face up
			return
		case has:
			o.No = &engine.Refusal{}
		}
		l.add(o)
	}
}

// offerInterruptions offers Butler cards, Powers and passing: to a seat its own, to the host those
// of all seats.
func (l *offerList) offerInterruptions() {
	if !l.by.host {
		if l.concerned(l.by.seat) {
			l.add(offer("pass", l.book.Rules.Window))
		}
		l.offerUse()
		return
	}
	if who := l.seatList(l.concerned); len(who) > 0 {
		l.add(offer("pass", l.book.Rules.Window, seatParam("for", who)))
	}
	awaited := l.by.seat
	l.inOrder(1, func(x engine.Seat) {
		l.by.seat = x
		l.offerUse()
	})
	l.by.seat = awaited
}

// offerCardErrors offers the host's reports of cards that went astray (GEN-E09).
func (l *offerList) offerErrors() {
	if l.doubtful() {
		l.add(engine.Offer{Act: "doubt", Rule: l.book.Rules.Judge, Aside: true})
	}
	if l.countable() {
		l.add(engine.Offer{Act: "count", Rule: "GEN-E09", Aside: true})
	}
	if who := l.seatList(func(x engine.Seat) bool { return l.seats[x].butlers > 0 }); len(who) > 0 && !l.virtual {
		l.add(engine.Offer{Act: "lost", Rule: "GEN-E09", Aside: true, Params: []engine.Param{seatParam("seat", who)}})
	}
	seen := func(rule string, may set, of, id string) {
		if may != 0 {
			l.add(engine.Offer{Act: "seen", Rule: rule, Aside: true, Fixed: engine.Args{of: id},
				Params: []engine.Param{rules.CardParam(l.book.list, may, 0)}})
		}
	}
	for a := area(1); int(a) < len(l.book.areaID); a++ {
		seen("GEN-E09", l.seeable(0, a), "place", l.book.areaID[a])
	}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		seen(l.book.Rules.Open, l.seeable(x, 0), "seat", x.String())
	}
}

// offerClaims offers to name cards of the seat's own hand, or to take such a claim back.
func (l *offerList) offerMend() {
	x := l.by.seat
	mend := func(act string, may, all set) {
		if may|all != 0 {
			l.add(engine.Offer{Act: act, Rule: "GEN-021", Aside: true,
				Params: []engine.Param{rules.CardParam(l.book.list, may, all)}})
		}
	}
	may, all := l.holdable(x), set(0) // by public facts
	if !l.named(x) {
		all = l.book.mystery() &^ l.open
	}
	if l.unnamed(x) > 0 {
		all |= l.unplayed()
	}
	mend("hold", may, all)
	if !l.virtual {
		mend("forget", l.hand(x), 0)
	}
}

// listedHand returns the cards that a choice from the hand of a seat lists, whatever may be chosen:
// all its cards if they are known, else every card that public facts allow.
func (k *knowledge) listHand(by actor) set {
	if k.named(by.seat) {
		return k.hand(by.seat) & k.book.mystery()
	}
	return k.book.mystery() &^ (k.open &^ k.hand(by.seat))
}

// listedButlers is the same for its Butler cards.
func (k *knowledge) listButlers(by actor) set {
	if k.unnamed(by.seat) <= 0 {
		return k.hand(by.seat) & k.book.all(kindEvent)
	}
	return k.unplayed()
}

// unplayedButlers returns the Butler cards that all players know to be in the game.
func (k *knowledge) unplayed() set { return k.butlerCards() &^ k.open }

// butlerCards returns all event cards except the Time cards.
func (h *houseRules) butlerCards() set {
	all := h.book.all(kindEvent)
	return all &^ h.book.ofKind(all, EventTime)
}
