package spistrip

import (
	"errors"
	"strings"
	"testing"

	"periph.io/x/conn/v3/spi"
	"periph.io/x/conn/v3/spi/spireg"

	"majordome/devices"
)

// TestAdviceFitsTheBus: the advice says how to switch on the bus that was named, whether the machine has another one or none.
func TestAdviceFitsTheBus(t *testing.T) {
	other := func() (spi.PortCloser, error) { return nil, errors.New("not asked for") }
	for _, have := range []string{"", "SPI0.0", "SPI1.0"} {
		if have != "" {
			if err := spireg.Register(have, nil, -1, other); err != nil {
				t.Fatal(err)
			}
		}
		for name, want := range map[string]string{
			"SPI0.1": "dtparam=spi=on",
			"SPI1.2": "dtoverlay=spi1-3cs",
			"SPI3.0": "dtoverlay=spi3-1cs",
		} {
			_, err := OpenSPIPort("apa102", name, "", "")
			var a devices.Advice
			if !errors.As(err, &a) || !strings.Contains(a.EN, want) || !strings.Contains(a.FR, want) || !strings.Contains(a.EN, name) ||
				strings.Count(a.EN, "dt") != 1 {
				t.Errorf("%s where there is %q: %q and %q, want %s", name, have, a.EN, a.FR, want)
			}
		}
		if have != "" {
			if err := spireg.Unregister(have); err != nil {
				t.Fatal(err)
			}
		}
	}
}
