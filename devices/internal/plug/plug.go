// Package plug is for tests: a place to plug serial devices in, one stable name
// as udev makes them, with a pseudo-terminal behind it for each device.
//
//	s := plug.New(t, "usb-reader-if00")
//	far := s.Plug()       // a device is there, and this is its end of the line
//	open(s.Path)
//	s.Say(far, "SCAN\n")  // what it says
//	s.Until("heard", ...) // polled every millisecond, for at most Patience
//	s.Unplug(far)         // and it is gone
package plug

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

// Patience is how long a condition may take to come true on a slow machine.
const Patience = time.Minute

// Socket is one place. It belongs to the goroutine of its test.
type Socket struct {
	// Path is the name that a driver opens, whatever is plugged in.
	Path string

	t    testing.TB
	near *os.File // stays open: a line that nobody holds cannot be read at the far end
}

// New is an empty socket of a name.
func New(t testing.TB, name string) *Socket {
	t.Helper()
	return &Socket{Path: filepath.Join(t.TempDir(), name), t: t}
}

// Plug puts a device in and returns its end of the line.
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

// Unplug pulls the device out.
func (s *Socket) Unplug(far *os.File) {
	s.t.Helper()
	if err := errors.Join(far.Close(), s.near.Close(), os.Remove(s.Path)); err != nil {
		s.t.Fatal(err)
	}
}

// Say sends text from the device's end of the line.
func (s *Socket) Say(far *os.File, text string) {
	s.t.Helper()
	if _, err := far.WriteString(text); err != nil {
		s.t.Fatal(err)
	}
}

// Until waits for a condition and names it if it does not come true in time.
func (s *Socket) Until(what string, done func() bool) {
	s.t.Helper()
	for end := time.Now().Add(Patience); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("after %v still not: %s", Patience, what)
		}
	}
}

// NoPortLeft waits until no goroutine of package serial runs any more.
func (s *Socket) NoPortLeft() {
	s.t.Helper()
	buf := make([]byte, 1<<20)
	s.Until("no goroutine of a port is left", func() bool {
		return !strings.Contains(string(buf[:runtime.Stack(buf, true)]), "created by majordome/devices/serial.")
	})
}
