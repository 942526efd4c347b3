package lineread

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"majordome/devices"
	"majordome/devices/serial"
)

const maxChunks = 64 // per scan

var errHalted = errors.New("halted")

// Opts sets up a reader. The zero value is for all readers that follow the package comment.
type Opts struct {
	// Baud is the speed in bits per second; 0 means 115200.
	Baud int
	// Silence is the time without a SCAN after which a tag has left a repeating reader; 0 means 1 s.
	Silence time.Duration
	// Pulse is the time that a tag with removable=no is there; 0 means 500 ms. It should be longer than the
	// reader takes to print the same card again.
	Pulse time.Duration
}

// Dev is one reader. Its methods are safe for concurrent use.
type Dev struct {
	path  string
	baud  int
	start time.Time

	mu      sync.Mutex
	port    *serial.Port // nil: not open
	halted  bool
	rest    []byte  // unread part of the last chunk
	refused message // message that the field has refused; a remark if there is none
	lines   lineSplitter
	field   field
	tags    [1]devices.Tag
}

// New makes a reader at a port, such as /dev/serial/by-id/usb-..., whether or not it is plugged in. Its error
// is a devices.Advice about name or speed, or an error about negative times.
func New(path string, opts *Opts) (*Dev, error) {
	var o Opts
	if opts != nil {
		o = *opts
	}
	if o.Silence < 0 || o.Pulse < 0 {
		return nil, fmt.Errorf("lineread: %s: a negative silence or pulse", path)
	}
	if o.Baud == 0 {
		o.Baud = serial.DefaultBaud
	}
	if o.Silence == 0 {
		o.Silence = time.Second
	}
	if o.Pulse == 0 {
		o.Pulse = 500 * time.Millisecond
	}
	if err := serial.ValidateSettings(path, o.Baud); err != nil {
		return nil, err
	}
	return &Dev{path: path, baud: o.Baud, start: time.Now(), field: field{silence: o.Silence, pulse: o.Pulse}}, nil
}

// String returns a name with the port.
func (d *Dev) String() string { return "serial reader " + d.path }

// Probe opens the port if it is not open. Its error is a devices.Advice that lists the ports of this computer.
// That the port opens proves nothing about the reader.
func (d *Dev) Probe() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.openPort()
}

func (d *Dev) openPort() error {
	if d.halted {
		return fmt.Errorf("lineread: %s: %w", d.path, errHalted)
	}
	if d.port != nil {
		return nil
	}
	port, err := serial.Open(d.path, &serial.Opts{Baud: d.baud, Device: serial.Reader})
	if err != nil {
		return err
	}
	d.port, d.lines = port, lineSplitter{}
	d.field.noteReaderRestart(time.Since(d.start))
	return nil
}

// Scan implements devices.Scanner: the lines since the last call decide. It opens the port when it is not open,
// and fails while that is not possible.
func (d *Dev) Scan(ctx context.Context) ([]devices.Tag, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("lineread: scan %s: %w", d.path, err)
	}
	if err := d.openPort(); err != nil {
		return nil, err
	}
	now := time.Since(d.start)
	noisy, lost := d.readLines(now)
	if lost && !d.field.hasUnshown() && !noisy { // its last lines come first
		return nil, d.closeLostPort()
	}
	tags := d.tags[:0]
	if tag, ok := d.field.nextSnapshot(now); ok {
		tags = append(tags, tag)
	}
	if noisy {
		return tags, devices.ErrNoise
	}
	return tags, nil
}

// closeLostPort closes a lost port and returns why it was lost.
func (d *Dev) closeLostPort() error {
	err := errors.Join(d.port.Err(), d.port.Close())
	d.port = nil
	return fmt.Errorf("lineread: %w", err)
}

// readLines reads the lines that have arrived, up to one that has to wait for the next snapshot. noisy: one of
// them was noise; lost: the port was lost.
func (d *Dev) readLines(now time.Duration) (noisy, lost bool) {
	d.field.applyUnlessPending(now, d.refused)
	d.refused, d.lines.at = message{}, now
	for range maxChunks {
		for len(d.rest) > 0 {
			m, _ := d.lines.nextMessage(&d.rest)
			if m.kind == noise {
				noisy = true
			} else if !d.field.applyUnlessPending(now, m) {
				d.refused = m
				return noisy, false
			}
		}
		select {
		case chunk, ok := <-d.port.Received():
			if !ok {
				return noisy, true
			}
			d.rest = chunk
		default:
			return noisy, false
		}
	}
	return noisy, false
}

// LineStats returns the counts since the port was opened, and the last lines; all is zero while it is not open.
func (d *Dev) LineStats() LineStats {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.port == nil {
		return LineStats{}
	}
	return d.lines.LineStats()
}

// Halt closes the port for good.
func (d *Dev) Halt() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.halted = true
	if d.port == nil {
		return nil
	}
	err := d.port.Close()
	d.port = nil
	if err != nil {
		return fmt.Errorf("lineread: halt: %w", err)
	}
	return nil
}
