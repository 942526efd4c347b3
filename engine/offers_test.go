package engine_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"majordome/engine"
)

// An offer is sent with All and the reasons, and is read back with its domain.
func TestADomainIsAllWithoutWhatIsRefused(t *testing.T) {
	why := engine.Refusal{Rule: "HC-122", Why: engine.NewMsg("hc.no.kills"), At: []int{1}}
	in := engine.Param{Name: "card", Kind: "card", Domain: []string{"a", "c"}, All: []string{"a", "b", "c"}, No: []engine.Refusal{why}}
	data, err := json.Marshal(in)
	want := `{"name":"card","kind":"card","all":["a","b","c"],"no":[{"rule":"HC-122","why":{"k":"hc.no.kills"},"at":[1]}]}`
	if err != nil || string(data) != want {
		t.Errorf("%s, %v, want %s", data, err, want)
	}
	var out engine.Param
	if err := json.Unmarshal(data, &out); err != nil || !reflect.DeepEqual(in, out) {
		t.Errorf("%+v, %v, want %+v", out, err, in)
	}
}

// A glance shows names that are said aloud, and the number of covered ones. It does not show which they are, nor which would be refused,
// nor the question after a covered choice.
func TestGlance(t *testing.T) {
	card := func(all ...string) engine.Param { return engine.Param{Name: "card", Kind: "card", All: all} }
	place := engine.Param{Name: "to", Kind: "place", Domain: []string{"place-1", "place-2"}}
	aloud := engine.Param{Name: "suspect", Kind: "card", Domain: []string{"rose"}, Aloud: true}
	glance := func(offers ...engine.Offer) []string { return engine.BystanderOfferLines(engine.View{Offers: offers}) }
	for _, c := range []struct {
		name     string
		one, two []engine.Offer
		same     bool
	}{
		{"other cards of a hand", []engine.Offer{{Act: "a", Params: []engine.Param{card("x", "y")}}},
			[]engine.Offer{{Act: "a", Params: []engine.Param{card("v", "w")}}}, true},
		{"more cards", []engine.Offer{{Act: "a", Params: []engine.Param{card("x", "y")}}},
			[]engine.Offer{{Act: "a", Params: []engine.Param{card("v")}}}, false},
		{"one offer or two of the same act",
			[]engine.Offer{{Act: "a", Params: []engine.Param{card("x"), place}}, {Act: "a", Params: []engine.Param{card("y")}}},
			[]engine.Offer{{Act: "a", Params: []engine.Param{card("v", "w")}}}, true},
		{"a refusal", []engine.Offer{{Act: "a", No: &engine.Refusal{Rule: "R"}}}, []engine.Offer{{Act: "a"}}, true},
		{"another name aloud", []engine.Offer{{Act: "a", Params: []engine.Param{aloud}}},
			[]engine.Offer{{Act: "a", Params: []engine.Param{{Name: "suspect", Kind: "card", Domain: []string{"olive"}, Aloud: true}}}},
			false},
		{"another order", []engine.Offer{{Act: "a"}, {Act: "b"}}, []engine.Offer{{Act: "b"}, {Act: "a"}}, false},
		{"a plain answer beside the cards",
			[]engine.Offer{{Act: "a", Params: []engine.Param{card("x")}}, {Act: "a", Fixed: engine.Args{"card": engine.Unnamed}}},
			[]engine.Offer{{Act: "a", Params: []engine.Param{card("x")}}}, false},
	} {
		if one, two := glance(c.one...), glance(c.two...); reflect.DeepEqual(one, two) != c.same {
			t.Errorf("%s: %q and %q", c.name, one, two)
		}
	}
}
