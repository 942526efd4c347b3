package cluedo

import (
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/internal/custody"
)

// C8-002, C8-004, C8-005: the machine shuffles the deal. Over 400 deals to four players every card comes to every hand, to the pool and to
// the envelope, each about as often as chance predicts.
func TestTheDealIsShuffled(t *testing.T) {
	b, err := New(DefaultDeck("cluedo-2008"))
	if err != nil {
		t.Fatal(err)
	}
	const deals = 400
	var lies [maxCards + 1]map[loc]int
	for c := range lies {
		lies[c] = map[loc]int{}
	}
	for seed := range uint64(deals) {
		g, dice := b.NewGame(), chance.New(seed)
		do := func(act string, args engine.Args) {
			evs, r := g.Decide(engine.Command{By: engine.Host, Act: act, Args: args}, dice)
			if r != nil {
				t.Fatalf("seed %d: %s: %v", seed, act, r)
			}
			g = g.Apply(evs...)
		}
		for x := engine.Seat(1); x <= 4; x++ {
			do("sit", engine.Args{"seat": x.String(), "name": "Guest", "character": b.cardID[x]})
		}
		do("begin", nil)
		do("deal", nil)
		for c := card(1); c <= b.lastCard[kindRoom]; c++ {
			lies[c][g.(*state).cards.LocationOf(c)]++
		}
	}
	for c := card(1); c <= b.lastCard[kindRoom]; c++ {
		kind := b.cardsOfKind(b.kindOf(c)).Count()
		chances := map[loc]float64{locEnvelope: 1 / float64(kind), locBoard + loc(b.pool): (1 - 1/float64(kind)) / 21}
		for x := engine.Seat(1); x <= 4; x++ {
			chances[custody.HandOf(x)] = (1 - 1/float64(kind)) * 5 / 21
		}
		for l, p := range chances {
			if n, want := float64(lies[c][l]), p*deals; n < 1 || n < want/2 || n > want*2+6 {
				t.Errorf("%s lay at %d in %v of %d deals: about %.0f were to be expected", b.cardID[c], l, n, deals, want)
			}
		}
	}
}
