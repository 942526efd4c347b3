package config

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"majordome/engine/games"
	"majordome/engine/ownfile"
)

// The environment takes precedence over the file, for each kind of value.
func TestEnvironment(t *testing.T) {
	file := "listen: \":80\"\ncalm: false\nreaders:\n  - role: urn # the slot\n    spi: SPI1.0\n    gain: 33\n"
	c, err := parseLayers(layer{"majordome.yaml", []byte(file)}, layer{}, []string{
		"PATH=/bin", "MAJORDOME_LISTEN=:8081", "MAJORDOME_CALM=true", "MAJORDOME_NAMES=table.example, 192.168.1.5",
		"MAJORDOME_READERS_0_GAIN=43",
		"MAJORDOME_READERS_1_ROLE=show", "MAJORDOME_READERS_1_CHIP=serial", "MAJORDOME_READERS_1_PORT=/dev/ttyACM0",
		"MAJORDOME_STRIPS_0_CHIP=apa102", "MAJORDOME_STRIPS_0_SPI=SPI0.0", "MAJORDOME_STRIPS_0_BUDGET_MA=900",
	})
	if err != nil {
		t.Fatal(err)
	}
	if c.Listen != ":8081" || !c.Calm || !slices.Equal(c.Names, []string{"table.example", "192.168.1.5"}) || len(c.Readers) != 2 ||
		len(c.Strips) != 1 {
		t.Fatalf("%+v", c)
	}
	r := c.Readers
	if r[0].Gain != 43 || r[0].SPI != "SPI1.0" || r[1].Role != "show" || r[1].Baud != 115200 || c.Strips[0].BudgetMA != 900 {
		t.Errorf("%+v %+v", r, c.Strips)
	}
	if from := c.EnvironmentPaths(); len(from) != 10 || !slices.Contains(from, "$.readers[0].gain") {
		t.Errorf("from the environment: %q", from)
	}
}

// A fault in a variable names that variable, in both languages. A misspelt variable is refused like an unknown key of
// the file; one that only has our prefix is reported.
func TestEnvironmentFaults(t *testing.T) {
	for variable, want := range map[string]string{
		"MAJORDOME_LISTEN=80":                "MAJORDOME_LISTEN: listen: bad address",
		"MAJORDOME_CALM=yes":                 `MAJORDOME_CALM: "yes" is neither true nor false`,
		"MAJORDOME_READERS_0_GAIN=loud":      `MAJORDOME_READERS_0_GAIN: "loud" is no whole number`,
		"MAJORDOME_READERS_0_GAIN=44":        "MAJORDOME_READERS_0_GAIN: gain: 44 (one of: ",
		"MAJORDOME_READERS_2_ROLE=show":      "MAJORDOME_READERS_2_ROLE: there is no readers number 2",
		"MAJORDOME_NAMES=a.example,http://b": "MAJORDOME_NAMES: names: bad name",
		// faults of values that are only in the environment
		"MAJORDOME_READERS_1_ROLE=show":  "MAJORDOME_READERS_1_SPI: spi: the bus is missing",
		"MAJORDOME_BUTTONS_0_ROLE=next":  "MAJORDOME_BUTTONS_0: a button is at a pin",
		"MAJORDOME_READERS_0_SPI=SPI1.x": "MAJORDOME_READERS_0_SPI: spi: bad name of a bus",
		"MAJORDOME_STRIPS_0_CHIP=ws2812": "MAJORDOME_STRIPS_0_SPI: spi: ",
		// misspelt variables
		"MAJORDOME_LISTNE=:80":          "MAJORDOME_LISTNE: this variable stands for no setting (did you mean MAJORDOME_LISTEN?)",
		"MAJORDOME_READERS_0_GIAN=33":   "(did you mean MAJORDOME_READERS_0_GAIN?)",
		"MAJORDOME_READER_0_GAIN=33":    "(did you mean MAJORDOME_READERS_0_GAIN?)",
		"MAJORDOME_READERS_0_ANTENNA=1": "(those here end in: ROLE, CHIP, SPI, ",
		"MAJORDOME_READERS=urn":         "(a variable for each setting: MAJORDOME_READERS_0_ and its name)",
		"MAJORDOME_STRIPS_0_SEGMENTS_URN=1": "MAJORDOME_STRIPS_0_SEGMENTS_URN: this variable stands for no setting (segments: is written " +
			"in the file alone)",
	} {
		_, err := parseLayers(layer{"majordome.yaml", []byte("readers:\n  - {role: urn, spi: SPI1.0}\n")}, layer{}, []string{variable})
		var f *ownfile.Fault
		if !errors.As(err, &f) || !strings.Contains(f.Error(), want) || f.TextWithoutPlace().FR == f.TextWithoutPlace().EN || f.Line != 0 {
			t.Errorf("%s: %v", variable, err)
		}
	}
	c, err := parseLayers(layer{name: "majordome.yaml"}, layer{},
		[]string{"MAJORDOME_PORT=tcp://10.0.0.1:80", "MAJORDOME_PORT_80_TCP_ADDR=10.0.0.1", "MAJORDOME_SERVICE_HOST=10.0.0.1",
			"MAJORDOME_SOAK=1", "MAJORDOME_SEED=7", "MAJORDOME_HOSTILE=1"})
	if err != nil || len(c.UnknownVariables()) != 6 {
		t.Errorf("%v %q", err, c.UnknownVariables())
	}
}

// A fault in a deck that the environment names, or in a place of it, names that variable, not the file.
func TestEnvironmentDecks(t *testing.T) {
	for variable, want := range map[string]string{
		"MAJORDOME_DECK=/nowhere/box.yaml":       "MAJORDOME_DECK: deck: there is no such file",
		"MAJORDOME_DECKS=/nowhere":               "MAJORDOME_DECKS: decks: this is no folder",
		"MAJORDOME_READERS_0_ROLE=place-nowhere": "MAJORDOME_READERS_0_ROLE: role: no deck has a place",
	} {
		c, err := parseLayers(layer{"majordome.yaml", []byte("deck: other.yaml\nreaders:\n  - {role: place-salon, spi: SPI1.0}\n")},
			layer{}, []string{variable})
		if variable != "MAJORDOME_DECK=/nowhere/box.yaml" {
			c.Deck = ""
		}
		g, wrong := c.ReadDecks(games.KnownGames())
		if all := errors.Join(err, wrong, g.Skipped); all == nil || !strings.Contains(all.Error(), want) {
			t.Errorf("%s: %v", variable, all)
		}
	}
}

// The environment sets when a hotspot is made, as the file does.
func TestEnvironmentOfTheHotspot(t *testing.T) {
	c, err := parseLayers(layer{name: "x"}, layer{}, []string{"MAJORDOME_HOTSPOT=always", "MAJORDOME_HOTSPOT_NAME=Salon",
		"MAJORDOME_HOTSPOT_PASSWORD=12345678", "MAJORDOME_HOTSPOT_COUNTRY=FR"})
	if err != nil || c.Hotspot != "always" || c.HotspotName != "Salon" || c.HotspotPassword != "12345678" || c.HotspotCountry != "FR" {
		t.Errorf("%v, %+v", err, c)
	}
}
