package mfrc522sim

import (
	"math"

	"periph.io/x/devices/v3/mfrc522/commands"
)

// Air models distance, gain and noise. The answer of a tag weakens with its distance. The gain in RFCfgReg
// amplifies the answer and the noise of the air equally. An answer that is too weak at the end is misread, one
// that is too strong is clipped and misread too, and loud noise is taken for answers.
//
// The curves have the shape of real ones, but their figures are chosen, not measured: a coupling that falls
// like that of two coaxial loops, once to the tag and once back, and a window of 22 dB in which answers are
// understood.
type Air struct {
	Distance float64 // of every tag, in radii of the coil: 0 on it, 1 about as far as it is wide
	Noise    float64 // at the antenna, in dB as below; 0: quiet
}

// Levels after the receiver, in dB on a scale where a tag on the coil answers with -10 at a gain of 0.
const (
	onCoil   = -10
	faintest = 10 // weaker answers are misread
	loudest  = 32 // stronger ones are clipped
)

// answerLevel returns the level of an answer at the antenna.
func (a Air) answerLevel() float64 { return onCoil - 60*math.Log10(1+a.Distance*a.Distance) }

// bitErrorShare returns the share of bits of an answer that are misread at a gain.
func (a Air) bitErrorShare(gain float64) float64 {
	level := a.answerLevel() + gain
	wrong := func(margin float64) float64 { return min(0.5, 0.5*math.Pow(10, -margin/3)) }
	return min(0.5, wrong(level-faintest)+wrong(loudest-level))
}

// burstShare returns the share of silences in which noise is taken for an answer at a gain.
func (a Air) burstShare(gain float64) float64 {
	if a.Noise == 0 {
		return 0
	}
	return min(1, math.Pow(10, (a.Noise+gain-faintest)/10))
}

// gains has the values of RFCfgReg, bits 4 to 6, in dB (data sheet, table 98).
var gains = [8]float64{18, 23, 18, 23, 33, 38, 43, 48}

// SetAir sets distance and noise from now on. They act in addition to SetNoise. Without it every tag is
// received perfectly.
func (s *Sim) SetAir(a Air) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.air = &a
}

// airErrors returns the current shares of misread bits and of silences taken for answers.
func (s *Sim) airErrors() (bitErrors, bursts float64) {
	bitErrors, bursts = s.noise.BitErrors, s.noise.Bursts
	if s.air != nil {
		gain := gains[s.reg[commands.RFCfgReg]>>4&7]
		bitErrors, bursts = min(0.5, bitErrors+s.air.bitErrorShare(gain)), min(1, bursts+s.air.burstShare(gain))
	}
	return bitErrors, bursts
}
