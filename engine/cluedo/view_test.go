package cluedo_test

import (
	"testing"

	"majordome/engine"
)

// C8-135: whoever is out of the game reads on, and has more of the story before it than
// those who play: 40 lines, not 12.
func TestTheMurderedReadMore(t *testing.T) {
	p := posed(t, `seat seat-1 Rose suspect-rose
seat seat-2 Moutarde suspect-moutarde
seat seat-3 Violet suspect-violet
murdered seat-3
cards`)
	for range 10 {
		for x := engine.Seat(1); x <= 2; x++ {
			p.do(engine.At(x), "roll", engine.Args{"dice": "2+2"})
			p.do(engine.At(x), "move", engine.Args{"to": "corridor"})
		}
	}
	for v, want := range map[engine.Viewer]int{engine.At(1): 12, engine.At(3): 40, engine.Public: 12, engine.Host: 12} {
		if n := len(p.g.View(v).Log); n != want {
			t.Errorf("%v reads %d lines of %d", v, n, want)
		}
	}
}
