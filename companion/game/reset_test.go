package game

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"majordome/companion/master"
	"majordome/companion/master/group"
	"majordome/companion/store"
	"majordome/engine"
)

// lastNamedBy returns the reader or the viewer whose act named a card last in a game, and the step.
func lastNamedBy(rows []store.Event, card engine.ID) (by, reader string, step int64) {
	for _, r := range rows {
		var x struct {
			By   string            `json:"by"`
			Args map[string]string `json:"args"`
		}
		if len(r.Command) == 0 || json.Unmarshal(r.Command, &x) != nil {
			continue
		}
		if slices.Contains(engine.Args(x.Args).SplitList("cards"), string(card)) || x.Args["card"] == string(card) {
			by, reader, step = x.By, x.Args["reader"], r.Step
		}
	}
	return by, reader, step
}

// After a random part of a random evening with a real deck the host resets the table, and hands clear it past the
// readers. Each missing card must be listed, and no other: a card that a reader has read since then with that moment,
// a card that was in the urn or in a place with the end of the game and no time within it, and a card that went into
// a hand with nothing at all, also where it came from an urn that was emptied by hand.
func TestResetsOfRealDecks(t *testing.T) {
	forEachGame(t, func(t *testing.T, g game) {
		resets, named, hidden := 0, 0, 0
		for seed := range uint64(eveningCount(60, 500)) {
			m := newMemory()
			e := newEvening(t, g, m, seed)
			var deck []engine.ID
			for _, n := range e.books[0].Names() {
				if n.IsCard() && !n.Untagged {
					deck = append(deck, n.ID)
				}
			}
			e.core().Enrolled = deck
			e.seatAndBegin(g.players(seed))
			empty := []int64{0} // steps after which the urn was empty, without those that were undone
			for n := 40 + e.dice.Intn(400); n > 0 && e.last().Public.View.Result == nil; n-- {
				e.play()
				rows := m.events[1]
				last := rows[len(rows)-1]
				if last.Kind == master.KindUndo {
					var u master.Undone
					if err := json.Unmarshal(last.Data, &u); err != nil {
						t.Fatal(err)
					}
					empty = slices.DeleteFunc(empty, func(step int64) bool { return step >= u.Step })
				}
				if e.last().Public.View.Urn == 0 {
					empty = append(empty, last.Step)
				}
			}
			urn := e.last().Public.View.Urn
			e.passTime(time.Duration(1+e.dice.Intn(600)) * time.Second)
			e.mustAct(engine.Host, group.ActNext, "sign", "Zo")
			rows := m.events[1]
			ended := rows[len(rows)-1].Wall
			missing := map[engine.ID]bool{}
			for _, card := range deck {
				if missing[card] = e.dice.Intn(3) == 0; !missing[card] {
					e.passTime(time.Duration(e.dice.Intn(4000)) * time.Millisecond)
					presentCards(e.rig, engine.ReaderShow, string(card))
				}
			}
			resets++
			box := e.last().Host.Box
			if box == nil || len(box.Missing) == 0 {
				t.Fatalf("seed %d: no check of the box, or nothing missing: %+v", seed, box)
			}
			if !slices.Equal(box.Missing, slices.DeleteFunc(slices.Clone(deck), func(c engine.ID) bool { return !missing[c] })) {
				t.Fatalf("seed %d: missing %v of %v", seed, box.Missing, missing)
			}
			told, live := map[engine.ID]bool{}, map[int64]bool{} // the steps that were not undone
			steps, _, _, err := stepsNotUndone(rows)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range steps {
				live[s[0].Step] = true
			}
			if len(box.Where) > urn {
				t.Fatalf("seed %d: %d cards are listed, the urn held %d", seed, len(box.Where), urn)
			}
			for _, w := range box.Where {
				by, reader, _ := lastNamedBy(rows, w.Card)
				told[w.Card] = true
				if !missing[w.Card] || !w.Game || w.At != e.core().readerName(reader) || by != engine.Public.String() {
					t.Fatalf("seed %d: %+v; %s has named it last, at %q", seed, w, by, reader)
				}
				if want := engine.Millis(e.clock.at.Sub(ended).Milliseconds()); w.Ago != want {
					t.Fatalf("seed %d: %s is listed as laid %d ms ago, the game ended %d ms ago", seed, w.Card, w.Ago, want)
				}
				named++
			}
			for card := range missing {
				by, reader, step := lastNamedBy(rows, card)
				lay := by == engine.Public.String() && reader != engine.ReaderShow && reader != "" &&
					(urn > 0 && step > slices.Max(empty) && live[step] || reader != engine.ReaderUrn)
				if missing[card] && lay != told[card] {
					t.Fatalf("seed %d: %s, named last by %q at %q: listed %v", seed, card, by, reader, told[card])
				}
				if missing[card] && by != "" && !lay {
					hidden++
				}
			}
		}
		t.Logf("%d resets of %s: %d missing cards listed with their place, %d held back", resets, g.id, named, hidden)
		if resets == 0 || hidden == 0 || g.id == "huis-clos" && named == 0 {
			t.Error("nothing was shown")
		}
	})
}
