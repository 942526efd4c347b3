package engine_test

import (
	"reflect"
	"testing"

	"majordome/engine"
)

// TestSuperlativeOf: players who share the highest number share the superlative, unless these are all
// players or more than MaxSharing; nobody is named for less than the least.
func TestSuperlativeOf(t *testing.T) {
	for name, c := range map[string]struct {
		counts         map[engine.Seat]int
		players, least int
		want           []engine.Seat
	}{
		"one":       {map[engine.Seat]int{1: 2, 4: 3, 5: 1}, 6, 1, []engine.Seat{4}},
		"shared":    {map[engine.Seat]int{5: 3, 1: 3, 4: 3}, 6, 1, []engine.Seat{1, 4, 5}},
		"too many":  {map[engine.Seat]int{1: 3, 2: 3, 3: 3, 4: 3}, 6, 1, nil},
		"all":       {map[engine.Seat]int{1: 2, 2: 2}, 2, 1, nil},
		"too few":   {map[engine.Seat]int{3: 1}, 6, 2, nil},
		"no number": {map[engine.Seat]int{3: 0}, 6, 0, nil},
		"nobody":    {nil, 6, 1, nil},
	} {
		var want []engine.Superlative
		if c.want != nil {
			want = []engine.Superlative{{What: engine.SupAsked, Seats: c.want, N: c.counts[c.want[0]]}}
		}
		s := engine.SuperlativeOf(engine.SupAsked, c.counts, c.players, c.least)
		if got := engine.FirstSuperlatives(s); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v; want %+v", name, got, want)
		}
	}
}
