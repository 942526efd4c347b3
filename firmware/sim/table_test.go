//go:build simavr

package sim

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/devices"
	"majordome/devices/node"
	"majordome/devices/presence"
)

const image = "../build/node.elf"

// soak reports whether this is a long run. It reads the environment when a test asks, so that go test does not reuse a cached result of the
// other kind.
func soak() bool { return os.Getenv("MAJORDOME_SOAK") == "1" }

// cardCount reduces the number of cards that fall, except in a long run.
func cardCount(n int) int {
	if soak() {
		return n
	}
	return n * 2 / 5
}

// table is a board and the daemon's end of its line, in virtual time: link, and a fold of package presence behind each reader.
type table struct {
	t     testing.TB
	board *Board
	link  *node.Link
	folds [4]*presence.Fold

	events  [4][]string // of the folds: +UID, -UID, noise, lost, back
	failed  [4]error    // of the last scan
	presses []node.Press
	toNode  func([]byte) []byte // what the line makes of bytes; nil: nothing
	toTable func([]byte) []byte
	open    bool
}

func newTable(t testing.TB) *table {
	t.Helper()
	b, err := NewBoard(image)
	if err != nil {
		t.Fatal("make -C firmware comes first: ", err)
	}
	t.Cleanup(b.Close)
	b.SetEEPROM(0, 0)
	b.SetEEPROM(1, 0)
	w := &table{t: t, board: b, link: node.NewLink(0x1234)}
	for i := range w.folds {
		w.folds[i], _ = presence.NewFold(nil)
	}
	w.plug()
	return w
}

func (w *table) plug() {
	w.link.NotifyOpened()
	w.open = true
}

func (w *table) unplug() {
	w.link.NotifyClosed()
	w.open = false
}

// step is one millisecond.
func (w *table) step() {
	now := w.board.Uptime()
	if out := w.link.BuildOutput(now); len(out) > 0 {
		if w.toNode != nil {
			out = w.toNode(out)
		}
		w.board.SendToChip(out)
	}
	w.board.Run(time.Millisecond)
	now = w.board.Uptime()
	in := w.board.ReadOutput()
	if w.toTable != nil {
		in = w.toTable(in)
	}
	if w.open {
		w.link.Receive(now, in)
	}
	w.presses = append(w.presses, w.link.DrainPresses()...)
	if now/time.Millisecond%2 == 0 {
		w.scan(now)
	}
}

func (w *table) scan(now time.Duration) {
	for i, f := range w.folds {
		tags, err := w.link.ScanReader(now, i)
		w.failed[i] = err
		for _, e := range f.ApplyScan(now, tags, err) {
			w.events[i] = append(w.events[i], formatEvent(e))
		}
	}
}

// formatEvent is an event in short: +UID, -UID, lost, back, noise.
func formatEvent(e presence.Event) string {
	switch e.Kind {
	case presence.Arrived:
		return "+" + e.Tag.UID.String()
	case presence.Left:
		return "-" + e.Tag.UID.String()
	}
	return strings.TrimSuffix(strings.TrimPrefix(e.Kind.String(), "reader "), " began")
}

func (w *table) run(d time.Duration) {
	for end := w.board.Uptime() + d; w.board.Uptime() < end; {
		w.step()
	}
}

// runUntil runs until a condition is true and returns how long that took.
func (w *table) runUntil(what string, limit time.Duration, ok func() bool) time.Duration {
	w.t.Helper()
	start := w.board.Uptime()
	for !ok() {
		if w.board.Uptime()-start > limit {
			w.t.Fatalf("after %v of the chip's time: not %s (%v)", limit, what, w.link.Err())
		}
		w.step()
	}
	return w.board.Uptime() - start
}

// agreed reports whether link and readers work.
func (w *table) agreed() bool {
	if !w.link.IsConnected() {
		return false
	}
	info, _ := w.link.Info()
	for i := range w.folds {
		if info.Readers[i].Configured && w.failed[i] != nil {
			return false
		}
	}
	return true
}

// waitAgreed waits for the first agreement and drops the events up to then.
func (w *table) waitAgreed() {
	w.t.Helper()
	w.runUntil("agreed", 2*time.Second, w.agreed)
	w.run(10 * time.Millisecond)
	w.events = [4][]string{}
}

// takeEvents returns the events of a reader since the last call.
func (w *table) takeEvents(reader int) string {
	s := strings.Join(w.events[reader], " ")
	w.events[reader] = nil
	return s
}

func (w *table) placeTag(reader int, uid string) devices.UID {
	w.t.Helper()
	u, err := devices.ParseUID(uid)
	if err == nil {
		err = w.board.Readers[reader].PlaceTag(u, 0)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return u
}

// configure writes a configuration and waits until the node uses it.
func (w *table) configure(change func(*node.Config)) {
	w.t.Helper()
	c := node.DefaultConfig()
	change(&c)
	if err := c.Validate(); err != nil {
		w.t.Fatal(err)
	}
	before := w.boots()
	w.link.QueueConfig(c)
	w.runUntil("started anew", time.Second, func() bool { return w.boots() != before })
	w.waitAgreed()
}

// boots is the number of the node's start, as known at the table.
func (w *table) boots() uint16 {
	i, _ := w.link.Info()
	return i.Boots
}

// rainbow is a frame in which every pixel differs from its neighbours.
func rainbow(n, phase int) []devices.RGB {
	px := make([]devices.RGB, n)
	for i := range px {
		px[i] = devices.RGB{R: byte(i*7 + phase), G: byte(255 - i*5 - phase), B: byte(i ^ phase)}
	}
	return px
}

func (w *table) isShowing(px []devices.RGB) bool {
	return slices.Equal(w.board.WS2812State().Pixels, px)
}
