//go:build simavr

package sim

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
	"time"

	"majordome/devices"
	"majordome/devices/mfrc522/mfrc522sim"
	"majordome/devices/node"
)

func TestCardsAreNamedOnEveryReader(t *testing.T) {
	w := newTable(t)
	w.waitAgreed()
	uids := []string{"DEADBEEF", "04A1B2C3D4E5F6", "04A1B2C3D4E5F6070809", "01020304"}
	for i, uid := range uids {
		w.placeTag(i, uid)
	}
	w.run(200 * time.Millisecond)
	for i, uid := range uids {
		if got := w.takeEvents(i); got != "+"+uid {
			t.Errorf("reader %d: %q, want +%s", i, got, uid)
		}
	}
	w.run(2 * time.Second)
	for i, uid := range uids {
		if got := w.takeEvents(i); got != "" {
			t.Errorf("reader %d, while the card lay still: %s", i, got)
		}
		u, _ := devices.ParseUID(uid)
		w.board.Readers[i].RemoveTag(u)
	}
	w.run(600 * time.Millisecond)
	for i, uid := range uids {
		if got := w.takeEvents(i); got != "-"+uid {
			t.Errorf("reader %d: %q, want -%s", i, got, uid)
		}
	}
	if n := w.board.ClashCount(); n != 0 {
		t.Errorf("%d bytes with none or several readers selected", n)
	}
}

// The readers of one node form a group of their own: with all coils side by side each reads its own card and reports no noise.
func TestCoilsSideBySideAtANode(t *testing.T) {
	w := newTable(t)
	for i, a := range w.board.Readers {
		for _, b := range w.board.Readers[:i] {
			a.PlaceNear(b)
		}
	}
	w.waitAgreed()
	for i := range w.board.Readers {
		u := mustUID(t, "041111222233", i)
		w.placeTag(i, u.String())
		w.runUntil("it is named", 2*time.Second, func() bool { return len(w.events[i]) > 0 })
		w.run(5 * time.Second)
		w.board.Readers[i].RemoveTag(u)
		w.run(time.Second)
		if got, want := w.takeEvents(i), "+"+u.String()+" -"+u.String(); got != want {
			t.Errorf("reader %d: %q, want %q", i, got, want)
		}
	}
}

func TestStackedCardsAreToldApart(t *testing.T) {
	w := newTable(t)
	w.waitAgreed()
	w.placeTag(1, "04A1B2C3D4E5F6")
	w.placeTag(1, "04A1B2C3D4E5F7")
	w.placeTag(1, "DEADBEEF")
	w.run(300 * time.Millisecond)
	got := slices.Sorted(slices.Values(w.events[1]))
	if !slices.Equal(got, []string{"+04A1B2C3D4E5F6", "+04A1B2C3D4E5F7", "+DEADBEEF"}) {
		t.Errorf("%v", got)
	}
}

// A single reader leaves its field on and is polled without the 5 ms that a field needs to settle.
func TestAFallingCardIsSeenByASingleReader(t *testing.T) {
	w := newTable(t)
	w.waitAgreed()
	w.configure(func(c *node.Config) { c.Select = [4]node.Pin{10} })
	drops := cardCount(50)
	for i := range drops {
		uid := devices.UID{}
		uid, _ = devices.MakeUID([]byte{4, byte(i), 3, 4, 5, 6, 7})
		tag := mfrc522sim.Tag{UID: uid, Boot: 5 * time.Millisecond, Stay: 17 * time.Millisecond}
		if err := w.board.Readers[0].PlaceTags(tag); err != nil {
			t.Fatal(err)
		}
		w.run(400*time.Millisecond + time.Duration(i)*7*time.Millisecond)
		if got, want := w.takeEvents(0), "+"+uid.String()+" -"+uid.String(); got != want {
			t.Errorf("drop %d: %q, want %s", i, got, want)
		}
	}
}

// Cards that fell before may stay within reach: known cards are silent, and asked for in between.
func TestACardFallsOntoAPileOfASingleReader(t *testing.T) {
	w := newTable(t)
	w.waitAgreed()
	w.configure(func(c *node.Config) { c.Select = [4]node.Pin{10} })
	const lying = 12
	drops := cardCount(30)
	for i := range lying {
		w.placeTag(0, mustUID(t, "041111222233", i).String())
	}
	w.runUntil("all known", 2*time.Second, func() bool { return len(w.events[0]) == lying })
	w.takeEvents(0)
	for i := range drops {
		uid, _ := devices.MakeUID([]byte{4, byte(i), 3, 4, 5, 6, 7})
		tag := mfrc522sim.Tag{UID: uid, Boot: 5 * time.Millisecond, Stay: 17 * time.Millisecond}
		if err := w.board.Readers[0].PlaceTags(tag); err != nil {
			t.Fatal(err)
		}
		w.run(600*time.Millisecond + time.Duration(i)*7*time.Millisecond)
		if got, want := w.takeEvents(0), "+"+uid.String()+" -"+uid.String(); got != want {
			t.Errorf("drop %d: %q, want %s", i, got, want)
		}
	}
	w.board.Readers[0].RemoveTag(mustUID(t, "041111222233", 3))
	w.run(time.Second)
	if got := w.takeEvents(0); got != "-04111122223303" {
		t.Errorf("one of the pile is taken: %q", got)
	}
}

func mustUID(t *testing.T, roll string, n int) devices.UID {
	t.Helper()
	u, err := devices.ParseUID(fmt.Sprintf("%s%02X", roll, n))
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestLightIsShownToTheBit(t *testing.T) {
	w := newTable(t)
	w.waitAgreed()
	w.configure(func(c *node.Config) { c.Pixels = 120 })
	for phase := range 30 {
		px := rainbow(120, phase)
		w.link.ShowFrame(px)
		w.runUntil("shown", 300*time.Millisecond, func() bool { return w.isShowing(px) })
	}
	l := w.board.WS2812State()
	t.Logf("longest gap inside a frame %v", l.LongestGap)
	if l.Faults != 0 || l.LongestGap >= 5*time.Microsecond {
		t.Errorf("%d bad pulses, longest gap %v, want under 5µs", l.Faults, l.LongestGap)
	}
}

func TestLightOfAnAPA102(t *testing.T) {
	w := newTable(t)
	w.waitAgreed()
	w.configure(func(c *node.Config) { c.Strip, c.Clock, c.Pixels = node.APA102, 5, 100 })
	for phase := range 5 {
		px := rainbow(100, phase)
		w.link.ShowFrame(px)
		w.runUntil("shown", 300*time.Millisecond, func() bool { return slices.Equal(w.board.APA102State().Pixels, px) })
	}
	if l := w.board.APA102State(); l.Faults != 0 {
		t.Errorf("%d bad words", l.Faults)
	}
}

func TestSilenceOfTheTableDimsTheLight(t *testing.T) {
	w := newTable(t)
	w.waitAgreed()
	px := rainbow(60, 3)
	w.link.ShowFrame(px)
	w.runUntil("shown", time.Second, func() bool { return w.isShowing(px) })
	w.unplug()
	w.run(1400 * time.Millisecond)
	if !w.isShowing(px) {
		t.Error("dim too soon")
	}
	w.run(time.Second)
	dim := slices.Clone(px)
	for i, c := range dim {
		dim[i] = devices.RGB{R: c.R >> 3, G: c.G >> 3, B: c.B >> 3}
	}
	if !w.isShowing(dim) {
		t.Errorf("not dim after two seconds of silence: %v", w.board.WS2812State().Pixels[:3])
	}
	w.plug()
	w.runUntil("bright again", time.Second, func() bool { return w.isShowing(px) })
	w.board.Reset(PowerOn)
	w.runUntil("the last light after a power cut", time.Second, func() bool { return w.isShowing(px) })
}

func TestButtonsAreTold(t *testing.T) {
	w := newTable(t)
	w.waitAgreed()
	for i := range 4 {
		w.board.SetButton(i, true)
		w.run(2 * time.Millisecond)
		w.board.SetButton(i, false) // a bounce
		w.run(2 * time.Millisecond)
		w.board.SetButton(i, true)
		w.run(60 * time.Millisecond)
		w.board.SetButton(i, false)
		w.run(60 * time.Millisecond)
	}
	var last time.Duration
	for i, p := range w.presses {
		if p.Button != i/2 || p.Down != (i%2 == 0) || p.At < last {
			t.Errorf("press %d: %+v", i, p)
		}
		last = p.At
	}
	if len(w.presses) != 8 {
		t.Errorf("%d changes, want 8", len(w.presses))
	}
}

// Each event has the next number, and the time at which it was seen even if it is reported late: here a line is deaf for a second.
func TestEventsAreNumberedAndStamped(t *testing.T) {
	w := newTable(t)
	w.waitAgreed()
	at := map[uint16]time.Duration{}
	var first, last uint16
	var d node.Decoder
	w.toTable = func(b []byte) []byte {
		for _, v := range b {
			body, ok := d.DecodeByte(v)
			if !ok || body[0] != 0x83 {
				continue
			}
			n := binary.LittleEndian.Uint16(body[2:])
			stamp := time.Duration(binary.LittleEndian.Uint32(body[4:])) * time.Millisecond
			if old, again := at[n]; again && old != stamp {
				t.Errorf("event %d at %v, and again at %v", n, old, stamp)
			}
			if len(at) == 0 {
				first, last = n, n
			}
			at[n], last = stamp, max(last, n)
		}
		return b
	}
	var seen []time.Duration // when each card was put
	whole := w.toTable
	for i := range 4 {
		seen = append(seen, w.board.Uptime())
		w.placeTag(i, "0102030"+string(rune('0'+i)))
		if i == 2 {
			w.toTable = func([]byte) []byte { return nil }
			w.run(time.Second)
			w.toTable = whole
		}
		w.run(300 * time.Millisecond)
	}
	if len(at) != 4 || last-first != 3 {
		t.Fatalf("%d events, from %d to %d", len(at), first, last)
	}
	for i, put := range seen {
		if late := at[first+uint16(i)] - put; late < 0 || late > 60*time.Millisecond {
			t.Errorf("card %d was put at %v and seen %v later", i, put, late)
		}
	}
}

func TestTheConfigurationIsKept(t *testing.T) {
	w := newTable(t)
	w.waitAgreed()
	w.configure(func(c *node.Config) { c.Name, c.Select[3], c.Buttons[2] = "urn", 0, 0 })
	for _, power := range []bool{false, true} {
		if power {
			w.board.Reset(PowerOn)
			w.runUntil("agreed", time.Second, func() bool { return w.boots() == 3 && w.link.IsConnected() })
		}
		i, ok := w.link.Info()
		if !ok || i.Name != "urn" || i.Readers[3].Configured || i.Buttons != 0b1011 || !i.Readers[0].Configured {
			t.Errorf("%+v", i)
		}
	}
	if i, _ := w.link.Info(); i.Cause != node.CausePower || i.Boots != 3 || i.Firmware != [2]uint8{1, 1} {
		t.Errorf("cause %v, start %d, firmware %v", i.Cause, i.Boots, i.Firmware)
	}
}

func TestAHungProgramIsRestarted(t *testing.T) {
	w := newTable(t)
	w.waitAgreed()
	w.placeTag(2, "DEADBEEF")
	w.run(300 * time.Millisecond)
	w.board.HangProgram()
	d := w.runUntil("restarted and agreed", 2*time.Second, func() bool { return w.boots() == 2 && w.agreed() })
	if i, _ := w.link.Info(); i.Cause != node.CauseWatchdog {
		t.Errorf("cause %v", i.Cause)
	}
	w.run(500 * time.Millisecond)
	if got := w.takeEvents(2); got != "+DEADBEEF" && got != "+DEADBEEF lost back" {
		t.Errorf("the card that lay there all the time: %s", got)
	}
	t.Logf("agreed %v after the program hung; the watchdog takes 250ms of it", d)
}

// The boot loader of Nanos up to 2018 does not survive a reset by a watchdog, and never gets one: a program that hangs restarts without a
// reset, and so does one that is ordered to.
func TestAHungProgramIsRestartedUnderTheOldBootLoader(t *testing.T) {
	w := newTable(t)
	w.board.InstallOldLoader()
	w.runUntil("agreed", 5*time.Second, w.agreed)
	for i := range 3 {
		before := w.boots()
		w.board.HangProgram()
		d := w.runUntil("restarted and agreed", 2*time.Second, func() bool { return w.boots() == before+1 && w.agreed() })
		if info, _ := w.link.Info(); info.Cause != node.CauseWatchdog {
			t.Errorf("hang %d: cause %v", i, info.Cause)
		}
		t.Logf("agreed %v after the program hung", d)
	}
	before := w.boots()
	w.link.QueueConfig(node.Config{Name: "old", Select: [4]node.Pin{10}, Gain: 38, Strip: node.WS2812GRB, Pixels: 35, Data: 6})
	w.runUntil("set up and agreed", 2*time.Second, func() bool {
		info, _ := w.link.Info()
		return w.boots() == before+1 && w.link.IsConnected() && info.Name == "old"
	})
	if n := w.board.ResetCount(); n != 0 {
		t.Errorf("the boot loader has seen %d resets", n)
	}
	w.board.Reset(BrownOut) // a reset that it survives
	w.runUntil("agreed after a brown-out", 5*time.Second, func() bool { return w.boots() == before+2 && w.link.IsConnected() })
}

func TestAReaderThatFailsTakesNoCardWithIt(t *testing.T) {
	w := newTable(t)
	w.waitAgreed()
	w.placeTag(3, "DEADBEEF")
	w.run(200 * time.Millisecond)
	w.takeEvents(3)
	sim := w.board.Readers[3]
	for _, c := range []struct {
		name      string
		fail, fix func()
		want      string
	}{
		{"unplugged", func() { sim.Unplug(0xFF) }, sim.Plug, "lost back"},
		{"no power", func() { sim.Unplug(0x00) }, sim.Plug, "lost back"},
		{"hung until a soft reset", func() { sim.SetHang(mfrc522sim.SoftHang) }, func() {}, ""},
		{"hung for good", func() { sim.SetHang(mfrc522sim.HardHang) }, sim.Plug, "lost back"},
		{"brown-out", func() { sim.SetHang(mfrc522sim.BrownedOut) }, func() {}, ""},
	} {
		c.fail()
		w.run(time.Second)
		c.fix()
		w.run(time.Second)
		if got := w.takeEvents(3); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// The same calls give the same result, to the cycle and the byte.
func TestTheSimulationRepeats(t *testing.T) {
	var out [2][]byte
	var bytes [2]int
	for i := range out {
		w := newTable(t)
		w.toTable = func(b []byte) []byte { out[i] = append(out[i], b...); return b }
		w.waitAgreed()
		w.placeTag(0, "DEADBEEF")
		w.link.ShowFrame(rainbow(60, 0))
		w.run(500 * time.Millisecond)
		bytes[i] = w.board.SPIBytes()
	}
	if !slices.Equal(out[0], out[1]) || bytes[0] != bytes[1] {
		t.Errorf("%d and %d bytes on the line, %d and %d on the bus", len(out[0]), len(out[1]), bytes[0], bytes[1])
	}
}
