package node

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The default pins of a node without a configuration are the same as in the sources of its firmware.
func TestTheStandardIsTheFirmwares(t *testing.T) {
	sources := map[string]string{}
	for _, name := range []string{"hal_avr/hal.h", "hal_avr/main.cpp", "core/config.h"} {
		b, err := os.ReadFile(filepath.Join("../../firmware/node/src", name))
		if err != nil {
			t.Fatal(err)
		}
		sources[name] = string(b)
	}
	c := DefaultConfig()
	if err := c.Validate(); err != nil {
		t.Error(err)
	}
	for i := range MaxReaders {
		if c.Select[i] != 10-Pin(i) || c.Buttons[i] != 14+Pin(i) {
			t.Errorf("reader and button %d are at %v and %v", i, c.Select[i], c.Buttons[i])
		}
	}
	if c.Data != 6 || c.Strip != WS2812GRB || c.Pixels != 60 || c.Gain != 38 || MOSI != 11 || MISO != 12 || SCK != 13 {
		t.Errorf("the strip is %+v, the bus %v, %v, %v", c, MOSI, MISO, SCK)
	}
	for name, words := range map[string][]string{
		"hal_avr/hal.h": {"i < kReaders; i++) c.select[i] = 10 - i;", "i < kButtons; i++) c.button[i] = 14 + i;", "c.strip = kWs2812Grb;",
			"c.pixels = 60;", "c.data = 6;",
			"pin >= 2 && pin <= 19 && (pin < 11 || pin > 13)"},
		"hal_avr/main.cpp": {"MOSI 11, SCK 13.", "Pin(11).output(false);", "Pin(13).output(false);"},
		"core/config.h":    {"gain = 0x50;"},
	} {
		for _, w := range words {
			if !strings.Contains(sources[name], w) {
				t.Errorf("%s no more says %q: make Standard, the pins of the bus and this test say what it says now", name, w)
			}
		}
	}
}
