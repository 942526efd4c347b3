package engine

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Allowed reports that Decide accepts the offer, with any values of its domains.
func (o Offer) Allowed() bool {
	for i := range o.Params {
		if p := &o.Params[i]; len(p.Domain) == 0 && p.Kind != "text" {
			return false
		}
	}
	return o.No == nil
}

// Forbidden reports that the viewer may not act by it.
func (o Offer) Forbidden() bool { return !o.Allowed() }

// Allowed are the offers that Decide accepts. Where all are, they are not copied.
func Allowed(offers []Offer) []Offer {
	if !slices.ContainsFunc(offers, Offer.Forbidden) {
		return offers
	}
	return slices.DeleteFunc(slices.Clone(offers), Offer.Forbidden)
}

// AllowedFrom is offers without those that Decide refuses from number n on. It is changed in place.
func AllowedFrom(offers []Offer, n int) []Offer {
	return offers[:n+len(slices.DeleteFunc(offers[n:], Offer.Forbidden))]
}

// Listed are all values that a page lists.
func (p Param) Listed() []string {
	if p.All != nil {
		return p.All
	}
	return p.Domain
}

// Covered reports that the choice shows only while a finger holds it.
func (p Param) Covered() bool { return (p.Kind == "card" || p.Kind == "role") && !p.Aloud }

// wireParam is a Param as it travels.
type wireParam Param

// MarshalJSON leaves out the domain where All stands.
func (p Param) MarshalJSON() ([]byte, error) {
	if p.All != nil {
		p.Domain = nil
	}
	return json.Marshal(wireParam(p))
}

// UnmarshalJSON makes the domain of All and No.
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

// Explain fills in why what v alone knows forbids what is offered, in the words with which
// g would refuse it. What is not refused after all stays unmarked.
func Explain(g Game, at Millis, v Viewer, offers []Offer) {
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
			p.explain(func(v string) *Reject { return refuse(o.Act, o.With(p.Name, v)) })
		}
	}
}

// With are arguments of o with a value for one parameter: each other one has the first
// value that is accepted, or else the first that is listed.
func (o Offer) With(name, value string) Args {
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

// explain marks each value of All that is refused.
func (p *Param) explain(refuse func(value string) *Reject) {
	for n, v := range p.All {
		if slices.Contains(p.Domain, v) {
			continue
		}
		if r := refuse(v); r != nil {
			p.refuse(n, r)
		}
	}
}

// noDice always fall on the first side.
type noDice struct{}

func (noDice) Intn(int) int { return 0 }

// refuse marks the n-th value of All.
func (p *Param) refuse(n int, r *Reject) {
	same := func(no Refusal) bool { return no.Rule == r.Rule && reflect.DeepEqual(no.Why, r.Why) }
	i := slices.IndexFunc(p.No, same)
	if i < 0 {
		i = len(p.No)
		p.No = append(p.No, Refusal{Rule: r.Rule, Why: r.Why})
	}
	p.No[i].At = append(p.No[i].At, n)
}

// glance is the button of an offer with the values listed by name, up to the first covered
// choice, and the values of that; nil: there is none.
func (o Offer) glance() (line string, covered []string) {
	line = fmt.Sprintf("%s grave=%t aside=%t", o.Act, o.Grave, o.Aside)
	for _, name := range slices.Sorted(maps.Keys(o.Fixed)) {
		line += " " + name + "=" + o.Fixed[name]
	}
	for _, p := range o.Params {
		if p.Covered() {
			return line + " " + p.Name, append([]string{}, p.Listed()...)
		}
		line += " " + p.Name + "=" + strings.Join(p.Listed(), ",")
	}
	return line, nil
}

// Glance is what the page of a seat shows of its offers to whoever glances at it while no
// finger covers or holds anything: for each button, in their order, the values that it
// lists by name and the number of those that it lists covered, up to the first covered
// choice; what is asked after that shows only once it is made. Refusals and domains are
// left out: they show on the tap alone. In two worlds that look the same in public, the
// glances at every seat are the same (GEN-002).
func Glance(v View) []string {
	var out []string
	covered := map[string]map[string]bool{} // by line: the values of all offers of an act
	for _, o := range v.Offers {
		line, values := o.glance()
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
