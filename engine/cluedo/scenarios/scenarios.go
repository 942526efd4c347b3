// Package scenarios has the acceptance scenarios of the Cluedos as scripts: Cluedo 2008 here, Super
// Cluedo in the folder super (by the booklet, unless a script says otherwise), and the current
// Cluedo in classic. Each file is named after its id in the rule reference: any build can play
// C8-S24.script, and people can read in it what a rule means. Files named E- play the physical
// errors of part 4.2 of the reference. Package engine/script documents the language.
//
// The scripts name hidden cards; no real evening had their positions.
package scenarios

import (
	"embed"
	"io/fs"

	"majordome/engine/script"
	"majordome/engine/script/scripttest"
)

//go:embed *.script super/*.script classic/*.script
var files embed.FS

// ParseCluedo2008 returns the scenarios of Cluedo 2008, in the order of their ids.
func ParseCluedo2008() ([]*script.Script, error) { return scripttest.ParseAll(files) }

// ParseSuperCluedo returns those of Super Cluedo.
func ParseSuperCluedo() ([]*script.Script, error) { return parseFolder("super") }

// ParseClassicCluedo returns those of the current Cluedo.
func ParseClassicCluedo() ([]*script.Script, error) { return parseFolder("classic") }

func parseFolder(name string) ([]*script.Script, error) {
	folder, err := fs.Sub(files, name)
	if err != nil {
		return nil, err
	}
	return scripttest.ParseAll(folder)
}
