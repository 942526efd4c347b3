// Package mfrc522sim simulates an MFRC522 and its radio field, register by register, behind an spi.Port.
// Drivers are tested on it, and the demonstration runs on it. It knows no driver, and shares no code with one.
//
// It is strict: behaviour that the data sheet does not promise does not work here.
//   - A command that is written again while it runs is ignored: only another command interrupts (section 10.2).
//     Transceive sends again after an answer; after silence only Idle ends it.
//   - Reserved bits behave as the maker of the chip built them, see [Maker].
//   - A soft reset takes time ([Opts.Reset]). Meanwhile only CommandReg answers, with PowerDown set, and writes
//     are lost.
//   - The FIFO is filled and emptied byte by byte, at the speed of the air.
//
// [Opts.Lenient] switches all of that off, for drivers that rely on the behaviour of most chips; periph's
// mfrc522 runs on it unmodified.
//
// Modelled: registers with their reset values, FIFO, the commands Idle, CalcCRC, Transceive and SoftReset,
// timer with automatic start and its stop after the fifth bit, RxNoErr, interrupt bits and pin, soft and hard
// reset, the cost of each SPI transfer, a bus that several chips share. In the field: up to 64 tags, each a
// state machine of ISO/IEC 14443-3 figure 7 with boot time, and with arrival and departure to the nanosecond;
// answers overlap bit by bit, and where tags differ there is a collision. On demand: bit errors in both
// directions (rate or exact place), spurious receptions in a share of silences, brown-out of any length, two
// kinds of hang, a bus that is stuck or fails, tags that break the rules.
//
// Not modelled, so no test here proves it:
//   - coupling and detuning: a tag is received perfectly or not at all, and fifty of them in one field answer
//     like one, where real ones take each other's power; [Sim.SetAir] adds distance, gain and noise with the
//     right shape, in chosen figures;
//   - the stronger tag winning: every bit in which two tags differ is a collision;
//   - the shape of noise: errors are independent, bit by bit, where real ones come in bursts and follow the
//     motion of a card;
//   - neighbours, except after [Sim.PlaceNear]: two coils do not disturb each other, nor do strips, phones and
//     power supplies;
//   - a chip that drives MISO although it is not selected, and edges that a long wire rounds;
//   - CRC by TxMode and RxMode, Crypto1, the self-test, MFAuthent, water levels, the timer's other sources;
//   - the scatter of frame delays and clocks of real tags: they answer after 91.2 µs to the bit;
//   - temperature, and a supply that sags without breaking down.
//
// There are two clocks. [New] runs on a virtual clock that only SPI transfers and the driver's sleeps move, for
// one goroutine and with the same result every time; [NewRealtime] runs on the computer's clock and may be
// changed while a driver polls. [Sim.PlaceTag], [Sim.RemoveTag] and all other methods are safe for concurrent
// use.
//
// Figures: 106 kbit/s, 9.44 µs a bit, 91.2 µs frame delay (ISO/IEC 14443-3, 6.2); register numbers and meaning
// from the MFRC522 data sheet, rev. 3.9, sections 8 to 10.
package mfrc522sim
