// Package scenarios holds the acceptance scenarios of Huis Clos as scripts, one file for each, named after
// its id in the rule reference. Any build plays HC-S24.script, and a person can read in it what the rule
// means. The language is documented in engine/script.
//
// The scripts name hidden cards; they are positions of no real evening.
package scenarios

import (
	"embed"

	"majordome/engine/script"
	"majordome/engine/script/scripttest"
)

//go:embed *.script
var files embed.FS

// ParseAll returns the scenarios in the order of their ids.
func ParseAll() ([]*script.Script, error) { return scripttest.ParseAll(files) }
