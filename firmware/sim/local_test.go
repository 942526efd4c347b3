//go:build simavr

package sim

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/devices"
	"majordome/devices/mfrc522"
	"majordome/devices/mfrc522/mfrc522sim"
	"majordome/devices/node"
	"majordome/devices/presence"
)

// local is a reader at the table: the daemon's own driver, polled as a slot is, and the same fold behind it.
type local struct {
	sim  *mfrc522sim.Sim
	dev  *mfrc522.Dev
	fold *presence.Fold
	pile bool
	told []string
}

func newLocal(t *testing.T, pile bool) *local {
	t.Helper()
	l := &local{sim: mfrc522sim.New(nil), pile: pile}
	var err error
	if l.dev, err = mfrc522.New(l.sim.Port(), &mfrc522.Opts{Clock: l.sim.Clock()}); err != nil {
		t.Fatal(err)
	}
	l.fold, _ = presence.NewFold(nil)
	return l
}

func (l *local) run(d time.Duration) {
	clock := l.sim.Clock()
	for end := clock.Now() + d; clock.Now() < end; {
		next := clock.Now() + 2*time.Millisecond
		ctx := context.Background()
		if !l.pile {
			tags, err := l.dev.Scan(ctx)
			l.recordEvents(l.fold.ApplyScan(clock.Now(), tags, err))
		} else {
			tags, err := l.dev.ScanNew(ctx)
			l.recordEvents(l.fold.ApplyNewTags(clock.Now(), tags, err))
			if t, due := l.fold.TagToFind(clock.Now()); due && len(tags) == 0 && err == nil {
				there, anybody, err := l.dev.FindTag(ctx, t)
				l.recordEvents(l.fold.ApplyFindTag(clock.Now(), t, there, anybody, err))
			}
		}
		clock.Sleep(next - clock.Now())
	}
}

func (l *local) recordEvents(events []presence.Event) {
	for _, e := range events {
		l.told = append(l.told, formatEvent(e))
	}
}

// pair is one field, read by a local reader and by a reader of a node.
type pair struct {
	near *local
	far  *table
}

func newPair(t *testing.T, readers [4]node.Pin) *pair {
	t.Helper()
	p := &pair{newLocal(t, readers == [4]node.Pin{10}), newTable(t)} // a single one is in a slot
	p.far.waitAgreed()
	p.far.configure(func(c *node.Config) { c.Select = readers })
	return p
}

func (p *pair) run(d time.Duration) {
	p.near.run(d)
	p.far.run(d)
}

// TestANodeTellsWhatALocalReaderTells: both obey the same presence rules, so the same things in the field must lead to the same events. A
// step is a time in ms and what happens then: +A put, -A taken, noise (an unreadable card), quiet, spoilt (each hundredth bit), out, in.
func TestANodeTellsWhatALocalReaderTells(t *testing.T) {
	for _, c := range []struct{ name, steps, want string }{
		{"a card comes, lies and goes", "10 +A;1000 -A;1400", "+A -A"},
		{"lifted for a tenth of a second", "10 +A;300 -A;400 +A;800", "+A"},
		{"lifted for longer", "10 +A;300 -A;700 +A;1000", "+A -A +A"},
		{"two lie on one another, the upper one goes", "10 +A;300 +B;600 -B;1000", "+A +B -B"},
		{"one takes the place of another", "10 +A;300 -A +B;800", "+A +B -A"},
		{"something unreadable, twice", "10 noise;400 quiet;900 noise;1300 quiet;1500", "noise noise"},
		{"a card comes out of the noise", "10 noise;400 quiet +A;900", "noise +A"},
		{"a card that is badly coupled", "10 +A;300 spoilt;2000 quiet;2200 -A;2600", "+A -A"},
		{"it goes while the air is bad", "10 +A;300 spoilt;800 -A;1500 quiet;2000", "+A -A"},
		{"the reader is lost with its card", "10 +A;300 out;1000 in;2000", "+A lost back"},
		{"the card goes while the reader is lost", "10 +A;300 out;700 -A;1000 in;2000", "+A lost back -A"},
		{"another comes meanwhile", "10 +A;300 out;700 -A +B;1000 in;2000", "+A lost back +B -A"},
		{"lost for no more than a moment", "10 +A;300 out;360 in;1200", "+A"},
	} {
		for name, readers := range map[string][4]node.Pin{"alone": {10}, "with three others": {10, 9, 8, 7}} {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				newPair(t, readers).play(t, c.steps, letters.Replace(c.want))
			})
		}
	}
}

func (p *pair) play(t *testing.T, steps, want string) {
	t.Helper()
	now := time.Duration(0)
	for step := range strings.SplitSeq(steps, ";") {
		words := strings.Fields(step)
		at, err := time.ParseDuration(words[0] + "ms")
		if err != nil {
			t.Fatal(err)
		}
		p.run(at - now)
		now = at
		for _, what := range words[1:] {
			happens(t, p.near.sim, what)
			happens(t, p.far.board.Readers[0], what)
		}
	}
	if strings.Contains(steps, "spoilt") { // random damage leads to different events
		not := func(e string) bool { return e == "noise" }
		p.near.told, p.far.events[0] = slices.DeleteFunc(p.near.told, not), slices.DeleteFunc(p.far.events[0], not)
	}
	if got := strings.Join(p.near.told, " "); got != want {
		t.Errorf("the local reader tells %q, want %q", got, want)
	}
	if got := p.far.takeEvents(0); got != want {
		t.Errorf("the node tells %q, want %q", got, want)
	}
}

// letters are the cards of happens.
var letters = strings.NewReplacer("A", "04010203040541", "B", "04010203040542")

var unreadable, _ = devices.ParseUID("04FFFFFFFFFFFF")

func happens(t *testing.T, s *mfrc522sim.Sim, what string) {
	t.Helper()
	switch what {
	case "noise":
		if err := s.PlaceTags(mfrc522sim.Tag{UID: unreadable, Fault: mfrc522sim.Unreadable}); err != nil {
			t.Fatal(err)
		}
	case "spoilt":
		s.SetNoise(mfrc522sim.Noise{BitErrors: 0.01})
	case "quiet":
		s.SetNoise(mfrc522sim.Noise{})
		s.RemoveTag(unreadable)
	case "out":
		s.Unplug(0)
	case "in":
		s.Plug()
	default:
		uid, err := devices.ParseUID(letters.Replace(what[1:]))
		if err != nil {
			t.Fatal(err)
		}
		if what[0] == '-' {
			s.RemoveTag(uid)
		} else if err := s.PlaceTag(uid, 0); err != nil {
			t.Fatal(err)
		}
	}
}
