package guard

import (
	"encoding/binary"
	"fmt"
	"maps"
	"runtime"
	"strings"
	"sync"
	"time"
)

// Counts are how often something has happened, by reason, and when each was last told: a line of the
// log per reason and minute. The zero value counts from none; several goroutines may use it.
type Counts struct {
	mu   sync.Mutex
	n    map[string]uint64
	told map[string]time.Time
}

// TellEvery is how often a reason is told.
const TellEvery = time.Minute

// Add counts one more; due: it is to be told now.
func (c *Counts) Add(reason string) (n uint64, due bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == nil {
		c.n, c.told = map[string]uint64{}, map[string]time.Time{}
	}
	c.n[reason]++
	now := time.Now()
	if due = now.Sub(c.told[reason]) >= TellEvery; due {
		c.told[reason] = now
	}
	return c.n[reason], due
}

// All are the counts so far.
func (c *Counts) All() map[string]uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := make(map[string]uint64, len(c.n))
	maps.Copy(all, c.n)
	return all
}

// CutString reads a string with its two length bytes (MQTT 3.1.1 section 1.5.3).
func CutString(b []byte) (s string, rest []byte, ok bool) {
	if len(b) < 2 {
		return "", nil, false
	}
	n := 2 + int(binary.BigEndian.Uint16(b))
	if len(b) < n {
		return "", nil, false
	}
	return string(b[2:n]), b[n:], true
}

// Culprit names the function that panicked, for who has recovered; the panic's text may quote a packet.
func Culprit() string {
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "runtime.") || !more {
			return fmt.Sprintf("%s:%d", f.Function, f.Line)
		}
	}
}
