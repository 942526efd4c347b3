package presence

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"majordome/devices"
)

// pile is a fold over a field that answers truthfully, polled every 2 ms.
type pile struct {
	f      *Fold
	at     time.Duration
	here   map[devices.UID]devices.Tag
	fresh  []devices.Tag
	err    error
	deaf   func(devices.Tag) bool // tags that miss both tries
	asked  map[devices.UID]time.Duration
	worst  time.Duration // between two questions for one tag
	events []string
}

func newPile() *pile {
	f, _ := NewFold(nil)
	return &pile{f: f, here: map[devices.UID]devices.Tag{}, asked: map[devices.UID]time.Duration{},
		deaf: func(devices.Tag) bool { return false }}
}

func (p *pile) addTag(n int) {
	t := tag(byte(n))
	p.here[t.UID] = t
	p.fresh = append(p.fresh, t)
}

func (p *pile) recordEvents(events []Event) {
	for _, e := range events {
		p.events = append(p.events, fmt.Sprintf("%d %s %d", e.At.Milliseconds(), e.Kind, e.Tag.UID.Bytes()[6]))
	}
}

func (p *pile) run(d time.Duration) {
	for end := p.at + d; p.at < end; p.at += 2 * ms {
		fresh := p.fresh
		p.fresh = nil
		p.recordEvents(p.f.ApplyNewTags(p.at, fresh, p.err))
		if t, ok := p.f.TagToFind(p.at); ok && len(fresh) == 0 && p.err == nil {
			_, there := p.here[t.UID]
			if last, ok := p.asked[t.UID]; ok && there {
				p.worst = max(p.worst, p.at-last)
			}
			p.asked[t.UID] = p.at
			p.recordEvents(p.f.ApplyFindTag(p.at, t, there && !p.deaf(t), len(p.here) > 0, nil))
		}
	}
}

func (p *pile) want(t *testing.T, want ...string) {
	t.Helper()
	if got := strings.Join(p.events, ", "); got != strings.Join(want, ", ") {
		t.Errorf("got %s\nwant %s", got, strings.Join(want, ", "))
	}
	p.events = nil
}

func TestACardThatFellIsGoneSoon(t *testing.T) {
	p := newPile()
	p.run(200 * ms)
	p.addTag(1)
	p.run(20 * ms)
	clear(p.here)
	p.run(time.Second)
	// The tag is asked for after 100 ms, then every 20 ms until it has been missing for 150.
	p.want(t, "200 arrived 1", "460 left 1")
}

func TestAPileIsVerifiedAndStays(t *testing.T) {
	for _, c := range []struct {
		lying int
		worst time.Duration
	}{{1, 100 * ms}, {8, 100 * ms}, {24, 100 * ms}, {38, 154 * ms}, {64, 260 * ms}} {
		p := newPile()
		for i := range c.lying {
			p.addTag(i)
		}
		p.run(time.Minute)
		if len(p.events) != c.lying || p.worst > c.worst {
			t.Errorf("%d lie there: %d events, each asked for every %v at worst, want %v", c.lying, len(p.events), p.worst, c.worst)
		}
	}
}

func TestAPileThatIsLifted(t *testing.T) {
	p := newPile()
	for i := range 38 {
		p.addTag(i)
	}
	p.run(time.Second)
	p.events = nil
	clear(p.here)
	p.run(600 * ms)
	if len(p.events) != 38 {
		t.Errorf("0.6 s after a pile of 38 was lifted: %d have left", len(p.events))
	}
}

// When one tag of a pile is taken, the others stay, and it has left within half a second.
func TestOneOfAPileIsTaken(t *testing.T) {
	p := newPile()
	for i := range 38 {
		p.addTag(i)
	}
	p.run(time.Second)
	p.events = nil
	delete(p.here, tag(7).UID)
	p.run(500 * ms)
	if len(p.events) != 1 || !strings.HasSuffix(p.events[0], "left 7") {
		t.Errorf("got %v", p.events)
	}
}

// A tag that lost its power for a moment is named again; that is no arrival.
func TestATagThatComesBackIsHere(t *testing.T) {
	p := newPile()
	p.addTag(1)
	p.run(time.Second)
	p.addTag(1)
	p.run(time.Second)
	p.want(t, "0 arrived 1")
}

// Seven missed answers in a row and then an answer are no departure.
func TestATagThatIsHardToHear(t *testing.T) {
	p := newPile()
	p.addTag(1)
	n := 0
	p.deaf = func(devices.Tag) bool { n++; return n%8 != 0 }
	p.run(time.Minute)
	p.want(t, "0 arrived 1")
}

// Noise when a tag is asked for proves nothing.
func TestANoisyAnswerIsNone(t *testing.T) {
	f, _ := NewFold(nil)
	f.ApplyNewTags(0, []devices.Tag{tagA}, nil)
	for at := 100 * ms; at < time.Minute; at += 100 * ms {
		if e := f.ApplyFindTag(at, tagA, false, true, devices.ErrNoise); len(e) > 0 {
			t.Fatalf("at %v: %v", at, e)
		}
	}
}

// When a pile exceeds the limit, the tag that has been missing longest makes room, and its departure is reported.
func TestTheLongestMissingGoesFirst(t *testing.T) {
	p := newPile()
	for i := range maxTags {
		p.addTag(i)
	}
	p.run(500 * ms)
	p.events = nil
	delete(p.here, tag(5).UID)
	p.run(280 * ms) // every tag in the slot has answered since
	p.addTag(200)
	p.run(2 * ms)
	p.want(t, "780 left 5", "780 arrived 200")
	p.addTag(201) // all of them are in the slot
	p.run(2 * ms)
	if len(p.events) != 2 || !strings.HasSuffix(p.events[1], "arrived 201") {
		t.Errorf("got %v", p.events)
	}
}

// Tags that are in the slot when the daemon starts are reported as found, however long naming them takes. A tag that falls later has
// arrived.
func TestFoundInAPile(t *testing.T) {
	f, _ := NewFold(nil)
	step := func(at time.Duration, tags ...devices.Tag) (found []bool) {
		for _, e := range f.ApplyNewTags(at, tags, nil) {
			if e.Kind == Arrived {
				found = append(found, e.FoundAtStart)
			}
		}
		return found
	}
	for i := range 10 { // 400 ms of naming
		if got := step(time.Duration(i)*40*ms, tag(byte(i))); len(got) != 1 || !got[0] {
			t.Fatalf("card %d: found %v", i, got)
		}
	}
	step(410 * ms)
	if got := step(420*ms, tag(100)); len(got) != 1 || got[0] {
		t.Fatalf("the next: found %v", got)
	}
}
