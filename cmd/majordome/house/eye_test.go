package house

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"majordome/devices"
	"majordome/devices/presence"
)

// eye observes a reader. It records which tags arrived, by a fold of its own, and when the field counts as empty for
// the house.
//
// The house dates a scan somewhere between its end and the beginning of the next. A period that the house must have
// seen in full is therefore counted from the latest possible beginning to the earliest possible end.
type eye struct {
	devices.Scanner
	start time.Time

	mu      sync.Mutex
	watch   context.Context // of the last scan; the house, a reader test, and the house after it use one each
	fold    *presence.Fold
	arrived []devices.UID
	begun   bool
	first   time.Time // by then the house has handled the first scan that worked
	settled bool      // tags that come now were not there at the house's first look
	failing bool
	empty   int       // clean scans of an empty field in a row
	since   time.Time // by then the house has handled the first of them
	until   time.Time // end of the last of them
	clear   bool
	scanned bool          // since the first look there was a full scan, or one without new tags
	lying   int           // for a pile: number of tags that the fold knows
	left    time.Time     // when the last of them had left
	unasked time.Time     // since when one of them is to be verified and the house has not done so
	changed chan struct{} // closed and replaced at each change
}

// goneScans and goneTime are the limits after which package presence reports that a tag has left.
const (
	goneScans = 3
	goneTime  = 150 * time.Millisecond
)

func newEye(s devices.Scanner) *eye {
	return &eye{Scanner: s, start: time.Now(), changed: make(chan struct{})}
}

func (e *eye) Scan(ctx context.Context) ([]devices.Tag, error) {
	e.noteScanHandled(ctx, time.Now())
	tags, err := e.Scanner.Scan(ctx)
	e.handleScan(time.Now(), tags, err)
	return tags, err
}

// resetForWatch begins with an empty fold when another watch starts, which knows nothing of what the one before saw;
// e.mu is held.
func (e *eye) resetForWatch(ctx context.Context) {
	if e.watch == ctx {
		return
	}
	fold, err := presence.NewFold(nil)
	if err != nil {
		panic(err) // cannot happen without options
	}
	e.watch, e.fold = ctx, fold
	e.begun, e.first, e.scanned = false, time.Time{}, false
	e.empty, e.lying, e.left, e.unasked = 0, 0, time.Time{}, time.Time{}
}

// noteScanHandled records that the house has handled the scan before.
func (e *eye) noteScanHandled(ctx context.Context, now time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.resetForWatch(ctx)
	if e.empty == 1 {
		e.since = now
	}
	if e.begun && e.first.IsZero() {
		e.first = now
	}
	e.settled = e.begun && now.Sub(e.first) >= goneTime && e.scanned
	e.clear = e.empty >= goneScans && e.until.Sub(e.since) >= goneTime && e.lying == 0 && now.Sub(e.left) > goneTime
	e.notifyChanged()
}

// pileEye observes a reader whose known tags are silent.
type pileEye struct {
	*eye
	pile devices.PileScanner
}

// observedScanner returns the eye as the scanner that the house is to use.
func (e *eye) observedScanner() devices.Scanner {
	if p, ok := e.Scanner.(devices.PileScanner); ok {
		return pileEye{e, p}
	}
	return e
}

func (p pileEye) ScanNew(ctx context.Context) ([]devices.Tag, error) {
	p.noteScanHandled(ctx, time.Now())
	tags, err := p.pile.ScanNew(ctx)
	now := time.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.applyEvents(now, p.fold.ApplyNewTags(now.Sub(p.start), tags, err))
	p.dropForgotten(now, tags, err)
	p.countEmptyScans(now, tags, err)
	return tags, err
}

// forgetTime is the time after which the house, which verifies a tag every 100 ms, must have forgotten one that it no
// longer verifies.
const forgetTime = time.Second

// dropForgotten lets a tag leave that the house no longer verifies. The house's times are a little later: it may have
// counted the last miss of a tag while this fold has not; p.mu is held.
func (p pileEye) dropForgotten(now time.Time, tags []devices.Tag, err error) {
	t, due := p.fold.TagToFind(now.Sub(p.start))
	switch {
	case !due || err != nil || len(tags) > 0:
	case p.unasked.IsZero():
		p.unasked = now
	case now.Sub(p.unasked) > forgetTime:
		p.applyEvents(now, p.fold.ApplyFindTag(now.Sub(p.start), t, false, false, nil))
	}
}

func (p pileEye) FindTag(ctx context.Context, t devices.Tag) (there, anybody bool, err error) {
	there, anybody, err = p.pile.FindTag(ctx, t)
	now := time.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.unasked = time.Time{}
	p.applyEvents(now, p.fold.ApplyFindTag(now.Sub(p.start), t, there, anybody, err))
	p.notifyChanged()
	return there, anybody, err
}

// applyEvents records what the fold reports; e.mu is held.
func (e *eye) applyEvents(now time.Time, events []presence.Event) {
	for _, ev := range events {
		switch ev.Kind {
		case presence.Arrived:
			e.arrived = append(e.arrived, ev.Tag.UID)
			e.lying++
		case presence.Left:
			e.lying--
			e.left = now
		}
	}
}

func (e *eye) handleScan(now time.Time, tags []devices.Tag, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.applyEvents(now, e.fold.ApplyScan(now.Sub(e.start), tags, err))
	e.scanned = true
	e.countEmptyScans(now, tags, err)
}

// countEmptyScans counts the scans of an empty field; e.mu is held.
func (e *eye) countEmptyScans(now time.Time, tags []devices.Tag, err error) {
	defer e.notifyChanged()
	e.failing = err != nil && !errors.Is(err, devices.ErrNoise)
	e.begun = e.begun || !e.failing
	if err != nil || len(tags) > 0 {
		e.empty, e.clear = 0, false
		return
	}
	e.empty++
	e.scanned = true
	e.until = now
}

func (e *eye) notifyChanged() {
	close(e.changed)
	e.changed = make(chan struct{})
}

// waitEmpty waits until all tags that the reader has seen have left, for the house too.
func (e *eye) waitEmpty(t *testing.T, role string) {
	t.Helper()
	e.waitUntil(t, "nothing lies at "+role, func() bool { return e.clear })
}

// waitReady waits until the house takes a card that is put down now as presented. It does not wait for a reader that
// fails.
func (e *eye) waitReady(t *testing.T, role string) {
	t.Helper()
	e.waitUntil(t, role+" has been looked at", func() bool { return e.settled || e.failing })
}

// waitMissed waits until the reader has looked once and found nothing.
func (e *eye) waitMissed(t *testing.T, role string) {
	t.Helper()
	e.waitUntil(t, "nothing is seen at "+role, func() bool { return e.empty > 0 })
}

// String returns what has been seen, for the message of a test that fails.
func (e *eye) String() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return fmt.Sprintf("saw %v arrive, %d lie there, failing %t", e.arrived, e.lying, e.failing)
}

// waitUntil waits for a condition, which is called under mu.
func (e *eye) waitUntil(t *testing.T, what string, ok func() bool) {
	t.Helper()
	late := time.After(patience)
	for {
		e.mu.Lock()
		done, changed := ok(), e.changed
		e.mu.Unlock()
		if done {
			return
		}
		select {
		case <-changed:
		case <-late:
			t.Fatal("waited in vain for: " + what)
		}
	}
}
