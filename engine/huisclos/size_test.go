package huisclos

import (
	"testing"
	"unsafe"
)

// TestStateSize: a state has at most 512 bytes, so that its copies need no header of the allocator.
func TestStateSize(t *testing.T) {
	if n := unsafe.Sizeof(state{}); n > 512 {
		t.Errorf("a state takes %d bytes", n)
	}
}
