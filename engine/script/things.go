package script

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"majordome/engine"
	"majordome/engine/ownfile"
)

// form is the shape of the words after a thing.
type form uint8

const (
	formWord   form = iota // one word
	formMsg                // a message key and blanks, or nothing
	formList               // ids; or nothing, count=n, with ids, without ids
	formNumber             // a whole number
	formAttrs              // attributes, after a name if the thing is named
	formMarks              // a card and its marks, or nothing
	formPair               // a name and a value
	formSet                // words, in any order, or nothing
	formOffer              // an act and domains
	formChange             // no words
	formTexts              // ids and quoted texts
)

// thing is something that an audience can see.
type thing struct {
	form    form
	no      bool     // "no" may stand before it
	named   bool     // formAttrs: begins with a name
	absent  bool     // formAttrs: "nothing" may stand for the attributes
	attrs   []string // formAttrs: all that there are
	example string
}

var things = map[string]thing{
	"phase":   {form: formWord, example: "public sees phase investigation"},
	"mood":    {form: formWord, example: "public sees mood confrontation"},
	"rule":    {form: formWord, example: "Anne sees rule HC-060"},
	"role":    {form: formWord, example: "Anne sees role role-innocent-1"},
	"prompt":  {form: formMsg, example: "Anne sees prompt hc.prompt.move"},
	"facts":   {form: formMsg, no: true, example: "Anne sees facts hc.fact.destroyed n=1"},
	"log":     {form: formMsg, no: true, example: "all see log hc.log.move seat=Anne"},
	"active":  {form: formList, example: "public sees active Anne"},
	"hand":    {form: formList, example: "Anne sees hand weapon-corde"},
	"tray":    {form: formList, example: "Anne sees tray count=5"},
	"shown":   {form: formList, example: "public sees shown nothing"},
	"gone":    {form: formList, example: "public sees gone clue-worms-2"},
	"urn":     {form: formNumber, example: "public sees urn 3"},
	"marks":   {form: formMarks, example: "Anne sees marks weapon-corde deposit"},
	"switch":  {form: formPair, example: "public sees switch exchange-order draw-then-give"},
	"offers":  {form: formSet, example: "Anne sees offers move"},
	"offer":   {form: formOffer, no: true, example: "Anne sees offer move place=place-3,place-4"},
	"change":  {form: formChange, no: true, example: "public sees no change"},
	"nowhere": {form: formTexts, example: "public sees nowhere weapon-5"},
	"place": {form: formAttrs, named: true, attrs: []string{"cards", "open", "lamp", "pawns", "weapon"},
		example: "public sees place place-salon cards=4 open=yes"},
	"seat": {form: formAttrs, named: true, attrs: []string{"name", "character", "place", "cards", "tokens", "destroyed", "alive", "out", "spent", "first", "done", "role", "hand"},
		example: "public sees seat Anne cards=2"},
	"clock":   {form: formAttrs, attrs: []string{"at", "of", "mark", "open"}, example: "public sees clock at=5 of=8"},
	"reader":  {form: formAttrs, named: true, absent: true, attrs: []string{"kind", "seat"}, example: "public sees reader urn kind=clue seat=Anne"},
	"seen":    {form: formAttrs, named: true, absent: true, attrs: []string{"how", "place", "other", "round"}, example: "Anne sees seen weapon-5 how=there place=place-3"},
	"custody": {form: formAttrs, named: true, absent: true, attrs: []string{"cards", "role"}, example: "host sees custody Anne cards=trusted"},
	"case": {form: formAttrs, absent: true, attrs: []string{"turn", "step", "dice", "points", "way", "reach", "pile", "pool", "opened", "closes"},
		example: "public sees case step=move dice=0,5 points=5"},
	"pawn":       {form: formAttrs, named: true, attrs: []string{"at", "square", "gone"}, example: "public sees pawn suspect-rose at=room-spa"},
	"token":      {form: formAttrs, named: true, attrs: []string{"at"}, example: "public sees token weapon-corde at=pool"},
	"hypothesis": {form: formAttrs, absent: true, attrs: []string{"by", "suspect", "weapon", "room"}, example: "public sees hypothesis by=Rose room=room-spa"},
	"answer":     {form: formAttrs, named: true, absent: true, attrs: []string{"said"}, example: "public sees answer Olive said=none"},
	"result":     {form: formAttrs, absent: true, attrs: []string{"rule", "winners", "msg", "solution"}, example: "public sees result rule=HC-151 winners=David"},
}

func thingNames() string { return strings.Join(slices.Sorted(maps.Keys(things)), ", ") }

// wrong is a mistake in the words of a thing, at the column of w.
func (t thing) wrong(w word, problem engine.Text) *Error {
	return bad(w.col, problem, ownfile.Bothf("écrivez par exemple : %s", "write it like: %s", t.example))
}

// check reports the first mistake in the words after the thing called name.
func (t thing) check(name string, words []word) *Error {
	var first word
	if len(words) > 0 {
		first = words[0]
	}
	bare := func(w word) bool { return w.key == "" && !w.quoted }
	switch t.form {
	case formWord:
		if len(words) != 1 || first.key != "" {
			return t.wrong(first, ownfile.Bothf("%s demande un mot", "%s needs one word", name))
		}
	case formNumber:
		if n, err := strconv.Atoi(first.text); len(words) != 1 || !bare(first) || err != nil || n < 0 {
			return t.wrong(first, ownfile.Bothf("%s demande un nombre", "%s needs a number", name))
		}
	case formPair:
		if len(words) != 2 || first.key != "" || words[1].key != "" {
			return t.wrong(first, ownfile.Bothf("%s demande un nom et une valeur", "%s needs a name and a value", name))
		}
	case formChange:
		if len(words) != 0 {
			return t.wrong(first, ownfile.Bothf("%s se place seul", "%s stands alone", name))
		}
	case formMsg:
		return t.checkMsg(name, words)
	case formList:
		return t.checkList(name, words)
	case formAttrs:
		return t.checkAttrs(name, words)
	default: // words of one sort, the first of them bare
		if len(words) == 0 || t.form != formTexts && !bare(first) || t.form == formMarks && len(words) < 2 {
			return t.wrong(first, ownfile.Bothf("%s demande plus de mots", "%s needs more words", name))
		}
		for _, w := range words[1:] {
			if (w.key != "") != (t.form == formOffer) {
				return t.wrong(w, ownfile.Bothf("%s ne peut pas suivre %s", "%s cannot stand after %s", w.source(), name))
			}
		}
	}
	return nil
}

func (t thing) checkMsg(name string, words []word) *Error {
	if len(words) == 0 || words[0].key != "" || words[0].quoted {
		return t.wrong(word{}, ownfile.Bothf("%s demande la clé d’un message", "%s needs the key of a message", name))
	}
	for _, w := range words[1:] {
		if w.key == "" || words[0].text == nothing {
			return t.wrong(w, ownfile.Bothf("%s n’est pas un blanc d’un message", "%s is no blank of a message", w.source()))
		}
	}
	return nil
}

func (t thing) checkList(name string, words []word) *Error {
	if len(words) == 0 {
		return t.wrong(word{}, ownfile.Bothf("%s demande des identifiants, nothing, ou count=", "%s needs ids, nothing, or count=", name))
	}
	alone := words[0].is(nothing) || words[0].is("nobody") || words[0].key == "count"
	if alone && len(words) > 1 {
		return t.wrong(words[1], ownfile.Bothf("%s se place seul", "%s stands alone", words[0].source()))
	}
	if words[0].key == "count" {
		if n, err := strconv.Atoi(words[0].text); err != nil || n < 0 {
			return t.wrong(words[0], ownfile.Both("count demande un nombre", "count needs a number"))
		}
		return nil
	}
	if partly := words[0].is("with") || words[0].is("without"); partly && len(words) == 1 {
		return t.wrong(words[0], ownfile.Bothf("%s demande des identifiants", "%s needs ids", words[0].text))
	}
	for _, w := range words {
		if w.key != "" {
			return t.wrong(w, ownfile.Bothf("%s n’est pas un identifiant", "%s is no id", w.source()))
		}
	}
	return nil
}

func (t thing) checkAttrs(name string, words []word) *Error {
	if t.named {
		if len(words) == 0 || words[0].key != "" {
			return t.wrong(word{}, ownfile.Bothf("%s demande d’abord un nom", "%s needs a name first", name))
		}
		words = words[1:]
	}
	if len(words) == 0 {
		return t.wrong(word{}, ownfile.Bothf("%s demande quelque chose à comparer", "%s needs something to compare", name))
	}
	if t.absent && len(words) == 1 && words[0].is(nothing) {
		return nil
	}
	for _, w := range words {
		if w.key == "" || !slices.Contains(t.attrs, w.key) {
			return bad(w.col, ownfile.Bothf("%s n’a pas de %s", "%s has no %s", name, w.source()), ownfile.Bothf("il y a : %s", "it has %s", strings.Join(t.attrs, ", ")))
		}
	}
	return nil
}
