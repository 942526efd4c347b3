package natural

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestCompare(t *testing.T) {
	for _, sorted := range [][]string{
		{"T1", "T2", "T10", "T11"},
		{"t1", "T2", "t10"},
		{"salon", "salon-2", "salon-10", "salon-10-1", "salon2", "salon10"},
		{"1", "T"},
		{"", "0", "00", "01", "1", "a"},
		{"x09a", "x9b", "x10a"},
		{"n" + strings.Repeat("9", 40), "n1" + strings.Repeat("0", 40)},
		{"École 2", "École 10"},
	} {
		for i, a := range sorted {
			for j, b := range sorted {
				if got, want := Compare(a, b), cmp.Compare(i, j); got != want {
					t.Errorf("%q and %q: %d, want %d", a, b, got, want)
				}
			}
		}
	}
}

// TestOrder checks that Compare is an order for any names: the result of sorting does not depend on the order before.
func TestOrder(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	for range 2000 {
		names := make([]string, 12)
		for i := range names {
			for range r.IntN(6) {
				names[i] += string([]rune("0019aAbéÉ-")[r.IntN(10)])
			}
		}
		once := slices.SortedFunc(slices.Values(names), Compare)
		r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		if again := slices.SortedFunc(slices.Values(names), Compare); !slices.Equal(once, again) {
			t.Fatalf("seed %d: %q and %q", seed, once, again)
		}
	}
}
