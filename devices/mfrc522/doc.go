// Package mfrc522 drives the NXP MFRC522 reader and its clones over SPI, fast
// enough to name a card that falls through a slot.
//
// Order of calls: [Open] or [New]; [Dev.Probe] if a person waits for a first
// verdict; [Dev.Scan] as often as wanted, or [Dev.ScanNew] and [Dev.Verify] over a pile; [Dev.Close]. A Dev exists whether or not
// the chip answers: Scan brings it up, repairs it, and fails as long as it is gone, so that
// it may be plugged in later. Package presence makes events of scans.
//
// It needs three wires and chip select. No interrupt wire, ever: the driver sleeps
// while a frame is in the air and then looks once. A wire to NRSTPD is optional and allows the
// last step of recovery.
//
// Compared with periph's driver of the same name: one burst per FIFO, one frame
// for all status registers, a time-out of 0.25 instead of 15.5 ms, the field always on,
// anticollision, three cascade levels and checks of every answer. The benchmark of
// this package prints both side by side on the simulator, on tags that suit both.
//
// Figures: 8 SPI transfers per empty poll, 6 per further exchange; at 20 µs
// per transfer an empty poll lasts 0.6 ms and a 7-byte tag is named in under 6 ms.
// Defaults: 4 MHz, 38 dB gain (more is not better), health check every 250 ms.
//
// Leaks: nothing; messages name ports and registers, never identifiers. Limits: 16 tags a scan;
// Scan lasts at most about 0.2 s in a bad field, 0.3 s while repairing.
// No allocation per poll.
//
// Registers: MFRC522 data sheet, rev. 3.9, https://www.nxp.com/docs/en/data-sheet/MFRC522.pdf
package mfrc522
