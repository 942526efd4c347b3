// Package scenarios holds the acceptance scenarios of Cluedo 2008 as scripts, one
// file for each, named after its id in the rule reference: C8-S24.script is
// played by any build and read by anybody who wants to know what a rule means. Files
// named E- play the physical errors of its part 4.2. The language is documented in
// engine/script.
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

// All are the scenarios in the order of their ids.
func All() ([]*script.Script, error) { return scripttest.ParseAll(files) }
