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

// Noise is measured as a density. A noisy scan adds to a sum, a clean one takes 1 from it: noise in a tenth of
// the scans is ignored, in half of them it counts.
const (
	unrestStep, unrestMax   = 2, 16 // no tag leaves before the sum is 0
	suspectStep, suspectMax = 4, 32 // NoisyScans steps are something unreadable
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
	Beside int
	// FoundAtStart, of Arrived: the tag may have been there before the first scan, because the reader had
	// worked for less than Absence since the fold began, or a pile had not been read completely yet.
	Found bool
	More  bool // set by Watch: another event of the same scan follows
}

// Opts sets up a fold. The zero value is for a slot as well as for a tray.
type Opts struct {
	// Misses is the number of clean scans in a row without a tag after which it has left, if they span Absence;
	// 0 means 3.
	Misses int
	// Absence is the least time that these scans span; 0 means 150 ms.
	Absence time.Duration
	// NoisyScans close together make NoiseBegan if no tag arrives within Absence of the first of them; 0 means
	// 2. A single one is a spark, and so is each with devices.ErrSpark.
	NoisyScans int
	// Failures in a row that span Absence make ReaderLost; 0 means 3.
	Failures int
	// Strays is set for a reader of cards: a tag that cannot name a card (devices.UID.IsUnfit) then never
	// arrives or leaves, and Stray reports it.
	Strays bool
}

func (o *Opts) fill() error {
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

// Fold turns scans into events. [Fold.ApplyScan] takes the scans of a Scanner. Over a pile, whose tags are
// named once, [Fold.ApplyNewTags] takes the new tags, [Fold.DueTag] returns the tag to ask for, and
// [Fold.ApplyFindTag] takes the answer.
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

	present [maxTags]visit
	n       int

	failures run
	lost     bool

	begun   bool          // the reader has worked
	first   time.Duration // since then
	settled bool          // a pile has been read completely once

	unrest     int           // density of all noise
	suspect    int           // density of the noise that no present tag explains
	noiseSince time.Duration // since when unexplained is not 0
	heard      bool          // unexplained was enough for NoiseBegan
	quiet      run           // clean scans since
	reported   bool

	verified time.Duration // when a tag of a pile was last asked for

	strays strays

	events [2*maxTags + 3]Event
	nEvent int
}

// visit is a tag in the field, and when it was named or asked for.
type visit struct {
	tag         devices.Tag
	since, seen time.Duration
	held        time.Duration // the last scan that named it, or proved nothing
	asked       time.Duration // in a pile: when it was last named or asked for
	away        run
}

// streak counts scans in a row, and when they began.
type run struct {
	n     int
	since time.Duration
}

func (r *run) add(at time.Duration) {
	if r.n == 0 {
		r.since = at
	}
	r.n++
}

func (r *run) spans(n int, d, at time.Duration) bool {
	return r.n >= n && at-r.since >= d
}

// NewFold makes a fold of an empty field. A nil opts means the zero Opts.
func NewFold(opts *Opts) (*Fold, error) {
	f := &Fold{}
	if opts != nil {
		f.opts = *opts
	}
	if err := f.opts.fill(); err != nil {
		return nil, err
	}
	return f, nil
}

// ApplyScan takes the result of a Scanner at a time since any fixed start, and returns the changes; the slice
// is valid until the next call. A time before the last one counts as the last one.
func (f *Fold) Step(at time.Duration, tags []devices.Tag, err error) []Event {
	if f.scanned(at, err) {
		f.settled = true
		whole := f.absences(tags, err == nil)
		f.arrivals(tags)
		whole = f.followStrays(tags, err == nil) && whole
		f.hearNoise(err, whole)
	}
	return f.events[:f.nEvent]
}

// ApplyNewTags takes the result of ScanNew of a devices.PileScanner, as ApplyScan does, except that a tag that
// is not named has not left.
func (f *Fold) StepNew(at time.Duration, tags []devices.Tag, err error) []Event {
	if !f.scanned(at, err) {
		return f.events[:f.nEvent]
	}
	f.settled = f.settled || !f.hasCard(tags)
	for i := range f.n {
		if v := &f.present[i]; named(tags, v.tag.UID) {
			v.found(f.last) // it had lost its power, and is there
		}
	}
	f.arrivals(tags)
	f.followStrays(tags, err == nil)
	f.hearNoise(err, true)
	return f.events[:f.nEvent]
}

// DueTag returns the next tag of a pile to ask for, if it is time: each tag every 100 ms, but any two questions
// at least 4 ms apart, and tags that did not answer first.
func (f *Fold) Due(at time.Duration) (t devices.Tag, ok bool) {
	if f.lost || at-f.verified < verifyGap {
		return t, false
	}
	var next *visit
	for i := range f.n {
		if v := &f.present[i]; v.due() <= at && (next == nil || v.before(next)) {
			next = v
		}
	}
	if next == nil {
		return t, false
	}
	return next.tag, true
}

// ApplyFindTag takes the result of FindTag of a devices.PileScanner for a tag. Noise proves nothing. If no tag
// answered, that counts for every tag whose turn has come.
func (f *Fold) Verified(at time.Duration, t devices.Tag, there, anybody bool, err error) []Event {
	f.last = max(at, f.last)
	f.nEvent = 0
	f.verified = f.last
	f.part(func(v *visit) bool {
		mine := v.tag.UID == t.UID
		switch {
		case !mine && (err != nil || anybody || v.due() > f.last):
		case err != nil:
			v.asked = f.last
		case there:
			v.found(f.last)
		default:
			v.asked = f.last
			v.away.add(f.last)
			return v.away.spans(verifyMisses, f.opts.Absence, f.last)
		}
		return false
	})
	return f.events[:f.nEvent]
}

// endVisits removes the visits that are over, with an event for each.
func (f *Fold) part(over func(*visit) bool) {
	kept := 0
	for i := range f.n {
		v := &f.present[i]
		if over(v) {
			f.emit(Event{Kind: Left, Tag: v.tag, Stay: v.seen - v.since})
			continue
		}
		f.present[kept] = *v
		kept++
	}
	f.n = kept
}

func (v *visit) found(at time.Duration) {
	v.seen, v.held, v.asked, v.away = at, at, at, run{}
}

// isBefore reports whether v is to be asked for before w: a tag that did not answer comes first.
func (v *visit) before(w *visit) bool {
	if missing := v.away.n > 0; missing != (w.away.n > 0) {
		return missing
	}
	return v.due() < w.due()
}

// dueAt returns when a tag of a pile is to be asked for.
func (v *visit) due() time.Duration {
	if v.away.n > 0 {
		return v.asked + verifyAgain
	}
	return v.asked + verifyEvery
}

// startSnapshot begins a scan with the state of the reader. It reports whether the scan has tags to apply: not
// if it failed.
func (f *Fold) scanned(at time.Duration, err error) bool {
	f.last = max(at, f.last)
	f.nEvent = 0
	if err != nil && !errors.Is(err, devices.ErrNoise) {
		f.failed(err)
		return false
	}
	f.failures = run{}
	if !f.begun {
		f.begun, f.first = true, f.last
	}
	if f.lost {
		f.lost = false
		f.emit(Event{Kind: ReaderBack})
	}
	if err != nil {
		f.unrest = min(f.unrest+unrestStep, unrestMax)
	} else if f.unrest > 0 {
		f.unrest--
	}
	return true
}

func (f *Fold) emit(e Event) {
	e.At = f.last
	f.events[f.nEvent] = e
	f.nEvent++
}

// handleFailure counts a failure of the reader. No absence counts before it.
func (f *Fold) failed(err error) {
	for i := range f.n {
		f.present[i].held, f.present[i].away = f.last, run{}
	}
	f.unrest, f.strays.away = 0, run{}
	f.forgetNoise()
	f.failures.add(f.last)
	if !f.lost && f.failures.spans(f.opts.Failures, f.opts.Absence, f.last) {
		f.lost = true
		f.emit(Event{Kind: ReaderLost, Err: err})
	}
}

// updateAbsences updates the tags that are present. whole means that the scan named all of them.
func (f *Fold) absences(tags []devices.Tag, clean bool) (whole bool) {
	whole = true
	f.part(func(v *visit) bool {
		if named(tags, v.tag.UID) {
			v.found(f.last)
			return false
		}
		whole = false
		if !clean {
			v.held = f.last
			return false
		}
		v.away.add(f.last)
		return f.unrest == 0 && v.away.spans(f.opts.Misses, f.opts.Absence, f.last)
	})
	return whole
}

func (f *Fold) arrivals(tags []devices.Tag) {
	beside := 0
	for i := range f.n {
		if v := &f.present[i]; v.away.n == 0 || f.last-v.held < f.opts.Absence {
			beside++
		}
	}
	for _, t := range tags {
		if f.here(t.UID) || f.isStray(t) {
			continue
		}
		if f.n == maxTags {
			f.dropLongestMissing()
		}
		f.present[f.n] = visit{tag: t, since: f.last}
		f.present[f.n].found(f.last)
		f.n++
		f.forgetNoise() // the noise was this tag coming near
		f.emit(Event{Kind: Arrived, Tag: t, Beside: beside,
			Found: f.last-f.first < f.opts.Absence || !f.settled})
	}
}

// dropLongestMissing makes room: it ends the visit of the tag that was named longest ago.
func (f *Fold) dropLongestMissing() {
	oldest := &f.present[0]
	for i := range f.n {
		if v := &f.present[i]; v.seen < oldest.seen {
			oldest = v
		}
	}
	f.part(func(v *visit) bool { return v == oldest })
}

// updateNoise decides whether something unreadable is there. Noise while a present tag is missing is that tag,
// badly coupled. Noise with all tags named, or without any, is something else. A spark is neither.
func (f *Fold) hearNoise(err error, whole bool) {
	switch {
	case err == nil || errors.Is(err, devices.ErrSpark):
		f.suspect = max(f.suspect-1, 0)
		f.quiet.add(f.last)
	case whole:
		if f.suspect == 0 && !f.heard {
			f.noiseSince = f.last
		}
		f.quiet = run{}
		f.suspect = min(f.suspect+suspectStep, suspectMax)
		f.heard = f.heard || f.suspect >= suspectStep*f.opts.NoisyScans
	default:
		f.quiet = run{}
	}
	if f.heard && !f.reported && f.last-f.noiseSince >= f.opts.Absence {
		f.reported = true
		f.emit(Event{Kind: NoiseBegan})
	}
	if f.heard && f.quiet.spans(f.opts.Misses, f.opts.Absence, f.last) {
		f.forgetNoise()
	}
}

func (f *Fold) forgetNoise() {
	f.suspect, f.heard, f.quiet, f.reported = 0, false, run{}, false
}

func (f *Fold) here(uid devices.UID) bool {
	for i := range f.n {
		if f.present[i].tag.UID == uid {
			return true
		}
	}
	return false
}

func named(tags []devices.Tag, uid devices.UID) bool {
	return slices.ContainsFunc(tags, func(t devices.Tag) bool { return t.UID == uid })
}
