package presence_test

import (
	"fmt"
	"testing"
	"time"

	"majordome/devices"
	"majordome/devices/mfrc522/mfrc522sim"
	"majordome/devices/presence"
	"majordome/devices/randtest"
)

// pocket is a phone at a coil: awake for a time, asleep for another, with a new number each time it wakes.
type pocket struct {
	awake, asleep time.Duration // of the virtual clock
	tag           mfrc522sim.Tag
}

// pockets lists the phones and bank cards of the tests: how long they answer, their ATQA, and their reaction to HLTA.
var pockets = map[string]pocket{
	"a phone":                        {700 * ms, 600 * ms, mfrc522sim.Tag{SAK: 0x20}},
	"a phone with another ATQA":      {300 * ms, 100 * ms, mfrc522sim.Tag{SAK: 0x60, ATQA: [2]byte{0x03, 0x0F}}},
	"a phone that does not halt":     {700 * ms, 600 * ms, mfrc522sim.Tag{SAK: 0x20, Fault: mfrc522sim.NoHalt}},
	"a bank card that flickers":      {12 * ms, 9 * ms, mfrc522sim.Tag{SAK: 0x28, ATQA: [2]byte{0x08, 0x00}}},
	"one that rests, and no halting": {time.Hour, 0, mfrc522sim.Tag{SAK: 0x20, Fault: mfrc522sim.NoHalt}},
}

// wake puts the phone into the field whenever it is time, from now on. Call it before each poll.
func (p *pocket) wake(t *testing.T, s *slot) func(now time.Duration) {
	var next time.Duration
	return func(now time.Duration) {
		if now < next {
			return
		}
		uid := []byte{0x08, byte(s.rng.Uint32()), byte(s.rng.Uint32()), byte(s.rng.Uint32())}
		tag := p.tag
		var err error
		if tag.UID, err = devices.MakeUID(uid); err == nil {
			tag.Arrive, tag.Stay = now, p.awake
			err = s.sim.PlaceTags(tag)
		}
		if err != nil {
			t.Fatal(err)
		}
		next = now + p.awake + p.asleep
	}
}

// TestAPhoneAtTheSlot: a phone or a bank card at the coil of a slot is neither a card nor unreadable, and a card that falls past is named:
// all that stay 25 ms, and at least 97 % of those that stay 17 ms.
func TestAPhoneAtTheSlot(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: nothing for the race detector")
	}
	for name, p := range pockets {
		t.Run(name, func(t *testing.T) {
			for _, c := range []struct {
				dwell time.Duration
				aim   float64 // per cent
			}{{17 * ms, 97}, {25 * ms, 100}} {
				s := newSlot(t, randtest.NewRand(t), mfrc522sim.Opts{})
				n := full(20_000, 1_000)
				noise := 0
				named := s.dropsBeside(n, c.dwell, p.wake(t, s), func(e presence.Event) {
					if e.Kind == presence.NoiseBegan {
						noise++
					}
				})
				share := 100 * float64(named) / float64(n)
				t.Logf("%v: %.1f %% of %d", c.dwell, share, n)
				if share < c.aim || noise > 0 {
					t.Errorf("%v: %.1f %% were named, want %.1f; %d times unreadable", c.dwell, share, c.aim, noise)
				}
			}
		})
	}
}

// TestAPhoneOnTheTray: a card on a tray arrives once and stays, and no other tag arrives, whatever a phone next to it does.
func TestAPhoneOnTheTray(t *testing.T) {
	for name, p := range pockets {
		t.Run(name, func(t *testing.T) {
			rng := randtest.NewRand(t)
			s := newSlot(t, rng, mfrc522sim.Opts{})
			wake, end := p.wake(t, s), s.sim.Clock().Now()+full(10*time.Minute, 30*time.Second)
			var got []string
			placed := false
			s.before = func(now time.Duration) {
				wake(now)
				switch {
				case now > end:
					s.stop()
				case now > time.Second && !placed:
					placed = true
					if err := s.sim.PlaceTag(card, 0); err != nil {
						t.Fatal(err)
					}
				}
			}
			s.watchAs(presence.WatchOpts{Period: 20 * ms}, func(e presence.Event) {
				if e.Kind != presence.Stray {
					got = append(got, fmt.Sprint(e.Kind, " ", e.Tag.UID, " beside ", e.OthersPresent))
				}
			})
			if want := fmt.Sprint("arrived ", card, " beside 0"); len(got) != 1 || got[0] != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// TestACardLeavesBesideAPhone: even next to a phone that is named at each poll, a fallen card is noticed to be taken out, so that it can be
// dropped again.
func TestACardLeavesBesideAPhone(t *testing.T) {
	for name, p := range pockets {
		t.Run(name, func(t *testing.T) {
			s := newSlot(t, randtest.NewRand(t), mfrc522sim.Opts{})
			wake, start := p.wake(t, s), s.sim.Clock().Now()
			for range 2 {
				if err := s.sim.PlaceTags(mfrc522sim.Tag{UID: ntag(s.rng), Stay: time.Second}); err != nil {
					t.Fatal(err)
				}
			}
			s.before = func(now time.Duration) {
				wake(now)
				if now > start+3*time.Second {
					s.stop()
				}
			}
			count := map[presence.Kind]int{}
			s.watch(func(e presence.Event) { count[e.Kind]++ })
			if count[presence.Arrived] != 2 || count[presence.Left] != 2 || count[presence.NoiseBegan] > 0 {
				t.Errorf("2 cards came for a second: %v", count)
			}
		})
	}
}
