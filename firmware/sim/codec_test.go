//go:build simavr

package sim

import (
	"bytes"
	"encoding/hex"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"majordome/devices/node"
)

// compare gives both codecs one line, and the same bytes as a body.
func compare(t *testing.T, line []byte) {
	t.Helper()
	var d node.Decoder
	var bodies [][]byte
	for _, b := range line {
		if body, ok := d.DecodeByte(b); ok {
			bodies = append(bodies, bytes.Clone(body))
		}
	}
	theirs, broken := decodeFrames(line)
	if !slices.EqualFunc(bodies, theirs, bytes.Equal) || d.BrokenFrameCount() != broken {
		t.Fatalf("line %x\nGo  %x, %d dropped\nC++ %x, %d dropped", line, bodies, d.BrokenFrameCount(), theirs, broken)
	}
	if len(line) > 0 && len(line) <= node.MaxBody {
		if ours, theirs := node.AppendFrame(nil, line), encodeFrame(line); !bytes.Equal(ours, theirs) {
			t.Fatalf("body %x\nGo  %x\nC++ %x", line, ours, theirs)
		}
	}
}

// FuzzCodecs: go test -tags simavr -fuzz FuzzCodecs -fuzzminimizetime 10x ./firmware/sim. The corpus consists of the test vectors of both
// ends; inputs that fuzzing finds are kept there too.
func FuzzCodecs(f *testing.F) {
	f.Add([]byte{})
	for _, name := range []string{"frames.txt", "streams.txt"} {
		b, err := os.ReadFile(filepath.Join("../testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		for _, word := range strings.Fields(string(b)) {
			if line, err := hex.DecodeString(word); err == nil {
				f.Add(line)
			}
		}
	}
	f.Fuzz(func(t *testing.T, line []byte) { compare(t, line) })
}

// The same with a limited number of inputs: lines that are nearly right, which random bytes do not produce.
func TestCodecsAgree(t *testing.T) {
	seed := uint64(20110)
	if s, err := strconv.ParseUint(os.Getenv("MAJORDOME_SEED"), 10, 64); err == nil {
		seed = s
	}
	t.Logf("seed %d: repeat with MAJORDOME_SEED=%[1]d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	rounds := 100_000
	for range rounds {
		var line []byte
		for range rng.IntN(4) {
			body := make([]byte, 1+rng.IntN(node.MaxBody))
			for i := range body {
				if rng.IntN(3) > 0 {
					body[i] = byte(rng.Uint32())
				}
			}
			line = node.AppendFrame(line, body)
		}
		for range rng.IntN(4) {
			if len(line) == 0 {
				break
			}
			switch i := rng.IntN(len(line)); rng.IntN(3) {
			case 0:
				line[i] ^= 1 << rng.IntN(8)
			case 1:
				line = slices.Delete(line, i, i+1)
			case 2:
				line = slices.Insert(line, i, byte(rng.IntN(4)*85))
			}
		}
		compare(t, line)
	}
}
