package ownfile

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"
)

// Change is one change of a file: Path gets Value, which is a string, an int, a bool, or []Pair for one of a list; nil
// takes out what is there. A path may name a key that is not there yet, at the end of those that are, and one more than a list has.
type Change struct {
	Path  string
	Value any
}

// Pair is a key with its value.
type Pair struct {
	Key   string
	Value any
}

// ErrByHand: the file is written in a way that only a hand can change without losing something.
var ErrByHand = errors.New("ownfile: only a hand can change what is written so")

// Rewrite changes a file that Parse can read, and nothing else in it: order, indentation and each comment stay. What was
// on one line in brackets is written out line by line where that is needed; of what is taken out the comments stay.
//
//  1. What the new text means is what the old one does with that change.
//  2. Each comment of the old text is in the new one.
//
// Both are looked at in each result; where they do not hold, it is ErrByHand and nothing has happened.
func Rewrite(data []byte, c Change) (after []byte, err error) {
	steps, ok := stepsOf(c.Path)
	if !ok {
		return nil, fmt.Errorf("ownfile: no path: %s", Quote(c.Path))
	}
	before, err := treeOf(data)
	if err != nil {
		return nil, err
	}
	want, ok := changed(before, steps, c.Value)
	if !ok {
		return nil, ErrByHand
	}
	if same(before, want) {
		return data, nil
	}
	err = guarded(func() error {
		e := newEdit(data)
		e.apply(steps, c.Value)
		after = e.text()
		return nil
	})
	if err == nil {
		got, bad := treeOf(after)
		if bad != nil || !same(got, want) || !keeps(data, after) {
			err = ErrByHand
		}
	}
	if err != nil {
		return nil, ErrByHand
	}
	return after, nil
}

var stepForm = regexp.MustCompile(`^(?:\.([A-Za-z0-9_-]+)|\[([0-9]{1,4})\])`)

// stepsOf takes a path apart into keys and numbers.
func stepsOf(path string) (steps []any, ok bool) {
	rest, ok := strings.CutPrefix(path, "$")
	for ok && rest != "" {
		m := stepForm.FindStringSubmatch(rest)
		if m == nil {
			return nil, false
		}
		if m[1] != "" {
			steps = append(steps, m[1])
		} else {
			n, _ := strconv.Atoi(m[2]) // four digits
			steps = append(steps, n)
		}
		rest = rest[len(m[0]):]
	}
	return steps, ok && len(steps) > 0
}

// Values are the values of a file, as they are written, by their paths and in their order; none of one that Parse cannot read.
func Values(data []byte) (all []Pair) {
	f := Parse("", data)
	if f.bad["$"] {
		return nil
	}
	var tree any
	if guarded(func() error { tree = meaning(f.root); return nil }) != nil {
		return nil
	}
	return valuesOf("$", tree)
}

func valuesOf(path string, tree any) (all []Pair) {
	switch t := tree.(type) {
	case string:
		all = append(all, Pair{path, t})
	case []entry:
		for _, e := range t {
			all = append(all, valuesOf(path+"."+e.key, e.value)...)
		}
	case []any:
		for i, e := range t {
			all = append(all, valuesOf(fmt.Sprintf("%s[%d]", path, i), e)...)
		}
	}
	return all
}

// entry is a key of a tree with its value: a string as it is written, []entry, []any, or nil.
type entry struct {
	key   string
	value any
}

// treeOf is what a file means; its error is ErrByHand when that cannot be told.
func treeOf(data []byte) (tree any, err error) {
	f := Parse("", data)
	if f.Err() != nil {
		return nil, ErrByHand
	}
	if guarded(func() error { tree = meaning(f.root); return nil }) != nil {
		return nil, ErrByHand
	}
	return tree, nil
}

func meaning(n ast.Node) any {
	n = bare(n)
	if n == nil || n.Type() == ast.NullType {
		return nil
	}
	if list, ok := n.(*ast.SequenceNode); ok {
		all := []any{}
		for _, v := range list.Values {
			all = append(all, meaning(v))
		}
		return all
	}
	if isMapping(n) {
		all := []entry{}
		for _, p := range pairs(n) {
			key, _ := keyOf(p)
			all = append(all, entry{key, meaning(p.Value)})
		}
		return all
	}
	text, _ := scalar(n)
	return text
}

// plainly is a value of a Change in a tree.
func plainly(v any) any {
	switch v := v.(type) {
	case nil:
		return nil
	case []Pair:
		all := []entry{}
		for _, p := range v {
			all = append(all, entry{p.Key, plainly(p.Value)})
		}
		return all
	}
	return fmt.Sprint(v)
}

// changed is a tree with one change; false where there is no such place.
func changed(tree any, steps []any, v any) (any, bool) {
	if len(steps) == 0 {
		return plainly(v), true
	}
	last := len(steps) == 1
	if n, is := steps[0].(int); is {
		list, ok := tree.([]any)
		if tree == nil {
			list, ok = []any{}, true
		}
		if !ok || n > len(list) || n == len(list) && v == nil {
			return nil, false
		}
		list = slices.Clone(list)
		if last && v == nil {
			return slices.Delete(list, n, n+1), true
		}
		if n == len(list) {
			list = append(list, nil)
		}
		list[n], ok = changed(list[n], steps[1:], v)
		return list, ok
	}
	all, ok := tree.([]entry)
	if tree == nil {
		all, ok = []entry{}, true
	}
	if !ok {
		return nil, false
	}
	all = slices.Clone(all)
	i := slices.IndexFunc(all, func(e entry) bool { return e.key == steps[0] })
	switch {
	case i < 0 && v == nil:
		return all, true
	case last && v == nil:
		return slices.Delete(all, i, i+1), true
	case i < 0:
		i, all = len(all), append(all, entry{steps[0].(string), nil})
	}
	all[i].value, ok = changed(all[i].value, steps[1:], v)
	return all, ok
}

// same compares trees. Nothing is as good as an empty list, and the order of keys means nothing.
func same(a, b any) bool {
	if of(a) == 0 && of(b) == 0 {
		return true
	}
	x, mapA := a.([]entry)
	y, mapB := b.([]entry)
	if !mapA || !mapB {
		p, listA := a.([]any)
		q, listB := b.([]any)
		return listA && listB && slices.EqualFunc(p, q, same) || !listA && !listB && reflect.DeepEqual(a, b)
	}
	inA := slices.DeleteFunc(slices.Clone(x), func(e entry) bool { return of(e.value) == 0 })
	inB := slices.DeleteFunc(slices.Clone(y), func(e entry) bool { return of(e.value) == 0 })
	return len(inA) == len(inB) && !slices.ContainsFunc(inA, func(e entry) bool {
		return !slices.ContainsFunc(inB, func(o entry) bool { return e.key == o.key && same(e.value, o.value) })
	})
}

// of is how much there is: 0 of nothing, and of an empty list or mapping.
func of(tree any) int {
	switch t := tree.(type) {
	case nil:
		return 0
	case []any:
		return len(t)
	case []entry:
		return len(t)
	}
	return 1
}

// keeps reports that each comment of a text is in another.
func keeps(before, after []byte) bool {
	have := comments(after)
	for c, n := range comments(before) {
		if have[c] < n {
			return false
		}
	}
	return true
}

func comments(data []byte) map[string]int {
	all := map[string]int{}
	for _, t := range lexer.Tokenize(string(data)) {
		if t.Type == token.CommentType {
			all[strings.TrimSpace(t.Value)]++
		}
	}
	return all
}

var plain = regexp.MustCompile(`^[A-Za-z/][A-Za-z0-9_./-]*$`)

// encoded is a scalar as it is written in a file.
func encoded(v any) string {
	s, is := v.(string)
	if !is {
		return fmt.Sprint(v)
	}
	if plain.MatchString(s) && !slices.Contains([]string{"true", "false", "yes", "no", "on", "off", "null", "y", "n"}, strings.ToLower(s)) {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ':
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + `"`
}
