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

// TestStrays plays snapshots 50 ms apart, as TestFoldTurnsSnapshotsIntoEvents does, with a phone (p, and q after it has
// drawn another number).
func TestStrays(t *testing.T) {
	for _, c := range []struct{ name, play, want string }{
		{"each number of a phone is told", "p*9 q*9 p . q . . p p pq", "0 stray, 9 stray, 18 stray, 20 stray, 23 stray"},
		{"but no more than eight", "p q p q p q p q p q .*9 p",
			"0 stray, 1 stray, 2 stray, 3 stray, 4 stray, 5 stray, 6 stray, 7 stray, 19 stray"},
		{"one that comes again is told again", "p .*4 p .*9", "0 stray, 5 stray"},
		{"the card beside it is alone", "p pA*9 p*9", "0 stray, 1 arrived A, 13 left A"},
		{"so is the card that it comes to", "A Ap Aq A*9", "0 arrived A, 1 stray, 2 stray"},
		{"it keeps no card from leaving", "Ap p*9", "0 arrived A, 0 stray, 4 left A"},
		{"the edge of the field before it is no noise", "~ ~ p*9", "2 stray"},
		{"nor is its bad coupling", "p ~*50", "0 stray"},
		{"nor beside a card", "Ap A~*50", "0 arrived A, 0 stray"},
		{"what cannot be read beside it is", "p p~*9", "0 stray, 4 noise began"},
		{"and so is what comes when it has gone", "p .*9 ~*9", "0 stray, 13 noise began"},
		{"failure proves nothing", "p x*9 p", "0 stray, 4 reader lost, 10 reader back"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := NewFold(&Opts{Strays: true})
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
						if e.OthersPresent != 0 {
							t.Errorf("%d: beside %d", at, e.OthersPresent)
						}
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

// unfitTags lists numbers that cannot name a card: other ones of a phone, and one of each other kind.
func unfitTags(t *testing.T) (all []devices.Tag) {
	for i := range 200 {
		all = append(all, random4(0x08, byte(i)))
	}
	for _, hex := range []string{"88041122", "00000000", "FFFFFFFFFFFFFF", "01020304", "DEADBEEF"} {
		u, err := devices.ParseUID(hex)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, devices.Tag{UID: u})
	}
	return all
}

// TestStraysChangeNothingElse plays random snapshots twice, with strays at random places and without: all events of cards and of the reader
// are the same. Noise is left out, because a stray that explains noise is the one difference.
func TestStraysChangeNothingElse(t *testing.T) {
	rng := randtest.NewRand(t)
	strays := unfitTags(t)
	for _, pile := range []bool{false, true} {
		with, _ := NewFold(&Opts{Strays: true})
		without, _ := NewFold(&Opts{Strays: true})
		step := (*Fold).ApplyScan
		if pile {
			step = (*Fold).ApplyNewTags
		}
		came, at, word := 0, time.Duration(0), "."
		for range 50_000 {
			at += time.Duration(rng.IntN(60)) * ms
			if rng.IntN(4) == 0 {
				word = []string{".", ".", "A", "B", "AB", "x", "!"}[rng.IntN(7)]
			}
			tags, err := snapshot(word)
			crowd := slices.Clone(tags)
			for range rng.IntN(5) {
				if err == nil || errors.Is(err, devices.ErrNoise) {
					crowd = slices.Insert(crowd, rng.IntN(len(crowd)+1), strays[rng.IntN(len(strays))])
				}
			}
			got := slices.Clone(step(with, at, crowd, err))
			want := slices.Clone(step(without, at, tags, err))
			got = append(got, verifiedAlike(t, with, without, at, word, &want)...)
			got = slices.DeleteFunc(got, func(e Event) bool {
				if e.Kind == Stray {
					came++
				}
				return e.Kind == Stray
			})
			if !slices.Equal(got, want) {
				t.Fatalf("at %v, %q: with strays %v, without %v", at, word, got, want)
			}
		}
		if came == 0 {
			t.Error("no stray came")
		}
	}
}

// verifiedAlike asks both folds for the tag that they want to verify, if any, and returns the events of the first; those of the second are
// added to want.
func verifiedAlike(t *testing.T, with, without *Fold, at time.Duration, word string, want *[]Event) []Event {
	tag, due := with.TagToFind(at)
	if other, also := without.TagToFind(at); tag != other || due != also {
		t.Fatalf("at %v: %v and %v are due", at, tag, other)
	}
	if !due {
		return nil
	}
	there := strings.Contains(word, strings.TrimPrefix(formatEvent(Event{Kind: Left, Tag: tag}), "left "))
	got := slices.Clone(with.ApplyFindTag(at, tag, there, true, nil))
	*want = append(*want, without.ApplyFindTag(at, tag, there, true, nil)...)
	return got
}

// TestAFloodOfStraysTakesNoPlace: an emulator with a new number at each poll displaces no card, and is reported eight times.
func TestAFloodOfStraysTakesNoPlace(t *testing.T) {
	p := newPile()
	p.f, _ = NewFold(&Opts{Strays: true})
	p.addTag(1)
	p.run(10 * ms)
	var told []Event
	for i := range 5_000 {
		told = append(told, p.f.ApplyNewTags(p.at, []devices.Tag{random4(0x08, byte(i)), random4(0x08, byte(i>>8))}, nil)...)
		if tag, due := p.f.TagToFind(p.at); due {
			told = append(told, p.f.ApplyFindTag(p.at, tag, true, true, nil)...)
		}
		p.at += 2 * ms
	}
	if len(told) != maxStrayNumbers || told[0].Kind != Stray || p.f.nPresent != 1 {
		t.Errorf("%v, and %d tags are present", told, p.f.nPresent)
	}
}
