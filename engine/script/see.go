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
	want, came string
	notes      []string
	saw        []word // what could be expected instead, after the thing; nil: nothing can
	no         bool   // "no" would come before the thing
}

// compareView checks one line for one viewer; nil: it is right.
func (r *run) see(e expectation, v engine.Viewer) *difference {
	now := r.now[v].view
	switch e.thing {
	case "log":
		return negated(e, sameMsg(e.words, r.added(v)))
	case "offers":
		return listed(e.words, acts(now.Offers))
	case "offer":
		return negated(e, hasOffer(e.words, accepted(now.Offers)))
	case "listed":
		return negated(e, hasOffer(e.words, onPage(now.Offers)))
	case "marked":
		return negated(e, hasOffer(e.words, marked(now.Offers)))
	case "change":
		return r.unchanged(v)
	case "called":
		return called(e.words, engine.NamesUnder(r.book, now.Switches))
	case "nowhere":
		return r.nowhere(e.words, v)
	}
	return negated(e, things[e.thing].compare(e.words, reflect.ValueOf(&now).Elem()))
}

// compareName compares the label of a thing in one of the two languages; nil: it is right.
func called(words []word, names engine.Names) *difference {
	d := &difference{want: words[1].text, came: nothing}
	for _, n := range names {
		switch {
		case string(n.ID) != words[0].text || n.Text == (engine.Text{}):
		case n.Text.FR == words[1].text, n.Text.EN == words[1].text:
			return nil
		default:
			d.came, d.saw = n.Text.FR, []word{words[0], {text: n.Text.FR, quoted: true}}
		}
	}
	return d
}

// compare checks the words after t against a view; nil: they are right.
func (t thing) compare(words []word, view reflect.Value) *difference {
	t = t.as(words)
	v := t.in(view)
	switch t.form {
	case formPair:
		if v.IsValid() {
			v = v.MapIndex(reflect.ValueOf(words[0].text))
		}
		d := sameWord(words[1], text(v))
		if d != nil {
			d.saw = append(words[:1:1], d.saw...)
		}
		return d
	case formMsg:
		var list []engine.Msg
		for m := range members(v) {
			list = append(list, m.Interface().(engine.Msg))
		}
		return sameMsg(words, list)
	case formList:
		return listed(words, listOf(text(v)))
	case formAttrs, formMember:
		return t.attributes(words, v)
	default:
		return sameWord(words[0], text(v))
	}
}

// valueIn returns the value of t in a view. It is not valid if a part is missing.
func (t thing) in(view reflect.Value) reflect.Value {
	v, err := view.FieldByIndexErr(t.path)
	if err == nil && v.Kind() == reflect.Pointer {
		return v.Elem()
	}
	return v
}

// members yields the members of a list, or v if it is no list.
func members(v reflect.Value) iter.Seq[reflect.Value] {
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
func text(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Invalid:
		return ""
	case reflect.Pointer:
		return text(v.Elem())
	case reflect.Bool:
		return map[bool]string{true: "yes", false: "no"}[v.Bool()]
	case reflect.String:
		return v.String()
	case reflect.Slice:
		list := make([]string, 0, v.Len())
		for m := range members(v) {
			list = append(list, text(m))
		}
		return strings.Join(list, ",")
	}
	switch x := v.Interface().(type) {
	case engine.Seat:
		if !x.Valid() {
			return ""
		}
		return x.String()
	case fmt.Stringer:
		return x.String()
	}
	if v.Kind() == reflect.Struct {
		return text(v.Field(0))
	}
	return fmt.Sprint(v)
}

// compareAttributes compares a part of a view with attributes. Of a list it compares the members with the
// name that is the first word.
func (t thing) attributes(words []word, v reflect.Value) *difference {
	var name []word
	if t.form == formMember {
		name, words = words[:1:1], words[1:]
	}
	d := &difference{want: source(words), came: nothing, saw: append(name, word{})}
	for m := range members(v) {
		if name != nil && !slices.Contains(listOf(text(m)), name[0].text) {
			continue
		}
		differs := t.differs(words, m)
		if len(differs) == 0 {
			return nil
		}
		if d.notes == nil { // the first is shown
			d.came, d.notes, d.saw = writer{}.words(t.fields(m)), differs, append(name, t.saw(words, m)...)
		}
	}
	if words[0].is(nothing) && d.notes == nil {
		return nil
	}
	return d
}

// differingAttrs returns a note for each word that is not true of a part.
func (t thing) differs(words []word, part reflect.Value) (notes []string) {
	for _, w := range words {
		if a := t.attr(w.key); a == nil || !sameMembers(listOf(w.value()), listOf(text(part.Field(a.index)))) {
			notes = append(notes, row("diffère", "differs", w.key))
		}
	}
	return notes
}

// suggestedWords returns words that could be expected of a part in place of these.
func (t thing) saw(words []word, part reflect.Value) (saw []word) {
	if words[0].is(nothing) {
		return slices.DeleteFunc(t.fields(part), func(w word) bool { return part.Field(t.attr(w.key).index).IsZero() })
	}
	for _, w := range words {
		if t.differs([]word{w}, part) != nil {
			w = word{key: w.key, text: text(part.Field(t.attr(w.key).index))}
		}
		saw = append(saw, w)
	}
	return saw
}

// attrWords returns all attributes of a part.
func (t thing) fields(part reflect.Value) (all []word) {
	for _, a := range t.attrs {
		all = append(all, word{key: a.name, text: text(part.Field(a.index))})
	}
	return all
}

// splitList returns the members of a list that is joined by commas.
func listOf(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}

func sameMembers(a, b []string) bool { return len(minus(a, b))+len(minus(b, a)) == 0 }

// comparedText returns the text that a word is compared with. The words for absence mean the empty text.
func (w word) value() string {
	if !w.quoted && (w.text == nothing || w.text == "nobody") {
		return ""
	}
	return w.text
}

func orNothing(text string) string {
	if text == "" {
		return nothing
	}
	return text
}

func sameWord(w word, came string) *difference {
	if w.value() == came {
		return nil
	}
	return &difference{want: orNothing(w.value()), came: orNothing(came), saw: []word{{text: came}}}
}

// negate turns "there is" into "there is not", if the line has a "no".
func negated(e expectation, d *difference) *difference {
	switch {
	case !e.no:
		return d
	case d == nil:
		return &difference{want: "no " + source(e.words), came: "c’est là · it is there", saw: e.words}
	default:
		return nil
	}
}

func source(words []word) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w.source()
	}
	return strings.Join(out, " ")
}

// messageText formats a message in the form of a script.
func msgText(m engine.Msg) string { return choiceOf(m).text() }

// choice is a message or an offer that may be the expected one.
type choice struct {
	name string
	args map[string]string
}

func choiceOf(m engine.Msg) choice { return choice{m.Key, maps.Collect(m.Args.All())} }

// scriptText formats the choice in the form of a script.
func (c choice) text() string {
	text := orNothing(c.name)
	for _, name := range slices.Sorted(maps.Keys(c.args)) {
		text += " " + name + "=" + quoteIf(c.args[name])
	}
	return text
}

// compareNearest looks for a choice with this name and exactly these arguments; nil: there is one.
// Otherwise the difference suggests the nearest one.
func nearest(words []word, list []choice, equal func(w word, came string, has bool) bool) *difference {
	var came []string
	saw, best := []word{{}}, -1
	for _, c := range list {
		same, is := 0, []word{{text: c.name}}
		if c.name == words[0].value() {
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
		came = append(came, c.text())
	}
	return &difference{want: source(words), came: orNothing(strings.Join(came, under)), saw: saw}
}

// compareMessage looks in list for a message with this key and these blanks.
func sameMsg(words []word, list []engine.Msg) *difference {
	if len(list) == 0 && words[0].is(nothing) {
		return nil
	}
	choices := make([]choice, len(list))
	for i, m := range list {
		choices[i] = choiceOf(m)
	}
	return nearest(words, choices, func(w word, came string, _ bool) bool { return w.value() == came })
}

// addedLines returns the lines that the last step added to the log of v.
func (r *run) added(v engine.Viewer) []engine.Msg {
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

// compareList compares a list in one of its five forms.
func listed(words []word, came []string) *difference {
	first := words[0]
	want := make([]string, 0, len(words))
	for _, w := range words {
		want = append(want, w.text)
	}
	d := &difference{want: source(words), came: orNothing(strings.Join(came, " ")), saw: wordsOf(came)}
	switch {
	case first.key == "count":
		if strconv.Itoa(len(came)) == first.text {
			return nil
		}
		d.came = strconv.Itoa(len(came)) + ": " + d.came
		d.saw = []word{{key: "count", text: strconv.Itoa(len(came))}}
		return d
	case first.is(nothing), first.is("nobody"):
		want = nil
	case first.is("with"):
		return d.unless(minus(want[1:], came), nil)
	case first.is("without"):
		return d.unless(nil, minus(want[1:], minus(want[1:], came)))
	}
	return d.unless(minus(want, came), minus(came, want))
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

// unlessEqual returns nil if nothing is missing and nothing is extra, else d with notes about both.
func (d *difference) unless(missing, extra []string) *difference {
	if len(missing)+len(extra) == 0 {
		return nil
	}
	if len(missing) > 0 {
		d.notes = append(d.notes, row("manque", "missing", strings.Join(missing, " ")))
	}
	if len(extra) > 0 {
		d.notes = append(d.notes, row("en trop", "extra", strings.Join(extra, " ")))
	}
	return d
}

// subtractList returns the members of a that b lacks. A card that is named twice counts twice.
func minus(a, b []string) []string {
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

func (r *run) unchanged(v engine.Viewer) *difference {
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
	return &difference{want: around(was), came: around(is)}
}
