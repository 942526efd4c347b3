package play_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/games"
	"majordome/engine/play"
)

// forger makes commands out of what it has seen phones send: acts with the names of their arguments, and values that were in an argument of
// that name, in any other, or nowhere.
type forger struct {
	dice   *chance.Dice
	acts   []string
	args   map[string][]string // of an act
	values map[string][]string // of an argument
	others []string
}

func newForger(b engine.Rulebook, seed uint64) *forger {
	f := &forger{dice: chance.New(seed), args: map[string][]string{}, values: map[string][]string{}}
	for _, n := range b.Names() {
		f.others = append(f.others, string(n.ID))
	}
	f.others = append(f.others, "", engine.Unnamed, "0", "-1", "7", "1000000", "seat-1", "seat-2", "seat-11", "seat-0", "2,3",
		"39,39", "true", "é")
	return f
}

// learn records the acts and values of the offers.
func (f *forger) learn(offers []engine.Offer) {
	for _, o := range offers {
		if _, known := f.args[o.Act]; !known {
			f.acts, f.args[o.Act] = append(f.acts, o.Act), []string{}
		}
		for name, v := range o.Fixed {
			f.learnValue(o.Act, name, v)
		}
		for _, p := range o.Params {
			if len(p.Domain) > 0 {
				f.learnValue(o.Act, p.Name, p.Domain[f.dice.Intn(len(p.Domain))])
			}
		}
	}
}

func (f *forger) learnValue(act, name, value string) {
	if !slices.Contains(f.args[act], name) {
		f.args[act] = append(f.args[act], name)
	}
	if all := f.values[name]; len(all) < 60 && !slices.Contains(all, value) {
		f.values[name] = append(all, value)
	}
}

func (f *forger) pickOne(of []string) string { return of[f.dice.Intn(len(of))] }

// command forges a command of one of these viewers. All, some or none of its arguments have been seen before.
func (f *forger) command(at engine.Millis, of []engine.Viewer) engine.Command {
	c := engine.Command{At: at, By: of[f.dice.Intn(len(of))], Act: f.pickOne(f.acts), Args: engine.Args{}}
	for _, name := range f.args[c.Act] {
		switch f.dice.Intn(8) {
		case 0: // left out
		case 1:
			c.Args[name] = f.pickOne(f.others)
		default:
			c.Args[name] = f.pickOne(f.values[name])
		}
	}
	return c
}

// isOffered reports whether an offer allows a command, ignoring additional arguments.
func isOffered(offers []engine.Offer, c engine.Command) bool {
	return slices.ContainsFunc(offers, func(o engine.Offer) bool {
		if o.Act != c.Act {
			return false
		}
		for name, v := range o.Fixed {
			if c.Args[name] != v {
				return false
			}
		}
		return !slices.ContainsFunc(o.Params, func(p engine.Param) bool { return !slices.Contains(p.Domain, c.Args[p.Name]) })
	})
}

// TestForged: at every step of a game forged commands come from the phones of all seats, of empty ones and of the host. A command that no
// offer allows is refused, and changes no view.
func TestForged(t *testing.T) {
	forgeries := 4_000
	if os.Getenv("MAJORDOME_SOAK") == "1" {
		forgeries = 200_000
	}
	all := games.KnownGames()
	for i, d := range all.DefaultDecks() {
		t.Run(string(all[i].ID), func(t *testing.T) {
			b, err := d.NewRulebook()
			if err != nil {
				t.Fatal(err)
			}
			tried, accepted, refusals := 0, 0, map[string]int{}
			for seed := uint64(0); tried < forgeries; seed++ {
				f := newForger(b, seed)
				_, _, err := play.Run(b.NewGame(),
					&play.Opts{Seed: seed, Weigh: weighLobby(seed, nil), Cards: taggedCards(b), Check: func(s play.Step) error {
						g := s.After
						viewers := []engine.Viewer{engine.Host, engine.Overseer} // who may do nothing
						for x := engine.Seat(1); x <= engine.MaxSeats; x++ {     // some are empty
							viewers = append(viewers, engine.SeatViewer(x))
						}
						offers := map[engine.Viewer][]engine.Offer{}
						for _, v := range viewers {
							offers[v] = play.OffersOf(g, v)
							f.learn(offers[v])
						}
						if s.N%5 != 0 || tried >= forgeries {
							return nil
						}
						before := viewBytes(t, g, viewers)
						for range 20 {
							c := f.command(s.Command.At, viewers)
							_, r := g.Decide(c, chance.New(1))
							tried++
							switch {
							case r != nil:
								refusals[r.Rule]++
							case !isOffered(offers[c.By], c):
								return fmt.Errorf("%s does %s with %v, which nobody has offered", c.By, c.Act, c.Args)
							default:
								accepted++
							}
						}
						if !bytes.Equal(before, viewBytes(t, g, viewers)) {
							return fmt.Errorf("a refused command has changed what somebody sees")
						}
						return nil
					}})
				if err != nil {
					t.Fatal(err)
				}
			}
			t.Logf("%d forged, of which %d were offered; refused by %d rules: %v", tried, accepted, len(refusals),
				slices.Sorted(maps.Keys(refusals)))
		})
	}
}

// viewBytes are the views of all viewers as bytes.
func viewBytes(t *testing.T, g engine.Game, viewers []engine.Viewer) []byte {
	t.Helper()
	var all []byte
	for _, v := range append(viewers, engine.Public) {
		data, err := json.Marshal(g.View(v))
		if err != nil {
			t.Fatal(err)
		}
		all = strconv.AppendInt(append(all, data...), int64(len(data)), 10)
	}
	return all
}
