package script

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"majordome/engine"
)

// form is the shape of the words after a thing (formShapes).
type form uint8

const (
	formWord form = iota
	formPair
	formMsg
	formOffer
	formChange
	formTexts
	formList
	formAttrs
	formMember
	formEither // formList or formMember, according to the words
)

// thing is something that an audience can see.
type thing struct {
	name          string
	lineStart     string // the beginning of a line with it; empty: AUDIENCE sees and its name
	form          form
	allowsNo      bool         // "no" is allowed before it
	allowsNothing bool         // "nothing" is allowed in place of its attributes
	path          []int        // index path of its field in a view; nil: it is no field
	isList        bool         // it is a whole list
	nameType      reflect.Type // of a list: the type of what names a member
	attrs         []attr       // of a part of a view, or of the members of a list of parts
}

// attr is a field of a part of a view.
type attr struct {
	name  string
	index int
	typ   reflect.Type
}

// specialThings are the things that are no field of a view, or are not parsed as one.
var specialThings = []thing{
	{name: "log", form: formMsg, allowsNo: true},
	{name: "offers", form: formList},
	{name: "offer", form: formOffer, allowsNo: true},
	{name: "listed", form: formOffer, allowsNo: true},
	{name: "marked", form: formOffer, allowsNo: true},
	{name: "change", form: formChange, allowsNo: true},
	{name: "called", form: formPair, nameType: typeID},
	{name: "nowhere", form: formTexts},
}

// The words after these are parsed like the words after a thing.
var (
	toldThing      = thing{name: "told", lineStart: "told AUDIENCE", form: formMsg}
	deadlinesThing = thing{name: "deadlines", lineStart: "deadlines", form: formList}
	neverThing     = thing{name: "never sees", lineStart: "AUDIENCE never sees", form: formTexts}
)

// things has all that an audience can see, by name.
var things = thingsOfView(reflect.TypeFor[engine.View]())

// listThings are the things that are whole lists, sorted by name.
var listThings = slices.DeleteFunc(slices.SortedFunc(maps.Values(things), func(a, b thing) int { return cmp.Compare(a.name, b.name) }),
	func(t thing) bool { return !t.isList })

// thingsOfView returns the things of a view: its fields by their names in JSON. The fields of "me" and the
// parts of a part have names at the same level as the others. A list of parts has two names, for example
// seats and seat: the whole list, and one member with its attributes.
func thingsOfView(view reflect.Type) map[string]thing {
	all := map[string]thing{}
	addThings(all, view, nil, true)
	for _, t := range specialThings {
		t.path, t.isList = all[t.name].path, all[t.name].isList
		all[t.name] = t
	}
	return all
}

// addThings adds to all the fields of a part at path. Fields that are no parts themselves are added only if
// includePlain is set.
func addThings(all map[string]thing, part reflect.Type, path []int, includePlain bool) {
	for i := range part.NumField() {
		name, typ := jsonField(part, i)
		at := append(slices.Clone(path), i)
		switch {
		case name == "me":
			addThings(all, typ, at, true)
			continue
		case name == "", !includePlain && !hasOwnFields(typ):
			continue
		}
		for _, t := range thingsOfField(thing{name: name, path: at}, typ, part.Field(i).Type != typ) {
			if _, taken := all[t.name]; !taken {
				all[t.name] = t
			}
		}
		if hasOwnFields(typ) && typ.Kind() == reflect.Struct {
			addThings(all, typ, at, false)
		}
	}
}

// jsonField returns the name of a field in JSON, and its type or the type that it points to.
func jsonField(of reflect.Type, i int) (name string, typ reflect.Type) {
	name, _, _ = strings.Cut(of.Field(i).Tag.Get("json"), ",")
	return name, derefType(of.Field(i).Type)
}

// derefType returns the type that typ points to, or typ itself.
func derefType(typ reflect.Type) reflect.Type {
	if typ.Kind() == reflect.Pointer {
		return typ.Elem()
	}
	return typ
}

var (
	typeMsg = reflect.TypeFor[engine.Msg]()
	typeID  = reflect.TypeFor[engine.ID]()
)

// hasOwnFields reports whether typ, or the type of its members, has fields of its own.
func hasOwnFields(typ reflect.Type) bool {
	if typ.Kind() == reflect.Slice {
		typ = derefType(typ.Elem())
	}
	return typ.Kind() == reflect.Struct && typ != typeMsg && !typ.Implements(reflect.TypeFor[fmt.Stringer]())
}

// thingsOfField returns t, read from a field of type typ, under each of its names. optional: the field is a
// pointer.
func thingsOfField(t thing, typ reflect.Type, optional bool) []thing {
	switch kind := typ.Kind(); {
	case typ == typeMsg:
		t.form = formMsg
	case kind == reflect.Map:
		t.form = formPair
	case kind == reflect.Slice:
		return listAndMemberThings(t, derefType(typ.Elem()))
	case hasOwnFields(typ):
		t.form, t.allowsNothing, t.attrs = formAttrs, optional, attrsOf(typ, 0)
	}
	return []thing{t}
}

// listAndMemberThings returns the things for a list: the whole list, and one member if its members are parts; a single
// thing for both if the name of the list has no plural.
func listAndMemberThings(t thing, member reflect.Type) []thing {
	t.form, t.isList, t.nameType = formList, true, member
	if member == typeMsg {
		t.form, t.allowsNo = formMsg, true
	}
	if !hasOwnFields(member) {
		return []thing{t}
	}
	_, t.nameType = jsonField(member, 0)
	one := t
	one.form, one.isList, one.allowsNothing, one.attrs = formMember, false, true, attrsOf(member, 1)
	t.attrs = one.attrs
	name, plural := strings.CutSuffix(t.name, "s")
	if one.name = name; plural {
		return []thing{t, one}
	}
	one.form, one.isList = formEither, true
	return []thing{one}
}

// attrsOf returns the fields of a part from index from on. The parts of a part are things of their own,
// unless the part is a member of a list.
func attrsOf(typ reflect.Type, from int) (list []attr) {
	for i := from; i < typ.NumField(); i++ {
		if name, t := jsonField(typ, i); name != "" && (from > 0 || !hasOwnFields(t)) {
			list = append(list, attr{name, i, t})
		}
	}
	return list
}

// findAttr returns the attribute of that name, or nil.
func (t thing) findAttr(name string) *attr {
	if i := slices.IndexFunc(t.attrs, func(a attr) bool { return a.name == name }); i >= 0 {
		return &t.attrs[i]
	}
	return nil
}

func (t thing) attrNames() (names []string) {
	for _, a := range t.attrs {
		names = append(names, a.name)
	}
	return names
}

func thingNames() string { return strings.Join(slices.Sorted(maps.Keys(things)), ", ") }

// formShapes gives the words after a thing, for each form. Attributes are checked separately.
var formShapes = [...]struct {
	example     string
	needs       engine.Text
	min, max    int
	first, rest func(word) bool
}{
	formWord: {" WORD", engine.T("un mot", "one word"), 1, 1, hasNoKey, nil},
	formPair: {" NAME VALUE", engine.T("un nom et une valeur", "a name and a value"), 2, 2, hasNoKey, hasNoKey},
	formMsg: {" KEY BLANK=VALUE", engine.T("la clé d’un message, et de ses blancs", "the key of a message, and any of its blanks"),
		1, manyWords, isBareWord, hasKey},
	formOffer: {" ACT PARAMETER=VALUE,VALUE", engine.T("un acte, et de ses paramètres", "an act, and any of its parameters"),
		1, manyWords, isBareWord, hasKey},
	formChange: {"", engine.T("d’être seul", "to stand alone"), 0, 0, nil, nil},
	formTexts: {" ID \"TEXT\"", engine.T("des identifiants ou des textes entre guillemets", "ids or quoted texts"),
		1, manyWords, hasNoKey, hasNoKey},
	formList: {" NAME NAME", engine.T("des noms, nothing, count=, with ou without", "names, nothing, count=, with or without"),
		1, manyWords, isListStart, isListMember},
	formAttrs: {"", engine.T("quelque chose à comparer", "something to compare"), 1, manyWords, nil, nil},
	formMember: {" NAME", engine.T("un nom, puis quelque chose à comparer", "a name, then something to compare"),
		2, manyWords, hasNoKey, nil},
}

func hasNoKey(w word) bool     { return w.key == "" }
func hasKey(w word) bool       { return w.key != "" }
func isBareWord(w word) bool   { return hasNoKey(w) && !w.quoted }
func isListMember(w word) bool { return hasNoKey(w) && !w.isBare("with") && !w.isBare("without") }

func isListStart(w word) bool {
	n, err := strconv.Atoi(w.text)
	return hasNoKey(w) || w.key == "count" && err == nil && n >= 0
}

// exampleLine returns a line with t, for a hint.
func (t thing) exampleLine() string {
	t = t.withSelectedForm(nil)
	text := cmp.Or(t.lineStart, "AUDIENCE sees "+t.name) + formShapes[t.form].example
	if t.form >= formAttrs {
		text += " " + t.attrs[0].name + "=VALUE"
	}
	return text
}

// wrongWordError returns the mistake that w does not fit t; for a word without a column, that one is missing.
func (t thing) wrongWordError(w word) *Error {
	needs := formShapes[t.form].needs
	what := engine.T(t.name+" demande "+needs.FR, t.name+" needs "+needs.EN)
	if w.col > 0 {
		what = engine.T(what.FR+", et non "+w.sourceText(), what.EN+", not "+w.sourceText())
	}
	return newError(w.col, what, engine.Tf("écrivez par exemple : %s", "write it like: %s", t.exampleLine()))
}

// withSelectedForm returns t with the form that these words select.
func (t thing) withSelectedForm(words []word) thing {
	if t.form == formEither {
		if t.form = formList; len(words) > 1 && (hasKey(words[1]) || words[1].isBare(nothing)) {
			t.form = formMember
		}
	}
	return t
}

// checkWords returns the first mistake in the words after the thing.
func (t thing) checkWords(words []word) *Error {
	t = t.withSelectedForm(words)
	s := formShapes[t.form]
	least, most, from := s.min, s.max, 0 // from: index of the first list member or attribute
	if t.form == formMember {
		from = 1
	}
	if len(words) > from {
		switch w := words[from]; {
		case w.isBare(nothing), w.isBare("nobody"), w.key == "count" && t.form == formList:
			most = min(most, from+1)
		case t.form == formList && !isListMember(w):
			least = 2
		}
	}
	if len(words) < least {
		return t.wrongWordError(word{})
	}
	fits := s.first
	for i, w := range words {
		switch attrs := t.form >= formAttrs && i >= from; {
		case i >= most, !attrs && !fits(w):
			return t.wrongWordError(w)
		case attrs && t.findAttr(w.key) == nil && !(t.allowsNothing && w.isBare(nothing)):
			return newError(w.col, engine.Tf("%s n’a pas de %s", "%s has no %s", t.name, w.sourceText()),
				engine.Tf("il y a : %s", "it has %s", strings.Join(t.attrNames(), ", ")))
		}
		fits = s.rest
	}
	return nil
}
