// Package randtest gives tests random numbers, and logs the seed with which a run can be repeated.
package randtest

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// NewSeed returns a random seed, or that of MAJORDOME_SEED, and logs it.
func NewSeed(t testing.TB) uint64 {
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

// NewRand returns a source with a seed of NewSeed.
func NewRand(t testing.TB) *rand.Rand {
	t.Helper()
	return rand.New(rand.NewPCG(NewSeed(t), 0))
}
