package e2e_test

import (
	"context"
	"math"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// measureSounds renders each sound of the display twice, without a loudspeaker, and measures it: the loudness of its
// loudest 400 ms with the ear's weighting (ITU-R BS.1770, for one channel, by two filters of the browser), its peak,
// and the level after its end.
const measureSounds = `(async () => {
	const rate = 48000, found = [];
	const render = async (cue, weighted) => {
		const ctx = new OfflineAudioContext(1, rate * 4, rate);
		let out = ctx.destination;
		if (weighted) {
			const shelf = ctx.createBiquadFilter(), low = ctx.createBiquadFilter();
			Object.assign(shelf, { type: "highshelf" }).frequency.value = 1500;
			shelf.gain.value = 4;
			Object.assign(low, { type: "highpass" }).frequency.value = 38;
			low.Q.value = -6; // dB, as the browser has it
			shelf.connect(low).connect(out);
			out = shelf;
		}
		sounds.scheduleSound(ctx, out, cue, 0);
		return (await ctx.startRendering()).getChannelData(0);
	};
	for (const cue of Object.keys(sounds.CUES)) {
		const [plain, again, heard] = [await render(cue, false), await render(cue, false), await render(cue, true)];
		const wide = rate * 0.4, sums = new Float64Array(heard.length + 1);
		heard.forEach((x, i) => (sums[i + 1] = sums[i] + x * x));
		let loudest = 0;
		for (let i = 0; i + wide < heard.length; i += 480) loudest = Math.max(loudest, (sums[i + wide] - sums[i]) / wide);
		const tail = plain.subarray(Math.ceil(sounds.CUES[cue].span * rate) + 1);
		found.push({ Cue: cue, Loud: -0.691 + 10 * Math.log10(loudest), Peak: plain.reduce((m, x) => Math.max(m, Math.abs(x)), 0),
			Left: tail.reduce((m, x) => Math.max(m, Math.abs(x)), 0), Same: plain.every((x, i) => Math.abs(x - again[i]) < 1e-5) });
	}
	return found;
})()`

// TestSoundsAreBalanced checks that no sound of the display is louder than another, none clips, each ends at its
// stated time, and each is the same every time: a sound does not reveal the card.
func TestSoundsAreBalanced(t *testing.T) {
	app := filepath.Join("..", "..", "..", "companion", "web", "app")
	pack := exec.Command(filepath.Join("node_modules", ".bin", "rolldown"), filepath.Join("src", "display", "sounds.ts"), "--format",
		"iife", "--name", "sounds")
	pack.Dir = app
	code, err := pack.Output()
	if err != nil {
		t.Fatalf("rolldown is not installed: make web: %v", err)
	}
	p := startBrowser(t).open("sounds", anonymous, laptopSize)
	ctx, cancel := context.WithTimeout(p.ctx, 2*time.Minute)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Evaluate[chromedp.Void](string(code)+";window.sounds = sounds;({})")); err != nil {
		t.Fatal(err)
	}
	type cue struct {
		Cue              string
		Loud, Peak, Left float64
		Same             bool
	}
	all, err := chromedp.Run(ctx, chromedp.Evaluate[[]cue](measureSounds, chromedp.EvalAwaitPromise))
	if err != nil || len(all) == 0 {
		t.Fatalf("%v %v", all, err)
	}
	for _, c := range all {
		t.Logf("%-9s %6.2f LUFS, peak %.2f", c.Cue, c.Loud, c.Peak)
		if math.Abs(c.Loud+20) > 0.5 {
			t.Errorf("%s has %.2f LUFS, not -20: its level times %.3f", c.Cue, c.Loud, math.Pow(10, (-20-c.Loud)/20))
		}
		if c.Peak > 0.95 || c.Left > 0.0005 || !c.Same {
			t.Errorf("%s: peak %.2f, %.5f left at its end, the same twice: %v", c.Cue, c.Peak, c.Left, c.Same)
		}
	}
}
