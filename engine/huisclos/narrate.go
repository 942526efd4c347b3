package huisclos

import (
	"strconv"

	"majordome/engine"
)

// Numbers of one byte, made once.
var numbers = func() (ns [256]string) {
	for i := range ns {
		ns[i] = strconv.Itoa(i)
	}
	return ns
}()

// tell adds a line for everybody.
func (s *state) tell(m engine.Msg) { s.log = s.log.Tell(int(s.round), m) }

// happen adds what everybody has seen happen, tellOf with the line that says it.
func (s *state) happen(h engine.Happening) { s.log = s.log.Happen(h) }

func (s *state) tellOf(h engine.Happening, m engine.Msg) {
	s.log = s.log.Happen(h).TellOf(int(s.round), m)
}

// hap is a happening of a seat in a place, with cards that lie face up; each may be zero.
func (s *state) hap(what string, x engine.Seat, p place, cards ...card) engine.Happening {
	h := engine.Happening{What: what, Seat: x, Place: engine.ID(s.book.placeID[p])}
	for _, c := range cards {
		h.Cards = append(h.Cards, engine.ID(s.book.cardID[c]))
	}
	return h
}

// whisper adds a line for one seat alone.
func (s *state) whisper(x engine.Seat, m engine.Msg) { s.log = s.log.Whisper(int(s.round), x, m) }

// narrate adds the log lines of e; was is the state before, s the one after.
func (s *state) narrate(was *state, e *event) {
	x := e.seat.String()
	p := s.book.placeID[e.place]
	switch e.kind {
	case evSat:
		s.tell(engine.Say("hc.log.sat", "seat", x, "character", s.book.characterID[e.who]))
	case evBegun:
		s.narrateBegin()
	case evRole, evUntold:
		s.tellOf(s.hap(engine.HapReceived, e.seat, 0), engine.Say("hc.log.role", "seat", x))
	case evRolesBad:
		s.tellOf(s.hap(engine.HapRedrawn, 0, 0), engine.Say("hc.log.roles-wrong"))
	case evRolesAuto:
		s.tell(engine.Say("hc.log.roles-drawn"))
	case evRolesGood:
		s.tellOf(s.hap(engine.HapAssigned, 0, 0), engine.Say("hc.log.roles-right"))
	case evLaid:
		s.tellOf(s.hap(engine.HapLaid, 0, e.place), engine.Say("hc.log.laid", "place", p))
	case evLaidAll:
		s.tell(engine.Say("hc.log.laid-all"))
	case evPile:
		if was.phase == laying {
			s.happen(s.hap(engine.HapDealt, 0, 0))
		}
	case evKept:
		s.tellOf(s.hap(engine.HapTaken, e.seat, s.seats[e.seat].at), engine.Say("hc.log.kept", "seat", x))
		s.whisperCard(e, "hc.log.kept.own")
	case evRound:
		s.tellOf(s.hap(engine.HapRound, e.seat, 0), engine.Say("hc.log.round", "n", numbers[uint8(e.n)], "seat", x))
		if e.n == uint16(s.n)+1 && !s.duel {
			s.tellOf(s.hap(engine.HapAccusing, 0, 0), engine.Say("hc.log.accusations-open"))
		}
	case evMoved:
		s.tellOf(s.hap(engine.HapMoved, e.seat, e.place), engine.Say("hc.log.moved", "seat", x, "place", p))
	case evSearched:
		s.tell(engine.Say("hc.log.searched", "seat", x, "place", s.book.placeID[s.seats[e.seat].at]))
	case evTook:
		s.narrateTook(e, x)
	case evLeft:
		s.tellOf(s.hap(engine.HapLeft, e.seat, s.seats[e.seat].at), engine.Say("hc.log.left", "seat", x))
		s.whisperCard(e, "hc.log.left.own")
	case evDestroyed, evPurged:
		c, _ := e.card.Open()
		s.tellOf(s.hap(engine.HapGone, e.seat, 0, c), engine.Say("hc.log.destroyed", "seat", x, "card", s.book.cardID[c]))
	case evEnded:
		if e.ends {
			s.tell(engine.Say("hc.log.no-action", "seat", x))
		}
	case evExchange, evDrew, evGave, evObserved, evAccused, evAgreed:
		s.narrateOther(e)
	default:
		if e.kind > evUntold {
			s.narrateCustody(was, e, x, p)
			return
		}
		s.narrateResolution(was, e, x, p)
	}
}

// narrateBegin is no line of its happening: no voice need say the number of rounds.
func (s *state) narrateBegin() {
	key := "hc.log.begun"
	if s.rule(swLimit) == "lifted" {
		key = "hc.log.begun.lifted"
	}
	s.happen(s.hap(engine.HapBegun, 0, 0))
	s.tell(engine.Say(key, "n", numbers[s.n], "rounds", numbers[uint8(s.limit())]))
}

// whisperCard tells a seat which clue it was, if it was named.
func (s *state) whisperCard(e *event, key string) {
	if c, ok := e.card.Open(); ok {
		s.whisper(e.seat, engine.Say(key, "card", s.book.cardID[c]))
	}
}

// tellSpared says that the open urn kills nobody, if so.
func (s *state) tellSpared() {
	if s.doomed == 0 {
		s.tellOf(s.hap(engine.HapSpared, 0, 0), engine.Say("hc.log.nobody-dies"))
	}
}

func (s *state) narrateCustody(was *state, e *event, x, p string) {
	switch e.kind {
	case evLaidHand:
		s.tell(engine.Say("hc.log.laid-all"))
	case evHeld:
		s.whisperCard(e, "hc.log.held.own")
	case evForgot:
		s.whisperCard(e, "hc.log.forgot.own")
	case evUnsealed:
		s.tellOf(s.hap(engine.HapOpened, e.seat, 0), engine.Say("hc.log.opened", "seat", x, "n", numbers[was.urn]))
	case evFound:
		c, _ := e.card.Open()
		s.tellOf(s.hap(engine.HapNamed, 0, 0, c), engine.Say("hc.log.found", "card", s.book.cardID[c]))
	case evFoundAll:
		switch n := s.found(); {
		case n > int(s.expect):
			s.tell(engine.Say("hc.log.too-many", "n", numbers[n], "expected", numbers[s.expect]))
		case n < int(s.expect):
			s.tell(engine.Say("hc.log.too-few", "n", numbers[n], "expected", numbers[s.expect]))
		}
		s.tellSpared()
	case evTurned:
		d, _ := s.roles[e.seat].Open()
		h := s.hap(engine.HapTurned, e.seat, 0)
		h.Cards = []engine.ID{roleID(d.role)}
		s.tellOf(h, engine.Say("hc.log.turned-up", "seat", x, "role", string(roleID(d.role))))
		if e.seat == was.accused {
			s.tellAcquitted()
		}
		s.tellImpossible(was)
	case evCounting:
		s.tellOf(s.hap(engine.HapCounting, 0, 0), engine.Say("hc.log.count"))
	case evCountIs:
		switch n := numbers[e.n]; {
		case e.place != 0:
			s.tell(engine.Say("hc.log.count-place", "place", p, "n", n))
		case e.seat != 0:
			s.tell(engine.Say("hc.log.count-seat", "seat", x, "n", n))
		default:
			s.tell(engine.Say("hc.log.count-urn", "n", n))
		}
	case evCounted:
		s.tellOf(s.hap(engine.HapCounted, 0, 0), engine.Say("hc.log.counted", "n", numbers[s.lost]))
	case evReread:
		key := "hc.log.again.laying"
		if s.phase == roles {
			key = "hc.log.again.roles"
		}
		s.tellOf(s.hap(engine.HapRedrawn, 0, 0), engine.Say(key))
	case evShuffled:
		s.tell(engine.Say("hc.log.shuffled", "place", p))
	default:
		s.narrateAmend(e, x, p)
	}
}

// tellImpossible says once that the role cards cannot be right (rules, 4.2): the
// table goes on by the cards shown, or the host begins anew.
func (s *state) tellImpossible(was *state) {
	if !was.impossible() && s.impossible() {
		s.tell(engine.Say("hc.log.roles-impossible"))
	}
}

func (s *state) narrateTook(e *event, x string) {
	c, _ := e.card.Open()
	s.tellOf(s.hap(engine.HapTaken, e.seat, s.seats[e.seat].at), engine.Say("hc.log.took", "seat", x))
	s.whisperCard(e, "hc.log.took.own")
	s.showObservers(e.seat, c)
}

// showObservers tells those who observe x which clue was taken (HC-114). If
// nobody named it, they look at the card.
func (s *state) showObservers(x engine.Seat, c card) {
	m := engine.Say("hc.log.observed.look", "seat", x.String())
	if c != 0 {
		m = engine.Say("hc.log.observed.own", "seat", x.String(), "card", s.book.cardID[c])
	}
	for y := engine.Seat(1); y <= maxSeats; y++ {
		if s.seats[y].watching {
			s.whisper(y, m)
		}
	}
}

func (s *state) narrateResolution(was *state, e *event, x, p string) {
	switch e.kind {
	case evDeposited:
		s.tellOf(s.hap(engine.HapFell, e.seat, 0), engine.Say("hc.log.deposited", "seat", x))
		s.whisperCard(e, "hc.log.deposited.own")
	case evShort:
		s.tell(engine.Say("hc.log.no-deposit", "seat", x))
	case evOpened:
		h := s.hap(engine.HapOpened, e.seat, 0)
		h.Cards = s.book.engineIDs(s.knowledge(engine.Public).shown)
		s.tellOf(h, engine.Say("hc.log.opened", "seat", x, "n", numbers[was.urn]))
		s.tellSpared()
	case evDied:
		s.narrateDeath(was, e)
	case evDuel:
		s.tellOf(s.hap(engine.HapConfrontation, 0, 0), engine.Say("hc.log.confrontation"))
	case evRecovered:
		c, _ := e.card.Open()
		s.tellOf(s.hap(engine.HapRecovered, e.seat, 0, c), engine.Say("hc.log.recovered", "seat", x, "card", s.book.cardID[c]))
	case evRest:
		c, _ := e.card.Open()
		s.tellOf(s.hap(engine.HapRest, 0, e.place, c), engine.Say("hc.log.rest", "card", s.book.cardID[c], "place", p))
	case evClosed:
		s.tellOf(s.hap(engine.HapClosed, 0, e.place), engine.Say("hc.log.closed", "place", p))
	case evReminded:
		s.whisper(e.seat, engine.Say("hc.log.reminder"))
	case evOver:
		s.tellImpossible(was)
		s.tellOf(s.hap(engine.HapOver, 0, 0), s.result.Msg)
		s.debrief()
	}
}

// narrateDeath tells of a crime place at its first death, and of each death. A role
// that the machine does not know is turned up next.
func (s *state) narrateDeath(was *state, e *event) {
	x, at, n := e.seat.String(), was.seats[e.seat].at, numbers[was.seats[e.seat].cards]
	if was.rooms[at].deaths == 0 {
		s.happen(s.hap(engine.HapCrime, 0, at, card(at))) // its weapon has its number
	}
	h, p := s.hap(engine.HapDied, e.seat, at), s.book.placeID[at]
	d, ok := s.roles[e.seat].Open()
	if !ok {
		s.tellOf(h, engine.Say("hc.log.died.untold", "seat", x, "place", p, "n", n))
		return
	}
	h.Cards = []engine.ID{roleID(d.role)}
	s.tellOf(h, engine.Say("hc.log.died", "seat", x, "place", p, "role", string(roleID(d.role)), "n", n))
}

// debrief tells the hands after the end, if the table chose so (GEN-008): those of
// which the machine knows each clue.
func (s *state) debrief() {
	if s.rule(swDebrief) != "on" {
		return
	}
	for y := engine.Seat(1); y <= maxSeats; y++ {
		x, ids := y.String(), s.book.list(s.holding(y))
		switch {
		case !s.known(y):
		case len(ids) == 1:
			s.tell(engine.Say("hc.log.debrief.1", "seat", x, "a", ids[0]))
		case len(ids) == 2:
			s.tell(engine.Say("hc.log.debrief.2", "seat", x, "a", ids[0], "b", ids[1]))
		case len(ids) >= 3:
			s.tell(engine.Say("hc.log.debrief.3", "seat", x, "a", ids[0], "b", ids[1], "c", ids[2]))
		}
	}
}

// Words for each end with one winner, by rule.
var endings = map[string]string{
	"HC-150": "hc.over.unmasked", "HC-151": "hc.over.innocents-dead", "HC-153": "hc.over.innocents-dead",
	"HC-152": "hc.over.murderer-dead", "HC-209": "hc.over.duel", "HC-210": "hc.over.both",
}

// resultMsg says how the game ended.
func resultMsg(rule string, winners []engine.Seat, draw bool) engine.Msg {
	switch key := endings[rule]; {
	case draw:
		return engine.Say("hc.over.draw")
	case len(winners) == 0:
		return engine.Say("hc.over.nobody")
	case len(winners) > 1:
		return engine.Say("hc.over.survivors")
	case key != "":
		return engine.Say(key, "seat", winners[0].String())
	}
	return engine.Say("hc.over.rounds", "seat", winners[0].String())
}

// narrateOther adds the log lines of those events.
func (s *state) narrateOther(e *event) {
	x, y := e.seat, e.other
	c, _ := e.card.Open()
	id := s.book.cardID[c]
	from, to := x.String(), y.String()
	switch e.kind {
	case evExchange:
		s.tell(engine.Say("hc.log.exchange", "seat", from, "other", to))
	case evDrew:
		s.tellOf(engine.Happening{What: engine.HapPassed, Seat: y, Other: x}, engine.Say("hc.log.drew", "seat", from, "other", to))
		if c != 0 {
			both := engine.Say("hc.log.drew.own", "seat", to, "other", from, "card", id)
			s.whisper(x, both)
			s.whisper(y, both)
		}
		s.showObservers(x, c)
	case evGave:
		s.tellOf(engine.Happening{What: engine.HapPassed, Seat: x, Other: y}, engine.Say("hc.log.gave", "seat", from, "other", to))
		if c != 0 {
			both := engine.Say("hc.log.drew.own", "seat", from, "other", to, "card", id)
			s.whisper(x, both)
			s.whisper(y, both)
		}
	case evObserved:
		s.tell(engine.Say("hc.log.observes", "seat", from, "other", to))
	case evAccused:
		h := s.hap(engine.HapAccused, x, 0, c)
		h.Other = y
		s.tellOf(h, engine.Say("hc.log.accused", "seat", from, "other", to, "card", id))
		s.tellAcquitted()
	case evAgreed:
		s.tell(engine.Say("hc.log.draw-offered", "seat", from))
	}
}

// narrateAmend adds their log lines.
func (s *state) narrateAmend(e *event, x, p string) {
	switch e.kind {
	case evPawn:
		s.tellOf(s.hap(engine.HapMoved, e.seat, e.place), engine.Say("hc.log.pawn", "seat", x, "place", p))
	case evDisagreed:
		c, _ := s.shown.Open()
		s.whisper(e.other, engine.Say("hc.log.show-again", "seat", x, "card", s.book.cardID[c]))
		s.whisper(e.seat, engine.Say("hc.log.show-again.asked", "seat", e.other.String()))
	}
}
