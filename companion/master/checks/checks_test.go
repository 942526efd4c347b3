package checks_test

import (
	"slices"
	"testing"

	"majordome/companion/master"
	"majordome/companion/master/checks"
	"majordome/companion/master/mastertest"
	"majordome/companion/wire"
	"majordome/engine"
)

// TestPhonesThatHaveChecked: each phone counts once, for the root that it has checked last, and only as long as its
// seat has a player.
func TestPhonesThatHaveChecked(t *testing.T) {
	m := mastertest.New(func(t master.Table) []master.Part { return []master.Part{checks.New(t)} })
	mustCount := func(root string, want int) {
		t.Helper()
		u := wire.Update{View: m.View, Binding: wire.Binding{Proof: &wire.Proof{Root: root}}}
		if m.Parts[0].(master.PublicShower).ShowPublic(&u); len(u.Proof.Checked) != want {
			t.Errorf("%v have checked %q, want %d", u.Proof.Checked, root, want)
		}
	}
	check := func(by master.Actor, root string) *engine.Reject {
		t.Helper()
		return m.DoAct(by, checks.Act, "root", root)
	}
	mustCount("a", 0)
	if check(mastertest.Host, "a") == nil || check(mastertest.PhoneActor(3), "a") == nil {
		t.Error("the host or a free seat has checked")
	}
	second := mastertest.PhoneActor(2)
	second.N = 2
	for _, by := range []master.Actor{mastertest.PhoneActor(1), mastertest.PhoneActor(1), mastertest.PhoneActor(2), second} {
		if r := check(by, "a"); r != nil {
			t.Errorf("refused: %v", r)
		}
	}
	mustCount("a", 3)
	u := wire.Update{View: m.View, Binding: wire.Binding{Proof: &wire.Proof{Root: "a"}}}
	m.Parts[0].(master.PublicShower).ShowPublic(&u)
	if want := []string{"seat-1", "seat-2", "seat-2.2"}; !slices.Equal(u.Proof.Checked, want) {
		t.Errorf("%v have checked, not %v", u.Proof.Checked, want)
	}
	mustCount("b", 0)
	mustCount("", 0)
	check(second, "b")
	mustCount("a", 2)
	mustCount("b", 1)
	m.View.Seats = m.View.Seats[1:]
	mustCount("a", 1)
	m.Parts[0].(master.PublicShower).ShowPublic(&wire.Update{View: m.View}) // nothing was dealt
}
