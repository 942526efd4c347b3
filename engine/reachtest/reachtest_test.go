package reachtest_test

import (
	"reflect"
	"slices"
	"testing"

	"majordome/engine"
	"majordome/engine/internal/hidden"
	"majordome/engine/reachtest"
)

// In every game: no value that the engine returns can reach a hidden value.
func TestWhatTheEngineShowsReachesNoBox(t *testing.T) {
	faults, walked := reachtest.FindHidden(reflect.TypeFor[engine.View](), reflect.TypeFor[engine.Reject](),
		reflect.TypeFor[engine.Names](), reflect.TypeFor[engine.Deadline]())
	for _, f := range faults {
		t.Error(f)
	}
	if walked < 25 {
		t.Errorf("only %d types were walked", walked)
	}
}

type hand struct {
	Cards map[string][]*hidden.Value[string]
}

type loose struct {
	Said any
	Next *loose
}

// These are the fields that the walk must find.
func TestBoxes(t *testing.T) {
	for _, c := range []struct {
		root reflect.Type
		want []string
	}{
		{reflect.TypeFor[hand](), []string{"reachtest_test.hand.Cards[][][] is a hidden value"}},
		{reflect.TypeFor[loose](), []string{"reachtest_test.loose.Said is a interface, which could hold anything"}},
		{reflect.TypeFor[func()](), []string{"func() is a func, which could hold anything"}},
		{reflect.TypeFor[engine.Msg](), nil},
	} {
		if got, _ := reachtest.FindHidden(c.root); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q", c.root, got)
		}
	}
}
