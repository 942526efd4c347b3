package presence

import (
	"context"
	"errors"
	"fmt"
	"time"

	"majordome/devices"
	"majordome/devices/internal/pace"
)

// Clock gives the time to Watch; tests use a virtual one.
type Clock = pace.Clock

// RealClock returns the computer's clock.
func RealClock() Clock { return pace.NewReal() }

const (
	firstRetry = 100 * time.Millisecond
	lastRetry  = 500 * time.Millisecond
)

// WatchOpts sets up Watch. The zero value is for a slot: 500 polls a second.
type WatchOpts struct {
	// Period from one poll to the next; 0 means 2 ms. A scan that takes longer is followed by the next at once.
	// A tag that stays 17 ms needs 2 ms; 50 ms are enough for a tray.
	Period time.Duration
	// Retry is the longest pause between two tries of a lost reader; 0 means 0.5 s. Shorter pauses are for a
	// scanner that fails at once and reconnects in the background, such as a node.
	Retry time.Duration
	// Pile is for a slot where fallen cards may stay within reach. If the scanner is a devices.PileScanner,
	// known tags are silent and asked for between polls.
	Pile bool
	// Fold decides what counts as arrival, departure and failure.
	Fold Opts
	// Clock gives the time; nil means the computer's. Event.At counts from its start.
	Clock Clock
}

// Watch polls s until ctx ends and calls report for each event, in order, from this goroutine. report must
// return quickly, because the next poll waits for it. A lost reader is tried again after 0.1 s, then after
// twice as long each time, up to Retry. Watch does not halt s. It returns nil when ctx ends, and an error only
// for wrong options.
func Watch(ctx context.Context, s devices.Scanner, opts *WatchOpts, report func(Event)) error {
	var o WatchOpts
	if opts != nil {
		o = *opts
	}
	if o.Period < 0 || o.Retry < 0 {
		return errors.New("presence: a negative period or retry")
	}
	if o.Retry == 0 {
		o.Retry = lastRetry
	}
	if o.Period == 0 {
		o.Period = 2 * time.Millisecond
	}
	if o.Clock == nil {
		o.Clock = pace.NewReal()
	}
	fold, err := NewFold(&o.Fold)
	if err != nil {
		return fmt.Errorf("presence: watch %s: %w", s, err)
	}
	next := o.Clock.Now()
	retry := min(firstRetry, o.Retry)
	w := watcher{s: s, fold: fold, clock: o.Clock, report: report}
	if o.Pile {
		w.pile, _ = s.(devices.PileScanner)
	}
	for ctx.Err() == nil {
		w.pollOnce(ctx)
		if ctx.Err() != nil {
			break
		}
		if !fold.lost {
			// After a delayed poll the next one comes a period later, never two at once.
			next = max(next+o.Period, o.Clock.Now())
			retry = min(firstRetry, o.Retry)
			o.Clock.Sleep(next - o.Clock.Now())
			continue
		}
		sleepUntilDone(ctx, o.Clock, retry)
		retry = min(2*retry, o.Retry)
		next = o.Clock.Now()
	}
	return nil
}

type watcher struct {
	s      devices.Scanner
	pile   devices.PileScanner // s if it scans a pile, else nil
	fold   *Fold
	clock  Clock
	report func(Event)
}

// pollOnce makes one scan. A result that comes after ctx has ended is discarded.
func (w *watcher) pollOnce(ctx context.Context) {
	if w.pile == nil {
		if tags, err := w.s.Scan(ctx); ctx.Err() == nil {
			w.reportEvents(w.fold.ApplyScan(w.clock.Now(), tags, err))
		}
		return
	}
	tags, err := w.pile.ScanNew(ctx)
	if ctx.Err() != nil {
		return
	}
	now := w.clock.Now()
	w.reportEvents(w.fold.ApplyNewTags(now, tags, err))
	t, due := w.fold.TagToFind(now)
	// A phone is named at each poll and must not keep cards from being asked for.
	if !due || w.fold.hasCard(tags) || err != nil {
		return
	}
	if found, answered, err := w.pile.FindTag(ctx, t); ctx.Err() == nil {
		w.reportEvents(w.fold.ApplyFindTag(w.clock.Now(), t, found, answered, err))
	}
}

func (w *watcher) reportEvents(events []Event) {
	for i, e := range events {
		e.More = i < len(events)-1
		w.report(e)
	}
}

// sleepUntilDone sleeps for d in short pieces, so that it ends soon after ctx.
func sleepUntilDone(ctx context.Context, c Clock, d time.Duration) {
	const piece = 50 * time.Millisecond
	for end := c.Now() + d; ctx.Err() == nil && c.Now() < end; {
		c.Sleep(min(piece, end-c.Now()))
	}
}
