package doctor

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"majordome/devices"
	"majordome/devices/meter"
	"majordome/devices/mfrc522/mfrc522sim"
	"majordome/engine/ownfile"
)

func TestBars(t *testing.T) {
	urn := Watched{Name: ownfile.Both("lecteur urn", "reader urn"), Asked: true}
	for want, c := range map[string]struct {
		r Watched
		g meter.Gauge
	}{
		"lecteur urn              ░░░░░░░░░░░░░░░░░░░░░░░░░   0/s    0 % ✗  ":               {urn, meter.Gauge{}},
		"lecteur urn              █████████████████████████ 100/s    0 % ✗  04010203040507": {urn, meter.Gauge{Reads: 100, Tags: []devices.UID{uid(t, 7)}}},
		"lecteur urn              █████████████████████████ 101/s    0 % ✗  ":               {urn, meter.Gauge{Reads: 101}},
		"lecteur urn              ██████░░░░░░░░░░░░░░░░░░░  24/s   75 % ✗  ":               {urn, meter.Gauge{Reads: 24, Garbled: 0.75}},
		"lecteur urn              —":              {urn, meter.Gauge{Lost: true}},
		"…r 0 of a very long name 04010203040507": {Watched{Name: ownfile.Both("reader 0 of a very long name", "")}, meter.Gauge{Tags: []devices.UID{uid(t, 7)}}},
	} {
		if got := Bar(c.r, c.g); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

// shown is what a terminal was told.
type shown struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *shown) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(b)
}

func (s *shown) until(t *testing.T, want string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		s.mu.Lock()
		text := s.text.String()
		s.mu.Unlock()
		if strings.Contains(text, want) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%q is not in\n%s", want, text)
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
	var out shown
	var ended sync.WaitGroup
	defer ended.Wait()
	defer stop()
	s := NewScreen(&out, true)
	ended.Go(func() {
		Watch(ctx, s, []Watched{{Name: ownfile.Both("lecteur urn", "reader urn"), Scanner: dev, Asked: true}})
	})
	out.until(t, "lecteur urn              ░░░░░")
	if err := sims[0].Put(uid(t, 1), 0); err != nil {
		t.Fatal(err)
	}
	out.until(t, "lecteur urn : la carte 04010203040501 est là · reader urn: card 04010203040501 is there\n")
	out.until(t, "██████")
	out.until(t, "\x1b[1A\x1b[J") // drawn over, not below each other
	sims[0].Take(uid(t, 1))
	out.until(t, "reader urn: card 04010203040501 has left\n")
	sims[0].Unplug(0)
	out.until(t, "reader urn: does not answer\n")
	out.until(t, "lecteur urn              —")
}
