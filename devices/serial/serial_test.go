package serial

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"majordome/devices/plugtest"
)

// bench is a port to plug devices into.
type bench struct {
	*plugtest.Socket
	t *testing.T
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{plugtest.New(t, "usb-reader-if00"), t}
	t.Cleanup(b.WaitPortsClosed)
	return b
}

func (b *bench) open() *Port {
	b.t.Helper()
	return b.openAt(1000000)
}

func (b *bench) openAt(baud int) *Port {
	b.t.Helper()
	p, err := Open(b.Path, &Opts{Baud: baud})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = p.Close() })
	return p
}

func files(t *testing.T) int {
	t.Helper()
	all, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("SKIPPED: no /proc here")
	}
	return len(all)
}

// readBytes reads chunks until it has n bytes or the port is lost.
func readBytes(t *testing.T, p *Port, n int) string {
	t.Helper()
	var all []byte
	for late := time.After(plugtest.Patience); len(all) < n; {
		select {
		case chunk, ok := <-p.Received():
			if !ok {
				return string(all)
			}
			all = append(all, chunk...)
		case <-late:
			t.Fatalf("after %v only %d of %d bytes", plugtest.Patience, len(all), n)
		}
	}
	return string(all)
}

// waitLost waits until the port is lost and returns the reason.
func waitLost(t *testing.T, p *Port) error {
	t.Helper()
	for late := time.After(plugtest.Patience); ; {
		select {
		case _, ok := <-p.Received():
			if !ok {
				return p.Err()
			}
		case <-late:
			t.Fatalf("the port is not lost after %v", plugtest.Patience)
		}
	}
}

func TestBytesArriveAsTheyWereSent(t *testing.T) {
	b := newBench(t)
	far := b.Plug()
	p := b.open()
	all := make([]byte, 256)
	for i := range all { // a terminal would swallow or translate some of these
		all[i] = byte(i)
	}
	b.SendText(far, string(all))
	if got := readBytes(t, p, len(all)); got != string(all) {
		t.Fatalf("received % x", got)
	}
	for _, part := range []string{"SC", "AN\tui", "d=04", "\n"} {
		b.SendText(far, part)
		if got := readBytes(t, p, len(part)); got != part {
			t.Fatalf("received %q, want %q", got, part)
		}
	}
	if n, err := p.Write(all); n != len(all) || err != nil {
		t.Fatalf("write: %d, %v", n, err)
	}
	got := make([]byte, len(all))
	for n := 0; n < len(got); {
		m, err := far.Read(got[n:])
		if err != nil {
			t.Fatal(err)
		}
		n += m
	}
	if !bytes.Equal(got, all) {
		t.Fatalf("sent % x", got)
	}
}

// Three read time-outs of silence are three times io.EOF for tarm.
func TestSilenceIsNoHangUp(t *testing.T) {
	b := newBench(t)
	far := b.Plug()
	p := b.open()
	select {
	case chunk, ok := <-p.Received():
		t.Fatalf("received %q, %v, %v", chunk, ok, p.Err())
	case <-time.After(3*readTimeout + hangUp):
	}
	b.SendText(far, "still here")
	if got := readBytes(t, p, 10); got != "still here" || p.Err() != nil {
		t.Fatalf("received %q, %v", got, p.Err())
	}
}

func TestHangUpInTheMiddleOfALine(t *testing.T) {
	b := newBench(t)
	far := b.Plug()
	p := b.open()
	b.SendText(far, "SCAN\tuid=04A1")
	if got := readBytes(t, p, 13); got != "SCAN\tuid=04A1" {
		t.Fatalf("received %q", got)
	}
	b.Unplug(far)
	if err := waitLost(t, p); !errors.Is(err, ErrHungUp) || !strings.Contains(err.Error(), b.Path) {
		t.Fatalf("lost with %v", err)
	}
	if n, err := p.Write([]byte("hello")); n != 0 || err == nil {
		t.Fatalf("a write to a lost port: %d, %v", n, err)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
}

// fullQueue fills the queue of chunks, so that the reading goroutine has to wait.
func fullQueue(b *bench, far *os.File, p *Port) {
	b.t.Helper()
	for i := range maxChunks + 1 {
		b.SendText(far, "x")
		b.WaitUntil("the chunk is queued", func() bool { return len(p.received) == min(i+1, maxChunks) })
	}
}

// After the hang-up every read is io.EOF at once, for ever.
func TestHangUpBetweenTwoReads(t *testing.T) {
	b := newBench(t)
	far := b.Plug()
	p := b.open()
	fullQueue(b, far, p)
	b.Unplug(far)
	if err := waitLost(t, p); !errors.Is(err, ErrHungUp) {
		t.Fatalf("lost with %v", err)
	}
}

func TestReplugUnderTheSameName(t *testing.T) {
	b := newBench(t)
	before := files(t)
	for i := range 20 {
		far := b.Plug()
		p := b.open()
		text := fmt.Sprintf("plug %d", i)
		b.SendText(far, text)
		if got := readBytes(t, p, len(text)); got != text {
			t.Fatalf("received %q, want %q", got, text)
		}
		b.Unplug(far)
		if err := waitLost(t, p); err == nil {
			t.Fatal("lost without a reason")
		}
		if _, err := Open(b.Path, nil); !errors.Is(err, os.ErrNotExist) {
			t.Fatalf("open while unplugged: %v", err)
		}
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if after := files(t); after > before {
		t.Fatalf("%d files open, %d before", after, before)
	}
}

// Close does not wait for a byte: nothing ever comes here.
func TestCloseWhileIdle(t *testing.T) {
	b := newBench(t)
	b.Plug()
	for range 5 {
		p := b.open()
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
		if err := waitLost(t, p); !errors.Is(err, ErrClosed) {
			t.Fatalf("after Close: %v", err)
		}
		if _, err := p.Write([]byte{1}); !errors.Is(err, ErrClosed) {
			t.Fatalf("write after Close: %v", err)
		}
		if err := p.Close(); err != nil {
			t.Fatalf("second Close: %v", err)
		}
	}
}

// Without a receiver of the chunks the reading goroutine waits, and must still end.
func TestCloseWithFullQueue(t *testing.T) {
	b := newBench(t)
	far := b.Plug()
	p := b.open()
	fullQueue(b, far, p)
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
}

// fill writes until the far end's buffers are full and the last write is stuck, and counts the writes.
func fill(p *Port, done *atomic.Int64) error {
	for {
		if _, err := p.Write(make([]byte, maxWrite)); err != nil {
			return err
		}
		done.Add(1)
	}
}

// clog fills the line for good: the far end's own buffer is full, so nothing more leaves the kernel's, which is full too.
func (b *bench) clog(far *os.File) {
	b.t.Helper()
	near, err := syscall.Open(b.Path, syscall.O_WRONLY|syscall.O_NOCTTY|syscall.O_NONBLOCK, 0)
	if err != nil {
		b.t.Fatal(err)
	}
	defer syscall.Close(near)
	line, err := far.SyscallConn()
	if err != nil {
		b.t.Fatal(err)
	}
	b.WaitUntil("the line is full", func() bool {
		var waiting int32
		_ = line.Control(func(fd uintptr) {
			_, _, _ = syscall.Syscall(syscall.SYS_IOCTL, fd, syscall.TIOCINQ, uintptr(unsafe.Pointer(&waiting)))
		})
		_, err := syscall.Write(near, make([]byte, maxWrite))
		return waiting >= 4095 && errors.Is(err, syscall.EAGAIN) // one of its 4096 bytes stays free (n_tty)
	})
}

func TestAFarEndThatTakesNothing(t *testing.T) {
	b := newBench(t)
	far := b.Plug()
	p := b.open()
	if err := fill(p, new(atomic.Int64)); !errors.Is(err, ErrStuck) {
		t.Fatalf("a stuck write ended with %v", err)
	}
	if err := waitLost(t, p); !errors.Is(err, ErrStuck) {
		t.Fatalf("lost with %v", err)
	}
	if err := p.Close(); !errors.Is(err, ErrStuck) {
		t.Fatalf("close: %v", err)
	}
	b.Unplug(far) // and the goroutine of the write ends
}

func TestCloseWhileAWriteIsStuck(t *testing.T) {
	b := newBench(t)
	far := b.Plug()
	p := b.openAt(9600) // so slow a wire that a write may be stuck for seconds
	ended := make(chan error, 1)
	b.clog(far)
	go func() { ended <- fill(p, new(atomic.Int64)) }()
	b.WaitUntil("a write is stuck", func() bool { return len(p.writing) == 1 }) // it does not end: there is no room
	if err := p.Close(); !errors.Is(err, ErrStuck) {
		t.Fatalf("close: %v", err)
	}
	if err := <-ended; !errors.Is(err, ErrClosed) {
		t.Fatalf("the write ended with %v", err)
	}
	b.Unplug(far)
}

func TestWritesAreBounded(t *testing.T) {
	b := newBench(t)
	b.Plug()
	p := b.open()
	if n, err := p.Write(make([]byte, maxWrite+1)); n != 0 || err == nil {
		t.Fatalf("write of %d bytes: %d, %v", maxWrite+1, n, err)
	}
	if err := p.Err(); err != nil {
		t.Fatalf("and the port is lost: %v", err)
	}
}

// Open and Close of an idle port: compared with Open, Close takes at most one read time-out more.
func BenchmarkOpenClose(b *testing.B) {
	s := plugtest.New(b, "usb-reader-if00")
	s.Plug()
	for b.Loop() {
		p, err := Open(s.Path, nil)
		if err != nil {
			b.Fatal(err)
		}
		if err := p.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
