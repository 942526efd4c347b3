//go:build simavr

package sim

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"majordome/devices"
	"majordome/devices/node"
	"majordome/devices/presence"
)

// patience is the longest time that a condition may take to come true on a slow machine.
const patience = time.Minute

func waitUntil(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("not in time: " + what)
		}
	}
}

// Two real images at two ports, through tarm/serial. One is pulled out in the middle of a read.
func TestTwoNodesOnPtys(t *testing.T) {
	var boards [2]*Live
	var devs [2]*node.Dev
	var mu sync.Mutex
	var told [2][]string
	ctx, stop := context.WithCancel(context.Background())
	var watching sync.WaitGroup
	for i := range boards {
		live, err := NewLive(image, filepath.Join(t.TempDir(), "usb-node-if00"))
		if err != nil {
			t.Fatal("make -C firmware comes first: ", err)
		}
		t.Cleanup(live.Close)
		boards[i] = live
		d, err := node.New(live.Path, nil)
		if err != nil {
			t.Fatal(err)
		}
		devs[i] = d
		watching.Go(func() {
			_ = presence.Watch(ctx, d.Reader(1), nil, func(e presence.Event) {
				if e.Kind == presence.Arrived || e.Kind == presence.Left {
					mu.Lock()
					defer mu.Unlock()
					told[i] = append(told[i], e.Kind.String()+" "+e.Tag.UID.String())
				}
			})
		})
	}
	defer func() {
		stop()
		watching.Wait()
		if err := errors.Join(devs[0].Halt(), devs[1].Halt()); err != nil {
			t.Error(err)
		}
	}()
	is := func(i int, want ...string) func() bool {
		return func() bool {
			mu.Lock()
			defer mu.Unlock()
			return slices.Equal(told[i], want)
		}
	}
	px := rainbow(60, 9)
	for i, d := range devs {
		probe, cancel := context.WithTimeout(ctx, patience)
		_, err := d.Probe(probe)
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		uid, _ := devices.MakeUID([]byte{4, 1, 2, 3, 4, 5, byte(i)})
		boards[i].WithBoard(func(b *Board) { err = b.Readers[1].PlaceTag(uid, 0) })
		if err = errors.Join(err, d.Strip(60).ShowFrame(px)); err != nil {
			t.Fatal(err)
		}
	}
	waitUntil(t, "the card of the first node", is(0, "arrived 04010203040500"))
	waitUntil(t, "the card of the second node", is(1, "arrived 04010203040501"))
	shows := func(i int) func() bool {
		return func() (ok bool) {
			boards[i].WithBoard(func(b *Board) { ok = slices.Equal(b.WS2812State().Pixels, px) })
			return ok
		}
	}
	waitUntil(t, "the light of the first node", shows(0))
	waitUntil(t, "the light of the second node", shows(1))

	// The plug is pulled out while a card is being read: the card came a moment before, and is reported when the plug is back.
	uid, _ := devices.MakeUID([]byte{0xDE, 0xAD, 0xBE, 0xEF})
	var err error
	boards[1].WithBoard(func(b *Board) { err = b.Readers[1].PlaceTag(uid, 0) })
	if err = errors.Join(err, boards[1].Unplug()); err != nil {
		t.Fatal(err)
	}
	waitUntil(t, "the node is missed", func() bool { return devs[1].Err() != nil })
	if err := devs[0].Err(); err != nil {
		t.Errorf("the other node: %v", err)
	}
	if err := boards[1].Plug(); err != nil {
		t.Fatal(err)
	}
	waitUntil(t, "the card that came while the plug was out", is(1, "arrived 04010203040501", "arrived DEADBEEF"))
}
