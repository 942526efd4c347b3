package guard

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"strings"
	"time"
)

// Bucket is a token bucket: it fills with a rate a second up to a burst. One goroutine uses it.
type Bucket struct {
	rate, burst, level float64
	at                 time.Time
}

// NewBucket is a full one.
func NewBucket(rate, burst float64) Bucket {
	return Bucket{rate: rate, burst: burst, level: burst, at: time.Now()}
}

func (b *Bucket) fill() {
	now := time.Now()
	b.level = min(b.burst, b.level+b.rate*now.Sub(b.at).Seconds())
	b.at = now
}

// Take removes n tokens; false, and nothing removed, if there are not so many.
func (b *Bucket) Take(n float64) bool {
	if b.fill(); b.level < n {
		return false
	}
	b.level -= n
	return true
}

// Owe removes n tokens, also those that are not there yet, and tells after how long they will be.
func (b *Bucket) Owe(n float64) time.Duration {
	b.fill()
	b.level -= n
	return time.Duration(max(0, -b.level) / b.rate * float64(time.Second))
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
