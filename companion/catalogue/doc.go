// Package catalogue keeps the words of every language for the pages that the daemon itself writes.
// They are read once, by whoever asks first, and shared by all: strangers may ask for such pages, too.
//
// What may leak: nothing. The words are those that the program comes with.
package catalogue

import (
	"sync"

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
