package script

import (
	"bytes"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"majordome/engine"
)

// difference describes what was expected of a view, and what the view has instead.
type difference struct {
	want, got string
	notes     []string
	suggested []word // what could be expected instead, after the thing; nil: nothing can
	isNegated bool   // "no" would come before the thing
}

// compareView compares the view of v with what one line expects of it; nil: it is right.
func (r *sceneRun) compareView(e expectation, v engine.Viewer) *difference {
	now := r.now[v].view
	switch e.thing {
	case "log":
		return negateIfNo(e, compareMessage(e.words, r.addedLogLines(v)))
	case "offers":
		return compareList(e.words, offeredActs(now.Offers))
	case "offer":
		return negateIfNo(e, compareOffer(e.words, acceptedChoices(now.Offers)))
	case "listed":
		return negateIfNo(e, compareOffer(e.words, listedChoices(now.Offers)))
	case "marked":
		return negateIfNo(e, compareOffer(e.words, refusedChoices(now.Offers)))
	case "change":
		return r.compareUnchanged(v)
	case "called":
		return compareName(e.words, engine.NamesUnderHouseRules(r.book, now.Switches))
	case "nowhere":
		return r.compareNowhere(e.words, v)
	}
	return negateIfNo(e, things[e.thing].compareWithView(e.words, reflect.ValueOf(&now).Elem()))
}

// compareName compares the label of the id that is the first word with the second word; nil: it is right
// in one of the two languages.
func compareName(words []word, names engine.Names) *difference {
	d := &difference{want: words[1].text, got: nothing}
	for _, n := range names {
		switch {
		case string(n.ID) != words[0].text || n.Text == (engine.Text{}):
		case n.Text.FR == words[1].text, n.Text.EN == words[1].text:
			return nil
		default:
			d.got, d.suggested = n.Text.FR, []word{words[0], {text: n.Text.FR, quoted: true}}
		}
	}
	return d
}

// compareWithView checks the words after t against a view; nil: they are right.
func (t thing) compareWithView(words []word, view reflect.Value) *difference {
	t = t.withSelectedForm(words)
	v := t.valueInView(view)
	switch t.form {
	case formPair:
		if v.IsValid() {
			v = v.MapIndex(reflect.ValueOf(words[0].text))
		}
		d := compareWord(words[1], valueText(v))
		if d != nil {
			d.suggested = append(words[:1:1], d.suggested...)
		}
		return d
	case formMsg:
		var list []engine.Msg
		for m := range eachMember(v) {
			list = append(list, m.Interface().(engine.Msg))
		}
		return compareMessage(words, list)
	case formList:
		return compareList(words, splitList(valueText(v)))
	case formAttrs, formMember:
		return t.compareAttributes(words, v)
	default:
		return compareWord(words[0], valueText(v))
	}
}

// valueInView returns the value of t in a view. It is not valid if a part is missing.
func (t thing) valueInView(view reflect.Value) reflect.Value {
	v, err := view.FieldByIndexErr(t.path)
	if err == nil && v.Kind() == reflect.Pointer {
		return v.Elem()
	}
	return v
}

// eachMember yields the members of a list, or v if it is no list.
func eachMember(v reflect.Value) iter.Seq[reflect.Value] {
	return func(yield func(reflect.Value) bool) {
		switch {
		case !v.IsValid():
		case v.Kind() != reflect.Slice:
			yield(v)
		default:
			for i := 0; i < v.Len() && yield(reflect.Indirect(v.Index(i))); i++ {
			}
		}
	}
}

// valueText formats a value in the form of a script: a list joined by commas, a part by its name.
func valueText(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Invalid:
		return ""
	case reflect.Pointer:
		return valueText(v.Elem())
	case reflect.Bool:
		return map[bool]string{true: "yes", false: "no"}[v.Bool()]
	case reflect.String:
		return v.String()
	case reflect.Slice:
		list := make([]string, 0, v.Len())
		for m := range eachMember(v) {
			list = append(list, valueText(m))
		}
		return strings.Join(list, ",")
	}
	switch x := v.Interface().(type) {
	case engine.Seat:
		if !x.IsValid() {
			return ""
		}
		return x.String()
	case fmt.Stringer:
		return x.String()
	}
	if v.Kind() == reflect.Struct {
		return valueText(v.Field(0))
	}
	return fmt.Sprint(v)
}

// compareAttributes compares a part of a view with attributes. Of a list it compares the members with the
// name that is the first word.
func (t thing) compareAttributes(words []word, v reflect.Value) *difference {
	var name []word
	if t.form == formMember {
		name, words = words[:1:1], words[1:]
	}
	d := &difference{want: joinWords(words), got: nothing, suggested: append(name, word{})}
	for m := range eachMember(v) {
		if name != nil && !slices.Contains(splitList(valueText(m)), name[0].text) {
			continue
		}
		differs := t.differingAttrs(words, m)
		if len(differs) == 0 {
			return nil
		}
		if d.notes == nil { // the first is shown
			d.got, d.notes, d.suggested = scriptWriter{}.formatWords(t.attrWords(m)), differs, append(name, t.suggestedWords(words, m)...)
		}
	}
	if words[0].isBare(nothing) && d.notes == nil {
		return nil
	}
	return d
}

// differingAttrs returns a note for each word whose attribute has another value in a part of a view.
func (t thing) differingAttrs(words []word, part reflect.Value) (notes []string) {
	for _, w := range words {
		if a := t.findAttr(w.key); a == nil || !sameMembers(splitList(w.comparedText()), splitList(valueText(part.Field(a.index)))) {
			notes = append(notes, formatRow("diffère", "differs", w.key))
		}
	}
	return notes
}

// suggestedWords returns these words with the values that the part has, for a rewritten line.
func (t thing) suggestedWords(words []word, part reflect.Value) (saw []word) {
	if words[0].isBare(nothing) {
		return slices.DeleteFunc(t.attrWords(part), func(w word) bool { return part.Field(t.findAttr(w.key).index).IsZero() })
	}
	for _, w := range words {
		if t.differingAttrs([]word{w}, part) != nil {
			w = word{key: w.key, text: valueText(part.Field(t.findAttr(w.key).index))}
		}
		saw = append(saw, w)
	}
	return saw
}

// attrWords returns all attributes of a part, with their values.
func (t thing) attrWords(part reflect.Value) (all []word) {
	for _, a := range t.attrs {
		all = append(all, word{key: a.name, text: valueText(part.Field(a.index))})
	}
	return all
}

// splitList returns the members of a list that is joined by commas.
func splitList(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}

func sameMembers(a, b []string) bool { return len(subtractList(a, b))+len(subtractList(b, a)) == 0 }

// comparedText returns the text that a word is compared with. The words for absence mean the empty text.
func (w word) comparedText() string {
	if !w.quoted && (w.text == nothing || w.text == "nobody") {
		return ""
	}
	return w.text
}

func textOrNothing(text string) string {
	if text == "" {
		return nothing
	}
	return text
}

func compareWord(w word, got string) *difference {
	if w.comparedText() == got {
		return nil
	}
	return &difference{want: textOrNothing(w.comparedText()), got: textOrNothing(got), suggested: []word{{text: got}}}
}

// negateIfNo returns d, or for a line with "no" the opposite: a difference if d is nil, else nil.
func negateIfNo(e expectation, d *difference) *difference {
	switch {
	case !e.no:
		return d
	case d == nil:
		return &difference{want: "no " + joinWords(e.words), got: "c’est là · it is there", suggested: e.words}
	default:
		return nil
	}
}

func joinWords(words []word) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w.sourceText()
	}
	return strings.Join(out, " ")
}

// messageText formats a message in the form of a script.
func messageText(m engine.Msg) string { return choiceFromMessage(m).scriptText() }

// choice is a message or an offer that may be the expected one.
type choice struct {
	name string
	args map[string]string
}

func choiceFromMessage(m engine.Msg) choice { return choice{m.Key, maps.Collect(m.Args.Pairs())} }

// scriptText formats the choice in the form of a script.
func (c choice) scriptText() string {
	text := textOrNothing(c.name)
	for _, name := range slices.Sorted(maps.Keys(c.args)) {
		text += " " + name + "=" + quoteIfNeeded(c.args[name])
	}
	return text
}

// compareNearest looks for a choice with this name and exactly these arguments; nil: there is one.
// Otherwise the difference suggests the nearest one.
func compareNearest(words []word, list []choice, equal func(w word, came string, has bool) bool) *difference {
	var came []string
	saw, best := []word{{}}, -1
	for _, c := range list {
		same, is := 0, []word{{text: c.name}}
		if c.name == words[0].comparedText() {
			same = len(words)
		}
		for _, w := range words[1:] {
			arg, has := c.args[w.key]
			if equal(w, arg, has) {
				same++
				is = append(is, w)
			} else if has {
				is = append(is, word{key: w.key, text: arg})
			}
		}
		if same == 2*len(words)-1 {
			return nil
		}
		if same > best {
			saw, best = is, same
		}
		came = append(came, c.scriptText())
	}
	return &difference{want: joinWords(words), got: textOrNothing(strings.Join(came, rowIndent)), suggested: saw}
}

// compareMessage looks in list for a message with the key and the values of its blanks in words. It returns nil if
// there is one, or if words say "nothing" and the list is empty; else the difference to the nearest message.
func compareMessage(words []word, list []engine.Msg) *difference {
	if len(list) == 0 && words[0].isBare(nothing) {
		return nil
	}
	choices := make([]choice, len(list))
	for i, m := range list {
		choices[i] = choiceFromMessage(m)
	}
	return compareNearest(words, choices, func(w word, came string, _ bool) bool { return w.comparedText() == came })
}

// addedLogLines returns the lines that the last step added to the log of v.
func (r *sceneRun) addedLogLines(v engine.Viewer) []engine.Msg {
	last := uint16(0)
	for _, l := range r.before[v].view.Log {
		last = max(last, l.N)
	}
	var list []engine.Msg
	for _, l := range r.now[v].view.Log {
		if l.N > last {
			list = append(list, *l.Msg)
		}
	}
	return list
}

// compareList compares a list with words in one of the five forms of doc.go: all members, count=, with,
// without, or nothing.
func compareList(words []word, got []string) *difference {
	first := words[0]
	want := make([]string, 0, len(words))
	for _, w := range words {
		want = append(want, w.text)
	}
	d := &difference{want: joinWords(words), got: textOrNothing(strings.Join(got, " ")), suggested: wordsOf(got)}
	switch {
	case first.key == "count":
		if strconv.Itoa(len(got)) == first.text {
			return nil
		}
		d.got = strconv.Itoa(len(got)) + ": " + d.got
		d.suggested = []word{{key: "count", text: strconv.Itoa(len(got))}}
		return d
	case first.isBare(nothing), first.isBare("nobody"):
		want = nil
	case first.isBare("with"):
		return d.withNotesOrNil(subtractList(want[1:], got), nil)
	case first.isBare("without"):
		return d.withNotesOrNil(nil, subtractList(want[1:], subtractList(want[1:], got)))
	}
	return d.withNotesOrNil(subtractList(want, got), subtractList(got, want))
}

// wordsOf returns the members of a list as words; for an empty list, one empty word.
func wordsOf(list []string) []word {
	if len(list) == 0 {
		return []word{{}}
	}
	words := make([]word, len(list))
	for i, text := range list {
		words[i].text = text
	}
	return words
}

// withNotesOrNil returns nil if nothing is missing and nothing is extra, else d with notes about both.
func (d *difference) withNotesOrNil(missing, extra []string) *difference {
	if len(missing)+len(extra) == 0 {
		return nil
	}
	if len(missing) > 0 {
		d.notes = append(d.notes, formatRow("manque", "missing", strings.Join(missing, " ")))
	}
	if len(extra) > 0 {
		d.notes = append(d.notes, formatRow("en trop", "extra", strings.Join(extra, " ")))
	}
	return d
}

// subtractList returns the members of a that b lacks. A card that is named twice counts twice.
func subtractList(a, b []string) []string {
	rest := slices.Clone(b)
	var out []string
	for _, x := range a {
		if i := slices.Index(rest, x); i >= 0 {
			rest = slices.Delete(rest, i, i+1)
		} else {
			out = append(out, x)
		}
	}
	return out
}

// compareUnchanged returns nil if the view of v is the same, byte for byte, as before the last step.
func (r *sceneRun) compareUnchanged(v engine.Viewer) *difference {
	was, is := r.before[v].json, r.now[v].json
	if bytes.Equal(was, is) {
		return nil
	}
	at := 0
	for at < len(was) && at < len(is) && was[at] == is[at] {
		at++
	}
	around := func(b []byte) string {
		return "..." + string(b[max(0, min(at-30, len(b))):min(at+60, len(b))]) + "..."
	}
	return &difference{want: around(was), got: around(is)}
}
