package worlds

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/play"
)

// blindSeat is a seat that has not been shown the difference: mostly the one that is
// to act.
func (p *Pair) blindSeat(g engine.Game) (engine.Viewer, bool) {
	if active := g.View(engine.Public).Active; len(active) > 0 && p.Dice.Intn(4) > 0 {
		v := engine.At(active[p.Dice.Intn(len(active))])
		if p.twin.Blind[v] {
			return v, true
		}
	}
	v := Everybody[2+p.Dice.Intn(len(Everybody)-2)]
	return v, p.twin.Blind[v]
}

// heard is all that v is told of a command: by the table, by the reply to its own act,
// or on its phone.
type heard struct {
	accepted bool
	public   engine.Msg
	private  engine.Reject // as far as it is for v
}

func hears(v engine.Viewer, c engine.Command, r *engine.Reject) heard {
	if r == nil {
		return heard{accepted: true}
	}
	h := heard{public: r.Public}
	x, _ := v.Seat()
	if r.To == x || r.To == 0 && c.By == v {
		h.private = engine.Reject{Code: r.Code, Rule: r.Rule, Why: r.Why}
	}
	return h
}

// cheat tries the same act in both worlds, for somebody who cannot tell them apart.
// What it is told, and what it sees afterwards, is the same: else it has learned in
// private where a card lies. Only the alarm, which all hear, may stand against a card
// that is believed in the other world (GEN-E13), never a silence.
//
// A bystander may lay copies beside the seat that is to act. Whether that seat's act
// counts, all see; how it is refused sounds the same for every card.
func (p *Pair) cheat(g, other engine.Game, v engine.Viewer, c engine.Command) error {
	if p.ByDice[c.Act] {
		return nil
	}
	evs, one := g.Decide(c, chance.New(1))
	also, two := other.Decide(c, chance.New(1))
	p.Tally.Cheats++
	if err := errors.Join(p.stands(g, c, evs, one), p.stands(other, c, also, two)); err != nil {
		return err
	}
	a, b := hears(v, c, one), hears(v, c, two)
	alarm := one != nil && one.Rule == engine.RuleAlarm || two != nil && two.Rule == engine.RuleAlarm
	x, _ := v.Seat()
	mine := c.By == v || slices.Contains(g.View(engine.Public).Active, x)
	switch {
	case c.Act == engine.ActScan && silent(one) != silent(two): // nobody would notice, whoever's turn it is
	case a.accepted && b.accepted:
		return p.after(g, other, v, c, evs, also)
	case !mine && a.accepted != b.accepted:
		return nil
	case alarm && a.accepted != b.accepted:
		p.Tally.Alarms++
		return nil
	case reflect.DeepEqual(a, b):
		return nil
	}
	return fmt.Errorf("%s by %s %v: %s is told %+v (%v) and %+v (%v) in two worlds that differ in %+v", c.Act, c.By, c.Args, v, a, one, b, two, p.twin.Swap)
}

// stands says where a deal goes on after an alarm: each further copy would tell its owner one
// card more (GEN-E13). Every card is then refused alike, and nobody but the host may act.
func (p *Pair) stands(g engine.Game, c engine.Command, evs []engine.Event, r *engine.Reject) error {
	if r == nil || r.Rule != engine.RuleAlarm || !g.View(engine.Public).IsDealing() {
		return nil
	}
	p.Tally.Stands++
	g = g.Evolve(evs...)
	var first *engine.Reject
	for i, card := range append(c.Args.List("cards"), p.twin.Two[:]...) {
		evs, r := g.Decide(engine.Scan(c.At+5_000, c.Args["reader"], []engine.ID{engine.ID(card)}, 0), chance.New(1))
		switch {
		case r == nil || len(evs) > 0:
			return fmt.Errorf("after an alarm in the deal %s is judged: %v, %v", card, Kinds(evs), r)
		case i == 0:
			first = r
		case !reflect.DeepEqual(r, first):
			return fmt.Errorf("after an alarm in the deal the refusals of cards differ: %+v, %+v", first, r)
		}
	}
	for _, v := range Everybody {
		if offers := play.Offers(g, v); v.IsHost() != (len(offers) > 0) {
			return fmt.Errorf("after an alarm in the deal %s may %v", v, offers)
		}
	}
	return nil
}

// silent reports that a card is passed over and nobody hears of it.
func silent(r *engine.Reject) bool { return r != nil && r.Public.None() && r.To == 0 }

// after compares what v sees of what has happened in both worlds. What only keeps a
// record is no difference by itself; what v sees with it, is.
func (p *Pair) after(g, other engine.Game, v engine.Viewer, c engine.Command, evs, also []engine.Event) error {
	next := func(g *engine.Game, evs *[]engine.Event) (kinds []string) {
		for len(*evs) > 0 {
			e, rest := (*evs)[0], Kinds(*evs)
			*g, *evs = (*g).Evolve(e), (*evs)[1:]
			if !p.Records[e.Kind()] {
				return rest
			}
		}
		return nil
	}
	for len(evs)+len(also) > 0 {
		one, two := next(&g, &evs), next(&other, &also)
		switch parted := first(one) != first(two); {
		case parted && !p.MayPart(p.twin, c.Act, one) && !p.MayPart(p.twin, c.Act, two):
			return fmt.Errorf("%s by %s %v becomes %s and %s", c.Act, c.By, c.Args, first(one), first(two))
		case parted || p.Reveals[first(one)]:
			return nil
		}
	}
	if apart := Apart(g.View(v), other.View(v)); apart != "" {
		return fmt.Errorf("%s can tell by %s %v two worlds apart that differ in %+v:\n%s", v, c.Act, c.Args, p.twin.Swap, apart)
	}
	return nil
}
