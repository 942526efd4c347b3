package script

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"majordome/engine"
	"majordome/engine/chance"
)

// offeredActs returns the acts that are offered, without those that only correct the record.
func offeredActs(offers []engine.Offer) (list []string) {
	for _, o := range engine.AllowedOffers(offers) {
		if !o.Aside && !slices.Contains(list, o.Act) {
			list = append(list, o.Act)
		}
	}
	return list
}

// offerChoice returns an offer in the form of a script: its rule, whether it is grave, its fixed arguments
// and the given values of each parameter.
func offerChoice(o engine.Offer, values func(engine.Param) []string) choice {
	args := engine.Args{"rule": o.Rule, "grave": valueText(reflect.ValueOf(o.Grave))}
	maps.Copy(args, o.Fixed)
	for _, p := range o.Params {
		args[p.Name] = strings.Join(values(p), ",")
	}
	return choice{o.Act, args}
}

// acceptedChoices returns the offers that Decide accepts, with the values that it accepts.
func acceptedChoices(offers []engine.Offer) (list []choice) {
	for _, o := range engine.AllowedOffers(offers) {
		list = append(list, offerChoice(o, func(p engine.Param) []string { return p.Domain }))
	}
	return list
}

// listedChoices returns all offers, with the values that a page lists.
func listedChoices(offers []engine.Offer) (list []choice) {
	for _, o := range offers {
		list = append(list, offerChoice(o, engine.Param.ListedValues))
	}
	return list
}

// refusedChoices returns the listed acts and values that only their viewer knows to be refused ("marked" in
// a script): one choice for each rule that forbids the act, or values of one parameter.
func refusedChoices(offers []engine.Offer) (list []choice) {
	mark := func(o engine.Offer, rule, name string, values ...string) {
		o.Rule, o.Params = rule, nil
		if name != "" {
			o.Params = []engine.Param{{Name: name, Domain: values}}
		}
		list = append(list, offerChoice(o, engine.Param.ListedValues))
	}
	for _, o := range offers {
		if o.No != nil {
			mark(o, o.No.Rule, "")
		}
		for _, p := range o.Params {
			for _, no := range p.No {
				values := make([]string, len(no.At))
				for i, n := range no.At {
					values[i] = p.All[n]
				}
				mark(o, no.Rule, p.Name, values...)
			}
		}
	}
	return list
}

// compareOffer looks for an offer of the act with exactly these fixed arguments and values; nil: there is
// one.
func compareOffer(words []word, offers []choice) *difference {
	offers = slices.DeleteFunc(offers, func(c choice) bool { return c.name != words[0].text })
	d := compareNearest(words, offers, func(w word, came string, has bool) bool {
		return has && (w.text == "*" || sameMembers(splitList(w.comparedText()), splitList(came)))
	})
	if d != nil && len(offers) == 0 {
		d.suggested, d.isNegated = words, true
	}
	return d
}

// checkOffers returns a sentence for each offer that would be refused. It tries each with the first and
// with the last value of every parameter, and does not use the dice of the scene. An offer depends on what
// its viewer knows, so a card in it may still raise the alarm (GEN-E13).
func (r *sceneRun) checkOffers(v engine.Viewer, offers []engine.Offer) (problems []string) {
	for _, o := range offers {
		if o.No != nil || slices.ContainsFunc(o.Params, func(p engine.Param) bool { return len(p.Domain) == 0 && p.All != nil }) {
			continue // its page says why
		}
		for _, last := range []bool{false, true} {
			c := engine.Command{At: r.clock, By: v, Act: o.Act, Args: engine.Args{}}
			maps.Copy(c.Args, o.Fixed)
			for _, p := range o.Params {
				switch {
				case p.Kind == "text":
					c.Args[p.Name] = "Guest"
				case len(p.Domain) == 0:
					problems = append(problems, formatNote("proposé sans aucune valeur", "offered without a value", o.Act+" "+p.Name))
				case last:
					c.Args[p.Name] = p.Domain[len(p.Domain)-1]
				default:
					c.Args[p.Name] = p.Domain[0]
				}
			}
			if _, reject := r.game.Decide(c, chance.New(1)); reject != nil && reject.Rule != engine.RuleAlarm {
				problems = append(problems,
					formatNote("proposé, puis refusé", "offered and refused",
						fmt.Sprintf("%s %v: %s", o.Act, c.Args, outcomeText(reject))))
			}
		}
	}
	return problems
}

// checkAnnouncedRefusals returns a sentence for each listed act or value whose announced refusal has not
// the rule by which Decide refuses it. Only a seat may have such refusals, because only a seat knows
// something that forbids an act.
func (r *sceneRun) checkAnnouncedRefusals(v engine.Viewer, offers []engine.Offer) (problems []string) {
	for _, o := range offers {
		if o.No != nil {
			problems = append(problems, r.checkAnnouncedRefusal(v, o.Act, o.Fixed, []string{o.No.Rule})...)
		}
		for _, p := range o.Params {
			if p.All != nil && len(p.All) == len(p.Domain) {
				problems = append(problems, formatNote("deux fois la même liste", "the same list twice", o.Act+" "+p.Name))
			}
			for n, value := range p.All {
				if !slices.Contains(p.Domain, value) {
					problems = append(problems, r.checkAnnouncedRefusal(v, o.Act, o.ArgsWith(p.Name, value), announcedRules(p, n))...)
				}
			}
		}
	}
	return problems
}

// checkAnnouncedRefusal returns a sentence if an act is not refused by exactly the announced rules; else
// nil.
func (r *sceneRun) checkAnnouncedRefusal(v engine.Viewer, act string, args engine.Args, rules []string) []string {
	_, reject := r.game.Decide(engine.Command{At: r.clock, By: v, Act: act, Args: args}, chance.New(1))
	var want []string
	if _, sits := v.Seat(); sits && reject != nil {
		want = []string{reject.Rule}
	}
	if slices.Equal(want, rules) {
		return nil
	}
	return []string{formatNote("mal marqué", "marked wrongly", fmt.Sprintf("%s %v: %s, %s", act, args, rules, outcomeText(reject)))}
}

// announcedRules returns the rules of the refusals that p announces for the listed value with index n.
func announcedRules(p engine.Param, n int) (rules []string) {
	for _, no := range p.No {
		if slices.Contains(no.At, n) {
			rules = append(rules, no.Rule)
		}
	}
	return rules
}
