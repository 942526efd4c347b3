package rules

import "fmt"

// CheckInvariants returns an error for the first numbered invariant of a game that its state
// breaks; nil: none.
func CheckInvariants[S any](game string, s S, checks ...func(S) error) error {
	for i, check := range checks {
		if err := check(s); err != nil {
			return fmt.Errorf("%s: invariant %d: %w", game, i+1, err)
		}
	}
	return nil
}
