// Package iso14443 reads the identifiers of the tags in a reader's field: the initialisation and anticollision
// of ISO/IEC 14443-3 type A, on any transceiver that can send and receive one frame.
//
// One call of [Reader.Inventory] wakes the field, resolves every collision bit by bit, selects each tag through
// up to three cascade levels and halts it again, so that the next call finds all of them again. Over a pile of
// tags, [Reader.ListArrivals] wakes only those that were not halted yet, and [Reader.AskForTag] asks for one that
// is known. The package remembers no tags between calls: package presence decides what arrived and what left.
//
// A tag counts as read if the block check character of every level and the CRC_A of every SAK are right,
// cascade tag and cascade bit agree, and the tag answered a SELECT that carried its whole identifier. A frame
// that fails any of these is noise, never a shorter or different UID.
//
// Leaks: nothing; a UID is no secret. Limits: 16 tags, 24 open branches and 160 frames per inventory; anything
// beyond is reported as noise. No allocation after New.
package iso14443

// Commands of ISO/IEC 14443-3, 6.4.
const (
	cmdREQA = 0x26 // request: wakes tags in IDLE; 7 bits
	cmdWUPA = 0x52 // wake-up: wakes IDLE and HALT; 7 bits
	cmdHLTA = 0x50 // halt: 50 00 CRC_A; silence is success

	selCL1 = 0x93 // anticollision and select, cascade levels 1, 2, 3: 93, 95, 97
	nvbAll = 0x70 // number of valid bits: the whole UID CLn and its check byte follow

	cascadeTag = 0x88 // first byte of UID CLn: the identifier goes on
	cascadeBit = 0x04 // in the SAK: the identifier is not complete
)

// Times at 106 kbit/s in nanoseconds, for a driver that sleeps while the air is busy (ISO/IEC 14443-3, 6.2:
// 128/fc a bit, frame delay 1236/fc).
const (
	etuNanos        = 9440
	frameDelayNanos = 91200
)
