package cluedo

import (
	"slices"
	"strconv"

	"majordome/engine"
	"majordome/engine/internal/rules"
	"majordome/engine/internal/story"
)

// logSat is the line that a player has sat down.
const logSat = "cl.log.sat"

// storyRecorder adds an event to the story. For what all players read, it uses only the event and
// what all players see.
type teller struct {
	*public // after the event
	story.Teller
	e        *event
	now, was *state // whole states, for private lines and the end; stateBefore is nil unless the event's row asks for it
}

// happening returns a happening of a seat, with cards that all see or that were named aloud; each
// may be zero.
func (h *houseRules) hap(what string, x engine.Seat, cards ...card) engine.Happening {
	one := engine.Happening{What: what, Seat: x}
	for _, c := range cards {
		one.Cards = append(one.Cards, engine.ID(h.book.cardID[c]))
	}
	return one
}

func between(what string, x, y engine.Seat) engine.Happening {
	return engine.Happening{What: what, Seat: x, Other: y}
}

// recordPawnPlace records the present place of a seat's pawn; zero: the pawn has no player.
func (t *teller) tellStands(x engine.Seat) {
	if x != 0 {
		t.Happen(engine.Happening{What: engine.HapMoved, Seat: x, Place: engine.ID(t.book.areaID[t.pawns[t.seats[x].who].area])})
	}
}

// narrate adds to the story what e has changed, by its row. was is the state before, nil unless the
// row asks for it, and s the state after.
func (s *state) narrate(was *state, e *event) {
	r := &events[e.kind]
	f := rules.Facts{Seat: e.seat, Other: e.other, Place: engine.ID(s.book.areaID[e.pos.area]),
		Card: engine.ID(s.book.cardID[e.open]), Character: engine.ID(s.book.cardID[s.seats[e.seat].who]), N: int(e.n)}
	s.log = r.Told(s.log, int(s.round), f)
	if r.Tell != nil {
		s.log = r.Tell(teller{&s.public, story.Teller{Log: s.log, Round: int(s.round)}, e, s, was})
	}
}

// recordRose removes the line that a player has sat down there: the story has nothing else about a
// seat in the lobby.
func (t teller) tellRose() story.Log {
	t.Log = t.Log.Without(func(m engine.Msg) bool { return m.Args.Get("seat") == t.e.seat.String() })
	return t.Log
}

func (t teller) tellBegun() story.Log {
	t.TellOf(t.hap(engine.HapBegun, 0), "cl.log.begun", "n", strconv.Itoa(t.players()))
	return t.Log
}

func (t teller) tellLaid() story.Log {
	if _, read := t.e.card.Open(); read {
		t.Happen(engine.Happening{What: engine.HapLaid, Place: engine.ID(t.book.areaID[t.e.pos.area])})
	}
	return t.Log
}

func (t teller) tellSealed() story.Log {
	if t.asked != 0 || t.laying() != 0 {
		t.Tell("cl.log.sealed")
	}
	return t.Log
}

func (t teller) tellPresented() story.Log {
	if t.phase == dealing && t.seats[t.e.seat].dealt {
		t.Tell("cl.log.dealt", "seat", t.e.seat.String())
	}
	return t.Log
}

func (t teller) tellTurn() story.Log {
	t.TellOf(t.hap(engine.HapTurn, t.e.seat), "cl.log.turn", "seat", t.e.seat.String())
	return t.Log
}

// recordDealOver records that the deal is over, before what comes after it.
func (s *state) dealtOut() { s.log = s.log.Happen(s.hap(engine.HapDealt, 0)) }

func (t teller) tellDraw() story.Log {
	x := t.e.seat.String()
	switch c, named := t.e.card.Open(); {
	case t.e.open != 0 && t.track == t.was.track:
		t.TellOf(t.hap(engine.HapMidnight, t.e.seat), "cl.log.eighth", "seat", x)
	case t.e.open != 0:
		t.TellOf(t.hap(engine.HapStruck, t.e.seat), "cl.log.time", "seat", x, "n", strconv.Itoa(int(t.track)))
	default:
		t.TellOf(t.hap(engine.HapDrew, t.e.seat), "cl.log.butler", "seat", x)
		if named {
			t.Whisper(t.e.seat, "cl.log.butler.own", "card", t.book.cardID[c])
		}
	}
	return t.Log
}

func (t teller) tellMurder() story.Log {
	h := t.hap(engine.HapMurdered, t.e.seat)
	h.Cards = t.now.laidOpen(t.e.seat)
	t.TellOf(h, "cl.log.murdered", "seat", t.e.seat.String())
	return t.Log
}

// openHand returns the face-up cards in the hand of x.
func (s *answerState) laidOpen(x engine.Seat) []engine.ID {
	k := s.knowledge(engine.Public)
	return s.book.engineIDs(uint64(k.hand(x) & k.open & s.book.mystery()))
}

func (t teller) tellMove() story.Log {
	x := t.e.seat.String()
	t.tellStands(t.e.seat)
	how := wayOf(t.e.text)
	if how == wayPassage || how == wayBoth {
		t.Tell("cl.log.passage", "seat", x)
	}
	switch from := t.was.pawns[t.was.seats[t.e.seat].who].area; {
	case from != 0 && from == t.e.pos.area && (how == wayStay || how == wayCard):
		t.Tell("cl.log.stayed", "seat", x, "room", t.book.areaID[from])
	case t.e.pos.area != 0:
		t.Tell("cl.log.entered", "seat", x, "room", t.book.areaID[t.e.pos.area])
	case t.marked(t.e.pos) && t.pausesOnMarks():
		t.Tell("cl.log.spy-square", "seat", x)
	case t.marked(t.e.pos):
		t.Tell("cl.log.question", "seat", x)
	default:
		t.Tell("cl.log.walked", "seat", x)
	}
	return t.Log
}

func (t teller) tellRoll() story.Log {
	t.Tell("cl.log.rolled", "seat", t.e.seat.String(), "dice", t.book.toldRoll(t.e.dice))
	return t.Log
}

func (t teller) tellHypothesis() story.Log {
	t.TellOf(t.hap(engine.HapAsked, t.e.seat, t.e.names[:]...), "cl.log.hypothesis", "seat", t.e.seat.String(),
		"suspect", t.book.cardID[t.e.names[0]], "weapon", t.book.cardID[t.e.names[1]], "room", t.book.cardID[t.e.names[2]])
	if who := uint8(t.e.names[0]); t.pawns[who] != t.was.pawns[who] {
		t.tellStands(t.playing(who))
	}
	return t.Log
}

func (t teller) tellShown() story.Log {
	x := t.e.seat.String()
	t.TellOf(between(engine.HapShown, t.e.seat, t.e.other), showings[t.showing.why].log, "seat", x,
		"other", t.e.other.String())
	if c, ok := t.e.card.Open(); ok {
		t.Whisper(t.e.other, "cl.log.shown.own", "seat", x, "card", t.book.cardID[c])
		t.Whisper(t.e.seat, "cl.log.showed.own", "other", t.e.other.String(), "card", t.book.cardID[c])
	}
	return t.Log
}

// recordRevealed names a card that all have seen, if it was named.
func (t teller) tellRevealed() story.Log {
	if t.e.open == 0 {
		t.TellOf(t.hap(engine.HapShown, t.e.seat), "cl.log.revealed", "seat", t.e.seat.String())
		return t.Log
	}
	t.TellOf(t.hap(engine.HapShown, t.e.seat, t.e.open), "cl.log.revealed.card", "seat", t.e.seat.String(),
		"card", t.book.cardID[t.e.open])
	return t.Log
}

func (t teller) tellSaw() story.Log {
	t.tellSight("cl.log.saw")
	return t.Log
}

func (t teller) tellLooked() story.Log {
	t.tellSight("cl.log.looked")
	if c, ok := t.e.card.Open(); ok {
		t.Whisper(t.e.other, "cl.log.looked.own", "seat", t.e.seat.String(), "card", t.book.cardID[c])
	}
	return t.Log
}

func (t *teller) tellSight(key string) {
	t.TellOf(between(engine.HapLooked, t.e.seat, t.e.other), key, "seat", t.e.seat.String(), "other", t.e.other.String())
	if c, ok := t.e.card.Open(); ok {
		t.Whisper(t.e.seat, "cl.log.shown.own", "seat", t.e.other.String(), "card", t.book.cardID[c])
	}
}

func (t teller) tellPeeked() story.Log {
	key, own, seen := "cl.log.peeked", "cl.log.peeked.own", t.now.knowledge(engine.At(t.e.seat)).there(t.e.pos.area)
	if t.e.pos.area != t.book.pool {
		key, own = "cl.log.looked-hidden", "cl.log.looked-hidden.own"
	}
	if c, named := t.e.card.Open(); named && seen == 0 {
		seen = seen.With(c)
	}
	room := t.book.areaID[t.e.pos.area]
	t.TellOf(engine.Happening{What: engine.HapPeeked, Seat: t.e.seat, Place: engine.ID(room)}, key, "seat", t.e.seat.String(),
		"room", room)
	for ; seen != 0; seen &= seen - 1 {
		t.Whisper(t.e.seat, own, "room", room, "card", t.book.cardID[seen.First()])
	}
	return t.Log
}

func (t teller) tellAccused() story.Log {
	x := t.e.seat.String()
	what, named := t.e.accused.See(engine.At(t.e.seat))
	names := []string{"suspect", t.book.cardID[what[0]], "weapon", t.book.cardID[what[1]], "room", t.book.cardID[what[2]]}
	if _, aloud := t.e.accused.See(engine.Public); aloud {
		t.TellOf(t.hap(engine.HapAccused, t.e.seat, what[:]...), "cl.log.accused", append(names, "seat", x)...)
		return t.Log
	}
	t.TellOf(t.hap(engine.HapAccused, t.e.seat), "cl.log.accused-secret", "seat", x)
	if named {
		t.Whisper(t.e.seat, "cl.log.accused.own", names...)
	}
	return t.Log
}

func (t teller) tellWrong() story.Log {
	if what, ok := t.e.accused.Open(); ok {
		t.Whisper(t.e.seat, "cl.log.debrief.solution", "suspect", t.book.cardID[what[0]], "weapon", t.book.cardID[what[1]],
			"room", t.book.cardID[what[2]])
	}
	return t.Log
}

func (t teller) tellSent() story.Log {
	t.TellOf(between(engine.HapSent, t.e.seat, t.playing(t.e.who)), "cl.log.sent", "seat", t.e.seat.String(),
		"suspect", t.book.cardID[t.e.who])
	t.tellStands(t.playing(t.e.who))
	return t.Log
}

func (t teller) tellAmend() story.Log {
	key, own := "cl.log.amend", "cl.log.amend.own"
	if t.e.n != 0 { // that seat was not asked: it has answered nothing
		key, own = "cl.log.amend.unsaid", "cl.log.amend.unsaid.own"
	}
	t.Whisper(t.e.seat, own)
	t.TellOf(t.hap(engine.HapAmended, t.e.seat), key, "seat", t.e.seat.String())
	return t.Log
}

func (t teller) tellCount() story.Log {
	switch n := strconv.Itoa(int(t.e.n)); {
	case t.e.seat != 0:
		t.Tell("cl.log.count-seat", "seat", t.e.seat.String(), "n", n)
	case t.e.pos.area == t.book.pool:
		t.Tell("cl.log.count-pool", "n", n)
	default:
		t.Tell("cl.log.count-room", "room", t.book.areaID[t.e.pos.area], "n", n)
	}
	return t.Log
}

// recordOver records the end, and before it the cards of the envelope if they decided. It takes
// these from the state before: a debrief, which shows all records, proves nothing.
func (t teller) tellOver() story.Log {
	if len(t.result.Winners) > 0 {
		k := t.was.knowledge(engine.Public)
		t.Happen(engine.Happening{What: engine.HapProven, Seat: t.result.Winners[0],
			Cards: t.book.engineIDs(uint64(k.envelope() & k.open))})
	}
	t.Log = t.Log.Happen(t.hap(engine.HapOver, 0)).TellOf(int(t.round), t.result.Msg)
	t.tellDebrief()
	return t.Log
}

// debriefKeys are the lines for one to four cards of a hand.
var heldKeys = [...]string{"cl.log.debrief.1", "cl.log.debrief.2", "cl.log.debrief.3", "cl.log.debrief.4"}

// recordDebrief records hands and solution after the end. A long hand takes several lines.
func (t *teller) tellDebrief() {
	for _, h := range t.now.heldLast() {
		for ids := range slices.Chunk(h.Cards, len(heldKeys)) {
			args := []string{"seat", h.Seat.String()}
			for i, id := range ids {
				args = append(args, string(rune('a'+i)), string(id))
			}
			t.Tell(heldKeys[len(ids)-1], args...)
		}
	}
	if k := t.now.truth(); t.rule(polDebrief) == "on" && k.envelope().Count() == 3 {
		what := t.book.list(k.envelope())
		t.Tell("cl.log.debrief.solution", "suspect", what[0], "weapon", what[1], "room", what[2])
	}
}

// finalHands returns the recorded hands after the end, if the table chose so (GEN-008).
func (s *recordState) heldLast() (all []engine.Held) {
	if s.result == nil || s.rule(polDebrief) != "on" {
		return nil
	}
	k := s.truth()
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if cs := k.hand(x) & s.book.mystery(); cs != 0 {
			all = append(all, engine.Held{Seat: x, Cards: s.book.engineIDs(uint64(cs))})
		}
	}
	return all
}

// Chronicle returns the story of the game so far.
func (s *state) Chronicle() engine.Chronicle { return s.log.Chronicle(s.heldLast()) }

// resultMessage says how the game ended. It does not use the rule, since an edition may have one
// number for all ends.
func (s *seating) resultMsg(winners []engine.Seat) engine.Msg {
	switch living, running := s.left(); {
	case len(winners) > 0:
		return engine.Say("cl.over.right", "seat", winners[0].String())
	case living == 0:
		return engine.Say("cl.over.murdered")
	case running == 0:
		return engine.Say("cl.over.lost")
	}
	return engine.Say("cl.over.void")
}
