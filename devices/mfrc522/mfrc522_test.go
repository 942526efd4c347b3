package mfrc522_test

import (
	"context"
	"slices"
	"testing"

	"majordome/devices"
	"majordome/devices/mfrc522"
	"majordome/devices/mfrc522/mfrc522sim"
)

func uid(t testing.TB, hex string) devices.UID {
	t.Helper()
	u, err := devices.ParseUID(hex)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// reader is the driver on a simulator with the same clock.
func reader(t testing.TB, sim *mfrc522sim.Sim, o mfrc522.Opts) *mfrc522.Dev {
	t.Helper()
	o.Clock = sim.Clock()
	d, err := mfrc522.New(sim.Port(), &o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func names(tags []devices.Tag) (out []string) {
	for _, tag := range tags {
		out = append(out, tag.UID.String())
	}
	slices.Sort(out)
	return out
}

func TestScanNamesEveryTagInTheField(t *testing.T) {
	for _, c := range []struct {
		name string
		tags []string
	}{
		{"silence", nil},
		{"4 bytes", []string{"DEADBEEF"}},
		{"7 bytes", []string{"04A1B2C3D4E5F6"}},
		{"10 bytes", []string{"04A1B2C3D4E5F6070809"}},
		{"4 and 7 bytes, whose ATQA collide", []string{"04A1B2C3D4E5F6", "DEADBEEF"}},
		{"same cascade level 1", []string{"04A1B2C3D4E5F6", "04A1B2C3D4E5F7"}},
		{"same cascade levels 1 and 2", []string{"04A1B2C3D4E5F6070809", "04A1B2C3D4E5F6070889"}},
		{"differ in bit 32, which the chip counts as 0", []string{"01020304", "01020384"}},
		{"five of one batch", []string{"04A1B2C3D4E501", "04A1B2C3D4E502", "04A1B2C3D4E503", "04A1B2C3D4E504", "04A1B2C3D4E505"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			sim := mfrc522sim.New(nil)
			for _, u := range c.tags {
				if err := sim.PlaceTag(uid(t, u), 0); err != nil {
					t.Fatal(err)
				}
			}
			d := reader(t, sim, mfrc522.Opts{})
			for round := range 3 {
				start := sim.Clock().Now()
				tags, err := d.Scan(context.Background())
				if got := names(tags); err != nil || !slices.Equal(got, c.tags) {
					t.Fatalf("scan %d: %v, %v", round, got, err)
				}
				t.Logf("scan %d: %v, %+v", round, sim.Clock().Now()-start, sim.Stats())
			}
		})
	}
}

// TestTransfersPerScan guards the figures of the package comment.
func TestTransfersPerScan(t *testing.T) {
	for name, c := range map[string]struct {
		card string
		want int
	}{"empty": {"", 8}, "7 bytes: eight, then six for each of five frames": {"04A1B2C3D4E5F6", 38}} {
		sim := mfrc522sim.New(nil)
		d := reader(t, sim, mfrc522.Opts{})
		if c.card != "" {
			_ = sim.PlaceTag(uid(t, c.card), 0)
		}
		_, _ = d.Scan(context.Background())
		before := sim.Stats().Transfers
		_, _ = d.Scan(context.Background())
		if got := sim.Stats().Transfers - before; got != c.want {
			t.Errorf("%s: %d transfers, want %d", name, got, c.want)
		}
		if c.card != "" { // it is halted: over a pile it costs nothing, and three frames to be asked for
			_, _ = d.ScanNew(context.Background())
			before = sim.Stats().Transfers
			_, _ = d.ScanNew(context.Background())
			poll := sim.Stats().Transfers - before
			there, _, err := d.FindTag(context.Background(), devices.Tag{UID: uid(t, c.card)})
			if ask := sim.Stats().Transfers - before - poll; poll != 8 || ask != 21 || !there || err != nil {
				t.Errorf("a pile: %d transfers a poll, %d for a question: there %t, %v", poll, ask, there, err)
			}
			exchanges := sim.Stats().Exchanges
			if tags, err := d.ScanNew(context.Background()); len(tags) != 0 || err != nil || sim.Stats().Exchanges != exchanges+1 {
				t.Errorf("after a question: %v, %v, %d frames; want none, and one", tags, err, sim.Stats().Exchanges-exchanges)
			}
		}
	}
}
