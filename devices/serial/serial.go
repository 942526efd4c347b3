package serial

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"syscall"
	"time"

	tarm "github.com/tarm/serial"
)

const (
	// readTimeout is the shortest time that the terminal's VTIME can count (termios(3)).
	readTimeout = 100 * time.Millisecond
	// A read that ends without bytes in less than hangUp is no silence: the device has hung up.
	hangUp = 50 * time.Millisecond

	maxChunk  = 256
	maxChunks = 64
	maxWrite  = 1024
	// kernelBuffer may be full of earlier bytes, which have to be sent first.
	kernelBuffer = 4096

	// closeWrite is the time that Close leaves to a running write.
	closeWrite = 100 * time.Millisecond
	// limitTicks is the number of ticks in a time limit. A machine that was stopped for longer counts one tick
	// only, so the limit does not end early.
	limitTicks = 10
)

var (
	// ErrHungUp reports that the device of a port was pulled out or switched off.
	ErrHungUp = errors.New("hung up: the device was unplugged or has restarted")
	// ErrStuck reports that the far end of a port accepts no bytes.
	ErrStuck = errors.New("the far end takes no bytes")
	// ErrClosed reports that Close was called.
	ErrClosed = errors.New("closed")
)

// Opts sets up a port.
type Opts struct {
	// Baud is the speed in bits per second, one that ValidateSettings accepts; 0 means 115200.
	Baud int
	// Device is the kind of device, for the message that the port is missing.
	Device Device
}

// Port is an open serial port. Its methods are safe for concurrent use.
//
// Invariants:
//  1. Only the reading goroutine closes the file, after its last read.
//  2. Received is closed once, after the last chunk; from then on Err returns the reason.
//  3. The first reason stays.
type Port struct {
	path string
	baud int
	wire *tarm.Port

	received chan []byte
	stop     chan struct{} // closed when the port is lost or closed
	released chan struct{} // closed when the file is closed

	writing chan struct{} // of capacity 1: full while a write runs

	mu       sync.Mutex
	err      error // why stop is closed
	closeErr error // of closing the file
}

// Open opens the port at path. Its error is a devices.Advice about the name or the speed, or with a list of the
// ports of this computer.
func Open(path string, opts *Opts) (*Port, error) {
	var o Opts
	if opts != nil {
		o = *opts
	}
	if o.Baud == 0 {
		o.Baud = DefaultBaud
	}
	if err := ValidateSettings(path, o.Baud); err != nil {
		return nil, err
	}
	wire, err := tarm.OpenPort(&tarm.Config{Name: path, Baud: o.Baud, ReadTimeout: readTimeout})
	if err != nil {
		return nil, openAdvice(path, o.Device, err)
	}
	p := &Port{path: path, baud: o.Baud, wire: wire, received: make(chan []byte, maxChunks),
		stop: make(chan struct{}), released: make(chan struct{}), writing: make(chan struct{}, 1)}
	go p.readLoop()
	return p, nil
}

// String returns the name under which the port was opened.
func (p *Port) String() string { return p.path }

// Received returns the channel of the received bytes, in order, in chunks that the caller may store. It is
// closed when the port is lost or closed, after everything that arrived before.
func (p *Port) Received() <-chan []byte { return p.received }

// Err returns why the port is lost: it wraps ErrHungUp, ErrStuck, ErrClosed or an error of the system. It is
// nil while the port works.
func (p *Port) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// markLost stores the reason, unless there is one already, and stops the goroutines.
func (p *Port) markLost(op string, cause error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil {
		p.err = fmt.Errorf("serial: %s %s: %w", op, p.path, cause)
		close(p.stop)
	}
}

// readLoop reads until the port is lost or closed, and then closes the file.
func (p *Port) readLoop() {
	defer close(p.released)
	defer p.closeFileOnce()
	defer close(p.received)
	var buf [maxChunk]byte
	for {
		start := time.Now()
		n, err := p.wire.Read(buf[:])
		if n > 0 {
			select {
			case p.received <- append([]byte(nil), buf[:n]...):
			case <-p.stop:
				return
			}
		}
		switch {
		case n > 0 && err == nil:
		case errors.Is(err, syscall.EIO), errors.Is(err, io.EOF) && time.Since(start) < hangUp:
			p.markLost("read", ErrHungUp) // EIO ends a read that waits, io.EOF those after it
		case !errors.Is(err, io.EOF):
			p.markLost("read", err)
		}
		select {
		case <-p.stop:
			return
		default:
		}
	}
}

// closeFileOnce closes the file. A stuck write keeps the file open until the device accepts the bytes or is
// pulled out; no call can end it (tcflush(3) does not wake it). closeFileOnce does not wait for it longer than
// closeWrite.
func (p *Port) closeFileOnce() {
	closed := make(chan error, 1)
	go func() {
		p.writing <- struct{}{} // never emptied again: no write follows
		closed <- p.wire.Close()
	}()
	limit := time.NewTicker(closeWrite / limitTicks)
	defer limit.Stop()
	for range limitTicks {
		select {
		case err := <-closed:
			p.setCloseErr(err)
			return
		case <-limit.C:
		}
	}
	p.setCloseErr(fmt.Errorf("a write has not ended: %w", ErrStuck))
}

func (p *Port) setCloseErr(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closeErr = err
}

// Write sends b, at most 1024 bytes, and returns when the kernel has all of it. If the far end accepts no bytes
// for a second longer than the line needs at this speed, the port is lost with ErrStuck.
func (p *Port) Write(b []byte) (int, error) {
	if len(b) > maxWrite {
		return 0, fmt.Errorf("serial: write %s: %d bytes at once: at most %d", p.path, len(b), maxWrite)
	}
	select {
	case p.writing <- struct{}{}:
	case <-p.stop:
		return 0, p.Err()
	}
	if err := p.Err(); err != nil {
		<-p.writing
		return 0, err
	}
	type result struct {
		n   int
		err error
	}
	done := make(chan result, 1)
	kept := append([]byte(nil), b...) // a stuck write outlives this call
	go func() {
		n, err := p.wire.Write(kept)
		<-p.writing
		done <- result{n, err}
	}()
	const bits = 10 // start, 8 data, stop
	watchdog := time.NewTicker((time.Second + time.Duration(kernelBuffer+len(b))*bits*time.Second/time.Duration(p.baud)) / limitTicks)
	defer watchdog.Stop()
	for range limitTicks {
		select {
		case r := <-done:
			if r.err != nil {
				p.markLost("write", r.err)
				return r.n, p.Err()
			}
			return r.n, nil
		case <-watchdog.C:
		case <-p.stop:
			return 0, p.Err()
		}
	}
	p.markLost("write", ErrStuck)
	return 0, p.Err()
}

// Close ends reading and writing and closes the file. It may be called at any time, more than once, and on a
// lost port. Its error is only that of closing.
func (p *Port) Close() error {
	p.markLost("use", ErrClosed)
	<-p.released
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closeErr != nil {
		return fmt.Errorf("serial: close %s: %w", p.path, p.closeErr)
	}
	return nil
}
