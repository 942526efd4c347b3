package table

import (
	"reflect"
	"strings"
	"testing"

	"majordome/companion/wire"
)

// Design 7.2: what is published can hold no hidden value. No type that can be
// reached from a step, an answer or a notice is a box of the engine, nor
// something that could hold one unseen (an interface, a function, a channel).
func TestPublishedTypesReachNoBox(t *testing.T) {
	seen := map[reflect.Type]bool{}
	var walk func(reflect.Type, string)
	walk = func(x reflect.Type, path string) {
		if seen[x] {
			return
		}
		seen[x] = true
		if strings.Contains(x.PkgPath(), "internal/box") {
			t.Errorf("%s is a box", path)
		}
		switch x.Kind() {
		case reflect.Interface, reflect.Func, reflect.Chan, reflect.UnsafePointer:
			t.Errorf("%s is a %s, which could hold anything", path, x.Kind())
		case reflect.Pointer, reflect.Slice, reflect.Array:
			walk(x.Elem(), path+"[]")
		case reflect.Map:
			walk(x.Key(), path+" key")
			walk(x.Elem(), path+"[]")
		case reflect.Struct:
			for i := range x.NumField() {
				walk(x.Field(i).Type, path+"."+x.Field(i).Name)
			}
		}
	}
	for _, x := range []reflect.Type{reflect.TypeFor[Step](), reflect.TypeFor[wire.Update](), reflect.TypeFor[wire.Reply](), reflect.TypeFor[wire.Notice]()} {
		walk(x, x.String())
	}
	if len(seen) < 30 {
		t.Errorf("only %d types were walked", len(seen))
	}
}
