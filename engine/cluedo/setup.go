package cluedo

import (
	"slices"
	"strconv"
	"strings"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/internal/box"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/presentation"
	"majordome/engine/internal/rules"
)

// hostActs are the acts of the host: set-up, and replacements for cards that the table does not
// have or does not read.
var hostActs = map[string]struct {
	phases rules.Phases
	do     does
	has    func(*Book) bool // whether the edition has it; nil: every one
}{
	"sit":      {rules.In(lobby), (*state).doSit, nil},
	"rise":     {rules.In(lobby), (*state).doRise, nil},
	"switch":   {rules.In(lobby), (*state).doSwitch, nil},
	"begin":    {rules.In(lobby), (*state).doBegin, nil},
	"sealed":   {rules.In(dealing), (*state).doSealed, nil},
	"deal":     {rules.In(dealing), (*state).doDeal, nil},
	"hide":     {rules.In(dealing), (*state).doHide, (*Book).hidesSome},
	"hidden":   {rules.In(dealing), (*state).doLaid, (*Book).hidesSome},
	"first":    {rules.In(starting), (*state).doFirst, (*Book).beginsFirst},
	"dealer":   {rules.In(starting), (*state).doFirst, (*Book).dealsFirst},
	"lost":     {rules.In(turn), (*state).doLost, (*Book).holds},
	"doubt":    {rules.In(turn), (*state).doDoubt, nil},
	"count":    {rules.In(dealing, turn), (*state).doCount, nil},
	"redeal":   {rules.In(dealing), doRedeal, nil},
	"count-is": {rules.In(turn), (*state).doCountIs, nil},
	"counted":  {rules.In(turn), (*state).doCounted, nil},
	"seen":     {rules.In(turn), (*state).doSeen, nil},

	"skip":       {rules.In(turn), (*state).doSkip, nil},
	"next-phase": {rules.In(turn), (*state).doNextPhase, nil},
	"allow":      {rules.In(turn), (*state).doAllow, nil},
	"turn-to":    {rules.In(turn), (*state).doTurnTo, nil},
	"kill":       {rules.In(turn), (*state).doKill, (*Book).kills},
	"out":        {rules.In(turn), (*state).doOut, nil},
	"revive":     {rules.In(turn), (*state).doRevive, nil},
}

func (s *seatedTurn) doSit(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	rule := s.book.Rules.Character
	x, r := words.Seat(c, maxSeats, rule)
	if r != nil {
		return nil, r
	}
	who := s.book.cards[c.Args["character"]]
	name := c.Args["name"]
	switch {
	case s.book.kind(who) != kindSuspect:
		return nil, refuse(engine.Unknown, rule, "cl.no.no-character")
	case !rules.GoodName(name):
		return nil, refuse(engine.Forbidden, rule, "cl.no.name")
	case s.seated(x):
		return nil, refuse(engine.Forbidden, rule, "cl.no.seat-taken", "seat", x.String())
	case s.playing(uint8(who)) != 0:
		return nil, refuse(engine.Forbidden, rule, "cl.no.character-taken", "character", s.book.cardID[who])
	}
	return []*event{{kind: evSat, at: c.At, seat: x, who: uint8(who), text: name}}, nil
}

func (s *seatedTurn) doRise(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := words.Taken(c, maxSeats, s.book.Rules.Players, s.seated)
	if r != nil {
		return nil, r
	}
	return one(evRose, c.At, x), nil
}

func (h *houseRules) doSwitch(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	if c.Args["name"] == presetSwitch && len(h.book.Presets) > 0 {
		return h.choosePreset(c)
	}
	i, v, r := words.Switch(c, h.book.switches, h.rules[:])
	if r != nil {
		return nil, r
	}
	if !h.matters(c.Args["name"]) {
		return nil, refuse(engine.Forbidden, ruleSwitches, "cl.no.switch-idle")
	}
	return []*event{{kind: evSwitched, at: c.At, sw: uint8(i), n: uint16(v)}}, nil
}

func (s *seating) players() (n int) {
	for x := range s.seats {
		if s.seats[x].who != 0 {
			n++
		}
	}
	return n
}

// cardShares returns how many mystery cards each player is dealt, and how many are left over
// (C8-004, C8-005, SC-008).
func (s *seatedTurn) shares() (each, rest uint8) {
	players, cards := s.players(), s.outside()-int(s.hides())
	if players == 0 { // only in a store that was tampered with
		return each, rest
	}
	return uint8(cards / players), uint8(cards % players)
}

func (h *houseRules) least() int {
	if h.rule(polTwo) == "on" || h.rule(polMode) != "standard" {
		return 2
	}
	return h.book.Players.Least
}

func (h *houseRules) most() int {
	if h.rule(polMode) == "two-player" {
		return 2
	}
	return h.book.Players.Most
}

func (s *seatedTurn) doBegin(c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	if n, least, most := s.players(), s.least(), s.most(); n < least || n > most {
		key := "cl.no.seats"
		if s.book.settled[polTwo].by > 0 { // a house rule may allow two players
			key = "cl.no.players"
		}
		return nil, refuse(engine.Forbidden, s.book.Rules.Players, key, "n", strconv.Itoa(least), "m", strconv.Itoa(most))
	}
	return []*event{{kind: evBegun, at: c.At, text: s.scattered(dice)}}, nil
}

// scatterWeapons draws rooms for the weapons, all different while there are enough (CC-003); empty
// where the weapons begin elsewhere.
func (h *houseRules) scattered(dice engine.Dice) string {
	if h.rule(polWeapons) != "rooms" {
		return ""
	}
	rooms := slices.Clone(h.book.rooms(h.those(h.book.isRoom)))
	chance.Shuffle(dice, len(rooms), func(i, j int) { rooms[i], rooms[j] = rooms[j], rooms[i] })
	return strings.Join(rooms, " ")
}

// decideSealed accepts that the envelope has its three cards, unread.
func (s *public) doSealed(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	switch {
	case s.asked != 0, s.laying() != 0:
		return nil, refuse(engine.NotNow, s.book.Rules.Envelope, "cl.no.not-now")
	case s.lying[0] > 0:
		return nil, refuse(engine.NotNow, s.book.Rules.Hidden, "cl.no.hide-first")
	}
	return []*event{{kind: evSealed, at: c.At}}, nil
}

// decideDealScan decides a card that is read face down: first the three of the envelope, one of
// each kind, then those hidden in rooms, then the hands, seat by seat. A refusal does not depend on
// where the card is recorded: for the envelope it is the same for every card of that kind, after
// that an alarm (GEN-E13). A full hand takes no more cards: the next seat is asked.
func (s *recordState) scanDeal(at engine.Millis, c card) ([]*event, *engine.Reject) {
	if s.asked == 0 && s.laying() == 0 {
		if s.truth().envelope()&s.book.all(s.book.kind(c)) != 0 {
			return nil, refuse(engine.Forbidden, s.book.Rules.Envelope, "cl.no.second-of-kind")
		}
		return []*event{{kind: evSealed, at: at, card: hide(c)}}, nil
	}
	if s.cards.At(c) != locUnknown {
		return nil, presentation.Alarm()
	}
	if a := s.laying(); a != 0 {
		return []*event{{kind: evLaid, at: at, pos: pos{area: a}, card: hide(c)}}, nil
	}
	return []*event{{kind: evGot, at: at, seat: s.asked, card: hide(c)}}, nil
}

// decideDealt accepts that a seat has its cards and does not present them all; the host says it for
// all remaining seats.
func (s *seatedTurn) doDealt(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, _ := c.By.Seat()
	switch {
	case s.seated(x) && !s.seats[x].dealt && s.asked != 0:
		return one(evDealt, c.At, x), nil
	case !c.By.IsHost() || s.asked == 0:
		return nil, refuse(engine.NotNow, s.book.Rules.Deal, "cl.no.not-now")
	}
	var evs []*event
	s.inOrder(s.asked, func(y engine.Seat) {
		if !s.seats[y].dealt {
			evs = append(evs, &event{kind: evDealt, at: c.At, seat: y})
		}
	})
	return evs, nil
}

// decideDeal deals without real cards: one of each kind into the envelope, the rest to the seats,
// and what is left over face down on the board (C8-002 to C8-005, CC-130).
func (s *recordState) doDeal(c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	if s.truth().envelope() != 0 || s.asked != 0 {
		return nil, refuse(engine.NotNow, s.book.Rules.Deal, "cl.no.dealing-begun")
	}
	var d deal
	var rest []card
	for k := kindSuspect; k <= kindRoom; k++ {
		from, to := s.book.from[k], s.book.to[k]
		solution := from + card(dice.Intn(int(to-from)+1))
		d[solution] = locEnvelope
		for x := from; x <= to; x++ {
			if x != solution {
				rest = append(rest, x)
			}
		}
	}
	chance.Shuffle(dice, len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	s.inOrder(1, func(x engine.Seat) {
		for range s.seats[x].cards {
			d[rest[0]], rest = custody.HandOf(x), rest[1:]
		}
	})
	evs := s.hiddenByChance(c.At, dice)
	lying := s.lying
	for _, e := range evs {
		lying[e.pos.area]++
	}
	for a := area(1); int(a) < len(lying); a++ {
		for range lying[a] {
			d[rest[0]], rest = locLies+loc(a), rest[1:]
		}
	}
	return append(evs, &event{kind: evDealAll, at: c.At, deal: box.Seal(d, box.Nobody)}), nil
}

// parseDiceArg returns the roll that a command declares; without one the program rolls.
func (h *houseRules) diceArg(c engine.Command, dice engine.Dice) (roll [2]uint8, r *engine.Reject) {
	if text, declared := c.Args["dice"]; declared {
		roll, ok := h.book.roll(text)
		if !ok {
			return roll, refuse(engine.Unknown, h.book.Rules.Dice, "cl.no.dice")
		}
		return roll, nil
	}
	for i := range roll {
		roll[i] = uint8(h.book.deck.Faces[dice.Intn(len(h.book.deck.Faces))])
	}
	return roll, nil
}

// decideStartRoll decides the roll of C8-011: the face that draws a card counts 0 and draws
// nothing.
func (s *seatedTurn) startRoll(c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	x, ok := c.By.Seat()
	switch {
	case ok && x != s.asked:
		return nil, openly(engine.NotYou, s.book.Rules.Begins, engine.Say("cl.no.not-your-turn", "seat", s.asked.String()))
	case !ok && !c.By.IsHost():
		return nil, refuse(engine.NotYou, s.book.Rules.Begins, "cl.no.seat-only")
	}
	roll, r := s.diceArg(c, dice)
	if r != nil {
		return nil, r
	}
	return []*event{{kind: evStartRoll, at: c.At, seat: s.asked, dice: roll}}, nil
}

// decideFirst accepts the seat that begins, or deals, when the table has settled it without the
// program.
func (s *seatedTurn) doFirst(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := words.Taken(c, maxSeats, s.book.Rules.Begins, s.seated)
	if r != nil {
		return nil, r
	}
	return []*event{s.highest(x, c.At)}, nil
}

// decideLost removes a lost Butler card of a seat from the game (GEN-E09).
func (s *public) doLost(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := words.Seat(c, maxSeats, "GEN-E09")
	if r == nil && (s.virtual || s.seats[x].butlers == 0) {
		r = refuse(engine.Forbidden, "GEN-E09", "cl.no.no-butler", "seat", x.String())
	}
	if r != nil {
		return nil, r
	}
	return one(evLost, c.At, x), nil
}

// decideDoubt is for a table whose real envelope differs from what the program judged by. The host
// takes the accusation back and reports it; from then on accusers look into the envelope and
// declare what they see (GEN-001, C8-120).
func (s *public) doDoubt(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	if !s.doubtful() {
		return nil, refuse(engine.NotNow, s.book.Rules.Judge, "cl.no.not-now")
	}
	return one(evDoubted, c.At, 0), nil
}

// canDoubt reports whether there is a real envelope that could be looked into.
func (s *public) doubtful() bool { return !s.virtual && !s.doubt }

// decideSeen names a face-up card that no reader has read: one of the hand of a murdered seat
// (C8-134), or one on the board that was seen by accident (rules 4.2).
func (s *answerState) doSeen(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, a := engine.Seat(0), s.book.pool
	card, _, r := s.cardArg(c)
	if _, of := c.Args["seat"]; of && r == nil {
		x, r = words.Seat(c, maxSeats, "GEN-E09")
	}
	place, there := c.Args["place"]
	if there {
		a = s.book.areas[place]
	}
	switch {
	case r != nil:
		return nil, r
	case (x != 0) == there, !s.knowledge(c.By).seeable(x, a).Has(card):
		return nil, refuse(engine.Forbidden, "GEN-E09", "cl.no.not-open")
	}
	return []*event{{kind: evSeen, at: c.At, seat: x, pos: pos{area: a}, open: card}}, nil
}

// exposableCards returns the cards that may be face up in the hand of the murdered seat x or, for x
// zero, in area a, by what k knows. There are none without real cards, or when all cards there are
// named.
func (k *knowledge) seeable(x engine.Seat, a area) set {
	if k.virtual || x != 0 && !k.seats[x].dead {
		return 0
	}
	open, of := k.hand(x)&k.open, int(k.seats[x].cards)
	if x == 0 {
		open, of = k.there(a)&k.open, int(k.lying[a])
	}
	if open.Count() >= of {
		return 0
	}
	return k.book.mystery() &^ k.open
}

// decideClaim names a card of the seat's own hand, or takes such a claim back, once the cards are
// dealt (GEN-021). It never refuses because of what the program knows of other places: that would
// reveal it.
func (s *answerState) mend(c engine.Command) ([]*event, *engine.Reject) {
	x, _ := c.By.Seat()
	switch {
	case !s.dealt():
		return nil, refuse(engine.NotNow, "GEN-021", "cl.no.hold-later")
	case !s.seated(x) || s.seats[x].dead || s.phase == over:
		return nil, refuse(engine.NotNow, "GEN-021", "cl.no.seat-only")
	}
	card, named, _ := s.cardArg(c)
	if !named {
		return nil, refuse(engine.Unknown, "GEN-E02", "cl.no.kind")
	}
	k := s.knowledge(c.By)
	if c.Act == "hold" {
		if !k.holdable(x).Has(card) {
			return nil, refuse(engine.Forbidden, "GEN-021", "cl.no.hold")
		}
		return []*event{{kind: evHeld, at: c.At, seat: x, card: hide(card)}}, nil
	}
	if !k.hand(x).Has(card) || s.virtual {
		return nil, refuse(engine.Forbidden, "GEN-021", "cl.no.not-held")
	}
	return []*event{{kind: evForgot, at: c.At, seat: x, card: hide(card)}}, nil
}

// claimableCards returns the cards that x may name as its own: while fewer are named than all can
// count in its hand, each that x cannot exclude.
func (k *knowledge) holdable(x engine.Seat) (may set) {
	free := ^set(0) &^ k.open &^ k.lies &^ k.hand(x) &^ k.others(x)
	if !k.named(x) {
		may |= free & k.book.mystery()
	}
	if k.unnamed(x) > 0 {
		may |= free & k.butlerCards()
	}
	return may
}

func (l *offerList) offerLobby() {
	if !l.by.host {
		return
	}
	free, characters := []string{}, []string{}
	for x := engine.Seat(1); int(x) <= l.book.Players.Most; x++ {
		if !l.seated(x) {
			free = append(free, x.String())
		}
	}
	for c := l.book.from[kindSuspect]; c <= l.book.to[kindSuspect]; c++ {
		if l.playing(uint8(c)) == 0 {
			characters = append(characters, l.book.cardID[c])
		}
	}
	if len(characters) > 0 {
		l.add(offer("sit", l.book.Rules.Character, seatParam("seat", free),
			engine.Param{Name: "name", Kind: "text", Max: rules.MaxName},
			engine.Param{Name: "character", Kind: "character", Domain: characters}))
	}
	if taken := l.seatList(func(engine.Seat) bool { return true }); len(taken) > 0 {
		l.add(offer("rise", l.book.Rules.Players, seatParam("seat", taken)))
	}
	l.offerPresets()
	for _, o := range l.book.switches.Offers(nil, l.rules[:]) {
		if l.matters(o.Fixed["name"]) {
			l.add(o)
		}
	}
	if n := l.players(); n >= l.least() && n <= l.most() {
		l.add(offer("begin", l.book.Rules.Players))
	}
}

func (l *offerList) offerDealing() {
	switch {
	case l.by.host && l.asked == 0:
		switch hidden := l.book.Rules.Hidden; {
		case l.laying() != 0:
			l.add(offer("hidden", hidden))
		case l.lying[0] == 0:
			l.add(offer("sealed", l.book.Rules.Envelope))
		default:
			l.add(offer("hide", hidden, engine.Param{Name: "place", Kind: "place", Domain: l.book.rooms(l.hideable())}),
				offer("hide", hidden))
		}
		if l.sealed == 0 {
			l.add(offer("deal", l.book.Rules.Deal))
		}
	case l.asked != 0 && l.seated(l.by.seat) && !l.seats[l.by.seat].dealt:
		l.add(offer("dealt", l.book.Rules.Deal))
	}
}

func (l *offerList) offerStarting() {
	if l.by.seat == l.asked {
		l.offerRoll(l.book.Rules.Begins)
	}
	if l.by.host {
		act := "first"
		if l.book.dealsFirst() {
			act = "dealer"
		}
		l.add(offer(act, l.book.Rules.Begins, seatParam("seat", l.seatList(func(engine.Seat) bool { return true }))))
	}
}
