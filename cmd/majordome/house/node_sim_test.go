//go:build simavr

package house

import (
	"testing"
	"time"

	"majordome/engine"
	"majordome/firmware/sim"
)

// TestUrnProtocolThroughANode: both readers hang on a node whose real firmware runs on a simulated chip, at the end of a serial line. From
// tags in its fields to the phones everything is as with readers of this machine.
func TestUrnProtocolThroughANode(t *testing.T) {
	live, dev := plugged(t)
	urnProtocol(t, func(o *Opts) {
		for i := range o.Readers {
			o.Readers[i].Scanner = dev.Reader(i)
		}
	}, func(r *rig) {
		r.hand = 600 * time.Millisecond // on a busy computer the chip is slower than the hand
		live.Do(func(b *sim.Board) {
			r.sims[engine.ReaderUrn], r.sims[engine.ReaderShow] = b.Readers[0], b.Readers[1]
		})
	})
}
