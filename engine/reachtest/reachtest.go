// Package reachtest helps tests: it walks the types of what the program shows to people and reports
// each one that hides an engine value or could contain one, so that reflection on a view reaches no
// hidden value. It is not below engine/internal, because the companion may not import that.
//
//	faults, walked := reachtest.FindHidden(reflect.TypeFor[engine.View]())
//
// It looks at types, so one walk covers every value. Tests compare walked with a minimum, to notice
// a walk that ended too early.
package reachtest

import (
	"fmt"
	"reflect"
	"strings"
)

// hiddenPackage is the package whose types hide values.
const hiddenPackage = "majordome/engine/internal/hidden"

// FindHidden lists, by path, all types below roots that hide a value or can hold any type (an
// interface, a function, a channel), and counts the types walked.
func FindHidden(roots ...reflect.Type) (faults []string, walked int) {
	seen := map[reflect.Type]bool{}
	var walk func(reflect.Type, string)
	walk = func(x reflect.Type, path string) {
		if seen[x] {
			return
		}
		seen[x] = true
		if x.PkgPath() == hiddenPackage || strings.HasPrefix(x.PkgPath(), hiddenPackage+"/") {
			faults = append(faults, path+" is a hidden value")
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
