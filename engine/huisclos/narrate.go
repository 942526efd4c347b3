package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/rules"
	"majordome/engine/internal/story"
)

var numbers = &rules.NumberTexts

// storyRecorder adds the log lines and happenings of an event to the story.
type storyRecorder struct {
	*public // after the event
	story.Recorder
	event              *event
	newState, oldState *state // after and before the event, for roles and private lines; oldState is nil unless the row has NeedsBefore
}

// logSat is the line for a player who has sat down; recordRose removes it.
const logSat = "hc.log.sat"

func (t storyRecorder) recordRose() {
	*t.Log = t.Log.WithoutLines(func(m engine.Msg) bool { return m.Key == logSat && m.Args.Get("seat") == t.event.seat.String() })
}

// newHappening returns a happening of a seat in a place, with cards that are face up. Each of them may be
// zero.
func (h *houseRules) newHappening(what string, x engine.Seat, p place, cards ...card) engine.Happening {
	one := engine.Happening{What: what, Seat: x, Place: engine.ID(h.book.placeID[p])}
	for _, c := range cards {
		one.Cards = append(one.Cards, engine.ID(h.book.cardID[c]))
	}
	return one
}

// recordBegun adds a line without a happening, so that no voice reads out the number of rounds.
func (t storyRecorder) recordBegun() {
	key := "hc.log.begun"
	if t.ruleValue(swRoundLimit) == "lifted" {
		key = "hc.log.begun.lifted"
	}
	t.AddLine(key, "n", numbers[t.startPlayers], "rounds", numbers[uint8(t.lastRound())])
}

func (t storyRecorder) recordPile() {
	if t.oldState.phase == phaseLaying {
		t.AddHappening(t.newHappening(engine.HapDealt, 0, 0))
	}
}

func (t storyRecorder) recordAccusationsOpen() {
	if t.event.n == uint16(t.startPlayers)+1 && !t.duel {
		t.AddHappeningLine(t.newHappening(engine.HapAccusing, 0, 0), "hc.log.accusations-open")
	}
}

func (t storyRecorder) recordIdle() {
	if t.event.ends {
		t.AddLine("hc.log.no-action", "seat", t.event.seat.String())
	}
}

func (t storyRecorder) recordRoleTurned() {
	d, _ := t.newState.roles[t.event.seat].Open()
	h := t.newHappening(engine.HapTurned, t.event.seat, 0)
	h.Cards = []engine.ID{roleID(d.role())}
	t.AddHappeningLine(h, "hc.log.turned-up", "seat", t.event.seat.String(), "role", string(roleID(d.role())))
	if t.event.seat == t.oldState.accused {
		t.recordWrongAccusation()
	}
	t.recordImpossibleRoles()
}

func (t storyRecorder) recordOver() {
	t.recordImpossibleRoles()
	*t.Log = t.Log.AddHappening(t.newHappening(engine.HapOver, 0, 0)).AddLineOnHappening(t.Round, t.result.Msg)
	t.AddHands(t.newState.handsForDebrief(), "hc.log.debrief.1", "hc.log.debrief.2", "hc.log.debrief.3")
}

// recordNoDeaths records that the open urn kills no one, if so.
func (t storyRecorder) recordNoDeaths() {
	if t.doomed == 0 {
		t.AddHappeningLine(t.newHappening(engine.HapSpared, 0, 0), "hc.log.nobody-dies")
	}
}

// recordImpossibleRoles records once that the role cards cannot be right (rules, 4.2). The table goes on by
// the cards shown, or the host starts again.
func (t storyRecorder) recordImpossibleRoles() {
	if !t.oldState.hasPublicRoleContradiction() && t.newState.hasPublicRoleContradiction() {
		t.AddLine("hc.log.roles-impossible")
	}
}

// recordForObservers records, for those who observe x, which clue was taken (HC-114). If it was not named,
// they look at the card.
func (t storyRecorder) recordForObservers(x engine.Seat, c card) {
	for y := engine.Seat(1); y <= maxSeats; y++ {
		switch {
		case !t.seats[y].observing:
		case c != 0:
			t.AddPrivateLine(y, "hc.log.observed.own", "seat", x.String(), "card", t.book.cardID[c])
		default:
			t.AddPrivateLine(y, "hc.log.observed.look", "seat", x.String())
		}
	}
}

// recordUrnDeath records the crime place at its first death, and each death. A role that the machine does not
// know is turned up next.
func (t storyRecorder) recordUrnDeath() {
	if at := t.oldState.seats[t.event.seat].at; t.oldState.rooms[at].deaths == 0 {
		t.AddHappening(t.newHappening(engine.HapCrime, 0, at, card(at))) // a weapon and its place have the same number
	}
	t.recordDeath(t.event.seat, "hc.log.died", "hc.log.died.untold")
}

// recordDeath records that x has died, with the message key, or unknown while the role of x is not known.
func (t storyRecorder) recordDeath(x engine.Seat, key, keyRoleUnknown string) {
	at := t.oldState.seats[x].at
	h, says := t.newHappening(engine.HapDied, x, at), []string{"seat", x.String(), "place", t.book.placeID[at],
		"n", numbers[t.oldState.seats[x].cards]}
	d, ok := t.newState.roles[x].Open()
	if !ok {
		t.AddHappeningLine(h, keyRoleUnknown, says...)
		return
	}
	h.Cards = []engine.ID{roleID(d.role())}
	t.AddHappeningLine(h, key, append(says, "role", string(roleID(d.role())))...)
}

// handsForDebrief returns the hands after the end, if the table chose so (GEN-008). It leaves out hands of which
// the machine does not know each clue.
func (s *recordState) handsForDebrief() (all []engine.Held) {
	if s.result == nil || s.ruleValue(swDebrief) != "on" {
		return nil
	}
	for y := engine.Seat(1); y <= maxSeats; y++ {
		if cs := s.ledger.RecordedOrClaimed(y); cs != 0 && s.isHandKnown(y) {
			all = append(all, engine.Held{Seat: y, Cards: s.book.listEngineIDs(cs)})
		}
	}
	return all
}

// Chronicle returns the story of the game so far.
func (s *state) Chronicle(votes []engine.Suspicion) engine.Chronicle {
	c := s.log.Chronicle(s.handsForDebrief())
	if s.result == nil {
		return c
	}
	happened := s.log.AllHappenings()
	return s.log.WithFrontPage(c, listSuperlatives(s.View(engine.Public), happened, votes), fatalHappening(happened))
}

// endingKeys are the messages for the ends with one winner, by rule.
var endingKeys = map[string]string{
	"HC-150": "hc.over.unmasked", "HC-151": "hc.over.innocents-dead", "HC-153": "hc.over.innocents-dead",
	"HC-152": "hc.over.murderer-dead", "HC-209": "hc.over.duel", "HC-210": "hc.over.both",
}

// resultMessage returns the message for the end of the game.
func resultMessage(rule string, winners []engine.Seat, draw bool) engine.Msg {
	switch key := endingKeys[rule]; {
	case draw:
		return engine.NewMsg("hc.over.draw")
	case len(winners) == 0:
		return engine.NewMsg("hc.over.nobody")
	case len(winners) > 1:
		return engine.NewMsg("hc.over.survivors")
	case key != "":
		return engine.NewMsg(key, "seat", winners[0].String())
	}
	return engine.NewMsg("hc.over.rounds", "seat", winners[0].String())
}
