package node

import "fmt"

const (
	// MaxBody is the most bytes of type and payload in a frame, MaxWire the most bytes of a frame on the line.
	MaxBody = 62
	MaxWire = MaxBody + 5
)

// crc16 continues a CRC-16/IBM-3740 over b; the first value is FFFF.
func crc16(crc uint16, b []byte) uint16 {
	for _, v := range b {
		x := byte(crc>>8) ^ v
		x ^= x >> 4
		crc = crc<<8 ^ uint16(x)<<12 ^ uint16(x)<<5 ^ uint16(x)
	}
	return crc
}

// AppendFrame appends the frame of a body, delimiters included. It panics if the body is empty or longer than
// MaxBody.
func AppendFrame(line, body []byte) []byte {
	if len(body) == 0 || len(body) > MaxBody {
		panic(fmt.Sprintf("node: a frame of %d bytes", len(body)))
	}
	crc := crc16(0xFFFF, body)
	line = append(line, 0, 0)
	code := len(line) - 1 // no COBS code FF: a frame is too short for it
	put := func(b byte) {
		line = append(line, b)
		if b == 0 {
			line[code] = byte(len(line) - 1 - code)
			code = len(line) - 1
		}
	}
	for _, b := range body {
		put(b)
	}
	put(byte(crc))
	put(byte(crc >> 8))
	line[code] = byte(len(line) - code)
	return append(line, 0)
}

// Decoder decodes a line byte by byte. The zero value is between two frames.
//
// Invariants:
//  1. Between frames n, left and code are 0 and bad is false.
//  2. n never exceeds the buffer.
type Decoder struct {
	buf           [MaxBody + 2]byte
	n, left, code int
	bad           bool
	broken        int
}

// DecodeByte adds one byte. It returns the body of a frame when b ends one whose CRC is right; the body is
// valid until the next DecodeByte.
func (d *Decoder) DecodeByte(b byte) (body []byte, ok bool) {
	switch {
	case b == 0:
		return d.endFrame()
	case d.left == 0:
		if d.code != 0 && d.code != 0xFF {
			d.appendByte(0)
		}
		d.code, d.left = int(b), int(b)-1
	default:
		d.appendByte(b)
		d.left--
	}
	return nil, false
}

// BrokenFrameCount returns the number of frames that were dropped.
func (d *Decoder) BrokenFrameCount() int { return d.broken }

func (d *Decoder) appendByte(b byte) {
	if d.n == len(d.buf) {
		d.bad = true
		return
	}
	d.buf[d.n] = b
	d.n++
}

func (d *Decoder) endFrame() (body []byte, ok bool) {
	if d.code == 0 {
		return nil, false // nothing between two delimiters
	}
	if ok = !d.bad && d.left == 0 && d.n >= 3; ok {
		body = d.buf[:d.n-2]
		crc := crc16(0xFFFF, body)
		ok = d.buf[d.n-2] == byte(crc) && d.buf[d.n-1] == byte(crc>>8)
	}
	if !ok {
		d.broken++
	}
	d.n, d.left, d.code, d.bad = 0, 0, 0, false
	return body, ok
}
