package engine

import (
	"encoding/json"
	"iter"
	"maps"
	"slices"
)

// Blanks holds the values for the blanks of a sentence: name and value in turn, each name once,
// sorted by name. Its JSON form is an object. Many sentences share one list, so no caller may
// change it.
type Blanks []string

// newBlanks sorts pairs of name and value by name. Of a name that occurs twice it keeps the last
// value.
func newBlanks(pairs []string) Blanks {
	b := make(Blanks, 0, len(pairs))
	for i := 0; i < len(pairs); i += 2 {
		at := 0
		for at < len(b) && b[at] < pairs[i] {
			at += 2
		}
		if at < len(b) && b[at] == pairs[i] {
			b[at+1] = pairs[i+1]
			continue
		}
		b = append(b, pairs[i], pairs[i+1])
		copy(b[at+2:], b[at:])
		b[at], b[at+1] = pairs[i], pairs[i+1]
	}
	return b
}

// Get returns the value of a blank, or "" if there is none of this name.
func (b Blanks) Get(name string) string {
	value, _ := b.Lookup(name)
	return value
}

// Lookup returns the value of a blank; ok is false if there is none of this name.
func (b Blanks) Lookup(name string) (value string, ok bool) {
	for i := 0; i < len(b); i += 2 {
		if b[i] == name {
			return b[i+1], true
		}
	}
	return "", false
}

// Pairs yields the names and their values, sorted by name.
func (b Blanks) Pairs() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for i := 0; i < len(b); i += 2 {
			if !yield(b[i], b[i+1]) {
				return
			}
		}
	}
}

// MarshalJSON encodes b as an object.
func (b Blanks) MarshalJSON() ([]byte, error) {
	out := append(make([]byte, 0, 24*len(b)+2), '{')
	for i, text := range b {
		switch {
		case i%2 == 1:
			out = append(out, ':')
		case i > 0:
			out = append(out, ',')
		}
		var err error
		if out, err = appendQuoted(out, text); err != nil {
			return nil, err
		}
	}
	return append(out, '}'), nil
}

// appendQuoted appends text to out as a JSON string. Text of plain ASCII, such as an id, needs no
// escape and takes the fast path.
func appendQuoted(out []byte, text string) ([]byte, error) {
	for _, c := range []byte(text) {
		if c < ' ' || c > '~' || c == '"' || c == '\\' {
			escaped, err := json.Marshal(text)
			return append(out, escaped...), err
		}
	}
	return append(append(append(out, '"'), text...), '"'), nil
}

// UnmarshalJSON decodes an object.
func (b *Blanks) UnmarshalJSON(data []byte) error {
	var all map[string]string
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	*b = nil
	for _, name := range slices.Sorted(maps.Keys(all)) {
		*b = append(*b, name, all[name])
	}
	return nil
}
