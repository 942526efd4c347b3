package ownfile

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

// Pair is a key with its value: a text as it is written, []Pair, []any of these, or nil for a key without a value.
type Pair struct {
	Key   string
	Value any
}

// Tree returns what the file says, its keys in their order. ok is false where that cannot be told: f is no YAML, or has no keys at its top.
func (f *File) Tree() (tree []Pair, ok bool) {
	if f.bad["$"] {
		return nil, false
	}
	var all any
	// The tree is the library's; see Parse.
	if guarded(func() error { all = meaning(f.root); return nil }) != nil {
		return nil, false
	}
	tree, ok = all.([]Pair)
	return tree, ok || all == nil
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
		all := []Pair{}
		for _, p := range pairs(n) {
			key, _ := keyOf(p)
			all = append(all, Pair{key, meaning(p.Value)})
		}
		return all
	}
	text, _ := scalar(n)
	return text
}

// Flatten returns the texts of a tree by their paths, such as $.readers[0].gain, in its order.
func Flatten(tree []Pair) []Pair { return flatten("$", tree) }

func flatten(path string, v any) (all []Pair) {
	switch v := v.(type) {
	case string:
		all = append(all, Pair{path, v})
	case []Pair:
		for _, p := range v {
			all = append(all, flatten(path+"."+p.Key, p.Value)...)
		}
	case []any:
		for i, e := range v {
			all = append(all, flatten(fmt.Sprintf("%s[%d]", path, i), e)...)
		}
	}
	return all
}

// Text writes a tree as a file, which says the same when Parse reads it. A key without a value stays one.
func Text(tree []Pair) []byte {
	if len(tree) == 0 {
		return nil
	}
	text, err := Marshal(encodable(tree))
	if err != nil {
		panic("ownfile: " + err.Error()) // maps, lists and texts
	}
	return text
}

var whole = regexp.MustCompile(`^(0|-?[1-9][0-9]{0,17})$`)

// encodable returns a value of a tree as the library writes it. What may be a number or a truth is written as one, which a key that takes a
// text reads as that text.
func encodable(v any) any {
	switch v := v.(type) {
	case []Pair:
		all := yaml.MapSlice{}
		for _, p := range v {
			all = append(all, yaml.MapItem{Key: p.Key, Value: encodable(p.Value)})
		}
		return all
	case []any:
		all := make([]any, len(v))
		for i := range v {
			all[i] = encodable(v[i])
		}
		return all
	case string:
		if v == "true" || v == "false" {
			return v == "true"
		}
		if whole.MatchString(v) {
			n, _ := strconv.ParseInt(v, 10, 64) // 18 digits
			return n
		}
		if !plain.MatchString(v) {
			return quoted(v)
		}
	}
	return v
}

var plain = regexp.MustCompile(`^[A-Za-z/][A-Za-z0-9_./-]*$`)

// quoted is a text that is written between quotes: the library's own way changes one that has both kinds of line ends.
type quoted string

// MarshalYAML writes the quotes of Go, whose escapes YAML has, too (YAML 1.2.2, 5.7).
func (q quoted) MarshalYAML() ([]byte, error) { return []byte(strconv.Quote(string(q))), nil }
