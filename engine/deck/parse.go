package deck

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"majordome/engine"
)

// Error is what is wrong with a deck file, for its owner. Line and Column
// count from 1; both are 0 when the fault has no place in the file.
type Error struct {
	File         string
	Line, Column int
	What, Hint   engine.Text
}

// Error is the English sentence.
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s (%s)", e.File, e.Line, e.Column, e.What.EN, e.Hint.EN)
}

// Text is the sentence in both languages.
func (e *Error) Text() engine.Text {
	return engine.Text{
		FR: fmt.Sprintf("%s, ligne %d, colonne %d : %s (%s)", e.File, e.Line, e.Column, e.What.FR, e.Hint.FR),
		EN: fmt.Sprintf("%s, line %d, column %d: %s (%s)", e.File, e.Line, e.Column, e.What.EN, e.Hint.EN),
	}
}

// Parse reads and checks a deck. name is the file's name, for messages. The
// error is an *Error and tells of the first fault in the order of the checks.
func Parse(name string, data []byte) (*Deck, error) {
	d := new(Deck)
	c, err := read(name, data, d)
	if err != nil {
		return nil, err
	}
	if err := c.check(d); err != nil {
		return nil, err
	}
	return d, nil
}

// read fills a deck of any game from its text.
func read(name string, data []byte, into any) (*checker, error) {
	c := &checker{file: name, seen: map[engine.ID]bool{}}
	if len(data) > MaxFile {
		return nil, c.at(nil, say("le fichier est trop grand", "the file is too large"),
			say("64 Kio au plus", "64 KiB at most"))
	}
	root, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, c.yaml(err)
	}
	if len(root.Docs) != 1 || root.Docs[0].Body == nil {
		return nil, c.at(nil, say("il faut exactement un document YAML", "exactly one YAML document is needed"),
			say("partez du fichier par défaut", "start from the default file"))
	}
	c.root = root
	if err := yaml.UnmarshalWithOptions(data, into, yaml.Strict()); err != nil {
		return nil, c.yaml(err)
	}
	return c, nil
}

// checker finds where in the file a fault stands.
type checker struct {
	file string
	root *ast.File
	seen map[engine.ID]bool
}

func say(fr, en string) engine.Text { return engine.Text{FR: fr, EN: en} }

func sayf(fr, en string, args ...any) engine.Text {
	return engine.Text{FR: fmt.Sprintf(fr, args...), EN: fmt.Sprintf(en, args...)}
}

// at makes the error of a fault at a token.
func (c *checker) at(t *token.Token, what, hint engine.Text) *Error {
	e := &Error{File: c.file, What: what, Hint: hint}
	if t != nil && t.Position != nil {
		e.Line, e.Column = t.Position.Line, t.Position.Column
	}
	return e
}

// in makes the error of a fault at a YAML path; the path may name a key that
// is absent, then its parent is shown.
func (c *checker) in(path string, what, hint engine.Text) *Error {
	for p := path; p != ""; p = parent(p) {
		y, err := yaml.PathString(p)
		if err != nil {
			continue
		}
		n, err := y.FilterFile(c.root)
		if err == nil && n != nil {
			return c.at(first(n), what, hint)
		}
	}
	return c.at(nil, what, hint)
}

// first is the token where a node begins; the library answers with the colon
// of a mapping's first pair, which people would not look for.
func first(n ast.Node) *token.Token {
	switch n := n.(type) {
	case *ast.MappingNode:
		if len(n.Values) > 0 {
			return n.Values[0].Key.GetToken()
		}
	case *ast.MappingValueNode:
		return n.Key.GetToken()
	case *ast.SequenceNode:
		if len(n.Values) > 0 {
			return first(n.Values[0])
		}
	}
	return n.GetToken()
}

// parent cuts the last step of a YAML path: $.a[1].b, $.a[1], $.a, $.
func parent(path string) string {
	for i := len(path) - 1; i > 0; i-- {
		if path[i] == '.' || path[i] == '[' {
			return path[:i]
		}
	}
	return ""
}

// yaml turns an error of the YAML library into ours.
func (c *checker) yaml(err error) *Error {
	var (
		unknown *yaml.UnknownFieldError
		kind    *yaml.TypeError
		syntax  yaml.Error
	)
	switch {
	case errors.As(err, &unknown):
		return c.at(unknown.Token, sayf("clé inconnue « %s »", "unknown key %q", clip(unknown.Token.Value)),
			say("les clés permises sont celles du fichier par défaut", "the keys allowed are those of the default file"))
	case errors.As(err, &kind):
		return c.at(kind.Token, say("valeur d’une autre sorte que celle attendue", "a value of another kind is expected"),
			say("comparez avec le fichier par défaut", "compare with the default file"))
	case errors.As(err, &syntax) && strings.HasPrefix(syntax.GetMessage(), "mapping key"):
		// The parser reports a repeated key as a syntax error of this wording.
		return c.at(syntax.GetToken(), sayf("clé « %s » écrite deux fois", "key %q written twice", clip(syntax.GetToken().Value)),
			say("gardez-en une", "keep one of them"))
	case errors.As(err, &syntax):
		return c.at(syntax.GetToken(), say("ce n’est pas du YAML correct", "this is not correct YAML"),
			say("vérifiez le retrait, les guillemets et les deux-points de cette ligne et de la précédente",
				"check indentation, quotes and colons of this line and the one before"))
	default:
		return c.at(nil, say("le fichier ne peut pas être lu", "the file cannot be read"),
			say("partez du fichier par défaut", "start from the default file"))
	}
}

// clip bounds what a message quotes of the file.
func clip(s string) string {
	if len(s) > MaxID {
		return s[:MaxID] + "…"
	}
	return s
}
