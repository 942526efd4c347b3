package cluedo_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/cluedo"
	"majordome/engine/play"
)

// posed is a game at a position, one line of text for each line of the position.
func posed(t *testing.T, lines string) *playing {
	t.Helper()
	b := noBoard(t)
	var position []engine.PositionLine
	for i, l := range strings.Split(strings.TrimSpace(lines), "\n") {
		w := strings.Fields(l)
		position = append(position, engine.PositionLine{Line: i + 1, Verb: w[0], Words: w[1:]})
	}
	evs, err := b.BuildPosition(position)
	if err != nil {
		t.Fatal(err)
	}
	g := b.NewGame()
	g = g.Apply(evs...)
	return &playing{t, g}
}

// An act that ends a game is among the offers that are not aside, and the public is offered nothing (GEN-002, GEN-021).
func TestMoves(t *testing.T) {
	moves, asides := 0, 0
	b := rulebook(t)
	d := newDealer(b, byChance, chance.New(5))
	_, _, err := play.Run(b.NewGame(), eveningOpts(b, 5, d, func(st play.Step) error {
		n, aside, err := play.CheckMoveLister(st.After.(interface {
			play.OfferLister
			play.MoveLister
		}))
		moves, asides = moves+n, asides+aside
		return err
	}))
	if err != nil {
		t.Fatal(err)
	}
	if moves == 0 || asides == 0 {
		t.Errorf("%d moves, %d aside", moves, asides)
	}
}

// GEN-006: the acts that the host may play for seats are listed in the order of the seats.
func TestTheHostPlaysInTheOrderOfSeats(t *testing.T) {
	p := posed(t, `seat seat-1 Violet suspect-violet
seat seat-2 Rose suspect-rose
seat seat-3 Olive suspect-olive
hand seat-1 butler-replay-1
hand seat-2 butler-no-answer-1
hand seat-3 butler-see-card-1
cards
active seat-2
pawn suspect-rose room-hall`)
	p.mustDo(engine.SeatViewer(2), "roll", engine.Args{"dice": "3+4"})
	p.mustDo(engine.SeatViewer(2), "move", engine.Args{"to": "room-salon"})
	p.mustDo(engine.SeatViewer(2), "hypothesis", engine.Args{"suspect": "suspect-leblanc", "weapon": "weapon-hache"})
	var of []string
	for _, o := range p.g.View(engine.Host).Offers {
		if o.Act == "play" {
			of = append(of, o.Fixed["for"])
		}
	}
	if !slices.Equal(of, []string{"seat-1", "seat-2", "seat-3"}) {
		t.Errorf("for %v", of)
	}
}

// C8-175: playing a card at the end of the turn costs Violet's second hypothesis, so it asks for a confirmation while she has one to lose.
func TestACardThatForfeitsIsGrave(t *testing.T) {
	p := posed(t, `seat seat-1 Violet suspect-violet
seat seat-2 Rose suspect-rose
seat seat-3 Olive suspect-olive
hand seat-1 butler-pawn-home-1 butler-replay-1
cards
pawn suspect-violet room-hall`)
	x := engine.SeatViewer(1)
	p.mustDo(x, "roll", engine.Args{"dice": "3+4"})
	p.mustDo(x, "move", engine.Args{"to": "room-salon"})
	p.mustDo(x, "hypothesis", engine.Args{"suspect": "suspect-leblanc", "weapon": "weapon-hache"})
	for _, y := range []engine.Seat{2, 3} {
		p.mustDo(engine.SeatViewer(y), "none", nil)
		d := p.g.Deadlines()[0]
		evs, _ := p.g.Decide(engine.Command{At: d.At, By: engine.Public, Act: engine.ActDeadline, Args: engine.Args{"id": d.ID}},
			chance.New(1))
		p.g = p.g.Apply(evs...)
	}
	grave := func() (n, of int) {
		for _, v := range []engine.Viewer{x, engine.Host} {
			for _, o := range play.OffersOf(p.g, v) {
				if o.Act == "play" {
					of++
					if o.Grave {
						n++
					}
				}
			}
		}
		return n, of
	}
	if n, of := grave(); of != 4 || n != of {
		t.Errorf("%d of %d cards ask for a confirmation", n, of)
	}
	p.mustDo(x, "play", engine.Args{"card": "butler-pawn-home-1", "suspect": "suspect-rose"})
	if n, of := grave(); of == 0 || n != 0 {
		t.Errorf("nothing is to be lost, and %d of %d cards ask for a confirmation", n, of)
	}
}

// C8-171, C8-175: at the start of a turn there is no second hypothesis to be lost.
func TestACardBeforeTheMoveIsNotGrave(t *testing.T) {
	p := posed(t, `seat seat-1 Moutarde suspect-moutarde
seat seat-2 Rose suspect-rose
seat seat-3 Olive suspect-olive
hand seat-1 butler-stay
cards
pawn suspect-moutarde room-hall`)
	for _, o := range play.OffersOf(p.g, engine.SeatViewer(1)) {
		if o.Act == "play" && o.Grave {
			t.Error("the card asks for a confirmation")
		}
	}
	if !isOffered(p.g, engine.SeatViewer(1), "play", engine.Args{"card": "butler-stay"}) {
		t.Error("the card is not offered")
	}
}

// mustRefuse expects an act of a seat to be refused by a rule.
func (p *playing) mustRefuse(x engine.Seat, code engine.Code, rule, act string, args engine.Args) {
	p.t.Helper()
	_, r := p.g.Decide(engine.Command{By: engine.SeatViewer(x), Act: act, Args: args}, chance.New(1))
	if r == nil || r.Code != code || r.Rule != rule {
		p.t.Errorf("%s %v: %v", act, args, r)
	}
}

// C8-173: a Power that replaces the hypothesis of another turn may be used in the player's own turn.
func TestThePowerOfAnotherSeat(t *testing.T) {
	p := posed(t, `seat seat-1 Violet suspect-violet
seat seat-2 Rose suspect-rose
seat seat-3 Olive suspect-olive
pawn suspect-violet room-hall`)
	p.mustDo(engine.SeatViewer(1), "roll", engine.Args{"dice": "3+4"})
	p.mustDo(engine.SeatViewer(1), "move", engine.Args{"to": "room-salon"})
	p.mustRefuse(3, engine.Forbidden, "C8-173", "power",
		engine.Args{"suspect": "suspect-rose", "weapon": "weapon-hache", "room": "room-spa"})
}

// C8-041: the inside of a room is no square, and no place to name.
func TestAMoveOffTheBoard(t *testing.T) {
	p := &playing{t, rulebook(t).NewGame()}
	for i, who := range []string{"rose", "violet", "olive"} {
		p.mustDo(engine.Host, "sit", engine.Args{"seat": engine.Seat(i + 1).String(), "name": who, "character": "suspect-" + who})
	}
	p.mustDo(engine.Host, "begin", nil)
	p.mustDo(engine.Host, "deal", nil)
	p.mustDo(engine.Host, "first", engine.Args{"seat": "seat-1"})
	p.mustDo(engine.SeatViewer(1), "roll", engine.Args{"dice": "2+2"})
	p.mustRefuse(1, engine.Unknown, "C8-041", "move", engine.Args{"to": "0,0"})
}

// isOffered reports whether an act of v is among its offers. Arguments that no offer has are ignored, except the seat that a host acts for.
func isOffered(g engine.Game, v engine.Viewer, act string, args engine.Args) bool {
	return slices.ContainsFunc(play.OffersOf(g, v), func(o engine.Offer) bool {
		if o.Act != act || v.IsHost() && o.Fixed["for"] != args["for"] {
			return false
		}
		for name, value := range o.Fixed {
			if args[name] != value {
				return false
			}
		}
		return !slices.ContainsFunc(o.Params, func(q engine.Param) bool { return !slices.Contains(q.Domain, args[q.Name]) })
	})
}

// checkUnlisted tries forms of "play" and "power", with and without each of their arguments, and returns an error for
// one that is accepted and not offered.
func checkUnlisted(g engine.Game, dice *chance.Dice, cards []string) error {
	seat := engine.Seat(1 + dice.Intn(6))
	args, rolls := engine.Args{}, chance.New(1)
	for _, v := range []engine.Viewer{engine.Host, engine.SeatViewer(seat)} {
		for _, act := range []string{"play", "power"} {
			full := engine.Args{"for": seat.String(), "suspect": "suspect-rose", "weapon": "weapon-corde", "room": "room-spa",
				"to":   []string{"pool", "room-hall", "corridor"}[dice.Intn(3)],
				"card": []string{cards[dice.Intn(len(cards))], engine.Unnamed}[dice.Intn(2)]}
			for form := range 1 << 4 {
				clear(args)
				maps.Copy(args, full)
				for i, names := range [][]string{{"card"}, {"for"}, {"suspect", "weapon"}, {"to", "room"}} {
					if form>>i&1 != 0 {
						for _, name := range names {
							delete(args, name)
						}
					}
				}
				if _, r := g.Decide(engine.Command{By: v, Act: act, Args: args}, rolls); r == nil && !isOffered(g, v, act, args) {
					return fmt.Errorf("%s of %s is accepted with %v and not offered", act, v, args)
				}
			}
		}
	}
	return nil
}

// A page shows an accusation that is said aloud and covers one that is written on the phone. The host, who may not read the latter, is
// offered no names (C8-111, SC-092).
func TestAccusationsAreShownOnlyToThoseWhoMayReadThem(t *testing.T) {
	for game, heard := range map[engine.ID]bool{"cluedo-2008": true, "super-cluedo": false} {
		d := cluedo.DefaultDeck(game)
		b := bookOf(t, d)
		seen := map[engine.Viewer]int{}
		for seed := uint64(0); seed < 30 && len(seen) < 2; seed++ {
			_, _, err := play.Run(b.NewGame(), eveningOpts(b, seed, newDealer(b, byChance, chance.New(seed)), func(s play.Step) error {
				for _, v := range []engine.Viewer{engine.Host, s.Command.By} {
					for _, o := range play.OffersOf(s.Before, v) {
						if o.Act != "accuse" {
							continue
						}
						seen[engine.Viewer{}]++
						if v.IsHost() {
							seen[v]++
						}
						if v.IsHost() && !heard && len(o.Params) > 0 {
							return fmt.Errorf("%s: the host is offered names", game)
						}
						for _, p := range o.Params {
							if p.IsHiddenUntilTouched() == heard {
								return fmt.Errorf("%s: %s of %s covered: %t", game, p.Name, v, p.IsHiddenUntilTouched())
							}
						}
					}
				}
				return nil
			}))
			if err != nil {
				t.Fatal(err)
			}
		}
		if len(seen) < 2 {
			t.Errorf("%s: no accusation was offered: %v", game, seen)
		}
	}
}
