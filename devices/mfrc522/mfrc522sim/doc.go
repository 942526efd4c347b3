// Package mfrc522sim is an MFRC522 with a radio field, register by register,
// behind an spi.Port: the twin that drivers are tested and the demo is run on. It knows
// nothing of any driver; periph's own mfrc522 runs on it unmodified.
//
// Modelled: registers with their reset values, FIFO, the commands Idle, CalcCRC,
// Transceive and SoftReset, timer with automatic start and its stop after the fifth bit, interrupt
// bits and pin, soft and hard reset, the cost of each SPI transfer. In the field: up to 16 tags, each
// a state machine of ISO/IEC 14443-3 figure 7 with boot time, arrival and departure to the nanosecond;
// answers overlap bit by bit, and where tags differ there is a collision. On demand: bit errors
// in both directions (rate or exact place), bursts in an empty field, brown-out,
// two kinds of hang, a bus that is stuck or fails, tags that break the rules.
//
// Not modelled: distance, gain and the stronger tag winning; an answer
// reaches the FIFO when it ends and not byte by byte; CRC by TxMode and RxMode; Crypto1.
//
// Two clocks: [New] runs on a virtual clock that only SPI transfers and the driver's sleeps
// move, for one goroutine and with the same result every time; [NewRealtime]
// runs on the computer's clock and may be changed while a driver polls. [Sim.Put],
// [Sim.Take] and all other methods are safe for concurrent use.
//
// Figures: 106 kbit/s, 9.44 µs a bit, 91.2 µs frame delay (ISO/IEC 14443-3, 6.2); register
// numbers and meaning from the MFRC522 data sheet, rev. 3.9, sections 8 to 10.
package mfrc522sim
