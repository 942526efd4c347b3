// Package scenarios holds the acceptance scenarios of Cluedo 2008 as scripts, and in the
// folder super those of Super Cluedo, by the booklet where a script does not say otherwise,
// and in classic those of the current Cluedo: one file for each, named after its id in the
// rule reference: C8-S24.script is played by any build and read by anybody who wants to know
// what a rule means. Files named E- play the physical errors of its part 4.2. The language is
// documented in engine/script.
//
// The scripts name hidden cards; they are positions of no real evening.
package scenarios

import (
	"embed"
	"io/fs"

	"majordome/engine/script"
	"majordome/engine/script/scripttest"
)

//go:embed *.script super/*.script classic/*.script
var files embed.FS

// All are the scenarios of Cluedo 2008 in the order of their ids.
func All() ([]*script.Script, error) { return scripttest.ParseAll(files) }

// Super are those of Super Cluedo.
func Super() ([]*script.Script, error) { return in("super") }

// Classic are those of the current Cluedo.
func Classic() ([]*script.Script, error) { return in("classic") }

func in(name string) ([]*script.Script, error) {
	folder, err := fs.Sub(files, name)
	if err != nil {
		return nil, err
	}
	return scripttest.ParseAll(folder)
}
