// Package image contains the firmware of a node in the form in which it is flashed, so that the daemon can
// flash it without the AVR compiler.
//
// node.hex is in the tree: every build of the program has the same bytes, with or without that compiler. "make
// -C firmware image" rebuilds it after a change of the firmware, and "make -C firmware test" fails while it
// does not match the sources.
package image

import _ "embed"

// Hex is the image in Intel's hexadecimal format.
//
//go:embed node.hex
var Hex []byte
