//go:build simavr

package sim

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/creack/pty"
)

// Live is a board on a pseudo-terminal with a stable name, at the speed of the computer's clock, or slower on a
// busy machine. It is for tests that run the daemon's own port and clock. Its readers may be changed from any
// goroutine, everything else through WithBoard.
type Live struct {
	// Path is the name of the port.
	Path string

	mu        sync.Mutex
	board     *Board
	far, near *os.File // near stays open: a line that no process has open cannot be read
	in        chan []byte
	quit      chan struct{}
	ended     chan struct{}
}

// NewLive makes a board with the image at a path, and plugs it in at another.
func NewLive(image, path string) (*Live, error) {
	b, err := NewBoard(image)
	if err != nil {
		return nil, err
	}
	v := &Live{Path: path, board: b, in: make(chan []byte, 1024), quit: make(chan struct{}), ended: make(chan struct{})}
	if err := v.Plug(); err != nil {
		b.Close()
		return nil, err
	}
	go v.run()
	return v, nil
}

// WithBoard calls f while the board is stopped. f must not keep the board.
func (v *Live) WithBoard(f func(*Board)) {
	v.mu.Lock()
	defer v.mu.Unlock()
	f(v.board)
}

// Plug connects a new pseudo-terminal under the name of the port.
func (v *Live) Plug() error {
	far, near, err := pty.Open()
	if err != nil {
		return fmt.Errorf("sim: plug: %w", err)
	}
	if err := os.Symlink(near.Name(), v.Path); err != nil {
		return errors.Join(fmt.Errorf("sim: plug: %w", err), far.Close(), near.Close())
	}
	v.mu.Lock()
	v.far, v.near = far, near
	v.mu.Unlock()
	go func() {
		for {
			buf := make([]byte, 256)
			n, err := far.Read(buf)
			if err != nil {
				return
			}
			v.in <- buf[:n]
		}
	}()
	return nil
}

// Unplug pulls the cable. The board stays powered.
func (v *Live) Unplug() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	return errors.Join(v.far.Close(), v.near.Close(), os.Remove(v.Path))
}

// Close unplugs and frees the board.
func (v *Live) Close() {
	close(v.quit)
	<-v.ended
	_ = v.Unplug() // it may be unplugged already
	v.board.Close()
}

// run keeps the chip's time level with the computer's, a millisecond at a time.
func (v *Live) run() {
	defer close(v.ended)
	start := time.Now()
	for {
		select {
		case <-v.quit:
			return
		case b := <-v.in:
			v.mu.Lock()
			v.board.SendToChip(b)
			v.mu.Unlock()
			continue
		default:
		}
		v.mu.Lock()
		v.board.Run(time.Millisecond)
		if out := v.board.ReadOutput(); len(out) > 0 {
			_, _ = v.far.Write(out) // lost when unplugged, as on a real line
		}
		ahead := v.board.Uptime() - time.Since(start)
		v.mu.Unlock()
		if ahead > 0 {
			time.Sleep(ahead)
		} else if ahead < -100*time.Millisecond {
			start = start.Add(-ahead) // the computer is too slow: do not catch up
		}
	}
}
