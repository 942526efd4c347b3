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

// chooseBlindSeat chooses a viewer, mostly a seat that has to act; ok is false if it has been shown
// the difference.
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

// outcome is everything that a viewer learns from a command: from the table, from the reply to its
// own act, or on its phone.
type heard struct {
	accepted bool
	public   engine.Msg
	private  engine.Reject // only the fields that the viewer receives
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

// tryCheat tries the same act in both worlds, for a viewer who cannot distinguish them. What the
// viewer receives and then sees must be the same, else it has learned in private where a card is.
// Only the alarm, which all receive, may refuse a card in one world that is accepted in the other
// (GEN-E13); silence may not.
//
// A bystander may put copies on a reader next to the seat that acts. All see whether that seat's
// act counts; its refusal looks the same for every card.
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
	case c.Act == engine.ActScan && silent(one) != silent(two): // an error: a cheater could test cards unnoticed
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
	return fmt.Errorf("%s by %s %v: %s is told %+v (%v) and %+v (%v) in two worlds that differ in %+v",
		c.Act, c.By, c.Args, v, a, one, b, two, p.twin.Swap)
}

// checkStoppedDeal returns an error if a deal goes on after an alarm, because each further copy
// would reveal one more card to its owner (GEN-E13). The game must then refuse every card in the
// same way, and only the host may act.
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

// isSilent reports whether a card is ignored and no one is informed.
func silent(r *engine.Reject) bool { return r != nil && r.Public.None() && r.To == 0 }

// compareAfter compares what v sees of the events in both worlds. Events that only keep a record
// may differ, but not what v sees of them.
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
