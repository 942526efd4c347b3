package huisclos

import (
	"testing"

	"majordome/engine"
)

// GEN-002: who has no seat, and a seat where nobody sits, does nothing that a seat or
// the host may do, whatever is awaited; and a reader without a name waits for nothing
// (GEN-E11).
func TestStrangers(t *testing.T) {
	phases := map[string]string{
		"pick":          "fill place-suite-bleue 9",
		"investigation": "round 6\npawn seat-1 place-3\nfill place-salon 3\nhand seat-1 clue-worms-1\nhand seat-2 clue-worms-2",
		"deposit":       "round 6\nhand seat-1 clue-worms-1\nhand seat-2 clue-worms-2",
		"recovery":      "round 6\nurn seat-1 clue-worms-1",
	}
	acts := map[string]engine.Args{
		"keep": {"card": "weapon-corde"}, "move": {"place": "place-salon"}, "deposit": {"card": "clue-worms-1"}, "recover": {"card": "clue-worms-1"},
		"observe": nil, "offer-draw": nil, "disagree": nil, "hold": {"card": "clue-peely-1"}, "forget": {"card": "clue-worms-1"},
		"count": nil, "pawn": {"seat": "seat-1", "place": "place-4"}, "scan": {"reader": "", "cards": "clue-worms-1"},
	}
	for phase, more := range phases {
		g := posed(t, more+"\nphase "+phase).g
		for act, args := range acts {
			for _, by := range []engine.Viewer{engine.Public, engine.At(7), engine.At(8)} {
				if act == engine.ActScan && by != engine.Public {
					continue // TestEachRefusalItsRule
				}
				_, r := g.Decide(engine.Command{By: by, Act: act, Args: args}, nil)
				switch {
				case r == nil:
					t.Errorf("%s: %s by %v is accepted", phase, act, by)
				case act == engine.ActScan && r.Rule != "GEN-E11", act == "move" && by == engine.Public && phase == "investigation" && r.Rule != "GEN-002":
					t.Errorf("%s: %s by %v: %v", phase, act, by, r)
				case (act == "disagree" || act == "hold") && r.Code != engine.NotYou:
					t.Errorf("%s: %s by %v: %v, want %s", phase, act, by, r, engine.NotYou)
				}
			}
		}
	}
}
