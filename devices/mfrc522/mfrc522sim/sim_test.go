package mfrc522sim_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"majordome/devices"
	"majordome/devices/mfrc522"
	"majordome/devices/mfrc522/mfrc522sim"
	"majordome/devices/presence"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
	stock "periph.io/x/devices/v3/mfrc522"
	"periph.io/x/devices/v3/mfrc522/commands"
)

const us = time.Microsecond

func uid(t testing.TB, hex string) devices.UID {
	t.Helper()
	u, err := devices.ParseUID(hex)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// wire speaks to the registers as a driver does.
type wire struct {
	t *testing.T
	c spi.Conn
}

func (w wire) set(reg byte, v ...byte) {
	w.t.Helper()
	if err := w.c.Tx(append([]byte{reg << 1}, v...), nil); err != nil {
		w.t.Fatal(err)
	}
}

func (w wire) get(regs ...byte) []byte {
	w.t.Helper()
	out := make([]byte, 0, len(regs)+1)
	for _, r := range regs {
		out = append(out, r<<1|0x80)
	}
	out = append(out, 0)
	in := make([]byte, len(out))
	if err := w.c.Tx(out, in); err != nil {
		w.t.Fatal(err)
	}
	return in[1:]
}

func TestRegistersAfterReset(t *testing.T) {
	sim := mfrc522sim.New(nil)
	w := wire{t, sim.Conn()}
	w.set(commands.RFCfgReg, 0x70)
	w.set(commands.TxControlReg, 0x83)
	w.set(commands.CommandReg, commands.PCD_RESETPHASE)
	if got := w.get(commands.CommandReg, commands.VersionReg); !bytes.Equal(got, []byte{0x1F, 0}) {
		t.Fatalf("while it starts: % X", got)
	}
	w.set(commands.RFCfgReg, 0x30) // lost
	sim.Clock().Sleep(10 * time.Millisecond)
	got := w.get(commands.CommandReg, commands.CommIrqReg, commands.TxControlReg, commands.RFCfgReg, commands.CollReg, commands.VersionReg)
	if want := []byte{0x20, 0x14, 0x80, 0x48, 0xA0, 0x92}; !bytes.Equal(got, want) {
		t.Fatalf("got % X, want % X", got, want)
	}
}

func TestFIFO(t *testing.T) {
	sim := mfrc522sim.New(nil)
	w := wire{t, sim.Conn()}
	w.set(commands.FIFODataReg, 1, 2, 3)
	if got := w.get(commands.FIFOLevelReg, commands.FIFODataReg, commands.FIFODataReg, commands.FIFOLevelReg); !bytes.Equal(got,
		[]byte{3, 1, 2, 1}) {
		t.Fatalf("level, two bytes, level: % X", got)
	}
	w.set(commands.FIFODataReg, make([]byte, 64)...)
	if got := w.get(commands.ErrorReg, commands.FIFOLevelReg); !bytes.Equal(got, []byte{0x10, 64}) {
		t.Fatalf("overflow and level: % X", got)
	}
	w.set(commands.FIFOLevelReg, 0x80)
	if got := w.get(commands.ErrorReg, commands.FIFOLevelReg); !bytes.Equal(got, []byte{0, 0}) {
		t.Fatalf("after a flush: % X", got)
	}
}

// Behaviour that the data sheet does not promise does not work, whichever company made the chip.
func TestStrictness(t *testing.T) {
	for _, c := range []struct {
		make    mfrc522sim.Maker
		version byte
		gain    byte // RFCfgReg after 58 was written and then 05
		command byte // CommandReg after a reset
	}{
		{mfrc522sim.NXP, 0x92, 0x08, 0x20}, {mfrc522sim.FM17522, 0x88, 0x08, 0x20},
		{mfrc522sim.Si522, 0x92, 0x05, 0x00}, {mfrc522sim.Clone82, 0x82, 0x00, 0x20},
	} {
		sim := mfrc522sim.New(&mfrc522sim.Opts{Maker: c.make})
		w := wire{t, sim.Conn()}
		w.set(commands.RFCfgReg, 0x58)
		w.set(commands.RFCfgReg, 0x05)
		got := w.get(commands.VersionReg, commands.RFCfgReg, commands.CommandReg)
		if !bytes.Equal(got, []byte{c.version, c.gain, c.command}) {
			t.Errorf("make %d: % X", c.make, got)
		}
	}
	// A transceive that met silence goes on: the same command again changes nothing, another does.
	sim := mfrc522sim.New(nil)
	request(t, sim, 24)
	w := wire{t, sim.Conn()}
	again := func() int {
		before := sim.Stats().Exchanges
		w.set(commands.BitFramingReg, 0x07)
		w.set(commands.CommandReg, commands.PCD_TRANSCEIVE)
		w.set(commands.FIFODataReg, 0x52)
		w.set(commands.BitFramingReg, 0x87)
		return sim.Stats().Exchanges - before
	}
	if again() != 0 {
		t.Error("Transceive written again ended its own reception")
	}
	w.set(commands.CommandReg, commands.PCD_IDLE)
	w.set(commands.FIFOLevelReg, 0x80)
	if again() != 1 {
		t.Error("after Idle it sends nothing")
	}
}

// Byte by byte: two bytes of an ATQA are never there at once before the second is over.
func TestTheFIFOFillsAtTheSpeedOfTheAir(t *testing.T) {
	sim := mfrc522sim.New(nil)
	_ = sim.PlaceTag(uid(t, "DEADBEEF"), 0)
	w := wire{t, sim.Conn()}
	w.set(commands.TxControlReg, 0x83)
	sim.Clock().Sleep(2 * time.Millisecond)
	w.set(commands.CommandReg, commands.PCD_TRANSCEIVE)
	w.set(commands.FIFODataReg, 0x52)
	w.set(commands.BitFramingReg, 0x87)
	seen := map[byte]time.Duration{}
	for start := sim.Clock().Now(); sim.Clock().Now() < start+600*us; {
		s := w.get(commands.FIFOLevelReg, commands.CommIrqReg)
		if _, ok := seen[s[0]]; !ok {
			seen[s[0]] = sim.Clock().Now() - start
		}
		if s[0] < 2 && s[1]&0x20 != 0 {
			t.Fatalf("the reception is over with %d bytes", s[0])
		}
	}
	if d := seen[2] - seen[1]; d < 60*us || d > 120*us {
		t.Errorf("one byte after %v, two after %v; want 85 µs apart", seen[1], seen[2])
	}
}

func TestABrownOutTakesTheChipAway(t *testing.T) {
	sim := mfrc522sim.New(nil)
	w := wire{t, sim.Conn()}
	w.set(commands.RFCfgReg, 0x70)
	sim.BrownOut(time.Second)
	sim.Clock().Sleep(time.Second - 100*us)
	if got := w.get(commands.CommandReg, commands.VersionReg); !bytes.Equal(got, []byte{0, 0}) {
		t.Fatalf("without supply: % X", got)
	}
	sim.Clock().Sleep(11 * time.Millisecond)
	if got := w.get(commands.VersionReg, commands.RFCfgReg); !bytes.Equal(got, []byte{0x92, 0x48}) {
		t.Fatalf("with supply again: % X", got)
	}
}

func TestCRCCoprocessor(t *testing.T) {
	sim := mfrc522sim.New(nil)
	w := wire{t, sim.Conn()}
	w.set(commands.FIFODataReg, 0x12, 0x34)
	w.set(commands.CommandReg, commands.PCD_CALCCRC)
	if got := w.get(commands.DivIrqReg, commands.CRCResultRegL, commands.CRCResultRegM); !bytes.Equal(got, []byte{0x04, 0x26, 0xCF}) {
		t.Fatalf("ready, low, high: % X", got)
	}
}

// request sends a WUPA and returns ComIrqReg every 10 µs for 600 µs.
func request(t *testing.T, sim *mfrc522sim.Sim, reload byte) (timer, rx time.Duration) {
	w := wire{t, sim.Conn()}
	w.set(commands.TModeReg, 0x80)
	w.set(commands.TPrescalerReg, 67)
	w.set(commands.TReloadRegL, reload)
	w.set(commands.TxControlReg, 0x83)
	sim.Clock().Sleep(2 * time.Millisecond)
	w.set(commands.CommIrqReg, 0x7F)
	w.set(commands.CommandReg, commands.PCD_TRANSCEIVE)
	w.set(commands.FIFODataReg, 0x52)
	w.set(commands.BitFramingReg, 0x87)
	start := sim.Clock().Now()
	for sim.Clock().Now() < start+600*us {
		irq := w.get(commands.CommIrqReg)[0]
		if at := sim.Clock().Now() - start; irq&0x01 != 0 && timer == 0 {
			timer = at
		} else if irq&0x20 != 0 && rx == 0 {
			rx = at
		}
	}
	return timer, rx
}

func TestTimerRunsOutInSilenceOnly(t *testing.T) {
	const step = 25 * us // one look at the register
	near := func(got, want time.Duration) bool { return got >= want && got < want+step }
	sim := mfrc522sim.New(nil)
	if timer, rx := request(t, sim, 24); !near(timer, 343*us) || rx != 0 {
		t.Errorf("silence: timer after %v, answer after %v; want 94+249 µs and none", timer, rx)
	}
	sim = mfrc522sim.New(nil)
	_ = sim.PlaceTag(uid(t, "DEADBEEF"), 0)
	if timer, rx := request(t, sim, 24); timer != 0 || !near(rx, 374*us) {
		t.Errorf("a tag: timer after %v, answer after %v; want none and 374 µs", timer, rx)
	}
	sim = mfrc522sim.New(nil)
	_ = sim.PlaceTag(uid(t, "DEADBEEF"), 0)
	if timer, rx := request(t, sim, 8); !near(timer, 184*us) || !near(rx, 374*us) {
		t.Errorf("too short a timer: after %v, answer after %v; want 94+90 and 374 µs", timer, rx)
	}
}

func TestATagNeedsPowerAndItsBootTime(t *testing.T) {
	for _, c := range []struct {
		boot time.Duration
		want bool
	}{{1900 * us, true}, {2200 * us, false}} {
		sim := mfrc522sim.New(nil)
		_ = sim.PlaceTags(mfrc522sim.Tag{UID: uid(t, "DEADBEEF"), Boot: c.boot})
		sim.Clock().Sleep(time.Second) // without a field that does not count
		if _, rx := request(t, sim, 24); (rx != 0) != c.want {
			t.Errorf("field on for 2.1 ms, boot %v: answer after %v", c.boot, rx)
		}
	}
}

func TestATransferCostsTime(t *testing.T) {
	sim := mfrc522sim.New(nil)
	c, err := sim.Port().Connect(4*physic.MegaHertz, spi.Mode0, 8)
	if err != nil {
		t.Fatal(err)
	}
	_ = c.Tx([]byte{0x80 | 0x37<<1, 0}, make([]byte, 2))
	if got := sim.Clock().Now(); got != 24*us {
		t.Fatalf("two bytes at 4 MHz took %v, want 20 + 4 µs", got)
	}
	if s := sim.Stats(); s.Transfers != 1 || s.Bytes != 2 {
		t.Fatalf("%+v", s)
	}
	if _, err := sim.Port().Connect(20*physic.MegaHertz, spi.Mode0, 8); err == nil {
		t.Fatal("20 MHz was accepted")
	}
}

// TestPeriphRunsUnmodified is the outside check of the model: a driver written for the chip.
func TestPeriphRunsUnmodified(t *testing.T) {
	for _, c := range []struct {
		name string
		tags []string
		boot time.Duration
		want string // of ReadUID, "" for an error
	}{
		{"nobody", nil, 100 * us, ""},
		{"4 bytes", []string{"DEADBEEF"}, 100 * us, "DEADBEEF"},
		{"7 bytes", []string{"04A1B2C3D4E5F6"}, 100 * us, "04A1B2C3D4E5F6"},
		{"it cuts the power and asks too soon", []string{"DEADBEEF"}, 400 * us, ""},
		{"two tags", []string{"04A1B2C3D4E5F6", "04A1B2C4D4E5F6"}, 100 * us, ""},
		{"two tags alike in level 1", []string{"04A1B2C3D4E5F6", "04A1B2C3D4E5F7"}, 100 * us, ""},
		{"4 and 7 bytes", []string{"04A1B2C3D4E5F6", "DEADBEEF"}, 100 * us, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sim := mfrc522sim.New(&mfrc522sim.Opts{Clock: bubble{time.Now()}, Boot: c.boot, Lenient: true})
				for _, u := range c.tags {
					_ = sim.PlaceTag(uid(t, u), 0)
				}
				dev, err := stock.NewSPI(sim.Port(), sim.ResetPin(), sim.IRQ())
				if err != nil {
					t.Fatal(err)
				}
				for range 3 {
					got, err := dev.ReadUID(time.Second)
					if c.want == "" && err == nil || c.want != "" && (err != nil || !bytes.Equal(got, uid(t, c.want).Bytes())) {
						t.Fatalf("% X, %v; want %q", got, err, c.want)
					}
				}
			})
		})
	}
}

// bubble is the clock of testing/synctest.
type bubble struct{ start time.Time }

func (b bubble) Now() time.Duration    { return time.Since(b.start) }
func (b bubble) Sleep(d time.Duration) { time.Sleep(d) }

// TestRealtimeWhileTagsComeAndGo runs the simulator as the demo does: the production driver polls in one goroutine, others move tags. It is
// worth most under -race.
func TestRealtimeWhileTagsComeAndGo(t *testing.T) {
	sim := mfrc522sim.NewRealtime(nil)
	dev, err := mfrc522.New(sim.Port(), nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	events := make(chan presence.Event, 100)
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := presence.Watch(ctx, dev, nil, func(e presence.Event) { events <- e }); err != nil {
			t.Error(err)
		}
	})
	a, b := uid(t, "04A1B2C3D4E5F6"), uid(t, "04A1B2C3D4E5F7")
	want := func(kind presence.Kind, u devices.UID) {
		t.Helper()
		select {
		case e := <-events:
			if e.Kind != kind || e.Tag.UID != u {
				t.Fatalf("%v %v, want %v %v", e.Kind, e.Tag.UID, kind, u)
			}
		case <-time.After(time.Minute):
			t.Fatalf("no event in a minute, want %v %v", kind, u)
		}
	}
	for range 2 {
		_ = sim.PlaceTag(a, 0)
		want(presence.Arrived, a)
		_ = sim.PlaceTag(b, 0)
		want(presence.Arrived, b)
		sim.RemoveTag(a)
		want(presence.Left, a)
		sim.RemoveTag(b)
		want(presence.Left, b)
	}
	sim.Unplug(0xFF)
	want(presence.ReaderLost, devices.UID{})
	sim.Plug()
	want(presence.ReaderBack, devices.UID{})
	cancel()
	wg.Wait()
	if err := dev.Halt(); err != nil {
		t.Fatal(err)
	}
}

func TestFieldIsBounded(t *testing.T) {
	sim := mfrc522sim.New(nil)
	var errs []error
	for range 70 {
		errs = append(errs, sim.PlaceTag(uid(t, "DEADBEEF"), 0))
	}
	if errs[63] != nil || errs[64] == nil {
		t.Fatalf("the 64th: %v, the 65th: %v", errs[63], errs[64])
	}
	sim.RemoveTag(uid(t, "DEADBEEF"))
	if err := sim.PlaceTags(make([]mfrc522sim.Tag, 1)...); err == nil {
		t.Fatal("a tag without a UID was taken")
	}
	many := slices.Repeat([]mfrc522sim.Tag{{UID: uid(t, "04A1B2C3")}}, 65)
	if err := sim.PlaceTags(many...); err == nil || sim.PlaceTags(many[:64]...) != nil {
		t.Fatal("of 65 tags some lie there, or 64 do not fit")
	}
	sim.RemoveTag(uid(t, "04A1B2C3"))
	if err := errors.Join(sim.PlaceTag(uid(t, "DEADBEEF"), 0), sim.PlaceTags(mfrc522sim.Tag{UID: devices.UID{}})); err == nil {
		t.Fatal("a tag without a UID was taken")
	}
}
