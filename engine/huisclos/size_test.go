package huisclos

import (
	"testing"
	"unsafe"
)

// TestStateSize: a copy of the state costs no header of memory.
func TestStateSize(t *testing.T) {
	if n := unsafe.Sizeof(state{}); n > 512 {
		t.Errorf("a state takes %d bytes", n)
	}
}
