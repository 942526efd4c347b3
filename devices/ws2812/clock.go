package ws2812

import (
	"errors"
	"fmt"
	"strings"

	"periph.io/x/conn/v3/physic"

	"majordome/devices"
	"majordome/devices/internal/vcio"
)

// The SPI clock of a Raspberry Pi up to the 4 is its core clock divided by an even number. The core clock
// varies with the load unless config.txt pins it: then bits are stretched and every colour is garbage.

// Slowest and fastest clock at which all pulses are within the windows of the data sheet: a one is high for two
// periods, 0.65 to 0.95 us, and low for the third, at most 0.60 us; a zero is low for two, 0.70 to 1.00 us.
const (
	Slowest = 2105 * physic.KiloHertz // 2 periods of 0.95 us
	Fastest = 2857 * physic.KiloHertz // 2 periods of 0.70 us
)

// Board is a kind of Raspberry Pi and the way to pin its core clock.
type Board struct {
	Filter   string // section of config.txt for this board
	models   []string
	Core     physic.Frequency // pinned core clock; 0: the SPI clock does not depend on it
	NeedsMin bool             // core_freq_min is needed, too: an idle core would run at 200 MHz
}

// Boards are the known boards.
var Boards = []Board{
	{"pi3", []string{"Raspberry Pi 3", "Raspberry Pi Compute Module 3"}, 250 * physic.MegaHertz, false},
	{"pi02", []string{"Raspberry Pi Zero 2"}, 250 * physic.MegaHertz, false},
	{"pi4", []string{"Raspberry Pi 4", "Raspberry Pi 400", "Raspberry Pi Compute Module 4"}, 500 * physic.MegaHertz, true},
	{"pi5", []string{"Raspberry Pi 5", "Raspberry Pi 500", "Raspberry Pi Compute Module 5"}, 0, false},
}

// ClockConfigLines returns the lines of config.txt that pin the clock of the board.
func (b Board) ClockConfigLines() (lines []string) {
	if b.Core == 0 {
		return nil
	}
	lines = append(lines, fmt.Sprintf("core_freq=%d", b.Core/physic.MegaHertz))
	if b.NeedsMin {
		lines = append(lines, fmt.Sprintf("core_freq_min=%d", b.Core/physic.MegaHertz))
	}
	return lines
}

// boardLinesHint lists the boards and their lines in one sentence.
func boardLinesHint() string {
	var all []string
	for _, b := range Boards {
		if b.Core != 0 {
			all = append(all, "["+b.Filter+"] "+strings.Join(b.ClockConfigLines(), " "))
		}
	}
	return strings.Join(all, ", ")
}

// ClockConfigTxt returns the part of /boot/firmware/config.txt that pins the clock on every board.
func ClockConfigTxt() string {
	var b strings.Builder
	for _, board := range Boards {
		fmt.Fprintf(&b, "[%s]\n", board.Filter)
		for _, line := range board.ClockConfigLines() {
			b.WriteString(line + "\n")
		}
		if board.Core == 0 {
			b.WriteString("# nothing: its SPI clock does not follow the core\n")
		}
	}
	return b.String() + "[all]\n"
}

// ClockDivider returns the number by which the SPI of a Raspberry Pi divides its core clock for 2.4 MHz:
// rounded up, and even (spi-bcm2835.c; the RP1 of a Pi 5 does the same with its 200 MHz).
func ClockDivider(core physic.Frequency) physic.Frequency {
	div := (core + Frequency - 1) / Frequency
	return div + div&1
}

// ErrBoard reports that the SPI clock of this computer cannot be found out.
var ErrBoard = errors.New("the clock of this board is not known")

// findBoard returns the board of a model as vcio.BoardModel reports it; false if it is none of Boards.
func findBoard(model string) (board Board, ok bool) {
	for _, b := range Boards {
		for _, m := range b.models {
			if strings.HasPrefix(model, m) {
				return b, true
			}
		}
	}
	return Board{}, false
}

// CheckClock checks the clock that the strip will really get. A clock that ruins the colours is a
// devices.Advice, which names no chip. Any other error means that the clock is unknown: ErrBoard on every
// computer but a Raspberry Pi from the 3 on.
func CheckClock() error { return checkClock(vcio.BoardModel(), vcio.CallFirmware) }

// checkClock checks the clock on a board of this model. It assumes the worst case: the divider is chosen while
// the core runs at one end of its range, and the core then runs at the other.
func checkClock(model string, firmware vcio.Mailbox) error {
	b, known := findBoard(model)
	switch {
	case !known:
		return ErrBoard
	case b.Core == 0:
		return nil
	}
	least, most, err := firmware.ClockRange(vcio.Core)
	if err != nil {
		return err
	}
	for _, chosen := range []physic.Frequency{least, most} {
		for _, core := range []physic.Frequency{least, most} {
			if clock := core / ClockDivider(chosen); clock < Slowest || clock > Fastest {
				lines := strings.Join(b.ClockConfigLines(), "\n")
				return devices.Advice{
					EN: fmt.Sprintf("the core clock wanders between %s and %s, and the strip would get %s instead of %s: "+
						"every colour would be wrong; write these lines into /boot/firmware/config.txt and restart:\n%s",
						least, most, clock, Frequency, lines),
					FR: fmt.Sprintf("l’horloge du cœur va de %s à %s, et le ruban recevrait %s au lieu de %s : "+
						"toutes les couleurs seraient fausses ; écrivez ces lignes dans /boot/firmware/config.txt et redémarrez :\n%s",
						least, most, clock, Frequency, lines),
				}
			}
		}
	}
	return nil
}
