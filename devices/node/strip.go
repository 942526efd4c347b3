package node

import (
	"time"

	"majordome/devices"
)

// stripSender sends the newest frame to the node: all its pixels, then SHOW, one frame at a time.
//
// Invariants:
//  1. While busy, sending is the frame on its way, unchanged.
//  2. shownNumber is the number of the frame that the node has confirmed; newestNumber that of the newest.
type stripSender struct {
	pixels                    int
	canMix                    bool // the node mixes light between two steps
	newest                    picture
	newestNumber, shownNumber uint64

	busy          bool
	sending       picture
	sendingNumber uint64
	sentPixels    int  // pixels sent so far
	showSent      bool // SHOW is sent
	showSentAt    time.Duration
	frameID       uint8
	everSet       bool // setFrame was called
}

// picture is a frame as it is sent: the colours, and if fine also the parts of a step.
type picture struct {
	fine       bool
	rgb, parts [3 * MaxPixels]byte
}

// setFrame makes px the newest frame; parts are nil, or 16ths of a step.
func (s *stripSender) setFrame(px, parts []devices.RGB) {
	s.newest = picture{fine: parts != nil}
	for i, c := range px[:min(len(px), MaxPixels)] {
		copy(s.newest.rgb[3*i:], []byte{c.R, c.G, c.B})
	}
	for i, c := range parts[:min(len(parts), MaxPixels)] {
		copy(s.newest.parts[3*i:], []byte{c.R & 15, c.G & 15, c.B & 15})
	}
	s.newestNumber++
	s.everSet = true
}

// markPixelsLost notes that the node has lost its pixels: the newest frame must be sent again.
func (s *stripSender) markPixelsLost() {
	s.shownNumber = 0
	s.abortFrame()
}

// isNewestShown reports whether the newest frame is on the strip, or there is none to show.
func (s *stripSender) isNewestShown() bool {
	return !s.everSet || s.shownNumber == s.newestNumber || s.pixels == 0
}

// abortFrame stops sending the current frame; the newest is sent from its beginning.
func (s *stripSender) abortFrame() { s.busy = false }

func (s *stripSender) setStripSize(pixels int, mixes bool) {
	if s.pixels != pixels || s.canMix != mixes {
		s.pixels, s.canMix = pixels, mixes
		s.markPixelsLost()
	}
}

// handleFrameShown handles the node's confirmation of a frame; good: the node has shown it, and received it unchanged.
func (s *stripSender) handleFrameShown(frame uint8, good bool) {
	if !s.busy || !s.showSent || frame != s.frameID {
		return
	}
	s.busy = false
	if good {
		s.shownNumber = s.sendingNumber
	}
}

// sendFrame sends as much of the frame as the node has room for. send returns false if there is no room.
func (s *stripSender) sendFrame(now time.Duration, send func(kind byte, payload ...byte) bool) {
	if s.busy && s.showSent && now-s.showSentAt > showLimit {
		s.busy = false
	}
	if !s.busy {
		if s.isNewestShown() {
			return
		}
		s.busy, s.showSent, s.sentPixels, s.sendingNumber, s.sending = true, false, 0, s.newestNumber, s.newest
		s.sending.fine = s.sending.fine && s.canMix
		s.frameID++
	}
	for s.sentPixels < s.pixels {
		kind, chunk := s.nextChunk()
		n := min(chunk, s.pixels-s.sentPixels)
		var p [1 + 6*chunkFine]byte
		if !send(kind, s.sending.appendPixels(append(p[:0], byte(s.sentPixels)), s.sentPixels, n)...) {
			return
		}
		s.sentPixels += n
	}
	if s.showSent {
		return
	}
	size := 3 * s.pixels
	crc := crc16(0xFFFF, s.sending.rgb[:size])
	ask := [4]byte{s.frameID}
	payload := ask[:3]
	if s.sending.fine {
		crc = crc16(crc, s.sending.parts[:size])
		ask[3], payload = showParts, ask[:]
	}
	ask[1], ask[2] = byte(crc), byte(crc>>8)
	if send(typeShow, payload...) {
		s.showSent, s.showSentAt = true, now
	}
}

// nextChunk returns the type of message for the next pixels of the frame, and how many fit into it.
func (s *stripSender) nextChunk() (kind byte, pixels int) {
	if s.sending.fine {
		return typeFine, chunkFine
	}
	return typePixels, chunkPixels
}

// appendPixels appends n pixels from number at on, in the form of PIXELS or FINE.
func (f *picture) appendPixels(p []byte, at, n int) []byte {
	if !f.fine {
		return append(p, f.rgb[3*at:3*(at+n)]...)
	}
	for ; n > 0; n, at = n-1, at+1 {
		p = append(append(p, f.rgb[3*at:3*at+3]...), f.parts[3*at:3*at+3]...)
	}
	return p
}
