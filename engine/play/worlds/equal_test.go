package worlds

import (
	"reflect"
	"testing"

	"majordome/engine"
	"majordome/engine/games"
	"majordome/engine/play"
)

// TestHaveSameTree compares the views of a few random games with each other and with the same views built again, as
// reflect.DeepEqual does.
func TestHaveSameTree(t *testing.T) {
	same := func(a, b engine.View) bool {
		return haveSameTree(reflect.ValueOf(&a).Elem(), reflect.ValueOf(&b).Elem())
	}
	for _, d := range games.KnownGames().DefaultDecks() {
		b, err := d.NewRulebook()
		if err != nil {
			t.Fatal(err)
		}
		found := map[bool]int{}
		_, _, err = play.Run(b.NewGame(), &play.Opts{Seed: 1, Check: func(s play.Step) error {
			if s.N%10 != 0 {
				return nil
			}
			for _, v := range AllViewers {
				view := s.After.View(v)
				for _, other := range []engine.View{s.After.View(v), s.Before.View(v), s.After.View(engine.Host)} {
					want := reflect.DeepEqual(view, other)
					if found[want]++; same(view, other) != want {
						t.Fatalf("step %d, %s: two views are the same: %v, and to reflect.DeepEqual %v", s.N, v, !want, want)
					}
				}
			}
			return nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		if found[true] == 0 || found[false] == 0 {
			t.Errorf("%s: %v", b.ID(), found)
		}
	}
	for _, pair := range [][2]any{
		{map[string]int{"a": 1}, map[string]int{"b": 1}}, {map[string]int(nil), map[string]int{}},
		{[]int(nil), []int{}}, {[]int{1, 2}, []int{1}}, {new(int), (*int)(nil)},
		{true, false}, {uint8(1), uint8(2)}, {int16(1), int16(2)}, {"a", "b"}, {struct{ a, b int }{1, 2}, struct{ a, b int }{1, 3}},
	} {
		one, two := reflect.ValueOf(pair[0]), reflect.ValueOf(pair[1])
		if haveSameTree(one, two) || !haveSameTree(one, one) {
			t.Errorf("%#v and %#v", pair[0], pair[1])
		}
	}
}
