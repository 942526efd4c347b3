package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/hidden"
)

// decideClaimOrForget decides "hold" and "forget", with which a seat corrects on its phone, in private, the
// machine's idea of its hand (GEN-001, GEN-021; rules, 4.2). A record that the seat does not know of never
// causes a refusal.
func (s *inquiryState) decideClaimOrForget(c engine.Command) ([]*event, *engine.Reject) {
	x, ok := c.By.Seat()
	switch {
	case s.isDead(x):
		return nil, refuse(engine.NotYou, "HC-138", "hc.no.dead", "seat", x.String())
	case !ok || !s.isSeated(x):
		return nil, refuse(engine.NotYou, "GEN-021", "hc.no.seat-only")
	case s.phase < phasePick || s.phase >= phaseOver:
		return nil, refuse(engine.NotNow, "GEN-021", "hc.no.not-now")
	}
	what, r := s.parseOpenCard(c)
	if r != nil {
		return nil, r
	}
	k := s.knowledgeFor(c.By)
	if c.Act == "forget" {
		if !k.knownHandOf(x).Contains(what) {
			return nil, refuse(engine.Forbidden, "GEN-021", "hc.no.not-held")
		}
		return cardEvent(evUnclaimed, c.At, x, what), nil
	}
	switch {
	case k.knowsHand(x):
		return nil, refuse(engine.Forbidden, "GEN-021", "hc.no.all-named")
	case !k.unseenClues(x).Contains(what):
		return nil, refuse(engine.Forbidden, "GEN-021", "hc.no.elsewhere")
	}
	return cardEvent(evClaimed, c.At, x, what), nil
}

// offerClaims adds the acts "hold" and "forget".
func (s *public) offerClaims(out []engine.Offer, x engine.Seat, k *knowledge) []engine.Offer {
	if !s.isLiving(x) || s.phase < phasePick || s.phase >= phaseOver || s.count.Counting {
		return out
	}
	aside := func(act string, cs set) {
		if cs != 0 {
			out = append(out, engine.Offer{Act: act, Rule: "GEN-021", Aside: true,
				Params: []engine.Param{{Name: "card", Kind: "card", Domain: s.book.listIDs(cs)}}})
		}
	}
	if !k.knowsHand(x) {
		aside("hold", k.unseenClues(x))
	}
	aside("forget", k.knownHandOf(x))
	return out
}

// forgetClue removes a clue from the record of the hand of x and from its claims.
func (s *recordState) forgetClue(x engine.Seat, c card) {
	if s.ledger.LocationOf(c) == custody.HandOf(x) {
		s.ledger.RecordCard(c, locSomewhere, hidden.Nobody)
	}
	s.ledger.RemoveClaim(x, c)
}
