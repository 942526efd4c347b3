package overlay

import "testing"

func TestLine(t *testing.T) {
	for name, want := range map[string]string{
		"SPI0.0": "dtparam=spi=on", "SPI0.1": "dtparam=spi=on", "/dev/spidev0.0": "dtparam=spi=on",
		"SPI1.0": "dtoverlay=spi1-1cs", "SPI1.2": "dtoverlay=spi1-3cs", "/dev/spidev5.1": "dtoverlay=spi5-2cs",
		"": "dtparam=spi=on", "SPI": "dtparam=spi=on", "SPI1": "dtparam=spi=on", "SPI9.0": "dtparam=spi=on", "SPI1.7": "dtparam=spi=on",
	} {
		if got := SPIConfigLine(name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}
