package mfrc522_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"majordome/devices"
	"majordome/devices/mfrc522"
	"majordome/devices/mfrc522/mfrc522sim"
	"majordome/devices/randtest"
)

const ms = time.Millisecond

// randomBetween is uniform in [lo, hi).
func randomBetween(rng *rand.Rand, lo, hi time.Duration) time.Duration {
	return lo + time.Duration(rng.Int64N(int64(hi-lo)))
}

func randomUID(t testing.TB, rng *rand.Rand, n int) devices.UID {
	b := make([]byte, n)
	for {
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		if b[0] = 0x04; n == 4 || b[3] != 0x88 { // no level begins with the cascade tag
			break
		}
	}
	u, err := devices.MakeUID(b)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// slot is the driver polling 500 times a second.
type slot struct {
	sim  *mfrc522sim.Sim
	dev  *mfrc522.Dev
	next time.Duration
}

func newSlot(t testing.TB, o mfrc522sim.Opts) *slot {
	sim := mfrc522sim.New(&o)
	s := &slot{sim: sim, dev: reader(t, sim, mfrc522.Opts{})}
	if _, err := s.dev.Probe(); err != nil {
		t.Fatal(err)
	}
	return s
}

// poll waits until the next poll is due and polls.
func (s *slot) poll(t testing.TB) []devices.Tag {
	now := s.sim.Clock().Now()
	s.sim.Clock().Sleep(s.next - now)
	s.next = max(s.next, now) + 2*ms
	tags, _ := s.dev.Scan(context.Background())
	return tags
}

// drop lets a tag pass at a random phase and reports whether it was read.
func (s *slot) drop(t testing.TB, rng *rand.Rand, stay time.Duration) bool {
	u := randomUID(t, rng, 7)
	at := s.sim.Clock().Now() + randomBetween(rng, 0, 4*ms)
	err := s.sim.PlaceTags(mfrc522sim.Tag{UID: u, Arrive: at, Stay: stay, Boot: randomBetween(rng, 500*time.Microsecond, 5*ms)})
	if err != nil {
		t.Fatal(err)
	}
	read := false
	for s.sim.Clock().Now() < at+stay {
		for _, tag := range s.poll(t) {
			read = read || tag.UID == u
		}
	}
	return read
}

// TestEveryDropOf17MillisecondsIsRead is the promise of the slot: 7-byte tags, random
// phase, boot time of 0.5 to 5 ms, 20 µs and clocking per transfer.
func TestEveryDropOf17MillisecondsIsRead(t *testing.T) {
	drops := 100_000
	rng := randtest.NewRand(t)
	s := newSlot(t, mfrc522sim.Opts{})
	missed := 0
	for range drops {
		if !s.drop(t, rng, 17*ms) {
			missed++
		}
	}
	if missed != 0 {
		t.Errorf("%d of %d drops were missed", missed, drops)
	}
}

// TestTwoAndFiveTagsAreNamedInTime counts from the moment all of them could answer to the
// end of the scan that named the last.
func TestTwoAndFiveTagsAreNamedInTime(t *testing.T) {
	rng := randtest.NewRand(t)
	for _, c := range []struct {
		tags  int
		limit time.Duration
	}{{1, 8 * ms}, {2, 15 * ms}, {5, 40 * ms}} {
		var worst time.Duration
		for range 1000 {
			s := newSlot(t, mfrc522sim.Opts{})
			worst = max(worst, s.inventory(t, rng, c.tags))
		}
		t.Logf("%d tags: %v at worst", c.tags, worst)
		if worst > c.limit {
			t.Errorf("%d tags took %v, promised %v", c.tags, worst, c.limit)
		}
	}
}

// inventory puts n tags into the field together and returns the time until all are named.
func (s *slot) inventory(t testing.TB, rng *rand.Rand, n int) time.Duration {
	for range 3 {
		s.poll(t)
	}
	at := s.sim.Clock().Now() + randomBetween(rng, 0, 4*ms)
	for range n {
		if err := s.sim.PlaceTags(mfrc522sim.Tag{UID: randomUID(t, rng, 7), Arrive: at, Boot: ms}); err != nil {
			t.Fatal(err)
		}
	}
	for {
		if tags := s.poll(t); len(tags) == n {
			return s.sim.Clock().Now() - at - ms
		}
		if s.sim.Clock().Now() > at+time.Second {
			t.Fatalf("%d tags are not all named after a second", n)
		}
	}
}

// TestNoFrameDamageMakesAWrongName spoils single bits of single answers, and random ones at every rate: every tag that is named was there.
func TestNoFrameDamageMakesAWrongName(t *testing.T) {
	u := uid(t, "04A1B2C3D4E5F6")
	check := func(s *slot) int {
		tags := s.poll(t)
		for _, tag := range tags {
			if tag.UID != u {
				t.Fatalf("%v was named, %v is there", tag.UID, u)
			}
		}
		return len(tags)
	}
	for answer := range 6 {
		for bit := range 40 {
			for _, damage := range []mfrc522sim.Damage{mfrc522sim.Flip, mfrc522sim.Collide, mfrc522sim.Cut} {
				s := newSlot(t, mfrc522sim.Opts{Boot: 10 * time.Microsecond})
				if err := s.sim.PlaceTag(u, 0); err != nil {
					t.Fatal(err)
				}
				s.poll(t)
				s.sim.CorruptBit(answer, bit, damage)
				// Fewer than four bits of a first answer count as no answer: the next scan asks again.
				if unheard := answer == 0 && damage == mfrc522sim.Cut && bit < 4; check(s) != 1 && (!unheard || check(s) != 1) {
					t.Errorf("answer %d, bit %d, damage %d: not read in the same scan", answer, bit, damage)
				}
			}
		}
	}
	rng := randtest.NewRand(t)
	for _, rate := range []float64{1e-4, 1e-3, 1e-2, 1e-1} {
		s := newSlot(t, mfrc522sim.Opts{Seed: rng.Uint64()})
		s.sim.SetNoise(mfrc522sim.Noise{BitErrors: rate, Bursts: 0.1})
		_ = s.sim.PlaceTag(u, 0)
		named := 0
		for range 5000 {
			named += check(s)
		}
		t.Logf("bit errors %g: named in %d of 5000 scans", rate, named)
	}
}

// TestStrayBitsAreNotSent: stray bits that an open receiver caught between two polls must not be sent before the next wake-up.
func TestStrayBitsAreNotSent(t *testing.T) {
	s := newSlot(t, mfrc522sim.Opts{})
	s.sim.SetNoise(mfrc522sim.Noise{Stray: 1})
	u := uid(t, "04A1B2C3D4E5F6")
	for range 20 {
		s.poll(t)
		_ = s.sim.PlaceTags(mfrc522sim.Tag{UID: u, Boot: time.Microsecond})
		if tags := s.poll(t); len(tags) != 1 {
			t.Fatalf("after a silent poll: %v", tags)
		}
		s.sim.RemoveTag(u)
		s.poll(t)
	}
}
