package lamps

import (
	"context"
	"strconv"

	"majordome/companion/office"
	"majordome/companion/wire"
	"majordome/devices/light"
	"majordome/engine"
)

// walkStep is one light of a walk along all strips.
type walkStep struct {
	strip int // index in Opts.Strips
	name  string
}

// WalkRows returns the rows of the office for a walk along the lights before a game. walk-next lights only the next part of a strip,
// and after the last part ends the walk; walk-end ends it at once. walk shows the question to the host about the lit part. Without
// strips there are no rows.
//
// What may leak: nothing. A walk ends before a step of a game is shown, and all people in the room see the lights anyway.
func (l *Lamps) WalkRows() []office.Row {
	if !l.HasStrips() {
		return nil
	}
	return []office.Row{
		{Name: "walk", Role: wire.RoleHost, Show: func(office.Call) any { return l.buildWalkView() }},
		{Name: "walk-next", Role: wire.RoleHost, Do: func(context.Context, office.Call) (any, error) {
			if !l.lightNextPartOrEnd() {
				return nil, wire.NewRefusal("table.unknown")
			}
			return l.buildWalkView(), nil
		}},
		{Name: "walk-end", Role: wire.RoleHost, Do: func(context.Context, office.Call) (any, error) {
			l.endWalk()
			return l.buildWalkView(), nil
		}},
	}
}

// buildWalkView returns the question about the only lit part, with a place's name in this game.
func (l *Lamps) buildWalkView() wire.Walk {
	asks, ok := l.walkQuestion()
	if !ok {
		return wire.Walk{}
	}
	if part, ok := asks.Args.Lookup("part"); ok {
		asks = engine.NewMsg(asks.Key, "strip", asks.Args.Get("strip"), "part", l.placeName(part))
	}
	return wire.Walk{Asks: &asks, Strips: l.StripStates()}
}

// AllowWalk allows or forbids walks along the lights from now on. It reports whether that ended a walk.
func (l *Lamps) AllowWalk(may bool) (ended bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.mayWalk = may
	return !may && l.lightOnlyPart(0)
}

// lightNextPartOrEnd lights only the next part, and after the last one ends the walk. It reports whether a walk is possible now.
func (l *Lamps) lightNextPartOrEnd() (canWalk bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.mayWalk {
		l.lightOnlyPart((l.litPart + 1) % (len(l.walkSteps) + 1))
	}
	return l.mayWalk
}

// endWalk shows the lights of the game again.
func (l *Lamps) endWalk() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lightOnlyPart(0)
}

// lightOnlyPart lights only part n of the walk, from 1 on; 0 shows the lights of the game. It reports a change. mu is held.
func (l *Lamps) lightOnlyPart(n int) (changed bool) {
	if l.litPart == n {
		return false
	}
	l.litPart = n
	l.sendCues()
	return true
}

// walkQuestion returns the question about the only lit part; false without a walk.
func (l *Lamps) walkQuestion() (question engine.Msg, isWalking bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.litPart == 0 {
		return engine.Msg{}, false
	}
	w := l.walkSteps[l.litPart-1]
	n, name := strconv.Itoa(w.strip+1), w.name
	for slot, room := range l.opts.Strips[w.strip].Rooms {
		if name == light.PlaceName(slot) {
			name = room
		}
	}
	switch name {
	case light.StepRed, light.StepGreen, light.StepLast, light.PartClock, light.PartUrn, light.PartShow:
		return engine.NewMsg("host.walk."+name, "strip", n), true
	}
	return engine.NewMsg("host.walk.place", "strip", n, "part", name), true
}

// placeName returns the name on pages of a place that a strip knows by its number.
func (l *Lamps) placeName(part string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return engine.ReaderPlaceOrRole(part, l.places)
}
