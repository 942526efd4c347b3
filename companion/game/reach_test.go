package game

import (
	"reflect"
	"testing"

	"majordome/companion/wire"
	"majordome/engine/reachtest"
)

// Design 7.2: nothing that is published can contain a hidden value. No type that can be reached from a step, an
// answer or a notice is a hidden value of the engine, nor a type that could contain one unnoticed.
func TestPublishedTypesReachNoBox(t *testing.T) {
	faults, walked := reachtest.FindHidden(reflect.TypeFor[Step](), reflect.TypeFor[wire.Update](), reflect.TypeFor[wire.Reply](),
		reflect.TypeFor[wire.Notice]())
	for _, f := range faults {
		t.Error(f)
	}
	if walked < 30 {
		t.Errorf("only %d types were walked", walked)
	}
}
