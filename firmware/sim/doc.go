//go:build simavr

// Package sim runs the real image of the node, firmware/build/node.elf, on an ATmega328P of libsimavr, in
// virtual time: four readers of package mfrc522sim on its bus, a line at its UART, strips and buttons at its
// pins. It is for tests, and for the program emulator that the demonstration can start. libsimavr is under the
// GPL and never becomes part of the daemon; hence the build tag:
//
//	make -C firmware && go test -tags simavr ./firmware/...
//
// Two parts of simavr 1.6 are replaced: SPI, where every byte takes 100 µs at any clock, and the receiver of
// the UART, which never overruns. The receiver here stores two bytes and one in its shift register, and loses
// later ones (data sheet of the ATmega328P, 20.7.1 and 20.8.3). Interrupts are entered in no time instead of
// four cycles.
//
// Only one goroutine may use a Board. The same calls give the same result, to the cycle.
package sim
