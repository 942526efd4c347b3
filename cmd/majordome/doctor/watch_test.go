package doctor

import (
	"context"
	"sync"
	"testing"

	"majordome/devices"
	"majordome/devices/logtest"
	"majordome/devices/meter"
	"majordome/devices/mfrc522/mfrc522sim"
	"majordome/engine"
)

func TestWatchedReaderIsDrawnAsABar(t *testing.T) {
	urn := WatchedReader{Name: engine.T("lecteur urn", "reader urn"), IsMeasurable: true}
	for want, c := range map[string]struct {
		r WatchedReader
		g meter.Gauge
	}{
		"lecteur urn              ░░░░░░░░░░░░░░░░░░░░░░░░░   0/s    0 % ✗  ": {urn, meter.Gauge{}},
		"lecteur urn              █████████████████████████ 100/s    0 % ✗  04010203040507": {urn,
			meter.Gauge{Reads: 100, Tags: []devices.UID{uid(t, 7)}}},
		"lecteur urn              █████████████████████████ 101/s    0 % ✗  ": {urn, meter.Gauge{Reads: 101}},
		"lecteur urn              ██████░░░░░░░░░░░░░░░░░░░  24/s   75 % ✗  ": {urn, meter.Gauge{Reads: 24, Garbled: 0.75}},
		"lecteur urn              —": {urn, meter.Gauge{Lost: true}},
		"…r 0 of a very long name 04010203040507": {WatchedReader{Name: engine.T("reader 0 of a very long name", "")},
			meter.Gauge{Tags: []devices.UID{uid(t, 7)}}},
	} {
		if got := FormatBar(c.r, c.g); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

// TestWatching checks that a card that is moved about is reported when it comes, and that the bar fills.
func TestWatching(t *testing.T) {
	_, cfg, sims := registerChips(t, mfrc522sim.Opts{})
	dev, err := cfg.Readers[0].OpenMFRC522()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var out logtest.Buffer
	var ended sync.WaitGroup
	defer ended.Wait()
	defer stop()
	s := NewScreen(&out, true)
	ended.Go(func() {
		WatchReaders(ctx, s, []WatchedReader{{Name: engine.T("lecteur urn", "reader urn"), Scanner: dev, IsMeasurable: true}})
	})
	out.WaitFor(t, "lecteur urn              ░░░░░")
	if err := sims[0].PlaceTag(uid(t, 1), 0); err != nil {
		t.Fatal(err)
	}
	out.WaitFor(t, "lecteur urn : la carte 04010203040501 est là · reader urn: card 04010203040501 is there\n")
	out.WaitFor(t, "██████")
	out.WaitFor(t, "\x1b[1A\x1b[J") // drawn over, not below each other
	phone, err := devices.ParseUID("08A1B2C3")
	if err == nil {
		err = sims[0].PlaceTag(phone, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	out.WaitFor(t, "lecteur urn : 08A1B2C3 n’est pas une carte : un téléphone, une carte bancaire ?")
	out.WaitFor(t, "08A1B2C3 ✗")
	sims[0].RemoveTag(phone)
	sims[0].RemoveTag(uid(t, 1))
	out.WaitFor(t, "reader urn: card 04010203040501 has left\n")
	sims[0].Unplug(0)
	out.WaitFor(t, "reader urn: does not answer\n")
	out.WaitFor(t, "lecteur urn              —")
}
