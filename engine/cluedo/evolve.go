package cluedo

import (
	"slices"
	"strings"

	"majordome/engine"
	"majordome/engine/board"
	"majordome/engine/internal/box"
	"majordome/engine/internal/custody"
)

// Evolve applies events to a copy. It decides nothing: the results of dice, choices and rules are
// in the events. An event of another game changes nothing.
func (s *state) Evolve(all ...engine.Event) engine.Game {
	next := s
	for _, e := range all {
		if ev, _ := e.(*event); ev != nil {
			next = next.evolved(ev, next != s)
		}
	}
	return next
}

// evolveOne returns the game after e. If own is true, s is a copy that only the caller has, and is
// changed in place, unless recording e needs the state before it.
func (s *state) evolved(e *event, own bool) *state {
	next, was := s, (*state)(nil)
	if before := events[e.kind].Before; before || !own {
		next = s.copied()
		if before {
			was = s
		}
	}
	next.apply(e)
	next.narrate(was, e)
	next.hear(e)
	return next
}

func (s *state) copied() *state {
	c := *s
	return &c
}

// apply changes the state by one event, in place. It must be a copy that only the caller has.
func (s *state) apply(e *event) {
	row := &events[e.kind]
	row.Apply(s, e)
	if !row.NoAct {
		s.passedOn = nil
	}
}

// setLastRead remembers the card that was accepted last, until another step waits for a card:
// reading the same card again is not a second act (GEN-E04). A shown card is not remembered,
// because no reader waits for a card before another seat is asked or a card is drawn.
func (s *answerState) keepRead(c box.Small[card], at engine.Millis) { s.read, s.readAt = c, at }

// clearLastRead forgets that card, when such a step begins.
func (s *answerState) nothingRead() { s.read = box.Small[card]{} }

// setPlayer puts a player into a seat; a suspect of zero empties the seat.
func (s *seating) sit(x engine.Seat, name string, who uint8) {
	names := *s.names
	names[x] = name
	s.names, s.seats[x] = &names, player{who: who}
}

func (s *public) begin(e *event) {
	s.layTokens() // by the house rules as they are now
	if rooms := strings.Fields(e.text); len(rooms) > 0 {
		for w := range len(s.book.deck.Weapons) {
			s.tokens[w+1] = s.book.areas[rooms[w%len(rooms)]]
		}
	}
	if s.book.dealsFirst() {
		s.phase = starting
		return
	}
	s.handOut(0)
}

func (s *boardState) layTokens() {
	for w := range s.tokens {
		s.tokens[w] = s.shelf()
	}
}

// tokenStart returns the area where the weapons begin; zero: somewhere on the board.
func (h *houseRules) shelf() area {
	switch h.rule(polWeapons) {
	case "pool":
		return h.book.pool
	case "start":
		return h.book.areas[string(h.book.deck.Start)]
	}
	return 0
}

// stepAfterStop returns the step after a stop in the middle of a move (SC-056, SC-061).
func (s *seatedTurn) goesOn() step {
	if s.points > 0 {
		return stepMove
	}
	return s.onward(stepMove)
}

// startDeal begins the deal; the hands left of the dealer get one card more (SC-008).
func (s *public) handOut(dealer engine.Seat) {
	s.phase, s.dealer, s.asked = dealing, dealer, 0
	s.layHidden()
	each, rest := s.shares()
	if s.rule(polDeal) == "equal" {
		s.lying[s.book.pool], rest = rest, 0
	}
	s.inOrder(dealer%maxSeats+1, func(x engine.Seat) {
		s.seats[x].cards = each
		if rest > 0 {
			s.seats[x].cards, rest = each+1, rest-1
		}
	})
}

// applyTies lets the seats that have rolled highest roll once more (C8-011).
func (s *seating) rollAgain(e *event) {
	for x := range s.seats {
		s.seats[x].rolled = outrolled
		if e.n&(1<<x) != 0 {
			s.seats[x].rolled = 0
		}
	}
}

// applySealed puts a card into the envelope. A card in there must behave as any other card, so it
// is not remembered as read.
func (s *recordState) seal(e *event) {
	c, read := e.card.Open()
	if read {
		s.cards.Put(c, locEnvelope, box.Nobody)
		s.sealed++
	}
	if !read || s.sealed == 3 && s.laying() == 0 {
		s.nextHand()
	}
}

func (s *answerState) present(e *event) {
	c, _ := e.card.Open()
	s.got(e.seat, c)
	if s.phase == dealing {
		s.seats[e.seat].told++
		s.seats[e.seat].dealt = s.known(e.seat)
		s.nextHand()
	}
	if s.asked == e.seat {
		s.keepRead(hide(c), e.at)
	} else { // if a copy of this hand's last card were ignored, the next hand would learn which it was (GEN-E13)
		s.nothingRead()
	}
}

func (s *recordState) dealAll(e *event) {
	d, _ := e.deal.Open()
	for c := card(1); c <= s.book.to[kindRoom]; c++ {
		aud := box.Nobody
		if d[c] > custody.Hand {
			aud = box.Only(engine.Seat(d[c] - custody.Hand))
		}
		s.cards.Put(c, d[c], aud)
	}
	for x := range s.seats {
		s.seats[x].dealt, s.seats[x].told = true, s.seats[x].cards
	}
	s.virtual, s.sealed = true, 3
}

// callNextHand calls the first seat left of the dealer whose hand is still awaited, if any.
func (s *public) nextHand() {
	s.asked = 0
	s.inOrder(s.dealer%maxSeats+1, func(x engine.Seat) {
		if s.asked == 0 && !s.seats[x].dealt {
			s.asked = x
		}
	})
}

func (s *answerState) roll(e *event) {
	s.nothingRead()
	s.seats[e.seat].owed = 0
	s.rolled, s.dice, s.points, s.draws = true, e.dice, e.dice[0]+e.dice[1], 0
	for _, d := range e.dice {
		if d == 0 {
			s.points += uint8(s.book.MarkedFace.Points)
			s.draws += uint8(s.book.MarkedFace.Draws)
		}
	}
	if s.rule(polClues) == "off" {
		s.draws = 0
	}
	if s.moves > 0 && !s.believed { // otherwise startMoving has counted the roll
		s.moves--
	}
	s.believed, s.guessed, s.faces = false, false, 0
	s.byDice()
	s.enter(s.onward(stepStart), e.at)
}

func (h *houseRules) onward(p step) step {
	all := h.book.turn
	return all[min(slices.Index(all, p)+1, len(all)-1)]
}

func (s *public) enter(p step, at engine.Millis) {
	s.part = p
	s.goTo(p, at)
}

// resumePhase returns to the phase of the turn that was interrupted, or to the one that was to
// follow.
func (s *public) resume(at engine.Millis) { s.goTo(s.part, at) }

// startStep begins a step; pending draws come before it.
func (s *public) goTo(st step, at engine.Millis) {
	s.step, s.waiting = st, waiting{wait: s.wait + 1, since: at}
	if s.exhausted() {
		s.draws = 0
	}
	switch {
	case s.draws > 0 && st == s.part:
		s.step = stepDraw
	case st == stepShown:
		s.closes = at + engine.Millis(s.book.deck.Window)
	default: // steps without a window ignore this
		s.closes = at + engine.Millis(s.book.deck.Pause)
	}
}

func (s *state) beginTurn(e *event) {
	s.nothingRead()
	x := e.seat
	if s.phase == dealing {
		s.dealtOut()
	}
	s.keepTurn(x)
	if s.phase != turn {
		s.phase, s.first = turn, x
	}
	heard := s.hyp
	if heard.by == 0 {
		heard = s.heard
	}
	s.turnState = turnState{round: e.n, active: x, heard: heard}
	s.stays = s.seats[x].brought
	s.seats[x].brought = false
	s.began = s.here()
	s.enter(s.outset(), e.at)
}

// applyMoved ends a move.
func (s *answerState) walk(e *event) {
	s.nothingRead()
	s.seats[e.seat].owed = 0
	p := &s.pawns[s.seats[e.seat].who]
	from := p.area
	_, square := e.pos.square()
	still := square && *p == e.pos && s.walks().Total != board.Exact // staying on a square uses no point (C8-055)
	s.leftAreas = s.leftAreas.with(from)
	*p = e.pos
	how := wayOf(e.text)
	if s.way == wayNone {
		s.way = how
	}
	marked := s.marked(e.pos) && !still
	s.moved, s.points, s.obliged = true, 0, how == wayBoth
	s.thrown, s.faces = true, 0
	s.part = s.onward(stepMove)
	switch {
	case how == wayBoth: // points are left over in an area that is not a room (SC-056)
		s.points, s.guessed = uint8(e.n), s.book.passage[from] != e.pos.area
		s.part = s.goesOn()
	case !marked, !s.pausesOnMarks() && !s.book.draws():
	case !s.pausesOnMarks(): // C8-049: the turn is over after the draw
		s.draws, s.part = 1, stepEnd
	case !s.used(s.mark(e.pos)):
		s.points, s.guessed = uint8(e.n), s.book.board == nil || s.believed
		s.part = s.goesOn()
		s.goTo(stepSpy, e.at)
		return
	}
	if s.moves > 0 { // C8-171: the second roll follows in any case
		s.part = s.outset()
	}
	s.resume(e.at)
}

// applyHypothesis moves pawn and token to the room of the hypothesis.
func (s *answerState) suppose(e *event) {
	s.nothingRead()
	who, to := uint8(e.names[0]), s.book.roomOf(e.names[2])
	s.hyp = hypothesis{by: e.seat, what: e.names}
	s.seats[e.seat].last = to
	s.part = s.onward(stepAct)
	s.tokens[s.book.token(e.names[1])] = to
	if p := &s.pawns[who]; p.kind != onNothing && p.area != to {
		*p = pos{area: to}
		if y := s.playing(who); y != 0 {
			s.seats[y].brought = true
		}
	}
	s.showing = showing{why: whyAnswer, to: e.seat}
	next := stepShowing
	switch {
	case e.other == 0:
	case s.rule(polTiming) == "immediate" && !s.exhausted():
		next, s.asked = stepDisplaced, e.other
	default:
		s.seats[e.other].owed++
	}
	s.goTo(next, e.at)
}

func (s *answerState) keepReply(e *event) {
	a, _ := e.reply.Open()
	s.reply = box.Seal(a, box.Only(e.seat))
	s.closes = e.at + engine.Millis(s.book.deck.AnswerDelay)
	s.wait++
}

func (s *answerState) settle(e *event) {
	s.endAsking()
	if s.showing.why == whySpied { // the chosen hand is empty: another one is chosen
		s.goTo(stepSpy, e.at)
		return
	}
	s.resume(e.at)
}

// addSighting records in the story that seat x saw these cards.
func (s *state) saw(x engine.Seat, cs set, g engine.Sighting) {
	g.Cards, g.Round = s.book.engineIDs(uint64(cs)), int(s.round)
	s.sights = s.sights.Add(x, uint64(cs), g)
}

func (s *state) witness(e *event) {
	if c, ok := e.card.Open(); ok {
		s.widen(c, e.other, e.seat)
		s.saw(e.seat, set(0).With(c), engine.Sighting{How: engine.SawShown, Other: e.other})
	}
	s.showing.passed |= 1 << e.seat
}

func (s *recordState) openEnvelope(e *event) {
	s.cards.PutAll(s.cards.In(locEnvelope), locUnknown, box.Nobody) // the real cards prevail (GEN-001)
	for _, c := range e.names {
		s.cards.Put(c, locEnvelope, box.All)
		s.cards.Surface(c, locUnknown)
	}
}

// applyWrong marks a wrong accuser, and records the envelope where the program knows what it found.
func (s *state) accuseWrongly(e *event) {
	s.seats[e.seat].wrong = true
	s.step = stepNone
	what, ok := e.accused.Open()
	if !ok {
		return
	}
	s.seats[e.seat].looked = true
	for _, c := range what {
		s.cards.Put(c, locEnvelope, s.cards.Known(c).With(box.Only(e.seat)))
	}
	s.saw(e.seat, setOf(what), engine.Sighting{How: engine.SawEnvelope})
}

func (s *answerState) askAgain(e *event) {
	a, _ := e.amend.Open()
	s.amend = e.amend.For(box.Only(a.seat))
	s.call(showing{why: whyAmend, from: a.seat, to: a.to, open: a.to == 0}, e.at)
	d, _ := s.denied.Open()
	s.denied = box.Seal(d.without(a), box.Nobody)
}

func (s *boardState) sendHome(who uint8) {
	s.pawns[who] = s.book.home(who)
	if y := s.playing(who); y != 0 {
		s.seats[y].brought = false
	}
}

// applyOver ends the game. With the debrief on, hands and solution are shown; which seat showed
// which card stays secret (GEN-008).
func (s *recordState) finish(e *event) {
	s.phase, s.step, s.active, s.asked, s.closes = over, stepNone, 0, 0, 0
	winners := []engine.Seat{}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if e.n&(1<<x) != 0 {
			winners = append(winners, x)
		}
	}
	if s.rule(polDebrief) == "on" {
		for c := card(1); c <= s.book.to[kindRoom]; c++ {
			if l := s.cards.At(c); l == locEnvelope || l > custody.Hand {
				s.cards.Show(custody.Of(c), box.All)
			}
		}
	}
	s.result = &engine.Result{Rule: e.text, Winners: winners, Msg: s.resultMsg(winners)}
}
