package uplink

import (
	"reflect"

	"majordome/companion/wire"
	"majordome/engine"
)

// Teller makes of each step what the house is told: a pure function of the public updates so far.
type Teller struct {
	state State // as it was told last
	last  int   // the number of the happening that was told last
	begun bool
}

// Said is one message, with its topic below the base. A kept one is retained.
type Said struct {
	Topic string
	What  any // State or Event
	Kept  bool
}

// Hear takes one step. What is no news to everybody is not said.
func (x *Teller) Hear(public *wire.Update) (all []Said) {
	for _, h := range x.news(&public.View) {
		all = append(all, Said{"event/" + h.What, eventOf(public.View.Game, h), false})
	}
	state := StateOf(public)
	if !x.begun || !reflect.DeepEqual(state, x.state) {
		all = append(all, Said{"state", state, true})
	}
	x.state, x.begun = state, true
	return all
}

// news is what has happened since the step before; nothing at the first, which is of an
// evening that went on before this start.
func (x *Teller) news(v *engine.View) []*engine.Happening {
	was := min(x.last, v.Last()) // the host has taken something back, or it is another game
	x.last = v.Last()
	if !x.begun {
		return nil
	}
	return v.Since(was)
}
