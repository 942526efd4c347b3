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
	strip int // from 0 on
	name  string
}

// Rows of the office walk along the lights before a game: walk-next lights the next part of a strip alone, and after the last all as the game has it,
// as walk-end does at once; walk shows what the host is asked about the part. There are no rows where nothing is lit.
//
// What may leak: nothing, for a walk ends before a step of a game is shown. Everybody in the room sees the lights.
func (l *Lamps) Rows() []office.Row {
	if !l.HasStrips() {
		return nil
	}
	return []office.Row{
		{Name: "walk", Role: wire.RoleHost, See: func(office.Call) any { return l.shownWalk() }},
		{Name: "walk-next", Role: wire.RoleHost, Do: func(context.Context, office.Call) (any, error) {
			if !l.walkOn() {
				return nil, wire.Refuse("table.unknown")
			}
			return l.shownWalk(), nil
		}},
		{Name: "walk-end", Role: wire.RoleHost, Do: func(context.Context, office.Call) (any, error) {
			l.endWalk()
			return l.shownWalk(), nil
		}},
	}
}

// shownWalk returns the question about the only part that is lit; a place has its name of this game.
func (l *Lamps) shownWalk() wire.Walk {
	asks, ok := l.askWalk()
	if !ok {
		return wire.Walk{}
	}
	if part, ok := asks.Args.Lookup("part"); ok {
		asks = engine.Say(asks.Key, "strip", asks.Args.Get("strip"), "part", l.placeName(part))
	}
	return wire.Walk{Asks: &asks, Strips: l.Strips()}
}

// AllowWalk says whether the lights can be walked along from now on; ended: they were, and are no more.
func (l *Lamps) AllowWalk(may bool) (ended bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.idle = may
	return !may && l.light(0)
}

// walkOn lights only the next part, and after the last one all parts as the game has them; false: not now.
func (l *Lamps) walkOn() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.idle {
		l.light((l.alone + 1) % (len(l.walkable) + 1))
	}
	return l.idle
}

// endWalk lights all as the game has it.
func (l *Lamps) endWalk() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.light(0)
}

// light lights only part n of the walk, from 1 on; 0: all parts as the game has them. It reports a change. mu is held.
func (l *Lamps) light(n int) bool {
	if l.alone == n {
		return false
	}
	l.alone = n
	l.postAll()
	return true
}

// askWalk returns the question about the only part that is lit; false: there is none.
func (l *Lamps) askWalk() (engine.Msg, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.alone == 0 {
		return engine.Msg{}, false
	}
	w := l.walkable[l.alone-1]
	n, name := strconv.Itoa(w.strip+1), w.name
	for slot, room := range l.opts.Strips[w.strip].Rooms {
		if name == light.PlaceName(slot) {
			name = room
		}
	}
	switch name {
	case light.StepRed, light.StepGreen, light.StepLast, light.PartClock, light.PartUrn, light.PartShow:
		return engine.Say("host.walk."+name, "strip", n), true
	}
	return engine.Say("host.walk.place", "strip", n, "part", name), true
}

// placeName returns the name by which pages know a place that a strip has by its number.
func (l *Lamps) placeName(part string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return engine.PlaceOfReader(part, l.places)
}
