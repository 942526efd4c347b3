package play_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/games"
	"majordome/engine/play"
)

// At every moment of random games, a pawn put on the reader of a place is the same command as that move on its seat's phone, or changes
// nothing: where the seat is offered a way there, the pawn goes one; where it is not, the pawn is refused, and a public refusal has the
// same words for all.
func TestPawnOnAReaderIsTheMoveOnThePhone(t *testing.T) {
	all := games.KnownGames()
	for i, d := range all.DefaultDecks() {
		t.Run(string(all[i].ID), func(t *testing.T) {
			b, err := d.NewRulebook()
			if err != nil {
				t.Fatal(err)
			}
			if len(engine.NamesOfPawns(b.Names())) == 0 || !slices.ContainsFunc(b.Names(), engine.Name.IsLocation) {
				t.Skip("it has no pawns or no places")
			}
			laid, refused := 0, 0
			for seed := range uint64(4) {
				_, _, err := play.Run(b.NewGame(), &play.Opts{Seed: seed, Weigh: weighLobby(seed, nil), Check: func(s play.Step) error {
					n, no, err := layPawns(s.After, s.Command.At, engine.NamesOfPawns(b.Names()))
					laid, refused = laid+n, refused+no
					return err
				}})
				if err != nil {
					t.Fatal(err)
				}
			}
			if t.Logf("laid %d, refused %d", laid, refused); laid == 0 || refused == 0 {
				t.Error("nothing was laid, or nothing refused")
			}
		})
	}
}

// layPawns puts every pawn in every place.
func layPawns(g engine.Game, at engine.Millis, pawns engine.Names) (laid, refused int, _ error) {
	v := g.View(engine.Public)
	for _, p := range v.Places {
		ways := waysTo(g, v, p.Place)
		for _, pawn := range pawns {
			who, _ := engine.PawnOwner(string(pawn.ID))
			mine := slices.ContainsFunc(v.Seats, func(s engine.SeatView) bool {
				return slices.Contains(v.Active, s.Seat) && string(s.Character) == who
			})
			evs, r := decide(g, engine.ScanCommand(at, string(p.Place), []engine.ID{pawn.ID}, 0))
			same := slices.ContainsFunc(ways, func(c engine.Command) bool {
				c.At = at
				said, no := decide(g, c)
				return no == nil && reflect.DeepEqual(said, evs)
			})
			switch {
			case r == nil && !(mine && same):
				return laid, refused, fmt.Errorf("%s laid in %s does what its seat could not say", pawn.ID, p.Place)
			case r != nil && mine && len(ways) > 0:
				return laid, refused, fmt.Errorf("%s laid in %s: %s, and its seat may go there", pawn.ID, p.Place, r.Why.Key)
			case r == nil:
				laid++
			case r.Code != engine.Unwanted:
				refused++
			}
		}
	}
	return laid, refused, nil
}

func decide(g engine.Game, c engine.Command) ([]engine.Event, *engine.Reject) {
	return g.Decide(c, chance.New(1))
}

// waysTo lists the offers by which an active seat moves its own pawn there.
func waysTo(g engine.Game, v engine.View, to engine.ID) (all []engine.Command) {
	for _, x := range v.Active {
		if slices.ContainsFunc(v.Places, func(p engine.PlaceView) bool { return p.Place == to && slices.Contains(p.Pawns, x) }) {
			continue // correcting a pawn's place is not leaving and coming back, which a walk in Super Cluedo may be
		}
		for _, o := range play.OffersOf(g, engine.SeatViewer(x)) {
			if o.Act != "move" && o.Act != "passage" {
				continue
			}
			c := engine.Command{By: engine.SeatViewer(x), Act: o.Act, Args: engine.Args{}}
			if o.Act == "passage" && len(o.Params)+len(o.Fixed) == 0 { // the one of the room
				c.Args["to"] = string(to)
				if _, r := decide(g, c); r == nil {
					all = append(all, c)
				}
				continue
			}
			for _, name := range []string{"to", "place"} {
				for _, p := range o.Params {
					if p.Name == name && slices.Contains(p.Domain, string(to)) {
						c.Args[name] = string(to)
					}
				}
				if o.Fixed[name] == string(to) {
					c.Args[name] = string(to)
				}
			}
			if len(c.Args) > 0 {
				all = append(all, c)
			}
		}
	}
	return all
}
