package play_test

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"testing"

	"majordome/engine"
	"majordome/engine/games"
	"majordome/engine/games/toy"
	"majordome/engine/play"
	"majordome/engine/play/worlds"
)

// TestEveryGame plays each game of the table from its empty lobby on, dealt and sensed in different ways. Its invariants are true after
// every step, a player can always act, what happens can be stored and read again, and every game ends with a result.
func TestEveryGame(t *testing.T) {
	all := append(games.KnownGames(), toy.TableEntry())
	n := 6
	if os.Getenv("MAJORDOME_SOAK") == "1" {
		n = 200
	}
	for i, d := range all.DefaultDecks() {
		t.Run(string(all[i].ID), func(t *testing.T) {
			b, err := d.NewRulebook()
			if err != nil {
				t.Fatal(err)
			}
			for seed := range uint64(n) {
				g, _, err := play.Run(b.NewGame(), &play.Opts{Seed: seed, Weigh: weighLobby(seed, nil), Cards: taggedCards(b),
					Check: func(s play.Step) error { return checkStep(b, s) }})
				if err != nil {
					t.Fatal(err)
				}
				if g.View(engine.Public).Result == nil {
					t.Fatalf("seed %d ends without a result", seed)
				}
			}
		})
	}
}

// checkStep checks what must be true after every step of any game.
func checkStep(b engine.Rulebook, s play.Step) error {
	for _, e := range s.Events {
		data, err := b.EncodeEvent(e)
		if err != nil {
			return err
		}
		again, err := b.DecodeEvent(e.Kind(), data)
		if err != nil {
			return err
		}
		if twice, err := b.EncodeEvent(again); err != nil || !bytes.Equal(data, twice) {
			return fmt.Errorf("%s is stored otherwise the second time: %v", e.Kind(), err)
		}
		s.Before = s.Before.Apply(again)
	}
	if err := worlds.CheckOverseer(s.After); err != nil {
		return err
	}
	for _, v := range []engine.Viewer{engine.Public, engine.Host, engine.SeatViewer(1), engine.SeatViewer(2), engine.Overseer} {
		if !reflect.DeepEqual(s.Before.View(v), s.After.View(v)) {
			return fmt.Errorf("what %s sees is not what the stored events give", v)
		}
	}
	return s.After.(interface{ CheckInvariants() error }).CheckInvariants()
}
