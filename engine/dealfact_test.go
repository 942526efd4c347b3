package engine

import (
	"slices"
	"testing"
)

// TestDealFacts: a view states the cards of a Cluedo where they were dealt, and roles. The clues of Huis Clos move
// about: no view states where one was laid.
func TestDealFacts(t *testing.T) {
	v := View{
		Seats: []SeatView{{Seat: 1, Role: "role-innocent", Hand: []ID{"c1"}}, {Seat: 2}}, Result: &Result{Solution: []ID{"c2"}},
		Me: &Own{Seat: 2, Role: "role-murderer", Hand: []CardView{{Card: "c3"}}, Seen: []*Sighting{
			{How: SawShown, Other: 1, Cards: []ID{"c4"}}, {How: SawThere, Place: "pool", Cards: []ID{"c5"}},
			{How: SawEnvelope, Cards: []ID{"c6"}}, {How: SawUrn, Cards: []ID{"c7"}}}},
		Secrets: []Holding{{Of: "seat-3", Role: "role-innocent", Cards: []ID{"c8"}, Said: []ID{"c9"}}, {Of: "", Cards: []ID{"c10"}}},
	}
	texts := func() (all []string) {
		for _, f := range v.DealFacts() {
			all = append(all, f.String())
		}
		slices.Sort(all)
		return all
	}
	roles := []string{"seat-1 role-innocent", "seat-2 role-murderer", "seat-3 role-innocent"}
	if got := texts(); !slices.Equal(got, roles) {
		t.Errorf("Huis Clos: %q", got)
	}
	v.Case = &Case{}
	cards := []string{"c1 seat-1", "c2 envelope", "c3 seat-2", "c4 seat-1", "c5 pool", "c6 envelope", "c8 seat-3"}
	if got := texts(); !slices.Equal(got, append(cards, roles...)) {
		t.Errorf("Cluedo: %q", got)
	}
}
