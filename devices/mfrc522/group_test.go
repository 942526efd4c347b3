package mfrc522_test

import (
	"errors"
	"testing"

	"majordome/devices"
	"majordome/devices/mfrc522"
	"majordome/devices/mfrc522/mfrc522sim"
)

// Two coils next to each other read nothing while both fields are on. In a group each reads its own tags, and goes on doing so when the
// other has lost its chip.
func TestCoilsSideBySide(t *testing.T) {
	for _, grouped := range []bool{false, true} {
		a := mfrc522sim.New(nil)
		b := mfrc522sim.New(&mfrc522sim.Opts{Clock: a.Clock()})
		a.PlaceNear(b)
		var o mfrc522.Opts
		if grouped {
			o.Group = &mfrc522.Group{}
		}
		left, right := reader(t, a, o), reader(t, b, o)
		for sim, tag := range map[*mfrc522sim.Sim]string{a: "04A1B2C3D4E5F6", b: "DEADBEEF"} {
			if err := sim.PlaceTag(uid(t, tag), 0); err != nil {
				t.Fatal(err)
			}
		}
		read := 0
		for range 50 {
			for d, want := range map[*mfrc522.Dev]string{left: "04A1B2C3D4E5F6", right: "DEADBEEF"} {
				tags, err := d.Scan(t.Context())
				if err != nil && !errors.Is(err, devices.ErrNoise) {
					t.Fatal(err)
				}
				if got := names(tags); len(got) == 1 && got[0] == want && err == nil {
					read++
				} else if len(got) > 0 && got[0] != want {
					t.Errorf("a reader names %v", got)
				}
			}
		}
		if !grouped && read > 10 || grouped && read != 100 {
			t.Errorf("grouped %v: %d of 100 scans named the tag", grouped, read)
		}
		if !grouped {
			continue
		}
		b.Unplug(0)
		if _, err := right.Scan(t.Context()); err == nil || errors.Is(err, devices.ErrNoise) {
			t.Errorf("a reader without a chip: %v", err)
		}
		if tags, err := left.Scan(t.Context()); err != nil || len(tags) != 1 {
			t.Errorf("beside it: %v, %v", tags, err)
		}
		b.Plug()
		for range 40 { // it starts within its 150 ms
			if _, err := right.Scan(t.Context()); err == nil {
				break
			}
		}
		if tags, err := right.Scan(t.Context()); err != nil || len(tags) != 1 {
			t.Errorf("and when it is back: %v, %v", tags, err)
		}
		if s := left.Stats(); s.SoftResets != 1 || s.Rewritten != 0 {
			t.Errorf("its neighbour was repaired: %+v", s)
		}
	}
}
