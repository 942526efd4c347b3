// Package catalogue keeps the words of every language for what the daemon itself says: pages, messages, logs.
// They are read once, by whoever asks first, and shared by all: strangers may ask for pages, too.
//
// What may leak: nothing. The words are those that the program comes with.
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

// Of is the book of a language; false: there is none.
func Of(lang words.Lang) (*words.Book, bool) {
	open, ok := books[lang]
	if !ok {
		return nil, false
	}
	return open(), true
}

// Say puts m into words in both languages. Ids are written as they are.
func Say(m engine.Msg) engine.Text {
	say := func(lang words.Lang) string {
		book, _ := Of(lang) // of words.Langs
		return book.Say(m, func(string) (engine.Text, bool) { return engine.Text{}, false })
	}
	return engine.T(say(words.FR), say(words.EN))
}

var breakable = strings.NewReplacer("\u00a0", " ", "\u202f", " ")

// Plain is Say with ordinary spaces, for a log or a command line: a log does not write the others as themselves.
func Plain(m engine.Msg) engine.Text {
	t := Say(m)
	return engine.T(breakable.Replace(t.FR), breakable.Replace(t.EN))
}
