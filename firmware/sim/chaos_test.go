//go:build simavr

package sim

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"majordome/devices"
)

// chaos is an evening with every fault of a cable, with cards that come and go meanwhile.
type chaos struct {
	*table
	rng    *rand.Rand
	cards  [4]devices.UID // on the readers; the zero UID is none
	change [4]time.Duration
	want   [4][]string // the events that must have been reported, in order
	serial uint32
	worst  time.Duration
	px     []devices.RGB
	mixes  bool // px is shown with parts: each channel as it is, or a step brighter
}

func (c *chaos) lit() bool {
	if !c.mixes {
		return c.isShowing(c.px)
	}
	return slices.EqualFunc(c.board.WS2812State().Pixels, c.px, func(got, want devices.RGB) bool {
		return got.R-want.R <= 1 && got.G-want.G <= 1 && got.B-want.B <= 1 // of uint8: nothing below
	})
}

// noisy is a line that flips, loses and invents bytes.
func (c *chaos) noisy(rate float64) func([]byte) []byte {
	return func(b []byte) []byte {
		out := make([]byte, 0, len(b)+4)
		for _, v := range b {
			if c.rng.Float64() >= rate {
				out = append(out, v)
				continue
			}
			switch c.rng.IntN(4) {
			case 0, 1:
				out = append(out, v^1<<c.rng.IntN(8))
			case 2:
				out = append(out, v, byte(c.rng.Uint32()))
			}
		}
		return out
	}
}

// cardsMove puts cards down and takes them away. Each card stays, and each reader is empty, for at least stay.
func (c *chaos) cardsMove() {
	const stay = 1500 * time.Millisecond
	now := c.board.Uptime()
	for i := range c.cards {
		if now < c.change[i] {
			continue
		}
		c.change[i] = now + stay + time.Duration(c.rng.IntN(2000))*time.Millisecond
		if u := c.cards[i]; u != (devices.UID{}) {
			c.board.Readers[i].RemoveTag(u)
			c.want[i] = append(c.want[i], "-"+u.String())
			c.cards[i] = devices.UID{}
			continue
		}
		c.serial++
		u := c.placeTag(i, fmt.Sprintf("04%02X%010X", i, c.serial))
		c.cards[i] = u
		c.want[i] = append(c.want[i], "+"+u.String())
	}
}

func (c *chaos) pass(d time.Duration) {
	for end := c.board.Uptime() + d; c.board.Uptime() < end; {
		c.cardsMove()
		c.step()
	}
}

// recovers waits until table and node agree, light included, and allows one second for it.
func (c *chaos) recovers(fault string) {
	c.t.Helper()
	start := c.board.Uptime()
	for !c.agreed() || !c.lit() {
		if c.board.Uptime()-start > time.Second {
			c.t.Fatalf("%v: after %s node and table do not agree within 1 s (link: %v, light: %v)",
				c.board.Uptime(), fault, c.link.Err(), c.lit())
		}
		c.cardsMove()
		c.step()
	}
	c.worst = max(c.worst, c.board.Uptime()-start)
}

func (c *chaos) fault() (name string) {
	ms := func(least, most int) time.Duration {
		return time.Duration(least+c.rng.IntN(most-least)) * time.Millisecond
	}
	switch c.rng.IntN(6) {
	case 0:
		name = "a noisy line"
		c.toNode, c.toTable = c.noisy(0.02), c.noisy(0.02)
		c.pass(ms(100, 3000))
	case 1:
		name = "a line of garbage"
		garbage := func([]byte) []byte {
			b := make([]byte, c.rng.IntN(50))
			for i := range b {
				b[i] = byte(c.rng.Uint32())
			}
			return b
		}
		c.toNode, c.toTable = garbage, garbage
		c.pass(ms(50, 1000))
	case 2:
		name = "a pulled cable, the node powered"
		c.unplug()
		c.pass(ms(20, 4000))
		c.plug()
	case 3:
		name = "a brown-out"
		c.board.Reset(BrownOut)
		for _, r := range c.board.Readers {
			r.Unplug(0)
			r.Plug()
		}
	case 4:
		name = "a hung program"
		c.board.HangProgram()
		c.pass(260 * time.Millisecond) // the watchdog's 250 are not the table's fault
	case 5:
		name = "a pulled cable that carried the power"
		c.unplug()
		c.pass(ms(20, 500))
		c.board.ReadOutput()
		c.board.Reset(PowerOn)
		c.plug()
	}
	c.toNode, c.toTable = nil, nil
	return name
}

func TestAnEveningOfFaults(t *testing.T) {
	seed := uint64(20110)
	if s, err := strconv.ParseUint(os.Getenv("MAJORDOME_SEED"), 10, 64); err == nil {
		seed = s
	}
	evening := 30 * time.Second
	if soak() {
		evening = 10 * time.Minute
	}
	t.Logf("seed %d, %v of the chip's time: repeat with MAJORDOME_SEED=%[1]d; MAJORDOME_SOAK=1 makes it 10 minutes", seed, evening)
	w := newTable(t)
	w.waitAgreed()
	c := &chaos{table: w, rng: rand.New(rand.NewPCG(seed, 2)), px: rainbow(60, 0)}
	faults := map[string]int{}
	for phase := 0; w.board.Uptime() < evening; phase++ {
		c.px = rainbow(60, phase)
		if c.mixes = phase%2 == 1; c.mixes {
			w.link.ShowMixed(c.px, rainbow(60, 3*phase))
		} else {
			w.link.ShowFrame(c.px)
		}
		c.pass(time.Duration(500+c.rng.IntN(1500)) * time.Millisecond)
		name := c.fault()
		c.recovers(name)
		faults[name]++
	}
	for i := range c.change {
		c.change[i] = 1 << 62 // no more cards
	}
	c.pass(2 * time.Second)
	for i, want := range c.want {
		// If a card replaced another while no reader could look, its arrival is reported before the other's departure, as by a local
		// reader. So arrivals and departures are each in order.
		for _, sign := range []string{"+", "-"} {
			not := func(e string) bool { return !strings.HasPrefix(e, sign) }
			got, want := slices.DeleteFunc(slices.Clone(w.events[i]), not), slices.DeleteFunc(slices.Clone(want), not)
			if !slices.Equal(got, want) {
				t.Errorf("reader %d was told\n%v, want\n%v", i, got, want)
			}
		}
	}
	t.Logf("%v; %d cards; agreed again after %v at the latest; %d resets; %d bytes of stack never touched",
		faults, c.serial, c.worst.Round(time.Millisecond), w.board.ResetCount(), w.board.UntouchedRAM())
	if n := w.board.UntouchedRAM(); n <= aimUntouched {
		t.Errorf("%d bytes between static memory and stack, want more than %d", n, aimUntouched)
	}
	if l := w.board.WS2812State(); l.Faults > faults["a brown-out"]+faults["a pulled cable that carried the power"] ||
		l.LongestGap >= aimGap {
		t.Errorf("strip: %d bad pulses, longest gap %v", l.Faults, l.LongestGap)
	}
}
