package presence

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"majordome/devices"
	"majordome/devices/randtest"
)

const ms = time.Millisecond

func tag(b byte) devices.Tag {
	u, err := devices.MakeUID([]byte{0x04, 0, 0, 0, 0, 0, b})
	if err != nil {
		panic(err)
	}
	return devices.Tag{UID: u}
}

var (
	tagA, tagB = tag(0xA), tag(0xB)
	phone      = random4(0x08, 1) // at one of its wakings, and
	phoneAgain = random4(0x08, 2) // at another
	errGone    = errors.New("the reader is gone")
)

// random4 is a tag with a number of 4 bytes. One that begins with 08 is a random number of a phone.
func random4(first, last byte) devices.Tag {
	u, err := devices.MakeUID([]byte{first, 0x5A, 0xC3, last})
	if err != nil {
		panic(err)
	}
	return devices.Tag{UID: u}
}

// snapshot writes a snapshot as a word: "A", "AB", "p" and "q" a phone by two of its numbers, "." silence, "~" noise,
// "A~", "!" a spark, "x" failure.
func snapshot(word string) (tags []devices.Tag, err error) {
	for _, c := range word {
		switch c {
		case 'A':
			tags = append(tags, tagA)
		case 'B':
			tags = append(tags, tagB)
		case 'p':
			tags = append(tags, phone)
		case 'q':
			tags = append(tags, phoneAgain)
		case '~':
			err = devices.ErrNoise
		case '!':
			err = devices.ErrSpark
		case 'x':
			err = errGone
		}
	}
	return tags, err
}

func formatEvent(e Event) string {
	if e.Kind == Arrived || e.Kind == Left {
		return fmt.Sprintf("%s %c", e.Kind, "?ABCDEF"[e.Tag.UID.Bytes()[6]-9])
	}
	return e.Kind.String()
}

// TestFoldTurnsSnapshotsIntoEvents plays snapshots 50 ms apart (word*n repeats one) and compares the events, each with
// the number of its snapshot.
func TestFoldTurnsSnapshotsIntoEvents(t *testing.T) {
	for _, c := range []struct{ name, play, want string }{
		{"an empty field says nothing", ".*9", ""},
		{"a tag arrives once", "A*9", "0 arrived A"},
		{"it leaves after three misses that span 150 ms", "A . . . . .", "0 arrived A, 4 left A"},
		{"two misses are no absence", "A . . A . . A", "0 arrived A"},
		{"noise is no absence", "A ~*50", "0 arrived A"},
		{"departures go on under noise", "A . . . ~ . . . .", "0 arrived A, 6 left A"},
		{"and under sparks", "A ! . . ! . . . .", "0 arrived A, 6 left A"},
		{"but not where it is dense", "A . ~ ~ . ~ ~ . ~ ~ . ~ ~ .*8 .*6", "0 arrived A, 25 left A"},
		{"sparks are no card, however many", "!*50", ""},
		{"noise that comes and goes is none", "~ . . . ~ . . . ~ . . . ~ .*9", ""},
		{"nearly always is as good as always", "~ . ~ . ~ .*9", "4 noise began"},
		{"failure is no absence", "A x x A", "0 arrived A"},
		{"failure breaks a run of misses", "A . . . x . . . .", "0 arrived A, 8 left A"},
		{"a new swipe needs a clean absence first", "A . A . A .*4 A", "0 arrived A, 8 left A, 9 arrived A"},
		{"two tags, each for itself", "A AB B B B B .*4", "0 arrived A, 1 arrived B, 5 left A, 9 left B"},
		{"a lone spark is nothing", "~ .*9", ""},
		{"lasting noise is said once", "~*20", "3 noise began"},
		{"an unreadable card that passed is said when it is over", "~ ~ .*9", "3 noise began"},
		{"and again for the next one", "~ ~ .*9 ~ ~ .*9", "3 noise began, 14 noise began"},
		{"the edge of the field before a good read is not noise", "~ ~ A*9", "2 arrived A"},
		{"a present tag that reads badly is not noise", "A ~*9 A", "0 arrived A"},
		{"an unreadable card beside a good one is noise", "A A~*9", "0 arrived A, 4 noise began"},
		{"and in half of the scans, too", "A A~ A A~ A A~ A A~ A A~ A A~ A A~ A A~", "0 arrived A, 13 noise began"},
		{"two noisy scans of a tag are its own bit errors", "A A~ A~ A*9 A~ ~ A~ A*9", "0 arrived A"},
		{"noise beside a tag that is missing from it is that tag", "AB A~*9 AB", "0 arrived A, 0 arrived B"},
		{"a reader that fails is lost once", "x*9", "3 reader lost"},
		{"two failures are not lost", "x x . x x .", ""},
		{"it comes back, the tag still there", "A x*5 A", "0 arrived A, 4 reader lost, 6 reader back"},
		{"it comes back without the tag", "A x*5 .*4", "0 arrived A, 4 reader lost, 6 reader back, 9 left A"},
		{"it comes back with another tag", "A x*5 B", "0 arrived A, 4 reader lost, 6 reader back, 6 arrived B"},
		{"noise brings it back too", "x*4 ~", "3 reader lost, 4 reader back"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := NewFold(nil)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			at := 0
			for _, word := range strings.Fields(c.play) {
				word, times, _ := strings.Cut(word, "*")
				n, _ := strconv.Atoi(times)
				for range max(n, 1) {
					tags, err := snapshot(word)
					for _, e := range f.ApplyScan(time.Duration(at)*50*ms, tags, err) {
						got = append(got, fmt.Sprintf("%d %s", at, formatEvent(e)))
					}
					at++
				}
			}
			if s := strings.Join(got, ", "); s != c.want {
				t.Errorf("%s\n got %s\nwant %s", c.play, s, c.want)
			}
		})
	}
}

// A tag that is reported before the reader has worked for as long as an absence takes counts as found: it may have been there already.
func TestTagOfTheFirstSnapshotsCountsAsFound(t *testing.T) {
	for play, want := range map[string]string{
		"A": "A", ". A": "A", "~ A": "A", ". . . A": "", // 50 ms apart
		"x*9 A": "A", "x*9 . A": "A", "x*9 . . . B": "",
		". . . . x*9 A": "", // it is back: that is no start
		"A .*9 A":       "A",
	} {
		f, _ := NewFold(nil)
		got, at := "", time.Duration(0)
		for _, word := range strings.Fields(play) {
			word, times, _ := strings.Cut(word, "*")
			n, _ := strconv.Atoi(times)
			for range max(n, 1) {
				tags, err := snapshot(word)
				for _, e := range f.ApplyScan(at, tags, err) {
					if e.FoundAtStart {
						got += strings.TrimPrefix(formatEvent(e), "arrived ")
					}
				}
				at += 50 * ms
			}
		}
		if got != want {
			t.Errorf("%s: found %q, want %q", play, got, want)
		}
	}
}

func TestFastPollsStillWaitTheWholeAbsence(t *testing.T) {
	f, _ := NewFold(nil)
	f.ApplyScan(0, []devices.Tag{tagA}, nil)
	for at := 2 * ms; ; at += 2 * ms {
		if e := f.ApplyScan(at, nil, nil); len(e) > 0 {
			if at != 152*ms || e[0].Kind != Left || e[0].Stay != 0 || e[0].At != at {
				t.Fatalf("after 150 ms of silence from 2 ms on: %+v", e)
			}
			return
		}
	}
}

func TestATagLeftLyingForAnHourArrivesOnce(t *testing.T) {
	f, _ := NewFold(nil)
	events := 0
	for at := time.Duration(0); at < time.Hour; at += 2 * ms {
		err := error(nil)
		tags := []devices.Tag{tagA}
		switch (at / (2 * ms)) % 500 { // now and then a bad poll and a missed one
		case 100, 101:
			tags, err = nil, devices.ErrNoise
		case 200, 201, 202, 203:
			tags = nil
		}
		events += len(f.ApplyScan(at, tags, err))
	}
	if events != 1 {
		t.Fatalf("%d events in an hour, want one arrival", events)
	}
	if f.nPresent != 1 || f.present[0].tag != tagA {
		t.Fatalf("present: %v", f.present[:f.nPresent])
	}
}

// TestFoldKeepsItsInvariants plays random snapshots and checks the list above the type.
func TestFoldKeepsItsInvariants(t *testing.T) {
	rng := randtest.NewRand(t)
	f, _ := NewFold(nil)
	here := map[devices.UID]bool{}
	cleanMisses := map[devices.UID]time.Duration{} // since when, absent if not missed
	lost := false
	var at time.Duration
	word := "."
	for range 200_000 {
		at += time.Duration(rng.IntN(60)) * ms
		if rng.IntN(4) == 0 {
			word = []string{".", ".", ".", "A", "B", "AB", "~", "A~", "x", "!"}[rng.IntN(10)]
		}
		tags, err := snapshot(word)
		for u := range here {
			switch _, missed := cleanMisses[u]; {
			case err == errGone || slices.ContainsFunc(tags, func(t devices.Tag) bool { return t.UID == u }):
				delete(cleanMisses, u)
			case !missed && err == nil:
				cleanMisses[u] = at
			}
		}
		for _, e := range f.ApplyScan(at, tags, err) {
			switch e.Kind {
			case Arrived:
				if here[e.Tag.UID] || lost {
					t.Fatalf("at %v: arrived twice, or while lost", at)
				}
				here[e.Tag.UID] = true
			case Left:
				since, missed := cleanMisses[e.Tag.UID]
				if !here[e.Tag.UID] || !missed || at-since < 150*ms || lost {
					t.Fatalf("at %v: left without a clean absence", at)
				}
				delete(here, e.Tag.UID)
				delete(cleanMisses, e.Tag.UID)
			case ReaderLost, ReaderBack:
				if lost == (e.Kind == ReaderLost) {
					t.Fatalf("at %v: %v twice", at, e.Kind)
				}
				lost = !lost
			}
		}
	}
}

func TestOptsRefuseNegatives(t *testing.T) {
	for _, o := range []Opts{{Misses: -1}, {Absence: -1}, {NoisyScans: -1}, {Failures: -1}} {
		if _, err := NewFold(&o); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
}

func TestAStepDoesNotAllocate(t *testing.T) {
	f, _ := NewFold(nil)
	tags := []devices.Tag{tagA, tagB}
	at := time.Duration(0)
	if n := testing.AllocsPerRun(100, func() {
		at += ms
		f.ApplyScan(at, tags, nil)
		f.ApplyNewTags(at, nil, devices.ErrSpark)
		t, _ := f.TagToFind(at)
		f.ApplyFindTag(at, t, true, true, nil)
	}); n != 0 {
		t.Fatalf("%v allocations", n)
	}
}
