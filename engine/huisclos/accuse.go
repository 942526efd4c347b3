package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/story"
)

// The accusation (HC-090 to HC-101).

// refuseAccusation refuses an accusation that was announced: the table learns that it does not take place,
// and only the accuser learns why (rules, 4.2).
func cancelled(rule, key string) *engine.Reject {
	r := refuse(engine.Forbidden, rule, key)
	r.Public = engine.Say("hc.public.accusation-cancelled")
	return r
}

// knownInnocent is the value of "confirm" to accuse again a player whose Innocent card is face up (HC-099).
const knownInnocent = "known-innocent"

// isKnownInnocent reports whether all players know that y is innocent.
func (s *roleState) cleared(y engine.Seat) bool {
	d, ok := s.roles[y].See(engine.Public)
	return ok && d.role() == innocent
}

// decideAccuse decides an accusation. It refuses openly by the public conditions; only the accuser learns
// that the clue is missing (HC-091).
func (s *roleState) doAccuse(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x := by.seat
	y, r := s.otherArg(by, c, "HC-101")
	if r != nil {
		return nil, r
	}
	switch {
	case s.duel:
		return nil, openly(engine.Forbidden, "HC-202", engine.Say("hc.no.accuse-duel"))
	case !s.accusing() && !s.waived.Has(waiveRound):
		return nil, openly(engine.Forbidden, "HC-090", engine.Say("hc.no.accuse-round", "n", numbers[s.n+1]))
	case s.seats[x].tokens == 0:
		return nil, openly(engine.Forbidden, "HC-100", engine.Say("hc.no.accuse-token", "seat", x.String()))
	case s.seats[y].at != s.seats[x].at:
		return nil, openly(engine.Forbidden, "HC-091", engine.Say("hc.no.accuse-place", "seat", y.String()))
	case by.compelled(x):
		return nil, cancelled("HC-188", "hc.fact.excess")
	}
	clue, ok := s.book.cards[c.Args["card"]]
	switch {
	case !ok || !by.evidence(y).Has(clue):
		return nil, cancelled("HC-091", "hc.no.accuse-clue")
	case s.cleared(y) && c.Args["confirm"] != knownInnocent:
		return nil, refuse(engine.Forbidden, "HC-099", "hc.no.known-innocent", "seat", y.String())
	}
	if alarm := s.laid(clue, custody.HandOf(x)); alarm != nil {
		return nil, alarm
	}
	return []*event{{kind: evAccused, at: c.At, seat: x, other: y, card: hide(clue)}}, nil
}

// passAccusationCard gives the accuser's Accusation card to the accused if the accused has turned up an
// Innocent card (HC-095).
func (s *roleState) acquit() {
	if d, ok := s.roles[s.accused].See(engine.Public); ok && d.role() != murderer {
		s.seats[s.accuser].tokens--
		s.seats[s.accused].tokens++
	}
}

// recordWrong records that an accusation was wrong, if the card of the accused shows it.
func (t teller) tellAcquitted() story.Log {
	if t.now.cleared(t.accused) {
		t.TellOf(engine.Happening{What: engine.HapWrong, Seat: t.accuser, Other: t.accused},
			"hc.log.accused.wrong", "seat", t.accuser.String(), "other", t.accused.String())
	}
	return t.Log
}
