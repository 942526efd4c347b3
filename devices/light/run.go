package light

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"majordome/devices"
)

// Timing of a running strip.
const (
	frameTime   = time.Second / 60       // shortest time between two frames
	mixTime     = 5 * time.Millisecond   // the same on a strip that gets mixed frames
	mixLimit    = 10 * time.Millisecond  // longest time of a mixed frame on the wire: a slower one would flicker
	refreshTime = time.Second            // an unchanged frame is sent again after this time, to repair glitches
	firstRetry  = 100 * time.Millisecond // after an error of the strip; doubles
	lastRetry   = 5 * time.Second        // up to this
	quietLimit  = 10 * time.Second       // limiting is logged again only after this time without any
	lateFrame   = 100 * time.Millisecond // the clock of the stage stops while a frame is later than this
)

// Counters counts frames and losses of a strip since Run began. The zero value is ready. It is safe for
// concurrent use.
type Counters struct {
	frames, losses atomic.Uint64
	lost           atomic.Bool
}

// FrameCount returns the number of frames that were sent.
func (c *Counters) FrameCount() uint64 { return c.frames.Load() }

// LossCount returns how often the strip was lost.
func (c *Counters) LossCount() uint64 { return c.losses.Load() }

// IsLost reports whether the strip is lost now.
func (c *Counters) IsLost() bool { return c.lost.Load() }

// Mailbox delivers cues to Run. Post never waits. It is safe for concurrent use.
type Mailbox struct {
	mu sync.Mutex
	c  chan Cue
}

// NewMailbox makes a mailbox for 16 cues: more than Run can miss while it sends one frame.
func NewMailbox() *Mailbox { return &Mailbox{c: make(chan Cue, 16)} }

// PostCue delivers c. If the mailbox is full, the oldest cue is dropped.
func (m *Mailbox) PostCue(c Cue) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for {
		select {
		case m.c <- c:
			return
		default:
		}
		select {
		case <-m.c:
		default:
		}
	}
}

// Cues returns the channel that Run reads.
func (m *Mailbox) Cues() <-chan Cue { return m.c }

// Run plays cues on strip until ctx ends or cues is closed, then makes the strip dark. It sends at most 60
// frames a second while something moves, otherwise only changes, and the same frame once a second. A
// devices.TimedStrip whose frame takes at most 10 ms gets one every 5 ms while it has light between two steps,
// which these frames mix; a devices.MixingStrip gets parts of steps. While the machine or the strip is too busy
// for frames the time of the stage is stopped, so that a signal of 0.9 s is not over before its first frame.
//
// An error of the strip is logged once and retried with the newest cue, after 100 ms at first and 5 s at last;
// the strip's return is logged too. Run itself returns an error only for a layout or options that do not fit
// the strip, or if the strip cannot be made dark at the end.
func Run(ctx context.Context, strip devices.Strip, l Layout, cues <-chan Cue, o *Opts) error {
	if o == nil {
		o = &Opts{}
	}
	s, err := NewStage(l, strip.Len(), o)
	if err != nil {
		return err
	}
	p := cuePlayer{stage: s, strip: strip, log: o.Log, count: cmp.Or(o.Counters, &Counters{}),
		sent: make([]devices.RGB, strip.Len()), minFrameTime: frameTime}
	if t, ok := strip.(devices.TimedStrip); ok && t.FrameTime() <= mixLimit {
		p.mixesFrames, p.minFrameTime = true, mixTime
	}
	if m, ok := strip.(devices.MixingStrip); ok {
		p.mixingStrip = m
	}
	if p.log == nil {
		p.log = slog.New(slog.DiscardHandler)
	}
	if o.Budget > HardCap {
		p.log.Warn("light: the budget is capped", "asked_mA", o.Budget, "cap_mA", HardCap,
			"conseil", "budget_ma dépasse ce qu’un ruban peut prendre : il est ramené à cap_mA")
	}
	p.playCues(ctx, cues)
	if err := strip.Halt(); err != nil {
		return fmt.Errorf("light: make %s dark: %w", strip, err)
	}
	return nil
}

// cuePlayer is the state of one Run. Its times count from the start of Run, without delays of frames beyond
// lateFrame.
type cuePlayer struct {
	stage        *Stage
	strip        devices.Strip
	log          *slog.Logger
	count        *Counters
	mixesFrames  bool                // the strip is fast enough for mixed frames
	mixingStrip  devices.MixingStrip // the strip if it mixes light, else nil
	minFrameTime time.Duration       // shortest time between two frames

	sent       []devices.RGB // the frame on the strip, if sentValid
	parts      []devices.RGB // its parts of steps, on a MixingStrip
	sentValid  bool
	sentAt     time.Duration
	drawnAt    time.Duration // when the last frame was drawn
	hasNewCue  bool          // a cue came since then
	retryDelay time.Duration // 0: the strip works
	retryAt    time.Duration

	limiting  bool
	limitedAt time.Duration
}

// playCues sets the cues and shows the frames until ctx ends or cues is closed.
func (p *cuePlayer) playCues(ctx context.Context, cues <-chan Cue) {
	start := time.Now()
	p.drawnAt = -p.minFrameTime
	timer := time.NewTimer(0)
	defer timer.Stop()
	for next := time.Duration(0); ; {
		var cue *Cue
		select {
		case <-ctx.Done():
			return
		case c, ok := <-cues:
			if !ok {
				return
			}
			cue = &c
		case <-timer.C:
		}
		now := time.Since(start)
		if late := now - next - lateFrame; late > 0 {
			start, now = start.Add(late), now-late
		}
		if cue != nil {
			p.stage.SetCue(*cue, now)
			p.hasNewCue = true
		}
		if now >= p.nextFrameAt(now) {
			p.drawAndSendFrame(now)
		}
		next = p.nextFrameAt(now)
		timer.Reset(next - time.Since(start))
	}
}

// nextFrameAt returns when the next frame is to be drawn: at once if a cue came or something moves, else for a
// waiting state or the refresh; but not sooner than minFrameTime after the last, and not before a lost strip is
// tried again. The stage is asked about the frame drawn last, not about now, because otherwise the end of a
// fade would never be drawn.
func (p *cuePlayer) nextFrameAt(now time.Duration) time.Duration {
	at := p.sentAt + refreshTime
	if p.hasNewCue || !p.sentValid || p.mixesFrames && p.stage.HasLightBetweenSteps() {
		at = now
	} else if next, ok := p.stage.NextChange(p.drawnAt); ok {
		at = min(at, next)
	}
	return max(at, p.drawnAt+p.minFrameTime, p.retryAt)
}

// drawAndSendFrame draws one frame and sends it if it is new or the strip needs a refresh. If that fails, it
// sets when to try again.
func (p *cuePlayer) drawAndSendFrame(now time.Duration) {
	px, parts := p.buildFrame(now)
	p.drawnAt, p.hasNewCue = now, false
	p.logPowerLimit(now)
	if p.sentValid && now < p.sentAt+refreshTime && slices.Equal(px, p.sent) && slices.Equal(parts, p.parts) {
		return
	}
	if err := p.sendFrame(px, parts); err != nil {
		p.sentValid = false
		if p.retryDelay == 0 {
			p.retryDelay = firstRetry
			p.count.losses.Add(1)
			p.count.lost.Store(true)
			p.log.Error("light: strip lost, trying on", "strip", p.strip.String(), "err", err,
				"conseil", "le ruban ne répond plus : regardez ses fils ; on réessaie")
		} else {
			p.retryDelay = min(2*p.retryDelay, lastRetry)
		}
		p.retryAt = now + p.retryDelay
		return
	}
	if p.retryDelay != 0 {
		p.log.Info("light: strip is back", "strip", p.strip.String(), "conseil", "le ruban répond de nouveau")
		p.retryDelay, p.retryAt = 0, 0
		p.count.lost.Store(false)
	}
	p.count.frames.Add(1)
	copy(p.sent, px)
	p.parts = append(p.parts[:0], parts...)
	p.sentValid, p.sentAt = true, now
}

// buildFrame returns the frame at now; parts are nil unless the strip mixes light itself.
func (p *cuePlayer) buildFrame(now time.Duration) (px, parts []devices.RGB) {
	switch {
	case p.mixesFrames:
		return p.stage.MixedFrame(now), nil
	case p.mixingStrip != nil && p.mixingStrip.CanMix():
		return p.stage.FrameWithParts(now)
	}
	return p.stage.Frame(now), nil
}

func (p *cuePlayer) sendFrame(px, parts []devices.RGB) error {
	if parts != nil {
		return p.mixingStrip.ShowMixed(px, parts)
	}
	return p.strip.ShowFrame(px)
}

// logPowerLimit logs the start of power limiting, but not each time that an animation crosses the limit.
func (p *cuePlayer) logPowerLimit(now time.Duration) {
	limited, would, budget := p.stage.PowerUse()
	if limited {
		if !p.limiting {
			p.log.Warn("light: frames are dimmed to keep within the budget", "would_mA", would, "budget_mA", budget,
				"conseil", "les lumières sont baissées pour rester sous budget_ma")
		}
		p.limiting, p.limitedAt = true, now
	} else if p.limiting && now-p.limitedAt > quietLimit {
		p.limiting = false
	}
}
