package light

import (
	"slices"
	"testing"
	"time"

	"majordome/devices"
)

// White light is on every LED in the next frame, even on those of no part, and the cues below it go on meanwhile.
func TestWhiteAtOnce(t *testing.T) {
	l := DefaultLayout(7)
	stage := func() *Stage {
		s, err := NewStage(l, 40, &Opts{Staging: played})
		if err != nil {
			t.Fatal(err)
		}
		s.SetCue(house("ooooooo"), 0)
		s.SetCue(house("oxooxoo"), time.Minute)
		return s
	}
	s, without := stage(), stage()
	s.SetCue(house("oxooxoo").changedBy(func(c *Cue) { c.White = true }), time.Minute+time.Second)
	px := s.Frame(time.Minute + time.Second)
	for i, c := range px {
		if c != px[0] || min(c.R, c.G, c.B) < 50 {
			t.Fatalf("LED %d is %v, LED 0 %v", i, c, px[0])
		}
	}
	if ma := milliamps(px); ma > DefaultBudget {
		t.Errorf("white draws %.0f mA of %d", ma, DefaultBudget)
	}
	s.SetCue(house("oxooxoo"), time.Minute+3*time.Second)
	for _, at := range []time.Duration{70 * time.Second, 90 * time.Second} { // the crimes came meanwhile
		if got, want := s.Frame(at), without.Frame(at); !slices.Equal(got, want) {
			t.Errorf("at %v: %v, without the white light %v", at, got, want)
		}
	}
}

// Hammering the button changes the light once a second and makes no flashes.
func TestWhiteDoesNotFlash(t *testing.T) {
	s, err := NewStage(DefaultLayout(7), 35, nil)
	if err != nil {
		t.Fatal(err)
	}
	changes, before := 0, devices.RGB{}
	for f := range 10 * 60 {
		now := time.Duration(f) * frameTime
		s.SetCue(Cue{White: f%4 < 2}, now)
		if px := s.Frame(now); px[0] != before && (px[0] == devices.RGB{} || before == devices.RGB{}) {
			changes++
			before = px[0]
		}
	}
	if changes > 21 {
		t.Errorf("%d changes in ten seconds", changes)
	}
	s.SetCue(Cue{}, 11*time.Second)
	s.SetCue(Cue{White: true}, 20*time.Second)
	s.SetCue(Cue{}, 20*time.Second+100*ms)
	if at, ok := s.NextChange(20*time.Second + 100*ms); !ok || at != 21*time.Second {
		t.Errorf("the light goes out at %v", at)
	}
}
