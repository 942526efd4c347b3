package game

import (
	"maps"
	"reflect"
	"slices"

	"majordome/engine"
	"majordome/engine/chance"
)

// canWithdrawLastAct reports whether the last act was a public declaration of this seat by which no player has learned
// or lost anything: it named no card, has no barrier, the machine threw no dice, and all seats know what they
// knew before. That must be true of each other choice of the seat as well; otherwise a withdrawal would show
// that the machine did not know a role or a card. With the machine's dice a seat could throw again and again.
func (c *currentGame) canWithdrawLastAct(seat engine.Seat) bool {
	if c.group.cause != engine.SeatViewer(seat).String() {
		return false
	}
	if now := (withdrawCheck{c.gameID, c.lastStep, false}); c.lastWithdrawCheck.game != now.game || c.lastWithdrawCheck.step != now.step {
		now.allowed = c.gameState.hasLastActRevealedNothing(seat)
		c.lastWithdrawCheck = now
	}
	return c.lastWithdrawCheck.allowed
}

// withdrawCheck caches the last answer of canWithdrawLastAct, which costs some thirty views.
type withdrawCheck struct {
	game, step int64
	allowed    bool
}

// hasLastActRevealedNothing reports whether canWithdrawLastAct applies to the last act, which is one of this seat.
func (p gameState) hasLastActRevealedNothing(seat engine.Seat) bool {
	g := p.group
	if g.step == 0 || g.barrier || g.command.Act == "" {
		return false
	}
	if _, named := g.command.Args["card"]; named {
		return false
	}
	dice := &recordingDice{Dice: chance.New(g.command.Seed)}
	again := engine.Command{At: p.lastStamp, By: engine.SeatViewer(seat), Act: g.command.Act, Args: g.command.Args}
	if _, r := g.before.Decide(again, dice); r != nil || dice.thrown {
		return false
	}
	before, now := g.before.currentViews(), p.game.currentViews()
	if !slices.EqualFunc(before.Seats, now.Seats, func(one, two engine.ViewerPart) bool { return hasSameKnowledge(one.Me, two.Me) }) {
		return false
	}
	was, _ := before.ViewOf(engine.SeatViewer(seat))
	for _, o := range was.Offers {
		if o.Act == g.command.Act && p.hasRevealingChoice(g.before, was, o) {
			return false
		}
	}
	return true
}

// recordingDice record whether they were thrown.
type recordingDice struct {
	engine.Dice
	thrown bool
}

func (d *recordingDice) Intn(n int) int { d.thrown = true; return d.Dice.Intn(n) }

// hasRevealingChoice reports whether any choice of an offer changes what the seat itself knows of cards and roles;
// was is its view before. Each value is tried once.
func (p gameState) hasRevealingChoice(g engine.Game, was engine.View, o engine.Offer) bool {
	by := engine.SeatViewer(was.Me.Seat)
	most := 1
	for _, p := range o.Params {
		most = max(most, len(p.Domain))
	}
	for n := range most {
		args := maps.Clone(o.Fixed)
		if args == nil {
			args = engine.Args{}
		}
		for _, p := range o.Params {
			if len(p.Domain) > 0 {
				args[p.Name] = p.Domain[n%len(p.Domain)]
			}
		}
		events, r := g.Decide(engine.Command{At: p.lastStamp, By: by, Act: o.Act, Args: args}, chance.New(1))
		if r == nil && !hasSameKnowledge(was.Me, g.Apply(events...).View(by).Me) {
			return true
		}
	}
	return false
}

// hasSameKnowledge reports whether a seat knows the same about cards and roles in two views. Facts and marks that
// limit its choice are left out, because they change with the phase.
func hasSameKnowledge(a, b *engine.Own) bool {
	if a == nil || b == nil {
		return a == b
	}
	card := func(x, y engine.CardView) bool { return x.Card == y.Card }
	return a.Role == b.Role && slices.EqualFunc(a.Hand, b.Hand, card) && slices.Equal(a.Tray, b.Tray) && reflect.DeepEqual(a.Seen, b.Seen)
}
