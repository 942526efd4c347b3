// Package ownfile reads the YAML files that an owner writes: the configuration of a table and the
// decks of its games. It also defines the form of faults in such files and in scripts.
//
//	f := ownfile.Parse(name, data)        accepts any bytes: it returns no error and does not panic
//	f.Decode(&into)                       fills a struct by its yaml tags, and adds faults
//	f.AddFault("$.readers[0].role", ...)  adds what the caller finds wrong with a value
//	err := f.Err()                        nil, or Faults
//	tree, ok := f.Tree()                  the content as texts; FormatTree writes such a tree as a file
//
// Err reports all faults at once, in the order of the file. Each has line and column, what is wrong
// and what to write instead, in French and in English. Only faults that follow from another are
// left out: a value that could not be read is not checked.
//
// Only the YAML (1.2) that such a file needs is accepted: mappings with plain keys, lists, and
// values on one or several lines. Tags, anchors, aliases, merge keys, complex keys, directives and
// second documents are refused by name, so that a small file cannot expand to a large one.
//
// Limits: MaxBytes a file, MaxTokens words and marks, lists and mappings MaxDepth deep, values of
// MaxValue bytes; MaxFaults listed, each of at most MaxMessage characters. The YAML library is
// quadratic in places: with these limits the worst file takes less than half a second of one core.
//
// What may leak: a fault quotes at most 40 characters of the file, and the file is its owner's.
package ownfile

// Limits of a file and of its faults.
const (
	MaxBytes   = 64 << 10
	MaxTokens  = 10_000
	MaxDepth   = 16
	MaxValue   = 255 // bytes
	MaxFaults  = 20
	MaxMessage = 400 // characters
	maxQuote   = 40  // characters
	maxName    = 80  // characters of a file's name; longer ones lose their beginning
	maxWhat    = 160 // characters of Fault.What in a message
)
