package config

import (
	"errors"
	"strings"
	"testing"

	"majordome/engine/ownfile"
)

func TestSerialReaderConfig(t *testing.T) {
	got, err := parseText(t, `
readers:
  - {role: urn, chip: mfrc522, spi: SPI1.0}
  - {role: show, chip: serial, port: /dev/serial/by-id/usb-not-here, baud: 9600}
`)
	if err != nil {
		t.Fatal(err) // a port that is missing may be plugged in later
	}
	if r := got.Readers[1]; r.Chip != "serial" || r.Port != "/dev/serial/by-id/usb-not-here" || r.Baud != 9600 {
		t.Errorf("read %+v", r)
	}
	for reader, want := range map[string]string{
		"chip: pn532, port: /dev/ttyACM0":                    "mfrc522",
		"chip: serial":                                       "there ", // lists the ports that exist
		"chip: serial, port: ttyACM0":                        "whole name",
		"chip: serial, port: /dev/ttyACM0, baud: 250000":     "baud: 250000 (115200 as a rule",
		"chip: serial, port: /dev/ttyACM0, baud: -1":         "baud: -1 (115200",
		"chip: serial, port: /dev/ttyACM0, spi: SPI1.0":      "does not go with chip: serial",
		"chip: serial, port: /dev/ttyACM0, khz: 4000":        "does not go with chip: serial",
		"chip: mfrc522, spi: SPI1.0, port: /dev/ttyACM0":     "chip: serial",
		"spi: SPI1.0, baud: 115200":                          "chip: serial",
		"chip: serial, port: /dev/ttyACM1}\n  - {role: show": "spi",
	} {
		_, err := parseText(t, "readers:\n  - {role: urn, "+reader+"}\n")
		var f *ownfile.Fault
		if !errors.As(err, &f) {
			t.Errorf("%s: %v", reader, err)
			continue
		}
		if said := f.Text(); f.Line == 0 || !strings.Contains(said.EN, want) || said.FR == said.EN {
			t.Errorf("%s: %q and %q", reader, said.EN, said.FR)
		}
	}
	if _, err := parseText(t,
		"readers:\n  - {role: urn, chip: serial, port: /dev/ttyACM0}\n  - {role: show, chip: serial, port: /dev/ttyACM0}\n"); err == nil ||
		!strings.Contains(err.Error(), "two readers on") {
		t.Errorf("two readers on one port: %v", err)
	}
}
