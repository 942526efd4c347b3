package staff

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// NormaliseName returns a name as it is saved: trimmed, and with an é as one letter (NFC, Unicode Standard Annex 15) on every device.
func NormaliseName(name string) string { return norm.NFC.String(strings.TrimSpace(name)) }

// IsLookalike reports whether two names, of accounts or of players, look the same in a list.
func IsLookalike(a, b string) bool { return strings.EqualFold(visibleName(a), visibleName(b)) }

// visibleName returns name without invisible characters and with single spaces.
func visibleName(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) {
			return -1
		}
		return r
	}, name)
	return strings.Join(strings.Fields(NormaliseName(name)), " ")
}
