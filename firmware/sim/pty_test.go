//go:build simavr

package sim

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"

	"majordome/devices"
	"majordome/devices/node"
	"majordome/devices/presence"
)

// patience is how long a condition may take to come true on a slow machine.
const patience = 20 * time.Second

// live is a board on a pty, at the pace of the computer's clock or slower. mu guards the board.
type live struct {
	mu    sync.Mutex
	board *Board
	far   *os.File
	near  *os.File
	path  string
	in    chan []byte
	quit  chan struct{}
	ended chan struct{}
}

func newLive(t *testing.T) *live {
	t.Helper()
	b, err := New(image)
	if err != nil {
		t.Fatal("make -C firmware comes first: ", err)
	}
	v := &live{board: b, path: filepath.Join(t.TempDir(), "usb-node-if00"), in: make(chan []byte, 1024),
		quit: make(chan struct{}), ended: make(chan struct{})}
	v.plug(t)
	go v.run()
	t.Cleanup(func() {
		close(v.quit)
		<-v.ended
		_, _ = v.far.Close(), v.near.Close()
		b.Close()
	})
	return v
}

// plug connects a new pty under the node's name.
func (v *live) plug(t *testing.T) {
	t.Helper()
	far, near, err := pty.Open()
	if err == nil {
		err = os.Symlink(near.Name(), v.path)
	}
	if err != nil {
		t.Fatal(err)
	}
	v.mu.Lock()
	v.far, v.near = far, near // near stays open: a line that nobody holds cannot be read
	v.mu.Unlock()
	go func() {
		for {
			buf := make([]byte, 256)
			n, err := far.Read(buf)
			if err != nil {
				return
			}
			v.in <- buf[:n]
		}
	}()
}

func (v *live) unplug(t *testing.T) {
	t.Helper()
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := errors.Join(v.far.Close(), v.near.Close(), os.Remove(v.path)); err != nil {
		t.Fatal(err)
	}
}

// run lets the chip's time follow the computer's, a millisecond at a time.
func (v *live) run() {
	defer close(v.ended)
	start := time.Now()
	for {
		select {
		case <-v.quit:
			return
		case b := <-v.in:
			v.mu.Lock()
			v.board.Feed(b)
			v.mu.Unlock()
			continue
		default:
		}
		v.mu.Lock()
		v.board.Run(time.Millisecond)
		if out := v.board.Output(); len(out) > 0 {
			_, _ = v.far.Write(out) // lost when unplugged, as on a real line
		}
		ahead := v.board.Now() - time.Since(start)
		v.mu.Unlock()
		if ahead > 0 {
			time.Sleep(ahead)
		}
	}
}

func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("not in time: " + what)
		}
	}
}

// Two real images at two ports, through tarm/serial; one is pulled out in the middle of a read.
func TestTwoNodesOnPtys(t *testing.T) {
	var boards [2]*live
	var devs [2]*node.Dev
	var mu sync.Mutex
	var told [2][]string
	ctx, stop := context.WithCancel(context.Background())
	var watching sync.WaitGroup
	for i := range boards {
		boards[i] = newLive(t)
		d, err := node.New(boards[i].path, nil)
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
		if _, err := d.Probe(probe); err != nil {
			t.Fatal(err)
		}
		cancel()
		uid, _ := devices.MakeUID([]byte{4, 1, 2, 3, 4, 5, byte(i)})
		boards[i].mu.Lock()
		err := boards[i].board.Readers[1].Put(uid, 0)
		boards[i].mu.Unlock()
		if err = errors.Join(err, d.Strip(60).Show(px)); err != nil {
			t.Fatal(err)
		}
	}
	until(t, "the card of the first node", is(0, "arrived 04010203040500"))
	until(t, "the card of the second node", is(1, "arrived 04010203040501"))
	shows := func(i int) func() bool {
		return func() bool {
			boards[i].mu.Lock()
			defer boards[i].mu.Unlock()
			return slices.Equal(boards[i].board.WS2812().Pixels, px)
		}
	}
	until(t, "the light of the first node", shows(0))
	until(t, "the light of the second node", shows(1))

	// Pulled out while a card is being read: it came a moment before, and is told when the plug is back.
	uid, _ := devices.MakeUID([]byte{0xDE, 0xAD, 0xBE, 0xEF})
	boards[1].mu.Lock()
	err := boards[1].board.Readers[1].Put(uid, 0)
	boards[1].mu.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	boards[1].unplug(t)
	until(t, "the node is missed", func() bool { return devs[1].Err() != nil })
	if err := devs[0].Err(); err != nil {
		t.Errorf("the other node: %v", err)
	}
	boards[1].plug(t)
	until(t, "the card that came while the plug was out", is(1, "arrived 04010203040501", "arrived DEADBEEF"))
}
