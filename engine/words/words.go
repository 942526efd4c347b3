// Package words holds all texts that people at the table read, one catalogue per language, and
// renders a Msg as a sentence. The pages use the same files.
//
// A catalogue is one flat JSON object from key to sentence, with blanks such as {name}. The first
// part of a key names its source: gen. (common rules), table. (the table loop), ui. (all pages),
// phone., host., display. and bench. (one page each), minutes. (the minutes of a game). Each family
// of games has a folder with its sentences under its own prefix: hc. (Huis Clos), cl. (the
// Cluedos), toy. (package toy).
//
// lessons.fr.json and lessons.en.json explain the game on phones, by game; hints.yaml has sentences
// that hosts can send at one tap. Both are next to the catalogues and in the folder of each family.
// narrator.fr.json and narrator.en.json have what the narrator of the display says instead of a
// line of the story, two or more lines for each.
package words

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"

	"majordome/engine"
)

//go:embed fr.json en.json hints.yaml */fr.json */en.json */hints.yaml
var files embed.FS

// filesNamed returns all files of a name: the common one and those of the families.
func filesNamed(name string) (texts [][]byte) {
	families, err := fs.Glob(files, "*/"+name)
	if err != nil {
		panic("words: " + err.Error()) // the pattern is malformed
	}
	for _, path := range append([]string{name}, families...) {
		if text, err := files.ReadFile(path); err == nil {
			texts = append(texts, text)
		}
	}
	return texts
}

// HintFiles returns the files of hints that come with the program, in the form of an owner's file.
func HintFiles() [][]byte { return filesNamed("hints.yaml") }

// Lang is a language of the program.
type Lang string

// The languages, French first.
const (
	FR Lang = "fr"
	EN Lang = "en"
)

// Langs lists all languages.
var Langs = []Lang{FR, EN}

// Catalogue holds the sentences of one language. It is immutable.
type Catalogue struct {
	lang      Lang
	sentences map[string]string
}

// Open reads the catalogue of one language. This is slow, so package catalogue keeps the results.
func Open(l Lang) (*Catalogue, error) {
	if !slices.Contains(Langs, l) {
		return nil, fmt.Errorf("words: no catalogue %q: use fr or en", l)
	}
	b := &Catalogue{lang: l, sentences: map[string]string{}}
	for _, text := range filesNamed(string(l) + ".json") {
		if err := json.Unmarshal(text, &b.sentences); err != nil {
			return nil, fmt.Errorf("words: %s.json: %w", l, err)
		}
	}
	for key, s := range b.sentences {
		b.sentences[key] = insertFrenchSpaces(l, s)
	}
	return b, nil
}

// insertFrenchSpaces inserts the unbreakable spaces of French print: a full one before a colon and inside
// quotation marks, a narrow one before ; ? and !. It also keeps a number and its unit together, in
// English a number and its "no.". src/lib/words.ts does the same.
func insertFrenchSpaces(l Lang, s string) string {
	if l == FR {
		s = unbreakable.Replace(s)
	}
	if !strings.ContainsAny(s, "0123456789{") { // most sentences; the expressions below are slow
		return s
	}
	if l == EN {
		return englishNumbered.ReplaceAllString(s, "${1}\u00a0$2")
	}
	return frenchUnits.ReplaceAllString(frenchNumbered.ReplaceAllString(s, "${1}\u00a0$2"), "$1\u00a0$2$3")
}

var (
	unbreakable = strings.NewReplacer(
		" :",
		"\u00a0:",
		"« ",
		"«\u00a0",
		" »",
		"\u00a0»",
		" ;",
		"\u202f;",
		" ?",
		"\u202f?",
		" !",
		"\u202f!",
	)
	frenchNumbered  = regexp.MustCompile(`(n°|Tour|Place|Carte|Lieu) ([{\d])`)
	englishNumbered = regexp.MustCompile(`(no\.) ([{\d])`)
	frenchUnits     = regexp.MustCompile(`([}\d]) (min|minutes|s|cases|pas)($|[^\pL’])`)
)

// Render returns the sentence of m. label returns the label of an id or a seat; if its ok is false,
// Render inserts the value itself. An unknown key is returned unchanged.
func (b *Catalogue) Render(m engine.Msg, label func(value string) (engine.Text, bool)) string {
	s, ok := b.sentences[m.Key]
	if !ok {
		return m.Key
	}
	for name, value := range m.Args.Pairs() {
		if t, ok := label(value); ok {
			value = t.EN
			if b.lang == FR {
				value = t.FR
			}
		}
		s = strings.ReplaceAll(s, "{"+name+"}", value)
	}
	return s
}

// HasKey reports whether the catalogue has the key.
func (b *Catalogue) HasKey(key string) bool { _, ok := b.sentences[key]; return ok }

// Keys returns the keys of the catalogue, sorted.
func (b *Catalogue) Keys() []string { return slices.Sorted(maps.Keys(b.sentences)) }

// Sentence returns the sentence of a key, with its blanks; "" if there is none.
func (b *Catalogue) Sentence(key string) string { return b.sentences[key] }
