package play_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"hash"
	"os"
	"testing"

	"majordome/engine"
	"majordome/engine/games"
	"majordome/engine/games/toy"
	"majordome/engine/play"
)

var update = flag.Bool("update", false, "write testdata/same-games.txt again")

// sameGames is the number of games of each edition that are compared, longGames that in a soak.
const (
	sameGames = 6
	longGames = 1000
	sameFile  = "testdata/same-games.txt"
)

// TestSameGames: the same seeds play the same games as before a change of the engines: commands, events, deadlines, and what every viewer
// is shown and offered at each step, all in one hash for each edition. A change of the rules has to change the hash, in a commit that says
// so; a change of the code only must not.
func TestSameGames(t *testing.T) {
	var got bytes.Buffer
	all := append(games.KnownGames(), toy.TableEntry())
	for i, d := range all.DefaultDecks() {
		b, err := d.NewRulebook()
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []uint64{sameGames, longGames} {
			if n == longGames && os.Getenv("MAJORDOME_SOAK") != "1" && !*update {
				continue
			}
			fmt.Fprintf(&got, "%s %d %x\n", all[i].ID, n, hashGames(t, b, n))
		}
	}
	if *update {
		if err := os.WriteFile(sameFile, got.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(sameFile)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(got.Bytes()) {
		if !bytes.Contains(want, line) {
			t.Errorf("other games than before: %sif the rules have changed: go test ./engine/play -run TestSameGames -update", line)
		}
	}
}

// hashGames plays n games of a rulebook and hashes all that can be seen of them.
func hashGames(t *testing.T, b engine.Rulebook, n uint64) []byte {
	t.Helper()
	sum := sha256.New()
	for seed := range n {
		_, _, err := play.Run(b.NewGame(), &play.Opts{Seed: seed, Weigh: weighLobby(seed, nil), Cards: taggedCards(b),
			WantedCommand: overruleSometimes(seed),
			Check:         func(s play.Step) error { return hashStep(sum, b, s) }})
		if err != nil {
			t.Fatal(err)
		}
	}
	return sum.Sum(nil)
}

// hashStep adds a step to a hash.
func hashStep(sum hash.Hash, b engine.Rulebook, s play.Step) error {
	out := json.NewEncoder(sum)
	if err := out.Encode(s.Command); err != nil {
		return err
	}
	for _, e := range s.Events {
		data, err := b.EncodeEvent(e)
		if err != nil {
			return err
		}
		fmt.Fprintf(sum, "%s %s\n", e.Kind(), data)
	}
	fmt.Fprintln(sum, s.After.Deadlines())
	return out.Encode(engine.BuildViews(s.After))
}
