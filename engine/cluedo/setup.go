package cluedo

import (
	"slices"
	"strconv"
	"strings"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/hidden"
	"majordome/engine/internal/presentation"
	"majordome/engine/internal/rules"
)

// hostActs are the acts of the host: set-up, and replacements for cards that the table does not
// have or does not read.
var hostActs = map[string]struct {
	phases rules.Phases
	do     decideFunc
	has    func(*Book) bool // whether the edition has it; nil: every one
}{
	"sit":      {rules.NewPhases(lobby), (*state).decideSit, nil},
	"rise":     {rules.NewPhases(lobby), (*state).decideRise, nil},
	"switch":   {rules.NewPhases(lobby), (*state).decideHouseRule, nil},
	"begin":    {rules.NewPhases(lobby), (*state).decideBeginGame, nil},
	"sealed":   {rules.NewPhases(dealing), (*state).decideEnvelopeSealed, nil},
	"deal":     {rules.NewPhases(dealing), (*state).decideDeal, nil},
	"hide":     {rules.NewPhases(dealing), (*state).decideHideCard, (*Book).hasHiddenCards},
	"hidden":   {rules.NewPhases(dealing), (*state).decideHiddenPlaced, (*Book).hasHiddenCards},
	"first":    {rules.NewPhases(starting), (*state).decideFirstPlayer, (*Book).needsStarter},
	"dealer":   {rules.NewPhases(starting), (*state).decideFirstPlayer, (*Book).needsDealer},
	"lost":     {rules.NewPhases(turn), (*state).decideButlerLost, (*Book).hasHeldCards},
	"doubt":    {rules.NewPhases(turn), (*state).decideDoubtEnvelope, nil},
	"count":    {rules.NewPhases(dealing, turn), (*state).decideStartCount, nil},
	"redeal":   {rules.NewPhases(dealing), decideRedeal, nil},
	"count-is": {rules.NewPhases(turn), (*state).decideHolderCount, nil},
	"counted":  {rules.NewPhases(turn), (*state).decideEndCount, nil},
	"seen":     {rules.NewPhases(turn), (*state).decideSeenCard, nil},

	"skip":       {rules.NewPhases(turn), (*state).decideSkipSeat, nil},
	"next-phase": {rules.NewPhases(turn), (*state).decideNextPhase, nil},
	"allow":      {rules.NewPhases(turn), (*state).decideWaiveRule, nil},
	"turn-to":    {rules.NewPhases(turn), (*state).decideGiveTurnTo, nil},
	"kill":       {rules.NewPhases(turn), (*state).decideKillPlayer, (*Book).hasMurders},
	"out":        {rules.NewPhases(turn), (*state).decideNoMoreTurns, nil},
	"revive":     {rules.NewPhases(turn), (*state).decideRevivePlayer, nil},
}

func (s *seatedTurn) decideSit(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	rule := s.book.Rules.Character
	x, r := refusalKeys.ParseSeat(c, maxSeats, rule)
	if r != nil {
		return nil, r
	}
	who := s.book.cardByID[c.Args["character"]]
	name := c.Args["name"]
	switch {
	case s.book.kindOf(who) != kindSuspect:
		return nil, refuse(engine.Unknown, rule, "cl.no.no-character")
	case !rules.IsPlayerName(name):
		return nil, refuse(engine.Forbidden, rule, "cl.no.name")
	case s.isSeated(x):
		return nil, refuse(engine.Forbidden, rule, "cl.no.seat-taken", "seat", x.String())
	case s.seatPlaying(uint8(who)) != 0:
		return nil, refuse(engine.Forbidden, rule, "cl.no.character-taken", "character", s.book.cardID[who])
	}
	return []*event{{kind: evSat, at: c.At, seat: x, subject: uint8(who), text: name}}, nil
}

func (s *seatedTurn) decideRise(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := refusalKeys.ParseTakenSeat(c, maxSeats, s.book.Rules.Players, s.isSeated)
	if r != nil {
		return nil, r
	}
	return seatEvent(evRose, c.At, x), nil
}

func (h *houseRules) decideHouseRule(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	if c.Args["name"] == presetSwitch && len(h.book.Presets) > 0 {
		return h.decideApplyPreset(c)
	}
	i, v, r := refusalKeys.ParseSwitchChange(c, h.book.switchTable, h.rules[:])
	if r != nil {
		return nil, r
	}
	if !h.canSwitchMatter(c.Args["name"]) {
		return nil, refuse(engine.Forbidden, ruleHouseRules, "cl.no.switch-idle")
	}
	return []*event{{kind: evSwitched, at: c.At, switchIndex: uint8(i), n: uint16(v)}}, nil
}

func (s *seating) playerCount() (n int) {
	for x := range s.seats {
		if s.seats[x].suspect != 0 {
			n++
		}
	}
	return n
}

// cardsEachAndLeftOver returns how many mystery cards each player is dealt, and how many are left over
// (C8-004, C8-005, SC-008).
func (s *seatedTurn) cardsEachAndLeftOver() (each, rest uint8) {
	players, cards := s.playerCount(), s.countOutsideEnvelope()-int(s.countCardsToHide())
	if players == 0 { // only in a store that was tampered with
		return each, rest
	}
	return uint8(cards / players), uint8(cards % players)
}

func (h *houseRules) minPlayers() int {
	if h.policyValue(polTwoPlayers) == "on" || h.policyValue(polMode) != "standard" {
		return 2
	}
	return h.book.Players.Least
}

func (h *houseRules) maxPlayers() int {
	if h.policyValue(polMode) == "two-player" {
		return 2
	}
	return h.book.Players.Most
}

func (s *seatedTurn) decideBeginGame(c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	if n, least, most := s.playerCount(), s.minPlayers(), s.maxPlayers(); n < least || n > most {
		key := "cl.no.seats"
		if s.book.policySettings[polTwoPlayers].switchNumber > 0 { // a house rule may allow two players
			key = "cl.no.players"
		}
		return nil, refuse(engine.Forbidden, s.book.Rules.Players, key, "n", strconv.Itoa(least), "m", strconv.Itoa(most))
	}
	return []*event{{kind: evBegun, at: c.At, text: s.drawWeaponRooms(dice)}}, nil
}

// drawWeaponRooms draws rooms for the weapons, all different while there are enough (CC-003); empty
// where the weapons begin elsewhere.
func (h *houseRules) drawWeaponRooms(dice engine.Dice) string {
	if h.policyValue(polWeapons) != "rooms" {
		return ""
	}
	rooms := slices.Clone(h.book.areaIDs(h.areasWhere(h.book.isRoom)))
	chance.Shuffle(dice, len(rooms), func(i, j int) { rooms[i], rooms[j] = rooms[j], rooms[i] })
	return strings.Join(rooms, " ")
}

// decideEnvelopeSealed accepts that the envelope has its three cards, unread.
func (s *public) decideEnvelopeSealed(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	switch {
	case s.asked != 0, s.hiddenRoomToRead() != 0:
		return nil, refuse(engine.NotNow, s.book.Rules.Envelope, "cl.no.not-now")
	case s.faceDownCount[0] > 0:
		return nil, refuse(engine.NotNow, s.book.Rules.Hidden, "cl.no.hide-first")
	}
	return []*event{{kind: evSealed, at: c.At}}, nil
}

// decideDealScan decides a card that is read face down: first the three of the envelope, one of
// each kind, then those hidden in rooms, then the hands, seat by seat. A refusal does not depend on
// where the card is recorded: for the envelope it is the same for every card of that kind, after
// that an alarm (GEN-E13). A full hand takes no more cards: the next seat is asked.
func (s *recordState) decideDealScan(at engine.Millis, c card) ([]*event, *engine.Reject) {
	if s.asked == 0 && s.hiddenRoomToRead() == 0 {
		if s.recordedKnowledge().knownEnvelope()&s.book.cardsOfKind(s.book.kindOf(c)) != 0 {
			return nil, refuse(engine.Forbidden, s.book.Rules.Envelope, "cl.no.second-of-kind")
		}
		return []*event{{kind: evSealed, at: at, card: hideCard(c)}}, nil
	}
	if s.cards.LocationOf(c) != locUnknown {
		return nil, presentation.NewAlarmReject()
	}
	if a := s.hiddenRoomToRead(); a != 0 {
		return []*event{{kind: evHiddenPlaced, at: at, pos: pos{area: a}, card: hideCard(c)}}, nil
	}
	return []*event{{kind: evPresented, at: at, seat: s.asked, card: hideCard(c)}}, nil
}

// decideHandDealt accepts that a seat has its cards and does not present them all; the host says it for
// all remaining seats.
func (s *seatedTurn) decideHandDealt(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, _ := c.By.Seat()
	switch {
	case s.isSeated(x) && !s.seats[x].dealt && s.asked != 0:
		return seatEvent(evDealt, c.At, x), nil
	case !c.By.IsHost() || s.asked == 0:
		return nil, refuse(engine.NotNow, s.book.Rules.Deal, "cl.no.not-now")
	}
	var evs []*event
	s.eachSeatFrom(s.asked, func(y engine.Seat) {
		if !s.seats[y].dealt {
			evs = append(evs, &event{kind: evDealt, at: c.At, seat: y})
		}
	})
	return evs, nil
}

// decideDeal deals without real cards: one of each kind into the envelope, the rest to the seats,
// and what is left over face down on the board (C8-002 to C8-005, CC-130).
func (s *recordState) decideDeal(c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	if s.recordedKnowledge().knownEnvelope() != 0 || s.asked != 0 {
		return nil, refuse(engine.NotNow, s.book.Rules.Deal, "cl.no.dealing-begun")
	}
	var d deal
	var rest []card
	for k := kindSuspect; k <= kindRoom; k++ {
		from, to := s.book.firstCard[k], s.book.lastCard[k]
		solution := from + card(dice.Intn(int(to-from)+1))
		d[solution] = locEnvelope
		for x := from; x <= to; x++ {
			if x != solution {
				rest = append(rest, x)
			}
		}
	}
	chance.Shuffle(dice, len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	s.eachSeatFrom(1, func(x engine.Seat) {
		for range s.seats[x].cards {
			d[rest[0]], rest = custody.HandOf(x), rest[1:]
		}
	})
	evs := s.randomHideEvents(c.At, dice)
	lying := s.faceDownCount
	for _, e := range evs {
		lying[e.pos.area]++
	}
	for a := area(1); int(a) < len(lying); a++ {
		for range lying[a] {
			d[rest[0]], rest = locBoard+loc(a), rest[1:]
		}
	}
	return append(evs, &event{kind: evDealtAll, at: c.At, deal: hidden.New(d, hidden.Nobody)}), nil
}

// parseDiceArg returns the roll that a command declares; without one the program rolls.
func (h *houseRules) parseDiceArg(c engine.Command, dice engine.Dice) (roll [2]uint8, r *engine.Reject) {
	if text, declared := c.Args["dice"]; declared {
		roll, ok := h.book.parseRoll(text)
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
func (s *seatedTurn) decideStartRoll(c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	x, ok := c.By.Seat()
	switch {
	case ok && x != s.asked:
		return nil, refuseOpenly(engine.NotYou, s.book.Rules.Begins, "cl.no.not-your-turn", "seat", s.asked.String())
	case !ok && !c.By.IsHost():
		return nil, refuse(engine.NotYou, s.book.Rules.Begins, "cl.no.seat-only")
	}
	roll, r := s.parseDiceArg(c, dice)
	if r != nil {
		return nil, r
	}
	return []*event{{kind: evStartRoll, at: c.At, seat: s.asked, dice: roll}}, nil
}

// decideFirstPlayer accepts the seat that begins, or deals, when the table has settled it without the
// program.
func (s *seatedTurn) decideFirstPlayer(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := refusalKeys.ParseTakenSeat(c, maxSeats, s.book.Rules.Begins, s.isSeated)
	if r != nil {
		return nil, r
	}
	return []*event{s.highestRollEvent(x, c.At)}, nil
}

// decideButlerLost removes a lost Butler card of a seat from the game (GEN-E09).
func (s *public) decideButlerLost(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := refusalKeys.ParseSeat(c, maxSeats, "GEN-E09")
	if r == nil && (s.virtual || s.seats[x].butlers == 0) {
		r = refuse(engine.Forbidden, "GEN-E09", "cl.no.no-butler", "seat", x.String())
	}
	if r != nil {
		return nil, r
	}
	return seatEvent(evLost, c.At, x), nil
}

// decideDoubtEnvelope is for a table whose real envelope differs from what the program judged by. The host
// takes the accusation back and reports it; from then on accusers look into the envelope and
// declare what they see (GEN-001, C8-120).
func (s *public) decideDoubtEnvelope(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	if !s.canDoubt() {
		return nil, refuse(engine.NotNow, s.book.Rules.Judge, "cl.no.not-now")
	}
	return seatEvent(evDoubted, c.At, 0), nil
}

// canDoubt reports whether there is a real envelope that could be looked into.
func (s *public) canDoubt() bool { return !s.virtual && !s.doubted }

// decideSeenCard names a face-up card that no reader has read: one of the hand of a murdered seat
// (C8-134), or one on the board that was seen by accident (rules 4.2).
func (s *answerState) decideSeenCard(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, a := engine.Seat(0), s.book.pool
	card, _, r := s.parseCardArg(c)
	if _, of := c.Args["seat"]; of && r == nil {
		x, r = refusalKeys.ParseSeat(c, maxSeats, "GEN-E09")
	}
	place, there := c.Args["place"]
	if there {
		a = s.book.areaByID[place]
	}
	switch {
	case r != nil:
		return nil, r
	case (x != 0) == there, !s.knowledgeFor(c.By).exposableCards(x, a).Contains(card):
		return nil, refuse(engine.Forbidden, "GEN-E09", "cl.no.not-open")
	}
	return []*event{{kind: evExposed, at: c.At, seat: x, pos: pos{area: a}, openCard: card}}, nil
}

// exposableCards returns the cards that may be face up in the hand of the murdered seat x or, for x
// zero, in area a, by what k knows. There are none without real cards, or when all cards there are
// named.
func (k *knowledge) exposableCards(x engine.Seat, a area) set {
	if k.virtual || x != 0 && !k.seats[x].dead {
		return 0
	}
	open, of := k.knownHand(x)&k.openCards, int(k.seats[x].cards)
	if x == 0 {
		open, of = k.knownFaceDown(a)&k.openCards, int(k.faceDownCount[a])
	}
	if open.Count() >= of {
		return 0
	}
	return k.book.mysteryCards() &^ k.openCards
}

// decideClaim names a card of the seat's own hand, or takes such a claim back, once the cards are
// dealt (GEN-021). It never refuses because of what the program knows of other places: that would
// reveal it.
func (s *answerState) decideClaim(c engine.Command) ([]*event, *engine.Reject) {
	x, _ := c.By.Seat()
	switch {
	case !s.isDealComplete():
		return nil, refuse(engine.NotNow, "GEN-021", "cl.no.hold-later")
	case !s.isSeated(x) || s.seats[x].dead || s.phase == over:
		return nil, refuse(engine.NotNow, "GEN-021", "cl.no.seat-only")
	}
	card, named, _ := s.parseCardArg(c)
	if !named {
		return nil, refuse(engine.Unknown, "GEN-E02", "cl.no.kind")
	}
	k := s.knowledgeFor(c.By)
	if c.Act == "hold" {
		if !k.claimableCards(x).Contains(card) {
			return nil, refuse(engine.Forbidden, "GEN-021", "cl.no.hold")
		}
		return []*event{{kind: evClaimed, at: c.At, seat: x, card: hideCard(card)}}, nil
	}
	if !k.knownHand(x).Contains(card) || s.virtual {
		return nil, refuse(engine.Forbidden, "GEN-021", "cl.no.not-held")
	}
	return []*event{{kind: evUnclaimed, at: c.At, seat: x, card: hideCard(card)}}, nil
}

// claimableCards returns the cards that x may name as its own: while fewer are named than all can
// count in its hand, each that x cannot exclude.
func (k *knowledge) claimableCards(x engine.Seat) (may set) {
	free := ^set(0) &^ k.openCards &^ k.faceDown &^ k.knownHand(x) &^ k.cardsElsewhere(x)
	if !k.isHandNamed(x) {
		may |= free & k.book.mysteryCards()
	}
	if k.countUnnamedButlers(x) > 0 {
		may |= free & k.butlerCards()
	}
	return may
}

func (l *offerList) offerLobby() {
	if !l.by.isHost {
		return
	}
	free := rules.ListSeats(engine.Seat(l.book.Players.Most), func(x engine.Seat) bool { return !l.isSeated(x) })
	characters := []string{}
	for c := l.book.firstCard[kindSuspect]; c <= l.book.lastCard[kindSuspect]; c++ {
		if l.seatPlaying(uint8(c)) == 0 {
			characters = append(characters, l.book.cardID[c])
		}
	}
	if len(characters) > 0 {
		l.addOffers(newOffer("sit", l.book.Rules.Character, seatParam("seat", free),
			engine.Param{Name: "name", Kind: "text", Max: rules.MaxName},
			engine.Param{Name: "character", Kind: "character", Domain: characters}))
	}
	if taken := l.seatIDsWhere(func(engine.Seat) bool { return true }); len(taken) > 0 {
		l.addOffers(newOffer("rise", l.book.Rules.Players, seatParam("seat", taken)))
	}
	l.offerPresets()
	for _, o := range l.book.switchTable.AddSwitchOffers(nil, l.rules[:]) {
		if l.canSwitchMatter(o.Fixed["name"]) {
			l.addOffers(o)
		}
	}
	if n := l.playerCount(); n >= l.minPlayers() && n <= l.maxPlayers() {
		l.addOffers(newOffer("begin", l.book.Rules.Players))
	}
}

func (l *offerList) offerDealing() {
	switch {
	case l.by.isHost && l.asked == 0:
		switch hidden := l.book.Rules.Hidden; {
		case l.hiddenRoomToRead() != 0:
			l.addOffers(newOffer("hidden", hidden))
		case l.faceDownCount[0] == 0:
			l.addOffers(newOffer("sealed", l.book.Rules.Envelope))
		default:
			l.addOffers(newOffer("hide", hidden, engine.Param{Name: "place", Kind: "place", Domain: l.book.areaIDs(l.roomsToHideCardIn())}),
				newOffer("hide", hidden))
		}
		if l.envelopeCards == 0 {
			l.addOffers(newOffer("deal", l.book.Rules.Deal))
		}
	case l.asked != 0 && l.isSeated(l.by.seat) && !l.seats[l.by.seat].dealt:
		l.addOffers(newOffer("dealt", l.book.Rules.Deal))
	}
}

func (l *offerList) offerStarting() {
	if l.by.seat == l.asked {
		l.offerRoll(l.book.Rules.Begins)
	}
	if l.by.isHost {
		act := "first"
		if l.book.needsDealer() {
			act = "dealer"
		}
		l.addOffers(newOffer(act, l.book.Rules.Begins, seatParam("seat", l.seatIDsWhere(func(engine.Seat) bool { return true }))))
	}
}
