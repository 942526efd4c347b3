package engine

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// IsAllowed reports whether Decide accepts the offer, with any values of its domains.
func (o Offer) IsAllowed() bool {
	for i := range o.Params {
		if p := &o.Params[i]; len(p.Domain) == 0 && p.Kind != "text" {
			return false
		}
	}
	return o.No == nil
}

// IsForbidden reports whether the viewer may not use the offer.
func (o Offer) IsForbidden() bool { return !o.IsAllowed() }

// AllowedOffers returns the offers that Decide accepts. If that is all of them, it returns the same
// slice.
func AllowedOffers(offers []Offer) []Offer {
	if !slices.ContainsFunc(offers, Offer.IsForbidden) {
		return offers
	}
	return slices.DeleteFunc(slices.Clone(offers), Offer.IsForbidden)
}

// RemoveForbiddenFrom removes the forbidden offers at and after index from. It changes offers in place
// and returns the shorter slice.
func RemoveForbiddenFrom(offers []Offer, from int) []Offer {
	return offers[:from+len(slices.DeleteFunc(offers[from:], Offer.IsForbidden))]
}

// ListedValues returns all values that a page lists for p, allowed or not.
func (p Param) ListedValues() []string {
	if p.All != nil {
		return p.All
	}
	return p.Domain
}

// IsHiddenUntilTouched reports whether a page shows the values of p only while a finger is on them.
// The comments here call such a parameter and its values covered.
func (p Param) IsHiddenUntilTouched() bool { return (p.Kind == "card" || p.Kind == "role") && !p.Aloud }

// wireParam is a Param without its methods, for encoding/json.
type wireParam Param

// MarshalJSON leaves Domain out if All is set.
func (p Param) MarshalJSON() ([]byte, error) {
	if p.All != nil {
		p.Domain = nil
	}
	return json.Marshal(wireParam(p))
}

// UnmarshalJSON restores Domain from All and No.
func (p *Param) UnmarshalJSON(data []byte) error {
	if err := json.Unmarshal(data, (*wireParam)(p)); err != nil {
		return err
	}
	for i, v := range p.All {
		if !slices.ContainsFunc(p.No, func(r Refusal) bool { return slices.Contains(r.At, i) }) {
			p.Domain = append(p.Domain, v)
		}
	}
	return nil
}

// FillSecretRefusals fills in the reason of each refusal that depends on secret knowledge of v. It
// asks g to decide each forbidden offer or value, and copies the rule and the sentence of the
// Reject. If g accepts one after all, no reason is added.
func FillSecretRefusals(g Game, at Millis, v Viewer, offers []Offer) {
	refuse := func(act string, args Args) *Reject {
		_, r := g.Decide(Command{At: at, By: v, Act: act, Args: args}, noDice{})
		return r
	}
	for i := range offers {
		o := &offers[i]
		if o.No != nil {
			if r := refuse(o.Act, o.Fixed); r != nil {
				o.No = &Refusal{Rule: r.Rule, Why: r.Why}
			}
		}
		for j := range o.Params {
			p := &o.Params[j]
			p.addRefusedValues(func(v string) *Reject { return refuse(o.Act, o.ArgsWith(p.Name, v)) })
		}
	}
}

// ArgsWith returns arguments for o with this value for one parameter. Every other parameter gets
// its first accepted value or, without one, its first listed value.
func (o Offer) ArgsWith(name, value string) Args {
	args := Args{}
	for _, p := range o.Params {
		switch {
		case len(p.Domain) > 0:
			args[p.Name] = p.Domain[0]
		case len(p.All) > 0:
			args[p.Name] = p.All[0]
		}
	}
	maps.Copy(args, o.Fixed)
	args[name] = value
	return args
}

// addRefusedValues adds a refusal for each value of All that refuse refuses.
func (p *Param) addRefusedValues(refuse func(value string) *Reject) {
	for n, v := range p.All {
		if slices.Contains(p.Domain, v) {
			continue
		}
		if r := refuse(v); r != nil {
			p.addRefusal(n, r)
		}
	}
}

// noDice is a Dice that always returns 0.
type noDice struct{}

func (noDice) Intn(int) int { return 0 }

// addRefusal records in p.No that the value at this index of All is refused.
func (p *Param) addRefusal(index int, r *Reject) {
	same := func(no Refusal) bool { return no.Rule == r.Rule && reflect.DeepEqual(no.Why, r.Why) }
	i := slices.IndexFunc(p.No, same)
	if i < 0 {
		i = len(p.No)
		p.No = append(p.No, Refusal{Rule: r.Rule, Why: r.Why})
	}
	p.No[i].At = append(p.No[i].At, index)
}

// describeVisibleButton describes the button of an offer, for comparisons, with the values that the page
// lists openly, up to the first covered parameter. covered holds the values of that parameter; nil:
// there is none.
func (o Offer) describeVisibleButton() (line string, covered []string) {
	line = fmt.Sprintf("%s grave=%t aside=%t", o.Act, o.Grave, o.Aside)
	for _, name := range slices.Sorted(maps.Keys(o.Fixed)) {
		line += " " + name + "=" + o.Fixed[name]
	}
	for _, p := range o.Params {
		if p.IsHiddenUntilTouched() {
			return line + " " + p.Name, append([]string{}, p.ListedValues()...)
		}
		line += " " + p.Name + "=" + strings.Join(p.ListedValues(), ",")
	}
	return line, nil
}

// BystanderOfferLines describes what a bystander sees of the offers on a seat's page while no finger
// touches it. For each button, in order, it gives the values that the page lists openly and the
// number of covered values, up to the first covered parameter; the page asks for the later ones
// only after that choice. Refusals and domains are left out, because they appear only on a tap. In
// two games that look the same in public, BystanderOfferLines is the same at each seat (GEN-002).
func BystanderOfferLines(v View) []string {
	var out []string
	covered := map[string]map[string]bool{} // by line: the values of all offers of an act
	for _, o := range v.Offers {
		line, values := o.describeVisibleButton()
		if !slices.Contains(out, line) {
			out = append(out, line)
		}
		if values != nil && covered[line] == nil {
			covered[line] = map[string]bool{}
		}
		for _, value := range values {
			covered[line][value] = true
		}
	}
	for i, line := range out {
		if values, ok := covered[line]; ok {
			out[i] = fmt.Sprintf("%s: %d", line, len(values))
		}
	}
	if v.Me != nil {
		out = append(out, fmt.Sprintf("tray: %d", len(v.Me.Tray)))
	}
	return out
}
