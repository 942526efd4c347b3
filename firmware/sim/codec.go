//go:build simavr

package sim

// #cgo CXXFLAGS: -std=gnu++11 -Wall -O2
// #include "codec.h"
import "C"

// encodeFrame returns the frame of a body, made by the firmware's code.
func encodeFrame(body []byte) []byte {
	var wire [67]byte
	n := C.codec_encode((*C.uint8_t)(&body[0]), C.int(len(body)), (*C.uint8_t)(&wire[0]))
	return wire[:n]
}

// decodeFrames returns the bodies that the firmware's code decodes from a line, and the number of frames that
// it drops.
func decodeFrames(line []byte) (bodies [][]byte, broken int) {
	if len(line) == 0 {
		return nil, 0
	}
	buf := make([]byte, len(line))
	var n C.int
	buf = buf[:C.codec_decode((*C.uint8_t)(&line[0]), C.int(len(line)), (*C.uint8_t)(&buf[0]), &n)]
	for len(buf) > 0 {
		size := int(buf[0])
		bodies = append(bodies, buf[1:1+size])
		buf = buf[1+size:]
	}
	return bodies, int(n)
}
