package audit

import (
	"testing"

	"majordome/engine"
)

// TestASaidDrawIsAClaim: a card that a seat only says it drew is shown to that seat and is placed nowhere, so the place where a reader has
// read it stands (GEN-001, GEN-021).
func TestASaidDrawIsAClaim(t *testing.T) {
	a := New([]string{"suspect-rose"})
	check := func(card, at string) {
		t.Helper()
		if got := a.LocationOf(card); got != at {
			t.Errorf("%s is at %q, not %q", card, got, at)
		}
	}
	apply := func(kind, data string) {
		t.Helper()
		if err := a.ApplyEvent(kind, []byte(data)); err != nil {
			t.Fatal(err)
		}
	}
	apply("drew", `{"seat":1,"card":"butler-stay"}`) // a reader has read it
	apply("drew", `{"seat":4,"n":1,"card":"butler-stay"}`)
	check("butler-stay", "seat-1")
	if four := engine.SeatViewer(4); !a.HasSeen(four, "butler-stay") || !a.HasClaimed(four, "butler-stay") {
		t.Error("seat-4 has not named the card")
	}
	if a.HasClaimed(engine.SeatViewer(1), "butler-stay") {
		t.Error("seat-1 has named the card that was read")
	}
	apply("drew", `{"seat":4,"n":1,"card":"butler-replay-1"}`)
	check("butler-replay-1", "")
	apply("drew", `{"seat":2,"n":1,"open":"time-1"}`)
	if !a.HasSeen(engine.Public, "time-1") {
		t.Error("not all have seen a Time card")
	}
}
