package cluedo

import (
	"slices"

	"majordome/engine"
	"majordome/engine/internal/rules"
)

// Offers returns the legal acts of v: those of View(v).Offers that Decide accepts.
func (s *state) Offers(v engine.Viewer) []engine.Offer {
	return engine.RemoveForbiddenFrom(s.knowledgeFor(v).offersFor(v), 0)
}

// AppendMoves adds to out the Offers of v, except the asides.
func (s *state) AppendMoves(out []engine.Offer, v engine.Viewer) []engine.Offer {
	if x, seat := v.Seat(); seat && s.phase == turn && x != s.awaitedSeat() && x != s.active && !s.canUseAnySpecial(x) &&
		!s.canShowBeforeAsked("answer", x) {
		return out // nothing that it knows could allow an act
	}
	return engine.RemoveForbiddenFrom(s.knowledgeFor(v).appendOffers(out, v, false), len(out))
}

// offersFor returns the acts that public facts allow to v. The same functions with the same
// knowledge as in Decide choose the values, so Decide accepts all of them.
func (k *knowledge) offersFor(v engine.Viewer) []engine.Offer {
	return k.appendOffers([]engine.Offer{}, v, true)
}

// appendOffers adds the offers to v to out, with the asides if withAsides is true.
func (k *knowledge) appendOffers(out []engine.Offer, v engine.Viewer, withAsides bool) []engine.Offer {
	x, seat := v.Seat()
	if !seat && !v.IsHost() || k.count.IsPlayStopped() && seat {
		return out
	}
	l := offerList{knowledge: *k, by: actor{seat: k.awaitedSeat(), isHost: !seat}, out: out}
	if seat {
		l.by.seat = x
	}
	switch {
	case k.count.Alarmed:
		l.offerDealAgain(false)
		return l.out
	case k.count.Counting:
		return rules.AddCountOffers(out, k.listHolders(), true)
	}
	l.offerPhase()
	if withAsides {
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

func (l *offerList) addOffers(offers ...engine.Offer) { l.out = append(l.out, offers...) }

// offerAsides offers corrections of the records.
func (l *offerList) offerAsides() {
	switch {
	case l.by.isHost && l.phase == dealing:
		l.offerDealAgain(true)
	case l.by.isHost && l.phase == turn:
		l.offerCardErrors()
		l.offerOverrule()
	case !l.by.isHost && !l.seats[l.by.seat].dead && l.isDealComplete() && l.phase != over:
		l.offerClaims()
	}
}

// offerDealAgain offers to begin the deal again: with a new envelope, or by a count and a second
// reading. Both discard all that was read, so neither acts at one tap.
func (l *offerList) offerDealAgain(isAside bool) {
	l.addOffers(engine.Offer{Act: rules.ActRedeal, Rule: engine.RuleAlarm, Aside: isAside, Grave: true},
		engine.Offer{Act: rules.ActCount, Rule: "GEN-E09", Aside: isAside, Grave: true})
}

func newOffer(act, rule string, params ...engine.Param) engine.Offer {
	return engine.Offer{Act: act, Rule: rule, Params: params}
}

func (o fixedArgs) newOffer(act, rule string, params ...engine.Param) engine.Offer {
	return engine.Offer{Act: act, Rule: rule, Fixed: engine.Args(o), Params: params}
}

// fixedArgs are the arguments of an offer that are not chosen.
type fixedArgs map[string]string

// Arguments of frequent offers; callers must not change them.
var (
	timeCardArgs    = fixedArgs{"kind": EventTime}
	unnamedCardArgs = fixedArgs{"card": engine.Unnamed}
)

func seatParam(name string, domain []string) engine.Param {
	return engine.Param{Name: name, Kind: "seat", Domain: domain}
}

// aloudCardParam returns the parameter for a card that is named aloud.
func (h *houseRules) aloudCardParam(name string, may set) engine.Param {
	return engine.Param{Name: name, Kind: "card", Domain: h.book.cardIDs(may), Aloud: true}
}

func (s *seating) seatIDsWhere(f func(engine.Seat) bool) []string {
	return rules.ListSeats(maxSeats, func(x engine.Seat) bool { return s.isSeated(x) && f(x) })
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
		l.addOffers(newOffer("end", l.book.Rules.Next))
	}
}

// offerTurn offers what the awaited seat may do, and the interruptions of others.
func (l *offerList) offerTurn() {
	if l.by.seat == l.awaitedSeat() {
		l.offerStep()
	}
	l.offerHolderActs()
	l.offerAccuse()
	l.offerInterruptions()
}

// offerRoll lets a seat declare the dice, or let the program roll them.
func (l *offerList) offerRoll(rule string) {
	l.addOffers(engine.Offer{Act: "roll", Rule: rule, Params: l.book.rolls}, newOffer("roll", rule))
}

func (l *offerList) offerMove() {
	r, g := &l.book.Rules, l.moveGoals()
	l.out = slices.Grow(l.out, 4)
	if g.rooms != 0 {
		l.addOffers(newOffer("move", r.Reach, engine.Param{Name: "to", Kind: "place", Domain: l.book.areaIDs(g.rooms)}))
	}
	if squares := g.goalSquareArgs(); len(squares) > 0 {
		l.addOffers(newOffer("move", r.Reach, engine.Param{Name: "to", Kind: "square", Domain: squares}))
	}
	if g.viaPassage != 0 {
		l.addOffers(newOffer("passage", r.Passage, engine.Param{Name: "to", Kind: "place", Domain: l.book.areaIDs(g.viaPassage)}))
	}
	l.offerLook()
	l.offerMovesWithoutDice()
	if l.canDrawEventCard() {
		l.offerDraw()
	}
	if l.canDeclareRoll() {
		l.offerRoll(r.Dice)
	}
	if l.isSecondMove() || g.isEmpty() && !l.canStay() || l.policyValue(polMustMove) == "no" {
		l.addOffers(newOffer("end", r.Stuck))
	}
}

func (l *offerList) offerDisplaced() {
	l.offerDraw()
	l.addOffers(newOffer("pass", l.book.Rules.Displaced))
}

func (l *offerList) offerSpy() {
	if who := l.seatIDsWhere(l.canBeSpied); len(who) > 0 {
		l.addOffers(newOffer("spy", l.book.Rules.Spy, seatParam("seat", who)))
	}
	l.addOffers(newOffer("walk-on", l.book.Rules.Spy))
}

func (l *offerList) offerVerdict() {
	l.addOffers(engine.Offer{Act: "verdict", Rule: l.book.Rules.Look, Grave: true,
		Params: []engine.Param{{Name: "value", Kind: "value", Domain: []string{"right", "wrong", "void"}}}})
}

func (l *offerList) offerStart() {
	r := &l.book.Rules
	if l.canDrawOwedCard() {
		l.offerDraw()
	}
	if !l.canMove() {
		l.addOffers(newOffer("end", r.Wrong))
	} else {
		l.offerRoll(r.Dice)
		if l.policyValue(polMustMove) == "no" && !l.mustRollBeforeChoosing() {
			l.addOffers(newOffer("end", r.Leave))
		}
	}
	l.offerLook()
	l.offerMovesWithoutDice()
}

// offerMovesWithoutDice offers the ways of moving without dice.
func (l *offerList) offerMovesWithoutDice() {
	r := &l.book.Rules
	if !l.canChooseWay() {
		return
	}
	switch all := l.passageAreas(); {
	case all == 0 || !l.canMove():
	case l.clues.linkedRoom != 0:
		l.addOffers(newOffer("passage", r.Passage, engine.Param{Name: "to", Kind: "place", Domain: l.book.areaIDs(all)}))
	default:
		l.addOffers(newOffer("passage", r.Passage))
	}
	if l.canStay() {
		l.addOffers(newOffer("stay", r.Stay))
	}
}

// offerDraw offers a card for the dice, for a displacement, or for one before this turn.
func (l *offerList) offerDraw() {
	rule := l.book.Rules.Draw
	switch {
	case l.step == stepDisplaced:
		rule = l.book.Rules.Displaced
	case l.canDrawOwedCard():
		rule = l.book.Rules.DisplacedNow
	}
	if l.virtual {
		l.addOffers(newOffer("draw", rule))
		return
	}
	if l.book.hasClueCards() {
		all := l.book.cardsOfKind(kindEvent)
		may := all.WithoutCard(l.lastClue())
		if l.by.isHost {
			all = may
		}
		card := rules.CardParam(l.book.cardIDs, may, all)
		card.Aloud = true // it is read to all players (CC-030)
		l.addOffers(newOffer("draw", rule, card), unnamedCardArgs.newOffer("draw", rule))
		return
	}
	if l.book.timeCards()&^l.openCards != 0 { // one is in the pile
		l.addOffers(timeCardArgs.newOffer("draw", l.book.Rules.Track))
	}
	if l.countButlersInPile() < 1 {
		return
	}
	if !l.by.isHost {
		l.addOffers(newOffer("draw", rule, rules.CardParam(l.book.cardIDs, l.drawableButlers(l.by.seat), l.unplayedButlers())))
	}
	l.addOffers(unnamedCardArgs.newOffer("draw", rule))
}

// suspectAndWeaponParams returns the parameters for any suspect and any weapon (C8-073).
func (h *houseRules) suspectAndWeaponParams() []engine.Param {
	return []engine.Param{h.aloudCardParam("suspect", h.book.cardsOfKind(kindSuspect)),
		h.aloudCardParam("weapon", h.book.cardsOfKind(kindWeapon))}
}

func (l *offerList) offerAct() {
	r := &l.book.Rules
	if l.canMakeHypothesis() {
		l.addOffers(newOffer("hypothesis", r.Hypothesis, l.suspectAndWeaponParams()...))
	}
	if l.isInPool() && l.hasFaceDownCardHere() && !l.seats[l.active].accusedWrongly {
		l.addOffers(newOffer("peek", r.Peek))
	}
	if !l.needsHypothesis() {
		l.addOffers(newOffer("end", r.Next))
	}
}

// offerAccuse offers the accusation, where and when the edition allows it.
func (l *offerList) offerAccuse() {
	if l.by.seat != l.active || !l.canAccuse() {
		return
	}
	o := newOffer("accuse", l.book.Rules.Accuse,
		append(l.suspectAndWeaponParams(), l.aloudCardParam("room", l.book.cardsOfKind(kindRoom)))...)
	switch {
	case l.by.isHost && l.hasSecretAccusations(): // written on paper, and compared by its writer
		o = unnamedCardArgs.newOffer("accuse", l.book.Rules.Look)
	case l.hasSecretAccusations():
		for i := range o.Params {
			o.Params[i].Aloud = false
		}
	}
	o.Grave = true
	l.addOffers(o)
}

func (l *offerList) offerAnswer() {
	if l.hasAnswered {
		return
	}
	may, all := l.showableCards(l.by.seat, l.wanted), l.listedHand(l.by)
	none := showingRows[l.showing.reason].none
	if l.wanted != l.book.mysteryCards() { // only the seat knows whether one of them fits
		all = l.wanted
	}
	if l.by.isHost { // the host may name what all see, whatever is recorded
		may = l.wanted & l.possibleCards(l.by.seat)
		all = may
	}
	if !l.by.isHost || l.showing.openToAll && !l.virtual {
		l.addOffers(newOffer("answer", l.ruleToShowWanted(), rules.CardParam(l.book.cardIDs, may, all)))
	}
	if l.by.isHost && l.virtual {
		return // there are no real cards for a host to see: the seat answers on its phone
	}
	if l.by.isHost || !l.isHandNamed(l.by.seat) {
		l.addOffers(unnamedCardArgs.newOffer("answer", l.ruleToShowWanted()))
	}
	if none {
		o := newOffer("none", l.book.Rules.None)
		switch has := l.knownHand(l.by.seat)&l.wanted != 0; {
		case has && l.by.isHost: // the card is face up
			return
		case has:
			o.No = &engine.Refusal{}
		}
		l.addOffers(o)
	}
}

// offerInterruptions offers Butler cards, Powers and passing: to a seat its own, to the host those
// of all seats.
func (l *offerList) offerInterruptions() {
	if !l.by.isHost {
		if l.canActInWindow(l.by.seat) {
			l.addOffers(newOffer("pass", l.book.Rules.Window))
		}
		l.offerPowerAndButlers()
		return
	}
	if who := l.seatIDsWhere(l.canActInWindow); len(who) > 0 {
		l.addOffers(newOffer("pass", l.book.Rules.Window, seatParam("for", who)))
	}
	awaited := l.by.seat
	l.eachSeatFrom(1, func(x engine.Seat) {
		l.by.seat = x
		l.offerPowerAndButlers()
	})
	l.by.seat = awaited
}

// offerCardErrors offers the host's reports of cards that went astray (GEN-E09).
func (l *offerList) offerCardErrors() {
	if l.canDoubt() {
		l.addOffers(engine.Offer{Act: "doubt", Rule: l.book.Rules.Judge, Aside: true})
	}
	if l.canCount() {
		l.addOffers(engine.Offer{Act: "count", Rule: "GEN-E09", Aside: true})
	}
	if who := l.seatIDsWhere(func(x engine.Seat) bool { return l.seats[x].butlers > 0 }); len(who) > 0 && !l.virtual {
		l.addOffers(engine.Offer{Act: "lost", Rule: "GEN-E09", Aside: true, Params: []engine.Param{seatParam("seat", who)}})
	}
	seen := func(rule string, may set, of, id string) {
		if may != 0 {
			l.addOffers(engine.Offer{Act: "seen", Rule: rule, Aside: true, Fixed: engine.Args{of: id},
				Params: []engine.Param{rules.CardParam(l.book.cardIDs, may, 0)}})
		}
	}
	for a := area(1); int(a) < len(l.book.areaID); a++ {
		seen("GEN-E09", l.exposableCards(0, a), "place", l.book.areaID[a])
	}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		seen(l.book.Rules.Open, l.exposableCards(x, 0), "seat", x.String())
	}
}

// offerClaims offers to name cards of the seat's own hand, or to take such a claim back.
func (l *offerList) offerClaims() {
	x := l.by.seat
	mend := func(act string, may, all set) {
		if may|all != 0 {
			l.addOffers(engine.Offer{Act: act, Rule: "GEN-021", Aside: true,
				Params: []engine.Param{rules.CardParam(l.book.cardIDs, may, all)}})
		}
	}
	may, all := l.claimableCards(x), set(0) // by public facts
	if !l.isHandNamed(x) {
		all = l.book.mysteryCards() &^ l.openCards
	}
	if l.countUnnamedButlers(x) > 0 {
		all |= l.unplayedButlers()
	}
	mend("hold", may, all)
	if !l.virtual {
		mend("forget", l.knownHand(x), 0)
	}
}

// listedHand returns the cards that a choice from the hand of a seat lists, whatever may be chosen:
// all its cards if they are known, else every card that public facts allow.
func (k *knowledge) listedHand(by actor) set {
	if k.isHandNamed(by.seat) {
		return k.knownHand(by.seat) & k.book.mysteryCards()
	}
	return k.book.mysteryCards() &^ (k.openCards &^ k.knownHand(by.seat))
}

// listedButlers is the same for its Butler cards.
func (k *knowledge) listedButlers(by actor) set {
	if k.countUnnamedButlers(by.seat) <= 0 {
		return k.knownHand(by.seat) & k.book.cardsOfKind(kindEvent)
	}
	return k.unplayedButlers()
}

// unplayedButlers returns the Butler cards that all players know to be in the game.
func (k *knowledge) unplayedButlers() set { return k.butlerCards() &^ k.openCards }

// butlerCards returns all event cards except the Time cards.
func (h *houseRules) butlerCards() set {
	all := h.book.cardsOfKind(kindEvent)
	return all &^ h.book.eventCardsOfKind(all, EventTime)
}
