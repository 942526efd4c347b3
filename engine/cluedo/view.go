package cluedo

import (
	"slices"

	"majordome/engine"
	"majordome/engine/internal/rules"
)

// Numbers of story lines in a view: for all, and for a seat.
const (
	logLines  = 12
	seatLines = 40
)

// View shows the game to one viewer. It and everything it calls read hidden values only for that
// viewer, except where a public rule needs a count.
func (s *state) View(v engine.Viewer) engine.View {
	public := s.publicView()
	switch v {
	case engine.Public:
		return public
	case engine.Overseer:
		return public.ToOverseerView(s.hiddenHoldings())
	}
	part := s.BuildPart(&public, v)
	return public.WithViewerPart(&part)
}

func (s *state) publicView() engine.View {
	k, reach := s.knowledgeFor(engine.Public), areas(0)
	if !s.diceUnknown { // otherwise every room would be lit
		reach = s.moveGoals().rooms
	}
	out := engine.View{
		Game: s.book.Game, Viewer: engine.Public.String(), Phase: phaseRows[s.phase].code,
		Active: s.awaitedSeats(), Switches: s.activeSwitches(), Seats: k.seatViews(), Places: s.placeViews(reach),
		Shown:   s.book.cardEngineIDs(uint64(k.openCards & s.book.mysteryCards())),
		Gone:    s.book.cardEngineIDs(uint64(k.openCards &^ s.book.mysteryCards())),
		Readers: s.readerViews(), Log: s.log.LastReadableLines(engine.Public, logLines), Happened: s.log.LastHappenings(),
		Case:   s.caseView(reach),
		Offers: []engine.Offer{},
	}
	if s.book.trackLimit() > 0 && (s.phase == turn || s.phase == over) {
		out.Clock = engine.Clock{At: int(s.track), Of: int(s.book.trackLimit()) + 1, Mark: int(s.book.trackLimit()) + 1,
			Open: s.track == s.book.trackLimit()}
	}
	out.Mood = s.count.MoodWhileStopped()
	if s.result != nil {
		r := *s.result
		r.Solution = s.book.cardEngineIDs(uint64(k.knownEnvelope() & k.openCards))
		out.Result = &r
	}
	out.Prompt, out.Rule = k.promptFor(engine.Public)
	return out
}

// Progress returns what publicView says of it.
func (s *state) Progress() engine.Progress {
	return engine.Progress{Phase: phaseRows[s.phase].code, LastHappening: s.log.LastNumber(), Over: s.result != nil}
}

// BuildPart returns what the host or a seat sees in addition to the public view.
func (s *state) BuildPart(public *engine.View, v engine.Viewer) engine.ViewerPart {
	k, out := s.knowledgeFor(v), public.ViewerPart()
	out.Viewer = v.String()
	out.Prompt, out.Rule = k.promptFor(v)
	out.Offers = k.offersFor(v)
	engine.FillSecretRefusals(s, s.since, v, out.Offers) // by Decide, which knows more: see TestTwoWorldsAllGame
	if v.IsHost() {
		out.Custody = k.custodyViews()
	}
	if x, ok := v.Seat(); ok {
		out.Log = s.log.LastReadableLines(v, seatLines)
		heard := *public.Case
		heard.Past = s.questions.heardBy(v, s.book)
		out.Case = &heard
		if s.isSeated(x) {
			out.Me = k.ownView(x)
			out.Me.Seen = s.sights.NewestSightingsOf(v, uint64(k.knownHand(x)|k.openCards), s.book.engineID)
		}
	}
	return out
}

// awaitedSeats returns the seats that must act, by public facts.
func (s *public) awaitedSeats() []engine.Seat {
	out := []engine.Seat{}
	if s.count.IsPlayStopped() {
		return out
	}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if s.canActInWindow(x) {
			out = append(out, x)
		}
	}
	if x := s.awaitedSeat(); x != 0 {
		out = append(out, x)
	}
	return out
}

func (k *knowledge) seatViews() []engine.SeatView {
	out := []engine.SeatView{}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		p := &k.seats[x]
		if !k.isSeated(x) {
			continue
		}
		v := engine.SeatView{Seat: x, Colour: k.book.suspectColour(p.suspect), Name: k.names[x],
			Character: engine.ID(k.book.cardID[p.suspect]),
			Place:     engine.ID(k.book.areaID[k.pawns[p.suspect].area]), Cards: int(p.cards), Tokens: int(p.butlers),
			Alive: !p.dead, Out: p.accusedWrongly, Spent: p.powerSpent, First: x == k.firstSeat, Done: k.phase == dealing && p.dealt,
			Hand: k.book.cardEngineIDs(uint64(k.knownHand(x) & k.openCards))}
		out = append(out, v)
	}
	return out
}

// suspectColour returns the colour of a suspect's pawn, counted from 1; 0: the deck gives none.
func (b *Book) suspectColour(who uint8) int {
	return slices.Index(engine.Colours[:], b.deck.Suspects[who-1].Colour) + 1
}

func (s *public) placeViews(reach areas) []engine.PlaceView {
	out := []engine.PlaceView{}
	for a := area(1); int(a) < len(s.book.areaID); a++ {
		v := engine.PlaceView{Place: engine.ID(s.book.areaID[a]), Open: true, Pawns: []engine.Seat{}, Lamp: engine.LampOpen}
		v.Cards = int(s.faceDownCount[a])
		for x := engine.Seat(1); x <= maxSeats; x++ {
			if s.isSeated(x) && s.pawns[s.seats[x].suspect].area == a {
				v.Pawns = append(v.Pawns, x)
			}
		}
		switch {
		case s.phase == turn && s.hyp.by != 0 && s.hypothesisRoom() == a,
			s.phase == turn && (s.step == stepAct || s.step == stepLook) && s.activeArea() == a:
			v.Lamp = engine.LampHere
		case reach.hasArea(a):
			v.Lamp = engine.LampReach
		}
		out = append(out, v)
	}
	return out
}

// readerViews says what each reader waits for, by public facts only.
func (s *public) readerViews() []engine.ReaderView {
	out := []engine.ReaderView{}
	for _, r := range []string{engine.ReaderUrn, engine.ReaderShow} {
		if k := s.expectedKind(r); k != kindNone && !s.acceptsCardUnasked(k) {
			name := engine.ID("mystery-card")
			if k == kindEvent {
				name = "event-card"
			}
			out = append(out, engine.ReaderView{Reader: r, Kind: name, Seat: s.awaitedSeat()})
		}
	}
	return out
}

func (s *public) caseView(reach areas) *engine.Case {
	c := &engine.Case{Turn: s.active, Step: s.stepCode(), Dice: []int{}, Points: s.pointsLeft(), Way: s.way.String(),
		Reach: []engine.ID{},
		Pawns: []engine.Pawn{}, Tokens: []engine.Token{}, Pile: s.drawPileSize(), Pool: int(s.faceDownCount[s.book.pool]),
		Virtual: s.virtual}
	if s.isStepTimed() { // the moment when an answer takes effect is secret: it would reveal that there is one
		c.Opened, c.Closes = s.since, s.closes
	}
	if s.rolled {
		c.Dice = []int{int(s.dice[0]), int(s.dice[1])}
	}
	if s.book.board != nil {
		for _, r := range s.book.areaIDs(reach) {
			c.Reach = append(c.Reach, engine.ID(r))
		}
	}
	for who := s.book.firstCard[kindSuspect]; who <= s.book.lastCard[kindSuspect]; who++ {
		p := s.pawns[who]
		c.Pawns = append(c.Pawns, engine.Pawn{Suspect: engine.ID(s.book.cardID[who]), At: engine.ID(s.book.areaID[p.area]),
			Square: p.squareText(), Gone: p.kind == onNothing})
	}
	for w := s.book.firstCard[kindWeapon]; w <= s.book.lastCard[kindWeapon]; w++ {
		c.Tokens = append(c.Tokens, engine.Token{Weapon: engine.ID(s.book.cardID[w]),
			At: engine.ID(s.book.areaID[s.tokens[s.book.tokenNumber(w)]])})
	}
	h := &s.hyp
	if h.by == 0 {
		h = &s.lastHyp
	}
	if h.by != 0 {
		c.Hypothesis = &engine.Hypothesis{By: h.by, Suspect: engine.ID(s.book.cardID[h.namedCards[0]]),
			Weapon: engine.ID(s.book.cardID[h.namedCards[1]]),
			Room:   engine.ID(s.book.cardID[h.namedCards[2]]), Answers: s.publicAnswers(h)}
	}
	return c
}

func (s *seatedTurn) publicAnswers(h *hypothesis) []engine.Answer {
	out := []engine.Answer{}
	for x := s.nextSeatLeftOf(h.by); x != h.by; x = s.nextSeatLeftOf(x) {
		switch {
		case h.answerOf[x] == saidNone:
			out = append(out, engine.Answer{Seat: x, Said: "none"})
		case h.answerOf[x] == saidShown:
			out = append(out, engine.Answer{Seat: x, Said: "shown"})
		case s.isAnswering() && s.asked == x:
			out = append(out, engine.Answer{Seat: x, Said: "asked"})
		}
	}
	return out
}

// drawPileSize returns how many event cards are in the draw pile, by public counts.
func (s *boardState) drawPileSize() int {
	if s.book.hasClueCards() {
		return s.cluePileSize()
	}
	n := s.book.cardsOfKind(kindEvent).Count() - int(s.track) - int(s.butlersGone)
	for x := range s.seats {
		n -= int(s.seats[x].butlers)
	}
	return n
}

// ownView returns what seat x knows. Marks and sightings come from its own knowledge.
func (k *knowledge) ownView(x engine.Seat) *engine.Own {
	me := &engine.Own{Seat: x, Hand: []engine.CardView{}, Tray: []engine.ID{}, Facts: k.limitsOnSeat(x), Seen: []*engine.Sighting{}}
	var fits set
	if k.asked == x && k.expectedKind(engine.ReaderShow) == kindSuspect {
		fits = k.showableCards(x, k.wanted)
	}
	for h := k.knownHand(x); h != 0; h &= h - 1 {
		c := h.First()
		v := engine.CardView{Card: engine.ID(k.book.cardID[c])}
		if fits.Contains(c) {
			v.Marks = append(v.Marks, "fits")
		}
		if k.book.kindOf(c) == kindEvent && k.phase == turn && !k.count.Counting &&
			k.canUseSpecial(butlers.findSpecial(k.book.eventKindOf[c]), x) {
			v.Marks = append(v.Marks, "play")
		}
		me.Hand = append(me.Hand, v)
	}
	if k.active == x && k.lookedAreas.hasArea(k.activeArea()) && k.isUninterrupted() {
		me.Tray = k.book.cardEngineIDs(uint64(k.knownFaceDown(k.activeArea())))
	}
	return me
}

// limitsOnSeat returns what binds or concerns only this seat now.
func (k *knowledge) limitsOnSeat(x engine.Seat) []engine.Msg {
	out := []engine.Msg{}
	if k.hasAnswered {
		out = append(out, engine.NewMsg("cl.fact.answered"))
	} else if slices.Contains(k.holderCandidates(), x) && k.knownHand(x).Contains(k.showing.card) {
		out = append(out, engine.NewMsg("cl.fact.sought", "sought", k.book.cardID[k.showing.card]))
	}
	if k.isCorrecting {
		key := "cl.fact.amend"
		if k.correction.assumed {
			key = "cl.fact.amend.unsaid"
		}
		out = append(out, engine.NewMsg(key))
	}
	if k.phase == turn && x == k.active && k.canStay() {
		out = append(out, engine.NewMsg("cl.fact.stay"))
	}
	if k.phase == turn && k.seats[x].butlers > 0 && k.canRepeatHypothesis(x) {
		out = append(out, engine.NewMsg("cl.fact.second"))
	}
	return out
}

// custodyViews reports to the host how far hands are known (GEN-020 to GEN-022): from what each
// seat has presented or named, not from the present records. A hand that was named proves nothing,
// so it is known in part at most.
func (k *knowledge) custodyViews() []engine.Custody {
	out := []engine.Custody{}
	if k.phase != dealing && !k.isDealComplete() {
		return out
	}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		switch p := &k.seats[x]; {
		case p.dead:
			out = append(out, engine.Custody{Of: x.String(), Cards: rules.GradeOf((k.knownHand(x) & k.openCards).Count(), 0, int(p.cards))})
		case k.isSeated(x):
			out = append(out, engine.Custody{Of: x.String(),
				Cards: rules.GradeOf(int(p.cardsPresented+p.butlersNamed), int(p.cardsClaimed), int(p.cards+p.butlers))})
		}
	}
	return append(out, engine.Custody{Of: "envelope", Cards: rules.GradeOf(int(k.envelopeCards), 0, 3)})
}
