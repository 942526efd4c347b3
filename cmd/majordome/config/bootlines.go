package config

import (
	"fmt"
	"strings"

	"majordome/devices/ws2812"
)

// BootLines returns the lines that this wiring needs in /boot/firmware/config.txt of a Raspberry Pi: its SPI buses with
// as many chip selects as are used, I2C, and the clock of a WS2812 strip for each board. Empty: none are needed.
func (c Config) BootLines() string {
	most := map[int]int{} // the highest chip select of each bus
	use := func(spi string) {
		if bus, cs, ok := parseSPI(spi); ok {
			most[bus] = max(most[bus], cs)
		}
	}
	clocked, i2c := false, false
	for _, d := range c.Clocks {
		use(d.SPI)
		i2c = i2c || d.I2C != ""
	}
	for _, r := range c.Readers {
		use(r.SPI)
	}
	for _, s := range c.Strips {
		use(s.SPI)
		clocked = clocked || s.IsWS2812()
	}
	var b strings.Builder
	for bus := range 10 {
		if cs, used := most[bus]; used && bus == 0 {
			b.WriteString("dtparam=spi=on\n")
		} else if used {
			fmt.Fprintf(&b, "dtoverlay=spi%d-%dcs\n", bus, cs+1)
		}
	}
	if i2c {
		b.WriteString("dtparam=i2c_arm=on\n")
	}
	if clocked {
		b.WriteString(ws2812.ClockConfigTxt())
	}
	return b.String()
}
