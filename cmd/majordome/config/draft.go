package config

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"majordome/engine/ownfile"
)

// A draft is the page's file as a tree of values (ownfile.Pair). A tree is never changed in place: each change returns
// another.

var (
	itemPath   = regexp.MustCompile(`^\$\.([a-z]+)\[([0-9]+)\](.*)$`)
	stepForm   = regexp.MustCompile(`^(?:\.([A-Za-z0-9_-]+)|\[([0-9]{1,4})\])`)
	segmentKey = regexp.MustCompile(`^[a-z0-9-]{1,40}$`)
	// chipPath matches the chip of a list item. Not of a segment, which may have any name, also that of a key.
	chipPath = regexp.MustCompile(`^\$\.([a-z]+)\[[0-9]+\]\.chip$`)
)

// splitPath splits a path such as $.readers[0].gain into keys and indexes.
func splitPath(path string) (steps []any) {
	rest := strings.TrimPrefix(path, "$")
	for m := stepForm.FindStringSubmatch(rest); m != nil; m = stepForm.FindStringSubmatch(rest) {
		if m[1] != "" {
			steps = append(steps, m[1])
		} else {
			n, _ := strconv.Atoi(m[2]) // at most four digits
			steps = append(steps, n)
		}
		rest = rest[len(m[0]):]
	}
	return steps
}

// setPath returns a tree in which a path has a value: a text, []ownfile.Pair, []any, or nil for a key without a value.
// The path may name a new key, or the item after the last of a list. ok is false for any other path that does not
// exist.
func setPath(tree []ownfile.Pair, path string, v any) (after []ownfile.Pair, ok bool) {
	return editTreeAt(tree, splitPath(path), v, false)
}

// deletePath returns a tree without a path; ok is false if the path names a list item that does not exist.
func deletePath(tree []ownfile.Pair, path string) (after []ownfile.Pair, ok bool) {
	return editTreeAt(tree, splitPath(path), nil, true)
}

func editTreeAt(tree []ownfile.Pair, steps []any, v any, remove bool) ([]ownfile.Pair, bool) {
	after, ok := editValueAt(tree, steps, v, remove)
	all, is := after.([]ownfile.Pair)
	return all, ok && is
}

func editValueAt(tree any, steps []any, v any, remove bool) (any, bool) {
	if len(steps) == 0 {
		return v, true
	}
	last := len(steps) == 1 && remove
	if n, is := steps[0].(int); is {
		list, ok := tree.([]any)
		if tree != nil && !ok || n > len(list) || n == len(list) && remove {
			return nil, false
		}
		list = slices.Clone(list)
		if last {
			return slices.Delete(list, n, n+1), true
		}
		if n == len(list) {
			list = append(list, nil)
		}
		list[n], ok = editValueAt(list[n], steps[1:], v, remove)
		return list, ok
	}
	all, ok := tree.([]ownfile.Pair)
	if tree != nil && !ok {
		return nil, false
	}
	all = slices.Clone(all)
	i := slices.IndexFunc(all, func(p ownfile.Pair) bool { return p.Key == steps[0] })
	switch {
	case i < 0 && remove:
		return all, true
	case last:
		return slices.Delete(all, i, i+1), true
	case i < 0:
		i, all = len(all), append(all, ownfile.Pair{Key: steps[0].(string)})
	}
	all[i].Value, ok = editValueAt(all[i].Value, steps[1:], v, remove)
	return all, ok
}

// lookupKey returns the value of a key at the top of a tree; ok is false if it is missing.
func lookupKey(tree []ownfile.Pair, key string) (v any, ok bool) {
	for _, p := range tree {
		if p.Key == key {
			v, ok = p.Value, true
		}
	}
	return v, ok
}

// countChanges returns how many keys at the top differ between two trees.
func countChanges(a, b []ownfile.Pair) (n int) {
	for _, p := range a {
		if v, is := lookupKey(b, p.Key); !is || !sameValue(v, p.Value) {
			n++
		}
	}
	for _, p := range b {
		if _, is := lookupKey(a, p.Key); !is {
			n++
		}
	}
	return n
}

// sameValue reports whether two values of trees are equal. No value equals an empty list, and the order of keys does
// not count.
func sameValue(a, b any) bool {
	if isEmptyValue(a) && isEmptyValue(b) {
		return true
	}
	x, mapA := a.([]ownfile.Pair)
	y, mapB := b.([]ownfile.Pair)
	if mapA && mapB {
		return countChanges(x, y) == 0
	}
	p, listA := a.([]any)
	q, listB := b.([]any)
	if listA && listB {
		return slices.EqualFunc(p, q, sameValue)
	}
	return reflect.DeepEqual(a, b)
}

// isEmptyValue reports whether v is nil, an empty list or an empty mapping.
func isEmptyValue(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case []any:
		return len(v) == 0
	case []ownfile.Pair:
		return len(v) == 0
	}
	return false
}

// summariseValue describes a value of a file in a few words: a text, or the items of a list, each by its role, its chip or
// itself.
func summariseValue(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		var all []string
		for _, e := range v {
			all = append(all, summariseValue(e))
		}
		return strings.Join(all, ", ")
	case []ownfile.Pair:
		for _, key := range []string{"role", "chip"} {
			if text, is := lookupKey(v, key); is {
				return fmt.Sprint(text)
			}
		}
		return "?"
	}
	return ""
}

// typeAtPath returns the type of the value at a path, such as $.readers[0].gain; ok is false if there is no such key.
func typeAtPath(path string) (t reflect.Type, ok bool) {
	rest, ok := strings.CutPrefix(path, "$")
	t = reflect.TypeFor[Config]()
	for ok && rest != "" {
		switch {
		case rest[0] == '.' && t.Kind() == reflect.Struct:
			i := strings.IndexAny(rest[1:], ".[")
			if i < 0 {
				i = len(rest) - 1
			}
			key := rest[1 : i+1]
			rest = rest[i+1:]
			var f reflect.StructField
			if f, ok = structField(t, key); ok {
				t = f.Type
			}
		case rest[0] == '.' && t.Kind() == reflect.Map:
			name := rest[1:]
			t, rest, ok = t.Elem(), "", segmentKey.MatchString(name)
		case rest[0] == '[' && t.Kind() == reflect.Slice:
			digits, after, closed := strings.Cut(rest[1:], "]")
			n, err := strconv.Atoi(digits)
			t, rest, ok = t.Elem(), after, closed && err == nil && n >= 0 && n < maxListed && digits == strconv.Itoa(n) // refuses +0
		default:
			ok = false
		}
	}
	return t, ok
}

// chipNameAt returns the chip of the list item at a path such as $.readers[0]; "" if there is no such item.
func chipNameAt(c Config, at string) string {
	m := itemPath.FindStringSubmatch(at + ".")
	list := fieldByKey(reflect.ValueOf(&c).Elem(), m[1])
	for i := range list.Len() {
		if fmt.Sprintf("$.%s[%d]", m[1], i) == at {
			return fieldByKey(list.Index(i), "chip").String()
		}
	}
	return ""
}

// chipAcceptsKey reports whether an item of a list, such as readers, may have the key name if it has this chip.
func chipAcceptsKey(list, chip, name string) bool {
	is := func(y key) bool { return y.name == name }
	switch list {
	case "readers":
		return slices.ContainsFunc(readerKeys, is) || readerChips.findChip(chip).hasKey(name)
	case "strips":
		return slices.ContainsFunc(stripKeys, is) || stripChips.findChip(chip).hasKey(name)
	case "clocks":
		return slices.ContainsFunc(clockKeys, is) || clockChips.findChip(chip).hasKey(name)
	}
	return true
}

// valueTextAt returns a value of a configuration as text.
func valueTextAt(c Config, path string) string {
	of, key := reflect.ValueOf(&c).Elem(), strings.TrimPrefix(path, "$.")
	if m := itemPath.FindStringSubmatch(path); m != nil {
		list := fieldByKey(of, m[1])
		for i := range list.Len() {
			if fmt.Sprint(i) == m[2] {
				of, key = list.Index(i), strings.TrimPrefix(m[3], ".")
			}
		}
	}
	if list, is := fieldByKey(of, key).Interface().([]string); is {
		return strings.Join(list, ", ")
	}
	return fmt.Sprint(fieldByKey(of, key))
}
