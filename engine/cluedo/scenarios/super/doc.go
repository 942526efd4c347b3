// Package super holds the acceptance scenarios of Super Cluedo as scripts, like those of
// Cluedo 2008 beside it. Where a script does not say otherwise its texts are the booklet's.
package super

import (
	"embed"

	"majordome/engine/script"
	"majordome/engine/script/scripttest"
)

//go:embed *.script
var files embed.FS

// All are the scenarios in the order of their ids.
func All() ([]*script.Script, error) { return scripttest.ParseAll(files) }
