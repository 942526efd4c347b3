//go:build simavr

// Package sim runs the real image of the node, firmware/build/node.elf, on an ATmega328P of libsimavr, in virtual time: four
// readers of package mfrc522sim at its bus, a line at its UART, strips at its pins, buttons. It is for tests, and for the program
// emulator that the demonstration can start: libsimavr is under the GPL and never becomes part of the daemon. Hence the build tag:
//
//	make -C firmware && go test -tags simavr ./firmware/...
//
// Two parts of simavr 1.6 are replaced: SPI, where every byte takes 100 µs whatever its clock, and the receiver of the UART, which
// never overruns. The receiver here holds two bytes and one in its shift register, and loses what comes then (data sheet of
// the ATmega328P, 20.7.1 and 20.8.3). Interrupts are entered in no time instead of four cycles.
//
// A Board belongs to one goroutine. The same calls give the same result, to the cycle.
package sim
