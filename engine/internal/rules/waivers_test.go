package rules

import (
	"errors"
	"fmt"
	"testing"

	"majordome/engine"
)

// TestWaivers: a rule is waived by its number, found by its id, and offered where it binds.
func TestWaivers(t *testing.T) {
	ws := Waivers{"A-1", "", "A-3"}
	for _, c := range []struct {
		rule string
		want Waived
	}{{"A-1", 1}, {"A-3", 4}, {"A-2", 0}, {"", 0}} {
		if w, err := ws.DecodeRule(c.rule); w != c.want || (err == nil) != (c.want != 0) {
			t.Errorf("%q: %b, %v", c.rule, w, err)
		}
	}
	binding := ws.UnwaivedRules([]bool{true, false, true}, 1)
	out := AddWaiverOffers(nil, 2, binding)
	if len(out) != 1 || !out[0].Overrule || !out[0].Grave || !out[0].Aside || fmt.Sprint(out[0].Fixed) != "map[rule:A-3 seat:seat-2]" {
		t.Errorf("offered for %v: %+v", binding, out)
	}
	bound, other := &engine.Reject{Rule: "A-3"}, &engine.Reject{Rule: "A-1"}
	if RefusalByWaivableRule(bound, binding) != bound || RefusalByWaivableRule(other, binding) != nil ||
		RefusalByWaivableRule(nil, binding) != nil {
		t.Error("a late act is refused by another rule than one that binds")
	}
}

// TestInvariants: the first broken invariant is named by its number.
func TestInvariants(t *testing.T) {
	under := func(most int) func(int) error {
		return func(n int) error {
			if n > most {
				return errors.New("too many")
			}
			return nil
		}
	}
	for n, want := range []string{"<nil>", "toy: invariant 2: too many", "toy: invariant 1: too many"} {
		if err := CheckInvariants("toy", n, under(1), under(0)); fmt.Sprint(err) != want {
			t.Errorf("%d: %v", n, err)
		}
	}
}
