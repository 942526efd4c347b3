package cluedo_test

import (
	"testing"

	"majordome/engine/chance"
	"majordome/engine/cluedo"
	"majordome/engine/play"
	"majordome/engine/play/happenings"
)

// The happenings of random games are numbered and the same for all viewers, each code has its own fields, and every code occurs except
// those of Huis Clos.
func TestWhatHappens(t *testing.T) {
	l, err := happenings.New("../happening.go")
	if err != nil {
		t.Fatal(err)
	}
	books := []*cluedo.Book{rulebook(t), noBoard(t)}
	for seed := range uint64(74) {
		if seed >= 72 { // putting cards into rooms and reading all again from the start are both rare
			seed = []uint64{75, 251}[seed-72]
		}
		b := books[seed%2]
		if seed >= 60 {
			b = classic(t)
		}
		d := newDealer(b, dealing(seed/2%uint64(numDealings)), chance.New(seed))
		if _, _, err := play.Run(b.NewGame(), withOverruling(eveningOpts(b, seed, d, l.CheckStep))); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("at most %d in one step; %v", l.MaxInStep, l.Counts)
	missing, strangers := l.MissingCodes("received", "assigned", "round", "accusing", "taken", "left", "passed", "gone", "closed",
		"fell", "opened", "named", "spared", "crime", "died", "turned", "confrontation", "recovered", "rest")
	if missing != nil || strangers != nil {
		t.Errorf("never: %v; not of this game: %v", missing, strangers)
	}
}
