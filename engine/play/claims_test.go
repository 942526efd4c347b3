package play_test

import (
	"fmt"
	"maps"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/play"
	"majordome/engine/play/worlds"
	"majordome/engine/script/scripttest"
)

// weighUnread weighs the offers of a table without readers: the clues are distributed by the rules, and the machine has seen none.
func weighUnread(_ engine.Viewer, o engine.Offer) int {
	if o.Aside || o.Act == "deal" {
		return 0
	}
	return 1
}

// withoutName is the same command of a seat that does not say which clue it moves.
func withoutName(g engine.Game, c engine.Command) engine.Command {
	if c.Args["card"] == "" {
		return c
	}
	for _, o := range play.OffersOf(g, c.By) {
		if o.Act == c.Act && o.Fixed["card"] == engine.Unnamed {
			c.Args = maps.Clone(c.Args)
			c.Args["card"] = engine.Unnamed
		}
	}
	return c
}

// TestClaimsShowToNobody plays evenings without readers twice: in the second, seat 1 never names to the machine the clues that it moves.
// Only seat 1 and the host (in its grades) may notice the difference: what a seat says of its cards on its phone is its own affair
// (GEN-021, GEN-022, GEN-024).
func TestClaimsShowToNobody(t *testing.T) {
	scripttest.SkipIfShort(t)
	b := rulebook(t)
	steps, silent, views := 0, 0, 0
	parted := map[string]int{}
	for seed := range uint64(60) {
		dice := chance.New(seed * 611953)
		other, goes := b.NewGame(), true
		h := newHistory(b)
		shown := map[engine.Viewer]bool{engine.Host: true, engine.SeatViewer(1): true} // who may know
		_, _, err := play.Run(b.NewGame(), &play.Opts{Seed: seed, Weigh: weighLobby(seed, weighUnread), Check: func(s play.Step) error {
			if !goes {
				return nil
			}
			if _, err := h.Add(s.Events); err != nil {
				return err
			}
			for _, show := range h.NewShowings() { // by hand, in an exchange or as an observer
				if s.Command.Act != "search" && s.Command.By != show.To {
					shown[show.To] = true
				}
			}
			if s.Command.Act == "exchange" && s.Command.Args["seat"] == "seat-1" {
				// The machine can draw by dice only from a hand that it knows (HC-083), so the player who draws sees which of the two it is
				// asked for.
				shown[engine.SeatViewer(s.Before.View(engine.Public).Active[0])] = true
			}
			c := s.Command
			if c.By == engine.SeatViewer(1) {
				if c = withoutName(other, c); c.Args["card"] != s.Command.Args["card"] {
					silent++
				}
			}
			evs := s.Events
			if !byDice[c.Act] {
				var r *engine.Reject
				if evs, r = other.Decide(c, chance.New(1)); r != nil {
					parted["refused "+c.Act]++
					goes = false
					return nil
				}
			}
			for i := range max(len(evs), len(s.Events)) {
				if i >= len(evs) || i >= len(s.Events) || evs[i].Kind() != s.Events[i].Kind() {
					parted[c.Act]++
					goes = false
					return nil
				}
				other = other.Apply(evs[i])
			}
			steps++
			if h.audit.HasDebrief() && s.After.View(engine.Public).Result != nil {
				return nil // the table has chosen to hear what the machine knows (GEN-008)
			}
			for _, v := range worlds.AllViewers {
				if shown[v] || dice.Intn(3) > 0 {
					continue
				}
				views++
				if apart := worlds.FirstDifference(s.After.View(v), other.View(v)); apart != "" {
					return fmt.Errorf("%s can tell whether seat 1 names its clues:\n%s", v, apart)
				}
			}
			return nil
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d steps in both, %d acts kept from the machine, %d views compared; parted by %v", steps, silent, views, parted)
	if silent < 100 || views < 1000 {
		t.Error("too little was compared")
	}
}
