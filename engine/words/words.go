// Package words holds everything that people at the table read, one catalogue
// per language, and puts a Msg into words. The pages use the same files.
//
// A catalogue is one flat JSON object: key to sentence, blanks as {name}. Keys
// begin with who says them: gen. (common rules), table. (the table loop), ui. (all pages), and each page for
// itself: phone., host., display. and bench. The minutes of a game are written by minutes. Each family of games
// has a folder with what it says, under a beginning of its own: hc. (Huis Clos), cl. (the Cluedos), toy. (package toy).
//
// What phones explain on a first evening stands in lessons.fr.json and lessons.en.json, by game, and what hosts can
// say at one tap in hints.yaml: both beside the catalogues, and in the folder of each family. What the narrator of the
// display says in place of a line of the story stands in narrator.fr.json and narrator.en.json, two lines or more for each.
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

// all are the files of a name: that of all games, and those of the families.
func all(name string) (texts [][]byte) {
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

// Hints are the files of hints that come with the program, in the form of an owner's.
func Hints() [][]byte { return all("hints.yaml") }

// Lang is a language of the product.
type Lang string

// The languages, French first.
const (
	FR Lang = "fr"
	EN Lang = "en"
)

// Langs are all languages.
var Langs = []Lang{FR, EN}

// Book is one catalogue. It is immutable.
type Book struct {
	lang Lang
	says map[string]string
}

// Open reads the catalogue of one language, which takes a while: package catalogue keeps them.
func Open(l Lang) (*Book, error) {
	if !slices.Contains(Langs, l) {
		return nil, fmt.Errorf("words: no catalogue %q: use fr or en", l)
	}
	b := &Book{lang: l, says: map[string]string{}}
	for _, text := range all(string(l) + ".json") {
		if err := json.Unmarshal(text, &b.says); err != nil {
			return nil, fmt.Errorf("words: %s.json: %w", l, err)
		}
	}
	for key, s := range b.says {
		b.says[key] = spaced(l, s)
	}
	return b, nil
}

// spaced puts the spaces of French print: a whole one before a colon and inside quotation
// marks, a narrow one before the other high signs. A figure stays with what it counts, in
// English with its "no.". src/lib/words.ts does the same.
func spaced(l Lang, s string) string {
	if l == FR {
		s = unbreakable.Replace(s)
	}
	if !strings.ContainsAny(s, "0123456789{") { // most sentences: they are not searched further, which takes long
		return s
	}
	if l == EN {
		return numbered.ReplaceAllString(s, "${1}\u00a0$2")
	}
	return counts.ReplaceAllString(named.ReplaceAllString(s, "${1}\u00a0$2"), "$1\u00a0$2$3")
}

var (
	unbreakable = strings.NewReplacer(" :", "\u00a0:", "« ", "«\u00a0", " »", "\u00a0»", " ;", "\u202f;", " ?", "\u202f?", " !", "\u202f!")
	named       = regexp.MustCompile(`(n°|Tour|Place|Carte|Lieu) ([{\d])`)
	numbered    = regexp.MustCompile(`(no\.) ([{\d])`)
	counts      = regexp.MustCompile(`([}\d]) (min|minutes|s|cases|pas)($|[^\pL’])`)
)

// Say puts m into words. label names an id or a seat; when it answers false
// the value itself is written. An unknown key is written as it is.
func (b *Book) Say(m engine.Msg, label func(value string) (engine.Text, bool)) string {
	s, ok := b.says[m.Key]
	if !ok {
		return m.Key
	}
	for name, value := range m.Args.All() {
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

// Has reports whether the catalogue knows the key.
func (b *Book) Has(key string) bool { _, ok := b.says[key]; return ok }

// Keys are those of the catalogue, in order.
func (b *Book) Keys() []string { return slices.Sorted(maps.Keys(b.says)) }

// Sentence is the one of a key, with its blanks; "" where there is none.
func (b *Book) Sentence(key string) string { return b.says[key] }
