package uplink

import (
	"reflect"

	"majordome/companion/wire"
	"majordome/engine"
)

// MessageBuilder builds the messages about each step: a pure function of the public updates so far.
type Teller struct {
	state State // as published last
	last  int   // number of the last happening that was published
	begun bool
}

// Message is a message on a topic below the base.
type Said struct {
	Topic string
	What  any // State or Event
	Kept  bool
}

// Build returns the messages about one step, none if nothing public has changed.
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

// newHappenings returns the happenings since the previous step. The first step has none, because it belongs
// to an evening that began before this start.
func (x *Teller) news(v *engine.View) []*engine.Happening {
	was := min(x.last, v.Last()) // smaller after the host has undone something, or in another game
	x.last = v.Last()
	if !x.begun {
		return nil
	}
	return v.Since(was)
}
