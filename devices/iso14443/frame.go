package iso14443

import "time"

// Outcome is the kind of answer to one frame. The zero value is silence.
type Outcome uint8

const (
	Silence   Outcome = iota // no answer in time
	Answer                   // a frame with good parity
	Collision                // several tags answered and differ at Frame.CollPos
	Garbled                  // an answer that cannot be used
)

// MaxFrame is the longest frame of this layer in bytes.
const MaxFrame = 16

// Frame is one exchange: the bits to send, and the answer.
type Frame struct {
	Tx     [MaxFrame]byte
	TxLen  int   // bytes in Tx, the last one perhaps in part
	TxBits uint8 // valid bits in the last byte, 1 to 7; 0 means all eight
	// RxAlign is the position, 0 to 7, at which the first received bit is stored in
	// Rx[0]; the bits below read 0.
	RxAlign uint8
	// Expect is the number of bytes of a valid answer, 0 for none. The driver sleeps for that long before it
	// looks for one.
	Expect int

	Outcome Outcome
	Rx      [MaxFrame]byte
	RxLen   int   // bytes in Rx, the last one perhaps in part
	RxBits  uint8 // valid bits in the last byte; 0 means all eight
	// CollPos is the place of the first collision in bits of Rx counted from 1, RxAlign included (as the
	// MFRC522 counts); 0 means unknown.
	CollPos int
}

// Transceiver is a reader chip: it sends a frame and receives the answer. An error means that the reader
// failed; everything that can happen on the air is an Outcome.
type Transceiver interface {
	Exchange(*Frame) error
}

// AirTime returns how long the frame and a valid answer are on the air; without an expected answer, the time of
// the frame only. An answer cannot be complete earlier.
func (f *Frame) AirTime() time.Duration {
	bits := f.TxLen*9 + 3 // a parity bit per byte, start and end of frame
	if f.TxBits != 0 {
		bits -= 9 - int(f.TxBits)
	}
	d := time.Duration(bits) * etuNanos
	if f.Expect > 0 {
		d += frameDelayNanos + time.Duration(f.Expect*9+2)*etuNanos
	}
	return d
}

// setShortFrame makes f a short frame: REQA or WUPA, 7 bits.
func (f *Frame) setShortFrame(cmd byte) {
	f.Tx[0], f.TxLen, f.TxBits, f.RxAlign, f.Expect = cmd, 1, 7, 0, 2
}

// setAnticollision makes f a request to the tags whose UID CLn begins with the first bits of known, for the
// rest of it.
func (f *Frame) setAnticollision(level int, known *[5]byte, bits int) {
	whole, part := bits/8, bits%8
	f.Tx[0] = selCL1 + byte(2*level)
	f.Tx[1] = byte(2+whole)<<4 | byte(part)
	f.TxLen, f.TxBits, f.RxAlign = 2+whole, uint8(part), uint8(part)
	copy(f.Tx[2:], known[:whole])
	if part != 0 {
		f.Tx[2+whole] = known[whole] & (1<<part - 1)
		f.TxLen++
	}
	f.Expect = 5 - whole
}

// setSelect makes f a SELECT of the UID CLn of a cascade level, counted from 0, with its check byte.
func (f *Frame) setSelect(level int, uid *[5]byte) {
	f.Tx[0], f.Tx[1] = selCL1+byte(2*level), nvbAll
	copy(f.Tx[2:], uid[:])
	f.appendCRC(7)
	f.TxBits, f.RxAlign, f.Expect = 0, 0, 3
}

func (f *Frame) setHalt() {
	f.Tx[0], f.Tx[1] = cmdHLTA, 0
	f.appendCRC(2)
	f.TxBits, f.RxAlign, f.Expect = 0, 0, 0
}

// parseSAK returns the SAK in the answer to a SELECT. ok is false unless the answer has three whole bytes with
// a good CRC_A.
func (f *Frame) parseSAK() (sak byte, ok bool) {
	if f.Outcome != Answer || f.RxLen != 3 || f.RxBits != 0 || !hasGoodCRC(f.Rx[:3]) {
		return 0, false
	}
	return f.Rx[0], true
}

// addUIDBits adds the answer to an anticollision frame to the bits that were known before. It returns the number
// of bits of uid that are now known: 40 with a complete answer, fewer up to a collision. ok is false if the
// answer cannot be used.
func (f *Frame) addUIDBits(uid *[5]byte, known int) (bits int, ok bool) {
	whole := known / 8
	switch f.Outcome {
	case Answer:
		if f.RxLen != 5-whole || f.RxBits != 0 {
			return known, false
		}
		bits = 40
	case Collision:
		// Two different UID CLn differ before their check byte, so a
		// collision after bit 32, before a known bit or beyond the answer is noise.
		bits = whole*8 + f.CollPos - 1
		if f.CollPos < 1 || bits < known || bits >= 32 || f.RxLen > 5-whole || f.RxLen*8 < f.CollPos-1 {
			return known, false
		}
	default:
		return known, false
	}
	for i := range f.RxLen {
		if b := f.Rx[i]; i == 0 {
			low := byte(1)<<(known%8) - 1
			uid[whole] = uid[whole]&low | b&^low
		} else {
			uid[whole+i] = b
		}
	}
	return bits, true
}
