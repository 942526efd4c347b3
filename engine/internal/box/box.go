// Package box hides values. A Value holds a value and the audience that may see it. It prints, logs
// and marshals as a mask. Only packages under engine/ can import box, so no other code can open a
// Value.
//
// Code that builds views calls ValueFor, which returns the value only to a viewer in the audience,
// and to the overseer, who may see every value. Code that decides commands or encodes events calls
// Open.
package box

import (
	"fmt"

	"majordome/engine"
)

// Audience is a set of seats, or everyone. The zero value is no one.
type Audience uint16

// Nobody is the empty audience; Everyone includes the public.
const (
	Nobody Audience = 0
	All    Audience = 1
)

// overseer is the bit of the overseer, who may see every value without being in its audience.
const watcher Audience = 1 << 15

// OnlySeats returns the audience of exactly these seats.
func Only(seats ...engine.Seat) Audience {
	var a Audience
	for _, s := range seats {
		a |= 1 << s
	}
	return a
}

// Union returns the audience of a and b together.
func (a Audience) With(b Audience) Audience { return a | b }

// AudienceOf returns every audience that v belongs to. The public and the host belong only to
// Everyone.
func Of(v engine.Viewer) Audience {
	if v == engine.Overseer {
		return All | watcher
	}
	s, _ := v.Seat() // for the public and the host this is 0, the bit of Everyone
	return All | 1<<s
}

// Contains reports whether v may see what this audience may see.
func (a Audience) Has(v engine.Viewer) bool { return a.Meets(Of(v)) }

// ContainsAny is Contains for viewers, the result of AudienceOf, computed once for many tests.
func (a Audience) Meets(of Audience) bool { return (a|watcher)&of != 0 }

// Mask is the text that a hidden value prints.
const Mask = "▮"

// Value is a hidden value and its audience. The zero Value is empty and visible to no one.
type Box[T any] struct {
	value *T
	aud   Audience
}

// New hides v from all but an audience.
func Seal[T any](v T, aud Audience) Box[T] { return Box[T]{&v, aud} }

// NewRef hides *v, which stays in the memory of its owner. The owner must read it only through the
// Value.
func Around[T any](v *T, aud Audience) Box[T] { return Box[T]{v, aud} }

// ValueFor returns the value if v may see it.
func (b Box[T]) See(v engine.Viewer) (value T, ok bool) {
	if b.value == nil || !b.aud.Has(v) {
		return value, false
	}
	return *b.value, true
}

// RefFor is ValueFor without a copy. The caller may not change the result.
func (b Box[T]) Show(v engine.Viewer) (value *T, ok bool) {
	if b.value == nil || !b.aud.Has(v) {
		return nil, false
	}
	return b.value, true
}

// Open returns the value without checking a viewer, for deciding and storing; ok is false for an
// empty Value.
func (b Box[T]) Open() (value T, ok bool) {
	if b.value == nil {
		return value, false
	}
	return *b.value, true
}

// WithAudience returns the same value for another audience.
func (b Box[T]) For(aud Audience) Box[T] { return Box[T]{b.value, aud} }

// Audience returns the audience that may see the value.
func (b Box[T]) Audience() Audience { return b.aud }

// Format prints the mask for every verb.
func (b Box[T]) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(Mask)) }

// MarshalJSON encodes the mask.
func (b Box[T]) MarshalJSON() ([]byte, error) { return []byte(`"` + Mask + `"`), nil }

// MarshalText encodes the mask.
func (b Box[T]) MarshalText() ([]byte, error) { return []byte(Mask), nil }

// SmallValue is a Value of one byte or word that needs no memory of its own. A struct with a
// SmallValue in an unexported field must print a mask for itself, because package fmt does not call
// Format on unexported fields.
type Small[T ~uint8 | ~uint64] struct {
	value T
	full  bool
	aud   Audience
}

// NewSmall hides v from all but an audience.
func SealSmall[T ~uint8 | ~uint64](v T, aud Audience) Small[T] { return Small[T]{v, true, aud} }

// ValueFor returns the value if v may see it.
func (b Small[T]) See(v engine.Viewer) (value T, ok bool) { return b.SeenBy(Of(v)) }

// ValueForAny is ValueFor for viewers, the result of AudienceOf, computed once for many values.
func (b Small[T]) SeenBy(aud Audience) (value T, ok bool) {
	if !b.full || !b.aud.Meets(aud) {
		return 0, false
	}
	return b.value, true
}

// Open returns the value without checking a viewer; ok is false for an empty SmallValue.
func (b Small[T]) Open() (value T, ok bool) { return b.value, b.full }

// WithAudience returns the same value for another audience.
func (b Small[T]) For(aud Audience) Small[T] { return Small[T]{b.value, b.full, aud} }

// Audience returns the audience that may see the value.
func (b Small[T]) Audience() Audience { return b.aud }

// Format prints the mask for every verb.
func (b Small[T]) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(Mask)) }

// MarshalJSON encodes the mask.
func (b Small[T]) MarshalJSON() ([]byte, error) { return []byte(`"` + Mask + `"`), nil }

// MarshalText encodes the mask.
func (b Small[T]) MarshalText() ([]byte, error) { return []byte(Mask), nil }
