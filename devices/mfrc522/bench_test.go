package mfrc522_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"majordome/devices"
	"majordome/devices/internal/pace"
	"majordome/devices/mfrc522"
	"majordome/devices/mfrc522/mfrc522sim"
	"majordome/devices/presence"
	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
	stock "periph.io/x/devices/v3/mfrc522"
)

// bubble is the clock of testing/synctest. Periph's driver, which waits with time.After, runs unmodified in it, and as fast as the
// processor.
type bubble struct{ start time.Time }

func (b bubble) Now() time.Duration    { return time.Since(b.start) }
func (b bubble) Sleep(d time.Duration) { time.Sleep(d) }

// visit is one card that passes: when it came, and when it was named, if it was.
type visit struct {
	named   bool
	latency time.Duration // from its arrival
}

// passer is one random passage, the same for both drivers.
type passer struct {
	uid        devices.UID
	phase      time.Duration // arrival after a driver has begun to poll
	stay, boot time.Duration
}

func passers(tb testing.TB, rng *rand.Rand, n int, stay, bootLo, bootHi time.Duration) []passer {
	out := make([]passer, n)
	for i := range out {
		out[i] = passer{uid: randomUID(tb, rng, 7), phase: randomBetween(rng, 200*ms, 300*ms), stay: stay,
			boot: randomBetween(rng, bootLo, bootHi)}
	}
	return out
}

// runStock lets periph's driver poll while the card passes. It must run in a synctest bubble.
func runStock(tb testing.TB, p passer, others ...devices.UID) (v visit) {
	sim := mfrc522sim.New(&mfrc522sim.Opts{Clock: bubble{time.Now()}, Lenient: true})
	dev, err := stock.NewSPI(sim.Port(), sim.ResetPin(), sim.IRQ())
	if err != nil {
		tb.Fatal(err)
	}
	for _, u := range append(others, p.uid) {
		if err := sim.PlaceTags(mfrc522sim.Tag{UID: u, Arrive: p.phase, Stay: p.stay, Boot: p.boot}); err != nil {
			tb.Fatal(err)
		}
	}
	for end := p.phase + p.stay; sim.Clock().Now() < end; {
		got, err := dev.ReadUID(end - sim.Clock().Now() + ms)
		if err == nil && bytes.Equal(got, p.uid.Bytes()) {
			return visit{named: true, latency: sim.Clock().Now() - p.phase}
		}
	}
	return visit{}
}

// runOurs does the same with the driver of this package at 500 polls a second.
func runOurs(tb testing.TB, p passer) (v visit) {
	s := newSlot(tb, mfrc522sim.Opts{})
	if err := s.sim.PlaceTags(mfrc522sim.Tag{UID: p.uid, Arrive: p.phase, Stay: p.stay, Boot: p.boot}); err != nil {
		tb.Fatal(err)
	}
	for s.sim.Clock().Now() < p.phase+p.stay {
		for _, tag := range s.poll(tb) {
			if tag.UID == p.uid {
				return visit{named: true, latency: s.sim.Clock().Now() - p.phase}
			}
		}
	}
	return visit{}
}

func share(visits []visit) float64 {
	n := 0
	for _, v := range visits {
		if v.named {
			n++
		}
	}
	return 100 * float64(n) / float64(len(visits))
}

// quantiles of the latency of those that were named.
func quantiles(visits []visit) (p50, p99 time.Duration) {
	var l []time.Duration
	for _, v := range visits {
		if v.named {
			l = append(l, v.latency)
		}
	}
	if len(l) == 0 {
		return 0, 0
	}
	slices.Sort(l)
	return l[len(l)/2], l[len(l)*99/100]
}

func each(ps []passer, run func(passer) visit) (out []visit) {
	for _, p := range ps {
		out = append(out, run(p))
	}
	return out
}

// inBubble runs f under testing/synctest, which wants a *testing.T, from a benchmark.
func inBubble(b *testing.B, f func(t *testing.T)) {
	ok := testing.RunTests(func(string, string) (bool, error) { return true, nil },
		[]testing.InternalTest{{Name: "stock", F: func(t *testing.T) { synctest.Test(t, f) }}})
	if !ok {
		b.Fatal("periph's driver failed on the simulator")
	}
}

// figures has the few numbers that become metrics; text is the whole table.
type figures struct {
	text                       string
	stock20, ours17, two, five float64
	transfers                  int
}

// compare runs both drivers.
func compare(b *testing.B) *figures {
	const seed, drops = 1, 200
	rng := rand.New(rand.NewPCG(seed, 4))
	r := new(figures)
	var w strings.Builder
	fmt.Fprintf(&w,
		"MFRC522, simulated, 20 µs per transfer and 4 (ours) or 10 MHz (periph); 7-byte tags, %d drops a line, seed %d.\n", drops, seed)
	fmt.Fprintf(&w, "periph takes the tag's power before each read and asks 0.2 ms later, so it is compared on tags that boot in 0.1 ms, "+
		"and on a lenient\n")
	fmt.Fprintf(&w,
		"twin, since it waits for no reset. The last column is ours alone: tags that boot in 0.5 to 5 ms, as ISO/IEC 14443-3 allows.\n")
	fmt.Fprintf(&w, "%8s %22s %22s %22s\n", "dwell", "periph, boot 0.1 ms", "ours, boot 0.1 ms", "ours, boot 0.5-5 ms")
	for _, dwell := range []time.Duration{5, 10, 15, 17, 20, 40, 60, 80, 95, 150} {
		quick := passers(b, rng, drops, dwell*ms, 100*time.Microsecond, 101*time.Microsecond)
		standard := passers(b, rng, drops, dwell*ms, 500*time.Microsecond, 5*ms)
		var q []visit
		inBubble(b, func(t *testing.T) {
			q = each(quick, func(p passer) visit { return runStock(t, p) })
		})
		f := each(quick, func(p passer) visit { return runOurs(b, p) })
		o := each(standard, func(p passer) visit { return runOurs(b, p) })
		fmt.Fprintf(&w, "%5d ms %20.1f %% %20.1f %% %20.1f %%\n", dwell, share(q), share(f), share(o))
		switch dwell {
		case 17:
			r.ours17 = share(o)
		case 20:
			r.stock20 = share(q)
		case 150:
			p50, p99 := quantiles(q)
			ours50, ours99 := quantiles(f)
			fmt.Fprintf(&w, "latency from arrival, p50/p99, boot 0.1 ms: periph %.1f/%.1f ms, ours %.1f/%.1f ms\n",
				p50.Seconds()*1e3, p99.Seconds()*1e3, ours50.Seconds()*1e3, ours99.Seconds()*1e3)
		}
	}
	perRead(b, &w, r)
	inventories(b, rng, &w, r)
	r.text = w.String()
	return r
}

// perRead counts the transfers of one successful read of a 7-byte tag that waits.
func perRead(b *testing.B, w *strings.Builder, r *figures) {
	u := uid(b, "04A1B2C3D4E5F6")
	var st mfrc522sim.Stats
	var took time.Duration
	inBubble(b, func(t *testing.T) {
		sim := mfrc522sim.New(&mfrc522sim.Opts{Clock: bubble{time.Now()}, Boot: 100 * time.Microsecond, Lenient: true})
		dev, err := stock.NewSPI(sim.Port(), sim.ResetPin(), sim.IRQ())
		if err != nil {
			t.Fatal(err)
		}
		_ = sim.PlaceTag(u, 0)
		time.Sleep(ms)
		before, start := sim.Stats(), sim.Clock().Now()
		if _, err := dev.ReadUID(time.Second); err != nil {
			t.Fatal(err)
		}
		st, took = minus(sim.Stats(), before), sim.Clock().Now()-start
	})
	s := newSlot(b, mfrc522sim.Opts{Boot: 100 * time.Microsecond})
	s.poll(b)
	_ = s.sim.PlaceTag(u, 0)
	s.sim.Clock().Sleep(5 * ms)
	before, start := s.sim.Stats(), s.sim.Clock().Now()
	s.poll(b)
	ours, oursTook := minus(s.sim.Stats(), before), s.sim.Clock().Now()-start
	r.transfers = ours.Transfers
	fmt.Fprintf(w, "one read of a waiting tag: periph %d transfers, %d bytes, %.2f ms (without SELECT of level 2 and HLTA); ours %d "+
		"transfers, %d bytes, %.2f ms\n",
		st.Transfers, st.Bytes, took.Seconds()*1e3, ours.Transfers, ours.Bytes, oursTook.Seconds()*1e3)
}

func minus(a, b mfrc522sim.Stats) mfrc522sim.Stats {
	return mfrc522sim.Stats{Transfers: a.Transfers - b.Transfers, Bytes: a.Bytes - b.Bytes, Exchanges: a.Exchanges - b.Exchanges}
}

// inventories times several cards that come together.
func inventories(b *testing.B, rng *rand.Rand, w *strings.Builder, r *figures) {
	for _, n := range []int{1, 2, 3, 5} {
		p := passers(b, rng, n, 500*ms, 100*time.Microsecond, 101*time.Microsecond)
		var others []devices.UID
		for _, o := range p[1:] {
			others = append(others, o.uid)
		}
		stockSays := "names none of them in 500 ms"
		inBubble(b, func(t *testing.T) {
			if v := runStock(t, p[0], others...); v.named {
				stockSays = "names one"
			}
		})
		var worst, sum time.Duration
		const runs = 200
		for range runs {
			d := newSlot(b, mfrc522sim.Opts{}).inventory(b, rng, n)
			sum, worst = sum+d, max(worst, d)
		}
		mean := (sum / runs).Seconds() * 1e3
		switch n {
		case 2:
			r.two = worst.Seconds() * 1e3
		case 5:
			r.five = worst.Seconds() * 1e3
		}
		fmt.Fprintf(w, "%d cards at once: ours names all in %.1f ms on average, %.1f at worst; periph %s\n", n, mean,
			worst.Seconds()*1e3, stockSays)
	}
}

// BenchmarkReaders prints periph's driver and ours side by side on the simulator, and what
// a poll costs this processor.
func BenchmarkReaders(b *testing.B) {
	var r *figures // the framework may ask twice
	b.Run("side by side", func(b *testing.B) {
		if r == nil {
			r = compare(b)
			fmt.Printf("\n%s\n", r.text)
		}
		for b.Loop() {
		}
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(r.stock20, "stock-20ms-%")
		b.ReportMetric(r.ours17, "ours-17ms-%")
		b.ReportMetric(r.two, "two-cards-ms")
		b.ReportMetric(r.five, "five-cards-ms")
		b.ReportMetric(float64(r.transfers), "transfers/read")
	})
	b.Run("empty poll", benchmarkEmptyPoll)
	b.Run("process at 500 polls per second", benchmarkProcess)
}

// benchmarkEmptyPoll measures the driver's own code on a bus that costs nothing.
func benchmarkEmptyPoll(b *testing.B) {
	d, err := mfrc522.New(nullPort{}, &mfrc522.Opts{Clock: new(pace.Virtual)})
	if err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.Scan(ctx); err != nil {
			b.Fatal(err)
		}
	}
	ns := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
	b.ReportMetric(ns*500/1e9*100, "%core-at-500/s")
}

// benchmarkProcess measures the processor time of everything, real sleeps and the simulator included, while Watch polls an empty field for
// two seconds.
func benchmarkProcess(b *testing.B) {
	const span = 2 * time.Second
	var used, took time.Duration
	var polls uint64
	for b.Loop() {
		sim := mfrc522sim.NewRealtime(nil)
		d, err := mfrc522.New(sim.Port(), nil)
		if err != nil {
			b.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), span)
		start, cpu := time.Now(), cpuTime(b)
		if err := presence.Watch(ctx, d, nil, func(presence.Event) {}); err != nil {
			b.Fatal(err)
		}
		used, took = used+cpuTime(b)-cpu, took+time.Since(start)
		polls += d.Stats().Scans
		cancel()
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(100*used.Seconds()/took.Seconds(), "%core")
	b.ReportMetric(float64(polls)/took.Seconds(), "polls/s")
}

func cpuTime(b *testing.B) time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// nullPort is a bus on which every frame times out and every register is as it should be.
type nullPort struct{}

func (nullPort) String() string      { return "null" }
func (nullPort) Duplex() conn.Duplex { return conn.Full }
func (n nullPort) Connect(physic.Frequency, spi.Mode, int) (spi.Conn, error) {
	return n, nil
}
func (nullPort) TxPackets([]spi.Packet) error { return nil }

// Tx answers by register: the timer has run out, version NXP v2, registers as configured.
func (nullPort) Tx(w, r []byte) error {
	for i := 0; i+1 < len(w) && len(r) > 0; i++ {
		switch w[i] >> 1 & 0x3F {
		case 0x04: // ComIrqReg
			r[i+1] = 0x01
		case 0x37: // VersionReg
			r[i+1] = 0x92
		case 0x14: // TxControlReg
			r[i+1] = 0x83
		case 0x2A: // TModeReg
			r[i+1] = 0x80
		case 0x2D: // TReloadRegL
			r[i+1] = 24
		case 0x26: // RFCfgReg
			r[i+1] = 0x50
		default:
			r[i+1] = 0
		}
	}
	return nil
}
