package presence

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"majordome/devices"
)

// maxTags is more than any deck has tags, at two a card.
const maxTags = 128

// Times in a pile: between two questions to a tag, after which a tag without an answer is asked again, and the
// number of unanswered questions in a row after which it has left. At one bit error in a thousand a tag that is
// there misses both tries of one question in fifty.
const (
	verifyEvery  = 100 * time.Millisecond
	verifyAgain  = 20 * time.Millisecond
	verifyGap    = 4 * time.Millisecond // between two questions: new tags come first
	verifyMisses = 8
)

// Noise is measured as a density. A noisy scan adds a step to a sum, a clean one subtracts 1: noise in a tenth of
// the scans is ignored, in half of them it counts. Noise in a scan that names a tag is half as strong a sign of
// something else: at one bit error in a thousand a tag that lies alone makes it in one scan of a thousand.
const (
	densityStep, densityMax         = 2, 16 // no tag leaves before the sum is 0
	unexplainedStep, unexplainedMax = 4, 32 // NoisyScans steps are something unreadable
	besideTagStep                   = 2     // instead of unexplainedStep, in a scan that names a tag
)

// Kind is the kind of an event. The zero value is no event.
type Kind uint8

const (
	None       Kind = iota
	Arrived         // Tag is in the field and was not
	Left            // Tag is not in the field any more
	NoiseBegan      // something is in the field that cannot be read
	Stray           // with Opts.Strays: Tag came into the field and cannot name a card, as a phone or a bank card
	ReaderLost      // the reader fails; tags stay in their last known state
	ReaderBack      // the reader works again
)

// String returns the English name, for logs.
func (k Kind) String() string {
	switch k {
	case None:
		return "none"
	case Arrived:
		return "arrived"
	case Left:
		return "left"
	case NoiseBegan:
		return "noise began"
	case Stray:
		return "stray"
	case ReaderLost:
		return "reader lost"
	case ReaderBack:
		return "reader back"
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// Event is one change.
type Event struct {
	Kind Kind
	Tag  devices.Tag   // of Arrived, Left and Stray
	At   time.Duration // time of the scan that decided it
	Stay time.Duration // of Left: from Arrived to the last scan that named it
	Err  error         // of ReaderLost: the error of the scan
	// OthersPresent, of Arrived, is the number of tags from earlier scans that may still be there. A tag that
	// was missing in every scan for Absence is not counted, even if slow polls have not missed it often enough
	// for Left.
	OthersPresent int
	// FoundAtStart, of Arrived: the tag may have been there before the first scan, because the reader had
	// worked for less than Absence since the fold began, or a pile had not been read completely yet.
	FoundAtStart bool
	More         bool // set by Watch: another event of the same scan follows
}

// Opts sets up a fold. The zero value is for a slot as well as for a tray.
type Opts struct {
	// Misses is the number of clean scans in a row without a tag after which it has left, if they span Absence;
	// 0 means 3.
	Misses int
	// Absence is the least time that these scans span; 0 means 150 ms.
	Absence time.Duration
	// NoisyScans close together make NoiseBegan if no tag arrives within Absence of the first of them; 0 means
	// 2. A single one is a spark, and so is each with devices.ErrSpark. Those that name a tag must be twice as
	// many.
	NoisyScans int
	// Failures in a row that span Absence make ReaderLost; 0 means 3.
	Failures int
	// Strays is set for a reader of cards: a tag that cannot name a card (devices.UID.IsUnfitForCard) then never
	// arrives or leaves, and Stray reports it.
	Strays bool
}

// fillDefaults replaces zeros by the defaults. It returns an error for negative values.
func (o *Opts) fillDefaults() error {
	if o.Misses < 0 || o.Absence < 0 || o.NoisyScans < 0 || o.Failures < 0 {
		return errors.New("presence: a negative number of misses, scans or failures, or a negative absence")
	}
	if o.Misses == 0 {
		o.Misses = 3
	}
	if o.Absence == 0 {
		o.Absence = 150 * time.Millisecond
	}
	if o.NoisyScans == 0 {
		o.NoisyScans = 2
	}
	if o.Failures == 0 {
		o.Failures = 3
	}
	return nil
}

// Fold turns scans into events. [Fold.ApplyScan] applies the scans of a Scanner. Over a pile, whose tags are
// named once, [Fold.ApplyNewTags] applies the new tags, [Fold.TagToFind] returns the tag to ask for, and
// [Fold.ApplyFindTag] applies the answer.
//
// Invariants:
//  1. Arrived and Left alternate for each tag, beginning with Arrived.
//  2. Left follows only a series of clean scans without the tag, of at least Misses and spanning at least
//     Absence, at the end of which noise has not been dense; failure breaks the series. In a pile it follows
//     eight questions in a row without an answer that span Absence. The only other cause is a 129th tag: the
//     tag missing for longest leaves.
//  3. ReaderLost and ReaderBack alternate, beginning with ReaderLost; between them there is no other event.
//  4. One unreadable thing gives one NoiseBegan until the field was clean for Absence, or a tag arrived.
//  5. With Opts.Strays a tag that cannot name a card never arrives, leaves or counts in OthersPresent; it takes
//     neither room nor time from others. At most 8 Stray report their numbers until none was named for Absence.
type Fold struct {
	opts Opts
	last time.Duration

	present  [maxTags]visit
	nPresent int

	failures streak
	lost     bool

	hasWorked    bool          // the reader has worked
	workingSince time.Duration // since then
	pileRead     bool          // a pile has been read completely once

	noiseDensity   int           // density of all noise
	unexplained    int           // density of the noise that no present tag explains
	noiseSince     time.Duration // since when unexplained is not 0
	noiseConfirmed bool          // unexplained was enough for NoiseBegan
	cleanStreak    streak        // clean scans since
	noiseReported  bool

	askedAt time.Duration // when a tag of a pile was last asked for

	strays strays

	events [2*maxTags + 3]Event
	nEvent int
}

// visit is a tag in the field, and when it was named or asked for.
type visit struct {
	tag              devices.Tag
	since, lastNamed time.Duration
	lastPossible     time.Duration // the last scan that named it, or proved nothing
	lastAsked        time.Duration // in a pile: when it was last named or asked for
	missed           streak
}

// streak counts scans in a row, and when they began.
type streak struct {
	n     int
	since time.Duration
}

// addScanAt counts one more scan, at this time.
func (r *streak) addScanAt(at time.Duration) {
	if r.n == 0 {
		r.since = at
	}
	r.n++
}

// isLongEnough reports whether the series has count scans and has lasted for duration at this time.
func (r *streak) isLongEnough(count int, duration, at time.Duration) bool {
	return r.n >= count && at-r.since >= duration
}

// NewFold makes a fold of an empty field. A nil opts means the zero Opts.
func NewFold(opts *Opts) (*Fold, error) {
	f := &Fold{}
	if opts != nil {
		f.opts = *opts
	}
	if err := f.opts.fillDefaults(); err != nil {
		return nil, err
	}
	return f, nil
}

// ApplyScan applies the result of a Scanner at a time since any fixed start, and returns the changes; the slice
// is valid until the next call. A time before the last one counts as the last one.
func (f *Fold) ApplyScan(at time.Duration, tags []devices.Tag, err error) []Event {
	if f.applyScanError(at, err) {
		f.pileRead = true
		allNamed := f.updateAbsences(tags, err == nil)
		f.addArrivals(tags)
		allNamed = f.updateStrays(tags, err == nil) && allNamed
		f.updateNoise(err, allNamed, len(tags) > 0)
	}
	return f.events[:f.nEvent]
}

// ApplyNewTags applies the result of ScanNew of a devices.PileScanner, as ApplyScan does, except that a tag that
// is not named has not left.
func (f *Fold) ApplyNewTags(at time.Duration, tags []devices.Tag, err error) []Event {
	if !f.applyScanError(at, err) {
		return f.events[:f.nEvent]
	}
	f.pileRead = f.pileRead || !f.hasCard(tags)
	for i := range f.nPresent {
		if v := &f.present[i]; hasTag(tags, v.tag.UID) {
			v.markSeen(f.last) // it had lost its power, and is there
		}
	}
	f.addArrivals(tags)
	f.updateStrays(tags, err == nil)
	f.updateNoise(err, true, len(tags) > 0)
	return f.events[:f.nEvent]
}

// TagToFind returns the next tag of a pile to ask for, if it is time: each tag every 100 ms, but any two questions
// at least 4 ms apart, and tags that did not answer first.
func (f *Fold) TagToFind(at time.Duration) (t devices.Tag, ok bool) {
	if f.lost || at-f.askedAt < verifyGap {
		return t, false
	}
	var next *visit
	for i := range f.nPresent {
		if v := &f.present[i]; v.dueAt() <= at && (next == nil || v.isDueBefore(next)) {
			next = v
		}
	}
	if next == nil {
		return t, false
	}
	return next.tag, true
}

// ApplyFindTag applies the result of FindTag of a devices.PileScanner for a tag, and returns the changes. Noise
// proves nothing. If no tag answered, that counts as an unanswered question to every tag that is due.
func (f *Fold) ApplyFindTag(at time.Duration, t devices.Tag, found, answered bool, err error) []Event {
	f.last = max(at, f.last)
	f.nEvent = 0
	f.askedAt = f.last
	f.endVisitsWhere(func(v *visit) bool {
		mine := v.tag.UID == t.UID
		switch {
		case !mine && (err != nil || answered || v.dueAt() > f.last):
		case err != nil:
			v.lastAsked = f.last
		case found:
			v.markSeen(f.last)
		default:
			v.lastAsked = f.last
			v.missed.addScanAt(f.last)
			return v.missed.isLongEnough(verifyMisses, f.opts.Absence, f.last)
		}
		return false
	})
	return f.events[:f.nEvent]
}

// endVisitsWhere removes the visits for which over returns true, and emits Left for each.
func (f *Fold) endVisitsWhere(over func(*visit) bool) {
	kept := 0
	for i := range f.nPresent {
		v := &f.present[i]
		if over(v) {
			f.emitEvent(Event{Kind: Left, Tag: v.tag, Stay: v.lastNamed - v.since})
			continue
		}
		f.present[kept] = *v
		kept++
	}
	f.nPresent = kept
}

// markSeen notes that the tag was there at this time.
func (v *visit) markSeen(at time.Duration) {
	v.lastNamed, v.lastPossible, v.lastAsked, v.missed = at, at, at, streak{}
}

// isDueBefore reports whether v is to be asked for before w: a tag that did not answer comes first.
func (v *visit) isDueBefore(w *visit) bool {
	if missing := v.missed.n > 0; missing != (w.missed.n > 0) {
		return missing
	}
	return v.dueAt() < w.dueAt()
}

// dueAt returns when a tag of a pile is to be asked for.
func (v *visit) dueAt() time.Duration {
	if v.missed.n > 0 {
		return v.lastAsked + verifyAgain
	}
	return v.lastAsked + verifyEvery
}

// applyScanError updates the state of the reader and the density of noise by the error of a scan. It returns false
// if the scan failed, so that it has no tags to apply.
func (f *Fold) applyScanError(at time.Duration, err error) (hasTags bool) {
	f.last = max(at, f.last)
	f.nEvent = 0
	if err != nil && !errors.Is(err, devices.ErrNoise) {
		f.handleFailure(err)
		return false
	}
	f.failures = streak{}
	if !f.hasWorked {
		f.hasWorked, f.workingSince = true, f.last
	}
	if f.lost {
		f.lost = false
		f.emitEvent(Event{Kind: ReaderBack})
	}
	if err != nil {
		f.noiseDensity = min(f.noiseDensity+densityStep, densityMax)
	} else if f.noiseDensity > 0 {
		f.noiseDensity--
	}
	return true
}

func (f *Fold) emitEvent(e Event) {
	e.At = f.last
	f.events[f.nEvent] = e
	f.nEvent++
}

// handleFailure counts a failure of the reader. All series of scans without a tag begin again after it.
func (f *Fold) handleFailure(err error) {
	for i := range f.nPresent {
		f.present[i].lastPossible, f.present[i].missed = f.last, streak{}
	}
	f.noiseDensity, f.strays.missed = 0, streak{}
	f.forgetNoise()
	f.failures.addScanAt(f.last)
	if !f.lost && f.failures.isLongEnough(f.opts.Failures, f.opts.Absence, f.last) {
		f.lost = true
		f.emitEvent(Event{Kind: ReaderLost, Err: err})
	}
}

// updateAbsences updates the tags that are present, and ends the visits of those that have left. allNamed means
// that the scan named all of them.
func (f *Fold) updateAbsences(tags []devices.Tag, clean bool) (allNamed bool) {
	allNamed = true
	f.endVisitsWhere(func(v *visit) bool {
		if hasTag(tags, v.tag.UID) {
			v.markSeen(f.last)
			return false
		}
		allNamed = false
		if !clean {
			v.lastPossible = f.last
			return false
		}
		v.missed.addScanAt(f.last)
		return f.noiseDensity == 0 && v.missed.isLongEnough(f.opts.Misses, f.opts.Absence, f.last)
	})
	return allNamed
}

// addArrivals adds the tags that are not present yet, except strays, and emits Arrived for each.
func (f *Fold) addArrivals(tags []devices.Tag) {
	othersPresent := 0
	for i := range f.nPresent {
		if v := &f.present[i]; v.missed.n == 0 || f.last-v.lastPossible < f.opts.Absence {
			othersPresent++
		}
	}
	for _, t := range tags {
		if f.isPresent(t.UID) || f.isStray(t) {
			continue
		}
		if f.nPresent == maxTags {
			f.dropLongestMissing()
		}
		f.present[f.nPresent] = visit{tag: t, since: f.last}
		f.present[f.nPresent].markSeen(f.last)
		f.nPresent++
		f.forgetNoise() // the noise was this tag coming near
		f.emitEvent(Event{Kind: Arrived, Tag: t, OthersPresent: othersPresent,
			FoundAtStart: f.last-f.workingSince < f.opts.Absence || !f.pileRead})
	}
}

// dropLongestMissing makes room: it ends the visit of the tag that was named longest ago.
func (f *Fold) dropLongestMissing() {
	oldest := &f.present[0]
	for i := range f.nPresent {
		if v := &f.present[i]; v.lastNamed < oldest.lastNamed {
			oldest = v
		}
	}
	f.endVisitsWhere(func(v *visit) bool { return v == oldest })
}

// updateNoise decides whether something unreadable is there. Noise while a present tag is missing is that tag,
// badly coupled. Noise with all tags named, or without any, is something else; besideTag means that the scan named
// one. A spark is neither.
func (f *Fold) updateNoise(err error, allNamed, besideTag bool) {
	switch {
	case err == nil || errors.Is(err, devices.ErrSpark):
		f.unexplained = max(f.unexplained-1, 0)
		f.cleanStreak.addScanAt(f.last)
	case allNamed:
		if f.unexplained == 0 && !f.noiseConfirmed {
			f.noiseSince = f.last
		}
		f.cleanStreak = streak{}
		step := unexplainedStep
		if besideTag {
			step = besideTagStep
		}
		f.unexplained = min(f.unexplained+step, unexplainedMax)
		f.noiseConfirmed = f.noiseConfirmed || f.unexplained >= unexplainedStep*f.opts.NoisyScans
	default:
		f.cleanStreak = streak{}
	}
	if f.noiseConfirmed && !f.noiseReported && f.last-f.noiseSince >= f.opts.Absence {
		f.noiseReported = true
		f.emitEvent(Event{Kind: NoiseBegan})
	}
	if f.noiseConfirmed && f.cleanStreak.isLongEnough(f.opts.Misses, f.opts.Absence, f.last) {
		f.forgetNoise()
	}
}

func (f *Fold) forgetNoise() {
	f.unexplained, f.noiseConfirmed, f.cleanStreak, f.noiseReported = 0, false, streak{}, false
}

func (f *Fold) isPresent(uid devices.UID) bool {
	for i := range f.nPresent {
		if f.present[i].tag.UID == uid {
			return true
		}
	}
	return false
}

func hasTag(tags []devices.Tag, uid devices.UID) bool {
	return slices.ContainsFunc(tags, func(t devices.Tag) bool { return t.UID == uid })
}
