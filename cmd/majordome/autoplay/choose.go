package autoplay

import (
	"maps"
	"slices"

	"majordome/engine"
	"majordome/engine/chance"
)

// chooseAct draws one of the offers of a view that a guest would accept, and values for its parameters; ok is false if
// there is none.
func chooseAct(v engine.View, dice engine.Dice) (act string, args engine.Args, ok bool) {
	offers := slices.DeleteFunc(engine.AllowedOffers(slices.Clone(v.Offers)), func(o engine.Offer) bool {
		return o.Aside || o.Overrule || slices.ContainsFunc(o.Params, func(p engine.Param) bool {
			return p.Kind == "text" ||
				p.Kind == "dice"
		})
	})
	k := newKnowledge(v)
	i, ok := chance.DrawWeighted(dice, len(offers), func(i int) int { return offerWeight(offers[i], offers, k) })
	if !ok {
		return "", nil, false
	}
	return offers[i].Act, chooseArgs(offers[i], k, dice), true
}

// offerWeight returns the relative weight of an offer, 0 for never. Offers that advance the evening weigh more than
// those that end a turn. In a Cluedo, an accusation weighs most once the guest knows the envelope.
func offerWeight(o engine.Offer, all []engine.Offer, k *knowledge) int {
	also := func(acts ...string) bool {
		return slices.ContainsFunc(all, func(x engine.Offer) bool { return slices.Contains(acts, x.Act) })
	}
	switch o.Act {
	case "offer-draw", "switch", "rise", "sit":
		return 0
	case "take-last": // without a card; take does the same with one
		return 0
	case "accuse":
		switch {
		case k == nil:
			return 12
		case !k.knowsEnvelope() || slices.ContainsFunc(o.Params,
			func(p engine.Param) bool { return len(k.possibleEnvelopeValues(p.Domain)) == 0 }):
			return 0
		}
		return 1000
	case "none", "nobody-has":
		if also("answer") {
			return 0
		}
	case "hypothesis", "answer", "verdict", "open":
		return 60
	case "end", "done", "pass", "stay":
		if also("hypothesis", "search", "take", "move", "roll", "deposit") {
			return 1
		}
	case "no-deposit", "destroy", "exchange":
		return 2
	}
	return 12
}

// chooseArgs draws a value for each parameter of an offer, in a Cluedo mostly from the cards that may be in the
// envelope.
func chooseArgs(o engine.Offer, k *knowledge, dice engine.Dice) engine.Args {
	args := maps.Clone(o.Fixed)
	if args == nil {
		args = engine.Args{}
	}
	for _, p := range o.Params {
		from := p.Domain
		if k != nil && (o.Act == "accuse" || p.Aloud || p.Kind == "place") {
			if wanted := k.preferredValues(p); len(wanted) > 0 && (o.Act == "accuse" || dice.Intn(6) > 0) {
				from = wanted
			}
		}
		args[p.Name] = from[dice.Intn(len(from))]
	}
	return args
}

// preferredValues returns the values of p that help a guest: cards that may be in the envelope, or the place for an
// accusation once it knows them.
func (k *knowledge) preferredValues(p engine.Param) []string {
	if pool := "pool"; k.knowsEnvelope() && slices.Contains(p.Domain, pool) {
		return []string{pool}
	}
	return k.possibleEnvelopeValues(p.Domain)
}
