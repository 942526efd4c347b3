package doctor

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/devices"
	"majordome/devices/mfrc522"
	"majordome/devices/mfrc522/mfrc522sim"
	"majordome/devices/presence"
)

// endingClock is a clock that cancels its context at a moment.
type endingClock struct {
	presence.Clock
	at   time.Duration
	stop func()
}

func (u endingClock) Now() time.Duration {
	now := u.Clock.Now()
	if now >= u.at {
		u.stop()
	}
	return now
}

// dropDeck drops a deck of twenty, a card each half second that stays in the field for stay; the last ones may remain
// there. The others are there from the beginning.
func dropDeck(t *testing.T, stay time.Duration, remain int, others ...devices.UID) SlotResult {
	t.Helper()
	const cards = 20
	sim := mfrc522sim.New(nil)
	for _, u := range others {
		if err := sim.PlaceTags(mfrc522sim.Tag{UID: u}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range cards {
		tag := mfrc522sim.Tag{UID: uid(t, byte(i)), Arrive: time.Duration(i+1) * 500 * time.Millisecond, Stay: stay}
		if i >= cards-remain {
			tag.Stay = 0
		}
		if err := sim.PlaceTags(tag); err != nil {
			t.Fatal(err)
		}
	}
	dev, err := mfrc522.New(sim.Port(), &mfrc522.Opts{Clock: sim.Clock()})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	r, err := WatchSlot(ctx, dev, endingClock{sim.Clock(), 13 * time.Second, stop})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestAPhoneBesideTheSlot checks that a phone near the slot counts neither as a dropped card nor as one of the pile;
// the verdict names it first.
func TestAPhoneBesideTheSlot(t *testing.T) {
	phone, err := devices.ParseUID("08A1B2C3")
	if err != nil {
		t.Fatal(err)
	}
	r := dropDeck(t, 60*time.Millisecond, 0, phone)
	v := r.JudgeSlot(20)
	if r.CardsRead() != 20 || len(r.Near) > 0 || len(v) != 1 || !strings.Contains(v[0].EN, "a phone or a bank card is near the slot") {
		t.Errorf("%d cards, %d near, verdict %v", r.CardsRead(), len(r.Near), v)
	}
}

func TestSlotTestJudgesSlots(t *testing.T) {
	for _, c := range []struct {
		name         string
		stay         time.Duration
		remain, seen int
		least, most  time.Duration // of the time to spare
		said         []string
	}{
		{"a good one", 60 * time.Millisecond, 0, 20, 40 * time.Millisecond, 60 * time.Millisecond, []string{"this slot is good"}},
		{"one card on top", 60 * time.Millisecond, 1, 20, 40 * time.Millisecond, 60 * time.Millisecond, []string{"this slot is good"}},
		{"just enough", 12 * time.Millisecond, 0, 20, 0, 8 * time.Millisecond, []string{"your slot lets cards fall too fast: "}},
		{"too fast", 2 * time.Millisecond, 0, 0, 0, 0, []string{"no card was read"}},
		{"a heap", 60 * time.Millisecond, 6, 20, 35 * time.Millisecond, 60 * time.Millisecond,
			[]string{"fallen cards lie too near: 6 still answer"}},
	} {
		r := dropDeck(t, c.stay, c.remain)
		if r.CardsRead() != c.seen || len(r.Near) != c.remain ||
			len(r.Dwell) > 0 && (slices.Min(r.Dwell) < c.least || slices.Max(r.Dwell) > c.most) {
			t.Errorf("%s: %d seen, %v to spare, %v near", c.name, r.CardsRead(), r.Dwell, r.Near)
		}
		verdict := r.JudgeSlot(20)
		if len(verdict) != len(c.said) {
			t.Errorf("%s: %q", c.name, verdict)
		}
		for i, want := range c.said {
			if !strings.Contains(verdict[i].EN, want) || verdict[i].FR == verdict[i].EN {
				t.Errorf("%s: %q", c.name, verdict[i])
			}
		}
		t.Logf("%s\n%s", c.name, strings.Join(r.DwellHistogram(), "\n"))
	}
}

// TestMissedCards checks that the verdict reports cards that were dropped and never read.
func TestMissedCards(t *testing.T) {
	r := SlotResult{Dwell: slices.Repeat([]time.Duration{30 * time.Millisecond}, 17)}
	if v := r.JudgeSlot(20); len(v) != 1 || !strings.Contains(v[0].EN, "too fast: 3 of 20 cards were not read") ||
		!strings.Contains(v[0].FR, "trop vite : 3 cartes sur 20") {
		t.Errorf("%q", v)
	}
	if v := r.JudgeSlot(0); len(v) != 1 || v[0].EN != "this slot is good" {
		t.Errorf("%q", v)
	}
	if h := strings.Join(r.DwellHistogram(), "\n"); !strings.Contains(h, "  20 –   40 ms   17 █████████████████\n") {
		t.Errorf("\n%s", h)
	}
}

// TestASlotWithoutAReader checks that a failing reader ends the measurement with its error.
func TestASlotWithoutAReader(t *testing.T) {
	sim := mfrc522sim.New(nil)
	sim.Unplug(0)
	dev, err := mfrc522.New(sim.Port(), &mfrc522.Opts{Clock: sim.Clock()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := WatchSlot(t.Context(), dev, sim.Clock()); !errors.Is(err, mfrc522.ErrNoChip) {
		t.Error(err)
	}
}

func TestGains(t *testing.T) {
	good := func(gain int) GainTest { return GainTest{Gain: gain, Reads: 1} }
	for name, c := range map[string]struct {
		all  []GainTest
		want int
		said string
	}{
		"all good":  {[]GainTest{good(18), good(33), good(38), good(48)}, 38, "keep gain: 38"},
		"loud only": {[]GainTest{{Gain: 38, Reads: 0.6, Garbled: 0.2}, {Gain: 43, Reads: 0.99}, good(48)}, 43, "write gain: 43"},
		"phantoms above": {[]GainTest{{Gain: 18, Reads: 0.2}, good(33), {Gain: 38, Reads: 1, Phantoms: 0.05},
			{Gain: 48, Reads: 1, Phantoms: 0.3}}, 33, "write gain: 33"},
		"never half of them": {[]GainTest{{Gain: 38, Reads: 0.4}, {Gain: 48, Reads: 0.45}}, 0, "no gain will do"},
		"phantoms all over":  {[]GainTest{{Gain: 38, Reads: 1, Phantoms: 0.5}}, 0, "no gain will do"},
		"none":               {nil, 0, "no gain will do"},
	} {
		if got := BestGain(c.all); got != c.want {
			t.Errorf("%s: %d", name, got)
		}
		if v := GainVerdict(c.all, 38); !strings.Contains(v.EN, c.said) || v.FR == v.EN {
			t.Errorf("%s: %q", name, v)
		}
	}
}

func TestMeasureReadShares(t *testing.T) {
	sim := mfrc522sim.New(nil)
	dev, err := mfrc522.New(sim.Port(), &mfrc522.Opts{Clock: sim.Clock()})
	if err != nil {
		t.Fatal(err)
	}
	if named, noisy, err := MeasureReadShares(t.Context(), dev); named != 0 || noisy != 0 || err != nil {
		t.Error(named, noisy, err)
	}
	sim.SetNoise(mfrc522sim.Noise{BitErrors: 3e-3})
	if err := sim.PlaceTag(uid(t, 1), 0); err != nil {
		t.Fatal(err)
	}
	if named, noisy, err := MeasureReadShares(t.Context(), dev); named < 0.5 || noisy == 0 || err != nil {
		t.Error(named, noisy, err)
	}
	sim.Unplug(0)
	if _, _, err := MeasureReadShares(t.Context(), dev); err == nil {
		t.Error("a reader that is gone")
	}
}
