package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/custody"
)

// decideClaim decides "hold" and "forget", with which a seat corrects on its phone, in private, the
// machine's idea of its hand (GEN-001, GEN-021; rules, 4.2). A record that the seat does not know of never
// causes a refusal.
func (s *state) mend(c engine.Command) ([]*event, *engine.Reject) {
	x, ok := c.By.Seat()
	switch {
	case s.dead(x):
		return nil, refuse(engine.NotYou, "HC-138", "hc.no.dead", "seat", x.String())
	case !ok || !s.seated(x):
		return nil, refuse(engine.NotYou, "GEN-021", "hc.no.seat-only")
	case s.phase < pick || s.phase >= over:
		return nil, refuse(engine.NotNow, "GEN-021", "hc.no.not-now")
	}
	what, r := s.openCard(c)
	if r != nil {
		return nil, r
	}
	k := s.knowledge(c.By)
	if c.Act == "forget" {
		if !k.hand(x).Has(what) {
			return nil, refuse(engine.Forbidden, "GEN-021", "hc.no.not-held")
		}
		return oneCard(evForgot, c.At, x, what), nil
	}
	switch {
	case k.knows(x):
		return nil, refuse(engine.Forbidden, "GEN-021", "hc.no.all-named")
	case !k.maybe(x).Has(what):
		return nil, refuse(engine.Forbidden, "GEN-021", "hc.no.elsewhere")
	}
	return oneCard(evHeld, c.At, x, what), nil
}

// offerClaims adds the acts "hold" and "forget".
func (s *public) namingOffers(out []engine.Offer, x engine.Seat, k *knowledge) []engine.Offer {
	if !s.living(x) || s.phase < pick || s.phase >= over || s.count.Counting {
		return out
	}
	aside := func(act string, cs set) {
		if cs != 0 {
			out = append(out, engine.Offer{Act: act, Rule: "GEN-021", Aside: true,
				Params: []engine.Param{{Name: "card", Kind: "card", Domain: s.book.list(cs)}}})
		}
	}
	if !k.knows(x) {
		aside("hold", k.maybe(x))
	}
	aside("forget", k.hand(x))
	return out
}

// forgetClue removes a clue from the record of the hand of x and from its claims.
func (s *recordState) forget(x engine.Seat, c card) {
	if s.cards.At(c) == custody.HandOf(x) {
		s.cards.Put(c, locSomewhere, box.Nobody)
	}
	s.cards.Unclaim(x, c)
}
