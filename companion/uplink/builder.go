package uplink

import (
	"reflect"

	"majordome/companion/wire"
	"majordome/engine"
)

// MessageBuilder builds the messages about each step: a pure function of the public updates so far.
type MessageBuilder struct {
	lastState     State // as published last
	lastHappening int   // number of the last happening that was published
	hasStarted    bool
}

// Message is a message on a topic below the base.
type Message struct {
	Topic    string
	Body     any // State or Event
	Retained bool
}

// BuildMessages returns the messages about one step, none if nothing public has changed.
func (x *MessageBuilder) BuildMessages(public *wire.Update) (all []Message) {
	for _, h := range x.newHappenings(&public.View) {
		all = append(all, Message{"event/" + h.What, eventOfHappening(public.View.Game, h), false})
	}
	state := StateOf(public)
	if !x.hasStarted || !reflect.DeepEqual(state, x.lastState) {
		all = append(all, Message{"state", state, true})
	}
	x.lastState, x.hasStarted = state, true
	return all
}

// newHappenings returns the happenings since the previous step. The first step has none, because it belongs
// to an evening that began before this start.
func (x *MessageBuilder) newHappenings(v *engine.View) []*engine.Happening {
	was := min(x.lastHappening, v.LastHappeningNumber()) // smaller after the host has undone something, or in another game
	x.lastHappening = v.LastHappeningNumber()
	if !x.hasStarted {
		return nil
	}
	return v.HappeningsAfter(was)
}
