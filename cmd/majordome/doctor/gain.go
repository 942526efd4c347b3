package doctor

import (
	"context"
	"errors"
	"fmt"
	"math"

	"majordome/devices"
	"majordome/devices/mfrc522"
	"majordome/engine"
)

// GainTest is the result of a reader at one gain, in shares of its scans, 0 to 1.
type GainTest struct {
	Gain     int     `json:"gain_db"`
	Reads    float64 `json:"read_share"`    // scans that read the card in front of it
	Garbled  float64 `json:"garbled_share"` // scans of that card that were garbled
	Phantoms float64 `json:"phantom_share"` // scans that found something without a card
}

// scansPerShare is the number of scans for each share.
const scansPerShare = 200

// MeasureReadShares scans repeatedly, and returns the share of scans that found a tag, and the share that were garbled.
func MeasureReadShares(ctx context.Context, s devices.Scanner) (readShare, garbledShare float64, err error) {
	for range scansPerShare {
		tags, err := s.Scan(ctx)
		if err != nil && !errors.Is(err, devices.ErrNoise) {
			return 0, 0, err
		}
		if len(tags) > 0 {
			readShare++
		}
		if err != nil {
			garbledShare++
		}
	}
	return readShare / scansPerShare, garbledShare / scansPerShare, nil
}

// Limits for a good gain: it reads nearly as well as the best one, and finds next to nothing where nothing is.
const (
	nearBest    = 0.98
	maxPhantoms = 0.01
	minReads    = 0.5
)

// BestGain returns the gain of the test that reads nearly as well as the best one and finds no phantoms. Of several it returns the
// one nearest to the default, which suits most antennas; 0 if none is good enough.
func BestGain(all []GainTest) (gain int) {
	best := 0.0
	for _, t := range all {
		if t.Phantoms <= maxPhantoms {
			best = max(best, t.Reads-t.Garbled)
		}
	}
	if best < minReads {
		return 0
	}
	for _, t := range all {
		far := func(g int) float64 { return math.Abs(float64(g) - mfrc522.DefaultGain) }
		if t.Phantoms <= maxPhantoms && t.Reads-t.Garbled >= nearBest*best && (gain == 0 || far(t.Gain) < far(gain)) {
			gain = t.Gain
		}
	}
	return gain
}

// FormatRow formats a test as a line of a table.
func (t GainTest) FormatRow() string {
	return fmt.Sprintf("%2d dB  %3.0f %%  %3.0f %%  %3.0f %%", t.Gain, 100*t.Reads, 100*t.Garbled, 100*t.Phantoms)
}

// GainVerdict returns the advice which gain to write in place of currentGain, or what to do when none is good enough.
func GainVerdict(all []GainTest, currentGain int) engine.Text {
	switch gain := BestGain(all); gain {
	case 0:
		return engine.T("aucune amplification ne suffit : rapprochez la bobine de la carte, éloignez-la du métal, des "+
			"rubans et des alimentations",
			"no gain will do: bring the coil closer to the card, and away from metal, strips and supplies")
	case currentGain:
		return engine.Tf("gardez gain: %[1]d", "keep gain: %[1]d", gain)
	default:
		return engine.Tf("écrivez gain: %[1]d", "write gain: %[1]d", gain)
	}
}
