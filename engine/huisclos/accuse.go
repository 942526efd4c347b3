package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/custody"
)

// The accusation (HC-090 to HC-101).

// refuseAccusation refuses an accusation that was announced: the table learns that it does not take place,
// and only the accuser learns why (rules, 4.2).
func refuseAccusation(rule, key string) *engine.Reject {
	r := refuse(engine.Forbidden, rule, key)
	r.Public = engine.NewMsg("hc.public.accusation-cancelled")
	return r
}

// knownInnocent is the value of "confirm" to accuse again a player whose Innocent card is face up (HC-099).
const knownInnocent = "known-innocent"

// isKnownInnocent reports whether all players know that y is innocent.
func (s *roleState) isKnownInnocent(y engine.Seat) bool {
	d, ok := s.roles[y].ValueFor(engine.Public)
	return ok && d.role() == innocent
}

// decideAccusation decides an accusation. It refuses openly by the public conditions; only the accuser learns
// that the clue is missing (HC-091).
func (s *roleState) decideAccusation(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x := by.seat
	y, r := s.parseActOnSeat(by, c, "HC-101")
	if r != nil {
		return nil, r
	}
	switch {
	case s.duel:
		return nil, refuseOpenly(engine.Forbidden, "HC-202", "hc.no.accuse-duel")
	case !s.allowsAccusations() && !s.waived.Contains(waiveRound):
		return nil, refuseOpenly(engine.Forbidden, "HC-090", "hc.no.accuse-round", "n", numbers[s.startPlayers+1])
	case s.seats[x].tokens == 0:
		return nil, refuseOpenly(engine.Forbidden, "HC-100", "hc.no.accuse-token", "seat", x.String())
	case s.seats[y].at != s.seats[x].at:
		return nil, refuseOpenly(engine.Forbidden, "HC-091", "hc.no.accuse-place", "seat", y.String())
	case by.mustSearchForExcess(x):
		return nil, refuseAccusation("HC-188", "hc.fact.excess")
	}
	clue, ok := s.book.cardByID[c.Args["card"]]
	switch {
	case !ok || !by.evidenceAgainst(y).Contains(clue):
		return nil, refuseAccusation("HC-091", "hc.no.accuse-clue")
	case s.isKnownInnocent(y) && c.Args["confirm"] != knownInnocent:
		return nil, refuse(engine.Forbidden, "HC-099", "hc.no.known-innocent", "seat", y.String())
	}
	if alarm := s.alarmIfRecordedElsewhere(clue, custody.HandOf(x)); alarm != nil {
		return nil, alarm
	}
	return []*event{{kind: evAccused, at: c.At, seat: x, other: y, card: hideCard(clue)}}, nil
}

// passTokenIfInnocent gives the accuser's Accusation card to the accused if the accused has turned up an
// Innocent card (HC-095).
func (s *roleState) passTokenIfInnocent() {
	if d, ok := s.roles[s.accused].ValueFor(engine.Public); ok && d.role() != murderer {
		s.seats[s.accuser].tokens--
		s.seats[s.accused].tokens++
	}
}

// recordWrongAccusation records that an accusation was wrong, if the card of the accused shows it.
func (t storyRecorder) recordWrongAccusation() {
	if t.newState.isKnownInnocent(t.accused) {
		t.AddHappeningLine(engine.Happening{What: engine.HapWrong, Seat: t.accuser, Other: t.accused},
			"hc.log.accused.wrong", "seat", t.accuser.String(), "other", t.accused.String())
	}
}
