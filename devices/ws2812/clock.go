package ws2812

import (
	"errors"
	"fmt"
	"strings"

	"periph.io/x/conn/v3/physic"

	"majordome/devices"
	"majordome/devices/internal/vcio"
)

// The SPI clock of a Raspberry Pi up to the 4 is its core clock by an even number, and the core clock wanders with the load
// unless config.txt pins it: then bits are stretched and every colour is garbage.

// Slowest and fastest clock at which all pulses lie in the windows of the data sheet: a one is high for two
// periods, 0.65 us at least and 0.95 us at most, and low for the third, 0.60 us at most; a zero is low for two, 0.70 to 1.00 us.
const (
	Slowest = 2105 * physic.KiloHertz // 2 periods of 0.95 us
	Fastest = 2857 * physic.KiloHertz // 2 periods of 0.70 us
)

// Board is a kind of Raspberry Pi and how its core clock is pinned.
type Board struct {
	Filter string // of config.txt
	models []string
	Core   physic.Frequency // what the core is pinned to; 0: the SPI clock does not follow it
	Least  bool             // core_freq_min is needed, too: the core would idle at 200 MHz
}

// Boards are those that are known.
var Boards = []Board{
	{"pi3", []string{"Raspberry Pi 3", "Raspberry Pi Compute Module 3"}, 250 * physic.MegaHertz, false},
	{"pi02", []string{"Raspberry Pi Zero 2"}, 250 * physic.MegaHertz, false},
	{"pi4", []string{"Raspberry Pi 4", "Raspberry Pi 400", "Raspberry Pi Compute Module 4"}, 500 * physic.MegaHertz, true},
	{"pi5", []string{"Raspberry Pi 5", "Raspberry Pi 500", "Raspberry Pi Compute Module 5"}, 0, false},
}

// Lines are those of config.txt that pin the clock of the board.
func (b Board) Lines() (lines []string) {
	if b.Core == 0 {
		return nil
	}
	lines = append(lines, fmt.Sprintf("core_freq=%d", b.Core/physic.MegaHertz))
	if b.Least {
		lines = append(lines, fmt.Sprintf("core_freq_min=%d", b.Core/physic.MegaHertz))
	}
	return lines
}

// pinned lists the boards and their lines in one sentence.
func pinned() string {
	var all []string
	for _, b := range Boards {
		if b.Core != 0 {
			all = append(all, "["+b.Filter+"] "+strings.Join(b.Lines(), " "))
		}
	}
	return strings.Join(all, ", ")
}

// ConfigTxt is the part of /boot/firmware/config.txt that pins the clock on every board.
func ConfigTxt() string {
	var b strings.Builder
	for _, board := range Boards {
		fmt.Fprintf(&b, "[%s]\n", board.Filter)
		for _, line := range board.Lines() {
			b.WriteString(line + "\n")
		}
		if board.Core == 0 {
			b.WriteString("# nothing: its SPI clock does not follow the core\n")
		}
	}
	return b.String() + "[all]\n"
}

// Divider is what the SPI of a Raspberry Pi divides a clock by when 2.4 MHz are asked of it: rounded up, and even
// (spi-bcm2835.c; the RP1 of a Pi 5 does the same with its 200 MHz).
func Divider(core physic.Frequency) physic.Frequency {
	div := (core + Frequency - 1) / Frequency
	return div + div&1
}

// ErrBoard: nobody knows how to ask this computer for the clock of its SPI.
var ErrBoard = errors.New("the clock of this board is not known")

// boardOf is the board that a model is.
func boardOf(model string) (Board, bool) {
	for _, b := range Boards {
		for _, m := range b.models {
			if strings.HasPrefix(model, m) {
				return b, true
			}
		}
	}
	return Board{}, false
}

// CheckClock asks this computer which clock the strip will really get. A clock that makes garbage of the colours is a
// devices.Advice, which names no chip; another error says that it could not be asked: ErrBoard on all but a Raspberry Pi from the 3 on.
func CheckClock() error { return checkClock(vcio.Model(), vcio.Firmware) }

// checkClock: the divider is chosen while the core runs at one end of its range, and the core may then run at the other.
func checkClock(model string, firmware vcio.Mailbox) error {
	b, known := boardOf(model)
	switch {
	case !known:
		return ErrBoard
	case b.Core == 0:
		return nil
	}
	least, most, err := firmware.Range(vcio.Core)
	if err != nil {
		return err
	}
	for _, chosen := range []physic.Frequency{least, most} {
		for _, core := range []physic.Frequency{least, most} {
			if clock := core / Divider(chosen); clock < Slowest || clock > Fastest {
				lines := strings.Join(b.Lines(), "\n")
				return devices.Advice{
					EN: fmt.Sprintf("the core clock wanders between %s and %s, and the strip would get %s instead of %s: every colour would be wrong; write these lines into /boot/firmware/config.txt and restart:\n%s",
						least, most, clock, Frequency, lines),
					FR: fmt.Sprintf("l’horloge du cœur va de %s à %s, et le ruban recevrait %s au lieu de %s : toutes les couleurs seraient fausses ; écrivez ces lignes dans /boot/firmware/config.txt et redémarrez :\n%s",
						least, most, clock, Frequency, lines),
				}
			}
		}
	}
	return nil
}
