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

// chooseBlindViewer chooses a viewer, mostly a seat that has to act; ok is false if it has been shown
// the difference.
func (p *Pair) chooseBlindViewer(g engine.Game) (viewer engine.Viewer, ok bool) {
	if active := g.View(engine.Public).Active; len(active) > 0 && p.Dice.Intn(4) > 0 {
		v := engine.SeatViewer(active[p.Dice.Intn(len(active))])
		if p.second.Blind[v] {
			return v, true
		}
	}
	v := AllViewers[2+p.Dice.Intn(len(AllViewers)-2)]
	return v, p.second.Blind[v]
}

// outcome is everything that a viewer learns from a command: from the table, from the reply to its
// own act, or on its phone.
type outcome struct {
	accepted bool
	public   engine.Msg
	private  engine.Reject // only the fields that the viewer receives
}

func outcomeFor(v engine.Viewer, c engine.Command, r *engine.Reject) outcome {
	if r == nil {
		return outcome{accepted: true}
	}
	h := outcome{public: r.Public}
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
func (p *Pair) tryCheat(g, other engine.Game, v engine.Viewer, c engine.Command) error {
	if p.RandomActs[c.Act] {
		return nil
	}
	evs, one := g.Decide(c, chance.New(1))
	also, two := other.Decide(c, chance.New(1))
	p.Tally.Cheats++
	if err := errors.Join(p.checkStoppedDeal(g, c, evs, one), p.checkStoppedDeal(other, c, also, two)); err != nil {
		return err
	}
	a, b := outcomeFor(v, c, one), outcomeFor(v, c, two)
	alarm := one != nil && one.Rule == engine.RuleAlarm || two != nil && two.Rule == engine.RuleAlarm
	x, _ := v.Seat()
	mine := c.By == v || slices.Contains(g.View(engine.Public).Active, x)
	switch {
	case c.Act == engine.ActScan && isSilent(one) != isSilent(two): // an error: a cheater could test cards unnoticed
	case a.accepted && b.accepted:
		return p.compareAfter(g, other, v, c, evs, also)
	case !mine && a.accepted != b.accepted:
		return nil
	case alarm && a.accepted != b.accepted:
		p.Tally.Alarms++
		return nil
	case reflect.DeepEqual(a, b):
		return nil
	}
	return fmt.Errorf("%s by %s %v: %s is told %+v (%v) and %+v (%v) in two worlds that differ in %+v",
		c.Act, c.By, c.Args, v, a, one, b, two, p.second.Swap)
}

// checkStoppedDeal returns an error if a deal goes on after an alarm, because each further copy
// would reveal one more card to its owner (GEN-E13). The game must then refuse every card in the
// same way, and only the host may act.
func (p *Pair) checkStoppedDeal(g engine.Game, c engine.Command, evs []engine.Event, r *engine.Reject) error {
	if r == nil || r.Rule != engine.RuleAlarm || !g.Progress().IsDealing() {
		return nil
	}
	p.Tally.StoppedDeals++
	g = g.Apply(evs...)
	var first *engine.Reject
	for i, card := range append(c.Args.SplitList("cards"), p.second.Cards[:]...) {
		evs, r := g.Decide(engine.ScanCommand(c.At+5_000, c.Args["reader"], []engine.ID{engine.ID(card)}, 0), chance.New(1))
		switch {
		case r == nil || len(evs) > 0:
			return fmt.Errorf("after an alarm in the deal %s is judged: %v, %v", card, EventKinds(evs), r)
		case i == 0:
			first = r
		case !reflect.DeepEqual(r, first):
			return fmt.Errorf("after an alarm in the deal the refusals of cards differ: %+v, %+v", first, r)
		}
	}
	for _, v := range AllViewers {
		if offers := play.OffersOf(g, v); v.IsHost() != (len(offers) > 0) {
			return fmt.Errorf("after an alarm in the deal %s may %v", v, offers)
		}
	}
	return nil
}

// isSilent reports whether a card is ignored and no one is informed.
func isSilent(r *engine.Reject) bool { return r != nil && r.Public.IsEmpty() && r.To == 0 }

// compareAfter compares what v sees of the events in both worlds. Events that only keep a record
// may differ, but not what v sees of them.
func (p *Pair) compareAfter(g, other engine.Game, v engine.Viewer, c engine.Command, evs, also []engine.Event) error {
	next := func(g *engine.Game, evs *[]engine.Event) (kinds []string) {
		for len(*evs) > 0 {
			e, rest := (*evs)[0], EventKinds(*evs)
			*g, *evs = (*g).Apply(e), (*evs)[1:]
			if !p.RecordKinds[e.Kind()] {
				return rest
			}
		}
		return nil
	}
	for len(evs)+len(also) > 0 {
		one, two := next(&g, &evs), next(&other, &also)
		switch parted := firstKind(one) != firstKind(two); {
		case parted && !p.MayDiffer(p.second, c.Act, one) && !p.MayDiffer(p.second, c.Act, two):
			return fmt.Errorf("%s by %s %v becomes %s and %s", c.Act, c.By, c.Args, firstKind(one), firstKind(two))
		case parted || p.RevealingKinds[firstKind(one)]:
			return nil
		}
	}
	if apart := FirstDifference(g.View(v), other.View(v)); apart != "" {
		return fmt.Errorf("%s can tell by %s %v two worlds apart that differ in %+v:\n%s", v, c.Act, c.Args, p.second.Swap, apart)
	}
	return nil
}
