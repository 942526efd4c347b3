package cluedo

import (
	"majordome/engine"
	"majordome/engine/board"
	"majordome/engine/deck"
	"majordome/engine/internal/box"
)

// playNow is when each kind of Butler card may be played, and by whom.
func (s *state) playNow(kind string, x engine.Seat) bool {
	own := x == s.active
	switch kind {
	case "stay":
		return own && s.fresh() && s.mayRoll() && s.here() != 0
	case "move-anywhere":
		return own && s.fresh() && s.mayRoll()
	case "plus-six":
		return own && s.step == stepMove
	case "right-neighbour":
		return own && s.step == stepEnd && s.neighbour() != 0
	case "replay":
		return own && s.step == stepEnd && s.running(x)
	case "pawn-home":
		return own && s.step == stepEnd
	case "see-card":
		return s.concerned()&(1<<x) != 0 && x != s.shower
	case "no-answer":
		return s.step == stepAnswer && s.asked != 0 && s.interrupts(x)
	}
	return false
}

// neighbour is the seat that shows a card to the active one (C8-153): the next
// on the right that has a hidden hand.
func (s *state) neighbour() engine.Seat {
	for i := range engine.Seat(maxSeats - 1) {
		x := (s.active+maxSeats-2-i)%maxSeats + 1
		if !s.seats[x].dead && s.seats[x].cards > 0 {
			return x
		}
	}
	return 0
}

// doPlay plays a Butler card: it is shown and leaves the game (C8-141).
func (s *state) doPlay(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, named, r := s.cardArg(c)
	if r != nil || !named || s.book.kind(x) != kindEvent || s.book.events[x] == deck.EventTime {
		return nil, refuse(engine.Unknown, "GEN-E02", "cl.no.kind")
	}
	ev := s.book.events[x]
	rule := s.book.edition.events[ev]
	switch {
	case !s.playNow(ev, by.seat):
		r := refuse(engine.Forbidden, rule, s.book.moments[ev])
		if by.host { // it lies on the table; a tap that comes late betrays no card
			r.Public = engine.Say("cl.no.window-seen")
		}
		return nil, r
	case s.seats[by.seat].butlers == 0 || !s.playable(by, ev).has(x):
		return nil, refuse(engine.Forbidden, rule, "cl.no.not-held")
	}
	played := &event{kind: evPlayed, at: c.At, seat: by.seat, open: x}
	if by.host {
		played.n = byHost
	}
	effect, r := s.effect(by, c, ev)
	if r != nil {
		return nil, r
	}
	return append([]*event{played}, effect...), nil
}

// effect is what a Butler card does.
func (s *state) effect(by actor, c engine.Command, kind string) ([]*event, *engine.Reject) {
	x := by.seat
	switch kind {
	case "stay":
		return []*event{{kind: evMoved, at: c.At, seat: x, pos: s.pawns[s.seats[x].who], text: "card"}}, nil
	case "move-anywhere":
		to, ok := s.goal(c.Args["to"])
		if !ok || !s.anywhere(to) {
			return nil, openly(engine.Forbidden, s.book.edition.events[kind], engine.Say("cl.no.reach"))
		}
		return []*event{{kind: evMoved, at: c.At, seat: x, pos: to, text: "card"}}, nil
	case "right-neighbour":
		return []*event{{kind: evNeighbour, at: c.At, seat: s.neighbour(), other: x}}, nil
	case "replay":
		return []*event{{kind: evReplay, at: c.At, seat: x}}, nil
	case "pawn-home":
		who := s.book.cards[c.Args["suspect"]]
		if s.book.kind(who) != kindSuspect || !s.sendable(uint8(who)) {
			return nil, openly(engine.Forbidden, s.book.edition.events[kind], engine.Say("cl.no.home"))
		}
		return []*event{{kind: evSent, at: c.At, seat: x, who: uint8(who)}}, nil
	case "see-card":
		return s.sees(c.At, x), nil
	case "no-answer":
		return one(evHushed, c.At, x), nil
	}
	return nil, nil // plus-six works when it is played
}

// anywhere reports where "go anywhere" leads: any room but the one left, any
// free square (C8-151).
func (s *state) anywhere(to pos) bool {
	if to.area != 0 {
		return to.area != s.here()
	}
	at, ok := to.square()
	if !ok {
		return true
	}
	for who := 1; who <= len(s.book.deck.Suspects); who++ {
		if q, on := s.pawns[who].square(); on && q == at && uint8(who) != s.seats[s.active].who {
			return false
		}
	}
	return true
}

// sendable reports a pawn that may be sent home: on the board, not one's own (C8-155).
func (s *state) sendable(who uint8) bool {
	return who != s.seats[s.active].who && s.pawns[who].kind != onNothing
}

// sees lets an interrupting seat see the card just shown.
func (s *state) sees(at engine.Millis, x engine.Seat) []*event {
	return []*event{{kind: evSaw, at: at, seat: x, other: s.shower, card: s.shown.For(box.Nobody)}}
}

// doPower uses the Power of a seat's character, once in the game (C8-160).
func (s *state) doPower(by actor, c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	x := by.seat
	power := s.powerOf(x)
	rule := s.book.powers[power]
	switch {
	case power == "":
		return nil, openly(engine.Forbidden, s.book.rules.spent, engine.Say("cl.no.power-spent"))
	case !s.powerNow(power, x):
		return nil, refuse(engine.Forbidden, rule, s.book.moments[power])
	}
	used := &event{kind: evPower, at: c.At, seat: x, text: power}
	effect, r := s.powerEffect(by, c, power, dice)
	if r != nil {
		return nil, r
	}
	return append([]*event{used}, effect...), nil
}

// powerNow is when each Power may be used.
func (s *state) powerNow(power string, x engine.Seat) bool {
	own := x == s.active && s.running(x)
	switch power {
	case "double-move", "go-to-room":
		return own && s.fresh()
	case "hypothesis-elsewhere":
		return own && s.step == stepAct && s.elsewhere()
	case "second-hypothesis":
		return s.step == stepEnd && s.hyp.by == x && !s.said2 && s.here() == s.hypRoom()
	case "see-card":
		return s.concerned()&(1<<x) != 0
	case "random-look":
		return s.concerned()&(1<<x) != 0 && x == s.shower
	}
	return false
}

// forfeits reports that a Butler card of x, played now, gives up its second hypothesis:
// that comes right after the first or not at all (C8-175).
func (s *state) forfeits(x engine.Seat) bool {
	return s.powerOf(x) == "second-hypothesis" && s.powerNow("second-hypothesis", x)
}

// hypRoom is the room of the hypothesis of this turn.
func (s *state) hypRoom() area { return area(s.hyp.what[2] - s.book.from[kindRoom] + 1) }

// elsewhere reports that the active seat may name another room than its own
// (C8-173): from a corridor too, not from the pool.
func (s *state) elsewhere() bool {
	a := s.here()
	return s.free && !s.acted && a != s.book.pool && (a != 0 || s.rule(swOlive) == "off")
}

func (s *state) powerEffect(by actor, c engine.Command, power string, dice engine.Dice) ([]*event, *engine.Reject) {
	x, rule := by.seat, s.book.powers[power]
	switch power {
	case "go-to-room":
		to := s.book.byArea[c.Args["to"]]
		if to == 0 || to == s.here() || s.book.passage[to] != 0 {
			return nil, openly(engine.Forbidden, rule, engine.Say("cl.no.go-to"))
		}
		return []*event{{kind: evMoved, at: c.At, seat: x, pos: pos{area: to}, text: "power"}}, nil
	case "hypothesis-elsewhere":
		what, r := s.named(c, c.Args["room"])
		if r != nil {
			return nil, r
		}
		if s.book.areas[s.here()] == c.Args["room"] {
			return nil, openly(engine.Forbidden, rule, engine.Say("cl.no.elsewhere"))
		}
		return s.hypothesis(by, c.At, what), nil
	case "second-hypothesis":
		if c.Args["room"] != "" && c.Args["room"] != s.book.areas[s.here()] {
			return nil, openly(engine.Forbidden, rule, engine.Say("cl.no.other-room", "room", s.book.areas[s.here()]))
		}
		what, r := s.named(c, s.book.areas[s.here()])
		if r != nil {
			return nil, r
		}
		return s.hypothesis(by, c.At, what), nil
	case "see-card":
		return s.sees(c.At, x), nil
	case "random-look":
		return s.look(by, c, dice)
	}
	return nil, nil // the double move begins with its first roll
}

// look draws one card of the hand of whoever was just shown one (C8-174): by dice
// where there are no cards, else the seat says which one it drew, or does not. What
// is recorded of that hand counts for nothing: to be held to it would tell of it.
func (s *state) look(by actor, c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	e := &event{kind: evLooked, at: c.At, seat: by.seat, other: s.seer}
	_, declared := c.Args["card"]
	x, named, r := s.cardArg(c)
	switch hand := s.held(s.seer) & s.book.mystery(); {
	case s.virtual && !declared:
		for range dice.Intn(hand.count()) {
			hand &= hand - 1
		}
		e.card = hide(hand.first())
	case r != nil:
		return nil, r
	case s.virtual, named && (by.host || !s.possible(by.k, s.seer).has(x)):
		return nil, refuse(engine.Forbidden, s.book.powers["random-look"], "cl.no.not-theirs")
	case named:
		e.card = hide(x)
	}
	return []*event{e}, nil
}

// freeSquares are the squares where no pawn stands.
func (s *state) freeSquares() (all []string) {
	if s.book.board == nil {
		return []string{toCorridor, toQuestion}
	}
	for r, row := range s.book.board.Rows() {
		for c := range len(row) {
			at := board.Square{Col: c, Row: r}
			if s.book.board.IsSquare(at) && s.anywhere(onBoard(at)) {
				all = append(all, at.String())
			}
		}
	}
	return all
}
