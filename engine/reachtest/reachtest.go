// Package reachtest is for tests: it walks the types of what is shown to people and tells where one
// of them is a box of the engine, or could hold one unseen (design: no hidden value can be reached
// from a view by reflection). It stands beside engine/internal because the companion may not see that.
//
//	faults, walked := reachtest.Boxes(reflect.TypeFor[engine.View]())
//
// It looks at types, so one walk speaks for every value; walked guards against a
// walk that stopped at the door.
package reachtest

import (
	"fmt"
	"reflect"
	"strings"
)

// boxes is the package whose types hide values.
const boxes = "majordome/engine/internal/box"

// Boxes lists by their paths all types below roots that are boxes or can hold
// anything (an interface, a function, a channel), and counts the types walked.
func Boxes(roots ...reflect.Type) (faults []string, walked int) {
	seen := map[reflect.Type]bool{}
	var walk func(reflect.Type, string)
	walk = func(x reflect.Type, path string) {
		if seen[x] {
			return
		}
		seen[x] = true
		if x.PkgPath() == boxes || strings.HasPrefix(x.PkgPath(), boxes+"/") {
			faults = append(faults, path+" is a box")
			return
		}
		switch x.Kind() {
		case reflect.Interface, reflect.Func, reflect.Chan, reflect.UnsafePointer:
			faults = append(faults, fmt.Sprintf("%s is a %s, which could hold anything", path, x.Kind()))
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
	for _, x := range roots {
		walk(x, x.String())
	}
	return faults, len(seen)
}
