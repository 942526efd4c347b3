package ownfile

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"majordome/engine"
)

// File is a parsed file and its faults.
//
//  1. After a fault of the file as a whole, no more faults are added.
//  2. No fault is added at or below a path in unreadable.
type File struct {
	About      string // for each Fault of Err
	name       string
	root       ast.Node // nil: the file is empty
	faults     []*Fault
	positions  map[string]position // positions of the paths that Decode has visited
	hasValue   map[string]bool     // paths that have a value
	unreadable map[string]bool     // paths whose value could not be read
}

// position is a line and a column, from 1.
type position struct{ line, column int }

// Parse parses YAML. It accepts any bytes; Err returns what is wrong with them.
func Parse(name string, data []byte) *File {
	f := &File{name: name, positions: map[string]position{}, hasValue: map[string]bool{}, unreadable: map[string]bool{}}
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // some editors begin UTF-8 with it
	switch {
	case len(data) > MaxBytes:
		f.addFatalFault(
			position{},
			engine.T("le fichier est trop grand", "the file is too large"),
			engine.T("64 Kio au plus", "64 KiB at most"),
		)
		return f
	case !utf8.Valid(data):
		f.addFatalFault(firstInvalidUTF8(data), engine.T("ce n’est pas du texte en UTF-8", "this is not text in UTF-8"),
			engine.T("enregistrez le fichier en UTF-8 avec un éditeur de texte", "save the file as UTF-8 with a text editor"))
		return f
	}
	// If the library panics, the file is reported as faulty.
	if err := recoverPanic(func() error { return f.parseTree(data) }); err != nil && len(f.faults) == 0 {
		f.addFatalFault(position{}, notYAML, fixYAML)
	}
	return f
}

var (
	notYAML = engine.T("ce n’est pas du YAML correct", "this is not correct YAML")
	fixYAML = engine.T("vérifiez le retrait, les guillemets et les deux-points de cette ligne et de la précédente",
		"check indentation, quotes and colons of this line and the one before")
)

// recoverPanic runs do and turns a panic of the YAML library into an error.
func recoverPanic(do func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("ownfile: the YAML library: %v", r)
		}
	}()
	return do()
}

func (f *File) parseTree(data []byte) error {
	tokens := lexer.Tokenize(string(data))
	if !f.checkTokens(tokens) {
		return nil
	}
	known := len(f.faults) > 0
	root, err := parser.ParseBytes(data, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		var syntax yaml.Error
		at := position{}
		if errors.As(err, &syntax) {
			at = positionOf(syntax.GetToken())
		}
		if known { // a refused tag or alias is reported already, and may be the reason
			f.unreadable["$"] = true
			return nil
		}
		f.addFatalFault(at, notYAML, fixYAML)
		return nil
	}
	for _, d := range root.Docs {
		switch {
		case d == nil || d.Body == nil || d.Body.Type() == ast.CommentType:
		case f.root == nil:
			f.root, f.positions["$"] = d.Body, positionOf(firstToken(d.Body))
		default:
			f.addFatalFault(positionOf(firstToken(d.Body)), engine.T("un second document YAML", "a second YAML document"),
				engine.T("enlevez la ligne --- et ce qui suit", "take out the line --- and what follows"))
		}
	}
	return nil
}

// refusedSyntax names the parts of YAML that no owner's file needs.
var refusedSyntax = map[token.Type]engine.Text{
	token.AnchorType:     engine.T("une ancre (&)", "an anchor (&)"),
	token.AliasType:      engine.T("un alias (*)", "an alias (*)"),
	token.TagType:        engine.T("une étiquette de type (!)", "a tag (!)"),
	token.MergeKeyType:   engine.T("une fusion (<<)", "a merge key (<<)"),
	token.MappingKeyType: engine.T("une clé complexe (?)", "a complex key (?)"),
	token.DirectiveType:  engine.T("une directive (%)", "a directive (%)"),
}

// checkTokens adds faults for refused syntax and reports whether the parser may run on the rest. It
// checks the depth and length first, because the parser recurses once per level and reads many
// lists more than once.
func (f *File) checkTokens(tokens token.Tokens) (mayParse bool) {
	if len(tokens) > MaxTokens {
		f.addFatalFault(positionOf(tokens[MaxTokens]), engine.T("trop de mots et de signes", "too many words and marks"),
			engine.Tf("%d au plus", "at most %d", MaxTokens))
		return false
	}
	open, dashes, line := 0, 0, 0
	for _, t := range tokens {
		at := positionOf(t)
		if what, is := refusedSyntax[t.Type]; is {
			f.addFaultAt(at, engine.T(what.FR+" n’a pas sa place ici", what.EN+" has no place here"),
				engine.T("écrivez la valeur elle-même ; entre guillemets si elle commence par ce signe",
					"write the value itself; in quotes if it begins with that mark"))
		}
		if at.line != line {
			line, dashes = at.line, 0
		}
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			open++
		case token.SequenceEndType, token.MappingEndType:
			open--
		case token.SequenceEntryType:
			dashes++
		}
		if open > MaxDepth || dashes > MaxDepth {
			f.addFatalFault(at, engine.T("des listes trop imbriquées", "lists within lists too deep"),
				engine.Tf("%d niveaux au plus", "%d levels at most", MaxDepth))
			return false
		}
	}
	return true
}

// addFatalFault adds a fault that keeps the whole file from being read.
func (f *File) addFatalFault(at position, what, hint engine.Text) {
	f.addFaultAt(at, what, hint)
	f.unreadable["$"] = true
}

func (f *File) addFaultAt(at position, what, hint engine.Text) {
	f.faults = append(f.faults, &Fault{File: f.name, Line: at.line, Column: at.column, What: what, Hint: hint})
}

// IsEmpty reports whether the file has nothing but comments.
func (f *File) IsEmpty() bool { return f.root == nil && !f.unreadable["$"] }

// Err returns nil, or Faults.
func (f *File) Err() error {
	if len(f.faults) == 0 {
		return nil
	}
	for _, fault := range f.faults {
		fault.About = f.About
	}
	return SortAndLimitFaults(f.faults)
}

// HasValue reports whether the file has a value at a path. A key without a value does not count.
func (f *File) HasValue(path string) bool { return f.hasValue[path] }

// Position returns the line and column of a path, or those of its nearest parent if it is absent.
func (f *File) Position(path string) (line, column int) {
	for p := path; p != ""; p = parentPath(p) {
		if at, ok := f.positions[p]; ok {
			return at.line, at.column
		}
	}
	return 0, 0
}

// AddFault adds a fault at a path, such as $.readers[0].role. If the path is absent, the fault gets
// the position of its nearest parent. It adds nothing at or below a value that could not be read.
func (f *File) AddFault(path string, what, hint engine.Text) {
	for p := path; p != ""; p = parentPath(p) {
		if f.unreadable[p] {
			return
		}
	}
	line, column := f.Position(path)
	f.addFaultAt(position{line, column}, what, hint)
	f.faults[len(f.faults)-1].Path = path
}

// LookupScalar returns the value of a key if it is one word, and whether the key exists. keys is one
// top-level key, or the keys that lead further down. Callers use it to distinguish kinds of files
// before they decode them. It records the positions of the keys, for faults.
func (f *File) LookupScalar(keys ...string) (value string, ok bool) {
	if f.unreadable["$"] {
		return "", false
	}
	at, path := f.root, "$"
	for _, key := range keys {
		path += "." + key
		i := slices.IndexFunc(mappingPairs(at), func(v *ast.MappingValueNode) bool {
			k, plain := keyOf(v)
			return plain && k == key
		})
		if i < 0 {
			return "", false
		}
		v := mappingPairs(at)[i]
		at = v.Value
		if f.positions[path] = positionOf(firstToken(at)); f.positions[path] == (position{}) {
			f.positions[path] = positionOf(v.Key.GetToken())
		}
	}
	value, _ = scalarText(at)
	return value, true
}

// TopKeys returns the plain top-level keys in the order of the file, up to the first that cannot be
// read.
func (f *File) TopKeys() (keys []string) {
	// The library's tree may panic; see Parse.
	_ = recoverPanic(func() error {
		for _, v := range mappingPairs(f.root) {
			if k, plain := keyOf(v); plain {
				keys = append(keys, k)
			}
		}
		return nil
	})
	return keys
}

// IsUTF8WithinLimit reports whether data can be an owner's file: UTF-8 text that is not too long.
func IsUTF8WithinLimit(data []byte) bool { return len(data) <= MaxBytes && utf8.Valid(data) }

// parentPath removes the last step of a path: $.a[1].b, $.a[1], $.a, $, "".
func parentPath(path string) string {
	if i := strings.LastIndexAny(path, ".["); i > 0 {
		return path[:i]
	}
	return ""
}

func positionOf(t *token.Token) position {
	if t == nil || t.Position == nil {
		return position{}
	}
	return position{max(t.Position.Line, 1), max(t.Position.Column, 1)}
}

// firstInvalidUTF8 returns the position of the first byte that is not UTF-8.
func firstInvalidUTF8(data []byte) position {
	at := position{1, 1}
	for len(data) > 0 {
		r, n := utf8.DecodeRune(data)
		switch {
		case r == utf8.RuneError && n == 1:
			return at
		case r == '\n':
			at = position{at.line + 1, 1}
		default:
			at.column++
		}
		data = data[n:]
	}
	return at
}

// Marshal encodes v as a file that Parse can read.
func Marshal(v any) ([]byte, error) { return yaml.MarshalWithOptions(v, yaml.IndentSequence(true)) }
