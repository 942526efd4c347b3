package cluedo

import (
	"slices"
	"strconv"

	"majordome/engine"
	"majordome/engine/internal/rules"
)

// logSat is the line that somebody has sat down.
const logSat = "cl.log.sat"

func (s *state) tell(key string, pairs ...string) {
	s.log = s.log.Tell(int(s.round), engine.Say(key, pairs...))
}

// happen adds what everybody has seen happen; told with the line that says it.
func (s *state) happen(h engine.Happening) { s.log = s.log.Happen(h) }

func (s *state) tellOf(h engine.Happening, key string, pairs ...string) {
	s.log = s.log.Happen(h).TellOf(int(s.round), engine.Say(key, pairs...))
}

// hap is a happening of a seat, with cards that all see or that were named aloud; each
// may be zero.
func (h *houseRules) hap(what string, x engine.Seat, cards ...card) engine.Happening {
	one := engine.Happening{What: what, Seat: x}
	for _, c := range cards {
		one.Cards = append(one.Cards, engine.ID(h.book.cardID[c]))
	}
	return one
}

// between is a happening of two seats.
func between(what string, x, y engine.Seat) engine.Happening {
	return engine.Happening{What: what, Seat: x, Other: y}
}

// stands tells where the pawn of a seat stands now; zero: nobody plays it.
func (s *state) stands(x engine.Seat) {
	if x != 0 {
		s.happen(engine.Happening{What: engine.HapMoved, Seat: x, Place: engine.ID(s.book.areaID[s.pawns[s.seats[x].who].area])})
	}
}

func (s *state) whisper(to engine.Seat, key string, pairs ...string) {
	s.log = s.log.Whisper(int(s.round), to, engine.Say(key, pairs...))
}

// narrate adds what the row of e says has happened, and its lines; was is the state
// before, nil if the row does not ask for it, s the one after.
func (s *state) narrate(was *state, e *event) {
	r := &events[e.kind]
	f := rules.Facts{Seat: e.seat, Other: e.other, Place: engine.ID(s.book.areaID[e.pos.area]), Card: engine.ID(s.book.cardID[e.open]), Character: engine.ID(s.book.cardID[s.seats[e.seat].who]), N: int(e.n)}
	s.log = r.Told(s.log, int(s.round), f)
	if r.Tell != nil {
		r.Tell(s, was, e)
	}
}

// tellRose takes back that somebody has sat down there: nothing else is told of a seat in the lobby.
func (s *state) tellRose(_ *state, e *event) {
	s.log = s.log.Without(func(m engine.Msg) bool { return m.Args.Get("seat") == e.seat.String() })
}

func (s *state) tellBegun(_ *state, _ *event) {
	s.tellOf(s.hap(engine.HapBegun, 0), "cl.log.begun", "n", strconv.Itoa(s.players()))
}

func (s *state) tellLaid(_ *state, e *event) {
	if _, read := e.card.Open(); read {
		s.happen(engine.Happening{What: engine.HapLaid, Place: engine.ID(s.book.areaID[e.pos.area])})
	}
}

func (s *state) tellSealed(_ *state, _ *event) {
	if s.asked != 0 || s.laying() != 0 {
		s.tell("cl.log.sealed")
	}
}

func (s *state) tellPresented(_ *state, e *event) {
	if s.phase == dealing && s.seats[e.seat].dealt {
		s.tell("cl.log.dealt", "seat", e.seat.String())
	}
}

func (s *state) tellTurn(_ *state, e *event) {
	s.tellOf(s.hap(engine.HapTurn, e.seat), "cl.log.turn", "seat", e.seat.String())
}

// dealtOut tells that the deal is over, before what comes after it.
func (s *state) dealtOut() { s.happen(s.hap(engine.HapDealt, 0)) }

func (s *state) tellDraw(was *state, e *event) {
	x := e.seat.String()
	switch c, named := e.card.Open(); {
	case e.open != 0 && s.track == was.track:
		s.tellOf(s.hap(engine.HapMidnight, e.seat), "cl.log.eighth", "seat", x)
	case e.open != 0:
		s.tellOf(s.hap(engine.HapStruck, e.seat), "cl.log.time", "seat", x, "n", strconv.Itoa(int(s.track)))
	default:
		s.tellOf(s.hap(engine.HapDrew, e.seat), "cl.log.butler", "seat", x)
		if named {
			s.whisper(e.seat, "cl.log.butler.own", "card", s.book.cardID[c])
		}
	}
}

func (s *state) tellMurder(_ *state, e *event) {
	h := s.hap(engine.HapMurdered, e.seat)
	h.Cards = s.laidOpen(e.seat)
	s.tellOf(h, "cl.log.murdered", "seat", e.seat.String())
}

// laidOpen are the cards of the hand of x that lie face up now.
func (s *state) laidOpen(x engine.Seat) []engine.ID {
	k := s.knowledge(engine.Public)
	return s.book.engineIDs(uint64(k.hand[x] & k.open & s.book.mystery()))
}

func (s *state) tellMove(was *state, e *event) {
	x := e.seat.String()
	s.stands(e.seat)
	how := wayOf(e.text)
	if how == wayPassage || how == wayBoth {
		s.tell("cl.log.passage", "seat", x)
	}
	switch from := was.pawns[was.seats[e.seat].who].area; {
	case from != 0 && from == e.pos.area && (how == wayStay || how == wayCard):
		s.tell("cl.log.stayed", "seat", x, "room", s.book.areaID[from])
	case e.pos.area != 0:
		s.tell("cl.log.entered", "seat", x, "room", s.book.areaID[e.pos.area])
	case s.marked(e.pos) && s.pausesOnMarks():
		s.tell("cl.log.spy-square", "seat", x)
	case s.marked(e.pos):
		s.tell("cl.log.question", "seat", x)
	default:
		s.tell("cl.log.walked", "seat", x)
	}
}

func (s *state) tellRoll(_ *state, e *event) {
	s.tell("cl.log.rolled", "seat", e.seat.String(), "dice", s.book.toldRoll(e.dice))
}

func (s *state) tellHypothesis(was *state, e *event) {
	s.tellOf(s.hap(engine.HapAsked, e.seat, e.names[:]...), "cl.log.hypothesis", "seat", e.seat.String(),
		"suspect", s.book.cardID[e.names[0]], "weapon", s.book.cardID[e.names[1]], "room", s.book.cardID[e.names[2]])
	if who := uint8(e.names[0]); s.pawns[who] != was.pawns[who] {
		s.stands(s.playing(who))
	}
}

func (s *state) tellShown(_ *state, e *event) {
	x := e.seat.String()
	s.tellOf(between(engine.HapShown, e.seat, e.other), showings[s.showing.why].log, "seat", x, "other", e.other.String())
	if c, ok := e.card.Open(); ok {
		s.whisper(e.other, "cl.log.shown.own", "seat", x, "card", s.book.cardID[c])
		s.whisper(e.seat, "cl.log.showed.own", "other", e.other.String(), "card", s.book.cardID[c])
	}
}

// tellRevealed names a card that all have seen, if anybody has.
func (s *state) tellRevealed(_ *state, e *event) {
	if e.open == 0 {
		s.tellOf(s.hap(engine.HapShown, e.seat), "cl.log.revealed", "seat", e.seat.String())
		return
	}
	s.tellOf(s.hap(engine.HapShown, e.seat, e.open), "cl.log.revealed.card", "seat", e.seat.String(), "card", s.book.cardID[e.open])
}

func (s *state) tellSaw(_ *state, e *event) { s.tellSight(e, "cl.log.saw") }

func (s *state) tellLooked(_ *state, e *event) {
	s.tellSight(e, "cl.log.looked")
	if c, ok := e.card.Open(); ok {
		s.whisper(e.other, "cl.log.looked.own", "seat", e.seat.String(), "card", s.book.cardID[c])
	}
}

func (s *state) tellSight(e *event, key string) {
	s.tellOf(between(engine.HapLooked, e.seat, e.other), key, "seat", e.seat.String(), "other", e.other.String())
	if c, ok := e.card.Open(); ok {
		s.whisper(e.seat, "cl.log.shown.own", "seat", e.other.String(), "card", s.book.cardID[c])
	}
}

func (s *state) tellPeeked(_ *state, e *event) {
	key, own, seen := "cl.log.peeked", "cl.log.peeked.own", s.liesIn(e.pos.area)
	if e.pos.area != s.book.pool {
		key, own = "cl.log.looked-hidden", "cl.log.looked-hidden.own"
	}
	if c, named := e.card.Open(); named && seen == 0 {
		seen = seen.With(c)
	}
	room := s.book.areaID[e.pos.area]
	s.tellOf(engine.Happening{What: engine.HapPeeked, Seat: e.seat, Place: engine.ID(room)}, key, "seat", e.seat.String(), "room", room)
	for ; seen != 0; seen &= seen - 1 {
		s.whisper(e.seat, own, "room", room, "card", s.book.cardID[seen.First()])
	}
}

func (s *state) tellAccused(_ *state, e *event) {
	x := e.seat.String()
	what, named := e.accused.See(engine.At(e.seat))
	names := []string{"suspect", s.book.cardID[what[0]], "weapon", s.book.cardID[what[1]], "room", s.book.cardID[what[2]]}
	if _, aloud := e.accused.See(engine.Public); aloud {
		s.tellOf(s.hap(engine.HapAccused, e.seat, what[:]...), "cl.log.accused", append(names, "seat", x)...)
		return
	}
	s.tellOf(s.hap(engine.HapAccused, e.seat), "cl.log.accused-secret", "seat", x)
	if named {
		s.whisper(e.seat, "cl.log.accused.own", names...)
	}
}

func (s *state) tellWrong(_ *state, e *event) {
	if what, ok := e.accused.Open(); ok {
		s.whisper(e.seat, "cl.log.debrief.solution", "suspect", s.book.cardID[what[0]], "weapon", s.book.cardID[what[1]], "room", s.book.cardID[what[2]])
	}
}

func (s *state) tellSent(_ *state, e *event) {
	s.tellOf(between(engine.HapSent, e.seat, s.playing(e.who)), "cl.log.sent", "seat", e.seat.String(), "suspect", s.book.cardID[e.who])
	s.stands(s.playing(e.who))
}

func (s *state) tellAmend(_ *state, e *event) {
	key, own := "cl.log.amend", "cl.log.amend.own"
	if e.n != 0 { // nobody has asked that seat: it has answered nothing
		key, own = "cl.log.amend.unsaid", "cl.log.amend.unsaid.own"
	}
	s.whisper(e.seat, own)
	s.tellOf(s.hap(engine.HapAmended, e.seat), key, "seat", e.seat.String())
}

func (s *state) tellCount(_ *state, e *event) {
	switch n := strconv.Itoa(int(e.n)); {
	case e.seat != 0:
		s.tell("cl.log.count-seat", "seat", e.seat.String(), "n", n)
	case e.pos.area == s.book.pool:
		s.tell("cl.log.count-pool", "n", n)
	default:
		s.tell("cl.log.count-room", "room", s.book.areaID[e.pos.area], "n", n)
	}
}

// tellOver tells the end, and before it what lay in the envelope, if that decided: a debrief, which
// lays open what was recorded, proves nothing.
func (s *state) tellOver(was *state, e *event) {
	if len(s.result.Winners) > 0 {
		k := was.knowledge(engine.Public)
		s.happen(engine.Happening{What: engine.HapProven, Seat: s.result.Winners[0], Cards: s.book.engineIDs(uint64(k.envelope & k.open))})
	}
	s.log = s.log.Happen(s.hap(engine.HapOver, 0)).TellOf(int(s.round), s.result.Msg)
	s.debrief()
}

// heldKeys say one to four cards of a hand.
var heldKeys = [...]string{"cl.log.debrief.1", "cl.log.debrief.2", "cl.log.debrief.3", "cl.log.debrief.4"}

// debrief tells hands and solution after the end. A long hand takes several lines.
func (s *state) debrief() {
	for _, h := range s.heldLast() {
		for ids := range slices.Chunk(h.Cards, len(heldKeys)) {
			args := []string{"seat", h.Seat.String()}
			for i, id := range ids {
				args = append(args, string(rune('a'+i)), string(id))
			}
			s.tell(heldKeys[len(ids)-1], args...)
		}
	}
	if k := s.truth(); s.rule(polDebrief) == "on" && k.envelope.Count() == 3 {
		what := s.book.list(k.envelope)
		s.tell("cl.log.debrief.solution", "suspect", what[0], "weapon", what[1], "room", what[2])
	}
}

// heldLast are the hands after the end, as far as they are recorded and if the table
// chose so (GEN-008).
func (s *state) heldLast() (all []engine.Held) {
	if s.result == nil || s.rule(polDebrief) != "on" {
		return nil
	}
	k := s.truth()
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if cs := k.hand[x] & s.book.mystery(); cs != 0 {
			all = append(all, engine.Held{Seat: x, Cards: s.book.engineIDs(uint64(cs))})
		}
	}
	return all
}

// Chronicle is the story of the game so far.
func (s *state) Chronicle() engine.Chronicle { return s.log.Chronicle(s.heldLast()) }

// resultMsg says how the game ended: not by its rule, since an edition may have one number for all ends.
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
