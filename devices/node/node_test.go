package node

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"majordome/devices"
	"majordome/devices/plugtest"
	"majordome/devices/presence"
)

// patience is the longest time that a condition may take to come true on a slow machine.
const patience = time.Minute

func pollUntil(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("not in time: " + what)
		}
	}
}

// socket is a port to plug a node into.
type socket struct {
	*plugtest.Socket
	far *os.File
}

func newSocket(t *testing.T) *socket { return &socket{Socket: plugtest.New(t, "usb-node-if00")} }

func (s *socket) plug(f *fake, power bool) {
	s.far = s.Plug()
	f.plug(s.far, power)
}

func (s *socket) unplug(f *fake) {
	f.unplug()
	s.Unplug(s.far)
}

func open(t *testing.T, s *socket, o *Opts) *Dev {
	t.Helper()
	d, err := New(s.Path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Halt(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// watch follows a reader with the usual rules of presence and records the events.
type watch struct {
	mu   sync.Mutex
	told []string
}

func watchReader(t *testing.T, d *Dev, i int) *watch {
	w := &watch{}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = presence.Watch(ctx, d.Reader(i), nil, func(e presence.Event) {
			w.mu.Lock()
			defer w.mu.Unlock()
			s := e.Kind.String()
			if e.Kind == presence.Arrived || e.Kind == presence.Left {
				s += " " + e.Tag.UID.String()
			}
			w.told = append(w.told, s)
		})
	}()
	t.Cleanup(func() { stop(); <-done })
	return w
}

func (w *watch) hasEvent(want string) func() bool {
	return func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		return slices.Contains(w.told, want)
	}
}

func tag(t testing.TB, uid string) devices.Tag {
	t.Helper()
	u, err := devices.ParseUID(uid)
	if err != nil {
		t.Fatal(err)
	}
	return devices.Tag{UID: u}
}

func probe(t *testing.T, d *Dev) Info {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	i, err := d.Probe(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

func TestANodeIsPluggedInPulledOutAndPluggedInAgain(t *testing.T) {
	s, f := newSocket(t), newFake(t)
	var mu sync.Mutex
	var presses []Press
	d := open(t, s, &Opts{OnPress: func(p Press) {
		mu.Lock()
		defer mu.Unlock()
		presses = append(presses, p)
	}})
	pollUntil(t, "a reader says that its node is not plugged in", func() bool {
		_, err := d.Reader(0).Scan(context.Background())
		return err != nil && strings.Contains(err.Error(), "not found")
	})
	if err := d.Strip(40).ShowFrame(nil); err == nil {
		t.Error("a strip of a node that is not plugged in shows")
	}
	if _, err := d.Probe(context.Background()); err == nil || !strings.Contains(err.Error(), "not found") {
		t.Errorf("probe: %v", err)
	}
	s.plug(f, true)
	pollUntil(t, "the node is found", func() bool { return d.Err() == nil })
	if i := probe(t, d); i.Name != "urn" || !i.Readers[1].Configured || i.Readers[2].Configured || i.Cause != CausePower {
		t.Errorf("%+v", i)
	}
	w := watchReader(t, d, 1)
	a := tag(t, "04A1B2C3D4E5F6")
	f.placeTag(1, a)
	pollUntil(t, "the card arrives", w.hasEvent("arrived 04A1B2C3D4E5F6"))
	f.press(2, kindDown)
	f.press(2, kindUp)
	pollUntil(t, "the button is reported", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return slices.Equal(presses, []Press{{Button: 2, Down: true}, {Button: 2}})
	})

	s.unplug(f)
	pollUntil(t, "the reader is lost", w.hasEvent("reader lost"))
	f.removeTag(1, a) // the node has power of its own: it keeps what happens
	f.placeTag(1, tag(t, "DEADBEEF"))
	s.plug(f, false)
	pollUntil(t, "all that happened meanwhile is reported, in order", func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		told := slices.DeleteFunc(slices.Clone(w.told), func(s string) bool { return strings.HasPrefix(s, "reader") })
		return len(told) == 3 && told[0] == "arrived 04A1B2C3D4E5F6" && slices.Contains(told, "left 04A1B2C3D4E5F6") &&
			slices.Contains(told, "arrived DEADBEEF")
	})

	s.unplug(f)
	s.plug(f, true) // now without power: the cards on it are still there
	pollUntil(t, "the node is back", func() bool { i, _ := d.Info(); return i.Boots == 3 && d.Err() == nil })
	pollUntil(t, "the reader works", func() bool { _, err := d.Reader(0).Scan(context.Background()); return err == nil })
	w.mu.Lock()
	defer w.mu.Unlock()
	if n := len(slices.DeleteFunc(slices.Clone(w.told), func(s string) bool { return strings.HasPrefix(s, "reader") })); n != 3 {
		t.Errorf("a card was reported again after a power cut: %v", w.told)
	}
}

func TestTwoNodesAtOnce(t *testing.T) {
	var devs [2]*Dev
	var fakes [2]*fake
	for i := range devs {
		s := newSocket(t)
		fakes[i] = newFake(t)
		s.plug(fakes[i], true)
		devs[i] = open(t, s, nil)
	}
	first, second := watchReader(t, devs[0], 0), watchReader(t, devs[1], 0)
	for i, d := range devs {
		probe(t, d)
		fakes[i].placeTag(0, tag(t, []string{"01020304", "05060708"}[i]))
	}
	pollUntil(t, "the first node's card", first.hasEvent("arrived 01020304"))
	pollUntil(t, "the second node's card", second.hasEvent("arrived 05060708"))
	if second.hasEvent("arrived 01020304")() {
		t.Error("a card was reported by the wrong node")
	}
}

func TestANodeOfAnotherVersionIsReported(t *testing.T) {
	s, f := newSocket(t), newFake(t)
	f.version = 2
	s.plug(f, true)
	d := open(t, s, nil)
	var advice devices.Advice
	pollUntil(t, "advice", func() bool { return errors.As(d.Err(), &advice) })
	if !strings.Contains(advice.EN, "version 2") || !strings.Contains(advice.FR, "version 2") ||
		!strings.Contains(advice.EN, "majordome node flash") {
		t.Errorf("%s / %s", advice.EN, advice.FR)
	}
	if _, err := d.Probe(t.Context()); !errors.As(err, &advice) {
		t.Errorf("probe: %v", err)
	}
}

func TestTheNewestFrameIsShown(t *testing.T) {
	s, f := newSocket(t), newFake(t)
	f.lost = 2 // the line spoils the first two
	s.plug(f, true)
	d := open(t, s, nil)
	probe(t, d)
	strip := d.Strip(40)
	px := make([]devices.RGB, 40)
	for i := range 20 {
		px[39] = devices.RGB{R: byte(i), G: 2, B: 3}
		if err := strip.ShowFrame(px); err != nil {
			t.Fatal(err)
		}
	}
	shown := func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.shows > 0 && f.px[3*39] == 19 && f.px[3*39+2] == 3
	}
	pollUntil(t, "the newest frame", shown)
	s.unplug(f)
	s.plug(f, true)
	pollUntil(t, "the same frame after a power cut", shown)
	if err := strip.ShowFrame(make([]devices.RGB, 41)); err == nil {
		t.Error("41 pixels on a strip of 40")
	}
}

// openLink is a link that is up and has just sent an ASK, followed by as much as there was room for. The node has received everything up to
// the ASK.
func openLink(t *testing.T, f *fake, show []devices.RGB) (l *Link, at time.Duration, behind int) {
	t.Helper()
	l, f.session = NewLink(7), 7
	l.NotifyOpened()
	f.taken = uint16(len(l.BuildOutput(0)))
	receiveMessage(l, 0, typeHello, f.helloBody(l.nonce)...)
	for at = 10 * time.Millisecond; at < askEvery; at += 10 * time.Millisecond {
		l.BuildOutput(at)
	}
	if show != nil {
		l.ShowFrame(show)
	}
	behind = len(l.BuildOutput(at)) - askWire
	if !l.IsConnected() || !l.waiting {
		t.Fatalf("no ASK; the link: %v", l.Err())
	}
	f.taken += askWire
	return l, at, behind
}

// receiveMessage makes the link receive a message of the node.
func receiveMessage(l *Link, at time.Duration, kind byte, payload ...byte) {
	l.Receive(at, AppendFrame(nil, append([]byte{kind}, payload...)))
}

// A node sends HELLO when its line has room for so long a message; a CREDIT that counts more may come before it.
func TestACreditBeforeTheHelloIsNotForgotten(t *testing.T) {
	f := newFake(t)
	f.pixels = 60
	l, at, behind := openLink(t, f, make([]devices.RGB, f.pixels))
	late := f.helloBody(l.nonce)
	f.taken += uint16(behind)
	receiveMessage(l, at, typeCredit, byte(f.taken), byte(f.taken>>8))
	f.taken += uint16(len(l.BuildOutput(at)))
	receiveMessage(l, at, typeCredit, byte(f.taken), byte(f.taken>>8))
	receiveMessage(l, at, typeHello, late...)
	if len(l.BuildOutput(at)) == 0 {
		t.Errorf("the node has taken everything, and is sent nothing: room for %d bytes", l.freeSendBytes())
	}
}

// Bytes that the line invents are counted once, even if a CREDIT reports them before the HELLO does.
func TestNoiseIsCountedOnce(t *testing.T) {
	f := newFake(t)
	l, at, _ := openLink(t, f, nil)
	f.taken += 40
	receiveMessage(l, at, typeCredit, byte(f.taken), byte(f.taken>>8))
	receiveMessage(l, at, typeHello, f.helloBody(l.nonce)...)
	if l.freeSendBytes() != l.window {
		t.Errorf("nothing is under way, and there is room for %d bytes of %d", l.freeSendBytes(), l.window)
	}
}

// A node that can mix gets the parts too, one that cannot only the colours. A strip may be moved to another node.
func TestAMixedFrameIsShown(t *testing.T) {
	s, f := newSocket(t), newFake(t)
	f.minor, f.lost = 1, 1
	s.plug(f, true)
	d := open(t, s, nil)
	strip := d.Strip(40)
	if strip.CanMix() {
		t.Error("mixes before a node has answered")
	}
	probe(t, d)
	if !strip.CanMix() {
		t.Error("firmware 1.1 does not mix")
	}
	px, parts := make([]devices.RGB, 40), make([]devices.RGB, 40)
	px[39], parts[39] = devices.RGB{R: 1, G: 2, B: 3}, devices.RGB{R: 15, G: 7}
	if err := strip.ShowMixed(px, parts); err != nil {
		t.Fatal(err)
	}
	shown := func(mixed bool) func() bool {
		return func() bool {
			f.mu.Lock()
			defer f.mu.Unlock()
			parts := !mixed || f.parts[3*39] == 15 && f.parts[3*39+1] == 7
			return f.shows > 0 && f.mixed == mixed && f.px[3*39+1] == 2 && parts
		}
	}
	pollUntil(t, "the frame with its parts", shown(true))
	s.unplug(f)
	f.minor, f.shows = 0, 0
	s.plug(f, true)
	pollUntil(t, "the colours alone at an older node", shown(false))
	if strip.CanMix() {
		t.Error("firmware 1.0 mixes")
	}
}

func TestTheConfigurationIsReadAndWritten(t *testing.T) {
	s, f := newSocket(t), newFake(t)
	s.plug(f, true)
	d := open(t, s, nil)
	probe(t, d)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c, err := d.ReadConfig(ctx)
	if err != nil || c.Name != "urn" || c.Select != [4]Pin{10, 9} {
		t.Fatalf("%+v, %v", c, err)
	}
	c.Name, c.Select[1] = "tray", 0
	if err := d.WriteConfig(ctx, c); err != nil {
		t.Fatal(err)
	}
	if c, err = d.ReadConfig(ctx); err != nil || c.Name != "tray" || c.Select[1] != 0 {
		t.Errorf("%+v, %v", c, err)
	}
	if c.Gain = 40; d.WriteConfig(ctx, c) == nil {
		t.Error("a configuration that cannot work was sent")
	}
}

func TestAHaltedNodeSaysSo(t *testing.T) {
	s := newSocket(t)
	d := open(t, s, nil)
	if err := errors.Join(d.Halt(), d.Halt()); err != nil {
		t.Error(err)
	}
	if _, err := d.Reader(0).Scan(context.Background()); !errors.Is(err, errHalted) {
		t.Errorf("scan: %v", err)
	}
	if err := d.Strip(1).ShowFrame(nil); !errors.Is(err, errHalted) {
		t.Errorf("show: %v", err)
	}
	if _, err := d.Probe(context.Background()); !errors.Is(err, errHalted) {
		t.Errorf("probe: %v", err)
	}
	if _, err := New("ttyUSB0", nil); err == nil {
		t.Error("a name that is no path")
	}
}

func TestTheLastFrameIsShownBeforeTheEnd(t *testing.T) {
	s, f := newSocket(t), newFake(t)
	s.plug(f, true)
	d := open(t, s, nil)
	probe(t, d)
	strip := d.Strip(40)
	if err := strip.ShowFrame([]devices.RGB{{R: 9}}); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(strip.Halt(), d.Halt()); err != nil {
		t.Fatal(err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.shows == 0 || f.px[0] != 0 {
		t.Errorf("%d frames, the first pixel is %d: not dark at the end", f.shows, f.px[0])
	}
}
