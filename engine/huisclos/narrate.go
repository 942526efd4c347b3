package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/rules"
	"majordome/engine/internal/story"
)

var numbers = &rules.Numbers

// storyRecorder adds the log lines and happenings of an event to the story.
type teller struct {
	*public // after the event
	story.Teller
	e        *event
	now, was *state // states after and before the event, for roles and private lines; before is nil unless the row has Before
}

// logSat is the line for a player who has sat down; recordRose removes it.
const logSat = "hc.log.sat"

func (t teller) tellRose() story.Log {
	t.Log = t.Log.Without(func(m engine.Msg) bool { return m.Key == logSat && m.Args.Get("seat") == t.e.seat.String() })
	return t.Log
}

// happening returns a happening of a seat in a place, with cards that are face up. Each of them may be
// zero.
func (h *houseRules) hap(what string, x engine.Seat, p place, cards ...card) engine.Happening {
	one := engine.Happening{What: what, Seat: x, Place: engine.ID(h.book.placeID[p])}
	for _, c := range cards {
		one.Cards = append(one.Cards, engine.ID(h.book.cardID[c]))
	}
	return one
}

// recordBegun adds a line without a happening, so that no voice reads out the number of rounds.
func (t teller) tellBegun() story.Log {
	key := "hc.log.begun"
	if t.rule(swLimit) == "lifted" {
		key = "hc.log.begun.lifted"
	}
	t.Tell(key, "n", numbers[t.n], "rounds", numbers[uint8(t.limit())])
	return t.Log
}

func (t teller) tellPile() story.Log {
	if t.was.phase == laying {
		t.Happen(t.hap(engine.HapDealt, 0, 0))
	}
	return t.Log
}

func (t teller) tellAccusing() story.Log {
	if t.e.n == uint16(t.n)+1 && !t.duel {
		t.TellOf(t.hap(engine.HapAccusing, 0, 0), "hc.log.accusations-open")
	}
	return t.Log
}

func (t teller) tellIdle() story.Log {
	if t.e.ends {
		t.Tell("hc.log.no-action", "seat", t.e.seat.String())
	}
	return t.Log
}

func (t teller) tellTurned() story.Log {
	d, _ := t.now.roles[t.e.seat].Open()
	h := t.hap(engine.HapTurned, t.e.seat, 0)
	h.Cards = []engine.ID{roleID(d.role())}
	t.TellOf(h, "hc.log.turned-up", "seat", t.e.seat.String(), "role", string(roleID(d.role())))
	if t.e.seat == t.was.accused {
		t.Log = t.tellAcquitted()
	}
	t.tellImpossible()
	return t.Log
}

func (t teller) tellEnd() story.Log {
	t.tellImpossible()
	t.Log = t.Log.Happen(t.hap(engine.HapOver, 0, 0)).TellOf(t.Round, t.result.Msg)
	t.tellDebrief()
	return t.Log
}

// recordSpared records that the open urn kills no one, if so.
func (t *teller) tellSpared() {
	if t.doomed == 0 {
		t.TellOf(t.hap(engine.HapSpared, 0, 0), "hc.log.nobody-dies")
	}
}

// recordImpossibleRoles records once that the role cards cannot be right (rules, 4.2). The table goes on by
// the cards shown, or the host starts again.
func (t *teller) tellImpossible() {
	if !t.was.impossible() && t.now.impossible() {
		t.Tell("hc.log.roles-impossible")
	}
}

// recordForObservers records, for those who observe x, which clue was taken (HC-114). If it was not named,
// they look at the card.
func (t *teller) tellObservers(x engine.Seat, c card) {
	for y := engine.Seat(1); y <= maxSeats; y++ {
		switch {
		case !t.seats[y].watching:
		case c != 0:
			t.Whisper(y, "hc.log.observed.own", "seat", x.String(), "card", t.book.cardID[c])
		default:
			t.Whisper(y, "hc.log.observed.look", "seat", x.String())
		}
	}
}

// recordDied records the crime place at its first death, and each death. A role that the machine does not
// know is turned up next.
func (t teller) tellDeath() story.Log {
	if at := t.was.seats[t.e.seat].at; t.was.rooms[at].deaths == 0 {
		t.Happen(t.hap(engine.HapCrime, 0, at, card(at))) // a weapon and its place have the same number
	}
	t.tellFall(t.e.seat, "hc.log.died", "hc.log.died.untold")
	return t.Log
}

// recordDeath records that x has died, with the message key, or unknown while the role of x is not known.
func (t *teller) tellFall(x engine.Seat, key, untold string) {
	at := t.was.seats[x].at
	h, says := t.hap(engine.HapDied, x, at), []string{"seat", x.String(), "place", t.book.placeID[at],
		"n", numbers[t.was.seats[x].cards]}
	d, ok := t.now.roles[x].Open()
	if !ok {
		t.TellOf(h, untold, says...)
		return
	}
	h.Cards = []engine.ID{roleID(d.role())}
	t.TellOf(h, key, append(says, "role", string(roleID(d.role())))...)
}

// recordDebrief records the hands after the end.
func (t *teller) tellDebrief() {
	for _, h := range t.now.heldLast() {
		x, ids := h.Seat.String(), h.Cards
		switch {
		case len(ids) == 1:
			t.Tell("hc.log.debrief.1", "seat", x, "a", string(ids[0]))
		case len(ids) == 2:
			t.Tell("hc.log.debrief.2", "seat", x, "a", string(ids[0]), "b", string(ids[1]))
		default:
			t.Tell("hc.log.debrief.3", "seat", x, "a", string(ids[0]), "b", string(ids[1]), "c", string(ids[2]))
		}
	}
}

// finalHands returns the hands after the end, if the table chose so (GEN-008). It leaves out hands of which
// the machine does not know each clue.
func (s *recordState) heldLast() (all []engine.Held) {
	if s.result == nil || s.rule(swDebrief) != "on" {
		return nil
	}
	for y := engine.Seat(1); y <= maxSeats; y++ {
		if cs := s.cards.Held(y); cs != 0 && s.known(y) {
			all = append(all, engine.Held{Seat: y, Cards: s.book.engineIDs(cs)})
		}
	}
	return all
}

// Chronicle returns the story of the game so far.
func (s *state) Chronicle() engine.Chronicle { return s.log.Chronicle(s.heldLast()) }

// endingKeys are the messages for the ends with one winner, by rule.
var endings = map[string]string{
	"HC-150": "hc.over.unmasked", "HC-151": "hc.over.innocents-dead", "HC-153": "hc.over.innocents-dead",
	"HC-152": "hc.over.murderer-dead", "HC-209": "hc.over.duel", "HC-210": "hc.over.both",
}

// resultMessage returns the message for the end of the game.
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
