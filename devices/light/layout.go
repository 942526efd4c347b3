package light

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"majordome/devices"
)

// Segment is the LEDs of one part of the table by their numbers on the strip, the first of which is 0, in the order of the
// part: runs, gaps, runs that are wired backwards. Without any, that part of the table has no light.
type Segment []int

const maxSegment = 64

// MaxPixels is the longest strip.
const MaxPixels = 1024

// LEDs is the segment of count LEDs from first on.
func LEDs(first, count int) Segment {
	s := make(Segment, count)
	for i := range s {
		s[i] = first + i
	}
	return s
}

// Cut appends the pixels of the segment to dst, in the order of the part.
func (s Segment) Cut(dst, strip []devices.RGB) []devices.RGB {
	for _, i := range s {
		dst = append(dst, strip[i])
	}
	return dst
}

// ParseSegment reads LEDs and runs of them as an owner writes them: "0-7", "10-8" for a run that is wired
// backwards, "3, 5-6 9". It takes at most 64 LEDs and numbers below 10,000.
func ParseSegment(text string) (s Segment, ok bool) {
	words := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
	for _, w := range words {
		from, to, isRun := strings.Cut(w, "-")
		if !isRun {
			to = from
		}
		a, errA := strconv.ParseUint(from, 10, 16)
		b, errB := strconv.ParseUint(to, 10, 16)
		first, last := int(a), int(b)
		if errA != nil || errB != nil || max(first, last) >= 10_000 || len(s)+max(first-last, last-first) >= maxSegment {
			return nil, false
		}
		way := 1
		if last < first {
			way = -1
		}
		for i := first; i != last+way; i += way {
			s = append(s, i)
		}
	}
	return s, len(s) > 0
}

// String is the segment as ParseSegment reads it.
func (s Segment) String() string {
	var b strings.Builder
	for i := 0; i < len(s); {
		n, way := 1, 0
		for i+n < len(s) {
			if d := s[i+n] - s[i+n-1]; d != 1 && d != -1 || way != 0 && d != way {
				break
			} else {
				way = d
			}
			n++
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.Itoa(s[i]))
		if n > 1 {
			fmt.Fprintf(&b, "-%d", s[i+n-1])
		}
		i += n
	}
	return b.String()
}

// Layout says which LEDs belong to what.
type Layout struct {
	Clock  Segment
	Places []Segment // in the order of Cue.Places, at most MaxPlaces
	Urn    Segment
	Show   Segment
}

// Table is the wiring of a table that is not told otherwise: a clock of 8 LEDs, so many places of 3, at most
// MaxPlaces, then 3 at the urn and 3 at the table reader. With the 7 places
// of Huis Clos that is 35 on one strip, with the 10 of Cluedo 2008 it is 44.
func Table(places int) Layout {
	l := Layout{Clock: LEDs(0, 8)}
	for i := range places {
		l.Places = append(l.Places, LEDs(8+3*i, 3))
	}
	l.Urn = LEDs(8+3*places, 3)
	l.Show = LEDs(11+3*places, 3)
	return l
}

// The names of the parts that are no places.
const (
	PartClock = "clock"
	PartUrn   = "urn"
	PartShow  = "show"
)

// Part is a named segment: PartClock, PartUrn, PartShow, or the PlaceName of a place.
type Part struct {
	Name string
	Segment
}

// PlaceName is the name of the part of place i, which counts from 0.
func PlaceName(i int) string { return fmt.Sprintf("place-%d", i+1) }

// Parts lists the parts that have LEDs: the clock, the places, the urn, the show reader.
func (l *Layout) Parts() []Part {
	all := []Part{{PartClock, l.Clock}}
	for i, s := range l.Places {
		all = append(all, Part{PlaceName(i), s})
	}
	all = append(all, Part{PartUrn, l.Urn}, Part{PartShow, l.Show})
	lit := all[:0]
	for _, p := range all {
		if len(p.Segment) != 0 {
			lit = append(lit, p)
		}
	}
	return lit
}

// Len is the length of the shortest strip that has all LEDs of the layout.
func (l *Layout) Len() int {
	n := 0
	for _, p := range l.Parts() {
		for _, i := range p.Segment {
			n = max(n, i+1)
		}
	}
	return n
}

// Clash is a LED that two parts claim, or one twice.
type Clash struct {
	LED        int
	Part, With string
}

// Clashes lists the first clash of each part with those before it.
func Clashes(parts []Part) (all []Clash) {
	owner := make(map[int]string)
	for _, p := range parts {
		told := false
		for _, i := range p.Segment {
			if o, taken := owner[i]; taken && !told {
				all, told = append(all, Clash{i, p.Name, o}), true
			}
			owner[i] = p.Name
		}
	}
	return all
}

// Check reports everything that is wrong with the layout on a strip of n LEDs:
// segments that lie beyond the strip, are too long, or share a LED.
func (l *Layout) Check(n int) error {
	if len(l.Places) > MaxPlaces {
		return fmt.Errorf("light: a layout of %d places: at most %d", len(l.Places), MaxPlaces)
	}
	parts := l.Parts()
	if len(parts) == 0 {
		return errors.New("light: the layout gives no LED to anything")
	}
	var errs []error
	for _, p := range parts {
		if len(p.Segment) > maxSegment {
			errs = append(errs, fmt.Errorf("light: %s: %d LEDs: at most %d", p.Name, len(p.Segment), maxSegment))
			continue
		}
		for _, i := range p.Segment {
			if i < 0 || i >= n {
				errs = append(errs, fmt.Errorf("light: %s: LED %d, but the strip has %d, numbered from 0", p.Name, i, n))
				break
			}
		}
	}
	for _, c := range Clashes(parts) {
		errs = append(errs, fmt.Errorf("light: %s: LED %d belongs to %s already", c.Part, c.LED, c.With))
	}
	return errors.Join(errs...)
}
