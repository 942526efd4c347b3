package play_test

import (
	"testing"

	"majordome/engine/play"
	"majordome/engine/play/happenings"
)

// The happenings of random games are numbered and the same for all viewers, each code has its own fields, and every code occurs except
// those of a Cluedo.
func TestWhatHappens(t *testing.T) {
	l, err := happenings.New("../happening.go")
	if err != nil {
		t.Fatal(err)
	}
	b := rulebook(t)
	for seed := range uint64(90) {
		_, weigh := sensingLevel(seed)
		if _, _, err := play.Run(b.NewGame(), &play.Opts{Seed: seed, Weigh: weighLobby(seed/3, weigh),
			WantedCommand: overruleSometimes(seed), Cards: taggedCards(b), Check: l.CheckStep}); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("at most %d in one step; %v", l.MaxInStep, l.Counts)
	missing, strangers := l.MissingCodes("turn", "clue", "drew", "played", "power", "sent", "peeked", "looked", "asked", "none", "shown",
		"unrefuted", "called", "amended", "struck", "midnight", "murdered", "exposed", "proven", "killed")
	if missing != nil || strangers != nil {
		t.Errorf("never: %v; not of this game: %v", missing, strangers)
	}
}
