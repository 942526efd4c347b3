// Package randtest is for tests: chance that says how the same run is repeated.
package randtest

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// Seed is a new one for each run, or that of MAJORDOME_SEED.
func Seed(t testing.TB) uint64 {
	t.Helper()
	seed := rand.Uint64()
	if given := os.Getenv("MAJORDOME_SEED"); given != "" {
		var err error
		if seed, err = strconv.ParseUint(given, 10, 64); err != nil {
			t.Fatalf("MAJORDOME_SEED: %v", err)
		}
	}
	t.Logf("repeat with MAJORDOME_SEED=%d", seed)
	return seed
}

// New is a source with such a seed.
func New(t testing.TB) *rand.Rand {
	t.Helper()
	return rand.New(rand.NewPCG(Seed(t), 0))
}
