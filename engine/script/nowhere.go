package script

import (
	"encoding/json"
	"slices"
	"strings"

	"majordome/engine"
)

// compareNowhere looks for texts in all that v sees, and in what the last refusal says to v; nil: none is
// there.
func (r *sceneRun) compareNowhere(words []word, v engine.Viewer) *difference {
	view := r.now[v].view
	view.Places = slices.Clone(view.Places)
	for i := range view.Places {
		view.Places[i].Place, view.Places[i].Weapon = "", ""
	}
	view.Seats = slices.Clone(view.Seats)
	for i := range view.Seats {
		view.Seats[i].Character, view.Seats[i].Place = "", ""
	}
	if v.IsHost() {
		view.Offers = withoutCards(view.Offers)
	}
	if view.Case != nil {
		view = withoutBoard(view)
	}
	told := []engine.Msg{r.refusalFor(v)}
	if r.reject != nil && v != engine.Public {
		told = append(told, r.reject.Public)
	}
	data, _ := json.Marshal(struct {
		View engine.View
		Told []engine.Msg
	}{view, told})
	text := string(data)
	for _, w := range words {
		quoted, _ := json.Marshal(w.text)
		if at := findWord(text, strings.Trim(string(quoted), `"`)); at >= 0 {
			return &difference{want: "no " + w.sourceText(), got: "..." + text[max(0, at-60):min(len(text), at+60)] + "..."}
		}
	}
	return nil
}

// anyCardActs are the acts of a Cluedo that may name any card or room.
var anyCardActs = []string{"hypothesis", "accuse", "power", "move", "draw", "hold"}

// withoutBoard returns a view of a Cluedo without what only repeats the box: pawns and weapon tokens, and
// what any player may name aloud or reach.
func withoutBoard(view engine.View) engine.View {
	c := *view.Case
	c.Pawns, c.Tokens, c.Reach = nil, nil, nil
	view.Case = &c
	view.Offers = slices.Clone(view.Offers)
	for i, o := range view.Offers {
		if slices.Contains(anyCardActs, o.Act) {
			view.Offers[i].Params = nil
		}
	}
	return view
}

// withoutCards returns offers without the lists of cards to choose from.
func withoutCards(offers []engine.Offer) []engine.Offer {
	out := slices.Clone(offers)
	for i := range out {
		out[i].Params = slices.DeleteFunc(slices.Clone(out[i].Params), func(p engine.Param) bool { return p.Kind == "card" })
	}
	return out
}

// findWord returns the index of part in text as a word of its own, or -1: clue-1 is no word in clue-12.
func findWord(text, part string) int {
	joins := func(i int) bool {
		return i >= 0 && i < len(text) && (text[i] == '-' || text[i] >= 0x80 || isKey(text[i:i+1]))
	}
	for from := 0; ; {
		i := strings.Index(text[from:], part)
		if i < 0 {
			return -1
		}
		if i += from; !joins(i-1) && !joins(i+len(part)) {
			return i
		}
		from = i + 1
	}
}
