package logs

import (
	"bytes"
	"sync"
)

// maxTail is the number of bytes of the log that are kept for a bundle.
const maxTail = 48 << 10

// Tail keeps the end of the log, in complete lines, for a bundle. Its zero value is empty; nil is always
// empty. What may leak: the contents of the log.
type Tail struct {
	mu   sync.Mutex
	text []byte
}

// Write implements io.Writer; it never fails.
func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.text = append(t.text, p...); len(t.text) > 2*maxTail {
		t.text = append(make([]byte, 0, 2*maxTail), completeLinesWithinTail(t.text)...)
	}
	return len(p), nil
}

// completeLinesWithinTail returns the complete lines within the last maxTail bytes.
func completeLinesWithinTail(text []byte) []byte {
	if len(text) <= maxTail {
		return text
	}
	text = text[len(text)-maxTail-1:]
	return text[bytes.IndexByte(text, '\n')+1:]
}

func (t *Tail) String() string {
	if t == nil {
		return ""
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(completeLinesWithinTail(t.text))
}
