package cluedo

import (
	"slices"
	"strings"

	"majordome/engine"
	"majordome/engine/board"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/hidden"
	"majordome/engine/internal/rules"
)

// Apply applies events to a copy. It decides nothing: the results of dice, choices and rules are
// in the events. An event of another game changes nothing.
func (s *state) Apply(all ...engine.Event) engine.Game {
	next := s
	for _, e := range all {
		if ev, _ := e.(*event); ev != nil {
			next = next.withEvent(ev, next != s)
		}
	}
	return next
}

// withEvent returns the game after e. If canReuse is true, s is a copy that only the caller has, and is
// changed in place, unless recording e needs the state before it.
func (s *state) withEvent(e *event, canReuse bool) *state {
	next, was := s, (*state)(nil)
	if before := eventRows[e.kind].NeedsBefore; before || !canReuse {
		next = s.copyState()
		if before {
			was = s
		}
	}
	before := next.log
	next.applyMutating(e)
	next.addToStory(was, e)
	next.log.StampHappenings(before, e.at)
	next.updateQuestions(e)
	return next
}

func (s *state) copyState() *state {
	c := *s
	return &c
}

// applyMutating changes the state by one event, in place. It must be a copy that only the caller has.
func (s *state) applyMutating(e *event) {
	row := &eventRows[e.kind]
	row.Apply(s, e)
	if !row.NotAnAct {
		s.previousTurn = nil
	}
}

// rememberLastRead remembers the card that was accepted last, until another step waits for a card:
// reading the same card again is not a second act (GEN-E04). A shown card is not remembered,
// because no reader waits for a card before another seat is asked or a card is drawn.
func (s *answerState) rememberLastRead(c hidden.SmallValue[card], at engine.Millis) {
	s.lastRead, s.lastReadAt = c, at
}

// forgetLastRead forgets that card, when such a step begins.
func (s *answerState) forgetLastRead() { s.lastRead = hidden.SmallValue[card]{} }

// setPlayer puts a player into a seat; a suspect of zero empties the seat.
func (s *seating) setPlayer(x engine.Seat, name string, who uint8) {
	names := *s.names
	names[x] = name
	s.names, s.seats[x] = &names, player{suspect: who}
}

func (s *public) applyBegun(e *event) {
	s.placeWeaponsAtStart() // by the house rules as they are now
	if rooms := strings.Fields(e.text); len(rooms) > 0 {
		for w := range len(s.book.deck.Weapons) {
			s.tokens[w+1] = s.book.areaByID[rooms[w%len(rooms)]]
		}
	}
	if s.book.needsDealer() {
		s.phase = starting
		return
	}
	s.startDeal(0)
}

func (s *boardState) placeWeaponsAtStart() {
	for w := range s.tokens {
		s.tokens[w] = s.weaponStartArea()
	}
}

// weaponStartArea returns the area where the weapons begin; zero: somewhere on the board.
func (h *houseRules) weaponStartArea() area {
	switch h.policyValue(polWeapons) {
	case "pool":
		return h.book.pool
	case "start":
		return h.book.areaByID[string(h.book.deck.Start)]
	}
	return 0
}

// stepAfterStop returns the step after a stop in the middle of a move (SC-056, SC-061).
func (s *seatedTurn) stepAfterStop() step {
	if s.points > 0 {
		return stepMove
	}
	return s.stepAfterPhase(stepMove)
}

// startDeal begins the deal; the hands left of the dealer get one card more (SC-008).
func (s *public) startDeal(dealer engine.Seat) {
	s.phase, s.dealer, s.asked = dealing, dealer, 0
	s.prepareHiddenCards()
	each, rest := s.cardsEachAndLeftOver()
	if s.policyValue(polDeal) == "equal" {
		s.faceDownCount[s.book.pool], rest = rest, 0
	}
	s.eachSeatFrom(dealer%maxSeats+1, func(x engine.Seat) {
		s.seats[x].cards = each
		if rest > 0 {
			s.seats[x].cards, rest = each+1, rest-1
		}
	})
}

// callTiedSeatsToRoll lets the seats that have rolled highest roll once more (C8-011).
func (s *seating) callTiedSeatsToRoll(e *event) {
	for x := range s.seats {
		s.seats[x].startTotal = outrolled
		if e.n&(1<<x) != 0 {
			s.seats[x].startTotal = 0
		}
	}
}

// applySealed puts a card into the envelope. A card in there must behave as any other card, so it
// is not remembered as read.
func (s *recordState) applySealed(e *event) {
	c, read := e.card.Open()
	if read {
		s.cards.RecordCard(c, locEnvelope, hidden.Nobody)
		s.envelopeCards++
	}
	if !read || s.envelopeCards == 3 && s.hiddenRoomToRead() == 0 {
		s.callNextHand()
	}
}

func (s *answerState) applyPresented(e *event) {
	c, _ := e.card.Open()
	s.recordInHand(e.seat, c)
	if s.phase == dealing {
		s.seats[e.seat].cardsPresented++
		s.seats[e.seat].dealt = s.isHandKnown(e.seat)
		s.callNextHand()
	}
	if s.asked == e.seat {
		s.rememberLastRead(hideCard(c), e.at)
	} else { // if a copy of this hand's last card were ignored, the next hand would learn which it was (GEN-E13)
		s.forgetLastRead()
	}
}

func (s *recordState) applyDealtAll(e *event) {
	d, _ := e.deal.Open()
	for c := card(1); c <= s.book.lastCard[kindRoom]; c++ {
		aud := hidden.Nobody
		if d[c] > custody.HandBase {
			aud = hidden.OnlySeats(engine.Seat(d[c] - custody.HandBase))
		}
		s.cards.RecordCard(c, d[c], aud)
	}
	for x := range s.seats {
		s.seats[x].dealt, s.seats[x].cardsPresented = true, s.seats[x].cards
	}
	s.virtual, s.envelopeCards = true, 3
}

// callNextHand calls the first seat left of the dealer whose hand is still awaited, if any.
func (s *public) callNextHand() {
	s.asked = 0
	s.eachSeatFrom(s.dealer%maxSeats+1, func(x engine.Seat) {
		if s.asked == 0 && !s.seats[x].dealt {
			s.asked = x
		}
	})
}

func (s *answerState) applyRolled(e *event) {
	s.forgetLastRead()
	s.seats[e.seat].owedDraws = 0
	s.rolled, s.dice, s.points, s.drawsLeft = true, e.dice, e.dice[0]+e.dice[1], 0
	for _, d := range e.dice {
		if d == 0 {
			s.points += uint8(s.book.MarkedFace.Points)
			s.drawsLeft += uint8(s.book.MarkedFace.Draws)
		}
	}
	if s.policyValue(polClues) == "off" {
		s.drawsLeft = 0
	}
	if s.movesLeft > 0 && !s.diceUnknown { // otherwise startMoving has counted the roll
		s.movesLeft--
	}
	s.diceUnknown, s.pointsUnknown, s.faceDraws = false, false, 0
	s.setWayToDice()
	s.startPhase(s.stepAfterPhase(stepStart), e.at)
}

func (h *houseRules) stepAfterPhase(p step) step {
	all := h.book.turnSteps
	return all[min(slices.Index(all, p)+1, len(all)-1)]
}

func (s *public) startPhase(p step, at engine.Millis) {
	s.phaseStep = p
	s.startStep(p, at)
}

// resumePhase returns to the phase of the turn that was interrupted, or to the one that was to
// follow.
func (s *public) resumePhase(at engine.Millis) { s.startStep(s.phaseStep, at) }

// startStep begins a step; pending draws come before it.
func (s *public) startStep(st step, at engine.Millis) {
	s.step, s.awaitState = st, awaitState{waitNumber: s.waitNumber + 1, since: at}
	if s.isPileEmpty() {
		s.drawsLeft = 0
	}
	switch {
	case s.drawsLeft > 0 && st == s.phaseStep:
		s.step = stepDraw
	case st == stepShown:
		s.closes = at + engine.Millis(s.book.deck.Window)
	default: // steps without a window ignore this
		s.closes = at + engine.Millis(s.book.deck.Pause)
	}
}

func (s *state) applyTurn(e *event) {
	s.forgetLastRead()
	x := e.seat
	if s.phase == dealing {
		s.recordDealOver()
	}
	s.savePreviousTurn(x)
	if s.phase != turn {
		s.phase, s.firstSeat = turn, x
	}
	heard := s.hyp
	if heard.by == 0 {
		heard = s.lastHyp
	}
	s.turnState = turnState{round: e.n, active: x, lastHyp: heard}
	s.stayRight = s.seats[x].displaced
	s.seats[x].displaced = false
	s.startArea = s.activeArea()
	s.startPhase(s.startMoving(), e.at)
}

// applyMoved ends a move.
func (s *answerState) applyMoved(e *event) {
	s.forgetLastRead()
	s.seats[e.seat].owedDraws = 0
	p := &s.pawns[s.seats[e.seat].suspect]
	from := p.area
	_, square := e.pos.square()
	still := square && *p == e.pos && s.walkPolicy().Total != board.TotalExact // staying on a square uses no point (C8-055)
	s.leftAreas = s.leftAreas.withArea(from)
	*p = e.pos
	how := parseWay(e.text)
	if s.way == wayNone {
		s.way = how
	}
	marked := s.drawsOrSpiesOn(e.pos) && !still
	s.moved, s.points, s.combinedMove = true, 0, how == wayBoth
	s.diceThrown, s.faceDraws = true, 0
	s.phaseStep = s.stepAfterPhase(stepMove)
	switch {
	case how == wayBoth: // points are left over in an area that is not a room (SC-056)
		s.points, s.pointsUnknown = uint8(e.n), s.book.passageTo[from] != e.pos.area
		s.phaseStep = s.stepAfterStop()
	case !marked, !s.hasSpySquares() && !s.book.hasEventCards():
	case !s.hasSpySquares(): // C8-049: the turn is over after the draw
		s.drawsLeft, s.phaseStep = 1, stepEnd
	case !s.isMarkedSquareUsed(s.markedSquareIndex(e.pos)):
		s.points, s.pointsUnknown = uint8(e.n), s.book.board == nil || s.diceUnknown
		s.phaseStep = s.stepAfterStop()
		s.startStep(stepSpy, e.at)
		return
	}
	if s.movesLeft > 0 { // C8-171: the second roll follows in any case
		s.phaseStep = s.startMoving()
	}
	s.resumePhase(e.at)
}

// applyHypothesis moves pawn and token to the room of the hypothesis.
func (s *answerState) applyHypothesis(e *event) {
	s.forgetLastRead()
	who, to := uint8(e.names[0]), s.book.roomOf(e.names[2])
	s.hyp = hypothesis{by: e.seat, namedCards: e.names}
	s.seats[e.seat].lastRoom = to
	s.phaseStep = s.stepAfterPhase(stepAct)
	s.tokens[s.book.tokenNumber(e.names[1])] = to
	if p := &s.pawns[who]; p.kind != onNothing && p.area != to {
		*p = pos{area: to}
		if y := s.seatPlaying(who); y != 0 {
			s.seats[y].displaced = true
		}
	}
	s.showing = showing{reason: reasonAnswer, to: e.seat}
	next := stepShowing
	switch {
	case e.other == 0:
	case s.policyValue(polDrawTiming) == "immediate" && !s.isPileEmpty():
		next, s.asked = stepDisplaced, e.other
	default:
		s.seats[e.other].owedDraws++
	}
	s.startStep(next, e.at)
}

func (s *answerState) applyReplied(e *event) {
	a, _ := e.reply.Open()
	s.reply = hidden.New(a, hidden.OnlySeats(e.seat))
	s.closes = e.at + engine.Millis(s.book.deck.AnswerDelay)
	s.waitNumber++
}

func (s *answerState) applyAnswersEnd(e *event) {
	s.endQuestioning()
	if s.showing.reason == reasonSpied { // the chosen hand is empty: another one is chosen
		s.startStep(stepSpy, e.at)
		return
	}
	s.resumePhase(e.at)
}

// addSighting records in the story that seat x saw these cards.
func (s *state) addSighting(x engine.Seat, cs set, g engine.Sighting) {
	g.Cards, g.Round = s.book.cardEngineIDs(uint64(cs)), int(s.round)
	s.sights = s.sights.Add(x, uint64(cs), g)
}

func (s *state) applySightAndPass(e *event) {
	if c, ok := e.card.Open(); ok {
		s.recordHolderSeen(c, e.other, e.seat)
		s.addSighting(e.seat, set(0).WithCard(c), engine.Sighting{How: engine.SawShown, Other: e.other})
	}
	s.showing.passedSeats |= 1 << e.seat
}

func (s *recordState) applyRightVerdict(e *event) {
	s.cards.RecordCards(s.cards.CardsAt(locEnvelope), locUnknown, hidden.Nobody) // the real cards prevail (GEN-001)
	for _, c := range e.names {
		s.cards.RecordCard(c, locEnvelope, hidden.Everyone)
		s.cards.RemoveClaimsExceptFrom(c, locUnknown)
	}
}

// applyWrongAccusation marks a wrong accuser, and records the envelope where the program knows what it found.
func (s *state) applyWrongAccusation(e *event) {
	s.seats[e.seat].accusedWrongly = true
	s.step = stepNone
	what, ok := e.accusation.Open()
	if !ok {
		return
	}
	s.seats[e.seat].sawEnvelope = true
	for _, c := range what {
		s.cards.RecordCard(c, locEnvelope, s.cards.AudienceOf(c).Union(hidden.OnlySeats(e.seat)))
	}
	s.addSighting(e.seat, setOf(what), engine.Sighting{How: engine.SawEnvelope})
}

func (s *answerState) applyCorrection(e *event) {
	a, _ := e.correction.Open()
	s.correction = e.correction.WithAudience(hidden.OnlySeats(a.seat))
	s.startShowing(showing{reason: reasonCorrection, from: a.seat, to: a.to, openToAll: a.to == 0}, e.at)
	d, _ := s.denials.Open()
	s.denials = hidden.New(d.withoutAnswer(a), hidden.Nobody)
}

func (s *boardState) sendPawnHome(who uint8) {
	s.pawns[who] = s.book.startPosition(who)
	if y := s.seatPlaying(who); y != 0 {
		s.seats[y].displaced = false
	}
}

// applyOver ends the game. With the debrief on, hands and solution are shown; which seat showed
// which card stays secret (GEN-008).
func (s *recordState) applyOver(e *event) {
	s.phase, s.step, s.active, s.asked, s.closes = over, stepNone, 0, 0, 0
	winners := rules.SeatsOf(e.n, maxSeats)
	if s.policyValue(polDebrief) == "on" {
		for c := card(1); c <= s.book.lastCard[kindRoom]; c++ {
			if l := s.cards.LocationOf(c); l == locEnvelope || l > custody.HandBase {
				s.cards.AddAudience(custody.NewSet(c), hidden.Everyone)
			}
		}
	}
	s.result = &engine.Result{Rule: e.text, Winners: winners, Msg: s.resultMessage(winners)}
}
