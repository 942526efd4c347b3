package cluedo

import (
	"fmt"
	"maps"
	"slices"

	"majordome/engine"
	"majordome/engine/deck"
	"majordome/engine/ownfile"
)

// takenOut is written in place of a rule, a sentence or a value of the parent edition that this
// edition does not have.
const takenOut = "none"

// parseOwnEdition reads the edition that a deck brings; nil: its parent is not known. It has only
// the differences from a built-in edition, its parent: a value that it writes replaces the
// parent's, and so does a policy or a house rule of the same id; takenOut removes one. Name and
// presets are its own. A deck without any list of cards has those of the parent's deck.
func parseOwnEdition(c *deck.Checker, d *Deck) *edition {
	f := c.SubChecker("edition")
	like, _ := c.LookupScalar("edition", "like")
	from := loadEdition(engine.ID(like))
	if from == nil {
		f.AddFaultUnlessEmpty("$.like", engine.Tf("« %s » n’est pas une édition", "%q is no edition", ownfile.ClipQuote(like)),
			engine.Tf("une de %v", "one of %v", Editions()))
		return nil
	}
	e := new(edition)
	ownfile.Parse(like, editionText(from.Game)).Decode(e)
	e.Name, e.Presets, e.Switches = label{}, nil, nil
	c.DecodePart(d.Edition, e)
	if e.Game != from.Game {
		f.AddFaultUnlessEmpty("$.edition", engine.T("le jeu est nommé deux fois", "the game is named twice"),
			engine.T("gardez la clé game de ce fichier", "keep the key game of this file"))
	}
	e.Game = d.Game
	e.removeTakenOut(f, from)
	for _, sw := range e.Switches {
		if !f.HasValue("$.policies." + sw.ID) {
			delete(e.Policies, sw.ID)
		}
	}
	d.inheritCards(c, e, DefaultDeck(from.Game))
	e.inheritSwitches(f, from, d.namedItems())
	f.CheckLabel("$.name.fr", e.Name.FR)
	f.CheckLabel("$.name.en", e.Name.EN)
	e.checkAndFill(f)
	e.checkSentences(f)
	return e
}

// removeTakenOut removes what the edition marks with takenOut, and reports what its parent does not
// have.
func (e *edition) removeTakenOut(f *deck.Checker, from *edition) {
	settled := maps.Clone(from.Policies)
	if settled == nil {
		settled = map[string]string{}
	}
	for _, sw := range from.Switches {
		settled[sw.ID] = sw.ID
	}
	for _, part := range []struct {
		key       string
		own, from map[string]string
	}{{"events", e.Events, from.Events}, {"powers", e.Powers, from.Powers}, {"policies", e.Policies, settled},
		{"words", e.Words, from.Words}} {
		for _, id := range slices.Sorted(maps.Keys(part.own)) {
			if part.own[id] != takenOut || part.key == "policies" && hasNoneValue(id) {
				continue
			}
			delete(part.own, id)
			if _, has := part.from[id]; !has {
				reportNotInParent(f, "$."+part.key+"."+id, id, slices.Sorted(maps.Keys(part.from)))
			}
		}
	}
	var known []string
	for _, r := range from.Rules.allRuleFields() {
		if *r.rule != "" {
			known = append(known, r.key)
		}
	}
	for _, r := range e.Rules.allRuleFields() {
		if *r.rule != takenOut {
			continue
		}
		if *r.rule = ""; !slices.Contains(known, r.key) {
			reportNotInParent(f, "$.rules."+r.key, r.key, known)
		}
	}
}

// hasNoneValue reports whether a policy has takenOut among its values.
func hasNoneValue(id string) bool {
	for _, p := range policies {
		if p.id == id {
			return slices.Contains(p.values, takenOut)
		}
	}
	return false
}

// reportNotInParent reports that the parent does not have what is taken out.
func reportNotInParent(f *deck.Checker, path, id string, known []string) {
	hint := engine.Tf("on peut enlever %v", "what can be taken out is %v", known)
	if near := ownfile.FindNearest(id, known); near != "" {
		hint = engine.Tf("vouliez-vous écrire « %s » ?", "did you mean %q?", near)
	}
	f.AddFault(path, engine.Tf("l’édition d’origine n’a pas « %s » à enlever", "the edition that this one is like has no %q to take out",
		ownfile.ClipQuote(id)), hint)
}

// inheritSwitches adds the house rules of the parent that the edition neither settles nor leaves to
// the table in its own way, and that still change something here.
func (e *edition) inheritSwitches(f *deck.Checker, from *edition, cards deck.Items) {
	own := len(e.Switches)
	kept := map[string]bool{}
	for _, sw := range from.Switches {
		kept[sw.ID] = !e.overridesSwitch(f, sw, e.Switches[:own]) && e.hasSubjectOf(sw, cards)
	}
	for _, sw := range e.Switches {
		kept[sw.ID] = true
	}
	for _, sw := range from.Switches {
		if !kept[sw.ID] || slices.ContainsFunc(e.Switches[:own], func(h houseRule) bool { return h.ID == sw.ID }) {
			continue
		}
		sw.When = maps.Clone(sw.When)
		idle := false
		for id, values := range sw.When {
			if !kept[id] { // the switch is gone, and its value fixed
				idle = idle || !slices.Contains(values, e.fixedPolicyValue(id))
				delete(sw.When, id)
			}
		}
		if !idle {
			e.Switches = append(e.Switches, sw)
		}
	}
}

// overridesSwitch reports whether the edition settles the subject of a house rule of its parent, or
// leaves it to the table in its own way.
func (e *edition) overridesSwitch(f *deck.Checker, sw houseRule, own []houseRule) bool {
	if f.HasValue("$.policies."+sw.ID) || slices.ContainsFunc(own, func(h houseRule) bool { return h.ID == sw.ID }) {
		return true
	}
	words := map[string]bool{}
	for _, h := range own {
		for _, part := range h.Walk {
			for _, w := range part.GivenWords() {
				words[w.Key] = true
			}
		}
	}
	for _, part := range sw.Walk {
		for _, w := range part.GivenWords() {
			if words[w.Key] || f.HasValue("$.walk."+w.Key) {
				return true
			}
		}
	}
	return false
}

// hasSubjectOf reports whether the subject of a house rule of the parent is still in the edition.
func (e *edition) hasSubjectOf(sw houseRule, cards deck.Items) bool {
	for _, labels := range sw.Labels {
		for id := range labels {
			if _, has := cards[id]; !has {
				return false
			}
		}
	}
	switch sw.ID {
	case policies[polElsewhereRoom].id:
		return e.Powers["hypothesis-elsewhere"] != ""
	case policies[polWrongInterrupts].id:
		return e.hasHeldCards() || len(e.Powers) > 0
	case policies[polDrawOrigin].id:
		return e.Policies[policies[polDrawTiming].id] != "never"
	}
	return true
}

// fixedPolicyValue returns the value of a policy that is not left to the table.
func (e *edition) fixedPolicyValue(id string) string {
	if value := e.Policies[id]; value != "" {
		return value
	}
	for _, p := range policies {
		if p.id == id {
			return p.values[0]
		}
	}
	return ""
}

// inheritCards fills the lists of a file that writes none with those of the parent's deck, without
// cards that the edition does not have. It removes from all lists the cards under "without", and
// fills in the sizes that the file does not give.
func (d *Deck) inheritCards(c *deck.Checker, e *edition, from *Deck) {
	if !slices.ContainsFunc([]string{"suspects", "weapons", "rooms", "places", "pool", "event-cards"},
		func(list string) bool { return c.HasValue("$." + list) }) {
		d.Suspects, d.Weapons, d.Rooms, d.Places, d.Start = slices.Clone(from.Suspects), from.Weapons, from.Rooms, from.Places, from.Start
		for i := range d.Suspects {
			if e.Powers[d.Suspects[i].Power] == "" {
				d.Suspects[i].Power = ""
			}
		}
		if e.Policies[policies[polDeal].id] != "all" {
			d.Pool = from.Pool
		}
		for _, card := range from.Events {
			if e.Events[card.Kind] != "" {
				d.Events = append(d.Events, card)
			}
		}
		d.inheritTimes(c, from)
	}
	d.removeCards(c)
	e.fillSizes(c, d)
}

// inheritTimes fills in the times and the dice of the parent's deck where the file does not write
// them.
func (d *Deck) inheritTimes(c *deck.Checker, from *Deck) {
	for _, of := range []struct {
		key  string
		to   *int
		have int
	}{{"answer-delay", &d.AnswerDelay, from.AnswerDelay}, {"window", &d.Window, from.Window}, {"pause", &d.Pause, from.Pause}} {
		if !c.HasValue("$." + of.key) {
			*of.to = of.have
		}
	}
	if c.HasValue("$.die-faces") {
		return
	}
	d.Faces = slices.Clone(from.Faces)
	for i := range d.Faces {
		if d.Faces[i] == 0 && len(d.Events) == 0 { // it would draw a card
			d.Faces[i] = 1
		}
	}
}

// removeCards removes from the lists the cards under "without", with the passages to them and the
// clue cards that look for them, and reports ids that are in no list.
func (d *Deck) removeCards(c *deck.Checker) {
	items, out := d.namedItems(), map[engine.ID]bool{}
	delete(items, d.Pool.ID)
	for i, id := range d.Without {
		if _, has := items[id]; !has || out[id] {
			reportUnknownCard(c, fmt.Sprintf("$.without[%d]", i), id, slices.Collect(maps.Keys(items)))
		}
		out[id] = true
	}
	if d.Without = nil; len(out) == 0 {
		return
	}
	d.Suspects = slices.DeleteFunc(slices.Clone(d.Suspects), func(s Suspect) bool { return out[s.ID] })
	d.Weapons = slices.DeleteFunc(slices.Clone(d.Weapons), func(n deck.Named) bool { return out[n.ID] })
	d.Events = slices.DeleteFunc(slices.Clone(d.Events), func(card EventCard) bool { return out[card.ID] || out[engine.ID(card.What)] })
	for _, list := range []*[]Room{&d.Rooms, &d.Places} {
		*list = slices.DeleteFunc(slices.Clone(*list), func(r Room) bool { return out[r.ID] })
		for i := range *list {
			if out[(*list)[i].Passage] {
				(*list)[i].Passage = ""
			}
		}
	}
}

// fillSizes fills the sizes that the edition does not write with the lengths of the lists.
func (e *edition) fillSizes(c *deck.Checker, d *Deck) {
	times := 0
	for _, card := range d.Events {
		if card.Kind == EventTime {
			times++
		}
	}
	for _, size := range []struct {
		key  string
		to   *int
		have int
	}{{"suspects", &e.Sizes.Suspects, len(d.Suspects)}, {"weapons", &e.Sizes.Weapons, len(d.Weapons)},
		{"rooms", &e.Sizes.Rooms, len(d.Rooms)},
		{"places", &e.Sizes.Places, len(d.Places)}, {"times", &e.Sizes.Times, times}} {
		if !c.HasValue("$.edition.sizes." + size.key) {
			*size.to = size.have
		}
	}
}
