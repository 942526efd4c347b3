package engine_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"majordome/engine"
)

// The blanks of a sentence are, as JSON and one by one, what a map of the same pairs is.
func TestBlanksAreAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pairs := rapid.SliceOfN(rapid.String(), 0, 12).Draw(t, "pairs")
		pairs = pairs[:len(pairs)/2*2]
		given := append([]string{}, pairs...)
		want := map[string]string{}
		for i := 0; i < len(pairs); i += 2 {
			want[pairs[i]] = pairs[i+1]
		}
		m := engine.NewMsg("key", pairs...)
		if !reflect.DeepEqual(pairs, given) {
			t.Fatal("Say changed what it was given")
		}
		if got := maps.Collect(m.Args.Pairs()); !maps.Equal(got, want) {
			t.Fatalf("%q are the blanks %q", given, got)
		}
		for name, value := range want {
			if got, ok := m.Args.Lookup(name); !ok || got != value || m.Args.Get(name) != value {
				t.Fatalf("%q is %q", name, got)
			}
		}
		if _, ok := m.Args.Lookup("no such blank, as long as this"); ok {
			t.Fatal("a blank that there is not")
		}
		data, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		as, err := json.Marshal(struct {
			Key  string            `json:"k"`
			Args map[string]string `json:"a,omitempty"`
		}{"key", want})
		if err != nil || string(data) != string(as) {
			t.Fatalf("%s, as a map %s (%v)", data, as, err)
		}
		var back engine.Msg
		if err := json.Unmarshal(data, &back); err != nil {
			t.Fatal(err)
		}
		if again, err := json.Marshal(back); err != nil || string(again) != string(data) {
			t.Fatalf("%s, read again %s (%v)", data, again, err)
		}
	})
}
