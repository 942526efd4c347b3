package huisclos

import (
	"slices"

	"majordome/engine"
)

// The front page after the end. Everything here follows from the public view and the happenings,
// which all at the table have seen, and from the votes of ghosts that all know after the end: never
// from the records, which know hands and deposits (GEN-008).

// listSuperlatives returns the superlatives of a game that is over, in order of interest.
//
// Ties: who shares the highest number shares the superlative, up to engine.MaxSharing seats but not
// all; SupKnew goes to those of the earliest round. HC-157 makes the roles known; while the
// Murderer is not, those that need the role are left out.
func listSuperlatives(public engine.View, happened []*engine.Happening, votes []engine.Suspicion) []engine.Superlative {
	players := len(public.Seats)
	var guilty engine.Seat
	for _, s := range public.Seats {
		if s.Role == roleID(murderer) {
			guilty = s.Seat
		}
	}
	return engine.FirstSuperlatives(
		engine.SuperlativeOf(engine.SupSuspected, countSuspicions(happened, votes), players, 1),
		whoKnew(guilty, happened, votes, players),
		engine.SuperlativeOf(engine.SupAlone, countTimesAloneWithMurderer(guilty, public.Seats, happened), players, 1),
		engine.SuperlativeOf(engine.SupWandered, engine.CountDifferentPlaces(happened), players, 2),
		engine.SuperlativeOf(engine.SupSearched, engine.CountOf(happened, engine.HapTaken), players, 2),
	)
}

// countSuspicions returns how often each seat was accused, or is named by a ghost at the end.
func countSuspicions(happened []*engine.Happening, votes []engine.Suspicion) map[engine.Seat]int {
	counts := map[engine.Seat]int{}
	for _, h := range happened {
		if h.What == engine.HapAccused {
			counts[h.Other]++
		}
	}
	for _, v := range votes {
		counts[v.Suspect]++
	}
	return counts
}

// whoKnew returns who named the murderer first and did not change its mind: a ghost by its vote, or
// the accuser who was right.
func whoKnew(guilty engine.Seat, happened []*engine.Happening, votes []engine.Suspicion, players int) engine.Superlative {
	if guilty == 0 {
		return engine.Superlative{}
	}
	since := map[engine.Seat]int{}
	for _, v := range votes {
		if v.Suspect == guilty {
			since[v.Ghost] = v.Since
		}
	}
	round := 0
	for _, h := range happened {
		switch {
		case h.What == engine.HapRound:
			round++
		case h.What == engine.HapAccused && h.Other == guilty:
			since[h.Seat] = round
		}
	}
	first := 0
	for _, n := range since {
		if first == 0 || n < first {
			first = n
		}
	}
	counts := map[engine.Seat]int{}
	for x, n := range since {
		if n == first {
			counts[x] = n
		}
	}
	return engine.SuperlativeOf(engine.SupKnew, counts, players, 1)
}

// countTimesAloneWithMurderer returns how often each living seat was alone with the murderer when the urn was
// opened. All pawns begin in the same place (HC-021), so one that has not moved is in place "".
func countTimesAloneWithMurderer(guilty engine.Seat, seats []engine.SeatView, happened []*engine.Happening) map[engine.Seat]int {
	counts, at, dead := map[engine.Seat]int{}, map[engine.Seat]engine.ID{}, map[engine.Seat]bool{}
	for _, s := range seats {
		at[s.Seat] = ""
	}
	for _, h := range happened {
		switch h.What {
		case engine.HapMoved:
			at[h.Seat] = h.Place
		case engine.HapDied, engine.HapKilled:
			dead[h.Seat] = true
		case engine.HapRevived:
			dead[h.Seat] = false
			at[h.Seat] = h.Place
		case engine.HapOpened:
			if x := aloneWith(guilty, at, dead); x != 0 {
				counts[x]++
			}
		}
	}
	return counts
}

// aloneWith returns the one living seat in the place of a living seat; 0 if there is none or more.
func aloneWith(one engine.Seat, at map[engine.Seat]engine.ID, dead map[engine.Seat]bool) (other engine.Seat) {
	if one == 0 || dead[one] {
		return 0
	}
	for x, place := range at {
		switch {
		case x == one || dead[x] || place != at[one]:
		case other != 0:
			return 0
		default:
			other = x
		}
	}
	return other
}

// fatalHappening returns the number of the happening that the front page calls the fatal minute:
// the last death of the urn that killed most, of several the last such urn; without any, the last
// accusation; 0 if there was neither.
func fatalHappening(happened []*engine.Happening) (fatal int) {
	most, dead := 0, 0
	for _, h := range happened {
		switch h.What {
		case engine.HapOpened:
			dead = 0
		case engine.HapDied:
			if dead++; dead >= most {
				most, fatal = dead, h.N
			}
		}
	}
	if fatal != 0 {
		return fatal
	}
	for _, h := range slices.Backward(happened) {
		if h.What == engine.HapAccused {
			return h.N
		}
	}
	return 0
}
