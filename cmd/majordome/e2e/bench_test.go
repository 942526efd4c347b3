package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"majordome/companion/porttest"
	"majordome/companion/wire"
	"majordome/engine"
)

// percentile returns the value at p (0 to 1) of sorted values.
func percentile(sorted []float64, p float64) float64 {
	return sorted[min(len(sorted)-1, int(p*float64(len(sorted))))]
}

// stopwatch runs in each phone's page and notes when a change of text has been painted, in ms since the epoch.
const stopwatch = `(() => {
	window.painted = [];
	const channel = new MessageChannel();
	channel.port1.onmessage = () => window.painted.push(performance.timeOrigin + performance.now());
	let asked = false;
	new MutationObserver(() => {
		if (asked) return;
		asked = true;
		requestAnimationFrame(() => { asked = false; channel.port2.postMessage(0); });
	}).observe(document.body, { subtree: true, childList: true, characterData: true });
	return {};
})()`

// BenchmarkTagToPhone measures from the request that puts a simulated tag into the field of the refutation reader to
// the changed text painted by headless Chromium, on four phones at once, for 300 clues. The urn adds its constant
// window of 500 ms by rule GEN-003 and is not measured here.
func BenchmarkTagToPhone(b *testing.B) {
	const events = 300
	for range b.N {
		d := startLively(b)
		room := d.bench()
		host := join(b, d.links["host"], engine.Host)
		web := startBrowser(b)
		var phones []*tab
		for s := engine.Seat(1); s <= 4; s++ {
			p := web.open(s.String(), d.links[s.String()], phoneSize)
			p.waitUntil("its seat", `document.querySelector("nav button:nth-of-type(3)")`)
			p.runActions("opens the plan", chromedp.Click(`nav button:nth-of-type(3)`))
			phones = append(phones, p)
		}
		for _, p := range phones {
			p.runActions("starts its stopwatch", chromedp.Steps(chromedp.Poll[chromedp.Void](stopwatch)))
		}
		began := make([]float64, 0, events)
		host.waitFor("the lobby", func(wire.Update) bool { return true })
		for len(began) < events {
			if len(began) > 0 {
				host.mustSend("new-game", engine.Args{"seats": "keep"})
			}
			host.mustSend("begin", nil)
			host.mustSend("draw-roles", nil)
			room.waitFor("all clues in the box", func(s wire.Bench) bool { return !slices.ContainsFunc(s.Cards, isPlacedClue) })
			began = append(began, layAll(b, room, phones, events-len(began))...)
			host.waitFor("all clues laid or enough", func(u wire.Update) bool { return len(began) == events || u.View.Phase == "pick" })
		}
		var all, slowest []float64
		painted := make([][]float64, len(phones))
		for i, p := range phones {
			var err error
			if painted[i], err = chromedp.Run(p.ctx, chromedp.Evaluate[[]float64]("window.painted")); err != nil {
				b.Fatal(err)
			}
		}
		for i, t0 := range began {
			worst := 0.0
			for _, times := range painted {
				at, _ := slices.BinarySearch(times, t0)
				if at == len(times) || i+1 < len(began) && times[at] > began[i+1] {
					b.Fatalf("event %d was not painted", i)
				}
				all = append(all, times[at]-t0)
				worst = max(worst, times[at]-t0)
			}
			slowest = append(slowest, worst)
		}
		slices.Sort(all)
		slices.Sort(slowest)
		b.ReportMetric(percentile(all, .5), "p50-ms")
		b.ReportMetric(percentile(all, .99), "p99-ms")
		b.ReportMetric(percentile(slowest, .5), "slowest-of-4-p50-ms")
		b.ReportMetric(percentile(slowest, .99), "slowest-of-4-p99-ms")
		b.ReportMetric(float64(len(began)), "events")
		b.ReportMetric(0, "ns/op")
	}
}

// isPlacedClue reports whether a clue is out of the box.
func isPlacedClue(c wire.BenchCard) bool {
	return (c.Kind == "clue" || c.Kind == "weapon") && c.Spot != wire.SpotBox
}

// layAll presents at most n clues, one after the other at random moments, and returns the moment at which each was
// put into the field, in ms since the epoch.
func layAll(b *testing.B, room *bench, phones []*tab, n int) (began []float64) {
	b.Helper()
	for n > 0 {
		s := room.waitFor("a card to lay", func(s wire.Bench) bool {
			return !slices.ContainsFunc(s.Cards, func(c wire.BenchCard) bool { return c.Spot == wire.SpotShow })
		})
		i := slices.IndexFunc(s.Cards, func(c wire.BenchCard) bool {
			return c.Spot == wire.SpotBox && (c.Kind == "clue" || c.Kind == "weapon")
		})
		if i < 0 {
			return began
		}
		time.Sleep(time.Duration(200+rand.IntN(40)) * time.Millisecond) // hands are slow, and out of step with the poll
		began = append(began, float64(time.Now().UnixMicro())/1000)
		room.sendAct(wire.BenchAct{Act: "move", Card: s.Cards[i].Tag, Spot: wire.SpotShow})
		room.waitFor("the card laid", func(now wire.Bench) bool {
			return now.Cards[i].Spot != wire.SpotShow && now.Cards[i].Spot != wire.SpotBox
		})
		for _, p := range phones {
			p.waitUntil("its picture", fmt.Sprintf("window.painted.at(-1) >= %f", began[len(began)-1]))
		}
		n--
	}
	return began
}

// BenchmarkStart measures from the start of the process to its printed addresses, with a game on disk.
func BenchmarkStart(b *testing.B) {
	d := startLively(b)
	var took []float64
	for range 10 {
		d.kill()
		began := time.Now()
		d.start()
		took = append(took, float64(time.Since(began).Microseconds())/1000)
	}
	slices.Sort(took)
	b.ReportMetric(percentile(took, .5), "median-ms")
	b.ReportMetric(took[len(took)-1], "max-ms")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkIdle measures what the daemon needs while nothing happens: as it serves a table without readers, and as
// the demo, which polls two simulated readers and plays both ends of their wires.
func BenchmarkIdle(b *testing.B) {
	b.Run("serve", func(b *testing.B) {
		dir := b.TempDir()
		config := filepath.Join(dir, "majordome.yaml")
		text := fmt.Sprintf("listen: %q\nmqtt: \"off\"\ndata: %q\n", porttest.FreeAddress(b), dir)
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
		cmd := exec.Command(binary, "serve", "--config", config)
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
		idle(b, cmd.Process.Pid)
	})
	b.Run("demo", func(b *testing.B) {
		idle(b, startLively(b).cmd.Process.Pid)
	})
	if info, err := os.Stat(binary); err == nil {
		b.Logf("binary, stripped: %.1f MB", float64(info.Size())/1e6)
	}
}

func idle(b *testing.B, pid int) {
	b.Helper()
	time.Sleep(2 * time.Second) // start-up is measured elsewhere
	const span = 10 * time.Second
	before := cpu(b, pid)
	time.Sleep(span)
	b.ReportMetric((cpu(b, pid)-before).Seconds()/span.Seconds()*100, "cpu-%")
	b.ReportMetric(float64(status(b, pid, "VmRSS"))/1024, "rss-MB")
	b.ReportMetric(0, "ns/op")
}

// cpu returns the processor time of a process so far (proc(5), stat, fields 14 and 15).
func cpu(b *testing.B, pid int) time.Duration {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Fatal(err)
	}
	fields := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond // USER_HZ is 100 on Linux
}

// status returns a field of proc(5) status, in kB.
func status(b *testing.B, pid int, field string) int {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, field+":"); ok {
			kb, _ := strconv.Atoi(strings.Fields(rest)[0])
			return kb
		}
	}
	return 0
}
