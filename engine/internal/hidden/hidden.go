// Package hidden hides values. A Value holds a value and the audience that may see it. It prints, logs
// and marshals as a mask. Only packages under engine/ can import it, so no other code can open a
// Value.
//
// Code that builds views calls ValueFor, which returns the value only to a viewer in the audience,
// and to the overseer, who may see every value. Code that decides commands or encodes events calls
// Open.
package hidden

import (
	"fmt"

	"majordome/engine"
)

// Audience is a set of seats, or everyone. The zero value is no one.
type Audience uint16

// Nobody is the empty audience; Everyone includes the public.
const (
	Nobody   Audience = 0
	Everyone Audience = 1
)

// overseer is the bit of the overseer, who may see every value without being in its audience.
const overseer Audience = 1 << 15

// OnlySeats returns the audience of exactly these seats.
func OnlySeats(seats ...engine.Seat) Audience {
	var a Audience
	for _, s := range seats {
		a |= 1 << s
	}
	return a
}

// Union returns the audience of a and b together.
func (a Audience) Union(b Audience) Audience { return a | b }

// AudiencesOf returns every audience that v belongs to. The public and the host belong only to
// Everyone.
func AudiencesOf(v engine.Viewer) Audience {
	if v == engine.Overseer {
		return Everyone | overseer
	}
	s, _ := v.Seat() // for the public and the host this is 0, the bit of Everyone
	return Everyone | 1<<s
}

// Contains reports whether v may see what this audience may see.
func (a Audience) Contains(v engine.Viewer) bool { return a.ContainsAny(AudiencesOf(v)) }

// ContainsAny is Contains for viewers, the result of AudiencesOf, computed once for many tests.
func (a Audience) ContainsAny(viewers Audience) bool { return (a|overseer)&viewers != 0 }

// Mask is the text that a hidden value prints.
const Mask = "▮"

// Masked prints, logs and marshals as a mask. Every type that hides something embeds it.
type Masked struct{}

// Format prints the mask for every verb.
func (Masked) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(Mask)) }

// MarshalJSON encodes the mask.
func (Masked) MarshalJSON() ([]byte, error) { return []byte(`"` + Mask + `"`), nil }

// MarshalText encodes the mask.
func (Masked) MarshalText() ([]byte, error) { return []byte(Mask), nil }

// Value is a hidden value and its audience. The zero Value is empty and visible to no one.
type Value[T any] struct {
	Masked
	value    *T
	audience Audience
}

// New hides v from all but an audience.
func New[T any](v T, aud Audience) Value[T] { return Value[T]{value: &v, audience: aud} }

// NewRef hides *v, which stays in the memory of its owner. The owner must read it only through the
// Value.
func NewRef[T any](v *T, aud Audience) Value[T] { return Value[T]{value: v, audience: aud} }

// ValueFor returns the value if v may see it.
func (b Value[T]) ValueFor(v engine.Viewer) (value T, ok bool) {
	if b.value == nil || !b.audience.Contains(v) {
		return value, false
	}
	return *b.value, true
}

// RefFor is ValueFor without a copy. The caller may not change the result.
func (b Value[T]) RefFor(v engine.Viewer) (value *T, ok bool) {
	if b.value == nil || !b.audience.Contains(v) {
		return nil, false
	}
	return b.value, true
}

// Open returns the value without checking a viewer, for deciding and storing; ok is false for an
// empty Value.
func (b Value[T]) Open() (value T, ok bool) {
	if b.value == nil {
		return value, false
	}
	return *b.value, true
}

// WithAudience returns the same value for another audience.
func (b Value[T]) WithAudience(aud Audience) Value[T] { return Value[T]{value: b.value, audience: aud} }

// Audience returns the audience that may see the value.
func (b Value[T]) Audience() Audience { return b.audience }

// SmallValue is a Value of one byte or word that needs no memory of its own. A struct with a
// SmallValue in an unexported field must print a mask for itself, because package fmt does not call
// Format on unexported fields.
type SmallValue[T ~uint8 | ~uint64] struct {
	Masked
	value    T
	full     bool
	audience Audience
}

// NewSmall hides v from all but an audience.
func NewSmall[T ~uint8 | ~uint64](v T, aud Audience) SmallValue[T] {
	return SmallValue[T]{value: v, full: true, audience: aud}
}

// ValueFor returns the value if v may see it.
func (b SmallValue[T]) ValueFor(v engine.Viewer) (value T, ok bool) {
	return b.ValueForAny(AudiencesOf(v))
}

// ValueForAny is ValueFor for viewers, the result of AudiencesOf, computed once for many values.
func (b SmallValue[T]) ValueForAny(viewers Audience) (value T, ok bool) {
	if !b.full || !b.audience.ContainsAny(viewers) {
		return 0, false
	}
	return b.value, true
}

// Open returns the value without checking a viewer; ok is false for an empty SmallValue.
func (b SmallValue[T]) Open() (value T, ok bool) { return b.value, b.full }

// WithAudience returns the same value for another audience.
func (b SmallValue[T]) WithAudience(aud Audience) SmallValue[T] {
	return SmallValue[T]{value: b.value, full: b.full, audience: aud}
}

// Audience returns the audience that may see the value.
func (b SmallValue[T]) Audience() Audience { return b.audience }
