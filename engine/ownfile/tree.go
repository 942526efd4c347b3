package ownfile

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

// Pair is a key with its value: a string, []Pair, []any of these, or nil for a key without a value.
type Pair struct {
	Key   string
	Value any
}

// Tree returns the content of the file, keys in the order of the file. ok is false if f cannot be
// read, or if its top level is a list or a single value. An empty file has an empty tree.
func (f *File) Tree() (tree []Pair, ok bool) {
	if f.unreadable["$"] {
		return nil, false
	}
	var all any
	// The library's tree may panic; see Parse.
	if recoverPanic(func() error { all = treeOf(f.root); return nil }) != nil {
		return nil, false
	}
	tree, ok = all.([]Pair)
	return tree, ok || all == nil
}

func treeOf(n ast.Node) any {
	n = skipTagsAndAnchors(n)
	if n == nil || n.Type() == ast.NullType {
		return nil
	}
	if list, ok := n.(*ast.SequenceNode); ok {
		all := []any{}
		for _, v := range list.Values {
			all = append(all, treeOf(v))
		}
		return all
	}
	if isMapping(n) {
		all := []Pair{}
		for _, p := range mappingPairs(n) {
			key, _ := keyOf(p)
			all = append(all, Pair{key, treeOf(p.Value)})
		}
		return all
	}
	text, _ := scalarText(n)
	return text
}

// Flatten returns the texts of a tree with their paths as keys, such as $.readers[0].gain, in tree
// order.
func Flatten(tree []Pair) []Pair { return flattenValue("$", tree) }

func flattenValue(path string, v any) (all []Pair) {
	switch v := v.(type) {
	case string:
		all = append(all, Pair{path, v})
	case []Pair:
		for _, p := range v {
			all = append(all, flattenValue(path+"."+p.Key, p.Value)...)
		}
	case []any:
		for i, e := range v {
			all = append(all, flattenValue(fmt.Sprintf("%s[%d]", path, i), e)...)
		}
	}
	return all
}

// FormatTree formats a tree as a file from which Parse and Tree return the same tree. A key without
// a value stays one.
func FormatTree(tree []Pair) []byte {
	if len(tree) == 0 {
		return nil
	}
	text, err := Marshal(encodableValue(tree))
	if err != nil {
		panic("ownfile: " + err.Error()) // cannot happen: the tree has only maps, lists and texts
	}
	return text
}

var wholeNumber = regexp.MustCompile(`^(0|-?[1-9][0-9]{0,17})$`)

// encodableValue returns a value of a tree in a form that the library encodes. A text that looks
// like an integer or a boolean is written without quotes; Decode into a string field returns the
// same text.
func encodableValue(v any) any {
	switch v := v.(type) {
	case []Pair:
		all := yaml.MapSlice{}
		for _, p := range v {
			all = append(all, yaml.MapItem{Key: p.Key, Value: encodableValue(p.Value)})
		}
		return all
	case []any:
		all := make([]any, len(v))
		for i := range v {
			all[i] = encodableValue(v[i])
		}
		return all
	case string:
		if v == "true" || v == "false" {
			return v == "true"
		}
		if wholeNumber.MatchString(v) {
			n, _ := strconv.ParseInt(v, 10, 64) // cannot fail: at most 18 digits
			return n
		}
		if !plainWord.MatchString(v) {
			return quotedText(v)
		}
	}
	return v
}

var plainWord = regexp.MustCompile(`^[A-Za-z/][A-Za-z0-9_./-]*$`)

// quotedText is a text written in quotes by MarshalYAML, because the library changes texts that
// have both kinds of line ends.
type quotedText string

// MarshalYAML writes Go's quoted form, whose escapes are valid in YAML (YAML 1.2.2, 5.7).
func (q quotedText) MarshalYAML() ([]byte, error) { return []byte(strconv.Quote(string(q))), nil }
