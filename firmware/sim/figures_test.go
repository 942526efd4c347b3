//go:build simavr

package sim

import (
	"testing"
	"time"

	"majordome/devices"
	"majordome/devices/node"
)

// Aims of the node's figures. They are counted in the chip's own time, so they are the same on every computer.
const (
	aimRound     = 30 * time.Millisecond
	aimGap       = 5 * time.Microsecond
	aimUntouched = 200
)

// round measures how long a reader waits for its next turn, by the exchanges that its chip counts.
func round(w *table, fps int, during func()) time.Duration {
	const span = 2 * time.Second
	var starts, exchanges int
	quiet := 0
	px := rainbow(120, 0)
	for ms := range int(span / time.Millisecond) {
		if fps > 0 && ms*fps%1000 < fps {
			px[ms%120].R++
			w.link.ShowFrame(px)
		}
		during()
		w.step()
		// A turn is a run of exchanges. The other readers' turns come between two of them.
		if n := w.board.Readers[0].Stats().Exchanges; n != exchanges {
			if quiet > 3 {
				starts++
			}
			exchanges, quiet = n, 0
		} else {
			quiet++
		}
	}
	return span / time.Duration(starts)
}

// A node that mixes light draws it again and again, and its readers have to wait for that too.
func TestFourReadersAreScannedWhileTheLightBreathes(t *testing.T) {
	w := newTable(t)
	w.waitAgreed()
	w.configure(func(c *node.Config) { c.Pixels = 60 })
	px, parts := rainbow(60, 0), rainbow(60, 7)
	got := round(w, 0, func() {
		if w.board.Uptime()%(16*time.Millisecond) < time.Millisecond {
			px[0].R++
			w.link.ShowMixed(px, parts)
		}
	})
	t.Logf("a round takes %.1f ms, %d frames so far", float64(got.Microseconds())/1000, w.board.WS2812State().Frames)
	if got >= aimRound {
		t.Errorf("a round takes %v, want under %v", got, aimRound)
	}
}

func TestFourReadersAreScannedWithin30ms(t *testing.T) {
	for _, c := range []struct {
		name  string
		fps   int
		cards int
		aim   time.Duration // 0: logged, not checked
	}{
		{"no light", 0, 0, aimRound},
		{"30 frames a second on 120 LEDs", 30, 0, aimRound},
		{"the same, a 7-byte card on one reader", 30, 1, 0},
		{"the same, a 7-byte card on each reader", 30, 4, 0},
	} {
		w := newTable(t)
		w.waitAgreed()
		w.configure(func(c *node.Config) { c.Pixels = 120 })
		for i := range c.cards {
			w.placeTag(i, "04A1B2C3D4E5F"+string(rune('0'+i)))
		}
		frames := w.board.WS2812State().Frames
		got := round(w, c.fps, func() {})
		frames = w.board.WS2812State().Frames - frames
		t.Logf("%s: a round takes %.1f ms, %d frames in 2 s", c.name, float64(got.Microseconds())/1000, frames)
		if c.aim > 0 && got >= c.aim {
			t.Errorf("%s: a round takes %v, want under %v", c.name, got, c.aim)
		}
		if c.fps > 0 && frames < 2*c.fps-2 {
			t.Errorf("%s: %d frames shown in 2 s", c.name, frames)
		}
	}
}

// The worst that a table within its credit can do: SHOW, and behind it 110 bytes at the full speed of the line.
func TestNoByteIsLostBehindAStripUpdate(t *testing.T) {
	w := newTable(t)
	w.waitAgreed()
	w.configure(func(c *node.Config) { c.Pixels = 120 })
	w.link.ShowFrame(rainbow(120, 0))
	w.run(300 * time.Millisecond)
	before, _ := w.link.Info()
	w.link.NotifyClosed() // from here on the test plays the table
	for burst := range 50 {
		px := rainbow(120, burst)
		crc := send(w, px)
		w.board.SendToChip(node.AppendFrame(nil, []byte{0x04, byte(burst), byte(crc), byte(crc >> 8)}))
		w.board.Run(time.Duration(burst) * 31 * time.Microsecond) // so that the burst hits every part of the update
		var line []byte
		for len(line) < 110 {
			line = node.AppendFrame(line, append([]byte{0x7F}, make([]byte, max(0, min(30, 104-len(line))))...)) // unknown: skipped
		}
		w.board.SendToChip(line)
		w.board.Run(10 * time.Millisecond)
		if !w.isShowing(px) {
			t.Fatalf("burst %d: not shown", burst)
		}
	}
	w.board.ReadOutput()
	w.plug()
	w.runUntil("agreed", time.Second, w.link.IsConnected)
	after, _ := w.link.Info()
	if w.board.OverrunCount() != 0 || after.Lost != before.Lost {
		t.Errorf("%d bytes lost by the receiver, %d bytes and frames by the node", w.board.OverrunCount(), after.Lost-before.Lost)
	}
	l := w.board.WS2812State()
	t.Logf("longest gap inside a WS2812 frame %v", l.LongestGap)
	if l.LongestGap >= aimGap || l.Faults != 0 {
		t.Errorf("longest gap %v, want under %v; %d bad pulses", l.LongestGap, aimGap, l.Faults)
	}
}

// send brings all pixels to the node, slowly, and returns their CRC.
func send(w *table, px []devices.RGB) uint16 {
	crc := uint16(0xFFFF)
	for i := 0; i < len(px); i += 15 {
		body := []byte{0x03, byte(i)}
		for _, c := range px[i : i+15] {
			body = append(body, c.R, c.G, c.B)
		}
		for _, b := range body[2:] { // bit by bit: not the code under test
			crc ^= uint16(b) << 8
			for range 8 {
				if crc&0x8000 != 0 {
					crc = crc<<1 ^ 0x1021
				} else {
					crc <<= 1
				}
			}
		}
		w.board.SendToChip(node.AppendFrame(nil, body))
		w.board.Run(5 * time.Millisecond)
	}
	return crc
}

func BenchmarkSimulatedSecond(b *testing.B) {
	w := newTable(b)
	w.waitAgreed()
	for b.Loop() {
		w.run(time.Second)
	}
}
