package engine

import "testing"

func TestParseSeatTakesOnlyWhatStringReturns(t *testing.T) {
	for n := range Seat(MaxSeats + 1) {
		if x, err := ParseSeat(n.String()); (err == nil) != n.IsValid() || err == nil && x != n {
			t.Errorf("ParseSeat(%q) = %d, %v", n, x, err)
		}
	}
	for _, text := range []string{"", "1", "seat-", "seat-11", "seat--255", "seat-+1", "seat-01", "seat-257", "seat-1 ", "Seat-1"} {
		if x, err := ParseSeat(text); err == nil {
			t.Errorf("ParseSeat(%q) = %d, want an error", text, x)
		}
	}
}
