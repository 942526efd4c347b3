// Package mfrc522sim is an MFRC522 with a radio field, register by register,
// behind an spi.Port: the twin that drivers are tested and the demo is run on. It knows
// nothing of any driver, and shares no code with one.
//
// It is strict: what the data sheet does not promise does not work here.
//   - A command that is written again while it runs is ignored: only a new command code interrupts
//     (section 10.2). Transceive sends again after an answer; out of silence only Idle leads.
//   - Reserved bits keep what the maker of the chip put there, see [Make].
//   - A soft reset takes its time ([Opts.Reset]). Meanwhile CommandReg alone answers, with PowerDown set, and what is
//     written is lost.
//   - The FIFO is filled and emptied byte by byte, at the speed of the air.
//
// [Opts.Lenient] takes all of that away, for drivers that rely on what most chips do; periph's own mfrc522 runs on it unmodified.
//
// Modelled: registers with their reset values, FIFO, the commands Idle, CalcCRC,
// Transceive and SoftReset, timer with automatic start and its stop after the fifth bit, RxNoErr, interrupt
// bits and pin, soft and hard reset, the cost of each SPI transfer, a bus that several chips share. In the field: up to 64 tags, each
// a state machine of ISO/IEC 14443-3 figure 7 with boot time, arrival and departure to the nanosecond;
// answers overlap bit by bit, and where tags differ there is a collision. On demand: bit errors
// in both directions (rate or exact place), spurious receptions in a share of silences, brown-out of any length,
// two kinds of hang, a bus that is stuck or fails, tags that break the rules.
//
// Not modelled, so nothing here proves it:
//   - coupling and detuning: a tag hears wholly or not at all, and fifty of them in one field answer like one, where real ones
//     take each other's power; how it is heard has the shape of distance, gain and noise where [Sim.Air] is asked for, in chosen figures;
//   - the stronger tag winning: every bit in which two tags differ is a collision;
//   - the shape of noise: errors are independent, bit by bit, where real ones come in bursts and follow the motion of a card;
//   - neighbours: two coils do not disturb each other, nor do strips, phones and power supplies;
//   - MISO that a chip which is not selected holds, and edges that a long wire rounds;
//   - CRC by TxMode and RxMode, Crypto1, the self-test, MFAuthent, water levels, the timer's other sources;
//   - the scatter of frame delays and clocks of real tags: they answer after 91.2 µs to the bit;
//   - temperature, and what a supply does that sags without breaking down.
//
// Two clocks: [New] runs on a virtual clock that only SPI transfers and the driver's sleeps
// move, for one goroutine and with the same result every time; [NewRealtime]
// runs on the computer's clock and may be changed while a driver polls. [Sim.Put],
// [Sim.Take] and all other methods are safe for concurrent use.
//
// Figures: 106 kbit/s, 9.44 µs a bit, 91.2 µs frame delay (ISO/IEC 14443-3, 6.2); register
// numbers and meaning from the MFRC522 data sheet, rev. 3.9, sections 8 to 10.
package mfrc522sim
