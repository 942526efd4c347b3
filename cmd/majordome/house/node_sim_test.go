//go:build simavr

package house

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/lamps"
	"majordome/companion/wire"
	"majordome/devices"
	"majordome/devices/light"
	"majordome/devices/node"
	"majordome/engine"
	"majordome/firmware/sim"
)

// farNode is a node whose real firmware runs on a simulated chip at the end of a serial line.
type farNode struct {
	live *sim.Live
	dev  *node.Dev
}

// gameReaders are the two readers of most games.
var gameReaders = []string{engine.ReaderUrn, engine.ReaderShow}

func pluggedNode(t *testing.T) *farNode {
	t.Helper()
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
	return &farNode{live, dev}
}

// useForReaders connects both readers of a house to the node.
func (n *farNode) useForReaders(o *Opts) {
	for i := range o.Readers {
		o.Readers[i].Scanner = n.dev.Reader(i)
	}
}

// exposeFields lets the test place tags in the fields of the node's readers.
func (n *farNode) exposeFields(r *rig) {
	n.live.WithBoard(func(b *sim.Board) {
		for i, role := range gameReaders {
			r.sims[role] = b.Readers[i]
		}
	})
}

// waitPixels waits until the strip at the node shows these pixels and nothing after them. Each channel may be one step
// above, by temporal mixing.
func (n *farNode) waitPixels(t *testing.T, what string, want []devices.RGB) {
	t.Helper()
	var got []devices.RGB
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		n.live.WithBoard(func(b *sim.Board) { got = b.WS2812State().Pixels })
		if len(got) >= len(want) && slices.EqualFunc(got[:len(want)], want, isMixed) &&
			!slices.ContainsFunc(got[len(want):], func(p devices.RGB) bool { return p != devices.RGB{} }) {
			return
		}
	}
	t.Fatalf("%s: the strip shows\n%v, want\n%v", what, got, want)
}

func isMixed(got, want devices.RGB) bool {
	return got.R-want.R <= 1 && got.G-want.G <= 1 && got.B-want.B <= 1 // of uint8: nothing below
}

// TestUrnProtocolThroughANode: with both readers on a node, everything from the tags to the phones is the same as with
// readers of this machine.
func TestUrnProtocolThroughANode(t *testing.T) {
	n := pluggedNode(t)
	runUrnProtocol(t, n.useForReaders, n.exposeFields)
}

// TestAPhoneAtTheUrnThroughANode: the node reports the phone as a tag that comes and goes, like any other; the house
// does not take it for a card.
func TestAPhoneAtTheUrnThroughANode(t *testing.T) {
	n := pluggedNode(t)
	runPhoneAtUrn(t, n.useForReaders, n.exposeFields)
}

// waitChipTime waits until this much time of the chip has passed.
func (n *farNode) waitChipTime(t *testing.T, d time.Duration) {
	t.Helper()
	now := func() (at time.Duration) {
		n.live.WithBoard(func(b *sim.Board) { at = b.Uptime() })
		return at
	}
	start := now()
	eventually(t, "the chip stands still", func() bool { return now() >= start+d })
}

// TestDropsWhileTheCableIsOutThroughANode: two players drop their cards, one after the other, while the cable of the
// urn's node is unplugged. When it is back, each card is a deposit of its own: the cards have fallen in and cannot be
// presented again.
func TestDropsWhileTheCableIsOutThroughANode(t *testing.T) {
	n := pluggedNode(t)
	r := startDeposits(t, n.useForReaders)
	n.exposeFields(r)
	urn := r.eyes[engine.ReaderUrn]
	// a card that is there at the first look is no player's deposit
	urn.waitUntil(t, "the urn has been looked at", func() bool { return urn.settled })
	from := r.mark()
	if err := n.live.Unplug(); err != nil {
		t.Fatal(err)
	}
	r.waitUpdate(from, "the reader is lost", hasReaderState(engine.ReaderUrn, "lost"))
	for x := engine.Seat(1); x <= 2; x++ {
		card := tagOf(t, r.depositableCard(x))
		r.placeTags(engine.ReaderUrn, card)
		n.waitChipTime(t, 700*time.Millisecond)
		r.sims[engine.ReaderUrn].RemoveTag(card)
		n.waitChipTime(t, 700*time.Millisecond)
	}
	if err := n.live.Plug(); err != nil {
		t.Fatal(err)
	}
	r.waitUpdate(from, "two answers", func(wire.Update) bool { return len(r.signals(from, engine.ReaderUrn)) == 2 })
	if s := r.signals(from, engine.ReaderUrn); !slices.Equal(s, []string{"accepted", "accepted"}) || r.publicView().Urn != 2 {
		t.Errorf("two deposits are answered %v, %d cards count", s, r.publicView().Urn)
	}
}

// TestCluedoThroughANode: a node has the refutation reader of a Cluedo and its lights: the 8 LEDs of its clock, its 9
// rooms and the pool. The answer at that reader is handled as from a reader of this machine, and each step shows its
// own light.
func TestCluedoThroughANode(t *testing.T) {
	n := pluggedNode(t)
	layout := light.DefaultLayout(10)
	f := startRefutation(t, func(o *Opts) {
		n.useForReaders(o)
		o.Strips = []config.Strip{{Strip: n.dev.Strip(layout.MinStripLen()), Layout: layout, Opts: *calmOpts()}}
	})
	n.exposeFields(f.rig)
	lit := func(step string) []devices.RGB {
		t.Helper()
		u, _ := f.house.Loop.Snapshot(engine.Public)
		s, err := light.NewStage(layout, layout.MinStripLen(), calmOpts())
		if err != nil {
			t.Fatal(err)
		}
		u.Notice = nil
		s.SetCue(lamps.CueOf(u), 0)
		want, _ := s.FrameWithParts(time.Minute)
		n.waitPixels(t, step, want)
		return slices.Clone(want)
	}
	asked := lit("seat 2 is asked")
	rooms := 0
	for _, p := range layout.Places[:9] {
		if slices.ContainsFunc(p.AppendPixels(nil, asked), func(c devices.RGB) bool { return c != devices.RGB{} }) {
			rooms++
		}
	}
	if rooms == 0 {
		t.Error("no room is lit")
	}
	f.checkProtocol(t)
	if answered := lit("the card is shown"); slices.Equal(asked, answered) {
		t.Error("the light is the same before and after the answer")
	}
}
