package wire

import (
	"encoding/json"
	"strings"
	"testing"

	"majordome/engine"
)

// A view that has grown too long for its one size leaves out its oldest hypotheses and nothing else, because a view
// that did not fit would stop the phones of the whole table. The numbers of the remaining hypotheses show how many
// are missing.
func TestLongViewLeavesOutItsOldestHypotheses(t *testing.T) {
	long := func(c string) engine.ID { return engine.ID(strings.Repeat(c, 40)) }
	u := Update{Notes: "x", View: engine.View{Viewer: "seat-1", Case: &engine.Case{Step: engine.StepAct}}}
	for n := range engine.MaxPast {
		u.View.Case.Past = append(u.View.Case.Past, engine.Heard{N: n + 1, Cards: []engine.ID{long("s"), long("w"), long("r")}})
	}
	whole, err := json.Marshal(&u)
	if err != nil {
		t.Fatal(err)
	}
	for _, most := range []int{len(whole), len(whole) - 1, len(whole) / 2, len(whole) / 10} {
		body, err := u.MarshalWithin(most)
		if err != nil {
			t.Fatal(err)
		}
		var got Update
		if err := json.Unmarshal(body, &got); err != nil || len(body) > most {
			t.Errorf("%d bytes of %d, %v", len(body), most, err)
			continue
		}
		past := got.View.Case.Past
		if got.Notes != "x" || got.View.Case.Step != engine.StepAct || len(past) == 0 || past[len(past)-1].N != engine.MaxPast {
			t.Errorf("%d: %d hypotheses are left of %d, and %q", most, len(past), engine.MaxPast, got.Notes)
		}
		if most == len(whole) && len(past) != engine.MaxPast || most < len(whole) && len(past) == engine.MaxPast {
			t.Errorf("%d: %d hypotheses are left", most, len(past))
		}
	}
	if len(u.View.Case.Past) != engine.MaxPast {
		t.Error("the view itself has changed")
	}
	if body, err := u.MarshalWithin(10); err != nil || len(body) <= 10 {
		t.Errorf("what cannot be made shorter: %d bytes, %v", len(body), err)
	}
}

// If an update of the host still has no room, names of accounts are left out, and then the secrets; the host's
// actions stay.
func TestWithinOfTheHost(t *testing.T) {
	u := Update{ForHost: &ForHost{
		Desk: &Desk{ForOperator: ForOperator{Hints: &Hints{Sent: []SentHint{{N: 1, By: ByStaff + "operator.Otto"}, {N: 2, By: "host.2"}}}}},
	}, View: engine.View{Viewer: engine.Overseer.String(), Secrets: []engine.Holding{{Of: "urn"}}}}
	whole, err := json.Marshal(&u)
	if err != nil {
		t.Fatal(err)
	}
	within := func(most int) (got Update, size int) {
		t.Helper()
		body, err := u.MarshalWithin(most)
		if err != nil || json.Unmarshal(body, &got) != nil {
			t.Fatal(err)
		}
		return got, len(body)
	}
	if got, _ := within(len(whole)); got.Desk.Hints.Sent[0].By != ByStaff+"operator.Otto" || got.View.Secrets == nil {
		t.Errorf("what fits is cut: %+v", got.Desk.Hints.Sent)
	}
	got, size := within(len(whole) - 1)
	if size >= len(whole) || got.View.Secrets == nil || got.Desk.Hints.Sent[0].By != ByStaff+"operator" ||
		got.Desk.Hints.Sent[1].By != "host.2" {
		t.Errorf("%d bytes: %+v", size, got.Desk.Hints.Sent)
	}
	if got, _ := within(size - 1); got.View.Secrets != nil || got.View.Viewer != "host" || got.Desk.Hints.Sent[0].By != ByStaff+"operator" {
		t.Errorf("no room for the secrets: %+v", got.View)
	}
	if u.Desk.Hints.Sent[0].By != ByStaff+"operator.Otto" || u.View.Secrets == nil {
		t.Error("the update itself has changed")
	}
}

// Each role may do what the roles before it may. A device without a role, or with an unknown one, may do nothing that
// needs a role.
func TestRoles(t *testing.T) {
	rising := []Role{"", RoleHost, RoleOperator, RoleOwner}
	for i, has := range rising {
		for j, needs := range rising {
			if has.Includes(needs) != (i >= j) {
				t.Errorf("%q may what %q may: %v", has, needs, i < j)
			}
		}
	}
	for _, needs := range rising[1:] {
		if Role("root").Includes(needs) {
			t.Errorf("an unknown role may what %q may", needs)
		}
	}
}
