package main

import (
	"fmt"
	"io"
	"strings"

	"rsc.io/qr"
)

// printQR draws a QR code in the terminal, two rows of modules on each line, dark on
// light with the quiet zone that scanners need (ISO/IEC 18004, 6.3.8).
func printQR(w io.Writer, text string) error {
	code, err := qr.Encode(text, qr.L)
	if err != nil {
		return fmt.Errorf("qr: %w", err)
	}
	const quiet = 4
	var b strings.Builder
	for y := -quiet; y < code.Size+quiet; y += 2 {
		b.WriteString("  \x1b[30;107m")
		for x := -quiet; x < code.Size+quiet; x++ {
			// Black returns false outside the symbol, which gives the quiet zone.
			b.WriteString([]string{" ", "▀", "▄", "█"}[boolToInt(code.Black(x, y))+2*boolToInt(code.Black(x, y+1))])
		}
		b.WriteString("\x1b[0m\n")
	}
	_, err = io.WriteString(w, b.String())
	return err
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
