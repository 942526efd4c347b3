package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"periph.io/x/conn/v3/spi"
	"periph.io/x/conn/v3/spi/spireg"

	"majordome/cmd/majordome/house"
	"majordome/devices"
	"majordome/devices/mfrc522/mfrc522sim"
)

// slotReader is the urn's reader of a configuration, whose chip is simulated.
func slotReader(t *testing.T) (*mfrc522sim.Sim, house.ReaderConfig, devices.UID) {
	t.Helper()
	sim := mfrc522sim.NewRealtime(nil)
	if err := spireg.Register("SPI9.0", nil, -1, func() (spi.PortCloser, error) { return sim.Port(), nil }); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = spireg.Unregister("SPI9.0") })
	file := filepath.Join(t.TempDir(), "majordome.yaml")
	if err := os.WriteFile(file, []byte("readers: [{role: urn, spi: SPI9.0}]"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := measurable(file, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := measurable(file, "show"); err == nil {
		t.Error("a reader that is not there")
	}
	u, _ := devices.MakeUID([]byte{4, 1, 2, 3, 4, 5, 6})
	return sim, r, u
}

// Somebody lays a card, presses Enter, takes it away, presses Enter, and is told which gain to write.
func TestGainIsSwept(t *testing.T) {
	sim, r, card := slotReader(t)
	answers := make(chan string)
	go func() {
		if err := sim.Put(card, 0); err != nil {
			t.Error(err)
		}
		answers <- ""
		answers <- "" // is taken when the first sweep is over
	}()
	var out strings.Builder
	taken := writer(func(b []byte) (int, error) {
		if strings.Contains(string(b), "take all cards away") {
			sim.Take(card)
		}
		return out.Write(b)
	})
	if err := sweep(t.Context(), r, conversation{taken, answers}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\n18 dB  100 %    0 %    0 %\n", "\n48 dB  100 %    0 %    0 %\n", "gardez gain: 38\nkeep gain: 38\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, &out)
		}
	}
	sim.Unplug(0)
	go func() { answers <- "" }()
	if err := sweep(t.Context(), r, conversation{io.Discard, answers}); err == nil || !strings.Contains(told(err)[0].FR, "lecteur urn : aucun lecteur ne répond") {
		t.Error(err)
	}
}

type writer func([]byte) (int, error)

func (w writer) Write(b []byte) (int, error) { return w(b) }

// Two cards fall, Enter ends it, and three were dropped: one was too fast.
func TestSlotIsMeasured(t *testing.T) {
	sim, r, card := slotReader(t)
	answers := make(chan string)
	go func() {
		other, _ := devices.MakeUID([]byte{4, 9, 9, 9, 4, 5, 6})
		for _, u := range []devices.UID{card, other} {
			if err := sim.PutTag(mfrc522sim.Tag{UID: u, Stay: 200 * time.Millisecond}); err != nil {
				t.Error(err)
			}
			time.Sleep(300 * time.Millisecond) // as a person does
		}
		answers <- ""
		answers <- "3"
	}()
	var out strings.Builder
	if err := drop(t.Context(), r, conversation{&out, answers}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\n2 cards were read; how many", "your slot lets cards fall too fast: 1 of 3 cards were not read", "  80 – 1000 ms    2 ██\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, &out)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := drop(ctx, r, conversation{io.Discard, answers}); err != nil {
		t.Error(err)
	}
}
