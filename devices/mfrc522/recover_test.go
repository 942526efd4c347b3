package mfrc522_test

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"majordome/devices"
	"majordome/devices/mfrc522"
	"majordome/devices/mfrc522/mfrc522sim"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
	"periph.io/x/conn/v3/spi/spireg"
)

// TestRecoveryLadder breaks the chip in each way and expects the named rung within the scans that noticing it takes.
func TestRecoveryLadder(t *testing.T) {
	u := "04A1B2C3D4E5F6"
	for _, c := range []struct {
		name   string
		fail   mfrc522sim.Hang
		pin    bool
		want   func(before, after mfrc522.Stats) bool
		scans  int // until the card is named again
		failed bool
	}{
		{"brown-out: registers written again", mfrc522sim.BrownedOut, false,
			func(b, a mfrc522.Stats) bool { return a.Rewritten == b.Rewritten+1 && a.SoftResets == b.SoftResets }, 1, false},
		{"soft hang: reset command", mfrc522sim.SoftHang, false,
			func(b, a mfrc522.Stats) bool { return a.SoftResets == b.SoftResets+1 && a.HardResets == 0 }, 1, false},
		{"hard hang: reset pin", mfrc522sim.HardHang, true,
			func(b, a mfrc522.Stats) bool { return a.HardResets == 1 }, 1, false},
		{"hard hang without a pin: failure", mfrc522sim.HardHang, false,
			func(b, a mfrc522.Stats) bool { return a.Failures >= 1 }, 3, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			sim := mfrc522sim.New(nil)
			o := mfrc522.Opts{}
			if c.pin {
				o.Reset = sim.ResetPin()
			}
			d := reader(t, sim, o)
			if err := sim.PlaceTag(uid(t, u), 0); err != nil {
				t.Fatal(err)
			}
			scan := func() ([]devices.Tag, error) { return d.Scan(context.Background()) }
			if tags, err := scan(); err != nil || len(tags) != 1 {
				t.Fatalf("before: %v, %v", tags, err)
			}
			before := d.Stats()
			sim.SetHang(c.fail)
			var tags []devices.Tag
			var err error
			for range c.scans {
				if tags, err = scan(); err == nil && len(tags) == 1 {
					break
				}
			}
			if c.failed != (err != nil) || errors.Is(err, devices.ErrNoise) {
				t.Fatalf("after: %v, %v", tags, err)
			}
			if !c.failed && len(tags) != 1 {
				t.Fatalf("the card was not named again: %v", tags)
			}
			if after := d.Stats(); !c.want(before, after) {
				t.Fatalf("before %+v, after %+v", before, after)
			}
			sim.Plug() // power off and on cures all
			if tags, err := scan(); err != nil || len(tags) != 1 {
				t.Fatalf("after power off and on: %v, %v", tags, err)
			}
		})
	}
}

// TestHealthCheckSeesWhatPollsDoNot: to a poll a dropped antenna looks like an empty field.
func TestHealthCheckSeesWhatPollsDoNot(t *testing.T) {
	const txControl, status2 = 0x14, 0x08
	for name, frame := range map[string][]byte{
		"antenna off":  {txControl << 1, 0x80},
		"Crypto1 mode": {status2 << 1, 0x08},
		"gain changed": {0x26 << 1, 0x70},
	} {
		t.Run(name, func(t *testing.T) {
			sim := mfrc522sim.New(nil)
			d := reader(t, sim, mfrc522.Opts{HealthPeriod: 5 * ms})
			if _, err := d.Scan(context.Background()); err != nil {
				t.Fatal(err)
			}
			if err := sim.Conn().Tx(frame, nil); err != nil {
				t.Fatal(err)
			}
			for range 10 {
				if _, err := d.Scan(context.Background()); err != nil {
					t.Fatal(err)
				}
			}
			if s := d.Stats(); s.Rewritten != 1 {
				t.Fatalf("not noticed in ten scans: %+v", s)
			}
		})
	}
}

func TestProbeNamesTheChip(t *testing.T) {
	for _, c := range []struct {
		version byte
		name    string
		warn    bool
	}{
		{0x90, "NXP MFRC522 v0", false}, {0x91, "NXP MFRC522 v1", false}, {0x92, "NXP MFRC522 v2", false},
		{0x88, "Fudan FM17522", false}, {0xB2, "MFRC522 clone (B2)", false}, {0x89, "MFRC522 clone (89)", false},
		{0x12, "counterfeit MFRC522 (12)", true}, {0x15, "counterfeit MFRC522 (15)", true},
	} {
		sim := mfrc522sim.New(&mfrc522sim.Opts{Version: c.version})
		d := reader(t, sim, mfrc522.Opts{})
		id, err := d.Probe()
		if err != nil || id.Name() != c.name {
			t.Errorf("%02X: %q, %v; want %q", c.version, id.Name(), err, c.name)
		}
		a, warned := id.Warning()
		if warned != c.warn || warned && (a.EN == "" || a.FR == "") {
			t.Errorf("%02X: warning %t %+v", c.version, warned, a)
		}
		_ = sim.PlaceTag(uid(t, "DEADBEEF"), 0) // a doubtful chip is used all the same
		sim.Clock().Sleep(2 * ms)
		if tags, err := d.Scan(context.Background()); err != nil || len(tags) != 1 {
			t.Errorf("%02X: scan %v, %v", c.version, tags, err)
		}
	}
}

// Manufacturers differ in the contents of reserved bits: none of them causes a repair.
func TestEveryMakeIsDriven(t *testing.T) {
	for _, m := range []mfrc522sim.Maker{mfrc522sim.NXP, mfrc522sim.FM17522, mfrc522sim.Si522, mfrc522sim.Clone82} {
		sim := mfrc522sim.New(&mfrc522sim.Opts{Maker: m, Reset: 140 * ms})
		d := reader(t, sim, mfrc522.Opts{HealthPeriod: ms})
		_ = sim.PlaceTag(uid(t, "04A1B2C3D4E5F6"), 0)
		for i := range 5 {
			if tags, err := d.Scan(context.Background()); err != nil || len(tags) != 1 {
				t.Fatalf("make %d, scan %d: %v, %v", m, i, tags, err)
			}
		}
		if s := d.Stats(); s.SoftResets != 1 || s.Rewritten+s.HardResets+s.Failures != 0 {
			t.Errorf("make %d: %+v", m, s)
		}
	}
}

func TestAMissingChipIsSaidSo(t *testing.T) {
	for _, miso := range []byte{0x00, 0xFF} {
		sim := mfrc522sim.New(nil)
		sim.Unplug(miso)
		d := reader(t, sim, mfrc522.Opts{})
		if _, err := d.Probe(); !errors.Is(err, mfrc522.ErrNoChip) {
			t.Errorf("MISO %02X: %v", miso, err)
		}
		_, err := d.Scan(context.Background())
		if !errors.Is(err, mfrc522.ErrNoChip) || errors.Is(err, devices.ErrNoise) {
			t.Errorf("MISO %02X: scan: %v", miso, err)
		}
		a := mfrc522.ExplainError("SPI1.0", err)
		if !strings.Contains(a.EN, "SPI1.0") || !strings.Contains(a.FR, "lecteur") || !errors.Is(a, mfrc522.ErrNoChip) {
			t.Errorf("advice: %+v", a)
		}
	}
}

func TestTheChipVanishingInMidGameIsNeverNoiseNorSilence(t *testing.T) {
	for _, miso := range []byte{0x00, 0xFF} {
		sim := mfrc522sim.New(nil)
		d := reader(t, sim, mfrc522.Opts{})
		_ = sim.PlaceTag(uid(t, "04A1B2C3D4E5F6"), 0)
		for range 5 {
			_, _ = d.Scan(context.Background())
		}
		sim.Unplug(miso)
		if tags, err := d.Scan(context.Background()); !errors.Is(err, mfrc522.ErrNoChip) {
			t.Errorf("MISO %02X: %v, %v", miso, tags, err)
		}
	}
}

func TestHaltSwitchesTheFieldOff(t *testing.T) {
	sim := mfrc522sim.New(nil)
	d := reader(t, sim, mfrc522.Opts{})
	_, _ = d.Scan(context.Background())
	if err := d.Halt(); err != nil {
		t.Fatal(err)
	}
	r := make([]byte, 2)
	if err := sim.Conn().Tx([]byte{0x14<<1 | 0x80, 0}, r); err != nil || r[1]&3 != 0 {
		t.Fatalf("TxControl %02X, %v", r[1], err)
	}
	if _, err := d.Scan(context.Background()); err == nil || errors.Is(err, devices.ErrNoise) {
		t.Fatalf("scan after Halt: %v", err)
	}
	if err := errors.Join(d.Halt(), d.Close()); err != nil {
		t.Fatalf("a second Halt: %v", err)
	}
}

func TestWrongOptionsAreRefused(t *testing.T) {
	for _, o := range []mfrc522.Opts{
		{Gain: 40},
		{Frequency: 20 * physic.MegaHertz},
		{Frequency: -1},
		{HealthPeriod: -1},
		{MaxTags: 17},
		{MaxTags: -1},
	} {
		if _, err := mfrc522.New(mfrc522sim.New(nil).Port(), &o); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
}

func TestOpenSaysHowToGetThePort(t *testing.T) {
	for port, want := range map[string]string{
		"SPI1.0": "dtoverlay=spi1-1cs", "SPI1.2": "dtoverlay=spi1-3cs", "/dev/spidev5.1": "dtoverlay=spi5-2cs",
		"SPI0.0": "dtparam=spi=on", "nonsense": "dtparam=spi=on",
	} {
		_, err := mfrc522.Open(port, nil)
		var a mfrc522.Advice
		if !errors.As(err, &a) || !strings.Contains(a.EN, want) || !strings.Contains(a.FR, want) || !strings.Contains(a.EN, port) {
			t.Errorf("%s: %+v", port, a)
		}
	}
}

func TestAPollDoesNotAllocate(t *testing.T) {
	for name, card := range map[string]string{"empty": "", "7 bytes": "04A1B2C3D4E5F6"} {
		sim := mfrc522sim.New(nil)
		d := reader(t, sim, mfrc522.Opts{})
		if card != "" {
			_ = sim.PlaceTag(uid(t, card), 0)
		}
		ctx := context.Background()
		_, _ = d.Scan(ctx)
		known := devices.Tag{UID: uid(t, "04A1B2C3D4E5F6")}
		if n := testing.AllocsPerRun(200, func() {
			_, _ = d.Scan(ctx)
			_, _ = d.ScanNew(ctx)
			_, _, _ = d.FindTag(ctx, known)
		}); n != 0 {
			t.Errorf("%s: %v allocations per poll", name, n)
		}
	}
}

// TestOpenOnARegisteredPort opens the port by its name, as the daemon does, and gives it back.
func TestOpenOnARegisteredPort(t *testing.T) {
	sim := mfrc522sim.New(nil)
	for name, open := range map[string]spireg.Opener{
		"SPITEST1.0": func() (spi.PortCloser, error) { return sim.Port(), nil },
		"SPITEST1.1": func() (spi.PortCloser, error) { return nil, fs.ErrPermission },
	} {
		if err := spireg.Register(name, nil, -1, open); err != nil {
			t.Fatal(err)
		}
		defer spireg.Unregister(name)
	}
	d, err := mfrc522.Open("SPITEST1.0", &mfrc522.Opts{Clock: sim.Clock()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Probe(); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := mfrc522.Open("SPITEST1.0", &mfrc522.Opts{Gain: 1}); err == nil {
		t.Fatal("a gain of 1 dB was taken")
	}
	_, err = mfrc522.Open("SPITEST1.1", nil)
	var a mfrc522.Advice
	if !errors.As(err, &a) || !strings.Contains(a.EN, "group spi") || !strings.Contains(a.FR, "groupe spi") {
		t.Fatalf("without permission: %+v", a)
	}
}
