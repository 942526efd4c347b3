package script

import (
	"bytes"
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"majordome/engine"
	"majordome/engine/internal/hidden"
	"majordome/engine/ownfile"
)

// listLimits has the most members of a list of a view, by the name of the list. Others may have 64.
var listLimits = map[string]int{"seats": engine.MaxSeats, "places": 16, "log": 12, "happened": engine.MaxHappened, "past": engine.MaxPast}

// checkView checks a view by rules 2 and 3 of those that are true of every game (doc.go, What every run
// checks). It returns a sentence for each broken one.
func (r *sceneRun) checkView(v engine.Viewer, s viewState) (problems []string) {
	view := s.view
	seat, sits := v.Seat()
	switch {
	case !sits && view.Me != nil:
		problems = append(problems, "ce public n’a pas de place, mais voit une main · this viewer has no seat, but sees a hand")
	case sits && (view.Me == nil || view.Me.Seat != seat):
		problems = append(problems, "cette place ne voit pas sa main · this seat does not see its own hand")
	}
	if view.Viewer != v.String() {
		problems = append(problems, formatNote("la vue se dit pour", "the view says it is for", view.Viewer))
	}
	if bytes.Contains(s.json, []byte(hidden.Mask)) {
		problems = append(problems, "la vue contient le masque d’une valeur cachée · the mask of a hidden value stands in the view")
	}
	in := reflect.ValueOf(&view).Elem()
	for _, t := range listThings {
		list, limit := t.valueInView(in), cmp.Or(listLimits[t.name], 64)
		if t.name == "log" && sits {
			limit = 40
		}
		switch {
		case !list.IsValid():
		case list.Len() > limit:
			problems = append(problems,
				formatNote(fmt.Sprintf("plus de %d", limit), fmt.Sprintf("more than %d", limit),
					fmt.Sprintf("%s, %d", t.name, list.Len())))
		case t.nameType == typeID && !r.isInDeckOrder(list):
			problems = append(problems,
				formatNote("pas dans l’ordre du jeu de cartes (GEN-006)", "not in the order of the deck", t.name+" "+valueText(list)))
		}
	}
	return problems
}

// isInDeckOrder reports whether a list of ids, or of parts named by ids, is in the order of the deck.
func (r *sceneRun) isInDeckOrder(list reflect.Value) bool {
	last := 0
	for m := range eachMember(list) {
		if m.Kind() == reflect.Struct {
			m = m.Field(0)
		}
		at := r.deck[engine.ID(m.String())]
		if at < last {
			return false
		}
		last = at
	}
	return true
}

// reportUnknownIDs reports the ids in s that the deck does not know. Otherwise a misspelt id would make
// every "must not see" pass.
func reportUnknownIDs(s *Script, deck map[engine.ID]int, report *Report) {
	known := make([]string, 0, len(deck))
	for id := range deck {
		known = append(known, string(id))
	}
	slices.Sort(known)
	test := func(line int, words []word) {
		for _, w := range words {
			_, seat := engine.ParseSeat(w.text)
			if _, ok := deck[engine.ID(w.text)]; ok || w.quoted || w.key != "" || w.comparedText() == "" || seat == nil {
				continue
			}
			f := Failure{Line: line, Text: strings.TrimSpace(s.source[line-1]),
				Notes: []string{formatNote("inconnu dans ce jeu de cartes", "the deck knows no", w.text)}}
			if like := ownfile.FindNearest(w.text, known); like != "" {
				f.Notes = append(f.Notes, formatNote("vouliez-vous dire", "did you mean", like))
			}
			report.addFailure(f)
		}
	}
	for _, sc := range s.scenes {
		for _, st := range sc.steps {
			test(st.line, st.cards)
		}
	}
	for _, e := range s.expectations() {
		test(e.line, e.idWords())
	}
}

// idWords returns the words of e that must be ids of the deck.
func (e expectation) idWords() []word {
	t := things[e.thing].withSelectedForm(e.words)
	switch {
	case e.thing == "nowhere":
		return e.words
	case t.nameType != typeID && t.nameType != reflect.SliceOf(typeID):
		return nil
	case t.form == formMember:
		return e.words[:1]
	case e.words[0].isBare("with"), e.words[0].isBare("without"):
		return e.words[1:]
	}
	return e.words
}
