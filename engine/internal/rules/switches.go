package rules

import (
	"errors"
	"fmt"
	"slices"

	"majordome/engine"
	"majordome/engine/deck"
)

// Switch is a house rule: its id, the rule that it changes, and its values, that of the rulebook
// first.
type Switch struct {
	ID, Rule string
	Values   []string
}

// Switches are the house rules of a game. Their values in force are a list of indices into Values.
type Switches []Switch

// ValuesByID returns the values that a deck may name, by house rule.
func (sw Switches) ValuesByID() map[engine.ID][]string {
	known := map[engine.ID][]string{}
	for _, s := range sw {
		known[engine.ID(s.ID)] = s.Values
	}
	return known
}

// SetDefaults sets the default values of a deck in to.
func (sw Switches) SetDefaults(of []deck.Switch, to []uint8) error {
	for i, s := range sw {
		at := slices.IndexFunc(of, func(d deck.Switch) bool { return string(d.ID) == s.ID })
		if at < 0 {
			return fmt.Errorf("the deck has no switch %q", s.ID)
		}
		v := slices.Index(s.Values, string(of[at].Default))
		if v < 0 {
			return fmt.Errorf("switch %q has no value %q", s.ID, of[at].Default)
		}
		to[i] = uint8(v)
	}
	return nil
}

// IndexesOf returns the index of a house rule and the index of its value; below zero: there is
// none.
func (sw Switches) IndexesOf(id, value string) (index, valueIndex int) {
	index = slices.IndexFunc(sw, func(s Switch) bool { return s.ID == id })
	if index < 0 {
		return index, -1
	}
	return index, slices.Index(sw[index].Values, value)
}

// RuleChangedBy returns the rule that a house rule changes.
func (sw Switches) RuleChangedBy(id engine.ID) engine.ID {
	if i, _ := sw.IndexesOf(string(id), ""); i >= 0 {
		return engine.ID(sw[i].Rule)
	}
	return ""
}

// DecodeValue is IndexesOf for an event of the store.
func (sw Switches) DecodeValue(id, value string) (index uint8, valueIndex uint16, err error) {
	at, of := sw.IndexesOf(id, value)
	if of < 0 {
		return 0, 0, errors.New("no such house rule")
	}
	return uint8(at), uint16(of), nil
}

// ActiveValues returns the values in force, by house rule.
func (sw Switches) ActiveValues(chosen []uint8) map[string]string {
	m := make(map[string]string, len(sw))
	for i, s := range sw {
		m[s.ID] = s.Values[chosen[i]]
	}
	return m
}

// ParseSwitchChange checks the act by which the host changes a house rule.
func (w *RefusalKeys) ParseSwitchChange(c engine.Command, sw Switches, chosen []uint8) (index, valueIndex int, r *engine.Reject) {
	index, valueIndex = sw.IndexesOf(c.Args["name"], c.Args["value"])
	switch {
	case index < 0:
		return 0, 0, RefusePrivately(engine.Unknown, "GEN-008", w.NoSwitch)
	case valueIndex < 0:
		return 0, 0, RefusePrivately(engine.Unknown, sw[index].Rule, w.NoValue)
	case valueIndex == int(chosen[index]):
		return 0, 0, RefusePrivately(engine.Forbidden, sw[index].Rule, w.SameValue)
	}
	return index, valueIndex, nil
}

// AddSwitchOffers adds the changes that the host may make.
func (sw Switches) AddSwitchOffers(out []engine.Offer, chosen []uint8) []engine.Offer {
	for i, s := range sw {
		others := slices.Delete(slices.Clone(s.Values), int(chosen[i]), int(chosen[i])+1)
		out = append(out, engine.Offer{Act: "switch", Rule: s.Rule, Fixed: engine.Args{"name": s.ID},
			Params: []engine.Param{{Name: "value", Kind: "value", Domain: others}}})
	}
	return out
}
