// Package plugtest lets tests plug in serial devices: at one stable name, as udev makes them, it puts a
// pseudo-terminal for each device.
//
//	s := plugtest.New(t, "usb-reader-if00")
//	far := s.Plug()           // a device is there, and this is its end of the line
//	open(s.Path)
//	s.SendText(far, "SCAN\n") // sent by the device
//	s.WaitUntil("read", ...)  // polled every millisecond, for at most Patience
//	s.Unplug(far)             // and it is gone
package plugtest

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// Patience is the longest time for a condition to become true on a slow machine.
const Patience = time.Minute

// Socket is a place to plug in one device. Only the goroutine of its test may use it.
type Socket struct {
	// Path is the name that a driver opens, whatever is plugged in.
	Path string

	t    testing.TB
	near *os.File // stays open: the far end of a line that no process has open cannot be read
}

// New makes an empty socket with a name.
func New(t testing.TB, name string) *Socket {
	t.Helper()
	return &Socket{Path: filepath.Join(t.TempDir(), name), t: t}
}

// Plug plugs in a device and returns its end of the line.
func (s *Socket) Plug() (far *os.File) {
	s.t.Helper()
	far, near, err := pty.Open()
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _, _ = far.Close(), near.Close() })
	if err := os.Symlink(near.Name(), s.Path); err != nil {
		s.t.Fatal(err)
	}
	s.near = near
	return far
}

// Unplug pulls out the device.
func (s *Socket) Unplug(far *os.File) {
	s.t.Helper()
	if err := errors.Join(far.Close(), s.near.Close(), os.Remove(s.Path)); err != nil {
		s.t.Fatal(err)
	}
}

// SendText sends text from the device's end of the line.
func (s *Socket) SendText(far *os.File, text string) {
	s.t.Helper()
	if _, err := far.WriteString(text); err != nil {
		s.t.Fatal(err)
	}
}

// WaitUntil waits for a condition, and fails the test with the name of the condition if it does not become true
// in time.
func (s *Socket) WaitUntil(what string, done func() bool) {
	s.t.Helper()
	for end := time.Now().Add(Patience); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("after %v still not: %s", Patience, what)
		}
	}
}

// WaitPortsClosed waits until no goroutine of package serial is running.
func (s *Socket) WaitPortsClosed() {
	s.t.Helper()
	buf := make([]byte, 1<<20)
	s.WaitUntil("no goroutine of a port is left", func() bool {
		return !strings.Contains(string(buf[:runtime.Stack(buf, true)]), "created by majordome/devices/serial.")
	})
}
