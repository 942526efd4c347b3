package meter_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"majordome/devices"
	"majordome/devices/meter"
	"majordome/devices/mfrc522"
	"majordome/devices/mfrc522/mfrc522sim"
)

// bench is the driver on a twin, polled a hundred times a second on a virtual clock.
type bench struct {
	*mfrc522sim.Sim
	m *meter.Meter
}

func newBench(t *testing.T) bench {
	t.Helper()
	sim := mfrc522sim.New(nil)
	dev, err := mfrc522.New(sim.Port(), &mfrc522.Opts{Clock: sim.Clock()})
	if err != nil {
		t.Fatal(err)
	}
	return bench{sim, meter.New(dev, sim.Clock())}
}

func (b bench) watch(t *testing.T, d time.Duration) meter.Gauge {
	t.Helper()
	for end := b.Clock().Now() + d; b.Clock().Now() < end; {
		next := b.Clock().Now() + 10*time.Millisecond
		_, _ = b.m.Scan(t.Context())
		b.Clock().Sleep(next - b.Clock().Now())
	}
	return b.m.Gauge()
}

func uid(t *testing.T, n byte) devices.UID {
	t.Helper()
	u, err := devices.MakeUID([]byte{4, 1, 2, 3, 4, 5, n})
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestTheGaugeFollowsTheCard(t *testing.T) {
	b := newBench(t)
	if g := b.watch(t, 2*time.Second); g.Reads != 0 || g.Garbled != 0 || len(g.Tags) > 0 || g.Lost || g.Scans < 95 || g.Scans > 101 {
		t.Errorf("an empty field: %+v", g)
	}
	card := uid(t, 1)
	if err := b.PlaceTag(card, 0); err != nil {
		t.Fatal(err)
	}
	if g := b.watch(t, 2*time.Second); g.Reads < 95 || g.Reads != g.Scans || g.Garbled != 0 || fmt.Sprint(g.Tags) != "["+card.String()+"]" {
		t.Errorf("a card at the coil: %+v", g)
	}
	b.SetNoise(mfrc522sim.Noise{BitErrors: 3e-3}) // a card at the edge
	if g := b.watch(t, 2*time.Second); g.Garbled < 0.02 || g.Garbled > 0.9 || len(g.Tags) != 1 {
		t.Errorf("a card at the edge: %+v", g)
	}
	b.SetNoise(mfrc522sim.Noise{})
	b.RemoveTag(card)
	if g := b.watch(t, 500*time.Millisecond); len(g.Tags) != 1 || g.Reads < 30 {
		t.Errorf("half a second later: %+v", g)
	}
	if g := b.watch(t, time.Second); len(g.Tags) > 0 || g.Reads != 0 {
		t.Errorf("taken away: %+v", g)
	}
	b.FailBus(errors.New("gone"))
	if g := b.watch(t, time.Second); !g.Lost {
		t.Errorf("unplugged: %+v", g)
	}
	b.Plug()
	if g := b.watch(t, 2*time.Second); g.Lost {
		t.Errorf("plugged in again: %+v", g)
	}
	b.Clock().Sleep(time.Hour) // no one asked
	if g := b.m.Gauge(); g.Scans != 0 {
		t.Errorf("an hour later: %+v", g)
	}
}

// However many tags pass, only sixteen are named.
func TestTagsAreBounded(t *testing.T) {
	b := newBench(t)
	for i := range 30 {
		if err := b.PlaceTags(mfrc522sim.Tag{UID: uid(t, byte(i)), Stay: 20 * time.Millisecond}); err != nil {
			t.Fatal(err)
		}
		b.watch(t, 25*time.Millisecond)
	}
	if g := b.m.Gauge(); len(g.Tags) != meter.MaxTags {
		t.Errorf("%d tags", len(g.Tags))
	}
}
