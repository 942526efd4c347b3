package node

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"majordome/devices"
	"majordome/devices/serial"
)

// Baud is the speed of the firmware: what 16 MHz divides exactly.
const Baud = 500000

const (
	tick      = 10 * time.Millisecond
	openAgain = 500 * time.Millisecond
	lastFrame = 2 * time.Second // one that is lost can be sent again a few times
)

var (
	errHalted  = errors.New("halted")
	errRefused = devices.Advice{FR: "le nœud refuse cette configuration", EN: "the node refuses this configuration"}
)

// Port is an open line; *serial.Port is one.
type Port interface {
	Received() <-chan []byte // closed when the line is lost
	Write([]byte) (int, error)
	Err() error // why it is lost
	Close() error
}

// Opts sets up a node. The zero value suits one on a serial port whose buttons nobody wants.
type Opts struct {
	// Pressed is told each button that changes, in order, from one goroutine; it must return quickly.
	Pressed func(Press)
	// Changed is told each time that the node is reached, with nil, or why it is not, if that is another reason than before;
	// from the same goroutine. It must return quickly.
	Changed func(why error)
	// Open opens the line; nil is serial.Open at 500000 baud.
	Open func(path string) (Port, error)
}

// Dev is one node. Its methods are safe for concurrent use.
//
// Invariants:
//  1. Only the goroutine of run opens, writes and closes the port.
//  2. link is used under mu only.
type Dev struct {
	path  string
	opts  Opts
	start time.Time

	mu      sync.Mutex
	link    *Link
	openErr error // why the port is not open
	halted  bool

	said    string        // to Changed; of the goroutine of run
	wake    chan struct{} // something may have to be sent
	changed chan struct{} // closed and made anew whenever something was received
	stop    chan struct{}
	done    chan struct{}
}

// New makes a node at a port, such as /dev/serial/by-id/usb-..., whether or not it is plugged in; opts may
// be nil. Its error is a devices.Advice about the name.
func New(path string, opts *Opts) (*Dev, error) {
	d := &Dev{path: path, start: time.Now(), link: NewLink(uint16(rand.Uint32())), openErr: errAway,
		wake: make(chan struct{}, 1), changed: make(chan struct{}), stop: make(chan struct{}), done: make(chan struct{})}
	if opts != nil {
		d.opts = *opts
	}
	if d.opts.Open == nil {
		d.opts.Open = func(path string) (Port, error) {
			return serial.Open(path, &serial.Opts{Baud: Baud, Device: serial.Node})
		}
		if err := serial.Check(path, Baud); err != nil {
			return nil, err
		}
	}
	go d.run()
	return d, nil
}

// String names the node by its port.
func (d *Dev) String() string { return "node " + d.path }

func (d *Dev) now() time.Duration { return time.Since(d.start) }

// run keeps the port open and the link fed until Halt.
func (d *Dev) run() {
	defer close(d.done)
	for {
		port, err := d.opts.Open(d.path)
		d.mu.Lock()
		if d.openErr = err; err == nil {
			d.link.Opened()
		}
		d.mu.Unlock()
		if err == nil {
			err = d.serve(port)
			d.mu.Lock()
			d.openErr = errors.Join(err, port.Close())
			d.link.Closed()
			d.mu.Unlock()
		}
		d.notify()
		d.tell()
		select {
		case <-d.stop:
			return
		case <-time.After(openAgain):
		}
	}
}

// serve carries bytes both ways until the port is lost or Halt.
func (d *Dev) serve(port Port) error {
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for {
		d.mu.Lock()
		out := d.link.Output(d.now())
		presses := d.link.Presses()
		d.mu.Unlock()
		d.tell()
		if d.opts.Pressed != nil {
			for _, p := range presses {
				d.opts.Pressed(p)
			}
		}
		if len(out) > 0 {
			if _, err := port.Write(out); err != nil {
				return err
			}
		}
		select {
		case b, ok := <-port.Received():
			if !ok {
				return port.Err()
			}
			d.mu.Lock()
			d.link.Receive(d.now(), b)
			d.mu.Unlock()
			d.notify()
		case <-ticker.C:
		case <-d.wake:
		case <-d.stop:
			return nil
		}
	}
}

// tell tells Changed.
func (d *Dev) tell() {
	if d.opts.Changed == nil {
		return
	}
	why := d.Err()
	if said := fmt.Sprint(why); said != d.said {
		d.said = said
		d.opts.Changed(why)
	}
}

// notify wakes all who wait for a change.
func (d *Dev) notify() {
	d.mu.Lock()
	defer d.mu.Unlock()
	close(d.changed)
	d.changed = make(chan struct{})
}

// await waits until ready, which is called under mu, has an answer.
func (d *Dev) await(ctx context.Context, op string, ready func() (ok bool, err error)) error {
	for {
		d.mu.Lock()
		ok, err := ready()
		if d.halted {
			err = errHalted
		}
		changed, why := d.changed, d.why()
		d.mu.Unlock()
		switch {
		case err != nil:
			return fmt.Errorf("node: %s %s: %w", op, d.path, err)
		case ok:
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("node: %s %s: %w", op, d.path, errors.Join(ctx.Err(), why))
		}
	}
}

// why says why the node is not to be reached, nil if it is.
func (d *Dev) why() error {
	if d.openErr != nil {
		return d.openErr
	}
	return d.link.Err()
}

// Probe waits until the node has answered and returns what it says of itself. It fails at once when the port does not open, or a
// node of another version answers. Its error wraps a devices.Advice where a person can do something.
func (d *Dev) Probe(ctx context.Context) (info Info, err error) {
	err = d.await(ctx, "probe", func() (bool, error) {
		info, _ = d.link.Info()
		var advice devices.Advice
		if why := d.why(); errors.As(why, &advice) {
			return false, why
		}
		return d.link.Up(), nil
	})
	return info, err
}

// Info is what the node last said of itself, false if it never did.
func (d *Dev) Info() (Info, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.link.Info()
}

// Err says why the node is not to be reached now: nil if it is, a devices.Advice where a person can do something.
func (d *Dev) Err() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.why()
}

// Config asks for the configuration in the node's EEPROM.
func (d *Dev) Config(ctx context.Context) (c Config, err error) {
	d.mu.Lock()
	d.link.keep = keep{get: true}
	d.mu.Unlock()
	d.poke()
	reply, err := d.reply(ctx, "configuration of")
	if err != nil {
		return c, err
	}
	return reply.config, nil
}

// Configure writes the configuration; the node then starts anew with it.
func (d *Dev) Configure(ctx context.Context, c Config) error {
	if err := c.Check(); err != nil {
		return err
	}
	d.mu.Lock()
	d.link.Configure(c)
	d.mu.Unlock()
	d.poke()
	reply, err := d.reply(ctx, "configure")
	if err == nil && reply.refused {
		err = fmt.Errorf("node: configure %s: %w", d.path, errRefused)
	}
	return err
}

func (d *Dev) reply(ctx context.Context, op string) (r configReply, err error) {
	err = d.await(ctx, op, func() (bool, error) {
		if d.link.keep.reply == nil {
			return false, nil
		}
		r = *d.link.keep.reply
		d.link.keep.reply = nil
		return true, nil
	})
	return r, err
}

// poke lets run look for something to send.
func (d *Dev) poke() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// Halt gives the port back, for good, and before that up to 2 s to the last frame that was to be shown. The node dims
// its light two seconds later.
func (d *Dev) Halt() error {
	ctx, cancel := context.WithTimeout(context.Background(), lastFrame)
	defer cancel()
	// What does not arrive in time is not worth an error: the strip goes dim by itself.
	_ = d.await(ctx, "halt", func() (bool, error) { return !d.link.Up() || d.link.strip.settled(), nil })
	d.mu.Lock()
	if d.halted {
		d.mu.Unlock()
		<-d.done
		return nil
	}
	d.halted = true
	close(d.stop)
	d.mu.Unlock()
	<-d.done
	return nil
}

// Reader is one reader of the node, 0 to 3, as a devices.Scanner.
func (d *Dev) Reader(i int) *Reader { return &Reader{d, i} }

// Reader is a reader of a node.
type Reader struct {
	d *Dev
	i int
}

// String names node and reader.
func (r *Reader) String() string { return fmt.Sprintf("reader %d of %s", r.i, r.d) }

// Scan implements devices.Scanner. It does not wait.
func (r *Reader) Scan(ctx context.Context) ([]devices.Tag, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("node: scan: %w", err)
	}
	r.d.mu.Lock()
	defer r.d.mu.Unlock()
	if r.d.halted {
		return nil, fmt.Errorf("node: scan: %w", errHalted)
	}
	tags, err := r.d.link.Scan(r.d.now(), r.i)
	if errors.Is(err, errAway) {
		err = r.d.why()
		if err == nil {
			err = errAway
		}
	}
	if err != nil && !errors.Is(err, devices.ErrNoise) {
		return nil, fmt.Errorf("node: scan: %w", err)
	}
	return tags, err
}

// Halt implements conn.Resource; the node itself goes on.
func (r *Reader) Halt() error { return nil }

// Strip is the strip of the node, of n pixels, as a devices.Strip.
func (d *Dev) Strip(n int) *Strip { return &Strip{d, n} }

// Strip is the strip of a node.
type Strip struct {
	d *Dev
	n int
}

// String names the node.
func (s *Strip) String() string { return fmt.Sprintf("strip of %d at %s", s.n, s.d) }

// Len is the number of pixels.
func (s *Strip) Len() int { return s.n }

// Show keeps a frame and sends it as soon as the line allows; it does not wait. It fails when the node is not to be
// reached, and then shows the frame all the same when it is back.
func (s *Strip) Show(px []devices.RGB) error { return s.show(px, nil) }

// Mixes implements devices.MixingStrip: false until a node has answered that can.
func (s *Strip) Mixes() bool {
	info, ok := s.d.Info()
	return ok && info.mixes()
}

// ShowMixed implements devices.MixingStrip; it keeps and sends as Show does.
func (s *Strip) ShowMixed(px, parts []devices.RGB) error { return s.show(px, parts) }

func (s *Strip) show(px, parts []devices.RGB) error {
	if len(px) > s.n || s.n > MaxPixels {
		return fmt.Errorf("node: %d pixels for a strip of %d, at most %d", len(px), s.n, MaxPixels)
	}
	s.d.mu.Lock()
	defer s.d.mu.Unlock()
	if s.d.halted {
		return fmt.Errorf("node: show: %w", errHalted)
	}
	s.d.link.ShowMixed(px, parts)
	s.d.poke()
	if err := s.d.why(); err != nil {
		return fmt.Errorf("node: show: %w", err)
	}
	return nil
}

// Halt makes the strip dark. It does not fail when the node is not to be reached: such a strip has gone dim by itself.
func (s *Strip) Halt() error {
	if err := s.Show(nil); err != nil && s.d.Err() == nil {
		return err
	}
	return nil
}

var (
	_ devices.Scanner = (*Reader)(nil)
	_ Port            = (*serial.Port)(nil)

	_ devices.MixingStrip = (*Strip)(nil)
)
