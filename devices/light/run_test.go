package light

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"majordome/devices"
	"majordome/devices/apa102"
	"majordome/devices/apa102/apa102sim"
	"majordome/devices/ws2812"
	"majordome/devices/ws2812/ws2812sim"
)

// recorder is a strip that records the frames and their times on the bubble's clock.
type recorder struct {
	n  int
	mu sync.Mutex

	fail   error
	busy   time.Duration // how long the next frame takes
	at     []time.Time
	last   []devices.RGB
	shown  func([]devices.RGB)
	halted bool
}

func (r *recorder) String() string { return "recorder" }
func (r *recorder) Len() int       { return r.n }

func (r *recorder) ShowFrame(px []devices.RGB) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.at = append(r.at, time.Now())
	if busy := r.busy; busy > 0 {
		r.busy = 0
		time.Sleep(busy)
	}
	if r.fail != nil {
		return r.fail
	}
	r.last = slices.Clone(px)
	if r.shown != nil {
		r.shown(r.last)
	}
	return nil
}

func (r *recorder) Halt() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.halted = true
	return r.fail
}

// takeTimes returns the times of Show since the last call.
func (r *recorder) takeTimes() []time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := r.at
	r.at = nil
	return at
}

func (r *recorder) breakWith(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fail = err
}

// stageHand runs a player inside a bubble and gives its parts to the test.
func stageHand(t *testing.T, o Opts, test func(r *recorder, post func(Cue), log *bytes.Buffer)) {
	synctest.Test(t, func(t *testing.T) {
		r, box := &recorder{n: 35}, NewMailbox()
		var log bytes.Buffer // read only while the player is durably blocked
		o.Log = slog.New(slog.NewTextHandler(&log, nil))
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- Run(ctx, r, DefaultLayout(7), box.Cues(), &o) }()
		synctest.Wait()
		test(r, box.PostCue, &log)
		cancel()
		if err := <-done; !errors.Is(err, r.fail) {
			t.Errorf("Run returned %v, the strip %v", err, r.fail)
		}
		if !r.halted {
			t.Error("the strip was not made dark")
		}
	})
}

func TestStillPictureIsSentOnceASecond(t *testing.T) {
	stageHand(t, Opts{}, func(r *recorder, post func(Cue), _ *bytes.Buffer) {
		if n := len(r.takeTimes()); n != 1 {
			t.Errorf("%d frames at the start, want one: the strip may still show what was before", n)
		}
		post(house("ooooooo"))
		time.Sleep(5500 * ms)
		synctest.Wait()
		r.takeTimes()
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if n := len(r.takeTimes()); n != 10 {
			t.Errorf("%d frames in ten still seconds, want 10", n)
		}
	})
}

func TestMotionStaysBelow60FramesASecond(t *testing.T) {
	stageHand(t, Opts{}, func(r *recorder, post func(Cue), _ *bytes.Buffer) {
		r.takeTimes()
		for i := range 1000 { // cues come far faster than frames may go
			c := busy()
			c.Clock.At = i % 9
			post(c)
			time.Sleep(2 * ms)
		}
		synctest.Wait()
		at := r.takeTimes()
		if len(at) < 60 || len(at) > 121 {
			t.Errorf("%d frames in 2 moving seconds, want 60 to 121", len(at))
		}
		for i := 1; i < len(at); i++ {
			if d := at[i].Sub(at[i-1]); d < frameTime {
				t.Fatalf("two frames %v apart, at least %v", d, frameTime)
			}
		}
	})
}

// A change is on the wire at once, not at the next tick of a frame clock.
func TestFirstChangeIsImmediate(t *testing.T) {
	stageHand(t, Opts{}, func(r *recorder, post func(Cue), _ *bytes.Buffer) {
		time.Sleep(300 * ms)
		synctest.Wait()
		r.takeTimes()
		start := time.Now()
		post(house("hoooooo"))
		time.Sleep(50 * ms)
		synctest.Wait()
		if at := r.takeTimes(); len(at) == 0 || at[0].Sub(start) > 3*frameTime {
			t.Errorf("posted at %v, shown at %v", start, at)
		}
	})
}

// A signal is shown to its end, however long its first frame takes on a busy machine. Afterwards the light is the one that was asked for
// meanwhile.
func TestALateSignalIsSeen(t *testing.T) {
	l := DefaultLayout(7)
	slot := func(px []devices.RGB) []devices.RGB { return l.Urn.AppendPixels(nil, px) }
	look := func(g Glow) []devices.RGB {
		c := house("ooooooo")
		c.Urn = g
		return slot(settledFrame(t, c))
	}
	before, signal, after := Glow{State: GlowWaiting, Seat: 1}, Glow{State: GlowAccepted}, Glow{State: GlowWaiting, Seat: 2}
	stageHand(t, Opts{Calm: true}, func(r *recorder, post func(Cue), _ *bytes.Buffer) {
		cue := func(g Glow) Cue { c := house("ooooooo"); c.Urn = g; return c }
		post(cue(before))
		time.Sleep(10 * time.Second)
		synctest.Wait()
		frames := 0
		r.mu.Lock()
		r.busy = 3 * time.Second
		r.shown = func(px []devices.RGB) {
			if slices.Equal(slot(px), look(signal)) {
				frames++
			}
		}
		r.mu.Unlock()
		post(cue(signal))
		post(cue(after))
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if frames == 0 {
			t.Error("nobody has seen the signal")
		}
		if got := slot(r.last); !slices.Equal(got, look(after)) {
			t.Errorf("and then the slot shows %v", got)
		}
	})
}

// A lost strip is reported once, retried ever more slowly, and shows the newest
// cue when it is back.
func TestLostStrip(t *testing.T) {
	stageHand(t, Opts{}, func(r *recorder, post func(Cue), log *bytes.Buffer) {
		post(busy())
		time.Sleep(time.Second)
		r.breakWith(errors.New("bus gone"))
		time.Sleep(time.Second)
		synctest.Wait()
		r.takeTimes()
		time.Sleep(60 * time.Second)
		post(house("-------"))
		synctest.Wait()
		if n := len(r.takeTimes()); n < 10 || n > 20 {
			t.Errorf("%d tries in a minute, want 10 to 20", n)
		}
		if n := strings.Count(log.String(), "strip lost"); n != 1 || !strings.Contains(log.String(), "bus gone") {
			t.Errorf("the loss was reported %d times:\n%s", n, log)
		}
		r.breakWith(nil)
		time.Sleep(12 * time.Second)
		synctest.Wait()
		if n := strings.Count(log.String(), "strip is back"); n != 1 {
			t.Errorf("the return was reported %d times:\n%s", n, log)
		}
		if !slices.Equal(r.last, make([]devices.RGB, 35)) {
			t.Errorf("back with %v, the newest cue is dark", r.last)
		}
	})
}

func TestStripThatIsLostForEverIsAnErrorAtTheEnd(t *testing.T) {
	stageHand(t, Opts{}, func(r *recorder, _ func(Cue), _ *bytes.Buffer) {
		r.breakWith(errors.New("bus gone"))
	})
}

// Limiting is logged when it starts, not each time a breathing light crosses the line.
func TestLimitingIsReportedOnce(t *testing.T) {
	stageHand(t, Opts{Budget: 90}, func(r *recorder, post func(Cue), log *bytes.Buffer) {
		post(house("hhhhhhh"))
		time.Sleep(30 * time.Second)
		synctest.Wait()
		if n := strings.Count(log.String(), "dimmed to keep within the budget"); n != 1 {
			t.Errorf("reported %d times:\n%s", n, log)
		}
		if ma := milliamps(r.last); ma > 90 {
			t.Errorf("%.1f mA of 90", ma)
		}
		post(house("-------"))
		time.Sleep(30 * time.Second)
		post(house("hhhhhhh"))
		time.Sleep(time.Second)
		synctest.Wait()
		if n := strings.Count(log.String(), "dimmed to keep within the budget"); n != 2 {
			t.Errorf("after a dark half minute, reported %d times:\n%s", n, log)
		}
	})
}

func TestBudgetAboveTheCapIsSaid(t *testing.T) {
	stageHand(t, Opts{Budget: 85000}, func(_ *recorder, _ func(Cue), log *bytes.Buffer) {
		if !strings.Contains(log.String(), "capped") {
			t.Errorf("log: %s", log)
		}
	})
}

func TestRunEndsWhenTheCuesEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, cues := &recorder{n: 35}, make(chan Cue)
		close(cues)
		if err := Run(t.Context(), r, DefaultLayout(7), cues, nil); err != nil || !r.halted {
			t.Errorf("Run: %v, halted %v", err, r.halted)
		}
	})
}

func TestRunRefusesAWrongLayout(t *testing.T) {
	if err := Run(t.Context(), &recorder{n: 20}, DefaultLayout(7), nil, nil); err == nil {
		t.Error("35 LEDs fit on a strip of 20")
	}
}

// PostCue never waits. Without a receiver the newest cues are kept.
func TestMailbox(t *testing.T) {
	box := NewMailbox()
	for i := range 100 {
		box.PostCue(Cue{Clock: Clock{At: i}})
	}
	if first := <-box.Cues(); first.Clock.At != 84 {
		t.Errorf("the oldest kept is %d, want 84 of 0 to 99", first.Clock.At)
	}
}

// The whole way: cue, stage, production driver, bytes, decoded pixels.
func TestCueReachesTheWire(t *testing.T) {
	wsim := ws2812sim.New(&ws2812sim.Opts{NumPixels: 35})
	wdev, err := ws2812.New(wsim, &ws2812.Opts{NumPixels: 35})
	if err != nil {
		t.Fatal(err)
	}
	asim := apa102sim.New(&apa102sim.Opts{NumPixels: 35, SK9822: true})
	adev, err := apa102.New(asim, &apa102.Opts{NumPixels: 35})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		strip devices.Strip
		sim   interface {
			AppendPixels([]devices.RGB) []devices.RGB
			Complaints() ([]error, int)
		}
	}{{wdev, wsim}, {adev, asim}} {
		t.Run(tc.strip.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				box := NewMailbox()
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan error, 1)
				go func() { done <- Run(ctx, tc.strip, DefaultLayout(7), box.Cues(), &Opts{Calm: true}) }()
				box.PostCue(busy())
				time.Sleep(5 * time.Second)
				synctest.Wait()
				for i, want := range settledFrame(t, busy()) {
					if got := tc.sim.AppendPixels(nil)[i]; off(got.R, want.R) > 1 || off(got.G, want.G) > 1 || off(got.B, want.B) > 1 {
						t.Errorf("LED %d: on the wire %v, want %v", i, got, want)
					}
				}
				cancel()
				if err := <-done; err != nil {
					t.Error(err)
				}
				if got := tc.sim.AppendPixels(nil); !slices.Equal(got, make([]devices.RGB, 35)) {
					t.Errorf("lit after the end: %v", got)
				}
				if last, n := tc.sim.Complaints(); n != 0 {
					t.Errorf("complaints: %v", last)
				}
			})
		})
	}
}

func off(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }

// A fade is drawn to its end, however late the frames come: after a frame in the middle of a fade the next one follows a frame's time
// later, even if the fade is over by then.
func TestTheEndOfAFadeIsDrawn(t *testing.T) {
	l := DefaultLayout(7)
	s, err := NewStage(l, l.MinStripLen(), &Opts{Calm: true})
	if err != nil {
		t.Fatal(err)
	}
	const cue, half, late = time.Minute, time.Minute + fadeRoom/2, time.Minute + 3*fadeRoom
	s.SetCue(Cue{Urn: Glow{State: GlowIdle}}, 0)
	s.SetCue(Cue{Urn: Glow{State: GlowAccepted}}, cue)
	p := cuePlayer{stage: s, sentValid: true, drawnAt: half, sentAt: half, minFrameTime: frameTime}
	if at := p.nextFrameAt(late); at != half+frameTime {
		t.Errorf("drawn at %v, the next frame is due at %v", half, at)
	}
	p.drawnAt, p.sentAt = late, late
	if at := p.nextFrameAt(late); at != late+refreshTime {
		t.Errorf("drawn after the fade, the next frame is due at %v, not with the refresh", at)
	}
}
