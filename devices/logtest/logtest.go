// Package logtest gives tests a buffer for a program's output that can be read while the program writes.
package logtest

import (
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is the longest time that WaitFor waits: longer than any busy machine needs.
const patience = time.Minute

// Buffer is an io.Writer that may be read at any time.
type Buffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (x *Buffer) Write(b []byte) (int, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.text.Write(b)
}

func (x *Buffer) String() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.text.String()
}

// WaitFor waits until the text contains want, and fails the test after a minute.
func (x *Buffer) WaitFor(t testing.TB, want string) {
	t.Helper()
	for end := time.Now().Add(patience); !strings.Contains(x.String(), want); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%q is not in\n%s", want, x)
		}
	}
}
