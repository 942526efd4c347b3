package huisclos

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/play"
	"majordome/engine/script/scripttest"
)

// possibleArgs are the arguments that each act could take, whatever is legal.
func possibleArgs(b *Book) map[string][]map[string][]string {
	cards, seats := append(slices.Clone(b.cardID[1:]), engine.Unnamed), []string(nil)
	for x := engine.Seat(1); x <= maxSeats; x++ {
		seats = append(seats, x.String())
	}
	places := slices.Clone(b.placeID[1:])
	all := map[string][]map[string][]string{}
	for act := range seatActs {
		all[act] = []map[string][]string{{}}
	}
	for _, act := range []string{"observe", "offer-draw", "begin", "draw-roles", "deal", "laid", "count", "counted"} {
		all[act] = []map[string][]string{{}}
	}
	for _, act := range []string{"keep", "take", "leave", "destroy", "deposit", "recover", "give", "show", "hold", "forget"} {
		all[act] = []map[string][]string{{"card": cards}}
	}
	all["draw"] = []map[string][]string{{}, {"card": cards}}
	all["observe"] = append(all["observe"], map[string][]string{"seat": seats})
	all["disagree"] = []map[string][]string{{}}
	all["pawn"] = []map[string][]string{{"seat": seats, "place": places}}
	all["shuffled"] = []map[string][]string{{"place": places}}
	all["count-is"] = []map[string][]string{{
		"of": append(append([]string{"urn"}, seats...), places...),
		"n":  {"0", "1", "2", "3", "4", "8", "9", "39", "40", "01"},
	}}
	all["shown"] = []map[string][]string{{"confirm": {"", foundFewer}}}
	for _, act := range []string{"exchange", "rise", "first"} {
		all[act] = []map[string][]string{{"seat": seats}}
	}
	all["move"] = []map[string][]string{{"place": places}}
	all["accuse"] = []map[string][]string{{"seat": seats, "card": cards, "confirm": {"", knownInnocent}}}
	for _, act := range []string{"skip", "turn-to", "kill"} {
		all[act] = []map[string][]string{{"seat": seats}}
	}
	all["allow"] = []map[string][]string{{"seat": seats, "rule": append([]string{"HC-091"}, waivers...)}}
	all["revive"] = []map[string][]string{{"seat": seats, "place": places}}
	all["next-phase"] = []map[string][]string{{"phase": phaseNames[:]}}
	all["lay"] = []map[string][]string{{"card": cards, "place": places}}
	all["role"] = []map[string][]string{{"value": {"murderer", "innocent", unknownRole, "butler"}}}
	for _, sw := range switches {
		all["switch"] = append(all["switch"], map[string][]string{"name": {sw.ID}, "value": sw.Values})
	}
	return all
}

// TestOffersComplete tries every act with every argument, in states of random
// games and for every viewer: what Decide accepts was offered.
func TestOffersComplete(t *testing.T) {
	scripttest.SkipIfShort(t)
	b := newBook(t)
	all := possibleArgs(b)
	names := slices.Sorted(maps.Keys(all))
	tried := 0
	for seed := range uint64(15) {
		dice := chance.New(seed)
		_, _, err := play.Run(dealtGame(t, 4+int(seed%5), seed), &play.Opts{Seed: seed, Check: func(st play.Step) error {
			if dice.Intn(6) > 0 {
				return nil
			}
			s := st.After.(*state)
			v := viewer(dice.Intn(maxSeats+2) - 1)
			if x := s.active; x != 0 && dice.Intn(2) == 0 {
				v = engine.SeatViewer(x)
			}
			offers := s.Offers(v)
			for _, act := range names {
				for _, set := range all[act] {
					o := engine.Offer{Act: act}
					for _, name := range slices.Sorted(maps.Keys(set)) {
						o.Params = append(o.Params, engine.Param{Name: name, Domain: set[name]})
					}
					var bad error
					play.EachArgs(o, func(args engine.Args) {
						tried++
						_, r := s.Decide(engine.Command{By: v, Act: act, Args: args}, chance.New(1))
						if r == nil && !isOffered(offers, act, args) {
							bad = fmt.Errorf("%s may %s and is not offered it", v, act)
						}
					})
					if bad != nil {
						return bad
					}
				}
			}
			return nil
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Log("tried:", tried)
}

// TestMoves: an act that ends a game is among the offers that are not aside, and the public is offered nothing (GEN-002, GEN-021).
func TestMoves(t *testing.T) {
	moves, asides := 0, 0
	_, _, err := play.Run(dealtGame(t, 5, 3), &play.Opts{Seed: 3, Check: func(st play.Step) error {
		n, aside, err := play.CheckMoveLister(st.After.(*state))
		moves, asides = moves+n, asides+aside
		return err
	}})
	if err != nil {
		t.Fatal(err)
	}
	if moves == 0 || asides == 0 {
		t.Errorf("%d moves, %d aside", moves, asides)
	}
}

// GEN-E09: no player comes forward to observe while the cards are counted.
func TestMovesOfACount(t *testing.T) {
	d := posed(t, `
round 2
pawn seat-1 place-3
pawn seat-2 place-4
place place-4 clue-worms-1 clue-worms-2
unknown place place-7 4
`).mustDo(anne, "move", "place=place-4").mustDo(anne, "search")
	if len(d.g.(*state).AppendMoves(nil, engine.SeatViewer(bruno))) != 1 {
		t.Fatal("Bruno cannot observe")
	}
	d.mustDo(host, "count")
	if _, _, err := play.CheckMoveLister(d.g.(*state)); err != nil {
		t.Error(err)
	}
}

// isOffered reports that some offer allows these arguments.
func isOffered(offers []engine.Offer, act string, args engine.Args) bool {
	for _, o := range offers {
		ok := o.Act == act
		for k, v := range o.Fixed {
			ok = ok && args[k] == v
		}
		for _, p := range o.Params {
			ok = ok && slices.Contains(p.Domain, args[p.Name])
		}
		if ok {
			return true
		}
	}
	return false
}

// FuzzDecide: no command makes Decide panic or leaves an invariant broken.
func FuzzDecide(f *testing.F) {
	f.Add(uint64(1), uint8(3), "take", "card", "weapon-corde", "reader", "urn")
	f.Add(uint64(2), uint8(60), "scan", "reader", "show", "cards", "weapon-corde,clue-worms-1")
	f.Add(uint64(3), uint8(0), "deadline", "id", "window-3", "", "")
	f.Add(uint64(3), uint8(9), "exchange", "seat", "seat-9", "", "")
	states := []engine.Game{newBook(f).NewGame()}
	for seed := range uint64(4) {
		_, _, err := play.Run(dealtGame(f, 4+int(seed), seed), &play.Opts{Seed: seed, Check: func(s play.Step) error {
			states = append(states, s.After)
			return nil
		}})
		if err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, n uint64, who uint8, act, a, av, b, bv string) {
		g := states[n%uint64(len(states))]
		evs, r := g.Decide(engine.Command{At: 1 << 40, By: viewer(int(who%12) - 1), Act: act, Args: engine.Args{a: av, b: bv}},
			chance.New(n))
		if r != nil {
			return
		}
		g = g.Apply(evs...)
		if err := g.(*state).CheckInvariants(); err != nil {
			t.Error(err)
		}
	})
}
