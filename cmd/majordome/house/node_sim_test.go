//go:build simavr

package house

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"majordome/devices/node"
	"majordome/engine"
	"majordome/firmware/sim"
)

// TestUrnProtocolThroughANode: both readers hang on a node whose real firmware runs on a simulated chip, at the end of a serial line. From
// tags in its fields to the phones everything is as with readers of this machine.
func TestUrnProtocolThroughANode(t *testing.T) {
	live, err := sim.NewLive("../../../firmware/build/node.elf", filepath.Join(t.TempDir(), "usb-node"))
	if err != nil {
		t.Fatal("make -C firmware comes first: ", err)
	}
	t.Cleanup(live.Close)
	dev, err := node.New(live.Path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := dev.Halt(); err != nil {
			t.Error(err)
		}
	})
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if _, err := dev.Probe(ctx); err != nil {
		t.Fatal(err)
	}
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
