package cluedo

import (
	"strconv"

	"majordome/engine"
	"majordome/engine/internal/rules"
	"majordome/engine/internal/story"
)

// logSat is the line that a player has sat down.
const logSat = "cl.log.sat"

// storyRecorder adds an event to the story. For what all players read, it uses only the event and
// what all players see.
type storyRecorder struct {
	*public // after the event
	story.Recorder
	e                  *event
	newState, oldState *state // whole states, for private lines and the end; oldState is nil unless the event's row asks for it
}

// newHappening returns a happening of a seat, with cards that all see or that were named aloud; each
// may be zero.
func (h *houseRules) newHappening(what string, x engine.Seat, cards ...card) engine.Happening {
	one := engine.Happening{What: what, Seat: x}
	for _, c := range cards {
		one.Cards = append(one.Cards, engine.ID(h.book.cardID[c]))
	}
	return one
}

func newHappeningBetween(what string, x, y engine.Seat) engine.Happening {
	return engine.Happening{What: what, Seat: x, Other: y}
}

// recordPawnPlace records the present place of a seat's pawn; zero: the pawn has no player.
func (t storyRecorder) recordPawnPlace(x engine.Seat) {
	if x != 0 {
		t.AddHappening(engine.Happening{What: engine.HapMoved, Seat: x, Place: engine.ID(t.book.areaID[t.pawns[t.seats[x].suspect].area])})
	}
}

// addToStory adds to the story what e has changed, by its row. was is the state before, nil unless the
// row asks for it, and s the state after.
func (s *state) addToStory(was *state, e *event) {
	r := &eventRows[e.kind]
	f := rules.Facts{Seat: e.seat, Other: e.other, Place: engine.ID(s.book.areaID[e.pos.area]),
		Card: engine.ID(s.book.cardID[e.openCard]), Character: engine.ID(s.book.cardID[s.seats[e.seat].suspect]), N: int(e.n), Rule: e.text}
	s.log = r.AddToLog(s.log, int(s.round), f)
	if r.Narrate != nil {
		r.Narrate(storyRecorder{&s.public, story.Recorder{Log: &s.log, Round: int(s.round)}, e, s, was})
	}
}

// recordRose removes the line that a player has sat down there: the story has nothing else about a
// seat in the lobby.
func (t storyRecorder) recordRose() {
	*t.Log = t.Log.WithoutLines(func(m engine.Msg) bool { return m.Args.Get("seat") == t.e.seat.String() })
}

func (t storyRecorder) recordBegun() {
	t.AddHappeningLine(t.newHappening(engine.HapBegun, 0), "cl.log.begun", "n", strconv.Itoa(t.playerCount()))
}

func (t storyRecorder) recordHiddenPlaced() {
	if _, read := t.e.card.Open(); read {
		t.AddHappening(engine.Happening{What: engine.HapLaid, Place: engine.ID(t.book.areaID[t.e.pos.area])})
	}
}

func (t storyRecorder) recordSealed() {
	if t.asked != 0 || t.hiddenRoomToRead() != 0 {
		t.AddLine("cl.log.sealed")
	}
}

func (t storyRecorder) recordPresented() {
	if t.phase == dealing && t.seats[t.e.seat].dealt {
		t.AddLine("cl.log.dealt", "seat", t.e.seat.String())
	}
}

// recordDealOver records that the deal is over, before what comes after it.
func (s *state) recordDealOver() { s.log = s.log.AddHappening(s.newHappening(engine.HapDealt, 0)) }

func (t storyRecorder) recordDraw() {
	x := t.e.seat.String()
	switch c, named := t.e.card.Open(); {
	case t.e.openCard != 0 && t.track == t.oldState.track:
		t.AddHappeningLine(t.newHappening(engine.HapMidnight, t.e.seat), "cl.log.eighth", "seat", x)
	case t.e.openCard != 0:
		t.AddHappeningLine(t.newHappening(engine.HapStruck, t.e.seat), "cl.log.time", "seat", x, "n", strconv.Itoa(int(t.track)))
	default:
		t.AddHappeningLine(t.newHappening(engine.HapDrew, t.e.seat), "cl.log.butler", "seat", x)
		if named {
			t.AddPrivateLine(t.e.seat, "cl.log.butler.own", "card", t.book.cardID[c])
		}
	}
}

func (t storyRecorder) recordMurder() {
	h := t.newHappening(engine.HapMurdered, t.e.seat)
	h.Cards = t.newState.faceUpHand(t.e.seat)
	t.AddHappeningLine(h, "cl.log.murdered", "seat", t.e.seat.String())
}

// faceUpHand returns the face-up cards in the hand of x.
func (s *answerState) faceUpHand(x engine.Seat) []engine.ID {
	k := s.knowledgeFor(engine.Public)
	return s.book.cardEngineIDs(uint64(k.knownHand(x) & k.openCards & s.book.mysteryCards()))
}

func (t storyRecorder) recordMove() {
	x := t.e.seat.String()
	t.recordPawnPlace(t.e.seat)
	how := parseWay(t.e.text)
	if how == wayPassage || how == wayBoth {
		t.AddLine("cl.log.passage", "seat", x)
	}
	switch from := t.oldState.pawns[t.oldState.seats[t.e.seat].suspect].area; {
	case from != 0 && from == t.e.pos.area && (how == wayStay || how == wayCard):
		t.AddLine("cl.log.stayed", "seat", x, "room", t.book.areaID[from])
	case t.e.pos.area != 0:
		t.AddLine("cl.log.entered", "seat", x, "room", t.book.areaID[t.e.pos.area])
	case t.drawsOrSpiesOn(t.e.pos) && t.hasSpySquares():
		t.AddLine("cl.log.spy-square", "seat", x)
	case t.drawsOrSpiesOn(t.e.pos):
		t.AddLine("cl.log.question", "seat", x)
	default:
		t.AddLine("cl.log.walked", "seat", x)
	}
}

func (t storyRecorder) recordRoll() {
	t.AddLine("cl.log.rolled", "seat", t.e.seat.String(), "dice", t.book.rollForSentence(t.e.dice))
}

func (t storyRecorder) recordHypothesis() {
	t.AddHappeningLine(t.newHappening(engine.HapAsked, t.e.seat, t.e.names[:]...), "cl.log.hypothesis", "seat", t.e.seat.String(),
		"suspect", t.book.cardID[t.e.names[0]], "weapon", t.book.cardID[t.e.names[1]], "room", t.book.cardID[t.e.names[2]])
	if who := uint8(t.e.names[0]); t.pawns[who] != t.oldState.pawns[who] {
		t.recordPawnPlace(t.seatPlaying(who))
	}
}

func (t storyRecorder) recordShown() {
	x := t.e.seat.String()
	t.AddHappeningLine(newHappeningBetween(engine.HapShown, t.e.seat, t.e.other), showingRows[t.showing.reason].log, "seat", x,
		"other", t.e.other.String())
	if c, ok := t.e.card.Open(); ok {
		t.AddPrivateLine(t.e.other, "cl.log.shown.own", "seat", x, "card", t.book.cardID[c])
		t.AddPrivateLine(t.e.seat, "cl.log.showed.own", "other", t.e.other.String(), "card", t.book.cardID[c])
	}
}

// recordRevealed names a card that all have seen, if it was named.
func (t storyRecorder) recordRevealed() {
	if t.e.openCard == 0 {
		t.AddHappeningLine(t.newHappening(engine.HapShown, t.e.seat), "cl.log.revealed", "seat", t.e.seat.String())
		return
	}
	t.AddHappeningLine(t.newHappening(engine.HapShown, t.e.seat, t.e.openCard), "cl.log.revealed.card", "seat", t.e.seat.String(),
		"card", t.book.cardID[t.e.openCard])
}

func (t storyRecorder) recordSawShown() {
	t.recordSight("cl.log.saw")
}

func (t storyRecorder) recordLooked() {
	t.recordSight("cl.log.looked")
	if c, ok := t.e.card.Open(); ok {
		t.AddPrivateLine(t.e.other, "cl.log.looked.own", "seat", t.e.seat.String(), "card", t.book.cardID[c])
	}
}

func (t storyRecorder) recordSight(key string) {
	t.AddHappeningLine(newHappeningBetween(engine.HapLooked, t.e.seat, t.e.other), key, "seat", t.e.seat.String(), "other",
		t.e.other.String())
	if c, ok := t.e.card.Open(); ok {
		t.AddPrivateLine(t.e.seat, "cl.log.shown.own", "seat", t.e.other.String(), "card", t.book.cardID[c])
	}
}

func (t storyRecorder) recordPeeked() {
	key, own, seen := "cl.log.peeked", "cl.log.peeked.own", t.newState.knowledgeFor(engine.SeatViewer(t.e.seat)).knownFaceDown(t.e.pos.area)
	if t.e.pos.area != t.book.pool {
		key, own = "cl.log.looked-hidden", "cl.log.looked-hidden.own"
	}
	if c, named := t.e.card.Open(); named && seen == 0 {
		seen = seen.WithCard(c)
	}
	room := t.book.areaID[t.e.pos.area]
	t.AddHappeningLine(engine.Happening{What: engine.HapPeeked, Seat: t.e.seat, Place: engine.ID(room)}, key, "seat", t.e.seat.String(),
		"room", room)
	for ; seen != 0; seen &= seen - 1 {
		t.AddPrivateLine(t.e.seat, own, "room", room, "card", t.book.cardID[seen.First()])
	}
}

func (t storyRecorder) recordAccused() {
	x := t.e.seat.String()
	what, named := t.e.accusation.ValueFor(engine.SeatViewer(t.e.seat))
	names := []string{"suspect", t.book.cardID[what[0]], "weapon", t.book.cardID[what[1]], "room", t.book.cardID[what[2]]}
	if _, aloud := t.e.accusation.ValueFor(engine.Public); aloud {
		t.AddHappeningLine(t.newHappening(engine.HapAccused, t.e.seat, what[:]...), "cl.log.accused", append(names, "seat", x)...)
		return
	}
	t.AddHappeningLine(t.newHappening(engine.HapAccused, t.e.seat), "cl.log.accused-secret", "seat", x)
	if named {
		t.AddPrivateLine(t.e.seat, "cl.log.accused.own", names...)
	}
}

func (t storyRecorder) recordWrongAccusation() {
	if what, ok := t.e.accusation.Open(); ok {
		t.AddPrivateLine(t.e.seat, "cl.log.debrief.solution", "suspect", t.book.cardID[what[0]], "weapon", t.book.cardID[what[1]],
			"room", t.book.cardID[what[2]])
	}
}

func (t storyRecorder) recordSentHome() {
	t.AddHappeningLine(newHappeningBetween(engine.HapSent, t.e.seat, t.seatPlaying(t.e.subject)), "cl.log.sent", "seat", t.e.seat.String(),
		"suspect", t.book.cardID[t.e.subject])
	t.recordPawnPlace(t.seatPlaying(t.e.subject))
}

func (t storyRecorder) recordCorrection() {
	key, own := "cl.log.amend", "cl.log.amend.own"
	if t.e.n != 0 { // that seat was not asked: it has answered nothing
		key, own = "cl.log.amend.unsaid", "cl.log.amend.unsaid.own"
	}
	t.AddPrivateLine(t.e.seat, own)
	t.AddHappeningLine(t.newHappening(engine.HapAmended, t.e.seat), key, "seat", t.e.seat.String())
}

func (t storyRecorder) recordCount() {
	switch n := strconv.Itoa(int(t.e.n)); {
	case t.e.seat != 0:
		t.AddLine("cl.log.count-seat", "seat", t.e.seat.String(), "n", n)
	case t.e.pos.area == t.book.pool:
		t.AddLine("cl.log.count-pool", "n", n)
	default:
		t.AddLine("cl.log.count-room", "room", t.book.areaID[t.e.pos.area], "n", n)
	}
}

// recordOver records the end, and before it the cards of the envelope if they decided. It takes
// these from the state before: a debrief, which shows all records, proves nothing.
func (t storyRecorder) recordOver() {
	if len(t.result.Winners) > 0 {
		k := t.oldState.knowledgeFor(engine.Public)
		t.AddHappening(engine.Happening{What: engine.HapProven, Seat: t.result.Winners[0],
			Cards: t.book.cardEngineIDs(uint64(k.knownEnvelope() & k.openCards))})
	}
	*t.Log = t.Log.AddHappening(t.newHappening(engine.HapOver, 0)).AddLineOnHappening(int(t.round), t.result.Msg)
	t.recordDebrief()
}

// recordDebrief records hands and solution after the end.
func (t storyRecorder) recordDebrief() {
	t.AddHands(t.newState.handsForDebrief(), "cl.log.debrief.1", "cl.log.debrief.2", "cl.log.debrief.3", "cl.log.debrief.4")
	if k := t.newState.recordedKnowledge(); t.policyValue(polDebrief) == "on" && k.knownEnvelope().Count() == 3 {
		what := t.book.cardIDs(k.knownEnvelope())
		t.AddLine("cl.log.debrief.solution", "suspect", what[0], "weapon", what[1], "room", what[2])
	}
}

// handsForDebrief returns the recorded hands after the end, if the table chose so (GEN-008).
func (s *recordState) handsForDebrief() (all []engine.Held) {
	if s.result == nil || s.policyValue(polDebrief) != "on" {
		return nil
	}
	k := s.recordedKnowledge()
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if cs := k.knownHand(x) & s.book.mysteryCards(); cs != 0 {
			all = append(all, engine.Held{Seat: x, Cards: s.book.cardEngineIDs(uint64(cs))})
		}
	}
	return all
}

// Chronicle returns the story of the game so far.
func (s *state) Chronicle([]engine.Suspicion) engine.Chronicle {
	c := s.log.Chronicle(s.handsForDebrief())
	if s.result == nil {
		return c
	}
	happened := s.log.AllHappenings()
	return s.log.WithFrontPage(c, listSuperlatives(s.View(engine.Public), happened), fatalHappening(happened))
}

// resultMessage says how the game ended. It does not use the rule, since an edition may have one
// number for all ends.
func (s *seating) resultMessage(winners []engine.Seat) engine.Msg {
	switch living, running := s.countLivingAndAbleToWin(); {
	case len(winners) > 0:
		return engine.NewMsg("cl.over.right", "seat", winners[0].String())
	case living == 0:
		return engine.NewMsg("cl.over.murdered")
	case running == 0:
		return engine.NewMsg("cl.over.lost")
	}
	return engine.NewMsg("cl.over.void")
}
