package node

import (
	"testing"
	"time"
)

// uart returns the bytes that a receiver of another speed reads from our line, sampled as the ATmega328P does (data sheet, 20.8.2): eight
// samples a bit from the falling edge on, of which the majority of the fourth to the sixth counts.
func uart(line []byte, bit time.Duration) (heard []byte) {
	const ours = time.Second / Baud
	high := func(at time.Duration) bool {
		n := int(at / (10 * ours))
		if n >= len(line) {
			return true
		}
		switch b := int(at / ours % 10); b {
		case 0:
			return false
		case 9:
			return true
		default:
			return line[n]>>(b-1)&1 != 0
		}
	}
	const step = 100 * time.Nanosecond
	end := time.Duration(len(line)) * 10 * ours
	for at := time.Duration(0); at < end; at += step {
		if high(at) || at > 0 && !high(at-step) {
			continue // no falling edge
		}
		center := func(n int) bool {
			votes := 0
			for _, sample := range []time.Duration{7, 9, 11} { // sixteenths of a bit
				if high(at + time.Duration(n)*bit + sample*bit/16) {
					votes++
				}
			}
			return votes > 1
		}
		if center(0) {
			continue
		}
		c := byte(0)
		for n := range 8 {
			if center(n + 1) {
				c |= 1 << n
			}
		}
		heard = append(heard, c)
		at += 9*bit + bit*11/16
	}
	return heard
}

// A node that has just been opened is in its boot loader for a second, and listens at 115200 or 57600 baud. The bytes it reads from our ASK
// must be none of its commands: Optiboot erases a page at the fourth character of one that begins with a d.
func TestABootLoaderHearsNoCommand(t *testing.T) {
	if got := uart([]byte("Ud"), time.Second/Baud); string(got) != "Ud" {
		t.Fatalf("the receiver of this test hears %q", got)
	}
	for session := range 300 {
		l := NewLink(uint16(session))
		l.NotifyOpened()
		asks := 0
		for now := time.Duration(0); asks < 4; now += tick {
			ask := l.BuildOutput(now)
			if len(ask) == 0 {
				continue
			}
			asks++
			for _, c := range []struct{ baud, must int }{{115200, 2}, {57600, 1}} {
				for permille := -30; permille <= 30; permille += 5 {
					bit := time.Second / time.Duration(c.baud) * time.Duration(1000+permille) / 1000
					heard := uart(ask, bit)
					if len(heard) < c.must {
						t.Fatalf("%d baud: it hears only % x", c.baud, heard)
					}
					for _, b := range heard[:c.must] {
						if b < 0x80 {
							t.Fatalf("%d baud, %+d per mille, session %d: it hears % x", c.baud, permille, session, heard)
						}
					}
				}
			}
		}
	}
}
