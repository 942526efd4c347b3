// Package ownfile reads the files that an owner writes: the configuration of a table and the
// decks of its games, in YAML. It also holds the form in which what is wrong with any such file,
// scripts included, is told.
//
//	f := ownfile.Parse(name, data)    whatever the bytes are: it does not fail and does not panic
//	f.Decode(&into)                   fills a struct by its yaml tags, and notes what does not fit
//	f.Note("$.readers[0].role", ...)  what the caller finds wrong with a value
//	err := f.Err()                    nil, or Faults
//	tree, ok := f.Tree()              what it says, as texts; Text writes such a tree as a file
//
// All faults are told at once, in the order of the file, each with line and column, what is wrong
// and what to write instead, in French and in English. A fault hides no other; only what follows
// from one is left out: no value is judged that could not be read.
//
// Of YAML (1.2) that much is taken which such a file needs: mappings with plain keys, lists, and
// values on one or several lines. Tags, anchors, aliases, merge keys, complex keys, directives and
// second documents are refused by name, so that no few bytes can stand for many.
//
// Limits: MaxBytes a file, MaxTokens marks and words, lists and mappings MaxDepth deep, values of
// MaxValue bytes; MaxFaults listed, each of at most MaxMessage characters. The parser below
// is quadratic in places: these limits keep the worst file under half a second of one core.
//
// Leaks: a fault quotes at most 40 characters of the file, which is its owner's.
package ownfile

// Limits of a file and of what is told about it.
const (
	MaxBytes   = 64 << 10
	MaxTokens  = 10_000
	MaxDepth   = 16
	MaxValue   = 255 // bytes
	MaxFaults  = 20
	MaxMessage = 400 // characters
	maxQuote   = 40  // characters
	maxName    = 80  // characters of a file's name: its end counts
	maxWhat    = 160 // characters of what is wrong
)
