package lineread

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/devices"
	"majordome/devices/presence"
)

// line is something printed, at a time in milliseconds; PLUG is the plug put in again.
type line struct {
	ms   int
	text string
}

// story plays lines and returns the events that the presence fold makes of them, polled every 10 ms.
func story(t *testing.T, end int, lines ...line) string {
	t.Helper()
	return storyOf(t, nil, end, lines...)
}

// storyOf is story for a fold with its own options.
func storyOf(t *testing.T, opts *presence.Opts, end int, lines ...line) string {
	t.Helper()
	f := field{silence: time.Second, pulse: 500 * time.Millisecond}
	fold, err := presence.NewFold(opts)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(lines, func(a, b line) int { return a.ms - b.ms })
	var all []string
	for ms := 0; ms <= end; ms += 10 {
		now := time.Duration(ms) * time.Millisecond
		for len(lines) > 0 && lines[0].ms <= ms {
			if lines[0].text == "PLUG" {
				f.noteReaderRestart(now)
			} else if !f.applyUnlessPending(now, parseLine([]byte(lines[0].text))) {
				break
			}
			lines = lines[1:]
		}
		var tags []devices.Tag
		if tag, ok := f.nextSnapshot(now); ok {
			tags = append(tags, tag)
		}
		for _, e := range fold.ApplyScan(now, tags, nil) {
			all = append(all, fmt.Sprintf("%d %s %s", ms, e.Kind, e.Tag.UID))
		}
	}
	return strings.Join(all, ", ")
}

// repeatLine repeats a line from one time to another.
func repeatLine(from, to, step int, text string) (all []line) {
	for ms := from; ms <= to; ms += step {
		all = append(all, line{ms, text})
	}
	return all
}

// The fold asks for three clean polls that span 150 ms: a tag leaves 150 ms
// after the first poll without it.
func TestHowATagComesAndGoes(t *testing.T) {
	const a, b = "SCAN\tuid=AAAAAAAA", "SCAN\tuid=BBBBBBBB"
	for _, c := range []struct {
		name  string
		end   int
		lines []line
		want  string
	}{
		{"said once, removed", 20000,
			[]line{{0, "REMOVE"}, {100, a}, {15000, "REMOVE"}},
			"100 arrived AAAAAAAA, 15150 left AAAAAAAA"},
		{"said again while it lies there", 20000,
			[]line{{0, "REMOVE"}, {100, a}, {5000, a}, {10000, a}, {15000, "REMOVE\tuid=AAAAAAAA"}},
			"100 arrived AAAAAAAA, 15150 left AAAAAAAA"},
		{"another one removed", 20000,
			[]line{{0, "REMOVE"}, {100, a}, {5000, "REMOVE\tuid=BBBBBBBB"}},
			"100 arrived AAAAAAAA"},
		{"another takes its place", 20000,
			[]line{{0, "REMOVE"}, {100, a}, {5000, b}, {6000, "REMOVE\tuid=AAAAAAAA"}},
			"100 arrived AAAAAAAA, 5000 arrived BBBBBBBB, 5150 left AAAAAAAA"},
		{"the same twice", 20000,
			[]line{{0, "REMOVE"}, {100, a}, {1000, "REMOVE"}, {2000, a}},
			"100 arrived AAAAAAAA, 1150 left AAAAAAAA, 2000 arrived AAAAAAAA"},
		{"missed for one poll", 20000,
			[]line{{0, "REMOVE"}, {100, a}, {1000, "REMOVE"}, {1100, a}},
			"100 arrived AAAAAAAA"},
		{"fallen by between two polls", 20000,
			[]line{{0, "REMOVE"}, {101, a}, {102, "REMOVE"}, {103, b}, {104, "REMOVE"}},
			"110 arrived AAAAAAAA, 120 arrived BBBBBBBB, 270 left AAAAAAAA, 280 left BBBBBBBB"},
		{"repeated, then silence", 20000,
			repeatLine(100, 5000, 250, a),
			"100 arrived AAAAAAAA, 6000 left AAAAAAAA"},
		{"two that are repeated by turns", 2000,
			append(repeatLine(100, 160, 20, a), repeatLine(110, 2000, 20, b)...),
			"100 arrived AAAAAAAA, 110 arrived BBBBBBBB, 320 left AAAAAAAA"},
		{"said once by a reader that never removed, then it does", 5000,
			[]line{{100, a}, {900, "REMOVE"}, {2000, a}},
			"100 arrived AAAAAAAA, 1050 left AAAAAAAA, 2000 arrived AAAAAAAA"},
		{"arrivals only", 5000,
			[]line{{100, a + "\tremovable=no"}, {2000, a + "\tremovable=no"}},
			"100 arrived AAAAAAAA, 750 left AAAAAAAA, 2000 arrived AAAAAAAA, 2650 left AAAAAAAA"},
		{"arrivals only, repeated", 5000,
			repeatLine(100, 2000, 400, a+"\tremovable=no"),
			"100 arrived AAAAAAAA, 2350 left AAAAAAAA"},
		{"arrivals only, by a reader that has removed", 5000,
			[]line{{0, "REMOVE"}, {100, a + "\tremovable=no"}},
			"100 arrived AAAAAAAA, 750 left AAAAAAAA"},
		{"replugged with the card on it, said again", 20000,
			[]line{{0, "REMOVE"}, {100, a}, {5000, "PLUG"}, {7000, a}},
			"100 arrived AAAAAAAA"},
		{"replugged, and the card was taken meanwhile", 20000,
			[]line{{0, "REMOVE"}, {100, a}, {5000, "PLUG"}, {7000, "REMOVE"}},
			"100 arrived AAAAAAAA, 7150 left AAAAAAAA"},
		{"a repeating reader replugged with the card on it", 9000,
			append(repeatLine(100, 5000, 250, a), append([]line{{5500, "PLUG"}}, repeatLine(7500, 9000, 250, a)...)...),
			"100 arrived AAAAAAAA"},
		{"a repeating reader replugged without it", 20000,
			append(repeatLine(100, 5000, 250, a), line{5500, "PLUG"}),
			"100 arrived AAAAAAAA, 9650 left AAAAAAAA"},
		{"a pulse before the plug was pulled", 20000,
			[]line{{100, a + "\tremovable=no"}, {200, "PLUG"}},
			"100 arrived AAAAAAAA, 750 left AAAAAAAA"},
	} {
		if got := story(t, c.end, c.lines...); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestAPhoneAtTheReader: a phone or a bank card, with another number each time it wakes, takes no card away.
func TestAPhoneAtTheReader(t *testing.T) {
	const a, b, phone, again = "SCAN\tuid=A0B0C0D0", "SCAN\tuid=B1C1D1E1", "SCAN\tuid=08A1B2C3", "SCAN\tuid=08D4E5F6"
	for _, c := range []struct {
		name  string
		end   int
		lines []line
		want  string
	}{
		{"beside a card that is said again", 20000,
			[]line{{0, "REMOVE"}, {100, a}, {2000, phone}, {2600, a}, {3300, again}, {4000, a}, {9000, "REMOVE"}},
			"100 arrived A0B0C0D0, 2000 stray 08A1B2C3, 3300 stray 08D4E5F6, 9150 left A0B0C0D0"},
		{"in the place of a card", 20000,
			[]line{{0, "REMOVE"}, {100, a}, {2000, phone}, {9000, a}, {9500, "REMOVE"}},
			"100 arrived A0B0C0D0, 2000 stray 08A1B2C3, 3000 stray 08A1B2C3, 3150 left A0B0C0D0, 9000 arrived A0B0C0D0, 9650 left " +
				"A0B0C0D0"},
		{"before a card that is said once", 20000,
			[]line{{0, "REMOVE"}, {100, phone}, {5000, a}, {9500, "REMOVE\tuid=08A1B2C3"}},
			"100 stray 08A1B2C3, 5000 arrived A0B0C0D0"},
		{"by turns with a card, at a repeating reader", 6000,
			append(repeatLine(100, 5000, 700, a), repeatLine(300, 5000, 700, phone)...),
			"100 arrived A0B0C0D0, 300 stray 08A1B2C3, 1000 stray 08A1B2C3, 1700 stray 08A1B2C3, 2400 stray 08A1B2C3, 3100 stray " +
				"08A1B2C3, 3800 stray 08A1B2C3, 4500 stray 08A1B2C3"},
		{"after a card, at a repeating reader", 6000,
			append(repeatLine(100, 600, 250, a), repeatLine(700, 6000, 250, phone)...),
			"100 arrived A0B0C0D0, 700 stray 08A1B2C3, 950 stray 08A1B2C3, 1200 stray 08A1B2C3, 1450 stray 08A1B2C3, 1750 left A0B0C0D0"},
		{"between two cards, arrivals only", 5000,
			[]line{{100, a + "\tremovable=no"}, {200, phone + "\tremovable=no"}, {300, b + "\tremovable=no"}},
			"100 arrived A0B0C0D0, 200 stray 08A1B2C3, 300 arrived B1C1D1E1, 450 left A0B0C0D0, 950 left B1C1D1E1"},
		{"beside two cards that fall by", 2000,
			[]line{{0, "REMOVE"}, {101, phone}, {102, a}, {103, again}, {104, b}, {105, "REMOVE"}},
			"110 arrived A0B0C0D0, 120 stray 08A1B2C3, 130 arrived B1C1D1E1, 140 stray 08D4E5F6, 270 left A0B0C0D0, 290 left B1C1D1E1"},
	} {
		if got := storyOf(t, &presence.Opts{Strays: true}, c.end, c.lines...); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}
