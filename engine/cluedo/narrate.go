package cluedo

import (
	"strconv"

	"majordome/engine"
)

// prompt says to v what is awaited and by which rule. Everything in it is
// public: it differs only between the seat that is to act and the others.
func (s *state) prompt(v engine.Viewer) (engine.Msg, string) {
	key, rule := s.awaitedKey()
	x, _ := v.Seat()
	who := s.waits()
	switch {
	case s.counting && !v.IsHost():
		return engine.Say(key), rule
	case s.counting, s.phase == lobby && v.IsHost(), s.phase == dealing && s.asked == 0 && v.IsHost():
		return engine.Say(key + ".host"), rule
	case s.step == stepShown:
		if s.concerned(x) {
			return engine.Say(key+".you", "seat", s.shower.String(), "other", s.shownTo.String()), rule
		}
		return engine.Say(key, "seat", s.shower.String(), "other", s.shownTo.String()), rule
	case who == 0:
		return engine.Say(key), rule
	case x == who:
		return engine.Say(key+".you", "n", strconv.Itoa(int(s.points))), rule
	}
	return engine.Say(key, "seat", who.String()), rule
}

// awaitedKey is the key of the prompt and its rule.
func (s *state) awaitedKey() (key, rule string) {
	r := &s.book.rules
	if s.counting {
		return "cl.prompt.count", "GEN-E09"
	}
	switch s.phase {
	case lobby:
		return "cl.prompt.lobby", r.players
	case dealing:
		if s.asked == 0 {
			return "cl.prompt.envelope", r.envelope
		}
		return "cl.prompt.dealing", r.deal
	case starting:
		return "cl.prompt.starting", r.begins
	case over:
		return "cl.prompt.over", s.result.Rule
	}
	row := &steps[s.step]
	return row.prompt, row.rule(s.book)
}

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
func (s *state) hap(what string, x engine.Seat, cards ...card) engine.Happening {
	h := engine.Happening{What: what, Seat: x}
	for _, c := range cards {
		h.Cards = append(h.Cards, engine.ID(s.book.cardID[c]))
	}
	return h
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

// narrate adds the log lines of e; was is the state before, s the one after.
func (s *state) narrate(was *state, e *event) {
	x := e.seat.String()
	switch e.kind {
	case evSat:
		s.tell("cl.log.sat", "seat", x, "character", s.book.cardID[e.who])
	case evBegun:
		s.tellOf(s.hap(engine.HapBegun, 0), "cl.log.begun", "n", strconv.Itoa(int(s.n)))
	case evSealed:
		if s.asked != 0 {
			s.tell("cl.log.sealed")
		}
	case evDealAll:
		s.tell("cl.log.dealt-all")
	case evDealt:
		s.tell("cl.log.dealt", "seat", x)
	case evGot:
		if s.phase == dealing && s.seats[e.seat].dealt {
			s.tell("cl.log.dealt", "seat", x)
		}
	case evStarting:
		if was.phase == dealing {
			s.happen(s.hap(engine.HapDealt, 0))
		}
	case evStartRoll:
		s.tell("cl.log.rolled", "seat", x, "dice", rollText(int(e.dice[0]), int(e.dice[1])))
	case evTies:
		s.tell("cl.log.ties")
	default:
		s.narrateTurn(was, e, x)
	}
}

func (s *state) narrateTurn(was *state, e *event, x string) {
	switch e.kind {
	case evTurn:
		s.tellOf(s.hap(engine.HapTurn, e.seat), "cl.log.turn", "seat", x)
	case evRolled:
		s.tell("cl.log.rolled", "seat", x, "dice", rollText(int(e.dice[0]), int(e.dice[1])))
	case evDrew:
		s.narrateDraw(was, e, x)
	case evMurdered:
		k := s.knowledge(engine.Public)
		h := s.hap(engine.HapMurdered, e.seat)
		h.Cards = s.book.engineIDs(uint64(k.hand[e.seat] & k.open & s.book.mystery()))
		s.tellOf(h, "cl.log.murdered", "seat", x)
	case evMoved:
		s.narrateMove(was, e, x)
	case evStuck:
		s.tell("cl.log.stuck", "seat", x)
	case evHypothesis:
		s.tellOf(s.hap(engine.HapAsked, e.seat, e.names[:]...), "cl.log.hypothesis", "seat", x,
			"suspect", s.book.cardID[e.names[0]], "weapon", s.book.cardID[e.names[1]], "room", s.book.cardID[e.names[2]])
		if who := uint8(e.names[0]); s.pawns[who] != was.pawns[who] {
			s.stands(s.playing(who))
		}
	case evDeclined:
		s.tell("cl.log.declined", "seat", x)
	case evNone:
		s.tellOf(s.hap(engine.HapNone, e.seat), "cl.log.none", "seat", x)
	case evShown:
		s.narrateShown(e, x)
	case evUnrefuted:
		s.tellOf(s.hap(engine.HapUnrefuted, 0), "cl.log.unrefuted")
	case evHushed:
		s.tell("cl.log.hushed", "seat", x)
	case evSaw, evLooked:
		s.narrateSight(e, x)
	default:
		s.narrateRest(e, x)
	}
}

func (s *state) narrateDraw(was *state, e *event, x string) {
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

func (s *state) narrateMove(was *state, e *event, x string) {
	s.stands(e.seat)
	switch from := was.pawns[was.seats[e.seat].who].area; {
	case from != 0 && from == e.pos.area:
		s.tell("cl.log.stayed", "seat", x, "room", s.book.areaID[from])
	case e.pos.area != 0:
		s.tell("cl.log.entered", "seat", x, "room", s.book.areaID[e.pos.area])
	case s.marked(e.pos):
		s.tell("cl.log.question", "seat", x)
	default:
		s.tell("cl.log.walked", "seat", x)
	}
}

func (s *state) narrateShown(e *event, x string) {
	key := "cl.log.shown"
	if s.why != stepAnswer {
		key = "cl.log.shown-to"
	}
	s.tellOf(between(engine.HapShown, e.seat, e.other), key, "seat", x, "other", e.other.String())
	if c, ok := e.card.Open(); ok {
		s.whisper(e.other, "cl.log.shown.own", "seat", x, "card", s.book.cardID[c])
		s.whisper(e.seat, "cl.log.showed.own", "other", e.other.String(), "card", s.book.cardID[c])
	}
}

func (s *state) narrateSight(e *event, x string) {
	key := "cl.log.saw"
	if e.kind == evLooked {
		key = "cl.log.looked"
	}
	s.tellOf(between(engine.HapLooked, e.seat, e.other), key, "seat", x, "other", e.other.String())
	c, ok := e.card.Open()
	if !ok {
		return
	}
	s.whisper(e.seat, "cl.log.shown.own", "seat", e.other.String(), "card", s.book.cardID[c])
	if e.kind == evLooked {
		s.whisper(e.other, "cl.log.looked.own", "seat", x, "card", s.book.cardID[c])
	}
}

func (s *state) narrateRest(e *event, x string) {
	switch e.kind {
	case evPlayed:
		s.tellOf(s.hap(engine.HapPlayed, e.seat, e.open), "cl.log.played", "seat", x, "card", s.book.cardID[e.open])
	case evPower:
		s.tellOf(s.hap(engine.HapPower, e.seat), "cl.log.power", "seat", x, "character", s.book.cardID[s.seats[e.seat].who])
	case evPeeked:
		s.tellOf(s.hap(engine.HapPeeked, e.seat), "cl.log.peeked", "seat", x)
		for c := card(1); c <= s.book.to[kindRoom]; c++ {
			if s.at(c) == locPool {
				s.whisper(e.seat, "cl.log.peeked.own", "card", s.book.cardID[c])
			}
		}
	case evAccused:
		if what, aloud := e.accused.See(engine.Public); aloud {
			s.tellOf(s.hap(engine.HapAccused, e.seat, what[:]...), "cl.log.accused", "seat", x, "suspect", s.book.cardID[what[0]], "weapon", s.book.cardID[what[1]], "room", s.book.cardID[what[2]])
		}
	case evWrong:
		s.tellOf(s.hap(engine.HapWrong, e.seat), "cl.log.wrong", "seat", x)
	case evSent:
		s.tellOf(between(engine.HapSent, e.seat, s.playing(e.who)), "cl.log.sent", "seat", x, "suspect", s.book.cardID[e.who])
		s.stands(s.playing(e.who))
	case evReplay:
		s.tell("cl.log.replay", "seat", x)
	case evNeighbour:
		s.tell("cl.log.neighbour", "seat", x, "other", e.other.String())
	case evAmend:
		s.whisper(e.seat, "cl.log.amend.own")
		s.tellOf(s.hap(engine.HapAmended, e.seat), "cl.log.amend", "seat", x)
	case evUpheld:
		s.tell("cl.log.upheld", "seat", x)
	case evLost:
		s.tell("cl.log.lost", "seat", x)
	case evReminded:
		s.whisper(e.seat, "cl.log.reminder")
	case evDoubted:
		s.tell("cl.log.doubt")
	case evCounting:
		s.tellOf(s.hap(engine.HapCounting, 0), "cl.log.count")
	case evCountIs:
		if e.seat == 0 {
			s.tell("cl.log.count-pool", "n", strconv.Itoa(int(e.n)))
		} else {
			s.tell("cl.log.count-seat", "seat", x, "n", strconv.Itoa(int(e.n)))
		}
	case evCounted:
		s.tellOf(s.hap(engine.HapCounted, 0), "cl.log.counted", "n", strconv.Itoa(int(e.n)))
	case evReread:
		s.tellOf(s.hap(engine.HapRedrawn, 0), "cl.log.again")
	case evSeen:
		s.tellOf(s.hap(engine.HapExposed, e.seat, e.open), "cl.log.seen", "card", s.book.cardID[e.open])
	case evOver:
		s.log = s.log.Happen(s.hap(engine.HapOver, 0)).TellOf(int(s.round), s.result.Msg)
		s.debrief()
	}
}

// heldKeys say one to four cards of a hand.
var heldKeys = [...]string{"cl.log.debrief.1", "cl.log.debrief.2", "cl.log.debrief.3", "cl.log.debrief.4"}

// debrief tells hands and solution after the end, as far as they are recorded and
// if the table chose so (GEN-008). A long hand takes several lines.
func (s *state) debrief() {
	if s.rule(swDebrief) != "on" {
		return
	}
	k := s.truth()
	lines := func(x string, cards set) {
		for ids := s.book.list(cards); len(ids) > 0; {
			n := min(len(ids), len(heldKeys))
			args := []string{"seat", x}
			for i, id := range ids[:n] {
				args = append(args, string(rune('a'+i)), id)
			}
			s.tell(heldKeys[n-1], args...)
			ids = ids[n:]
		}
	}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		lines(x.String(), k.hand[x]&s.book.mystery())
	}
	if k.envelope.count() == 3 {
		what := s.book.list(k.envelope)
		s.tell("cl.log.debrief.solution", "suspect", what[0], "weapon", what[1], "room", what[2])
	}
}

// resultMsg says how the game ended.
func (s *state) resultMsg(rule string, winners []engine.Seat) engine.Msg {
	r := &s.book.rules
	switch {
	case len(winners) > 0:
		return engine.Say("cl.over.right", "seat", winners[0].String())
	case rule == r.murdered:
		return engine.Say("cl.over.murdered")
	case rule == r.lost:
		return engine.Say("cl.over.lost")
	}
	return engine.Say("cl.over.void")
}
