package cluedo

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"majordome/engine"
	"majordome/engine/board"
	"majordome/engine/deck"
	"majordome/engine/ownfile"
)

// Names that depend on a house rule (SC-S30). Each value of a switch may name cards that the deck
// leaves without a name, replace sentences of the family, and say whether the marked squares of the
// board are spy squares. Only the values in force decide which names apply, whether the deck or the
// table has chosen them.

var _ engine.Relabeler = (*Book)(nil)

// NamesUnder lists the names of a game with these house rules, as engine.View.Switches gives them.
func (b *Book) NamesUnder(switches map[string]string) engine.Names {
	all, now := b.Names(), b.switchTable.ActiveValues(b.deck.defaults[:])
	maps.Copy(now, switches)
	if pause := b.walkPolicyUnder(now).Marks == board.MarksPause; pause != all[0].Plan.Spies {
		plan := *all[0].Plan
		plan.Spies = pause
		all[0].Plan = &plan
	}
	for i := range b.Switches {
		sw := &b.Switches[i]
		value := now[sw.ID]
		for n := range all {
			if b.deck.namingRules[all[n].ID] == sw.ID {
				all[n].Text = sw.Labels[value][all[n].ID].text()
			}
		}
		for _, key := range slices.Sorted(maps.Keys(sw.Sentences[value])) {
			said := engine.Name{ID: engine.ID(key), Kind: "sentence", Text: sw.Sentences[value][key].text()}
			if at := slices.IndexFunc(all, func(n engine.Name) bool { return n.Kind == "sentence" && n.ID == said.ID }); at >= 0 {
				all[at] = said
			} else {
				all = append(all, said)
			}
		}
	}
	return all
}

// longestNameValues returns the value of each house rule with the longest names and sentences.
func (e *edition) longestNameValues() map[string]string {
	most := map[string]string{}
	for i := range e.Switches {
		sw, bytes := &e.Switches[i], -1
		for _, value := range sw.valueIDs() {
			text, _ := json.Marshal([]any{sw.Labels[value], sw.Sentences[value]})
			if len(text) > bytes {
				most[sw.ID], bytes = value, len(text)
			}
		}
	}
	return most
}

// checkRuleNames reports names and sentences of unknown values, names that are not readable, and
// those that two house rules give.
func (e *edition) checkRuleNames(f *deck.Checker) {
	by := map[string]string{}
	for i := range e.Switches {
		sw, path, mine := &e.Switches[i], fmt.Sprintf("$.switches[%d]", i), map[string]bool{}
		for _, value := range slices.Sorted(maps.Keys(sw.Labels)) {
			at := path + ".labels." + value
			checkRuleValue(f, at, value, sw.valueIDs())
			for _, id := range slices.Sorted(maps.Keys(sw.Labels[value])) {
				mine[string(id)] = true
				f.CheckLabel(at+"."+string(id)+".fr", sw.Labels[value][id].FR)
				f.CheckLabel(at+"."+string(id)+".en", sw.Labels[value][id].EN)
			}
		}
		for _, value := range slices.Sorted(maps.Keys(sw.Sentences)) {
			checkRuleValue(f, path+".sentences."+value, value, sw.valueIDs())
			for key := range sw.Sentences[value] {
				mine[key] = true
			}
		}
		for _, what := range slices.Sorted(maps.Keys(mine)) {
			if by[what] != "" {
				f.AddFault(path, engine.Tf("« %s » est déjà réglé par « %s »", "%q is settled already by %q",
					ownfile.ClipQuote(what), by[what]), engine.T("une seule fois", "settle it once"))
			}
			by[what] = sw.ID
		}
	}
}

// applyRuleNames gives cards without a name in the deck the names by its house rules, and reports
// names for unknown cards.
func (c deckChecker) applyRuleNames(d *Deck) {
	items := d.namedItems()
	d.namingRules = map[engine.ID]string{}
	for i := range c.Switches {
		sw := &c.Switches[i]
		for _, value := range slices.Sorted(maps.Keys(sw.Labels)) {
			for _, id := range slices.Sorted(maps.Keys(sw.Labels[value])) {
				it, has := items[id]
				if path := fmt.Sprintf("$.edition.switches[%d].labels.%s.%s", i, value, id); !has {
					reportUnknownCard(c.Checker, path, id, slices.Collect(maps.Keys(items)))
				} else if *it.FR+*it.EN == "" && sw.hasEveryLabel(id) {
					d.namingRules[id] = sw.ID
				}
			}
		}
		if len(sw.Values) == 0 || i >= maxSwitches { // reported already
			continue
		}
		for id, called := range sw.Labels[sw.valueIDs()[d.defaults[i]]] {
			if d.namingRules[id] == sw.ID {
				*items[id].FR, *items[id].EN = called.FR, called.EN
			}
		}
	}
}

// hasEveryLabel reports whether each value of the house rule has a name for a card.
func (h *houseRule) hasEveryLabel(id engine.ID) bool {
	return !slices.ContainsFunc(h.valueIDs(), func(value string) bool { return h.Labels[value][id] == label{} })
}

// reportUnknownCard reports an id that is not in a list of cards.
func reportUnknownCard(f *deck.Checker, path string, id engine.ID, known []engine.ID) {
	hint := engine.T("écrivez un identifiant des listes de ce fichier", "write an id of the lists of this file")
	words := make([]string, len(known))
	for i, k := range known {
		words[i] = string(k)
	}
	slices.Sort(words)
	if near := ownfile.FindNearest(string(id), words); near != "" {
		hint = engine.Tf("vouliez-vous écrire « %s » ?", "did you mean %q?", near)
	}
	f.AddFault(path, engine.Tf("« %s » n’est pas une carte de ce jeu", "%q is no card of this game", ownfile.ClipQuote(string(id))), hint)
}
