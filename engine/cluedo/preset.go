package cluedo

import (
	"fmt"
	"maps"
	"slices"

	"majordome/engine"
	"majordome/engine/deck"
)

// preset is one way of playing an edition: values of its switches under one name, chosen at one
// go. All presets of an edition set the same switches: what one of them leaves out has the first
// value there.
type preset struct {
	ID   engine.ID         `yaml:"id"`
	Name label             `yaml:"name"`
	Set  map[string]string `yaml:"set"`

	values [maxSwitches]uint8
}

// A page shows the presets as the values of a switch of this id, which has the value noPreset where the
// switches are set as in none of them.
const (
	presetSwitch = "preset"
	noPreset     = "other"
)

var presetNames = map[string]label{
	presetSwitch: {"Règles suivies", "Rules followed"},
	noPreset:     {"Choisies ici", "Chosen here"},
}

// ruleSwitches is the rule of house rules as such.
const ruleSwitches = "GEN-008"

// checkPresets notes what no switch can be set to.
func (e *edition) checkPresets(f *deck.Checker) {
	for i := range e.Presets {
		p, path := &e.Presets[i], fmt.Sprintf("$.presets[%d]", i)
		f.Named(path, deck.Named{ID: p.ID, FR: p.Name.FR, EN: p.Name.EN})
		if p.ID == noPreset {
			f.Note(path+".id", engine.Tf("« %s » dit qu’aucun n’est choisi", "%q says that none is chosen", noPreset), engine.T("prenez un autre mot", "take another word"))
		}
		for id, value := range e.set(f, path+".set", p.Set) {
			p.values[id] = value
			e.bundled[id] = true
		}
	}
	for i := range e.Presets {
		for _, before := range e.Presets[:i] {
			if e.Presets[i].values == before.values {
				f.Note(fmt.Sprintf("$.presets[%d]", i), engine.Tf("« %s » et « %s » règlent tout de même façon", "%q and %q settle everything alike", before.ID, e.Presets[i].ID),
					engine.T("gardez-en un", "keep one of them"))
			}
		}
	}
}

// whens notes what house rules wait for, and what is none.
func (e *edition) whens(f *deck.Checker) {
	for i, sw := range e.Switches {
		for id, values := range sw.When {
			for _, value := range values {
				e.set(f, fmt.Sprintf("$.switches[%d].when", i), map[string]string{id: value})
			}
		}
	}
}

// matters reports that a house rule can change anything, as the others are set.
func (h *houseRules) matters(id string) bool {
	for _, sw := range h.book.Switches {
		for of, values := range sw.When {
			if sw.ID == id && !slices.Contains(values, h.book.switches.Active(h.rules[:])[of]) {
				return false
			}
		}
	}
	return true
}

// set reads values of switches, by their numbers, and notes what is none.
func (e *edition) set(f *deck.Checker, path string, of map[string]string) map[int]uint8 {
	values, known := map[int]uint8{}, []string{}
	if len(e.switches) > maxSwitches { // noted already
		return values
	}
	for _, s := range e.switches {
		known = append(known, s.ID)
	}
	for _, id := range slices.Sorted(maps.Keys(of)) {
		if !isRule(f, path+"."+id, id, known) {
			continue
		}
		i, v := e.switches.Find(id, of[id])
		isValue(f, path+"."+id, of[id], e.switches[i].Values)
		values[i] = uint8(max(0, v))
	}
	return values
}

// find is a preset; nil: there is none of that id.
func (e *edition) find(id engine.ID) *preset {
	if i := slices.IndexFunc(e.Presets, func(p preset) bool { return p.ID == id }); i >= 0 {
		return &e.Presets[i]
	}
	return nil
}

// presetIDs are those of its presets.
func (e *edition) presetIDs() (ids []string) {
	for _, p := range e.Presets {
		ids = append(ids, string(p.ID))
	}
	return ids
}

// follows is the preset that the switches are set by, or noPreset.
func (e *edition) follows(now []uint8) string {
	for i := range e.Presets {
		if len(e.departs(&e.Presets[i], now)) == 0 {
			return string(e.Presets[i].ID)
		}
	}
	return noPreset
}

// departs are the switches that are not set as in p.
func (e *edition) departs(p *preset, now []uint8) (which []int) {
	for i := range e.switches {
		if e.bundled[i] && p.values[i] != now[i] {
			which = append(which, i)
		}
	}
	return which
}

// inForce are the values in force of the house rules that matter, and the preset that they are of.
func (h *houseRules) inForce() map[string]string {
	all := h.book.switches.Active(h.rules[:])
	maps.DeleteFunc(all, func(id, _ string) bool { return !h.matters(id) })
	if len(h.book.Presets) > 0 {
		all[presetSwitch] = h.book.follows(h.rules[:])
	}
	return all
}

// choosePreset judges the act by which the host chooses one: each switch that is set otherwise
// changes, as if it were changed alone.
func (h *houseRules) choosePreset(c engine.Command) ([]*event, *engine.Reject) {
	p := h.book.find(engine.ID(c.Args["value"]))
	if p == nil {
		return nil, refuse(engine.Unknown, ruleSwitches, words.NoValue)
	}
	var all []*event
	for _, i := range h.book.departs(p, h.rules[:]) {
		all = append(all, &event{kind: evSwitched, at: c.At, sw: uint8(i), n: uint16(p.values[i])})
	}
	if len(all) == 0 {
		return nil, refuse(engine.Forbidden, ruleSwitches, words.Same)
	}
	return all, nil
}

// offerPresets offers the presets that the host may choose.
func (l *offerList) offerPresets() {
	now := l.book.follows(l.rules[:])
	if others := slices.DeleteFunc(l.book.presetIDs(), func(id string) bool { return id == now }); len(others) > 0 {
		l.add(engine.Offer{Act: "switch", Rule: ruleSwitches, Fixed: engine.Args{"name": presetSwitch},
			Params: []engine.Param{{Name: "value", Kind: "value", Domain: others}}})
	}
}

// setPreset sets the switches as one of the presets does.
func (h *houseRules) setPreset(p *preset) {
	for _, i := range h.book.departs(p, h.rules[:]) {
		h.rules[i] = p.values[i]
	}
}

// within is the house rule whose values are presets, if they set the i-th switch.
func (b *Book) within(i int) engine.ID {
	if b.bundled[i] {
		return presetSwitch
	}
	return ""
}

// namePresets adds what the presets are called.
func (b *Book) namePresets() {
	if len(b.Presets) == 0 {
		return
	}
	byDeck := engine.ID(b.follows(b.deck.defaults[:]))
	b.names = append(b.names, engine.Name{ID: presetSwitch, Kind: "switch", Text: presetNames[presetSwitch].text()})
	for _, p := range b.Presets {
		b.names = append(b.names, engine.Name{ID: p.ID, Kind: "value", Of: presetSwitch, Text: p.Name.text(), Default: p.ID == byDeck})
	}
	b.names = append(b.names, engine.Name{ID: noPreset, Kind: "value", Of: presetSwitch, Text: presetNames[noPreset].text(), Default: noPreset == byDeck})
}
