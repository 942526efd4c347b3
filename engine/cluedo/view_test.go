package cluedo_test

import (
	"testing"

	"majordome/engine"
	"majordome/engine/chance"
)

// A seat sees 40 lines of the story, the public 12. A player who is out of the game keeps reading (C8-135).
func TestASeatReadsMore(t *testing.T) {
	p := posed(t, `seat seat-1 Rose suspect-rose
seat seat-2 Moutarde suspect-moutarde
seat seat-3 Violet suspect-violet
murdered seat-3
cards`)
	for range 10 {
		for x := engine.Seat(1); x <= 2; x++ {
			p.mustDo(engine.SeatViewer(x), "roll", engine.Args{"dice": "2+2"})
			p.mustDo(engine.SeatViewer(x), "move", engine.Args{"to": "corridor"})
		}
	}
	for v, want := range map[engine.Viewer]int{engine.SeatViewer(1): 40, engine.SeatViewer(3): 40, engine.Public: 12, engine.Host: 12} {
		if n := len(p.g.View(v).Log); n != want {
			t.Errorf("%v reads %d lines of %d", v, n, want)
		}
	}
}

// showUnnamed makes seat 1 ask in the Salon and seat 2 show a card that it does not name, until its answer takes effect.
func (p *playing) showUnnamed() {
	p.mustDo(engine.SeatViewer(1), "roll", engine.Args{"dice": "3+4"})
	p.mustDo(engine.SeatViewer(1), "move", engine.Args{"to": "room-salon"})
	p.mustDo(engine.SeatViewer(1), "hypothesis", engine.Args{"suspect": "suspect-leblanc", "weapon": "weapon-hache"})
	p.mustDo(engine.SeatViewer(2), "answer", engine.Args{"card": engine.Unnamed})
	d := p.g.Deadlines()[0]
	evs, _ := p.g.Decide(engine.Command{At: d.At, By: engine.Public, Act: engine.ActDeadline, Args: engine.Args{"id": d.ID}}, chance.New(1))
	p.g = p.g.Apply(evs...)
}

// C8-156: a seat that sees another seat's shown card records nothing, and is shown no card, if that card was not named.
func TestSeenAndNotNamed(t *testing.T) {
	p := posed(t, `seat seat-1 Rose suspect-rose
seat seat-2 Moutarde suspect-moutarde
seat seat-3 Violet suspect-violet
deal seat-2 7
hand seat-3 butler-see-card-1
cards
pawn suspect-rose room-hall`)
	p.showUnnamed()
	p.mustDo(engine.SeatViewer(3), "play", engine.Args{"card": "butler-see-card-1"})
	if seen := p.g.View(engine.SeatViewer(3)).Me.Seen; len(seen) != 0 {
		t.Errorf("it keeps %+v", seen)
	}
}

// C8-174: nothing is recorded of a card that is drawn from a hand and not named.
func TestDrawnAndNotNamed(t *testing.T) {
	p := posed(t, `seat seat-1 Rose suspect-rose
seat seat-2 Pervenche suspect-pervenche
seat seat-3 Violet suspect-violet
deal seat-1 7
deal seat-2 7
cards
pawn suspect-rose room-hall`)
	p.showUnnamed()
	p.mustDo(engine.SeatViewer(2), "power", engine.Args{"card": engine.Unnamed})
	if seen := p.g.View(engine.SeatViewer(2)).Me.Seen; len(seen) != 0 {
		t.Errorf("it keeps %+v", seen)
	}
}
