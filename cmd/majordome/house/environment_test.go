package house

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"majordome/engine/ownfile"
)

// The environment wins over the file, for each kind of value.
func TestEnvironment(t *testing.T) {
	file := "listen: \":80\"\ncalm: false\nreaders:\n  - role: urn # the slot\n    spi: SPI1.0\n    gain: 33\n"
	c, err := parse("majordome.yaml", []byte(file), []string{
		"PATH=/bin", "MAJORDOME_LISTEN=:8081", "MAJORDOME_CALM=true", "MAJORDOME_NAMES=table.example, 192.168.1.5", "MAJORDOME_READERS_0_GAIN=43",
		"MAJORDOME_READERS_1_ROLE=show", "MAJORDOME_READERS_1_CHIP=serial", "MAJORDOME_READERS_1_PORT=/dev/ttyACM0", "MAJORDOME_STRIPS_0_CHIP=apa102", "MAJORDOME_STRIPS_0_SPI=SPI0.0", "MAJORDOME_STRIPS_0_BUDGET_MA=900",
	})
	if err != nil {
		t.Fatal(err)
	}
	if c.Listen != ":8081" || !c.Calm || !slices.Equal(c.Names, []string{"table.example", "192.168.1.5"}) || len(c.Readers) != 2 || len(c.Strips) != 1 {
		t.Fatalf("%+v", c)
	}
	if r := c.Readers; r[0].Gain != 43 || r[0].SPI != "SPI1.0" || r[1].Role != "show" || r[1].Baud != 115200 || c.Strips[0].BudgetMA != 900 {
		t.Errorf("%+v %+v", r, c.Strips)
	}
	if from := c.FromEnvironment(); len(from) != 10 || !slices.Contains(from, "$.readers[0].gain") {
		t.Errorf("from the environment: %q", from)
	}
}

// What is wrong with a variable names that variable, in both languages; what begins like ours and is not is only told.
func TestEnvironmentFaults(t *testing.T) {
	for variable, want := range map[string]string{
		"MAJORDOME_LISTEN=80":                "MAJORDOME_LISTEN: listen: bad address",
		"MAJORDOME_CALM=yes":                 `MAJORDOME_CALM: "yes" is neither true nor false`,
		"MAJORDOME_READERS_0_GAIN=loud":      `MAJORDOME_READERS_0_GAIN: "loud" is no whole number`,
		"MAJORDOME_READERS_0_GAIN=44":        "MAJORDOME_READERS_0_GAIN: gain: 44 (one of: ",
		"MAJORDOME_READERS_2_ROLE=show":      "MAJORDOME_READERS_2_ROLE: there is no readers number 2",
		"MAJORDOME_NAMES=a.example,http://b": "MAJORDOME_NAMES: names: bad name",
	} {
		_, err := parse("majordome.yaml", []byte("readers:\n  - {role: urn, spi: SPI1.0}\n"), []string{variable})
		var f *ownfile.Fault
		if !errors.As(err, &f) || !strings.Contains(f.Error(), want) || f.Said().FR == f.Said().EN || f.Line != 0 {
			t.Errorf("%s: %v", variable, err)
		}
	}
	c, err := parse("majordome.yaml", nil, []string{"MAJORDOME_PORT=tcp://10.0.0.1:80", "MAJORDOME_STRIPS_0_SEGMENTS=x"})
	if err != nil || len(c.Strange()) != 2 {
		t.Errorf("%v %q", err, c.Strange())
	}
}
