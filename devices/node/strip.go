package node

import (
	"time"

	"majordome/devices"
)

// strip brings the newest frame to the node: all its pixels, then SHOW, one frame at a time.
//
// Invariants:
//  1. While busy, sending holds the frame that is under way, unchanged.
//  2. done is the number of the frame that the node has confirmed; wanted is the newest.
type strip struct {
	pixels       int
	want         [3 * MaxPixels]byte
	wanted, done uint64

	busy    bool
	sending [3 * MaxPixels]byte
	number  uint64
	at      int  // pixels sent
	asked   bool // SHOW is sent
	since   time.Duration
	frame   uint8
	lit     bool // something was ever to be shown
}

func (s *strip) show(px []devices.RGB) {
	clear(s.want[:])
	for i, c := range px[:min(len(px), MaxPixels)] {
		s.want[3*i], s.want[3*i+1], s.want[3*i+2] = c.R, c.G, c.B
	}
	s.wanted++
	s.lit = true
}

// dark: the node has forgotten its pixels.
func (s *strip) dark() {
	s.done = 0
	s.abort()
}

// settled: the newest frame is on the strip, or there is none.
func (s *strip) settled() bool { return !s.lit || s.done == s.wanted || s.pixels == 0 }

// abort gives up what is under way; it is sent anew.
func (s *strip) abort() { s.busy = false }

func (s *strip) size(pixels int) {
	if s.pixels != pixels {
		s.pixels = pixels
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

// output sends as much as the line takes.
func (s *strip) output(now time.Duration, send func(kind byte, payload ...byte) bool) {
	if s.busy && s.asked && now-s.since > showLimit {
		s.busy = false
	}
	if !s.busy {
		if s.settled() {
			return
		}
		s.busy, s.asked, s.at, s.number, s.sending = true, false, 0, s.wanted, s.want
		s.frame++
	}
	for s.at < s.pixels {
		n := min(chunkPixels, s.pixels-s.at)
		var p [1 + 3*chunkPixels]byte
		p[0] = byte(s.at)
		copy(p[1:], s.sending[3*s.at:3*(s.at+n)])
		if !send(typePixels, p[:1+3*n]...) {
			return
		}
		s.at += n
	}
	if s.asked {
		return
	}
	crc := crc16(0xFFFF, s.sending[:3*s.pixels])
	if send(typeShow, s.frame, byte(crc), byte(crc>>8)) {
		s.asked, s.since = true, now
	}
}
