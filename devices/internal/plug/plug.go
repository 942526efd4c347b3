// Package plug is for tests: a place to plug serial devices in, one stable name
// as udev makes them, with a pseudo-terminal behind it for each device.
//
//	s := plug.New(t, "usb-reader-if00")
//	far := s.Plug()       // a device is there, and this is its end of the line
//	open(s.Path)
//	s.Unplug(far)         // and it is gone
package plug

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/creack/pty"
)

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
