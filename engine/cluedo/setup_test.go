package cluedo_test

import (
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
	"majordome/engine/cluedo"
)

// playing plays commands that must be accepted.
type playing struct {
	t *testing.T
	g engine.Game
}

func (p *playing) mustDo(by engine.Viewer, act string, args engine.Args) {
	p.t.Helper()
	evs, r := p.g.Decide(engine.Command{By: by, Act: act, Args: args}, chance.New(1))
	if r != nil {
		p.t.Fatalf("%s %v: %v", act, args, r)
	}
	p.g = p.g.Apply(evs...)
}

// TestPoolIsWhatIsLeft: if envelope and hands were presented to a reader, the pool need not be read: the phone of a player who looks at it
// remembers the card (C8-005, C8-061).
func TestPoolIsWhatIsLeft(t *testing.T) {
	for _, how := range []dealing{scanned, unseen} {
		p := &playing{t, table(t, noBoard(t), 4, how, chance.New(3))}
		first := p.g.View(engine.Public).Seats[0].Seat
		p.mustDo(engine.Host, "first", engine.Args{"seat": first.String()})
		p.mustDo(engine.SeatViewer(first), "roll", engine.Args{"dice": "2+2"})
		p.mustDo(engine.SeatViewer(first), "move", engine.Args{"to": "pool"})
		p.mustDo(engine.SeatViewer(first), "peek", nil)
		seen := p.g.View(engine.SeatViewer(first)).Me.Seen
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
	p.mustDo(engine.Host, "first", engine.Args{"seat": one.String()})
	if log := p.g.View(engine.Public).Log; log[len(log)-1].Round != 1 {
		t.Errorf("the first turn is %+v", log[len(log)-1])
	}
	p.mustDo(engine.SeatViewer(one), "roll", engine.Args{"dice": "2+2"})
	p.mustDo(engine.SeatViewer(one), "move", engine.Args{"to": "room-hall"})
	p.mustDo(engine.SeatViewer(one), "hypothesis", engine.Args{"suspect": "suspect-rose", "weapon": "weapon-corde"})
	v = p.g.View(engine.Public)
	if v.Case.Step == engine.StepDisplaced {
		p.mustDo(engine.SeatViewer(two), "pass", nil)
		v = p.g.View(engine.Public)
	}
	if a := v.Case.Hypothesis.Answers; len(a) != 1 || a[0].Seat != two || a[0].Said != "asked" {
		t.Errorf("answers: %+v", a)
	}
}

// TestWeaponsBeginInDifferentRooms: each of the six weapons begins in another room, drawn at random, and not in the same rooms every
// evening (CC-003).
func TestWeaponsBeginInDifferentRooms(t *testing.T) {
	b := bookOf(t, cluedo.DefaultDeck("cluedo-classic"))
	rooms := map[engine.ID]map[engine.ID]bool{}
	for seed := range uint64(200) {
		g, dice := b.NewGame(), chance.New(seed)
		for _, c := range []engine.Command{
			{By: engine.Host, Act: "sit", Args: engine.Args{"seat": "seat-1", "name": "Rose", "character": "suspect-rose"}},
			{By: engine.Host, Act: "sit", Args: engine.Args{"seat": "seat-2", "name": "Olive", "character": "suspect-olive"}},
			{By: engine.Host, Act: "sit", Args: engine.Args{"seat": "seat-3", "name": "Violet", "character": "suspect-violet"}},
			{By: engine.Host, Act: "begin"},
		} {
			evs, r := g.Decide(c, dice)
			if r != nil {
				t.Fatalf("%s: %v", c.Act, r)
			}
			g = g.Apply(evs...)
		}
		taken := map[engine.ID]engine.ID{}
		for _, w := range g.View(engine.Public).Case.Tokens {
			if other := taken[w.At]; w.At == "" || other != "" {
				t.Fatalf("seed %d: %s and %s lie in %q", seed, w.Weapon, other, w.At)
			}
			taken[w.At] = w.Weapon
			if rooms[w.Weapon] == nil {
				rooms[w.Weapon] = map[engine.ID]bool{}
			}
			rooms[w.Weapon][w.At] = true
		}
	}
	for w, all := range rooms {
		if len(all) != 9 {
			t.Errorf("%s began in %d rooms of nine", w, len(all))
		}
	}
}
