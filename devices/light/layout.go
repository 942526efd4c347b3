package light

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"majordome/devices"
)

// Segment lists the LEDs of one part of the table in the order of the part. They are numbered along the strip
// from 0, and may form several runs, with gaps, or wired backwards. A part without LEDs has no light.
type Segment []int

const maxSegment = 64

// MaxPixels is the longest strip.
const MaxPixels = 1024

// NewSegment returns the segment of count LEDs from number first on.
func NewSegment(first, count int) Segment {
	s := make(Segment, count)
	for i := range s {
		s[i] = first + i
	}
	return s
}

// AppendPixels appends the pixels of the segment to dst, in the order of the part.
func (s Segment) AppendPixels(dst, strip []devices.RGB) []devices.RGB {
	for _, i := range s {
		dst = append(dst, strip[i])
	}
	return dst
}

// ParseSegment parses LEDs and runs as an owner writes them: "0-7", "10-8" for a run that is wired backwards,
// "3, 5-6 9". It accepts at most 64 LEDs and numbers below 10,000.
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

// String returns the segment in the form that ParseSegment reads.
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

// Layout assigns the LEDs of a strip to the parts of the table.
type Layout struct {
	Clock  Segment
	Places []Segment // in the order of Cue.Places, at most MaxPlaces
	Urn    Segment
	Show   Segment
}

// DefaultLayout returns the wiring of a table without its own configuration: a clock of 8 LEDs, then 3 for each
// of the places (at most MaxPlaces), 3 at the urn and 3 at the table reader. With the 7 places of Huis Clos
// that is 35 LEDs on one strip, with the 10 of Cluedo 2008 it is 44.
func DefaultLayout(places int) Layout {
	l := Layout{Clock: NewSegment(0, 8)}
	for i := range places {
		l.Places = append(l.Places, NewSegment(8+3*i, 3))
	}
	l.Urn = NewSegment(8+3*places, 3)
	l.Show = NewSegment(11+3*places, 3)
	return l
}

// Names of the parts that are no places.
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

// PlaceName returns the name of the part of place i, counted from 0.
func PlaceName(i int) string { return fmt.Sprintf("place-%d", i+1) }

// PartsWithLEDs lists the parts that have LEDs: the clock, the places, the urn, the table reader.
func (l *Layout) PartsWithLEDs() []Part {
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

// MinStripLen returns the length of the shortest strip that has all LEDs of the layout.
func (l *Layout) MinStripLen() int {
	n := 0
	for _, p := range l.PartsWithLEDs() {
		for _, i := range p.Segment {
			n = max(n, i+1)
		}
	}
	return n
}

// Clash is a LED that two parts use, or one part twice.
type Clash struct {
	LED        int
	Part, With string
}

// FindLEDClashes lists the first clash of each part with itself or the parts before it.
func FindLEDClashes(parts []Part) (all []Clash) {
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

// Check returns every fault of the layout on a strip of stripLen LEDs: segments that are beyond the strip, are
// too long, or share a LED.
func (l *Layout) Check(stripLen int) error {
	if len(l.Places) > MaxPlaces {
		return fmt.Errorf("light: a layout of %d places: at most %d", len(l.Places), MaxPlaces)
	}
	parts := l.PartsWithLEDs()
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
			if i < 0 || i >= stripLen {
				errs = append(errs, fmt.Errorf("light: %s: LED %d, but the strip has %d, numbered from 0", p.Name, i, stripLen))
				break
			}
		}
	}
	for _, c := range FindLEDClashes(parts) {
		errs = append(errs, fmt.Errorf("light: %s: LED %d belongs to %s already", c.Part, c.LED, c.With))
	}
	return errors.Join(errs...)
}
