package node

import (
	"time"

	"majordome/devices"
)

// strip sends the newest frame to the node: all its pixels, then SHOW, one frame at a time.
//
// Invariants:
//  1. While busy, sending is the frame on its way, unchanged.
//  2. shownNumber is the number of the frame that the node has confirmed; newestNumber that of the newest.
type strip struct {
	pixels       int
	mixes        bool // the node mixes light between two steps
	want         picture
	wanted, done uint64

	busy    bool
	sending picture
	number  uint64
	at      int  // pixels sent so far
	asked   bool // SHOW is sent
	since   time.Duration
	frame   uint8
	lit     bool // setFrame was called
}

// picture is a frame as it is sent: the colours, and if fine also the parts of a step.
type picture struct {
	fine       bool
	rgb, parts [3 * MaxPixels]byte
}

func (s *strip) show(px, parts []devices.RGB) {
	s.want = picture{fine: parts != nil}
	for i, c := range px[:min(len(px), MaxPixels)] {
		copy(s.want.rgb[3*i:], []byte{c.R, c.G, c.B})
	}
	for i, c := range parts[:min(len(parts), MaxPixels)] {
		copy(s.want.parts[3*i:], []byte{c.R & 15, c.G & 15, c.B & 15})
	}
	s.wanted++
	s.lit = true
}

// markDark notes that the node has lost its pixels: the newest frame must be sent again.
func (s *strip) dark() {
	s.done = 0
	s.abort()
}

// isSettled reports whether the newest frame is on the strip, or there is none to show.
func (s *strip) settled() bool { return !s.lit || s.done == s.wanted || s.pixels == 0 }

// abortFrame stops sending the current frame; the newest is sent from its beginning.
func (s *strip) abort() { s.busy = false }

func (s *strip) size(pixels int, mixes bool) {
	if s.pixels != pixels || s.mixes != mixes {
		s.pixels, s.mixes = pixels, mixes
		s.dark()
	}
}

func (s *strip) shown(frame uint8, good bool) {
	if !s.busy || !s.asked || frame != s.frame {
		return
	}
	s.busy = false
	if good {
		s.done = s.number
	}
}

// sendFrame sends as much of the frame as the node has room for.
func (s *strip) output(now time.Duration, send func(kind byte, payload ...byte) bool) {
	if s.busy && s.asked && now-s.since > showLimit {
		s.busy = false
	}
	if !s.busy {
		if s.settled() {
			return
		}
		s.busy, s.asked, s.at, s.number, s.sending = true, false, 0, s.wanted, s.want
		s.sending.fine = s.sending.fine && s.mixes
		s.frame++
	}
	for s.at < s.pixels {
		kind, chunk := s.chunk()
		n := min(chunk, s.pixels-s.at)
		var p [1 + 6*chunkFine]byte
		if !send(kind, s.sending.append(append(p[:0], byte(s.at)), s.at, n)...) {
			return
		}
		s.at += n
	}
	if s.asked {
		return
	}
	size := 3 * s.pixels
	crc := crc16(0xFFFF, s.sending.rgb[:size])
	ask := [4]byte{s.frame}
	told := ask[:3]
	if s.sending.fine {
		crc = crc16(crc, s.sending.parts[:size])
		ask[3], told = showParts, ask[:]
	}
	ask[1], ask[2] = byte(crc), byte(crc>>8)
	if send(typeShow, told...) {
		s.asked, s.since = true, now
	}
}

// nextChunk returns the type of message for the next pixels of the frame, and how many fit into it.
func (s *strip) chunk() (kind byte, pixels int) {
	if s.sending.fine {
		return typeFine, chunkFine
	}
	return typePixels, chunkPixels
}

// appendPixels appends n pixels from number at on, in the form of PIXELS or FINE.
func (f *picture) append(p []byte, at, n int) []byte {
	if !f.fine {
		return append(p, f.rgb[3*at:3*(at+n)]...)
	}
	for ; n > 0; n, at = n-1, at+1 {
		p = append(append(p, f.rgb[3*at:3*at+3]...), f.parts[3*at:3*at+3]...)
	}
	return p
}
