package huisclos

import (
	"slices"
	"strings"
	"testing"

	"majordome/engine"
)

// GEN-002: a viewer without a seat, and a seat without a player, cannot do anything that a seat or the host may do, whatever is awaited. A
// reader without a name waits for nothing (GEN-E11).
func TestStrangers(t *testing.T) {
	phases := map[string]string{
		"pick":          "fill place-suite-bleue 9",
		"investigation": "round 6\npawn seat-1 place-3\nfill place-salon 3\nhand seat-1 clue-worms-1\nhand seat-2 clue-worms-2",
		"deposit":       "round 6\nhand seat-1 clue-worms-1\nhand seat-2 clue-worms-2",
		"recovery":      "round 6\nurn seat-1 clue-worms-1",
	}
	acts := map[string]engine.Args{
		"keep": {"card": "weapon-corde"}, "move": {"place": "place-salon"}, "deposit": {"card": "clue-worms-1"},
		"recover": {"card": "clue-worms-1"},
		"observe": nil, "offer-draw": nil, "disagree": nil, "hold": {"card": "clue-peely-1"}, "forget": {"card": "clue-worms-1"},
		"count": nil, "pawn": {"seat": "seat-1", "place": "place-4"}, "scan": {"reader": "", "cards": "clue-worms-1"},
	}
	for phase, more := range phases {
		g := posed(t, more+"\nphase "+phase).g
		if me := g.View(engine.SeatViewer(7)).Me; me != nil {
			t.Errorf("%s: at an empty seat a hand is seen: %v", phase, me)
		}
		for act, args := range acts {
			for _, by := range []engine.Viewer{engine.Public, engine.SeatViewer(7), engine.SeatViewer(8), engine.SeatViewer(10)} {
				if act == engine.ActScan && by != engine.Public {
					continue // TestEachRefusalItsRule
				}
				_, r := g.Decide(engine.Command{By: by, Act: act, Args: args}, nil)
				switch {
				case r == nil:
					t.Errorf("%s: %s by %v is accepted", phase, act, by)
				case act == engine.ActScan && r.Rule != "GEN-E11",
					act == "move" && by == engine.Public && phase == "investigation" && r.Rule != "GEN-002":
					t.Errorf("%s: %s by %v: %v", phase, act, by, r)
				case (act == "disagree" || act == "hold" || act == "offer-draw" || act == "observe" && by == engine.Public) &&
					r.Code != engine.NotYou:
					t.Errorf("%s: %s by %v: %v, want %s", phase, act, by, r, engine.NotYou)
				}
			}
		}
	}
}

// TestGrave: acts that cannot be taken back ask for a confirmation; no other act does.
func TestGrave(t *testing.T) {
	grave := []string{"accuse", "deposit", "destroy", "no-deposit", "offer-draw", "open", "shown"}
	seen := map[string]bool{}
	for _, more := range []string{
		"phase pick\nfill place-suite-bleue 9",
		"round 6\npawn seat-1 place-3\npawn seat-2 place-salon\nfill place-salon 3\nhand seat-1 clue-worms-1 clue-worms-2 clue-worms-3\n" +
			"hand seat-2 clue-peely-1",
		"round 9\nswitch confrontation-round-limit lifted\ndead seat-2 seat-3\nfill place-3 2",
		"round 2\npawn seat-1 place-3\nfill place-salon 3\nhand seat-1 clue-worms-1",
		"phase deposit\nunknown hand seat-1 1",
		"phase reveal\nunknown urn seat-1\nunknown urn seat-2\nunknown urn seat-3\nunknown urn seat-4",
		"phase recovery\nurn seat-1 clue-worms-1",
	} {
		d := posed(t, more)
		for range 6 {
			var next engine.Offer
			for _, o := range engine.AllowedOffers(d.view(anne).Offers) {
				if seen[o.Act] = true; o.Grave != slices.Contains(grave, o.Act) {
					t.Errorf("%s: grave %v", o.Act, o.Grave)
				}
				if !o.Aside && o.Act != "no-deposit" && o.Act != "offer-draw" {
					next = o
				}
			}
			if next.Act == "" {
				break
			}
			args := []string{}
			for name, value := range next.Fixed {
				args = append(args, name+"="+value)
			}
			for _, p := range next.Params {
				args = append(args, p.Name+"="+p.Domain[len(p.Domain)-1])
			}
			if d.mustDo(anne, next.Act, args...); len(d.g.Deadlines()) > 0 && strings.HasPrefix(d.g.Deadlines()[0].ID, "window") {
				d.waitWindow()
			}
		}
	}
	for _, act := range append(grave, "keep", "move", "search", "recover", "exchange") {
		if !seen[act] {
			t.Errorf("%s was never offered", act)
		}
	}
}

// TestTwoTurnedUpMurderersAreRecorded: turned up role cards that cannot be right, two Murderers, are recorded; others are not (rules, 4.2).
func TestTwoTurnedUpMurderersAreRecorded(t *testing.T) {
	for _, second := range []string{"innocent", "murderer"} {
		d := posed(t, "round 8\nphase recovery\nurn seat-1 clue-worms-1\nunknown role seat-2\nunknown role seat-4").mustDo(anne, "recover",
			"card=clue-worms-1")
		d.mustDo(bruno, "role", "value="+second)
		if s := d.g.(*state); s.rolesAmiss {
			t.Errorf("one card turned up, %s: amiss", second)
		}
		d.mustDo(david, "role", "value=murderer")
		s := d.g.(*state)
		if err := s.CheckInvariants(); s.rolesAmiss != (second == "murderer") || err != nil {
			t.Errorf("%s and murderer: amiss %v, %v", second, s.rolesAmiss, err)
		}
	}
}

// HC-110, HC-111: an empty seat, or a seat that this game does not have, cannot observe.
func TestNobodyObservesFromAnEmptySeat(t *testing.T) {
	d := posed(t, "round 3\nfill place-salon 3\npawn seat-1 place-3").mustDo(anne, "move", "place=place-salon").mustDo(anne, "search")
	for _, x := range []int{7, 8, 9, 10} {
		d.mustRefuse("HC-111", x, "observe")
	}
}
