package cluedo

import (
	"fmt"
	"maps"
	"slices"

	"majordome/engine"
	"majordome/engine/deck"
)

// preset is one way of playing an edition: values of its switches under one name, chosen together.
// All presets of an edition set the same switches; a preset that leaves one out sets its first
// value.
type preset struct {
	ID   engine.ID         `yaml:"id"`
	Name label             `yaml:"name"`
	Set  map[string]string `yaml:"set"`

	values [maxSwitches]uint8
}

// A page shows the presets as the values of a switch with this id, which has the value noPreset
// where the switches match none of them.
const (
	presetSwitch = "preset"
	noPreset     = "other"
)

var presetNames = map[string]label{
	presetSwitch: {"Règles suivies", "Rules followed"},
	noPreset:     {"Choisies ici", "Chosen here"},
}

// ruleHouseRules is the rule about house rules in general.
const ruleHouseRules = "GEN-008"

// parsePresets reports values that no switch has, and presets that are equal.
func (e *edition) parsePresets(f *deck.Checker) {
	for i := range e.Presets {
		p, path := &e.Presets[i], fmt.Sprintf("$.presets[%d]", i)
		f.CheckNamed(path, deck.Named{ID: p.ID, FR: p.Name.FR, EN: p.Name.EN})
		if p.ID == noPreset {
			f.AddFault(path+".id", engine.Tf("« %s » dit qu’aucun n’est choisi", "%q says that none is chosen", noPreset),
				engine.T("prenez un autre mot", "take another word"))
		}
		for id, value := range e.parseSwitches(f, path+".set", p.Set) {
			p.values[id] = value
			e.inPresets[id] = true
		}
	}
	for i := range e.Presets {
		for _, before := range e.Presets[:i] {
			if e.Presets[i].values == before.values {
				f.AddFault(fmt.Sprintf("$.presets[%d]", i),
					engine.Tf("« %s » et « %s » règlent tout de même façon", "%q and %q settle everything alike", before.ID,
						e.Presets[i].ID),
					engine.T("gardez-en un", "keep one of them"))
			}
		}
	}
}

// checkWhenConditions reports unknown switches and values under When.
func (e *edition) checkWhenConditions(f *deck.Checker) {
	for i, sw := range e.Switches {
		for id, values := range sw.When {
			for _, value := range values {
				e.parseSwitches(f, fmt.Sprintf("$.switches[%d].when", i), map[string]string{id: value})
			}
		}
	}
}

// canSwitchMatter reports whether a house rule can change anything with the present values of the others.
func (h *houseRules) canSwitchMatter(id string) bool {
	for _, sw := range h.book.Switches {
		for of, values := range sw.When {
			if sw.ID == id && !slices.Contains(values, h.book.switchTable.ActiveValues(h.rules[:])[of]) {
				return false
			}
		}
	}
	return true
}

// parseSwitches reads values of switches, by the index of the switch, and reports unknown ones.
func (e *edition) parseSwitches(f *deck.Checker, path string, of map[string]string) map[int]uint8 {
	values, known := map[int]uint8{}, []string{}
	if len(e.switchTable) > maxSwitches { // reported already
		return values
	}
	for _, s := range e.switchTable {
		known = append(known, s.ID)
	}
	for _, id := range slices.Sorted(maps.Keys(of)) {
		if !checkRuleID(f, path+"."+id, id, known) {
			continue
		}
		i, v := e.switchTable.IndexesOf(id, of[id])
		checkRuleValue(f, path+"."+id, of[id], e.switchTable[i].Values)
		values[i] = uint8(max(0, v))
	}
	return values
}

// findPresetByID returns the preset with this id; nil: there is none.
func (e *edition) findPresetByID(id engine.ID) *preset {
	if i := slices.IndexFunc(e.Presets, func(p preset) bool { return p.ID == id }); i >= 0 {
		return &e.Presets[i]
	}
	return nil
}

func (e *edition) presetIDs() (ids []string) {
	for _, p := range e.Presets {
		ids = append(ids, string(p.ID))
	}
	return ids
}

// matchingPreset returns the preset that the switches match, or noPreset.
func (e *edition) matchingPreset(now []uint8) string {
	for i := range e.Presets {
		if len(e.differingSwitches(&e.Presets[i], now)) == 0 {
			return string(e.Presets[i].ID)
		}
	}
	return noPreset
}

// differingSwitches returns the switches that are not set as in p.
func (e *edition) differingSwitches(p *preset, now []uint8) (which []int) {
	for i := range e.switchTable {
		if e.inPresets[i] && p.values[i] != now[i] {
			which = append(which, i)
		}
	}
	return which
}

// activeSwitches returns the values in force of the house rules that can matter, and the preset
// that they match.
func (h *houseRules) activeSwitches() map[string]string {
	all := h.book.switchTable.ActiveValues(h.rules[:])
	maps.DeleteFunc(all, func(id, _ string) bool { return !h.canSwitchMatter(id) })
	if len(h.book.Presets) > 0 {
		all[presetSwitch] = h.book.matchingPreset(h.rules[:])
	}
	return all
}

// decideApplyPreset decides the host's choice of a preset: each switch with another value changes, as if
// it were changed on its own.
func (h *houseRules) decideApplyPreset(c engine.Command) ([]*event, *engine.Reject) {
	p := h.book.findPresetByID(engine.ID(c.Args["value"]))
	if p == nil {
		return nil, refuse(engine.Unknown, ruleHouseRules, refusalKeys.NoValue)
	}
	var all []*event
	for _, i := range h.book.differingSwitches(p, h.rules[:]) {
		all = append(all, &event{kind: evSwitched, at: c.At, switchIndex: uint8(i), n: uint16(p.values[i])})
	}
	if len(all) == 0 {
		return nil, refuse(engine.Forbidden, ruleHouseRules, refusalKeys.SameValue)
	}
	return all, nil
}

func (l *offerList) offerPresets() {
	now := l.book.matchingPreset(l.rules[:])
	if others := slices.DeleteFunc(l.book.presetIDs(), func(id string) bool { return id == now }); len(others) > 0 {
		l.addOffers(engine.Offer{Act: "switch", Rule: ruleHouseRules, Fixed: engine.Args{"name": presetSwitch},
			Params: []engine.Param{{Name: "value", Kind: "value", Domain: others}}})
	}
}

func (h *houseRules) setPreset(p *preset) {
	for _, i := range h.book.differingSwitches(p, h.rules[:]) {
		h.rules[i] = p.values[i]
	}
}

// switchOfPresetsFor returns the switch whose values are the presets, if they set the i-th switch; else
// "".
func (b *Book) switchOfPresetsFor(i int) engine.ID {
	if b.inPresets[i] {
		return presetSwitch
	}
	return ""
}

func (b *Book) addPresetNames() {
	if len(b.Presets) == 0 {
		return
	}
	byDeck := engine.ID(b.matchingPreset(b.deck.defaults[:]))
	b.names = append(b.names, engine.Name{ID: presetSwitch, Kind: "switch", Text: presetNames[presetSwitch].text()})
	for _, p := range b.Presets {
		b.names = append(b.names, engine.Name{ID: p.ID, Kind: "value", Of: presetSwitch, Text: p.Name.text(),
			Default: p.ID == byDeck})
	}
	b.names = append(b.names, engine.Name{ID: noPreset, Kind: "value", Of: presetSwitch, Text: presetNames[noPreset].text(),
		Default: noPreset == byDeck})
}
