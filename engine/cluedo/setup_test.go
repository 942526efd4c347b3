package cluedo_test

import (
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
)

// playing carries out commands that must be accepted.
type playing struct {
	t *testing.T
	g engine.Game
}

func (p *playing) do(by engine.Viewer, act string, args engine.Args) {
	p.t.Helper()
	evs, r := p.g.Decide(engine.Command{By: by, Act: act, Args: args}, chance.New(1))
	if r != nil {
		p.t.Fatalf("%s %v: %v", act, args, r)
	}
	p.g = p.g.Evolve(evs...)
}

// TestPoolIsWhatIsLeft: with envelope and hands presented to a reader, the pool
// needs no reading: the phone of whoever looks at it keeps the card (C8-005, C8-061).
func TestPoolIsWhatIsLeft(t *testing.T) {
	for _, how := range []dealing{scanned, unseen} {
		p := &playing{t, table(t, noBoard(t), 4, how, chance.New(3))}
		first := p.g.View(engine.Public).Seats[0].Seat
		p.do(engine.Host, "first", engine.Args{"seat": first.String()})
		p.do(engine.At(first), "roll", engine.Args{"dice": "2+2"})
		p.do(engine.At(first), "move", engine.Args{"to": "pool"})
		p.do(engine.At(first), "peek", nil)
		seen := p.g.View(engine.At(first)).Me.Seen
		switch {
		case how == unseen && len(seen) != 0:
			t.Errorf("a card that no reader has seen is kept: %v", seen)
		case how == scanned && (len(seen) != 1 || len(seen[0].Cards) != 1 || seen[0].How != engine.SawThere || seen[0].Place != "pool"):
			t.Errorf("seen: %v", seen)
		}
	}
}

// TestTwoPlayers: the house rule for two deals 10 cards each and leaves one in the
// pool; each asks the other, and is the other's right neighbour (C8-001, C8-080, C8-153).
func TestTwoPlayers(t *testing.T) {
	p := &playing{t, table(t, noBoard(t), 2, byMachine, chance.New(5))}
	v := p.g.View(engine.Public)
	if len(v.Seats) != 2 || v.Seats[0].Cards != 10 || v.Seats[1].Cards != 10 || v.Case.Pool != 1 {
		t.Fatalf("%+v, %d in the pool", v.Seats, v.Case.Pool)
	}
	one, two := v.Seats[0].Seat, v.Seats[1].Seat
	p.do(engine.Host, "first", engine.Args{"seat": one.String()})
	p.do(engine.At(one), "roll", engine.Args{"dice": "2+2"})
	p.do(engine.At(one), "move", engine.Args{"to": "room-hall"})
	p.do(engine.At(one), "hypothesis", engine.Args{"suspect": "suspect-rose", "weapon": "weapon-corde"})
	v = p.g.View(engine.Public)
	if v.Case.Step == engine.StepDisplaced {
		p.do(engine.At(two), "pass", nil)
		v = p.g.View(engine.Public)
	}
	if a := v.Case.Hypothesis.Answers; len(a) != 1 || a[0].Seat != two || a[0].Said != "asked" {
		t.Errorf("answers: %+v", a)
	}
}
