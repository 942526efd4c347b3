package pace

import (
	"testing"
	"time"
)

var (
	_ Clock = (*Virtual)(nil)
	_ Clock = (*Real)(nil)
)

func TestVirtualMovesOnlyBySleep(t *testing.T) {
	var v Virtual
	v.Sleep(-time.Second)
	if v.Now(); v.Now() != 0 {
		t.Fatalf("the clock moved to %v without a sleep", v.Now())
	}
	v.Sleep(3 * time.Microsecond)
	if v.Now() != 3*time.Microsecond {
		t.Fatalf("after Sleep(3µs): %v", v.Now())
	}
}

func TestRealSleepsAtLeastAndDoesNotAllocate(t *testing.T) {
	c := NewReal()
	const d = 200 * time.Microsecond
	before := c.Now()
	c.Sleep(d)
	if got := c.Now() - before; got < d {
		t.Errorf("Sleep(%v) returned after %v", d, got)
	}
	if n := testing.AllocsPerRun(20, func() { c.Sleep(time.Microsecond) }); n != 0 {
		t.Errorf("Sleep allocates %v times", n)
	}
}

// BenchmarkSleep250us prints how long a sleep of 250 µs really lasts.
func BenchmarkSleep250us(b *testing.B) {
	c := NewReal()
	for b.Loop() {
		c.Sleep(250 * time.Microsecond)
	}
}
