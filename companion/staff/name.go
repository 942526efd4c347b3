package staff

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Composed is a name as it is kept: an é is one letter (NFC, Unicode Standard Annex 15), however a device writes it.
func Composed(name string) string { return norm.NFC.String(strings.TrimSpace(name)) }

// Alike are names that look the same in a list, of accounts and of players.
func Alike(a, b string) bool { return strings.EqualFold(seen(a), seen(b)) }

// seen is what shows of a name: without marks that draw nothing, and with one space where there are several.
func seen(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) {
			return -1
		}
		return r
	}, name)
	return strings.Join(strings.Fields(Composed(name)), " ")
}
