package house

import (
	"cmp"
	"strconv"
	"sync"

	"majordome/companion/wire"
	"majordome/devices/light"
	"majordome/engine"
)

// lamps are the lights of the house and what they were last told. They are the table's Lights.
type lamps struct {
	strips []Strip
	counts []light.Counters // of each

	mu    sync.Mutex
	boxes []*light.Mailbox
	last  []light.Cue
	told  []bool // there is a last one
	// staged are shown in the place of last while an evening plays itself; nil: none does.
	staged []light.Cue
	over   string // what lights the room in the place of the game; "": nothing
	alone  walkStep
}

// walkStep is one light of a walk along all strips; the zero value is none.
type walkStep struct {
	strip int // from 0 on
	name  string
}

func newLamps(strips []Strip) *lamps {
	l := &lamps{strips: strips, last: make([]light.Cue, len(strips)), told: make([]bool, len(strips)), counts: make([]light.Counters, len(strips))}
	for range strips {
		l.boxes = append(l.boxes, light.NewMailbox())
	}
	return l
}

// show gives a strip its cue.
func (l *lamps) show(i int, c light.Cue) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last[i], l.told[i] = c, true
	l.post(i)
}

// stage shows an update of an evening that plays itself in the place of the table's own, until unstage.
func (l *lamps) stage(u wire.Update) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.staged = make([]light.Cue, len(l.strips))
	c := cue(u)
	for i := range l.strips {
		l.staged[i] = l.strips[i].cue(c, u.View.Places)
		l.post(i)
	}
}

// unstage shows what the table has told the strips meanwhile.
func (l *lamps) unstage() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.staged = nil
	for i := range l.last {
		l.post(i)
	}
}

// anew tells a strip what it was last told.
func (l *lamps) anew(i int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.told[i] {
		l.post(i)
	}
}

// post sends a strip its last cue with what stands before it. mu is held.
func (l *lamps) post(i int) {
	c := l.last[i]
	if l.staged != nil {
		c = l.staged[i]
	}
	c.White = l.over == wire.LightWhite
	if l.over == wire.LightDark {
		c.Alone = "none"
	}
	if l.alone.name != "" && l.over != wire.LightDark {
		c.Alone = "none" // dark
		if l.alone.strip == i {
			c.Alone = l.alone.name
		}
	}
	l.boxes[i].Post(c)
}

// toggle switches all strips to white light, or back to what they show.
func (l *lamps) toggle() {
	if l.Over() == wire.LightWhite {
		l.SetOver(wire.LightGame)
		return
	}
	l.SetOver(wire.LightWhite)
}

// SetOver implements table.Lights.
func (l *lamps) SetOver(to string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = to
	for i := range l.last {
		l.post(i)
	}
}

// Over implements table.Lights.
func (l *lamps) Over() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return cmp.Or(l.over, wire.LightGame)
}

// steps are the lights of a walk.
func (l *lamps) steps() (all []walkStep) {
	for i, s := range l.strips {
		for _, name := range light.StepNames(s.Layout) {
			all = append(all, walkStep{i, name})
		}
	}
	return all
}

// Parts implements table.Lights.
func (l *lamps) Parts() (all []engine.Msg) {
	for _, w := range l.steps() {
		s, n := &l.strips[w.strip], strconv.Itoa(w.strip+1)
		name := w.name
		for slot, room := range s.Rooms {
			if name == light.PlaceName(slot) {
				name = room
			}
		}
		switch name {
		case light.StepRed, light.StepGreen, light.StepLast, segmentClock, segmentUrn, segmentShow:
			all = append(all, engine.Say("host.walk."+name, "strip", n))
		default:
			all = append(all, engine.Say("host.walk.place", "strip", n, "part", name))
		}
	}
	return all
}

// Strips implements table.Lights.
func (l *lamps) Strips() (all []wire.Strip) {
	for i := range l.counts {
		c := &l.counts[i]
		all = append(all, wire.Strip{Lost: c.Lost(), Frames: c.Frames(), Losses: c.Losses()})
	}
	return all
}

// Alone implements table.Lights.
func (l *lamps) Alone(i int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.alone = walkStep{}
	if all := l.steps(); i >= 0 && i < len(all) {
		l.alone = all[i]
	}
	for i := range l.last {
		l.post(i)
	}
}
