package mfrc522sim

import (
	"math"

	"periph.io/x/devices/v3/mfrc522/commands"
)

// Air is how well the receiver hears the tags in its field. The answer of a tag falls with its distance; the gain of RFCfgReg
// lifts the answer and the noise of the air alike; what comes out too weak is misread, what comes out too strong is clipped and
// misread, too, and loud noise is taken for answers.
//
// The curves have the shape of the real ones, and their figures are chosen, not measured: a coupling that falls as that of two
// coaxial loops, once to the tag and once back, and a window of 22 dB in which answers are understood.
type Air struct {
	Distance float64 // of every tag, in radii of the coil: 0 on it, 1 about as far as it is wide
	Noise    float64 // at the antenna, in dB as below; 0: quiet
}

// Levels behind the receiver, in dB of the scale on which a tag on the coil answers with -10 at a gain of 0.
const (
	onCoil   = -10
	faintest = 10 // weaker answers are lost
	loudest  = 32 // stronger ones are clipped
)

// answer is the level of an answer at the antenna.
func (a Air) answer() float64 { return onCoil - 60*math.Log10(1+a.Distance*a.Distance) }

// bitErrors is the share of bits of an answer that are misread at a gain.
func (a Air) bitErrors(gain float64) float64 {
	level := a.answer() + gain
	wrong := func(margin float64) float64 { return min(0.5, 0.5*math.Pow(10, -margin/3)) }
	return min(0.5, wrong(level-faintest)+wrong(loudest-level))
}

// bursts is the share of silences in which noise is taken for an answer at a gain.
func (a Air) bursts(gain float64) float64 {
	if a.Noise == 0 {
		return 0
	}
	return min(1, math.Pow(10, (a.Noise+gain-faintest)/10))
}

// gains are those of RFCfgReg, bits 4 to 6 (data sheet, table 98).
var gains = [8]float64{18, 23, 18, 23, 33, 38, 43, 48}

// Air sets how well the receiver hears from now on, beside what spoils the air; without it every tag is heard wholly.
func (s *Sim) Air(a Air) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.air = &a
}

// hears is how the air spoils answers and silences now.
func (s *Sim) hears() (bitErrors, bursts float64) {
	bitErrors, bursts = s.noise.BitErrors, s.noise.Bursts
	if s.air != nil {
		gain := gains[s.reg[commands.RFCfgReg]>>4&7]
		bitErrors, bursts = min(0.5, bitErrors+s.air.bitErrors(gain)), min(1, bursts+s.air.bursts(gain))
	}
	return bitErrors, bursts
}
