package table

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

// tries has a device try a PIN for an account, and gives back the key of the refusal.
func (r *rig) tries(n, id int, pin string) string {
	r.t.Helper()
	return why(r.by(device(n), wire.ActSignIn, "id", fmt.Sprint(id), "pin", pin))
}

// An operator's device that tries the owner's PIN keeps the right one out of no other device, and a right PIN of the operator's opens its
// guesses no way; a start of the daemon does not either.
func TestAnOperatorKeepsNobodyOut(t *testing.T) {
	r, log := staffed(t, newMemory())
	waits := 0
	for i := range 16 {
		if got := r.tries(2, 1, fmt.Sprint(500_000+i)); got == "table.staff.wait" {
			waits++
			r.clock.at = r.clock.at.Add(time.Minute << min(i, 4))
		} else if got != "table.staff.wrong" {
			t.Fatalf("guess %d: %q", i, got)
		}
		if i%4 == 1 {
			r.signs(2, 2, operatorPIN)
		}
		if i%8 == 7 {
			r.start()
			r.mend(log)
			if got := r.tries(2, 1, "999991"); got != "table.staff.wait" {
				t.Errorf("after a start: %q", got)
			}
		}
		r.by(device(1), wire.ActSignOut)
		if got := r.tries(1, 1, ownerPIN); got != "" {
			t.Fatalf("guess %d: the owner's right PIN: %q", i, got)
		}
	}
	if waits < 5 {
		t.Errorf("%d guesses of 16 waited", waits)
	}
	if got := r.tries(3, 1, "999991"); got != "table.staff.wrong" {
		t.Errorf("another device waits for the guesses of this one: %q", got)
	}
	r.desk.again = " again" // the device was ended, and another phone has its number
	if got := r.tries(2, 1, "999991"); got != "table.staff.wait" {
		t.Errorf("a device that joins again: %q", got)
	}
}

// The other devices, locked or not, are told which one tries whose PIN, and an owner at any; nobody else hears of it.
func TestOthersAreToldOfTries(t *testing.T) {
	r, _ := staffed(t, newMemory())
	for i := range 3 {
		if r.tries(2, 1, "999991"); i < 2 && r.shownAt(1).Staff.Tried != nil {
			t.Errorf("told after %d wrong PINs", i+1)
		}
	}
	want := []wire.Tried{{Device: 2, Wrong: 3, Names: []string{"Odile"}}}
	told := func(n int) string { return asJSON(t, r.shownAt(n).Staff.Tried) }
	if told(1) != asJSON(t, want) || told(2) != "null" || told(3) != asJSON(t, want) {
		t.Errorf("the devices are told %s, %s and %s", told(1), told(2), told(3))
	}
	r.by(device(1), wire.ActSignOut)
	if told(1) != asJSON(t, want) {
		t.Errorf("locked, the first device is told %s", told(1))
	}
	if got := asJSON(t, r.last().Public) + asJSON(t, r.last().Seats()); strings.Contains(got, "Odile") || strings.Contains(got, "tried") {
		t.Errorf("phones are told %s", got)
	}
	r.pass(time.Minute)
	r.signs(2, 1, ownerPIN) // it was the owner: nothing is left to be told
	if told(1) != "null" || told(2) != "null" {
		t.Errorf("after the right PIN: %s and %s", told(1), told(2))
	}
	for range 3 {
		r.tries(2, 3, "999991")
	}
	if !strings.Contains(told(2), "Hélène") {
		t.Errorf("the owner at the device itself is told %s", told(2))
	}
}

// The first device ends a further one while it is locked, in a pause too; a further one that is locked ends nobody.
func TestTheFirstDeviceEndsOthersWhileLocked(t *testing.T) {
	m := newMemory()
	r, _ := staffed(t, m)
	r.must(engine.Host, "sit")
	r.must(engine.Host, "begin")
	if out := r.by(device(2), actPause); !out.OK {
		t.Fatal(out.Reject)
	}
	r.by(device(1), wire.ActSignOut)
	r.by(device(2), wire.ActSignOut)
	if got := acts(r.shownAt(1)); !slices.Equal(got, []string{actEndHost, actEndHost}) {
		t.Errorf("locked in a pause, the first device is offered %v", got)
	}
	if got := acts(r.shownAt(2)); len(got) > 0 {
		t.Errorf("locked in a pause, a further device is offered %v", got)
	}
	for _, n := range []string{"1", "2", "3"} {
		if got := why(r.by(device(3), actEndHost, "device", n)); got != "table.staff.locked" {
			t.Errorf("a locked device ends device %s: %q", n, got)
		}
	}
	if out := r.by(device(1), actEndHost, "device", "2"); !out.OK || !slices.Equal(r.desk.answers, []string{"end 2 of host"}) {
		t.Errorf("%+v, the desk heard %v", out.Reject, r.desk.answers)
	}
	if n := r.last().Public.Notice; n == nil || n.Msg.Key != "table.host.ended" {
		t.Errorf("everybody is told %+v", n)
	}
	if out := r.by(device(1), actEndHost, "device", "1"); out.OK {
		t.Error("the first device ends itself")
	}
	r.signs(1, 1, ownerPIN)
	r.must(engine.Host, actResume)
	r.by(device(1), wire.ActSignOut)
	if got := acts(r.shownAt(1)); !slices.Contains(got, actEndHost) {
		t.Errorf("locked in a game, the first device is offered %v", got)
	}
}

// A further device that sends acts faster than they are judged takes no place of the first one's.
func TestADeviceFillsItsOwnPlacesAlone(t *testing.T) {
	l := newRig(t, newMemory()).loop // it does not run
	refused := 0
	count := func(wire.Reply) { refused++ }
	for i := range uint64(3 * maxPending) {
		l.Act(device(2), wire.Act{ID: "x", Seq: i + 1, Act: wire.ActSignIn}, count)
	}
	if refused != 2*maxPending {
		t.Errorf("%d of %d are refused", refused, 3*maxPending)
	}
	for i := range uint64(maxPending) {
		l.Act(device(1), wire.Act{ID: "x", Seq: i + 1, Act: actPause}, count)
	}
	if refused != 2*maxPending || len(l.in) != 2*maxPending {
		t.Errorf("the first device: %d are refused, %d wait", refused-2*maxPending, len(l.in))
	}
}
