package presence_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"majordome/devices"
	"majordome/devices/mfrc522"
	"majordome/devices/mfrc522/mfrc522sim"
	"majordome/devices/presence"
	"majordome/devices/randtest"
)

// The figures of the slot, on the strict twin: the whole way from the field to an event, 500 polls a second, 20 µs and
// clocking per transfer. Each runs short by default and in full with MAJORDOME_SOAK=1.

const ms = time.Millisecond

// full chooses the size of a measurement: whole in a soak, otherwise short.
func full[T any](whole, short T) T {
	if os.Getenv("MAJORDOME_SOAK") == "1" {
		return whole
	}
	return short
}

func randomBetween(rng *rand.Rand, lo, hi time.Duration) time.Duration {
	return lo + time.Duration(rng.Int64N(int64(hi-lo)))
}

// ntag is a number as NXP gives them: 04, then anything but a cascade tag.
func ntag(rng *rand.Rand) devices.UID {
	for {
		b := []byte{4, 0, 0, 0, 0, 0, 0}
		for i := 1; i < len(b); i++ {
			b[i] = byte(rng.Uint32())
		}
		if u, err := devices.MakeUID(b); err == nil && b[3] != 0x88 {
			return u
		}
	}
}

// slot is a reader in a slot, watched as a pile, with a clock that stops between polls.
type slot struct {
	t   testing.TB
	rng *rand.Rand
	sim *mfrc522sim.Sim
	dev *mfrc522.Dev
	// before is called before each poll.
	before func(now time.Duration)
	lying  map[devices.UID]bool // the tags that addPile has put there
	stop   func()
}

func newSlot(t testing.TB, rng *rand.Rand, o mfrc522sim.Opts) *slot {
	o.Seed = rng.Uint64()
	s := &slot{t: t, rng: rng, sim: mfrc522sim.New(&o), before: func(time.Duration) {}, lying: map[devices.UID]bool{}}
	var err error
	if s.dev, err = mfrc522.New(s.sim.Port(), &mfrc522.Opts{Clock: s.sim.Clock()}); err == nil {
		_, err = s.dev.Probe()
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ScanNew and Scan let the test act before each poll.
func (s *slot) ScanNew(ctx context.Context) ([]devices.Tag, error) {
	s.before(s.sim.Clock().Now())
	return s.dev.ScanNew(ctx)
}

func (s *slot) FindTag(ctx context.Context, t devices.Tag) (bool, bool, error) {
	return s.dev.FindTag(ctx, t)
}

func (s *slot) Scan(ctx context.Context) ([]devices.Tag, error) {
	s.before(s.sim.Clock().Now())
	return s.dev.Scan(ctx)
}
func (s *slot) String() string { return "slot" }
func (s *slot) Halt() error    { return s.dev.Halt() }

// watch polls as a pile until stop is called.
func (s *slot) watch(report func(presence.Event)) {
	s.watchAs(presence.WatchOpts{Pile: true}, report)
}

// watchAs polls until stop is called, on the clock of the twin.
func (s *slot) watchAs(o presence.WatchOpts, report func(presence.Event)) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	s.stop, o.Clock, o.Fold.Strays = stop, s.sim.Clock(), true
	if err := presence.Watch(ctx, s, &o, report); err != nil {
		s.t.Fatal(err)
	}
}

// drops makes n cards fall one after the other, each in the field for dwell, and returns how many were named. Cards that are already there
// stay.
func (s *slot) drops(n int, dwell time.Duration) (named int) {
	return s.dropsBeside(n, dwell, func(time.Duration) {}, func(presence.Event) {})
}

// dropsBeside is drops with something else in the field, which acts before each poll; heard gets all events.
func (s *slot) dropsBeside(n int, dwell time.Duration, beside func(now time.Duration), heard func(presence.Event)) (named int) {
	var falling devices.UID
	var until time.Duration
	next := s.sim.Clock().Now() + randomBetween(s.rng, 0, 100*ms)
	s.before = func(now time.Duration) {
		beside(now)
		switch {
		case until > 0 && now < until+5*ms, now < next-10*ms:
		case n == 0:
			s.stop()
		default:
			n--
			falling = ntag(s.rng)
			at := max(next, now)
			until = at + dwell
			err := s.sim.PlaceTags(mfrc522sim.Tag{UID: falling, Arrive: at, Stay: dwell,
				Boot: randomBetween(s.rng, 500*time.Microsecond, 5*ms)})
			if err != nil {
				s.t.Fatal(err)
			}
			next = until + randomBetween(s.rng, 10*ms, 200*ms)
		}
	}
	s.watch(func(e presence.Event) {
		heard(e)
		switch {
		case e.Kind == presence.Arrived && e.Tag.UID == falling:
			named++
		case s.lying[e.Tag.UID]:
			s.t.Errorf("%v %s, which lies there, after %v", e.Kind, e.Tag.UID, e.At)
		}
	})
	return named
}

// addPile puts n cards under the coil and waits until all are known.
func (s *slot) addPile(n int) {
	for range n {
		u := ntag(s.rng)
		s.lying[u] = true
		if err := s.sim.PlaceTag(u, 0); err != nil {
			s.t.Fatal(err)
		}
	}
	known, end := 0, s.sim.Clock().Now()+5*time.Second
	s.before = func(now time.Duration) {
		if known == n || now > end {
			s.stop()
		}
	}
	s.watch(func(e presence.Event) {
		if e.Kind == presence.Arrived && s.lying[e.Tag.UID] {
			known++
		}
	})
	if known != n {
		s.t.Fatalf("%d of %d cards that lie there are known", known, n)
	}
}

// TestDropsOntoAPile: a card that is in the field for 17 ms is named, whatever other cards are there.
func TestDropsOntoAPile(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: nothing for the race detector")
	}
	for _, lying := range []int{0, 1, 3, 8, 38} {
		t.Run(fmt.Sprint(lying), func(t *testing.T) {
			s := newSlot(t, randtest.NewRand(t), mfrc522sim.Opts{})
			s.addPile(lying)
			n := full(100_000, 2_000)
			if named := s.drops(n, 17*ms); named != n {
				t.Errorf("%d of %d drops onto %d cards were named", named, n, lying)
			}
		})
	}
}

// TestDropsUnderBitErrors: one bit in a thousand, both ways.
func TestDropsUnderBitErrors(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: nothing for the race detector")
	}
	for _, c := range []struct {
		dwell time.Duration
		aim   float64 // per cent
	}{{17 * ms, 98}, {25 * ms, 99.8}} {
		s := newSlot(t, randtest.NewRand(t), mfrc522sim.Opts{})
		s.sim.SetNoise(mfrc522sim.Noise{BitErrors: 1e-3})
		n := full(100_000, 5_000)
		named := s.drops(n, c.dwell)
		share := 100 * float64(named) / float64(n)
		t.Logf("dwell %v at 1e-3: %.2f %% of %d", c.dwell, share, n)
		// The short form may be three standard deviations short.
		if slack := full(0, 0.2); share < c.aim-slack {
			t.Errorf("dwell %v: %.2f %% were named, want %.1f", c.dwell, share, c.aim)
		}
	}
}

// countQuietly watches for so long and counts events by kind.
func (s *slot) countQuietly(d time.Duration) (count map[presence.Kind]int) {
	count = map[presence.Kind]int{}
	end := s.sim.Clock().Now() + d
	s.before = func(now time.Duration) {
		if now > end {
			s.stop()
		}
	}
	s.watch(func(e presence.Event) { count[e.Kind]++ })
	return count
}

// TestAnHourOfSparks: noise breaks one in a hundred silences, and no tag is near.
func TestAnHourOfSparks(t *testing.T) {
	s := newSlot(t, randtest.NewRand(t), mfrc522sim.Opts{})
	s.sim.SetNoise(mfrc522sim.Noise{Bursts: 0.01})
	span := full(time.Hour, 2*time.Minute)
	if count := s.countQuietly(span); len(count) != 0 {
		t.Errorf("in %v: %v", span, count)
	}
	if s.dev.Stats().Garbled == 0 {
		t.Error("there were no sparks")
	}
}

// TestDropsUnderSparks: noise breaks one in ten silences. Each drop is seen, and no tag that was not there.
func TestDropsUnderSparks(t *testing.T) {
	rounds := full(20, 1)
	for range rounds {
		s := newSlot(t, randtest.NewRand(t), mfrc522sim.Opts{})
		s.sim.SetNoise(mfrc522sim.Noise{Bursts: 0.1})
		there := map[devices.UID]bool{}
		var arrived, left, noise, n int
		next := 200 * ms
		s.before = func(now time.Duration) {
			switch {
			case now < next:
			case n == 60:
				s.stop()
			default:
				u := ntag(s.rng)
				there[u] = true
				err := s.sim.PlaceTags(mfrc522sim.Tag{UID: u, Stay: 25 * ms, Boot: randomBetween(s.rng, 500*time.Microsecond, 5*ms)})
				if err != nil {
					t.Fatal(err)
				}
				n++
				next = now + time.Second
			}
		}
		s.watch(func(e presence.Event) {
			switch e.Kind {
			case presence.Arrived:
				arrived++
				if !there[e.Tag.UID] {
					t.Errorf("%s was never there", e.Tag.UID)
				}
			case presence.Left:
				left++
			case presence.NoiseBegan:
				noise++
			}
		})
		if arrived != 60 || left != 60 {
			t.Errorf("60 drops: %d arrived, %d left", arrived, left)
		}
		if noise > 0 {
			t.Logf("told of something unreadable %d times in a minute", noise)
		}
	}
}

// TestARestingTag: with one wrong bit in a thousand, for an hour, a tag stays there, and nothing else is reported, in a slot and on a tray.
func TestARestingTag(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: nothing for the race detector")
	}
	span := full(time.Hour, 2*time.Minute)
	t.Run("slot", func(t *testing.T) {
		s := newSlot(t, randtest.NewRand(t), mfrc522sim.Opts{})
		s.sim.SetNoise(mfrc522sim.Noise{BitErrors: 1e-3})
		_ = s.sim.PlaceTag(ntag(s.rng), 0)
		if count := s.countQuietly(span); len(count) != 1 || count[presence.Arrived] != 1 {
			t.Errorf("in %v: %v", span, count)
		}
	})
	t.Run("tray", func(t *testing.T) {
		rng := randtest.NewRand(t)
		tb := newTable(t, mfrc522sim.Opts{Seed: rng.Uint64()}, mfrc522.Opts{})
		tb.sim.SetNoise(mfrc522sim.Noise{BitErrors: 1e-3})
		_ = tb.sim.PlaceTag(card, 0)
		tb.watch(span, presence.WatchOpts{Period: 10 * ms})
		tb.want("arrived " + card.String())
	})
}

// TestAResetChipIsBackSoon: a chip that lost its registers works again soon, whatever took them, however long it was without supply and
// however long it starts.
func TestAResetChipIsBackSoon(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: nothing for the race detector")
	}
	for name, fail := range map[string]func(*mfrc522sim.Sim) (down time.Duration){
		"reset": func(s *mfrc522sim.Sim) time.Duration { s.SetHang(mfrc522sim.BrownedOut); return 0 },
		"hung":  func(s *mfrc522sim.Sim) time.Duration { s.SetHang(mfrc522sim.SoftHang); return 0 },
		"brown-out of 20 ms": func(s *mfrc522sim.Sim) time.Duration {
			s.BrownOut(20 * ms)
			return 20 * ms
		},
		"brown-out of 10 s": func(s *mfrc522sim.Sim) time.Duration {
			s.BrownOut(10 * time.Second)
			return 10 * time.Second
		},
		"antenna off": func(s *mfrc522sim.Sim) time.Duration {
			_ = s.Conn().Tx([]byte{0x14 << 1, 0x80}, nil)
			return 0
		},
	} {
		for _, period := range []time.Duration{2 * ms, 50 * ms} {
			var worst time.Duration
			rng := randtest.NewRand(t)
			for range full(200, 20) {
				tb := newTable(t, mfrc522sim.Opts{Seed: rng.Uint64(), Reset: 100 * ms}, mfrc522.Opts{})
				at := time.Second + randomBetween(rng, 0, time.Second)
				var back time.Duration
				tb.watch(16*time.Second, presence.WatchOpts{Period: period, Pile: true},
					act{at, func(s *mfrc522sim.Sim) {
						back = s.Clock().Now() + fail(s)
						_ = s.PlaceTags(mfrc522sim.Tag{UID: card, Arrive: back})
					}})
				named := false
				for _, e := range tb.events {
					if e.Kind == presence.Arrived {
						named, worst = true, max(worst, e.At-back)
					}
				}
				if !named {
					t.Fatalf("%s: never back: %s", name, tb.story())
				}
			}
			t.Logf("%s, a poll every %v: a card is named %v after, at worst", name, period, worst)
			if worst >= time.Second {
				t.Errorf("%s: back after %v, want under 1 s", name, worst)
			}
		}
	}
}

// TestFourReadersOnTwoBuses: four slots, two on each bus, each polled by its own goroutine; while one waits for the air, the other uses the
// bus. A card that is there for 20 ms is named.
func TestFourReadersOnTwoBuses(t *testing.T) {
	rng := randtest.NewRand(t)
	n := full(25_000, 250) // at each
	synctest.Test(t, func(t *testing.T) {
		clock := bubble{time.Now()}
		buses := []*mfrc522sim.Bus{mfrc522sim.NewBus(), mfrc522sim.NewBus()}
		var wg sync.WaitGroup
		var slots []*slot
		for i := range 4 {
			slots = append(slots,
				newSlot(t, rand.New(rand.NewPCG(rng.Uint64(), uint64(i))), mfrc522sim.Opts{Clock: clock, Bus: buses[i/2]}))
		}
		var named [4]int
		for i, s := range slots {
			wg.Go(func() { named[i] = s.drops(n, 20*ms) })
		}
		wg.Wait()
		for i, got := range named {
			if got != n {
				t.Errorf("reader %d: %d of %d drops were named", i, got, n)
			}
		}
	})
}

// BenchmarkSlot prints the figures of the slot; seed 1, so they are the same everywhere.
func BenchmarkSlot(b *testing.B) {
	var once sync.Once // the framework may ask twice
	for b.Loop() {
		once.Do(func() { figures(b) })
	}
	b.ReportMetric(0, "ns/op")
}

func figures(b *testing.B) {
	const n = 5_000
	rng := rand.New(rand.NewPCG(1, 5))
	fmt.Printf("\n%d drops a figure, 7-byte tags that boot in 0.5 to 5 ms, 20 µs per transfer, share named:\n", n)
	line := func(what string, o mfrc522sim.Opts, noise mfrc522sim.Noise, lying int, dwells ...time.Duration) (share float64) {
		fmt.Printf("%-28s", what)
		for _, dwell := range dwells {
			s := newSlot(b, rng, o)
			s.addPile(lying)
			s.sim.SetNoise(noise)
			share = 100 * float64(s.drops(n, dwell)) / n
			fmt.Printf("  %v: %6.2f %%", dwell, share)
		}
		fmt.Println()
		return share
	}
	for _, lying := range []int{0, 1, 3, 8, 38} {
		share := line(fmt.Sprintf("%d lie within reach", lying), mfrc522sim.Opts{}, mfrc522sim.Noise{}, lying, 12*ms, 15*ms, 17*ms)
		b.ReportMetric(share, fmt.Sprintf("17ms-%d-lying-%%", lying))
	}
	for _, rate := range []float64{3e-4, 1e-3, 3e-3, 1e-2} {
		line(fmt.Sprintf("bit errors %g", rate), mfrc522sim.Opts{}, mfrc522sim.Noise{BitErrors: rate}, 0, 17*ms, 20*ms, 25*ms, 40*ms)
	}
	for _, rate := range []float64{0.01, 0.1, 0.3} {
		line(fmt.Sprintf("sparks in %.0f %% of silences", 100*rate), mfrc522sim.Opts{}, mfrc522sim.Noise{Bursts: rate}, 0, 17*ms, 25*ms)
	}
	hour := func(what string, noise mfrc522sim.Noise, lying int) {
		s := newSlot(b, rng, mfrc522sim.Opts{})
		s.addPile(lying)
		s.sim.SetNoise(noise)
		count := s.countQuietly(time.Hour)
		fmt.Printf("an hour, %s: %d arrived, %d left, %d unreadable\n", what, count[presence.Arrived], count[presence.Left],
			count[presence.NoiseBegan])
	}
	for _, rate := range []float64{0.01, 0.1} {
		hour(fmt.Sprintf("nobody near, sparks in %.0f %% of silences", 100*rate), mfrc522sim.Noise{Bursts: rate}, 0)
	}
	for _, rate := range []float64{1e-3, 3e-3} {
		hour(fmt.Sprintf("one card lies there, bit errors %g", rate), mfrc522sim.Noise{BitErrors: rate}, 1)
	}
}
