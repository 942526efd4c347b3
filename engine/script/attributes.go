package script

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/ownfile"
)

// attributes checks a thing that is compared field by field.
func attributes(e expectation, v engine.View) *difference {
	words := e.words
	if things[e.thing].named {
		words = words[1:]
	}
	fields, there := fieldsOf(e, v)
	if words[0].is(nothing) {
		if !there {
			return nil
		}
		return &difference{want: nothing, came: fieldText(e.thing, fields)}
	}
	if !there {
		return &difference{want: source(words), came: nothing}
	}
	for _, w := range words {
		want := strings.Split(w.value(), ",")
		came := strings.Split(fields[w.key], ",")
		if len(minus(want, came))+len(minus(came, want)) > 0 {
			return &difference{want: source(words), came: fieldText(e.thing, fields), notes: []string{row("diffère", "differs", w.key)}}
		}
	}
	return nil
}

func fieldText(name string, fields map[string]string) string {
	var out []string
	for _, key := range things[name].attrs {
		out = append(out, key+"="+quoteIf(fields[key]))
	}
	return strings.Join(out, " ")
}

// fieldsOf are the fields of the thing that e is about; there is false if the
// view does not hold it.
func fieldsOf(e expectation, v engine.View) (fields map[string]string, there bool) {
	switch e.thing {
	case "clock":
		return map[string]string{"at": strconv.Itoa(v.Clock.At), "of": strconv.Itoa(v.Clock.Of),
			"mark": strconv.Itoa(v.Clock.Mark), "open": yes(v.Clock.Open)}, true
	case "result":
		if v.Result == nil {
			return nil, false
		}
		return map[string]string{"rule": v.Result.Rule, "winners": strings.Join(strs(v.Result.Winners), ","), "msg": v.Result.Msg.Key,
			"solution": strings.Join(strs(v.Result.Solution), ",")}, true
	case "reader":
		for _, rd := range v.Readers {
			if rd.Reader == e.words[0].text {
				return map[string]string{"kind": string(rd.Kind), "seat": seatText(rd.Seat)}, true
			}
		}
	case "seen":
		for _, s := range own(v).Seen {
			if slices.Contains(strs(s.Cards), e.words[0].text) {
				return map[string]string{"how": s.How, "place": string(s.Place), "other": seatText(s.Other), "round": strconv.Itoa(s.Round)}, true
			}
		}
	case "custody":
		for _, c := range v.Custody {
			if c.Of == e.words[0].text {
				return map[string]string{"cards": c.Cards, "role": c.Role}, true
			}
		}
	case "seat":
		for _, s := range v.Seats {
			if s.Seat.String() == e.words[0].text {
				return seatFields(s), true
			}
		}
	case "place":
		for _, p := range v.Places {
			if string(p.Place) == e.words[0].text {
				return map[string]string{"cards": strconv.Itoa(p.Cards), "open": yes(p.Open), "lamp": p.Lamp,
					"pawns": strings.Join(strs(p.Pawns), ","), "weapon": string(p.Weapon)}, true
			}
		}
	}
	if v.Case != nil {
		return caseFields(e, v.Case)
	}
	return nil, false
}

// caseFields are the fields of what a Cluedo adds to a view.
func caseFields(e expectation, c *engine.Case) (fields map[string]string, there bool) {
	switch e.thing {
	case "case":
		dice, of := make([]string, len(c.Dice)), ""
		if c.Turn != 0 {
			of = c.Turn.String()
		}
		for i, d := range c.Dice {
			dice[i] = strconv.Itoa(d)
		}
		return map[string]string{"step": c.Step, "dice": strings.Join(dice, ","), "points": strconv.Itoa(c.Points), "way": c.Way,
			"reach": strings.Join(strs(c.Reach), ","), "pile": strconv.Itoa(c.Pile), "pool": strconv.Itoa(c.Pool),
			"turn": of, "opened": strconv.Itoa(int(c.Opened)), "closes": strconv.Itoa(int(c.Closes))}, c.Step != ""
	case "pawn":
		for _, p := range c.Pawns {
			if string(p.Suspect) == e.words[0].text {
				return map[string]string{"at": string(p.At), "square": p.Square, "gone": yes(p.Gone)}, true
			}
		}
	case "token":
		for _, t := range c.Tokens {
			if string(t.Weapon) == e.words[0].text {
				return map[string]string{"at": string(t.At)}, true
			}
		}
	case "hypothesis":
		if h := c.Hypothesis; h != nil {
			return map[string]string{"by": h.By.String(), "suspect": string(h.Suspect), "weapon": string(h.Weapon), "room": string(h.Room)}, true
		}
	case "answer":
		if h := c.Hypothesis; h != nil {
			for _, a := range h.Answers {
				if a.Seat.String() == e.words[0].text {
					return map[string]string{"said": a.Said}, true
				}
			}
		}
	}
	return nil, false
}

func seatFields(s engine.SeatView) map[string]string {
	return map[string]string{
		"name": s.Name, "character": string(s.Character), "place": string(s.Place), "role": string(s.Role), "hand": strings.Join(strs(s.Hand), ","),
		"cards": strconv.Itoa(s.Cards), "tokens": strconv.Itoa(s.Tokens), "destroyed": strconv.Itoa(s.Destroyed),
		"alive": yes(s.Alive), "out": yes(s.Out), "spent": yes(s.Spent), "first": yes(s.First), "done": yes(s.Done),
	}
}

func seatText(s engine.Seat) string {
	if !s.Valid() {
		return ""
	}
	return s.String()
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// always are the rules that hold for every view of every game (doc.go).
func (r *run) always(v engine.Viewer, s seen) (problems []string) {
	view := s.view
	seat, sits := v.Seat()
	switch {
	case !sits && view.Me != nil:
		problems = append(problems, "ce public n’a pas de place, mais voit une main · this viewer has no seat, but sees a hand")
	case sits && (view.Me == nil || view.Me.Seat != seat):
		problems = append(problems, "cette place ne voit pas sa main · this seat does not see its own hand")
	}
	if view.Viewer != v.String() {
		problems = append(problems, note("la vue se dit pour", "the view says it is for", view.Viewer))
	}
	if strings.Contains(string(s.json), box.Mask) {
		problems = append(problems, "la vue contient le masque d’une valeur cachée · the mask of a hidden value stands in the view")
	}
	for _, l := range []struct {
		name  string
		cards []string
	}{{"hand", hand(view)}, {"tray", strs(own(view).Tray)}, {"shown", strs(view.Shown)}, {"gone", strs(view.Gone)}} {
		if !slices.IsSortedFunc(l.cards, func(a, b string) int { return r.deck[engine.ID(a)] - r.deck[engine.ID(b)] }) {
			problems = append(problems, note("pas dans l’ordre du jeu de cartes (GEN-006)", "not in the order of the deck", l.name+" "+strings.Join(l.cards, " ")))
		}
	}
	logLines := 12
	for _, s := range view.Seats {
		if s.Seat == seat && !s.Alive {
			logLines = 40
		}
	}
	for _, l := range []struct {
		name     string
		len, max int
	}{
		{"seats", len(view.Seats), engine.MaxSeats}, {"places", len(view.Places), 16}, {"hand", len(hand(view)), 64},
		{"tray", len(own(view).Tray), 64}, {"shown", len(view.Shown), 64}, {"gone", len(view.Gone), 64},
		{"log", len(view.Log), logLines}, {"seen", len(own(view).Seen), 64}, {"offers", len(view.Offers), 64},
	} {
		if l.len > l.max {
			problems = append(problems, note(fmt.Sprintf("plus de %d", l.max), fmt.Sprintf("more than %d", l.max), fmt.Sprintf("%s, %d", l.name, l.len)))
		}
	}
	return problems
}

// unknown reports the ids in s that the deck does not know. Without this a
// misspelt id would make every "must not see" true.
func unknown(s *Script, deck map[engine.ID]int, report *Report) {
	known := make([]string, 0, len(deck))
	for id := range deck {
		known = append(known, string(id))
	}
	slices.Sort(known)
	test := func(line int, words []word) {
		for _, w := range words {
			_, seat := engine.ParseSeat(w.text)
			if _, ok := deck[engine.ID(w.text)]; ok || w.quoted || w.key != "" || seat == nil {
				continue
			}
			f := Failure{Line: line, Text: strings.TrimSpace(s.source[line-1]), Notes: []string{note("inconnu dans ce jeu de cartes", "the deck knows no", w.text)}}
			if like := ownfile.Nearest(w.text, known); like != "" {
				f.Notes = append(f.Notes, note("vouliez-vous dire", "did you mean", like))
			}
			report.fail(f)
		}
	}
	for _, sc := range s.scenes {
		for _, e := range sc.start {
			test(e.line, e.ids())
		}
		for _, st := range sc.steps {
			test(st.line, st.cards)
			for _, e := range st.expect {
				test(e.line, e.ids())
			}
		}
	}
}

// ids are the words of e that must be ids of the deck.
func (e expectation) ids() []word {
	if e.verb == verbTold || e.verb == verbDeadlines {
		return nil
	}
	switch e.thing {
	case "hand", "tray", "shown", "gone":
		if first := e.words[0]; first.is("with") || first.is("without") {
			return e.words[1:]
		} else if first.is(nothing) || first.is("nobody") {
			return nil
		}
		return e.words
	case "place", "marks", "seen", "pawn", "token":
		return e.words[:1]
	case "nowhere":
		return e.words
	}
	return nil
}
