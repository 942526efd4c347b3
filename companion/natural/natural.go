// Package natural orders names as people do: digits count as one number, so that T2 stands before T10.
//
// What may leak: nothing.
package natural

import (
	"cmp"
	"strings"
)

// Compare is -1, 0 or 1 as a stands before b, is b, or stands after it. Digits are those of ASCII, and small and capital letters are the same
// unless nothing else differs; so it is an order of all strings, for slices.SortFunc. It takes a time in proportion to their lengths.
func Compare(a, b string) int {
	x, y := strings.ToLower(a), strings.ToLower(b)
	for x != "" && y != "" {
		n, m := digits(x), digits(y)
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

// comparePart orders two numbers, or two bytes.
func comparePart(a, b string) int {
	if digits(a) == 0 || digits(b) == 0 {
		return strings.Compare(a, b)
	}
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

// digits counts the digits at the start of a text.
func digits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }
