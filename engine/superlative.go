package engine

import "slices"

// Superlative is a fact of the front page after the end: what one or a few seats did most, or
// first.
//
//  1. It follows from what all at the table know after the end: happenings, the result, roles and
//     cards that are face up, and Suspicions. Of hands that stay hidden it says nothing (GEN-008).
//  2. The comment of its code says what N and At count.
type Superlative struct {
	What  string `json:"what"`  // one of the codes below
	Seats []Seat `json:"seats"` // those who share it, in seat order
	N     int    `json:"n"`
	At    int    `json:"at,omitempty"`
}

// Codes of superlatives. A game lists those that it has, in order of interest; the front page
// has the first MaxSuperlatives.
const (
	SupSuspected = "suspected" // accused, named in a hypothesis or by a ghost: N times
	SupKnew      = "knew"      // has named the murderer since round N
	SupNearest   = "nearest"   // named N cards of the solution in hypothesis At of the game, before anyone
	SupAlone     = "alone"     // stood alone with the murderer when the urn was opened: N times
	SupShown     = "shown"     // has shown others a card: N times
	SupWandered  = "wandered"  // was in N different places
	SupSearched  = "searched"  // has taken a clue from a place: N times
	SupAsked     = "asked"     // has made N hypotheses
)

// AllSuperlatives lists the codes.
var AllSuperlatives = []string{SupSuspected, SupKnew, SupNearest, SupAlone, SupShown, SupWandered, SupSearched, SupAsked}

// MaxSuperlatives is the most superlatives in a chronicle, and MaxSharing the most seats that
// share one.
const (
	MaxSuperlatives = 3
	MaxSharing      = 3
)

// Suspicion is the last vote of a ghost, known to all after the end.
type Suspicion struct {
	Ghost   Seat
	Suspect Seat
	Since   int // the round from which on it named the murderer; 0 if it does not
}

// SuperlativeOf returns a superlative of the seats with the highest count. Ties: all of them share
// it. It is left out (the zero Superlative) if that would be more than MaxSharing seats or all
// players, for then it says nothing of anyone, and if the highest count is below least.
func SuperlativeOf(what string, counts map[Seat]int, players, least int) Superlative {
	s := Superlative{What: what}
	for x, n := range counts {
		switch {
		case n > s.N:
			s.N, s.Seats = n, []Seat{x}
		case n == s.N && n > 0:
			s.Seats = append(s.Seats, x)
		}
	}
	if s.N < max(1, least) || len(s.Seats) > MaxSharing || len(s.Seats) >= players {
		return Superlative{}
	}
	slices.Sort(s.Seats)
	return s
}

// CountDifferentPlaces returns in how many different places the pawn of each seat was, by the
// moves that all saw.
func CountDifferentPlaces(happened []*Happening) map[Seat]int {
	type visit struct {
		seat  Seat
		place ID
	}
	counts, seen := map[Seat]int{}, map[visit]bool{}
	for _, h := range happened {
		if v := (visit{h.Seat, h.Place}); h.What == HapMoved && h.Place != "" && !seen[v] {
			seen[v] = true
			counts[h.Seat]++
		}
	}
	return counts
}

// CountOf returns how often each seat did what one of these codes says.
func CountOf(happened []*Happening, codes ...string) map[Seat]int {
	counts := map[Seat]int{}
	for _, h := range happened {
		if slices.Contains(codes, h.What) {
			counts[h.Seat]++
		}
	}
	return counts
}

// FirstSuperlatives returns the first MaxSuperlatives that are not left out.
func FirstSuperlatives(all ...Superlative) (first []Superlative) {
	for _, s := range all {
		if s.N > 0 && len(first) < MaxSuperlatives {
			first = append(first, s)
		}
	}
	return first
}
