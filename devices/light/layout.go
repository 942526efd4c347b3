package light

import (
	"errors"
	"fmt"

	"majordome/devices"
)

// Span is a run of LEDs on the strip. The zero value has none: that part of the
// table has no light.
type Span struct {
	First    int  // index of the first LED
	Count    int  // 0 to 64
	Reversed bool // the part begins at the far end of the run
}

const maxSpan = 64

// At is the index on the strip of LED i of the span, 0 <= i < Count.
func (s Span) At(i int) int {
	if s.Reversed {
		return s.First + s.Count - 1 - i
	}
	return s.First + i
}

// Cut appends the pixels of the span to dst, in the order of the part.
func (s Span) Cut(dst, strip []devices.RGB) []devices.RGB {
	for i := range s.Count {
		dst = append(dst, strip[s.At(i)])
	}
	return dst
}

// Layout says which LEDs belong to what.
type Layout struct {
	Clock  Span
	Places []Span // in the order of Cue.Places, at most MaxPlaces
	Urn    Span
	Show   Span
}

// Table is the wiring of a table: a clock of 8 LEDs, so many places of 3, at most
// MaxPlaces, then 3 at the urn and 3 at the refutation reader. With the 7 places
// of Huis Clos that is 35 on one strip, with the 10 of Cluedo 2008 it is 44.
func Table(places int) Layout {
	l := Layout{Clock: Span{First: 0, Count: 8}}
	for i := range places {
		l.Places = append(l.Places, Span{First: 8 + 3*i, Count: 3})
	}
	l.Urn = Span{First: 8 + 3*places, Count: 3}
	l.Show = Span{First: 11 + 3*places, Count: 3}
	return l
}

// Part is a named span: "clock", "place-1" and so on, "urn", "show".
type Part struct {
	Name string
	Span
}

// Parts lists the parts that have LEDs: the clock, the places, the urn, the show reader.
func (l *Layout) Parts() []Part {
	all := []Part{{"clock", l.Clock}}
	for i, s := range l.Places {
		all = append(all, Part{fmt.Sprintf("place-%d", i+1), s})
	}
	all = append(all, Part{"urn", l.Urn}, Part{"show", l.Show})
	lit := all[:0]
	for _, p := range all {
		if p.Count != 0 {
			lit = append(lit, p)
		}
	}
	return lit
}

// Len is the length of the shortest strip that has all LEDs of the layout.
func (l *Layout) Len() int {
	n := 0
	for _, p := range l.Parts() {
		n = max(n, p.First+p.Count)
	}
	return n
}

// Check reports everything that is wrong with the layout on a strip of n LEDs:
// spans that lie beyond the strip, are too long, or share a LED.
func (l *Layout) Check(n int) error {
	if len(l.Places) > MaxPlaces {
		return fmt.Errorf("light: a layout of %d places: at most %d", len(l.Places), MaxPlaces)
	}
	parts := l.Parts()
	if len(parts) == 0 {
		return errors.New("light: the layout gives no LED to anything")
	}
	var errs []error
	owner := make(map[int]string)
	for _, p := range parts {
		switch {
		case p.First < 0 || p.Count < 0:
			errs = append(errs, fmt.Errorf("light: %s: LED %d, count %d: neither may be negative", p.Name, p.First, p.Count))
			continue
		case p.Count > maxSpan:
			errs = append(errs, fmt.Errorf("light: %s: %d LEDs: at most %d", p.Name, p.Count, maxSpan))
			continue
		case p.First > n-p.Count:
			errs = append(errs, fmt.Errorf("light: %s: LEDs %d to %d, but the strip has %d, numbered from 0",
				p.Name, p.First, p.First+p.Count-1, n))
			continue
		}
		for i := p.First; i < p.First+p.Count; i++ {
			if o, taken := owner[i]; taken {
				errs = append(errs, fmt.Errorf("light: %s: LED %d belongs to %s already", p.Name, i, o))
				break
			}
			owner[i] = p.Name
		}
	}
	return errors.Join(errs...)
}
