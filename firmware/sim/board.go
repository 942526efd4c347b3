//go:build simavr

package sim

// #cgo CFLAGS: -std=gnu11 -Wall -O2
// #cgo LDFLAGS: -lsimavr
// #include "core.h"
import "C"

import (
	"debug/elf"
	"errors"
	"fmt"
	"runtime/cgo"
	"time"
	"unsafe"

	"majordome/devices"
	"majordome/devices/mfrc522/mfrc522sim"
	"periph.io/x/conn/v3/spi"
)

// cyclesToTime returns the time of so many cycles at 16 MHz: 62.5 ns each.
func cyclesToTime(cycles C.uint64_t) time.Duration { return time.Duration(cycles) * 125 / 2 }

// Causes of a reset, as bits of MCUSR.
const (
	PowerOn  = 1
	BrownOut = 4
)

// Board is a node: a chip, four readers, two strips, four buttons.
type Board struct {
	c      *C.board
	handle cgo.Handle

	// Readers are the chips at D10, D9, D8 and D7.
	Readers [4]*mfrc522sim.Sim
	bus     [4]spi.Conn
}

// NewBoard makes a board with the image at path, powered on at time zero.
func NewBoard(path string) (*Board, error) {
	flash, ram, err := loadFlash(path)
	if err != nil {
		return nil, fmt.Errorf("sim: load %s: %w", path, err)
	}
	b := &Board{}
	b.handle = cgo.NewHandle(b)
	b.c = C.board_new(C.uintptr_t(b.handle), (*C.uint8_t)(&flash[0]), C.uint32_t(len(flash)), C.uint32_t(ram))
	if b.c == nil {
		return nil, errors.New("sim: libsimavr knows no atmega328p")
	}
	for i := range b.Readers {
		b.Readers[i] = mfrc522sim.New(&mfrc522sim.Opts{Clock: clock{b}, Seed: uint64(i)})
		b.bus[i] = b.Readers[i].Conn()
	}
	return b, nil
}

// loadFlash reads the contents of the flash from an ELF file, and the RAM address at which static memory ends.
func loadFlash(path string) (flash []byte, staticEnd uint32, err error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type != elf.PT_LOAD || p.Filesz == 0 || p.Paddr >= 1<<15 {
			continue
		}
		if end := p.Paddr + p.Filesz; uint64(len(flash)) < end {
			flash = append(flash, make([]byte, end-uint64(len(flash)))...)
		}
		if _, err := p.ReadAt(flash[p.Paddr:p.Paddr+p.Filesz], 0); err != nil {
			return nil, 0, err
		}
	}
	symbols, err := f.Symbols()
	if err != nil {
		return nil, 0, err
	}
	for _, s := range symbols {
		if s.Name == "_end" {
			return flash, uint32(s.Value & 0xFFFF), nil
		}
	}
	return nil, 0, errors.New("no symbol _end")
}

// Close frees the board.
func (b *Board) Close() {
	C.board_free(b.c)
	b.handle.Delete()
}

// clock is the time of the chip. Only Board.Run moves it.
type clock struct{ b *Board }

func (c clock) Now() time.Duration { return c.b.Uptime() }
func (clock) Sleep(time.Duration)  {}

// Uptime returns the time since power-on.
func (b *Board) Uptime() time.Duration {
	return cyclesToTime(C.board_cycle(b.c))
}

// Run runs the chip for d. It panics if the program crashes, which is a fault of the firmware.
func (b *Board) Run(d time.Duration) {
	if C.board_run(b.c, C.uint64_t(d*2/125)) != 0 {
		panic("sim: the firmware crashed")
	}
}

//export boardAccess
func boardAccess(handle C.uintptr_t, reader C.int, address, value C.uint8_t) C.uint8_t {
	b := cgo.Handle(handle).Value().(*Board)
	w, r := [2]byte{byte(address), byte(value)}, [2]byte{}
	if err := b.bus[reader].Tx(w[:], r[:]); err != nil {
		return 0xFF
	}
	return C.uint8_t(r[1])
}

// Reset restarts the chip with the given cause. The readers keep running.
func (b *Board) Reset(cause uint8) { C.board_reset(b.c, C.uint8_t(cause)) }

// InstallOldLoader puts the boot loader of Nanos up to 2018 before the program. With it, a chip that was reset
// by its watchdog is reset again for ever. Call it before time passes.
func (b *Board) InstallOldLoader() { C.board_old_loader(b.c) }

// HangProgram makes the program loop for ever with interrupts on, as a fault in it would. Loops with interrupts
// off are all bounded.
func (b *Board) HangProgram() { C.board_hang(b.c) }

// ResetCount returns the number of resets, including those by the watchdog.
func (b *Board) ResetCount() int { return int(C.board_resets(b.c)) }

// SendToChip puts bytes on the line to the chip, which receives them while it runs. It panics if they do not fit.
func (b *Board) SendToChip(line []byte) {
	if len(line) > 0 && int(C.board_feed(b.c, (*C.uint8_t)(&line[0]), C.uint32_t(len(line)))) < len(line) {
		panic("sim: more on the line than it holds")
	}
}

// ReadOutput returns the bytes that the chip has sent since the last call.
func (b *Board) ReadOutput() []byte {
	var buf [4096]byte
	var out []byte
	for {
		n := int(C.board_output(b.c, (*C.uint8_t)(&buf[0]), C.uint32_t(len(buf))))
		if n == 0 {
			return out
		}
		out = append(out, buf[:n]...)
	}
}

// OverrunCount returns the number of bytes that the receiver lost.
func (b *Board) OverrunCount() int { return int(C.board_overruns(b.c)) }

// SetButton presses or releases button i, at A0 to A3.
func (b *Board) SetButton(i int, down bool) {
	v := 0
	if down {
		v = 1
	}
	C.board_button(b.c, C.int(i), C.int(v))
}

// SetEEPROM writes a byte of the EEPROM.
func (b *Board) SetEEPROM(at int, v byte) { C.board_set_eeprom(b.c, C.uint16_t(at), C.uint8_t(v)) }

// StripState is the state of a strip, with measurements of its wire.
type StripState struct {
	Frames     int
	Pixels     []devices.RGB
	Faults     int           // pulses outside the data sheet's windows, and frames that end within an LED
	LongestGap time.Duration // longest low level inside a frame
}

func newStripState(l *C.leds) StripState {
	out := StripState{Frames: int(l.frames), Faults: int(l.bad), LongestGap: cyclesToTime(l.longest_gap)}
	rgb := unsafe.Slice((*byte)(&l.rgb[0]), 3*l.leds)
	for i := 0; i < len(rgb); i += 3 {
		out.Pixels = append(out.Pixels, devices.RGB{R: rgb[i], G: rgb[i+1], B: rgb[i+2]})
	}
	return out
}

// WS2812 returns the state of the strip at D6.
func (b *Board) WS2812State() StripState {
	var l C.leds
	C.board_ws2812(b.c, &l)
	return newStripState(&l)
}

// APA102 returns the state of the strip at D6 and D5.
func (b *Board) APA102State() StripState {
	var l C.leds
	C.board_apa102(b.c, &l)
	return newStripState(&l)
}

// UntouchedRAM returns the number of bytes between static memory and the deepest stack so far.
func (b *Board) UntouchedRAM() int { return int(C.board_untouched(b.c)) }

// SPIBytes returns the number of bytes sent on the bus so far, ClashCount the number of those for which not
// exactly one reader was selected.
func (b *Board) SPIBytes() int   { return int(C.board_spi_bytes(b.c)) }
func (b *Board) ClashCount() int { return int(C.board_clashes(b.c)) }
