package games_test

import (
	"fmt"
	"os"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/games"
	"majordome/engine/play"
)

// gameCount is the number of games of each kind: 60, or 25,000 for a soak.
func gameCount() uint64 {
	if os.Getenv("MAJORDOME_SOAK") == "1" {
		return 25_000
	}
	return 60
}

// weighLobby weighs the offers of a lobby, so that a game begins soon.
func weighLobby(_ engine.Viewer, o engine.Offer) int {
	switch o.Act {
	case "sit":
		return 8
	case "begin":
		return 4
	case "count":
		return 0
	}
	return 1
}

// TestOverruling plays every game from the empty lobby on, with a host who overrules the rules at random moments (GEN-009). Every offer is
// accepted, the invariants are true after it, the overruling is announced to the whole table, and the game comes to its end.
func TestOverruling(t *testing.T) {
	for _, game := range games.KnownGames() {
		t.Run(string(game.ID), func(t *testing.T) {
			d, err := game.Parse(string(game.ID), game.Default)
			if err != nil {
				t.Fatal(err)
			}
			book, err := d.NewRulebook()
			if err != nil {
				t.Fatal(err)
			}
			acts, refused := map[string]int{}, error(nil)
			for seed := range gameCount() {
				overrules := play.NewRandomOverruler(seed, 12)
				_, _, err := play.Run(book.NewGame(), &play.Opts{Seed: seed, Weigh: weighLobby,
					WantedCommand: func(g engine.Game) (engine.Command, bool) {
						c, ok := overrules(g)
						if !ok {
							return c, false
						}
						if _, r := g.Decide(c, chance.New(1)); r != nil {
							refused = fmt.Errorf("%s is offered and refused: %w", c.Act, r)
						}
						return c, true
					},
					Check: func(s play.Step) error {
						if o, ok := overruledOffer(s.Before, s.Command); ok {
							acts[o.Act]++
							if len(s.After.View(engine.Public).HappeningsAfter(s.Before.View(engine.Public).LastHappeningNumber())) == 0 {
								return fmt.Errorf("nobody is shown the act %s", o.Act)
							}
						}
						if refused != nil {
							return refused
						}
						return s.After.(interface{ CheckInvariants() error }).CheckInvariants()
					}})
				if err != nil {
					t.Fatal(err)
				}
			}
			t.Log(gameCount(), "games:", acts)
			hasNot := map[engine.ID]string{"huis-clos": "out", "cluedo-classic": "kill", "super-cluedo": "kill"}
			for _, act := range []string{"skip", "turn-to", "kill", "out", "revive", "next-phase", "allow"} {
				if (acts[act] == 0) != (hasNot[game.ID] == act) {
					t.Errorf("%s was done %d times", act, acts[act])
				}
			}
		})
	}
}

// overruledOffer is the offer that a command of the host has taken, if it goes against the rules.
func overruledOffer(g engine.Game, c engine.Command) (engine.Offer, bool) {
	if c.By != engine.Host {
		return engine.Offer{}, false
	}
	for _, o := range play.OffersOf(g, engine.Host) {
		if o.Overrule && o.Act == c.Act {
			return o, true
		}
	}
	return engine.Offer{}, false
}
