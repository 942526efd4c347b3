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

// Baud is the speed of the firmware, which 16 MHz divides exactly.
const Baud = 500000

const (
	tick      = 10 * time.Millisecond
	openAgain = 500 * time.Millisecond
	lastFrame = 2 * time.Second // enough to send a lost frame again a few times
)

var (
	errHalted  = errors.New("halted")
	errRefused = devices.Advice{FR: "le nœud refuse cette configuration", EN: "the node refuses this configuration"}
)

// Port is an open serial line, such as a *serial.Port.
type Port interface {
	Received() <-chan []byte // closed when the line is lost
	Write([]byte) (int, error)
	Err() error // why the line is lost
	Close() error
}

// Opts sets up a node. The zero value is for a node on a serial port whose buttons are not used.
type Opts struct {
	// OnPress is called for each change of a button, in order, from one goroutine. It must return quickly.
	OnPress func(Press)
	// OnChange is called with nil when the node is reached, and with the reason when it is not, or for another
	// reason than before. It is called from the same goroutine as OnPress and must return quickly.
	OnChange func(why error)
	// Open opens the line; nil means serial.Open at 500000 baud.
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
	openErr error // why the port is not open; nil while it is
	halted  bool

	reported string        // last argument of OnChange, as text; only the goroutine of run uses it
	wake     chan struct{} // there may be something to send
	changed  chan struct{} // closed and replaced after each change of link or port
	stop     chan struct{}
	done     chan struct{}
}

// New makes a node at a port, such as /dev/serial/by-id/usb-..., whether or not it is plugged in. opts may be
// nil. Its error is a devices.Advice about the name.
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
		if err := serial.ValidateSettings(path, Baud); err != nil {
			return nil, err
		}
	}
	go d.run()
	return d, nil
}

// String returns a name with the port.
func (d *Dev) String() string { return "node " + d.path }

func (d *Dev) elapsed() time.Duration { return time.Since(d.start) }

// run opens the port, again after each loss, and serves it until Halt.
func (d *Dev) run() {
	defer close(d.done)
	for {
		port, err := d.opts.Open(d.path)
		d.mu.Lock()
		if d.openErr = err; err == nil {
			d.link.NotifyOpened()
		}
		d.mu.Unlock()
		if err == nil {
			err = d.serveOpenPort(port)
			d.mu.Lock()
			d.openErr = errors.Join(err, port.Close())
			d.link.NotifyClosed()
			d.mu.Unlock()
		}
		d.notifyWaiters()
		d.reportReachability()
		select {
		case <-d.stop:
			return
		case <-time.After(openAgain):
		}
	}
}

// serveOpenPort moves bytes between port and link until the port is lost, or Halt.
func (d *Dev) serveOpenPort(port Port) error {
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for {
		d.mu.Lock()
		out := d.link.BuildOutput(d.elapsed())
		presses := d.link.DrainPresses()
		d.mu.Unlock()
		d.reportReachability()
		if d.opts.OnPress != nil {
			for _, p := range presses {
				d.opts.OnPress(p)
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
			d.link.Receive(d.elapsed(), b)
			d.mu.Unlock()
			d.notifyWaiters()
		case <-ticker.C:
		case <-d.wake:
		case <-d.stop:
			return nil
		}
	}
}

// reportReachability calls OnChange if the reason has changed.
func (d *Dev) reportReachability() {
	if d.opts.OnChange == nil {
		return
	}
	why := d.Err()
	if said := fmt.Sprint(why); said != d.reported {
		d.reported = said
		d.opts.OnChange(why)
	}
}

func (d *Dev) notifyWaiters() {
	d.mu.Lock()
	defer d.mu.Unlock()
	close(d.changed)
	d.changed = make(chan struct{})
}

// waitUntil waits until ready returns true or an error. ready is called with d.mu held.
func (d *Dev) waitUntil(ctx context.Context, op string, ready func() (ok bool, err error)) error {
	for {
		d.mu.Lock()
		ok, err := ready()
		if d.halted {
			err = errHalted
		}
		changed, why := d.changed, d.whyUnreachable()
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

// whyUnreachable returns why the node cannot be reached, nil if it can. d.mu is held.
func (d *Dev) whyUnreachable() error {
	if d.openErr != nil {
		return d.openErr
	}
	return d.link.Err()
}

// Probe waits until the node has answered and returns its Info. It fails at once when the port does not open,
// or when a node of another version answers. Its error wraps a devices.Advice where a person can do something.
func (d *Dev) Probe(ctx context.Context) (info Info, err error) {
	err = d.waitUntil(ctx, "probe", func() (bool, error) {
		info, _ = d.link.Info()
		var advice devices.Advice
		if why := d.whyUnreachable(); errors.As(why, &advice) {
			return false, why
		}
		return d.link.IsConnected(), nil
	})
	return info, err
}

// Info returns the last Info that the node sent, and false if there was none.
func (d *Dev) Info() (info Info, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.link.Info()
}

// Err returns why the node cannot be reached now, nil if it can. It is a devices.Advice where a person can do
// something.
func (d *Dev) Err() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.whyUnreachable()
}

// ReadConfig reads the configuration from the node's EEPROM.
func (d *Dev) ReadConfig(ctx context.Context) (c Config, err error) {
	d.mu.Lock()
	d.link.config = configExchange{get: true}
	d.mu.Unlock()
	d.wakeRun()
	reply, err := d.waitConfigReply(ctx, "configuration of")
	if err != nil {
		return c, err
	}
	return reply.config, nil
}

// WriteConfig writes the configuration to the node's EEPROM; the node then restarts with it.
func (d *Dev) WriteConfig(ctx context.Context, c Config) error {
	if err := c.Validate(); err != nil {
		return err
	}
	d.mu.Lock()
	d.link.QueueConfig(c)
	d.mu.Unlock()
	d.wakeRun()
	reply, err := d.waitConfigReply(ctx, "configure")
	if err == nil && reply.refused {
		err = fmt.Errorf("node: configure %s: %w", d.path, errRefused)
	}
	return err
}

func (d *Dev) waitConfigReply(ctx context.Context, op string) (r configReply, err error) {
	err = d.waitUntil(ctx, op, func() (bool, error) {
		if d.link.config.reply == nil {
			return false, nil
		}
		r = *d.link.config.reply
		d.link.config.reply = nil
		return true, nil
	})
	return r, err
}

// wakeRun makes run look for something to send.
func (d *Dev) wakeRun() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// Halt closes the port for good. Before that it gives the last frame up to 2 s to be shown. The node dims its
// light two seconds later.
func (d *Dev) Halt() error {
	ctx, cancel := context.WithTimeout(context.Background(), lastFrame)
	defer cancel()
	// A frame that does not arrive in time is not worth an error: the node dims the strip anyway.
	_ = d.waitUntil(ctx, "halt", func() (bool, error) { return !d.link.IsConnected() || d.link.strip.isNewestShown(), nil })
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

// Reader returns one reader of the node, 0 to 3, as a devices.Scanner.
func (d *Dev) Reader(i int) *Reader { return &Reader{d, i} }

// Reader is a reader of a node.
type Reader struct {
	d *Dev
	i int
}

// String returns a name with the node and the number of the reader.
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
	tags, err := r.d.link.ScanReader(r.d.elapsed(), r.i)
	if errors.Is(err, errAway) {
		err = r.d.whyUnreachable()
		if err == nil {
			err = errAway
		}
	}
	if err != nil && !errors.Is(err, devices.ErrNoise) {
		return nil, fmt.Errorf("node: scan: %w", err)
	}
	return tags, err
}

// Halt implements conn.Resource. The node keeps running.
func (r *Reader) Halt() error { return nil }

// Strip returns the strip of the node, of n pixels, as a devices.Strip.
func (d *Dev) Strip(n int) *Strip { return &Strip{d, n} }

// Strip is the strip of a node.
type Strip struct {
	d *Dev
	n int
}

// String returns a name with the node.
func (s *Strip) String() string { return fmt.Sprintf("strip of %d at %s", s.n, s.d) }

// Len returns the number of pixels.
func (s *Strip) Len() int { return s.n }

// ShowFrame stores a frame and sends it as soon as the line allows; it does not wait. It returns an error when
// the node cannot be reached, but the frame is still shown once it is back.
func (s *Strip) ShowFrame(px []devices.RGB) error { return s.queueFrame(px, nil) }

// CanMix implements devices.MixingStrip. It is false until a node that can mix has answered.
func (s *Strip) CanMix() bool {
	info, ok := s.d.Info()
	return ok && info.canMixLight()
}

// ShowMixed implements devices.MixingStrip. It stores and sends as ShowFrame does.
func (s *Strip) ShowMixed(px, parts []devices.RGB) error { return s.queueFrame(px, parts) }

func (s *Strip) queueFrame(px, parts []devices.RGB) error {
	if len(px) > s.n || s.n > MaxPixels {
		return fmt.Errorf("node: %d pixels for a strip of %d, at most %d", len(px), s.n, MaxPixels)
	}
	s.d.mu.Lock()
	defer s.d.mu.Unlock()
	if s.d.halted {
		return fmt.Errorf("node: show: %w", errHalted)
	}
	s.d.link.ShowMixed(px, parts)
	s.d.wakeRun()
	if err := s.d.whyUnreachable(); err != nil {
		return fmt.Errorf("node: show: %w", err)
	}
	return nil
}

// Halt makes the strip dark. It does not fail when the node cannot be reached: the node dims such a strip.
func (s *Strip) Halt() error {
	if err := s.ShowFrame(nil); err != nil && s.d.Err() == nil {
		return err
	}
	return nil
}

var (
	_ devices.Scanner = (*Reader)(nil)
	_ Port            = (*serial.Port)(nil)

	_ devices.MixingStrip = (*Strip)(nil)
)
