package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/rules"
)

var numbers = &rules.Numbers

// tell adds a line for everybody.
func (s *state) tell(m engine.Msg) { s.log = s.log.Tell(int(s.round), m) }

// logSat is the line that somebody has sat down; tellRose takes it back.
const logSat = "hc.log.sat"

func (s *state) tellRose(_ *state, e *event) {
	s.log = s.log.Without(func(m engine.Msg) bool { return m.Key == logSat && m.Args.Get("seat") == e.seat.String() })
}

// happen adds what everybody has seen happen, tellOf with the line that says it.
func (s *state) happen(h engine.Happening) { s.log = s.log.Happen(h) }

func (s *state) tellOf(h engine.Happening, m engine.Msg) {
	s.log = s.log.Happen(h).TellOf(int(s.round), m)
}

// hap is a happening of a seat in a place, with cards that lie face up; each may be zero.
func (h *houseRules) hap(what string, x engine.Seat, p place, cards ...card) engine.Happening {
	one := engine.Happening{What: what, Seat: x, Place: engine.ID(h.book.placeID[p])}
	for _, c := range cards {
		one.Cards = append(one.Cards, engine.ID(h.book.cardID[c]))
	}
	return one
}

// whisper adds a line for one seat alone.
func (s *state) whisper(x engine.Seat, m engine.Msg) { s.log = s.log.Whisper(int(s.round), x, m) }

// tellBegun is no line of its happening: no voice need say the number of rounds.
func (s *state) tellBegun(*state, *event) {
	key := "hc.log.begun"
	if s.rule(swLimit) == "lifted" {
		key = "hc.log.begun.lifted"
	}
	s.tell(engine.Say(key, "n", numbers[s.n], "rounds", numbers[uint8(s.limit())]))
}

func (s *state) tellPile(was *state, _ *event) {
	if was.phase == laying {
		s.happen(s.hap(engine.HapDealt, 0, 0))
	}
}

func (s *state) tellAccusing(_ *state, e *event) {
	if e.n == uint16(s.n)+1 && !s.duel {
		s.tellOf(s.hap(engine.HapAccusing, 0, 0), engine.Say("hc.log.accusations-open"))
	}
}

func (s *state) tellIdle(_ *state, e *event) {
	if e.ends {
		s.tell(engine.Say("hc.log.no-action", "seat", e.seat.String()))
	}
}

func (s *state) tellTurned(was *state, e *event) {
	d, _ := s.roles[e.seat].Open()
	h := s.hap(engine.HapTurned, e.seat, 0)
	h.Cards = []engine.ID{roleID(d.role())}
	s.tellOf(h, engine.Say("hc.log.turned-up", "seat", e.seat.String(), "role", string(roleID(d.role()))))
	if e.seat == was.accused {
		s.tellAcquitted()
	}
	s.tellImpossible(was)
}

func (s *state) tellEnd(was *state, _ *event) {
	s.tellImpossible(was)
	s.tellOf(s.hap(engine.HapOver, 0, 0), s.result.Msg)
	s.debrief()
}

// tellSpared says that the open urn kills nobody, if so.
func (s *state) tellSpared() {
	if s.doomed == 0 {
		s.tellOf(s.hap(engine.HapSpared, 0, 0), engine.Say("hc.log.nobody-dies"))
	}
}

// tellImpossible says once that the role cards cannot be right (rules, 4.2): the
// table goes on by the cards shown, or the host begins anew.
func (s *state) tellImpossible(was *state) {
	if !was.impossible() && s.impossible() {
		s.tell(engine.Say("hc.log.roles-impossible"))
	}
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

// tellDeath tells of a crime place at its first death, and of each death. A role
// that the machine does not know is turned up next.
func (s *state) tellDeath(was *state, e *event) {
	if at := was.seats[e.seat].at; was.rooms[at].deaths == 0 {
		s.happen(s.hap(engine.HapCrime, 0, at, card(at))) // its weapon has its number
	}
	s.tellFall(was, e.seat, "hc.log.died", "hc.log.died.untold")
}

// tellFall tells that x has died, in the words of a key, and of another one while its role is
// not known.
func (s *state) tellFall(was *state, x engine.Seat, key, untold string) {
	at := was.seats[x].at
	h, says := s.hap(engine.HapDied, x, at), []string{"seat", x.String(), "place", s.book.placeID[at], "n", numbers[was.seats[x].cards]}
	d, ok := s.roles[x].Open()
	if !ok {
		s.tellOf(h, engine.Say(untold, says...))
		return
	}
	h.Cards = []engine.ID{roleID(d.role())}
	s.tellOf(h, engine.Say(key, append(says, "role", string(roleID(d.role())))...))
}

// debrief tells the hands after the end.
func (s *state) debrief() {
	for _, h := range s.heldLast() {
		x, ids := h.Seat.String(), h.Cards
		switch {
		case len(ids) == 1:
			s.tell(engine.Say("hc.log.debrief.1", "seat", x, "a", string(ids[0])))
		case len(ids) == 2:
			s.tell(engine.Say("hc.log.debrief.2", "seat", x, "a", string(ids[0]), "b", string(ids[1])))
		default:
			s.tell(engine.Say("hc.log.debrief.3", "seat", x, "a", string(ids[0]), "b", string(ids[1]), "c", string(ids[2])))
		}
	}
}

// heldLast are the hands after the end, if the table chose so (GEN-008): those of which
// the machine knows each clue.
func (s *state) heldLast() (all []engine.Held) {
	if s.result == nil || s.rule(swDebrief) != "on" {
		return nil
	}
	for y := engine.Seat(1); y <= maxSeats; y++ {
		if cs := s.holding(y); cs != 0 && s.known(y) {
			all = append(all, engine.Held{Seat: y, Cards: s.book.engineIDs(cs)})
		}
	}
	return all
}

// Chronicle is the story of the game so far.
func (s *state) Chronicle() engine.Chronicle { return s.log.Chronicle(s.heldLast()) }

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
