package mfrc522sim

import (
	"fmt"
	"time"

	"majordome/devices"
)

// Fault is a way for a tag to break the rules. The zero value is a tag without faults.
type Fault uint8

const (
	NoFault      Fault = iota
	WrongBCC           // the check byte of its identifier is wrong
	WrongSAKCRC        // the checksum of its SAK is wrong
	NoCascadeBit       // its SAK has no cascade bit at the first level
	Unreadable         // every answer after the ATQA has a wrong bit
	NoHalt             // it falls back to IDLE at HLTA, as some phones do, and answers every REQA
)

// Tag describes a tag to put into the field.
type Tag struct {
	UID    devices.UID
	SAK    byte          // of the last level; 08 is a MIFARE Classic, 00 an NTAG
	ATQA   [2]byte       // zero: the one for the length of the UID
	Boot   time.Duration // from power to the first answer; 0: as in Opts
	Arrive time.Duration // on the simulator's clock; past times mean now
	Stay   time.Duration // 0: until RemoveTag
	Fault  Fault
}

type tagState uint8

const (
	idle tagState = iota
	ready
	active
	halt
)

// tag is the state machine of ISO/IEC 14443-3, figure 7. fromHalt marks states that were entered from HALT and
// fall back to it.
type tag struct {
	uid    devices.UID
	atqa   uint64
	sak    byte
	fault  Fault
	cl     [3][5]byte // UID CLn with check byte
	levels int

	boot, arrive, leave time.Duration // leave 0: never

	state     tagState
	fromHalt  bool
	level     int
	poweredAt time.Duration // the power-up of the field that this state belongs to
}

const (
	cascadeTag = 0x88
	cascadeBit = 0x04
)

func newTag(t *Tag) (*tag, error) {
	u := t.UID.Bytes()
	n := &tag{uid: t.UID, sak: t.SAK, fault: t.Fault, boot: t.Boot, levels: len(u) / 3}
	if len(u) == 0 {
		return nil, fmt.Errorf("mfrc522sim: a tag without a UID")
	}
	for i := range n.levels {
		c := &n.cl[i]
		if i < n.levels-1 {
			c[0] = cascadeTag
			copy(c[1:], u[3*i:3*i+3])
		} else {
			copy(c[:4], u[3*i:])
		}
		c[4] = c[0] ^ c[1] ^ c[2] ^ c[3]
		if n.fault == WrongBCC {
			c[4] ^= 0x10
		}
	}
	n.atqa = uint64(t.ATQA[0]) | uint64(t.ATQA[1])<<8
	if n.atqa == 0 {
		n.atqa = uint64(0x04 + 0x40*(n.levels-1))
	}
	return n, nil
}

// answer is the bits that one tag sends: n of them, the first one lowest.
type answer struct {
	bits uint64
	n    int
}

// returnToWokenState returns the tag to the state in which it was woken, without an answer.
func (t *tag) returnToWokenState() answer {
	t.state = idle
	if t.fromHalt {
		t.state = halt
	}
	return answer{}
}

// handleFrame handles a frame of nBits bits that the tag received whole, and returns its answer.
func (t *tag) handleFrame(frame []byte, nBits int) answer {
	if t.state == idle || t.state == halt {
		if nBits == 7 && (frame[0]&0x7F == 0x52 || t.state == idle && frame[0]&0x7F == 0x26) {
			t.fromHalt = t.state == halt
			t.state, t.level = ready, 0
			return answer{t.atqa, 16}
		}
		return answer{}
	}
	if t.state == active {
		if t.fault != NoHalt && nBits == 32 && frame[0] == 0x50 && frame[1] == 0 && hasGoodCRC(frame) {
			t.state, t.fromHalt = halt, true
			return answer{}
		}
		return t.returnToWokenState()
	}
	if nBits < 16 || frame[0] != 0x93+byte(2*t.level) {
		return t.returnToWokenState()
	}
	if frame[1] == 0x70 {
		return t.handleSelect(frame)
	}
	known := nBits - 16
	if int(frame[1]>>4)*8+int(frame[1]&7) != nBits || known >= 40 {
		return t.returnToWokenState()
	}
	mine, theirs := decodeLittleEndian(t.cl[t.level][:]), decodeLittleEndian(frame[2:])
	if mask := uint64(1)<<known - 1; mine&mask != theirs&mask {
		return t.returnToWokenState()
	}
	return answer{mine >> known, 40 - known}
}

// handleSelect handles a SELECT with a whole UID CLn, and returns the SAK if it is the tag's own.
func (t *tag) handleSelect(frame []byte) answer {
	if len(frame) != 9 || !hasGoodCRC(frame) || decodeLittleEndian(frame[2:7]) != decodeLittleEndian(t.cl[t.level][:]) {
		return t.returnToWokenState()
	}
	sak := [1]byte{t.sak &^ cascadeBit}
	switch {
	case t.level == t.levels-1:
		t.state = active
	case t.fault == NoCascadeBit:
		t.state = active
	default:
		t.level++
		sak[0] |= cascadeBit
	}
	crc := uint64(crcStep(0x6363, sak[0]))
	if t.fault == WrongSAKCRC {
		crc ^= 0x0100
	}
	return answer{uint64(sak[0]) | crc<<8, 24}
}

func hasGoodCRC(frame []byte) bool {
	crc := uint16(0x6363)
	for _, b := range frame[:len(frame)-2] {
		crc = crcStep(crc, b)
	}
	return decodeLittleEndian(frame[len(frame)-2:]) == uint64(crc)
}

func decodeLittleEndian(b []byte) (v uint64) {
	for i, x := range b {
		v |= uint64(x) << (8 * i)
	}
	return v
}
