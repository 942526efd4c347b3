// Package overlay finds the line of /boot/firmware/config.txt that enables a SPI port of a Raspberry Pi.
package overlay

import (
	"fmt"
	"strings"
)

// SPIConfigLine returns the line that enables a port, such as SPI1.0 or /dev/spidev1.0: SPI1.0 needs one chip
// select, SPI1.2 three. For SPI0, and for any other name, it returns the line of the first bus.
func SPIConfigLine(port string) string {
	port = strings.TrimPrefix(strings.TrimPrefix(strings.ToLower(port), "/dev/spidev"), "spi")
	bus, cs, ok := strings.Cut(port, ".")
	if !ok || len(bus) != 1 || bus < "1" || bus > "6" || len(cs) != 1 || cs < "0" || cs > "2" {
		return "dtparam=spi=on"
	}
	return fmt.Sprintf("dtoverlay=spi%s-%dcs", bus, cs[0]-'0'+1)
}
