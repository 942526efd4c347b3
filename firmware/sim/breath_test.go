//go:build simavr

package sim

import (
	"math"
	"strings"
	"testing"
	"time"

	"majordome/devices"
	"majordome/devices/light"
	"majordome/devices/mfrc522/mfrc522sim"
	"majordome/devices/node"
)

// breath plays the Confrontation on the strip of a node for a span of time, as the daemon does: 60 frames a second with parts. It calls
// each every millisecond with the intended light and the light on the strip, of one LED, in steps.
func breath(w *table, span time.Duration, each func(meant, shown float64)) {
	w.t.Helper()
	l := light.DefaultLayout(7)
	s, err := light.NewStage(l, 35, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	cue := light.Cue{Mood: light.MoodConfrontation}
	for i := range 7 {
		cue.Places[i] = light.LampOpen
	}
	s.SetCue(cue, 0)
	at := l.Places[0][0]
	var meant float64
	for ms := range int(span / time.Millisecond) {
		if ms*60%1000 < 60 {
			px, parts := s.FrameWithParts(time.Duration(ms) * time.Millisecond)
			w.link.ShowMixed(px, parts)
			c, p := px[at], parts[at]
			meant = luminance(float64(c.R)+float64(p.R)/16, float64(c.G)+float64(p.G)/16, float64(c.B)+float64(p.B)/16)
		}
		w.step()
		if px := w.board.WS2812State().Pixels; len(px) > at {
			c := px[at]
			each(meant, luminance(float64(c.R), float64(c.G), float64(c.B)))
		}
	}
}

// luminance is the perceived brightness of a pixel compared with others (ITU-R BT.709).
func luminance(r, g, b float64) float64 { return 0.2126*r + 0.7152*g + 0.0722*b }

// averageLight is the light that an eye averages around a millisecond, with a bell of a tenth of a second at half its height (Bloch's law
// for dim light).
func averageLight(light []float64, at int) float64 {
	const half = 100
	var sum, weight float64
	for i := max(0, at-half); i < min(len(light), at+half); i++ {
		w := 1 + math.Cos(math.Pi*float64(i-at)/half)
		sum, weight = sum+w*light[i], weight+w
	}
	return sum / weight
}

// A node breathes as finely as a strip at the Pi: no visible difference exceeds 1.5 % of the level, however its drawing and its messages
// coincide with the frames of the table. A whole step of a dim channel would be a third of the level.
func TestBreathAtANodeHasNoSteps(t *testing.T) {
	phases := 2
	if soak() {
		phases = 16
	}
	for phase := range phases {
		w := newTable(t)
		w.waitAgreed()
		w.configure(func(c *node.Config) { c.Pixels = 35 })
		w.run(time.Duration(7+phase) * time.Millisecond)
		var meant, shown []float64
		frames := w.board.WS2812State().Frames
		breath(w, 13*time.Second, func(m, s float64) { meant, shown = append(meant, m), append(shown, s) })
		frames = w.board.WS2812State().Frames - frames
		worst := 0.0
		for at := 2000; at < 12000; at++ {
			m := averageLight(meant, at)
			worst = max(worst, math.Abs(averageLight(shown, at)-m)/m)
		}
		l := w.board.WS2812State()
		t.Logf("phase %d: %d frames in 13 s; what is seen is at most %.2f %% off; longest gap inside a frame %v",
			phase, frames, 100*worst, l.LongestGap)
		if worst > 0.015 {
			t.Errorf("phase %d: %.2f %% of the level is seen, at most 1.5 %%", phase, 100*worst)
		}
		if l.Faults != 0 || l.LongestGap >= aimGap {
			t.Errorf("phase %d: %d bad pulses, longest gap %v, want under %v", phase, l.Faults, l.LongestGap, aimGap)
		}
	}
}

// A card that falls through the slot while the light breathes is seen as usual.
func TestACardFallsWhileTheLightBreathes(t *testing.T) {
	w := newTable(t)
	w.waitAgreed()
	w.configure(func(c *node.Config) { c.Select, c.Pixels = [4]node.Pin{10}, 35 })
	drops := cardCount(50)
	var uids []devices.UID
	at := 0
	breath(w, time.Duration(drops)*407*time.Millisecond, func(_, _ float64) {
		if at++; at%407 == 1 { // not in step with the frames
			uid := mustUID(t, "041111222233", len(uids))
			uids = append(uids, uid)
			tag := mfrc522sim.Tag{UID: uid, Boot: 5 * time.Millisecond, Stay: 17 * time.Millisecond}
			if err := w.board.Readers[0].PlaceTags(tag); err != nil {
				t.Fatal(err)
			}
		}
	})
	var want []string
	for _, u := range uids {
		want = append(want, "+"+u.String(), "-"+u.String())
	}
	if got := w.takeEvents(0); got != strings.Join(want, " ") {
		t.Errorf("%d drops: %s", drops, got)
	}
}
