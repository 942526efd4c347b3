package cluedo_test

import (
	"fmt"
	"slices"

	"majordome/engine"
	"majordome/engine/cluedo"
	"majordome/engine/play"
)

// referee checks the rules as a spectator would: it knows what all players can see and hear, and nothing of the inside of the engine (part
// 2.11 of the rules of each edition).
type referee struct {
	before engine.View
	asked  int                       // hypotheses of this turn
	rooms  map[engine.Seat]engine.ID // of the last hypothesis of each seat
	spoken map[engine.Seat]bool      // has accused
	starts map[string]bool           // squares that may hold a second pawn, one that was sent home (C8-155)
}

// refereeOf makes a referee that knows the start squares of the board, as the pages do.
func refereeOf(b *cluedo.Book) referee {
	r := referee{starts: map[string]bool{}}
	for _, n := range b.Names() {
		if n.Plan != nil {
			for _, at := range n.Plan.Starts {
				r.starts[at] = true
			}
		}
	}
	return r
}

// plain lists the editions whose turns nothing interrupts: no card and no Power changes a rule.
var plain = map[engine.ID]bool{"super-cluedo": true, "cluedo-classic": true}

// checkStep returns an error if a step breaks the rules.
func (r *referee) checkStep(s play.Step) error {
	v := s.After.View(engine.Public)
	if r.rooms == nil {
		r.rooms, r.spoken = map[engine.Seat]engine.ID{}, map[engine.Seat]bool{}
		r.before = s.Before.View(engine.Public)
	}
	was := r.before
	r.before = v
	if was.Phase != "turn" || was.Case == nil || v.Case == nil {
		return nil
	}
	by := was.Case.Turn
	for _, e := range s.Events {
		switch e.Kind() {
		case "turn", "replay":
			r.asked = 0
		case "hypothesis":
			if err := r.checkHypothesis(was, v, by); err != nil {
				return err
			}
		case "accused":
			if r.spoken[by] {
				return fmt.Errorf("%s accuses twice (C8-110, SC-090, CC-070)", by)
			}
			r.spoken[by] = true
		case "rolled", "moved", "spied":
			if plain[v.Game] && atSeat(was, by).Out {
				return fmt.Errorf("%s has accused wrongly and goes on: %s (SC-095, CC-075)", by, e.Kind())
			}
		}
	}
	if err := checkHands(was, v, s); err != nil {
		return err
	}
	if err := r.checkSquares(v); err != nil {
		return err
	}
	return checkAnswerOrder(v)
}

func atSeat(v engine.View, x engine.Seat) (none engine.SeatView) {
	if i := slices.IndexFunc(v.Seats, func(s engine.SeatView) bool { return s.Seat == x }); i >= 0 {
		return v.Seats[i]
	}
	return none
}

// checkHypothesis checks that the seat whose turn it is asks, once in a turn, about the room it is in, and not about the room of its last
// hypothesis where a rule forbids that. The named suspect and weapon come to that room.
func (r *referee) checkHypothesis(was, v engine.View, by engine.Seat) error {
	h := v.Case.Hypothesis
	last := r.rooms[by]
	r.rooms[by] = h.Room
	r.asked++
	switch {
	case h.By != by:
		return fmt.Errorf("%s asks in the turn of %s (C8-070, SC-021, CC-021)", h.By, by)
	case plain[v.Game] && r.asked > 1:
		return fmt.Errorf("%s asks twice in a turn (SC-070, CC-052)", by)
	case plain[v.Game] && atSeat(was, by).Place != h.Room:
		return fmt.Errorf("%s asks about %s from %q (SC-072, CC-050)", by, h.Room, atSeat(was, by).Place)
	case v.Game == "super-cluedo" && last == h.Room:
		return fmt.Errorf("%s asks again in %s (SC-071)", by, h.Room)
	}
	for _, p := range v.Case.Pawns {
		if p.Suspect == h.Suspect && !p.Gone && p.At != h.Room {
			return fmt.Errorf("%s was named and stands in %q (C8-072, SC-072, CC-051)", p.Suspect, p.At)
		}
	}
	for _, t := range v.Case.Tokens {
		if t.Weapon == h.Weapon && t.At != h.Room {
			return fmt.Errorf("%s was named and lies in %q (C8-072, SC-072, CC-051)", t.Weapon, t.At)
		}
	}
	return nil
}

// checkHands checks that no card changes its owner except by a count or a murder.
func checkHands(was, v engine.View, s play.Step) error {
	if !plain[v.Game] || s.Command.Act == "count-is" || s.Command.Act == "counted" {
		return nil
	}
	for _, x := range v.Seats {
		if n := atSeat(was, x.Seat).Cards; n != x.Cards {
			return fmt.Errorf("%s had %d cards and has %d after %s (SC-008, CC-006)", x.Seat, n, x.Cards, s.Command.Act)
		}
	}
	return nil
}

// checkSquares checks that there is one pawn on each square. A start square may hold a second one where a card sends pawns home.
func (r *referee) checkSquares(v engine.View) error {
	on := map[string]engine.ID{}
	for _, p := range v.Case.Pawns {
		if _, err := fmt.Sscanf(p.Square, "%d,%d", new(int), new(int)); err != nil {
			continue
		}
		if other := on[p.Square]; other != "" && (plain[v.Game] || !r.starts[p.Square]) {
			return fmt.Errorf("%s and %s on %s (C8-046, SC-045, CC-043)", p.Suspect, other, p.Square)
		}
		on[p.Square] = p.Suspect
	}
	return nil
}

// checkAnswerOrder checks that the seats answer one by one to the left of the asker, and stop when the edition says so.
func checkAnswerOrder(v engine.View) error {
	h := v.Case.Hypothesis
	if !plain[v.Game] || h == nil || v.Case.Turn != h.By {
		return nil
	}
	first := slices.IndexFunc(v.Seats, func(s engine.SeatView) bool { return s.Seat == h.By })
	shown, over := 0, len(h.Answers) > 0
	for i, a := range h.Answers {
		if want := v.Seats[(first+1+i)%len(v.Seats)].Seat; a.Seat != want {
			return fmt.Errorf("%s answers before %s (SC-076, CC-060)", a.Seat, want)
		}
		how := v.Switches["witness-query"]
		if how == "" {
			how = "until-first"
		}
		if stops := how == "until-first" && shown > 0 || how == "left-first-then-all" && h.Answers[0].Said == "shown"; i > 0 && stops {
			return fmt.Errorf("%s is asked after a card was shown (SC-076, CC-061)", a.Seat)
		}
		if a.Said == "shown" {
			shown++
		}
		over = over && a.Said != "asked"
		last := i == len(h.Answers)-1
		stopped := how == "until-first" && shown > 0 || how == "left-first-then-all" && i == 0 && shown > 0
		if last && over && v.Case.Step == engine.StepEnd && v.Mood == "" && len(h.Answers) < len(v.Seats)-1 && !stopped {
			return fmt.Errorf("%d of %d seats were asked (SC-076, CC-061)", len(h.Answers), len(v.Seats)-1)
		}
	}
	return nil
}
