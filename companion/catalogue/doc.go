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

var books = func() map[words.Lang]func() *words.Book {
	all := map[words.Lang]func() *words.Book{}
	for _, lang := range words.Langs {
		all[lang] = sync.OnceValue(func() *words.Book {
			book, err := words.Open(lang)
			if err != nil { // embedded, and tested
				panic("catalogue: " + err.Error())
			}
			return book
		})
	}
	return all
}()

// BookOf returns the words of a language. It returns false for a language that does not exist.
func Of(lang words.Lang) (*words.Book, bool) {
	open, ok := books[lang]
	if !ok {
		return nil, false
	}
	return open(), true
}

// Render puts m into words in both languages. Ids are written as they are.
func Say(m engine.Msg) engine.Text {
	say := func(lang words.Lang) string {
		book, _ := Of(lang) // of words.Langs
		return book.Say(m, func(string) (engine.Text, bool) { return engine.Text{}, false })
	}
	return engine.T(say(words.FR), say(words.EN))
}

var breakable = strings.NewReplacer("\u00a0", " ", "\u202f", " ")

// RenderPlain renders m with ordinary spaces, for a log or a command line: a log escapes non-breaking ones.
func Plain(m engine.Msg) engine.Text {
	t := Say(m)
	return engine.T(breakable.Replace(t.FR), breakable.Replace(t.EN))
}
