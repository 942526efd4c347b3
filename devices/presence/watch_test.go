package presence_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"majordome/devices"
	"majordome/devices/mfrc522"
	"majordome/devices/mfrc522/mfrc522sim"
	"majordome/devices/presence"
)

// table is a real driver on a simulated reader, watched on the virtual clock. Acts run at their time, before the poll of that time.
type table struct {
	t      *testing.T
	sim    *mfrc522sim.Sim
	dev    *mfrc522.Dev
	events []presence.Event
}

func newTable(t *testing.T, o mfrc522sim.Opts, d mfrc522.Opts) *table {
	t.Helper()
	tb := &table{t: t, sim: mfrc522sim.New(&o)}
	d.Clock = tb.sim.Clock()
	var err error
	if tb.dev, err = mfrc522.New(tb.sim.Port(), &d); err != nil {
		t.Fatal(err)
	}
	return tb
}

// act is a change of the simulator at a time.
type act struct {
	at time.Duration
	do func(*mfrc522sim.Sim)
}

// script is a scanner that plays acts between the scans of another.
type script struct {
	devices.Scanner
	sim  *mfrc522sim.Sim
	acts []act
	end  time.Duration
	stop func()
}

func (s *script) Scan(ctx context.Context) ([]devices.Tag, error) {
	now := s.sim.Clock().Now()
	for len(s.acts) > 0 && s.acts[0].at <= now {
		s.acts[0].do(s.sim)
		s.acts = s.acts[1:]
	}
	if now >= s.end {
		s.stop()
	}
	return s.Scanner.Scan(ctx)
}

func (tb *table) watch(end time.Duration, o presence.WatchOpts, acts ...act) {
	tb.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	o.Clock = tb.sim.Clock()
	s := &script{Scanner: tb.dev, sim: tb.sim, acts: acts, end: end, stop: stop}
	if err := presence.Watch(ctx, s, &o, func(e presence.Event) { tb.events = append(tb.events, e) }); err != nil {
		tb.t.Fatal(err)
	}
}

func (tb *table) story() string {
	var out []string
	for _, e := range tb.events {
		s := e.Kind.String()
		if e.Kind == presence.Arrived || e.Kind == presence.Left {
			s += " " + e.Tag.UID.String()
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

func (tb *table) want(story string) {
	tb.t.Helper()
	if got := tb.story(); got != story {
		tb.t.Fatalf("events:\n got %s\nwant %s", got, story)
	}
}

func uid(hex string) devices.UID {
	u, err := devices.ParseUID(hex)
	if err != nil {
		panic(err)
	}
	return u
}

var (
	card  = uid("04A1B2C3D4E5F6")
	other = uid("04A1B2C3D4E5F7")
)

func placeTag(u devices.UID) func(*mfrc522sim.Sim) {
	return func(s *mfrc522sim.Sim) { _ = s.PlaceTag(u, 0) }
}

func removeTag(u devices.UID) func(*mfrc522sim.Sim) {
	return func(s *mfrc522sim.Sim) { s.RemoveTag(u) }
}

func TestWatchReportsArrivalAndDeparture(t *testing.T) {
	tb := newTable(t, mfrc522sim.Opts{}, mfrc522.Opts{})
	tb.watch(2*time.Second, presence.WatchOpts{},
		act{100 * time.Millisecond, placeTag(card)},
		act{300 * time.Millisecond, placeTag(other)},
		act{600 * time.Millisecond, removeTag(card)},
		act{time.Second, removeTag(other)},
	)
	tb.want("arrived 04A1B2C3D4E5F6, arrived 04A1B2C3D4E5F7, left 04A1B2C3D4E5F6, left 04A1B2C3D4E5F7")
	if got := tb.events[0].At - 100*time.Millisecond; got > 12*time.Millisecond {
		t.Errorf("the first card was named %v after it came", got)
	}
}

func TestATagLeftLyingForAnHour(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: nothing for the race detector")
	}
	tb := newTable(t, mfrc522sim.Opts{Seed: 1}, mfrc522.Opts{})
	tb.sim.SetNoise(mfrc522sim.Noise{BitErrors: 1e-4})
	if err := tb.sim.PlaceTag(card, 0); err != nil {
		t.Fatal(err)
	}
	tb.watch(time.Hour, presence.WatchOpts{Period: 2 * time.Millisecond})
	tb.want("arrived 04A1B2C3D4E5F6")
	if s := tb.dev.Stats(); s.Scans < 60_000 || s.Garbled == 0 {
		t.Fatalf("the hour was not an hour, or not noisy: %+v", s)
	}
}

func TestNoiseNeverRemovesATag(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: nothing for the race detector")
	}
	for _, rate := range []float64{1e-3, 1e-2, 5e-2} {
		t.Run(fmt.Sprint(rate), func(t *testing.T) {
			tb := newTable(t, mfrc522sim.Opts{Seed: 7}, mfrc522.Opts{})
			_ = tb.sim.PlaceTag(card, 0)
			tb.watch(10*time.Minute, presence.WatchOpts{Period: 20 * time.Millisecond}, act{time.Second, func(s *mfrc522sim.Sim) {
				s.SetNoise(mfrc522sim.Noise{BitErrors: rate})
			}})
			for _, e := range tb.events {
				if e.Kind == presence.Left {
					t.Fatalf("left at %v, after %d events", e.At, len(tb.events))
				}
				if e.Kind == presence.Arrived && e.Tag.UID != card {
					t.Fatalf("%v arrived, which is not there", e.Tag.UID)
				}
			}
		})
	}
}

func TestAnUnreadableCardIsNoise(t *testing.T) {
	for _, fault := range []mfrc522sim.Fault{mfrc522sim.Unreadable, mfrc522sim.WrongBCC, mfrc522sim.WrongSAKCRC, mfrc522sim.NoCascadeBit} {
		tb := newTable(t, mfrc522sim.Opts{}, mfrc522.Opts{})
		tb.watch(time.Second, presence.WatchOpts{}, act{100 * time.Millisecond, func(s *mfrc522sim.Sim) {
			_ = s.PlaceTags(mfrc522sim.Tag{UID: card, Fault: fault, Stay: 17 * time.Millisecond})
		}})
		tb.want("noise began")
	}
}

func TestSparksInAnEmptyFieldAreNoTag(t *testing.T) {
	tb := newTable(t, mfrc522sim.Opts{Seed: 3}, mfrc522.Opts{})
	tb.watch(time.Minute, presence.WatchOpts{}, act{time.Second, func(s *mfrc522sim.Sim) {
		s.SetNoise(mfrc522sim.Noise{Bursts: 0.5})
	}}, act{30 * time.Second, func(s *mfrc522sim.Sim) {
		s.SetNoise(mfrc522sim.Noise{})
	}})
	tb.want("")
}

func TestReaderLostAndBack(t *testing.T) {
	gone := errors.New("no such device")
	for _, c := range []struct {
		name   string
		unplug func(*mfrc522sim.Sim)
	}{
		{"MISO low", func(s *mfrc522sim.Sim) { s.Unplug(0x00) }},
		{"MISO high", func(s *mfrc522sim.Sim) { s.Unplug(0xFF) }},
		{"bus error", func(s *mfrc522sim.Sim) { s.FailBus(gone) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			tb := newTable(t, mfrc522sim.Opts{}, mfrc522.Opts{})
			tb.watch(60*time.Second, presence.WatchOpts{},
				act{100 * time.Millisecond, placeTag(card)},
				act{time.Second, c.unplug},
				act{30 * time.Second, func(s *mfrc522sim.Sim) { s.Plug() }},
				act{50 * time.Second, removeTag(card)},
			)
			tb.want("arrived 04A1B2C3D4E5F6, reader lost, reader back, left 04A1B2C3D4E5F6")
			if e := tb.events[1]; e.Err == nil || e.At > 1300*time.Millisecond {
				t.Errorf("lost at %v with %v", e.At, e.Err)
			}
			if at := tb.events[2].At; at > 36*time.Second {
				t.Errorf("back at %v, plugged at 30 s", at)
			}
		})
	}
}

func TestAReaderPluggedInLater(t *testing.T) {
	tb := newTable(t, mfrc522sim.Opts{}, mfrc522.Opts{})
	tb.sim.Unplug(0x00)
	tb.watch(20*time.Second, presence.WatchOpts{},
		act{5 * time.Second, func(s *mfrc522sim.Sim) { s.Plug() }},
		act{15 * time.Second, placeTag(card)},
	)
	tb.want("reader lost, reader back, arrived 04A1B2C3D4E5F6")
}

// A reader that may be tried often is back at once, however long it was away.
func TestALostReaderIsTriedAsOftenAsAsked(t *testing.T) {
	tb := newTable(t, mfrc522sim.Opts{}, mfrc522.Opts{})
	tb.watch(8*time.Second, presence.WatchOpts{Retry: 20 * time.Millisecond},
		act{100 * time.Millisecond, func(s *mfrc522sim.Sim) { s.Unplug(0xFF) }},
		act{6 * time.Second, func(s *mfrc522sim.Sim) { s.Plug() }},
	)
	tb.want("reader lost, reader back")
	if at := tb.events[1].At; at > 6500*time.Millisecond {
		t.Errorf("back at %v, plugged at 6 s", at)
	}
}

func TestWatchEndsSoonWhileTheReaderIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		lost := make(chan struct{})
		done := make(chan error)
		s := &deadScanner{}
		go func() {
			done <- presence.Watch(ctx, s, &presence.WatchOpts{Clock: bubble{time.Now()}}, func(e presence.Event) {
				if e.Kind == presence.ReaderLost {
					close(lost)
				}
			})
		}()
		<-lost
		time.Sleep(time.Minute) // deep in the back-off
		start := time.Now()
		cancel()
		if err := <-done; err != nil || time.Since(start) > 60*time.Millisecond {
			t.Fatalf("ended with %v, %v after the context", err, time.Since(start))
		}
		// 76 polls until it is lost, then 0.1, 0.2, 0.4, 0.5, 0.5 ... s between tries.
		if s.scans < 180 || s.scans > 210 {
			t.Fatalf("%d tries in a minute", s.scans)
		}
	})
}

// bubble is the clock of testing/synctest.
type bubble struct{ start time.Time }

func (b bubble) Now() time.Duration    { return time.Since(b.start) }
func (b bubble) Sleep(d time.Duration) { time.Sleep(d) }

type deadScanner struct{ scans int }

func (*deadScanner) String() string { return "dead" }
func (*deadScanner) Halt() error    { return nil }
func (s *deadScanner) Scan(context.Context) ([]devices.Tag, error) {
	s.scans++
	return nil, errors.New("dead")
}

func TestWatchRefusesWrongOptions(t *testing.T) {
	for _, o := range []presence.WatchOpts{{Period: -1}, {Fold: presence.Opts{Misses: -1}}} {
		if err := presence.Watch(context.Background(), &deadScanner{}, &o, func(presence.Event) {}); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
}
