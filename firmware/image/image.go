// Package image is the firmware of a node as it is flashed, so that the daemon's one binary can write it without the AVR compiler.
//
// node.hex is kept in the tree: whoever builds the program anywhere gets the same bytes, also without that compiler. "make -C firmware image"
// makes it anew after a change of the firmware, and a test of that folder's makefile ("make -C firmware test") fails while it is not
// what the sources give.
package image

import _ "embed"

// Hex is the image in Intel's hexadecimal format.
//
//go:embed node.hex
var Hex []byte
