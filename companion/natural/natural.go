// Package natural orders names as people do: it compares digits as one number, so that T2 comes before T10.
//
// What may leak: nothing.
package natural

import (
	"cmp"
	"strings"
)

// Compare returns -1 if a comes before b, 1 if it comes after, and 0 if they are equal, for slices.SortFunc. Only ASCII digits count as
// numbers. Upper and lower case differ only if nothing else does, so that every two strings have an order. The time grows with their
// length.
func Compare(a, b string) int {
	x, y := strings.ToLower(a), strings.ToLower(b)
	for x != "" && y != "" {
		n, m := countLeadingDigits(x), countLeadingDigits(y)
		if n == 0 || m == 0 {
			n, m = 1, 1
		}
		if c := comparePart(x[:n], y[:m]); c != 0 {
			return c
		}
		x, y = x[n:], y[m:]
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(a, b))
}

// comparePart compares two numbers by value, or else two bytes.
func comparePart(a, b string) int {
	if countLeadingDigits(a) == 0 || countLeadingDigits(b) == 0 {
		return strings.Compare(a, b)
	}
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

// countLeadingDigits counts the digits at the start of s.
func countLeadingDigits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }
