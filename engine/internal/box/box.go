// Package box holds hidden values. A Box carries a value and the audience that
// may see it; the overseer sees into every box, and is of no audience. It prints, logs and marshals as a mask, and only packages under
// engine/ can import it, so nothing outside can open one.
//
// View builders use See, which answers only to a viewer in the audience.
// Deciders and event codecs use Open.
package box

import (
	"fmt"

	"majordome/engine"
)

// Audience is a set of seats, or everybody. Its zero value is nobody.
type Audience uint16

// Nobody is the empty audience; All is everybody, the public included.
const (
	Nobody Audience = 0
	All    Audience = 1
)

// watcher is the overseer, whom every box answers.
const watcher Audience = 1 << 15

// Only is the audience of exactly these seats.
func Only(seats ...engine.Seat) Audience {
	var a Audience
	for _, s := range seats {
		a |= 1 << s
	}
	return a
}

// With is a and b together.
func (a Audience) With(b Audience) Audience { return a | b }

// Of are the audiences that v belongs to. The public and the host belong only to All.
func Of(v engine.Viewer) Audience {
	if v == engine.Overseer {
		return All | watcher
	}
	s, _ := v.Seat() // whoever has none is of All alone
	return All | 1<<s
}

// Has reports whether v belongs to the audience.
func (a Audience) Has(v engine.Viewer) bool { return a.Meets(Of(v)) }

// Meets is Has for a viewer of these audiences, for whom many are tested.
func (a Audience) Meets(of Audience) bool { return (a|watcher)&of != 0 }

// Mask is what a box looks like from outside.
const Mask = "▮"

// Box is a hidden value and its audience. The zero Box is empty and nobody's.
type Box[T any] struct {
	value *T
	aud   Audience
}

// Seal puts v in a box for an audience.
func Seal[T any](v T, aud Audience) Box[T] { return Box[T]{&v, aud} }

// Around is a box whose value stands in the memory of its owner, who reads it through the
// box alone.
func Around[T any](v *T, aud Audience) Box[T] { return Box[T]{v, aud} }

// See returns the value if v may see it.
func (b Box[T]) See(v engine.Viewer) (value T, ok bool) {
	if b.value == nil || !b.aud.Has(v) {
		return value, false
	}
	return *b.value, true
}

// Show is See without a copy: nobody may change what it returns.
func (b Box[T]) Show(v engine.Viewer) (value *T, ok bool) {
	if b.value == nil || !b.aud.Has(v) {
		return nil, false
	}
	return b.value, true
}

// Open returns the value whoever asks, for judging and storing; ok is false
// for an empty box.
func (b Box[T]) Open() (value T, ok bool) {
	if b.value == nil {
		return value, false
	}
	return *b.value, true
}

// For is the same value for another audience.
func (b Box[T]) For(aud Audience) Box[T] { return Box[T]{b.value, aud} }

// Audience is who may see the value.
func (b Box[T]) Audience() Audience { return b.aud }

// Format prints the mask for every verb.
func (b Box[T]) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(Mask)) }

// MarshalJSON gives the mask.
func (b Box[T]) MarshalJSON() ([]byte, error) { return []byte(`"` + Mask + `"`), nil }

// MarshalText gives the mask.
func (b Box[T]) MarshalText() ([]byte, error) { return []byte(Mask), nil }

// Small is a Box of a value of one byte or word, which it holds in itself: it needs no memory
// of its own. A struct that has one in an unexported field must print a mask of its own,
// because there package fmt does not ask the box.
type Small[T ~uint8 | ~uint64] struct {
	value T
	full  bool
	aud   Audience
}

// SealSmall puts v in a small box for an audience.
func SealSmall[T ~uint8 | ~uint64](v T, aud Audience) Small[T] { return Small[T]{v, true, aud} }

// See returns the value if v may see it.
func (b Small[T]) See(v engine.Viewer) (value T, ok bool) { return b.SeenBy(Of(v)) }

// SeenBy is See for a viewer of these audiences, who looks into many boxes.
func (b Small[T]) SeenBy(aud Audience) (value T, ok bool) {
	if !b.full || !b.aud.Meets(aud) {
		return 0, false
	}
	return b.value, true
}

// Open returns the value whoever asks; ok is false for an empty box.
func (b Small[T]) Open() (value T, ok bool) { return b.value, b.full }

// For is the same value for another audience.
func (b Small[T]) For(aud Audience) Small[T] { return Small[T]{b.value, b.full, aud} }

// Audience is who may see the value.
func (b Small[T]) Audience() Audience { return b.aud }

// Format prints the mask for every verb.
func (b Small[T]) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(Mask)) }

// MarshalJSON gives the mask.
func (b Small[T]) MarshalJSON() ([]byte, error) { return []byte(`"` + Mask + `"`), nil }

// MarshalText gives the mask.
func (b Small[T]) MarshalText() ([]byte, error) { return []byte(Mask), nil }
