package mqttguard

import (
	"encoding/binary"
	"fmt"
	"maps"
	"runtime"
	"strings"
	"sync"
	"time"
)

// Counts counts events by reason and limits their log to one line per reason and LogInterval. The zero value is ready; it is safe for
// concurrent use.
type Counts struct {
	mu     sync.Mutex
	n      map[string]uint64
	logged map[string]time.Time
}

// LogInterval is the shortest time between two log lines for the same reason.
const LogInterval = time.Minute

// CountReason counts an event and returns how often its reason has occurred. logNow reports whether the caller should log it now.
func (c *Counts) CountReason(reason string) (n uint64, logNow bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == nil {
		c.n, c.logged = map[string]uint64{}, map[string]time.Time{}
	}
	c.n[reason]++
	now := time.Now()
	if logNow = now.Sub(c.logged[reason]) >= LogInterval; logNow {
		c.logged[reason] = now
	}
	return c.n[reason], logNow
}

// Totals returns a copy of the counts, by reason.
func (c *Counts) Totals() map[string]uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := make(map[string]uint64, len(c.n))
	maps.Copy(all, c.n)
	return all
}

// SplitString reads the string at the start of b, with its two length bytes, and returns the rest of b (MQTT 3.1.1 section 1.5.3).
func SplitString(b []byte) (s string, rest []byte, ok bool) {
	if len(b) < 2 {
		return "", nil, false
	}
	n := 2 + int(binary.BigEndian.Uint16(b))
	if len(b) < n {
		return "", nil, false
	}
	return string(b[2:n]), b[n:], true
}

// PanicLocation returns the function and line that panicked; call it from the deferred function that recovers. It leaves out the text of
// the panic, which may quote a packet.
func PanicLocation() string {
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "runtime.") || !more {
			return fmt.Sprintf("%s:%d", f.Function, f.Line)
		}
	}
}
