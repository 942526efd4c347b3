// Package lamps shows on strips and clocks the public state of the table: each update becomes a cue (CueOf), which package light turns
// into frames. It receives only public updates, so no light can depend on a secret.
//
//	l := lamps.New(opts)
//	l.Run(ctx, fail)     lights everything until ctx ends
//	l.ShowUpdate(update) at each step
//
// These take precedence over the cue of the game: an evening that plays automatically (ShowEvening), then white or dark
// light (SetOverride), then the single lit part of a walk along the strips (Rows).
package lamps

import (
	"cmp"
	"context"
	"log/slog"
	"sync"

	"majordome/cmd/majordome/config"
	"majordome/companion/wire"
	"majordome/devices/dial"
	"majordome/devices/light"
	"majordome/engine"
)

// Opts are the parameters of Lamps.
type Opts struct {
	Strips   []config.Strip
	Clocks   []dial.Dial
	Settings Settings
	Log      *slog.Logger
}

// Settings can change while Lamps run.
type Settings struct {
	Calm bool
	// Brightness of each strip, in percent; nil: as it was opened.
	Brightness []int
}

// Lamps are the lights of the room, with the last cue of each. They implement master.Lights. Their methods are safe for concurrent use,
// but only one goroutine may call ShowUpdate.
type Lamps struct {
	opts      Opts
	counts    []light.Counters // of each strip
	mailboxes []*light.Mailbox // likewise
	clocks    []*clock
	walkSteps []walkStep // all parts of all strips

	mu       sync.Mutex
	settings Settings
	phase    context.Context // ends when the strips must restart with new settings
	endPhase context.CancelFunc
	places   []engine.PlaceView // of the game on the table
	lastCues []light.Cue
	hasCue   []bool // whether lastCues has a cue yet
	// staged are shown instead of lastCues while an evening plays automatically; nil: no evening.
	staged   []light.Cue
	override string // light that replaces that of the game; "": none
	mayWalk  bool   // no game needs the lights, so a walk is possible
	litPart  int    // number of the only lit part of walkSteps, from 1 on; 0: no walk
}

// New returns Lamps that are dark until the first ShowUpdate.
func New(o Opts) *Lamps {
	n := len(o.Strips)
	l := &Lamps{opts: o, settings: o.Settings, lastCues: make([]light.Cue, n), hasCue: make([]bool, n), counts: make([]light.Counters, n)}
	l.phase, l.endPhase = context.WithCancel(context.Background())
	for i, s := range o.Strips {
		l.mailboxes = append(l.mailboxes, light.NewMailbox())
		for _, name := range light.StepNames(s.Layout) {
			l.walkSteps = append(l.walkSteps, walkStep{i, name})
		}
	}
	for _, d := range o.Clocks {
		l.clocks = append(l.clocks, &clock{Dial: d, hours: make(chan dial.Hour, 1)})
	}
	return l
}

// HasStrips reports whether there are lights to switch.
func (l *Lamps) HasStrips() bool { return len(l.walkSteps) > 0 }

// ApplySettings sets new settings; the strips restart with them.
func (l *Lamps) ApplySettings(s Settings) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.settings = s
	l.endPhase()
	l.phase, l.endPhase = context.WithCancel(context.Background())
}

// Run lights strips and clocks until ctx ends. It calls fail with the result of each, an error if a strip or clock ended early.
func (l *Lamps) Run(ctx context.Context, fail func(error)) {
	var all sync.WaitGroup
	defer all.Wait()
	for i := range l.opts.Strips {
		all.Go(func() { fail(l.runStrip(ctx, i)) })
	}
	for _, c := range l.clocks {
		all.Go(func() { fail(dial.RunDial(ctx, c, c.hours, l.opts.Log.With("part", config.PartDevices))) })
	}
}

// runStrip shows the cues of a strip until ctx ends, and restarts it when the settings change.
func (l *Lamps) runStrip(ctx context.Context, i int) (err error) {
	s := l.opts.Strips[i]
	for ctx.Err() == nil && err == nil {
		l.mu.Lock()
		now, phase := l.settings, l.phase
		l.mu.Unlock()
		o := s.Opts
		o.Calm, o.Staging, o.Counters = o.Calm || now.Calm, staging, &l.counts[i]
		if i < len(now.Brightness) {
			o.Ceiling = uint8(now.Brightness[i] * 255 / 100)
		}
		part, stop := context.WithCancel(ctx)
		unhook := context.AfterFunc(phase, stop)
		l.resendCue(i)
		err = light.Run(part, s.Strip, s.Layout, l.mailboxes[i].Cues(), &o)
		unhook()
		stop()
	}
	return err
}

// ShowUpdate shows an update of the table. Only one goroutine may call it.
func (l *Lamps) ShowUpdate(u wire.Update) {
	l.mu.Lock()
	l.places = u.View.Places
	l.mu.Unlock()
	cues := []light.Cue{CueOf(u)}
	if u.Notice != nil { // a second cue without it: light shows the reader's signal to its end first, then whose turn it is
		u.Notice = nil
		cues = append(cues, CueOf(u))
	}
	for i := range l.opts.Strips {
		for _, c := range cues {
			l.setAndSendCue(i, l.opts.Strips[i].ArrangeLamps(c, u.View.Places))
		}
	}
	for _, c := range l.clocks {
		c.queueHour(dial.Hour{Round: u.View.Clock.At, LastRound: u.View.Clock.Of})
	}
}

// setAndSendCue sets and sends the cue of a strip.
func (l *Lamps) setAndSendCue(i int, c light.Cue) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lastCues[i], l.hasCue[i] = c, true
	l.sendCue(i)
}

// ShowAnswer shows by the light of a reader, urn or show, whether it accepted a tag, and then the former cue again.
func (l *Lamps) ShowAnswer(reader string, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	state := light.GlowAgain
	if ok {
		state = light.GlowAccepted
	}
	for i, last := range l.lastCues {
		if !l.hasCue[i] {
			continue
		}
		glow := map[string]*light.Glow{engine.ReaderUrn: &l.lastCues[i].Urn, engine.ReaderShow: &l.lastCues[i].Show}[reader]
		if glow == nil || glow.State == light.GlowOff {
			continue
		}
		glow.State = state
		l.sendCue(i)
		l.lastCues[i] = last
		l.sendCue(i) // light shows it after the signal has ended
	}
}

// ShowEvening shows an update of an evening that plays automatically, instead of the table's, until EndEvening.
func (l *Lamps) ShowEvening(u wire.Update) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.staged = make([]light.Cue, len(l.opts.Strips))
	c := CueOf(u)
	for i := range l.opts.Strips {
		l.staged[i] = l.opts.Strips[i].ArrangeLamps(c, u.View.Places)
		l.sendCue(i)
	}
}

// EndEvening shows the table's last cues again.
func (l *Lamps) EndEvening() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.staged = nil
	l.sendCues()
}

// resendCue sends a strip its last cue again.
func (l *Lamps) resendCue(i int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.hasCue[i] {
		l.sendCue(i)
	}
}

// sendCue sends a strip its last cue, or the light that takes precedence over it. mu is held.
func (l *Lamps) sendCue(i int) {
	c := l.lastCues[i]
	if l.staged != nil {
		c = l.staged[i]
	}
	c.White = l.override == wire.LightWhite
	if l.override == wire.LightDark {
		c.OnlyStep = "none"
	}
	if l.litPart > 0 && l.override != wire.LightDark {
		c.OnlyStep = "none" // dark, unless the part is on this strip
		if w := l.walkSteps[l.litPart-1]; w.strip == i {
			c.OnlyStep = w.name
		}
	}
	l.mailboxes[i].PostCue(c)
}

// sendCues sends each strip its last cue. mu is held.
func (l *Lamps) sendCues() {
	for i := range l.lastCues {
		l.sendCue(i)
	}
}

// ToggleWhite switches all strips to white light, or back to the game's.
func (l *Lamps) ToggleWhite() {
	if l.Override() == wire.LightWhite {
		l.SetOverride(wire.LightGame)
		return
	}
	l.SetOverride(wire.LightWhite)
}

// SetOverride implements master.Lights.
func (l *Lamps) SetOverride(to string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.override = to
	l.sendCues()
}

// Override implements master.Lights.
func (l *Lamps) Override() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return cmp.Or(l.override, wire.LightGame)
}

// StripStates returns the state of each strip.
func (l *Lamps) StripStates() (all []wire.Strip) {
	for i := range l.counts {
		c := &l.counts[i]
		all = append(all, wire.Strip{Lost: c.IsLost(), Frames: c.FrameCount(), Losses: c.LossCount()})
	}
	return all
}

// IsClockLost reports whether a clock did not accept the last hour. clock is its index in Opts.Clocks.
func (l *Lamps) IsClockLost(clock int) bool { return l.clocks[clock].lost.Load() }
