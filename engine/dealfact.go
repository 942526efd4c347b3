package engine

// DealFact is a fact of the deal that stays true for the whole game: in a Cluedo where a mystery card was
// dealt, in Huis Clos which role a seat has. The clues of Huis Clos move about, so where one was laid is no
// such fact.
type DealFact struct {
	Item  string // a card, or "seat-3" for its role
	Value string // "seat-3", a place or InEnvelope; for a seat its role
}

// String returns the item and the value.
func (f DealFact) String() string { return f.Item + " " + f.Value }

// DealFacts lists what the view says of the deal: for the overseer all that is on record, for a seat what it
// has seen. It also lists facts about cards that are no mystery cards, and what a seat says of its own hand
// without a record; the record has no such facts. A fact may be listed twice.
func (v *View) DealFacts() (all []DealFact) {
	cards := func(at string, ids []ID) {
		for _, c := range ids {
			if at != "" && v.Case != nil {
				all = append(all, DealFact{string(c), at})
			}
		}
	}
	role := func(s string, is ID) {
		if is != "" {
			all = append(all, DealFact{s, string(is)})
		}
	}
	for _, s := range v.Seats {
		role(s.Seat.String(), s.Role)
		cards(s.Seat.String(), s.Hand)
	}
	for _, h := range v.Secrets {
		role(h.Of, h.Role)
		cards(h.Of, h.Cards)
	}
	if v.Result != nil {
		cards(InEnvelope, v.Result.Solution)
	}
	if v.Me == nil {
		return all
	}
	role(v.Me.Seat.String(), v.Me.Role)
	for _, c := range v.Me.Hand {
		cards(v.Me.Seat.String(), []ID{c.Card})
	}
	for _, s := range v.Me.Seen {
		switch s.How {
		case SawShown:
			cards(s.Other.String(), s.Cards)
		case SawThere:
			cards(string(s.Place), s.Cards)
		case SawEnvelope:
			cards(InEnvelope, s.Cards)
		}
	}
	return all
}

// DealsAll reports whether an act of the host deals again all that DealFacts lists: the roles of Huis Clos, or the cards of a
// Cluedo without real ones.
func (v *View) DealsAll(act string) bool {
	return act == "draw-roles" || act == "deal" && v.Case != nil
}
