package house

import (
	"cmp"
	"strconv"
	"sync"

	"majordome/cmd/majordome/config"
	"majordome/companion/wire"
	"majordome/devices/light"
	"majordome/engine"
)

// lamps are the lights of the house and what they were last told. They are the table's Lights.
type lamps struct {
	strips []config.Strip
	counts []light.Counters // of each
	walk   []walkStep       // all parts of all strips

	mu    sync.Mutex
	boxes []*light.Mailbox
	last  []light.Cue
	told  []bool // there is a last one
	// staged are shown in the place of last while an evening plays itself; nil: none does.
	staged []light.Cue
	over   string // what lights the room in the place of the game; "": nothing
	idle   bool   // no game needs the lights: a walk is possible
	alone  int    // the only part of walk that is lit, from 1 on; 0: no walk
}

// walkStep is one light of a walk along all strips.
type walkStep struct {
	strip int // from 0 on
	name  string
}

func newLamps(strips []config.Strip) *lamps {
	l := &lamps{strips: strips, last: make([]light.Cue, len(strips)), told: make([]bool, len(strips)), counts: make([]light.Counters, len(strips))}
	for i, s := range strips {
		l.boxes = append(l.boxes, light.NewMailbox())
		for _, name := range light.StepNames(s.Layout) {
			l.walk = append(l.walk, walkStep{i, name})
		}
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

// answer shows at a reader whether it took a tag, and then what the strips show without it.
func (l *lamps) answer(reader string, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	state := light.GlowAgain
	if ok {
		state = light.GlowAccepted
	}
	for i, last := range l.last {
		if !l.told[i] {
			continue
		}
		glow := map[string]*light.Glow{engine.ReaderUrn: &l.last[i].Urn, engine.ReaderShow: &l.last[i].Show}[reader]
		if glow == nil || glow.State == light.GlowOff {
			continue
		}
		glow.State = state
		l.post(i)
		l.last[i] = last
		l.post(i) // comes when the signal has been seen to its end
	}
}

// stage shows an update of an evening that plays itself in the place of the table's own, until unstage.
func (l *lamps) stage(u wire.Update) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.staged = make([]light.Cue, len(l.strips))
	c := cue(u)
	for i := range l.strips {
		l.staged[i] = l.strips[i].Arrange(c, u.View.Places)
		l.post(i)
	}
}

// unstage shows what the table has told the strips meanwhile.
func (l *lamps) unstage() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.staged = nil
	l.postAll()
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
	if l.alone > 0 && l.over != wire.LightDark {
		c.Alone = "none" // dark
		if w := l.walk[l.alone-1]; w.strip == i {
			c.Alone = w.name
		}
	}
	l.boxes[i].Post(c)
}

// postAll sends each strip its last cue. mu is held.
func (l *lamps) postAll() {
	for i := range l.last {
		l.post(i)
	}
}

// toggle switches all strips to white light, or back to what they show.
func (l *lamps) toggle() {
	if l.Over() == wire.LightWhite {
		l.SetOver(wire.LightGame)
		return
	}
	l.SetOver(wire.LightWhite)
}

// SetOver implements master.Lights.
func (l *lamps) SetOver(to string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = to
	l.postAll()
}

// Over implements master.Lights.
func (l *lamps) Over() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return cmp.Or(l.over, wire.LightGame)
}

// allowWalk says whether the lights can be walked along from now on; ended: they were, and are no more.
func (l *lamps) allowWalk(may bool) (ended bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.idle = may
	return !may && l.light(0)
}

// walkOn lights only the next part, and after the last one all parts as the game has them; false: not now.
func (l *lamps) walkOn() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.idle {
		l.light((l.alone + 1) % (len(l.walk) + 1))
	}
	return l.idle
}

// endWalk lights all as the game has it.
func (l *lamps) endWalk() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.light(0)
}

// light lights only part n of the walk, from 1 on; 0: all parts as the game has them. It reports a change. mu is held.
func (l *lamps) light(n int) bool {
	if l.alone == n {
		return false
	}
	l.alone = n
	l.postAll()
	return true
}

// askWalk returns the question about the only part that is lit; false: there is none.
func (l *lamps) askWalk() (engine.Msg, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.alone == 0 {
		return engine.Msg{}, false
	}
	w := l.walk[l.alone-1]
	n, name := strconv.Itoa(w.strip+1), w.name
	for slot, room := range l.strips[w.strip].Rooms {
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

// states returns how each strip does.
func (l *lamps) states() (all []wire.Strip) {
	for i := range l.counts {
		c := &l.counts[i]
		all = append(all, wire.Strip{Lost: c.Lost(), Frames: c.Frames(), Losses: c.Losses()})
	}
	return all
}
