package huisclos

import (
	"fmt"
	"slices"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/play"
)

// GEN-E04 ignores the same card when it is read twice for the same act. A clue that is presented again for another act is another
// presentation: an exchange may draw the very clue that its victim was the last to take (HC-083), and ignoring it would show that to the
// table (GEN-003).
func TestTheClueLastReadCanBeDrawn(t *testing.T) {
	d := posed(t, `
round 2
first seat-1
pawn seat-1 place-3
pawn seat-2 place-4
pawn seat-3 place-5
pawn seat-4 place-6
hand seat-1 clue-worms-1
hand seat-2 clue-worms-2 clue-peely-1 clue-peely-2
place place-7 clue-williams-1 clue-williams-2
`)
	d.mustDo(anne, "move", "place=place-7").mustDo(anne, "search")
	if r := d.read(engine.ReaderShow, 0, "clue-williams-1"); r != nil {
		t.Fatal(r)
	}
	d.mustDo(anne, "done")
	d.mustDo(bruno, "move", "place=place-7").mustDo(bruno, "exchange", "seat=seat-1")
	d.waitWindow()
	if r := d.read(engine.ReaderShow, 0, "clue-williams-1"); r != nil {
		t.Errorf("the clue that the victim took last cannot be drawn: %v %s", r, r.Why.Key)
	}
}

// GEN-003: the moment of an automatic step (a reminder, the end of the observers' time) depends only on public facts. The deadlines stay
// the same if any two clues are exchanged, and for any Murderer.
func TestDeadlinesDoNotDependOnSecrets(t *testing.T) {
	armed := 0
	for seed := range uint64(12) {
		dice := chance.New(seed)
		_, _, err := play.Run(dealtGame(t, 4+int(seed%5), seed), &play.Opts{Seed: seed, Check: func(st play.Step) error {
			s := st.After.(*state)
			want := s.Deadlines()
			armed += len(want)
			for range 4 {
				other := s.swapped(card(dice.Intn(numCards)+1), card(dice.Intn(numCards)+1))
				x, y := dice.Intn(maxSeats)+1, dice.Intn(maxSeats)+1
				other.roles[x], other.roles[y] = s.roles[y], s.roles[x]
				if !slices.Equal(other.Deadlines(), want) {
					return fmt.Errorf("a deadline depends on a hidden card")
				}
			}
			return nil
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
	if armed == 0 {
		t.Error("no deadline was compared")
	}
}

// GEN-002: the host sees whether an undo needs insisting, so that depends on what all players saw happen, never on which card it was.
func TestBarriersDoNotDependOnTheCard(t *testing.T) {
	compared := 0
	_, _, err := play.Run(dealtGame(t, 6, 3), &play.Opts{Seed: 3, Check: func(st play.Step) error {
		for _, one := range st.Events {
			e := one.(*event)
			if _, ok := e.card.Open(); !ok {
				continue
			}
			for c := card(1); c <= numCards; c++ {
				other := *e
				other.card = hideCard(c)
				compared++
				if other.IsBarrier() != e.IsBarrier() {
					return fmt.Errorf("undo of %s reveals which card it was", e.Kind())
				}
			}
		}
		return nil
	}})
	if err != nil || compared == 0 {
		t.Errorf("%v, %d comparisons", err, compared)
	}
}
