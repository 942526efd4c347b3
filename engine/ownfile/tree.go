package ownfile

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

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
	var lines []string
	for _, p := range tree {
		lines = append(lines, keyed(p, 0)...)
	}
	if len(lines) == 0 {
		return nil
	}
	return []byte(strings.Join(lines, "\n") + "\n")
}

// keyed returns the lines of a key with its value.
func keyed(p Pair, indent int) []string {
	head := strings.Repeat(" ", indent) + encoded(p.Key) + ":"
	switch v := p.Value.(type) {
	case string:
		return []string{head + " " + encodedValue(v)}
	case []any:
		if len(v) == 0 {
			return []string{head + " []"}
		}
		lines := []string{head}
		for _, e := range v {
			lines = append(lines, listed(e, indent+2)...)
		}
		return lines
	case []Pair:
		if len(v) == 0 {
			return []string{head + " {}"}
		}
		lines := []string{head}
		for _, e := range v {
			lines = append(lines, keyed(e, indent+2)...)
		}
		return lines
	}
	return []string{head}
}

// listed returns the lines of one of a list.
func listed(v any, indent int) (lines []string) {
	dash := strings.Repeat(" ", indent) + "- "
	switch v := v.(type) {
	case string:
		return []string{dash + encodedValue(v)}
	case []Pair:
		for _, p := range v {
			lines = append(lines, keyed(p, indent+2)...)
		}
	}
	if len(lines) == 0 {
		return []string{dash + "{}"}
	}
	lines[0] = dash + lines[0][indent+2:]
	return lines
}

var (
	plain = regexp.MustCompile(`^[A-Za-z/][A-Za-z0-9_./-]*$`)
	whole = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,17})$`)
)

// encodedValue is a text as it is written for a value. What may be a number or a truth is written as one, which a key that takes a text
// reads as that text.
func encodedValue(s string) string {
	if s == "true" || s == "false" || whole.MatchString(s) {
		return s
	}
	return encoded(s)
}

// encoded is a text as it is written, in quotes where it needs them.
func encoded(s string) string {
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
