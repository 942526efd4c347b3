package cluedo

import (
	"slices"

	"majordome/engine"
)

// The front page after the end. Everything here follows from the public view and the happenings,
// which all at the table have seen: never from the records, which know hands (GEN-008).

// listSuperlatives returns the superlatives of a game that is over, in order of interest.
//
// Ties: who shares the highest number shares the superlative, up to engine.MaxSharing seats but not
// all. SupNearest goes to the first hypothesis that named so many cards of the solution; it is left
// out where the solution stays in the envelope, and where nobody named two of its cards.
func listSuperlatives(public engine.View, happened []*engine.Happening) []engine.Superlative {
	players := len(public.Seats)
	return engine.FirstSuperlatives(
		engine.SuperlativeOf(engine.SupSuspected, countSuspicions(public, happened), players, 1),
		nearestHypothesis(public.Result.Solution, happened),
		engine.SuperlativeOf(engine.SupShown, countRefutations(happened), players, 1),
		engine.SuperlativeOf(engine.SupWandered, engine.CountDifferentPlaces(happened), players, 2),
		engine.SuperlativeOf(engine.SupAsked, engine.CountOf(happened, engine.HapAsked), players, 2),
	)
}

// countSuspicions returns how often the character of each player was named aloud, in a hypothesis
// or an accusation.
func countSuspicions(public engine.View, happened []*engine.Happening) map[engine.Seat]int {
	counts := map[engine.Seat]int{}
	for _, h := range happened {
		if h.What != engine.HapAsked && h.What != engine.HapAccused || len(h.Cards) == 0 {
			continue
		}
		if i := slices.IndexFunc(public.Seats, func(s engine.SeatView) bool { return s.Character == h.Cards[0] }); i >= 0 {
			counts[public.Seats[i].Seat]++
		}
	}
	return counts
}

// countRefutations returns how often each seat has shown another player a card, as all saw.
func countRefutations(happened []*engine.Happening) map[engine.Seat]int {
	counts := map[engine.Seat]int{}
	for _, h := range happened {
		if h.What == engine.HapShown && h.Other != 0 {
			counts[h.Seat]++
		}
	}
	return counts
}

// nearestHypothesis returns the first of the hypotheses that named most cards of the solution, if
// these were two at least.
func nearestHypothesis(solution []engine.ID, happened []*engine.Happening) engine.Superlative {
	var best engine.Superlative
	asked := 0
	for _, h := range happened {
		if h.What != engine.HapAsked {
			continue
		}
		asked++
		hits := 0
		for _, id := range h.Cards {
			if slices.Contains(solution, id) {
				hits++
			}
		}
		if hits > max(1, best.N) {
			best = engine.Superlative{What: engine.SupNearest, N: hits, At: asked, Seats: []engine.Seat{h.Seat}}
		}
	}
	return best
}

// fatalHappening returns the number of the happening that the front page calls the fatal minute:
// the last accusation or murder; 0 if there was neither.
func fatalHappening(happened []*engine.Happening) int {
	for _, h := range slices.Backward(happened) {
		switch h.What {
		case engine.HapAccused, engine.HapMurdered, engine.HapKilled:
			return h.N
		}
	}
	return 0
}
