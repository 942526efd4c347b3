package worlds

import "reflect"

// haveSameTree reports whether two values of one type are the same, as reflect.DeepEqual does, for trees: it keeps no
// record of the pointers on its way, which is most of the time that DeepEqual takes for a view. For a kind that no
// view has it returns false.
func haveSameTree(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Bool:
		return a.Bool() == b.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return a.Int() == b.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return a.Uint() == b.Uint()
	case reflect.String:
		return a.String() == b.String()
	case reflect.Struct:
		for i := range a.NumField() {
			if !haveSameTree(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Pointer:
		return a.Pointer() == b.Pointer() || !a.IsNil() && !b.IsNil() && haveSameTree(a.Elem(), b.Elem())
	case reflect.Slice:
		if a.Len() != b.Len() || a.IsNil() != b.IsNil() {
			return false
		}
		for i := range a.Len() {
			if a.Pointer() != b.Pointer() && !haveSameTree(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Map:
		if a.Len() != b.Len() || a.IsNil() != b.IsNil() {
			return false
		}
		for each := a.MapRange(); each.Next(); {
			if other := b.MapIndex(each.Key()); !other.IsValid() || !haveSameTree(each.Value(), other) {
				return false
			}
		}
		return true
	}
	return false
}
