package cluedo

import (
	"slices"

	"majordome/engine"
	"majordome/engine/internal/rules"
)

// Offers are the legal acts of v: those of View(v).Offers that Decide accepts.
func (s *state) Offers(v engine.Viewer) []engine.Offer {
	return engine.AllowedFrom(s.offers(v), 0)
}

// AppendMoves adds the Offers of v that are not aside to out.
func (s *state) AppendMoves(out []engine.Offer, v engine.Viewer) []engine.Offer {
	if x, seat := v.Seat(); seat && s.phase == turn && x != s.waits() && x != s.active && !s.could(x) && !s.beside("answer", x) {
		return out // what it knows changes nothing
	}
	return engine.AllowedFrom(s.addOffers(out, v, false), len(out))
}

// offers are the acts that public facts allow to v. What v may do of them is decided by
// the same functions as in Decide, with the same knowledge, so that Decide accepts every domain.
func (s *state) offers(v engine.Viewer) []engine.Offer {
	return s.addOffers([]engine.Offer{}, v, true)
}

// addOffers adds offers to out. asides: those aside are among them.
func (s *state) addOffers(out []engine.Offer, v engine.Viewer, asides bool) []engine.Offer {
	x, seat := v.Seat()
	by := actor{seat: s.waits(), host: !seat}
	if seat {
		by.seat = x
	}
	switch {
	case !seat && !v.IsHost(), (s.counting || s.alarmed) && seat:
		return out
	case s.alarmed:
		return dealAgainOffers(out, false)
	case s.counting:
		return rules.CountOffers(out, s.holders(), true)
	case phases[s.phase].offers != nil:
		out = phases[s.phase].offers(s, out, by)
	}
	if asides {
		out = s.asides(out, by)
	}
	return out
}

// asides are what puts the record right.
func (s *state) asides(out []engine.Offer, by actor) []engine.Offer {
	switch {
	case by.host && s.phase == dealing:
		return dealAgainOffers(out, true)
	case by.host && s.phase == turn:
		return s.overruleOffers(s.errorOffers(out, s.knows(by)))
	case !by.host && !s.seats[by.seat].dead && s.dealt() && s.phase != over:
		return s.mendOffers(out, s.knows(by), by.seat)
	}
	return out
}

// dealAgainOffers begin the deal again: with a new envelope, or by a count and a second reading. All that
// was read is given up, so neither acts at one tap.
func dealAgainOffers(out []engine.Offer, aside bool) []engine.Offer {
	return append(out, engine.Offer{Act: rules.ActRedeal, Rule: engine.RuleAlarm, Aside: aside, Grave: true},
		engine.Offer{Act: rules.ActCount, Rule: "GEN-E09", Aside: aside, Grave: true})
}

func offer(act, rule string, params ...engine.Param) engine.Offer {
	return engine.Offer{Act: act, Rule: rule, Params: params}
}

func (o fixed) offer(act, rule string, params ...engine.Param) engine.Offer {
	return engine.Offer{Act: act, Rule: rule, Fixed: engine.Args(o), Params: params}
}

// fixed are the arguments of an offer that are not to be chosen.
type fixed map[string]string

// Those of offers that are made often; nobody may change them.
var (
	timeCard    = fixed{"kind": EventTime}
	cardUnnamed = fixed{"card": engine.Unnamed}
)

func seatParam(name string, domain []string) engine.Param {
	return engine.Param{Name: name, Kind: "seat", Domain: domain}
}

// nameParam is a card to be named aloud.
func (h *houseRules) nameParam(name string, may set) engine.Param {
	return engine.Param{Name: name, Kind: "card", Domain: h.book.list(may), Aloud: true}
}

func (s *seating) seatList(f func(engine.Seat) bool) []string {
	return rules.Seats(maxSeats, func(x engine.Seat) bool { return s.seated(x) && f(x) })
}

func (s *public) lobbyOffers(out []engine.Offer, by actor) []engine.Offer {
	if !by.host {
		return out
	}
	free, characters := []string{}, []string{}
	for x := engine.Seat(1); int(x) <= s.book.Players.Most; x++ {
		if !s.seated(x) {
			free = append(free, x.String())
		}
	}
	for c := s.book.from[kindSuspect]; c <= s.book.to[kindSuspect]; c++ {
		if s.playing(uint8(c)) == 0 {
			characters = append(characters, s.book.cardID[c])
		}
	}
	if len(characters) > 0 {
		out = append(out, offer("sit", s.book.Rules.Character, seatParam("seat", free),
			engine.Param{Name: "name", Kind: "text", Max: rules.MaxName}, engine.Param{Name: "character", Kind: "character", Domain: characters}))
	}
	if taken := s.seatList(func(engine.Seat) bool { return true }); len(taken) > 0 {
		out = append(out, offer("rise", s.book.Rules.Players, seatParam("seat", taken)))
	}
	for _, o := range s.book.switches.Offers(s.presetOffers(nil), s.rules[:]) {
		if s.matters(o.Fixed["name"]) {
			out = append(out, o)
		}
	}
	if n := s.players(); n >= s.least() && n <= s.most() {
		out = append(out, offer("begin", s.book.Rules.Players))
	}
	return out
}

func (s *state) dealingOffers(out []engine.Offer, by actor) []engine.Offer {
	switch {
	case by.host && s.asked == 0:
		switch hidden := s.book.Rules.Hidden; {
		case s.laying() != 0:
			out = append(out, offer("hidden", hidden))
		case s.lying[0] == 0:
			out = append(out, offer("sealed", s.book.Rules.Envelope))
		default:
			out = append(out, offer("hide", hidden, engine.Param{Name: "place", Kind: "place", Domain: s.book.rooms(s.hideable())}), offer("hide", hidden))
		}
		if s.truth().envelope == 0 {
			out = append(out, offer("deal", s.book.Rules.Deal))
		}
	case s.asked != 0 && s.seated(by.seat) && !s.seats[by.seat].dealt:
		out = append(out, offer("dealt", s.book.Rules.Deal))
	}
	return out
}

func (s *public) startingOffers(out []engine.Offer, by actor) []engine.Offer {
	if by.seat == s.asked {
		out = s.rollOffers(out, s.book.Rules.Begins)
	}
	if by.host {
		act := "first"
		if s.book.dealsFirst() {
			act = "dealer"
		}
		out = append(out, offer(act, s.book.Rules.Begins, seatParam("seat", s.seatList(func(engine.Seat) bool { return true }))))
	}
	return out
}

// turnOffers are what the awaited seat may do, and what others may interrupt with.
func (s *state) turnOffers(out []engine.Offer, by actor) []engine.Offer {
	if offers := steps[s.step].offers; offers != nil && by.seat == s.waits() {
		out = offers(s, out, by)
	}
	return s.interruptions(s.accuseOffer(s.holderOffers(out, by), by), by)
}

// rollOffers are to declare the dice, or to let the machine roll them.
func (h *houseRules) rollOffers(out []engine.Offer, rule string) []engine.Offer {
	return append(out, engine.Offer{Act: "roll", Rule: rule, Params: h.book.rolls}, offer("roll", rule))
}

func (s *state) moveOffers(out []engine.Offer, by actor) []engine.Offer {
	r, g := &s.book.Rules, s.goals()
	out = slices.Grow(out, 4)
	if g.rooms != 0 {
		out = append(out, offer("move", r.Reach, engine.Param{Name: "to", Kind: "place", Domain: s.book.rooms(g.rooms)}))
	}
	if squares := g.outside(); len(squares) > 0 {
		out = append(out, offer("move", r.Reach, engine.Param{Name: "to", Kind: "square", Domain: squares}))
	}
	if g.through != 0 {
		out = append(out, offer("passage", r.Passage, engine.Param{Name: "to", Kind: "place", Domain: s.book.rooms(g.through)}))
	}
	out = s.wayOffers(s.lookOffers(out, by))
	if s.drawing() {
		out = s.drawOffers(out, by)
	}
	if s.untold() {
		out = s.rollOffers(out, r.Dice)
	}
	if s.second() || g.none() && !s.mayStay() || s.rule(polMove) == "no" {
		out = append(out, offer("end", r.Stuck))
	}
	return out
}

func (s *state) displacedOffers(out []engine.Offer, by actor) []engine.Offer {
	return append(s.drawOffers(out, by), offer("pass", s.book.Rules.Displaced))
}

func (s *public) spyOffers(out []engine.Offer, _ actor) []engine.Offer {
	if who := s.seatList(s.spied); len(who) > 0 {
		out = append(out, offer("spy", s.book.Rules.Spy, seatParam("seat", who)))
	}
	return append(out, offer("walk-on", s.book.Rules.Spy))
}

func (h *houseRules) verdictOffers(out []engine.Offer, _ actor) []engine.Offer {
	return append(out, engine.Offer{Act: "verdict", Rule: h.book.Rules.Look, Grave: true,
		Params: []engine.Param{{Name: "value", Kind: "value", Domain: []string{"right", "wrong", "void"}}}})
}

func (h *houseRules) endOffers(out []engine.Offer, _ actor) []engine.Offer {
	return append(out, offer("end", h.book.Rules.Next))
}

func (s *state) startOffers(out []engine.Offer, by actor) []engine.Offer {
	r := &s.book.Rules
	if s.owes() {
		out = s.drawOffers(out, by)
	}
	if !s.mayRoll() {
		out = append(out, offer("end", r.Wrong))
	} else {
		out = s.rollOffers(out, r.Dice)
		if s.rule(polMove) == "no" && !s.rollsFirst() {
			out = append(out, offer("end", r.Leave))
		}
	}
	return s.wayOffers(s.lookOffers(out, by))
}

// wayOffers are the ways of moving without dice.
func (s *public) wayOffers(out []engine.Offer) []engine.Offer {
	r := &s.book.Rules
	if !s.fresh() {
		return out
	}
	switch all := s.passages(); {
	case all == 0 || !s.mayRoll():
	case s.clues.link != 0:
		out = append(out, offer("passage", r.Passage, engine.Param{Name: "to", Kind: "place", Domain: s.book.rooms(all)}))
	default:
		out = append(out, offer("passage", r.Passage))
	}
	if s.mayStay() {
		out = append(out, offer("stay", r.Stay))
	}
	return out
}

// drawOffers are for a card of the dice, of a displacement, or of one before this turn.
func (s *state) drawOffers(out []engine.Offer, by actor) []engine.Offer {
	rule := s.book.Rules.Draw
	switch {
	case s.step == stepDisplaced:
		rule = s.book.Rules.Displaced
	case s.owes():
		rule = s.book.Rules.DisplacedNow
	}
	if s.virtual {
		return append(out, offer("draw", rule))
	}
	if s.book.clued() {
		all := s.book.all(kindEvent)
		may := all.Less(s.lastClue())
		if by.host {
			all = may
		}
		card := rules.CardParam(s.book.list, may, all)
		card.Aloud = true // it is read to everybody (CC-030)
		return append(out, offer("draw", rule, card), cardUnnamed.offer("draw", rule))
	}
	if s.timesInPile() != 0 {
		out = append(out, timeCard.offer("draw", s.book.Rules.Track))
	}
	if s.butlersLeft() < 1 {
		return out
	}
	if !by.host {
		k := s.knows(by)
		out = append(out, offer("draw", rule, rules.CardParam(s.book.list, s.drawable(k, by.seat), s.unplayed(k))))
	}
	return append(out, cardUnnamed.offer("draw", rule))
}

// nameParams are a suspect and a weapon, any of them (C8-073).
func (h *houseRules) nameParams() []engine.Param {
	return []engine.Param{h.nameParam("suspect", h.book.all(kindSuspect)), h.nameParam("weapon", h.book.all(kindWeapon))}
}

func (s *public) actOffers(out []engine.Offer, _ actor) []engine.Offer {
	r := &s.book.Rules
	if s.hypothetical() {
		out = append(out, offer("hypothesis", r.Hypothesis, s.nameParams()...))
	}
	if s.inPool() && s.lyingHere() && !s.seats[s.active].wrong {
		out = append(out, offer("peek", r.Peek))
	}
	if s.mustAsk() {
		return out
	}
	return append(out, offer("end", r.Next))
}

// accuseOffer is the accusation, wherever and whenever the edition allows it.
func (s *public) accuseOffer(out []engine.Offer, by actor) []engine.Offer {
	if by.seat != s.active || !s.accuses() {
		return out
	}
	o := offer("accuse", s.book.Rules.Accuse, append(s.nameParams(), s.nameParam("room", s.book.all(kindRoom)))...)
	switch {
	case by.host && s.accusesUnheard(): // written on paper, and compared by who has written it
		o = cardUnnamed.offer("accuse", s.book.Rules.Look)
	case s.accusesUnheard():
		for i := range o.Params {
			o.Params[i].Aloud = false
		}
	}
	o.Grave = true
	return append(out, o)
}

func (s *state) answerOffers(out []engine.Offer, by actor) []engine.Offer {
	if _, given := s.reply.Open(); given {
		return out
	}
	k := s.knows(by)
	may, all := s.answers(k, by.seat, s.wanted()), s.listHand(by, k)
	none := showings[s.showing.why].none
	if wanted := s.wanted(); wanted != s.book.mystery() { // whether one of them fits, the seat alone knows
		all = wanted
	}
	if by.host { // what all see the host may name, whatever is recorded
		may = s.wanted() & s.possible(k, by.seat)
		all = may
	}
	if !by.host || s.showing.open && !s.virtual {
		out = append(out, offer("answer", s.must(), rules.CardParam(s.book.list, may, all)))
	}
	if by.host && s.virtual {
		return out // there are no cards at which a host could look: the seat answers on its phone
	}
	if by.host || !s.known(by.seat) {
		out = append(out, cardUnnamed.offer("answer", s.must()))
	}
	if none {
		o := offer("none", s.book.Rules.None)
		switch has := k.hand[by.seat]&s.wanted() != 0; {
		case has && by.host: // it lies open
			return out
		case has:
			o.No = &engine.Refusal{}
		}
		out = append(out, o)
	}
	return out
}

// interruptions are Butler cards, Powers and passing: for a seat what it may
// play, for the host what anybody may pass.
func (s *state) interruptions(out []engine.Offer, by actor) []engine.Offer {
	if !by.host {
		if s.concerned(by.seat) {
			out = append(out, offer("pass", s.book.Rules.Window))
		}
		return s.useOffers(out, by)
	}
	if who := s.seatList(s.concerned); len(who) > 0 {
		out = append(out, offer("pass", s.book.Rules.Window, seatParam("for", who)))
	}
	s.inOrder(1, func(x engine.Seat) {
		out = s.useOffers(out, actor{seat: x, host: true})
	})
	return out
}

// errorOffers are what the host says of cards that went astray (GEN-E09).
func (s *state) errorOffers(out []engine.Offer, k knowledge) []engine.Offer {
	if s.doubtful() {
		out = append(out, engine.Offer{Act: "doubt", Rule: s.book.Rules.Judge, Aside: true})
	}
	if s.countable() {
		out = append(out, engine.Offer{Act: "count", Rule: "GEN-E09", Aside: true})
	}
	if who := s.seatList(func(x engine.Seat) bool { return s.seats[x].butlers > 0 }); len(who) > 0 && !s.virtual {
		out = append(out, engine.Offer{Act: "lost", Rule: "GEN-E09", Aside: true, Params: []engine.Param{seatParam("seat", who)}})
	}
	seen := func(rule string, may set, of, id string) {
		if may != 0 {
			out = append(out, engine.Offer{Act: "seen", Rule: rule, Aside: true, Fixed: engine.Args{of: id}, Params: []engine.Param{rules.CardParam(s.book.list, may, 0)}})
		}
	}
	for a := area(1); int(a) < len(s.book.areaID); a++ {
		seen("GEN-E09", s.seeable(k, 0, a), "place", s.book.areaID[a])
	}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		seen(s.book.Rules.Open, s.seeable(k, x, 0), "seat", x.String())
	}
	return out
}

// mendOffers name the cards of one's own hand, or take such a word back.
func (s *state) mendOffers(out []engine.Offer, k knowledge, x engine.Seat) []engine.Offer {
	mend := func(act string, may, all set) {
		if may|all != 0 {
			out = append(out, engine.Offer{Act: act, Rule: "GEN-021", Aside: true, Params: []engine.Param{rules.CardParam(s.book.list, may, all)}})
		}
	}
	may, all := s.holdable(k, x), set(0) // by public facts
	if !s.known(x) {
		all = s.book.mystery() &^ k.open
	}
	if s.unnamed(x) > 0 {
		all |= s.unplayed(k)
	}
	mend("hold", may, all)
	if !s.virtual {
		mend("forget", k.hand[x], 0)
	}
	return out
}

// listHand is what a choice in the hand of a seat lists, whatever may be chosen: all its
// cards if they are known, else every card that public facts allow.
func (s *state) listHand(by actor, k knowledge) set {
	if s.known(by.seat) {
		return k.hand[by.seat] & s.book.mystery()
	}
	return s.book.mystery() &^ (k.open &^ k.hand[by.seat])
}

// listButlers is the same for its Butler cards.
func (s *state) listButlers(by actor) set {
	k := s.knows(by)
	if s.unnamed(by.seat) <= 0 {
		return k.hand[by.seat] & s.book.all(kindEvent)
	}
	return s.unplayed(k)
}

// unplayed are the Butler cards that everybody knows to be in the game.
func (h *houseRules) unplayed(k knowledge) set { return h.butlerCards() &^ k.open }

// butlerCards are all event cards but the Time cards.
func (h *houseRules) butlerCards() set {
	all := h.book.all(kindEvent)
	return all &^ h.book.ofKind(all, EventTime)
}
