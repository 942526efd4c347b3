// Package mfrc522 drives the NXP MFRC522 reader and its clones over SPI, fast enough to read a card that falls
// through a slot.
//
// Order of calls: [Open] or [New]; [Dev.Probe] if a person waits for a first result; [Dev.Scan] as often as
// wanted, or [Dev.ScanNew] and [Dev.FindTag] over a pile; [Dev.Close]. A Dev exists whether or not the chip
// answers: Scan starts the chip, repairs it, and fails while it is missing, so it may be plugged in later.
// Package presence turns scans into events.
//
// The chip needs three wires and chip select, and never an interrupt wire: the driver sleeps while a frame is
// in the air and then looks once. A wire to NRSTPD is optional and makes a hard reset possible, the last step
// of a repair.
//
// Compared with periph's driver of the same name: one burst per FIFO, one frame for all status registers, a
// time-out of 0.25 instead of 15.5 ms, the field always on, anticollision, three cascade levels and checks of
// every answer. The benchmark of this package prints both next to each other on the simulator, with tags that
// both can read.
//
// Figures: 8 SPI transfers per empty poll, 6 per further exchange. At 20 µs per transfer an empty poll takes
// 0.6 ms, and a 7-byte tag is named in less than 6 ms. Defaults: 4 MHz, 38 dB gain (more is not better), health
// check every 250 ms.
//
// Leaks: nothing; messages name ports and registers, never identifiers. Limits: 16 tags a scan; Scan takes at
// most about 0.2 s in a bad field, 0.3 s while repairing. No allocation per poll.
//
// Registers: MFRC522 data sheet, rev. 3.9, https://www.nxp.com/docs/en/data-sheet/MFRC522.pdf
package mfrc522
