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

func TestBars(t *testing.T) {
	urn := Watched{Name: engine.T("lecteur urn", "reader urn"), Asked: true}
	for want, c := range map[string]struct {
		r Watched
		g meter.Gauge
	}{
		"lecteur urn              ░░░░░░░░░░░░░░░░░░░░░░░░░   0/s    0 % ✗  ":               {urn, meter.Gauge{}},
		"lecteur urn              █████████████████████████ 100/s    0 % ✗  04010203040507": {urn, meter.Gauge{Reads: 100, Tags: []devices.UID{uid(t, 7)}}},
		"lecteur urn              █████████████████████████ 101/s    0 % ✗  ":               {urn, meter.Gauge{Reads: 101}},
		"lecteur urn              ██████░░░░░░░░░░░░░░░░░░░  24/s   75 % ✗  ":               {urn, meter.Gauge{Reads: 24, Garbled: 0.75}},
		"lecteur urn              —":              {urn, meter.Gauge{Lost: true}},
		"…r 0 of a very long name 04010203040507": {Watched{Name: engine.T("reader 0 of a very long name", "")}, meter.Gauge{Tags: []devices.UID{uid(t, 7)}}},
	} {
		if got := Bar(c.r, c.g); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

// Somebody walks about with a card: it is named when it comes, and the bar fills.
func TestWatching(t *testing.T) {
	_, cfg, sims := twins(t, mfrc522sim.Opts{})
	dev, err := cfg.Readers[0].MFRC522()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var out logtest.Text
	var ended sync.WaitGroup
	defer ended.Wait()
	defer stop()
	s := NewScreen(&out, true)
	ended.Go(func() {
		Watch(ctx, s, []Watched{{Name: engine.T("lecteur urn", "reader urn"), Scanner: dev, Asked: true}})
	})
	out.Until(t, "lecteur urn              ░░░░░")
	if err := sims[0].Put(uid(t, 1), 0); err != nil {
		t.Fatal(err)
	}
	out.Until(t, "lecteur urn : la carte 04010203040501 est là · reader urn: card 04010203040501 is there\n")
	out.Until(t, "██████")
	out.Until(t, "\x1b[1A\x1b[J") // drawn over, not below each other
	phone, err := devices.ParseUID("08A1B2C3")
	if err == nil {
		err = sims[0].Put(phone, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	out.Until(t, "lecteur urn : 08A1B2C3 n’est pas une carte : un téléphone, une carte bancaire ?")
	out.Until(t, "08A1B2C3 ✗")
	sims[0].Take(phone)
	sims[0].Take(uid(t, 1))
	out.Until(t, "reader urn: card 04010203040501 has left\n")
	sims[0].Unplug(0)
	out.Until(t, "reader urn: does not answer\n")
	out.Until(t, "lecteur urn              —")
}
