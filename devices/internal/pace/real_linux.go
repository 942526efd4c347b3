package pace

import (
	"os"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

// Real is the monotonic clock of this computer. Each user makes its own.
type Real struct {
	start time.Time

	mu    sync.Mutex
	timer *os.File // a timerfd; nil if the kernel refused one
	fd    uintptr
	buf   [8]byte
	spec  itimerspec
}

// itimerspec is the kernel's struct itimerspec (timerfd_settime(2)).
type itimerspec struct{ interval, value syscall.Timespec }

// NewReal starts a clock at zero. Its timer is released with the clock.
func NewReal() *Real {
	c := &Real{start: time.Now()}
	const monotonic = 1
	fd, _, errno := syscall.Syscall(syscall.SYS_TIMERFD_CREATE, monotonic, syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if errno == 0 {
		c.fd, c.timer = fd, os.NewFile(fd, "timerfd")
	}
	return c
}

// Now implements Clock.
func (c *Real) Now() time.Duration { return time.Since(c.start) }

// Sleep implements Clock.
func (c *Real) Sleep(d time.Duration) {
	if d <= 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timer == nil {
		time.Sleep(d)
		return
	}
	// The spec is a field of the clock: on the stack it would escape, and a poll may not allocate.
	c.spec.value = syscall.NsecToTimespec(int64(d))
	_, _, errno := syscall.Syscall6(syscall.SYS_TIMERFD_SETTIME, c.fd, 0, uintptr(unsafe.Pointer(&c.spec)), 0, 0, 0)
	if errno != 0 {
		time.Sleep(d)
		return
	}
	if _, err := c.timer.Read(c.buf[:]); err != nil {
		time.Sleep(d)
	}
}
