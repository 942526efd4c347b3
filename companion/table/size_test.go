package table

import (
	"encoding/json"
	"strings"
	"testing"

	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/cluedo"
	"majordome/engine/deck"
	"majordome/engine/play"
)

// The largest view of random games of Cluedo, with a full note sheet, a vote, a
// pause and a private notice around it, fits the one size of package seal.
func TestCluedoViewsFitTheSeal(t *testing.T) {
	book, err := cluedo.New(deck.Cluedo2008())
	if err != nil {
		t.Fatal(err)
	}
	const seats = 6
	largest, where := 0, ""
	for seed := range uint64(12) {
		g := cluedoGame(t, book, seats, seed)
		measure := func(g engine.Game) {
			for s := engine.Seat(1); s <= seats; s++ {
				v := g.View(engine.At(s))
				for _, act := range []string{actWithdraw, actAgree, actRefuse} {
					v.Offers = append(v.Offers, engine.Offer{Act: act, Rule: "GEN-009", Aside: true})
				}
				data, err := json.Marshal(wire.Update{V: wire.Version, Epoch: 1 << 20, Rev: 1 << 30, Demo: true, Seq: 1 << 50, View: v,
					Notice: &wire.Notice{N: 1 << 52, Msg: engine.Say("table.vote.proposed", "seat", "seat-10"), Rule: "GEN-004", Private: true, Signal: "accepted", Reader: "show"},
					Table:  wire.TableView{Readers: map[string]string{"urn": "lost", "show": "lost"}, Online: []engine.Seat{1, 2, 3, 4, 5, 6}},
					Vote:   &wire.Vote{By: 6, Agreed: []engine.Seat{1, 2, 3, 4, 5}, Of: []engine.Seat{1, 2, 3, 4, 5, 6}},
					Notes:  strings.Repeat("~", wire.MaxNotes)})
				if err != nil {
					t.Fatal(err)
				}
				if len(data) > largest {
					largest, where = len(data), string(data)
				}
			}
		}
		if _, _, err := play.Run(g, &play.Opts{Seed: seed, Check: func(s play.Step) error {
			if s.N%4 == 0 {
				measure(s.After)
			}
			return nil
		}}); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("the largest has %d bytes of %d", largest, wire.MaxView-4)
	if largest > wire.MaxView-4 {
		t.Errorf("%d bytes, at most %d: %s", largest, wire.MaxView-4, where)
	}
}

// cluedoGame is a game of Cluedo 2008 that the machine has dealt, or in one of
// two of which no card is recorded.
func cluedoGame(t *testing.T, book *cluedo.Book, seats int, seed uint64) engine.Game {
	t.Helper()
	g, dice := book.New(), chance.New(seed)
	host := func(act string, args engine.Args) {
		t.Helper()
		evs, r := g.Decide(engine.Command{By: engine.Host, Act: act, Args: args}, dice)
		if r != nil {
			t.Fatalf("seed %d: %s: %v", seed, act, r)
		}
		for _, e := range evs {
			g = g.Evolve(e)
		}
	}
	sat := 0
	for _, n := range book.Names() {
		if n.Kind == "suspect" && sat < seats {
			sat++
			host("sit", engine.Args{"seat": engine.Seat(sat).String(), "name": "Maximilienne-Constance", "character": string(n.ID)})
		}
	}
	host("begin", nil)
	if seed%2 == 0 {
		host("deal", nil)
		return g
	}
	host("sealed", nil)
	host("dealt", nil)
	return g
}
