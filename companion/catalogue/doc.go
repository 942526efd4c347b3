// Package catalogue renders what the daemon says (pages, messages, logs) in every language. Each language is read once, at its first use,
// and then shared; requests of strangers may be the first.
//
// What may leak: nothing. The words are embedded in the program.
package catalogue

import (
	"strings"
	"sync"

	"majordome/engine"
	"majordome/engine/words"
)

var openers = func() map[words.Lang]func() *words.Catalogue {
	all := map[words.Lang]func() *words.Catalogue{}
	for _, lang := range words.Langs {
		all[lang] = sync.OnceValue(func() *words.Catalogue {
			book, err := words.Open(lang)
			if err != nil { // embedded, and tested
				panic("catalogue: " + err.Error())
			}
			return book
		})
	}
	return all
}()

// Lookup returns the words of a language. It returns false for a language that does not exist.
func Lookup(lang words.Lang) (*words.Catalogue, bool) {
	openBook, ok := openers[lang]
	if !ok {
		return nil, false
	}
	return openBook(), true
}

// Render returns m as a sentence in both languages. Ids in it are not replaced by names.
func Render(m engine.Msg) engine.Text {
	render := func(lang words.Lang) string {
		book, _ := Lookup(lang) // of words.Langs
		return book.Render(m, func(string) (engine.Text, bool) { return engine.Text{}, false })
	}
	return engine.T(render(words.FR), render(words.EN))
}

var ordinarySpaces = strings.NewReplacer("\u00a0", " ", "\u202f", " ")

// RenderPlain renders m with ordinary spaces, for a log or a command line: a log escapes non-breaking ones.
func RenderPlain(m engine.Msg) engine.Text {
	t := Render(m)
	return engine.T(ordinarySpaces.Replace(t.FR), ordinarySpaces.Replace(t.EN))
}
