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

// A pile: how often a tag that lies there is asked for, one that did not answer, and how many refusals in a row mean that it left.
// At one bit error in a thousand a tag that is there misses both tries of one in fifty.
const (
	verifyEvery  = 100 * time.Millisecond
	verifyAgain  = 20 * time.Millisecond
	verifyGap    = 4 * time.Millisecond // between two of them: new tags come first
	verifyMisses = 8
)

// Noise is a density. A noisy scan adds to a sum, a clean one takes 1 from it: so a tenth of them means nothing, half of them much.
const (
	unrestStep, unrestMax   = 2, 16 // nobody leaves before the sum is 0
	suspectStep, suspectMax = 4, 32 // something unreadable: NoisyScans steps
)

// Kind says what happened. The zero value is nothing.
type Kind uint8

const (
	None       Kind = iota
	Arrived         // Tag is in the field and was not
	Left            // Tag is no more in the field
	NoiseBegan      // something is in the field that cannot be read
	Stray           // with Opts.Strays: Tag came into the field and cannot name a card, as a phone or a bank card
	ReaderLost      // the reader fails; tags keep their last known state
	ReaderBack      // the reader works again
)

// String is for logs.
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
	At   time.Duration // when the snapshot that decided it was taken
	Stay time.Duration // of Left: from Arrived to the last snapshot that named it
	Err  error         // of ReaderLost: what the reader said
	// Beside, of Arrived, is the number of tags of earlier snapshots that may still lie there.
	// One that has not left only because slow polls have not missed it often enough is not among
	// them: nothing but silence came of it for Absence.
	Beside int
	// Found, of Arrived: the reader had worked for less than Absence since the fold began, so the
	// tag may have lain there before anybody looked.
	Found bool
	More  bool // as Watch reports it: another event of the same snapshot follows
}

// Opts sets up a fold. The zero value suits a slot as well as a tray.
type Opts struct {
	// Misses in a row, 0 means 3, and
	Misses int
	// Absence, the time they span, 0 means 150 ms, make a tag leave.
	Absence time.Duration
	// NoisyScans close together make NoiseBegan if no tag arrives within Absence of the first of
	// them; 0 means 2. One alone is a spark, and so is any that devices.ErrSpark says is one.
	NoisyScans int
	// Failures in a row, 0 means 3, that span Absence make ReaderLost.
	Failures int
	// Strays is for a reader of cards: a tag that cannot name one (devices.UID.IsUnfit) never arrives or leaves, and Stray tells of it.
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

// Fold turns snapshots into events: [Fold.Step] those of a Scanner. Over a pile, whose tags are named once,
// [Fold.StepNew] takes what is new, [Fold.Due] says whom to ask for, and [Fold.Verified] takes the answer.
//
// Invariants:
//  1. Arrived and Left alternate for each tag, beginning with Arrived.
//  2. Left follows only a run of clean snapshots without the tag, of at least Misses
//     and spanning at least Absence, at the end of which noise has not been dense; failure breaks the run. In a pile it follows
//     eight refusals in a row that span Absence. A 65th tag is Left's only other cause: the one that was missing longest goes.
//  3. ReaderLost and ReaderBack alternate, beginning with ReaderLost; between them
//     there is no other event.
//  4. One unreadable thing gives one NoiseBegan until the field was clean for Absence, or a tag arrived.
//  5. With Opts.Strays a tag that cannot name a card never arrives, leaves or counts as Beside; it takes no place and no time of
//     others. At most 8 Stray tell of their numbers, until none was named for Absence.
type Fold struct {
	opts Opts
	last time.Duration

	present [maxTags]visit
	n       int

	failures run
	lost     bool

	begun   bool          // the reader has worked,
	first   time.Duration // from then on
	settled bool          // a pile has been read through once

	unrest     int           // how dense noise is
	suspect    int           // and how dense that which no tag that is present explains
	noiseSince time.Duration // suspect is not 0 since then
	heard      bool          // it was enough for NoiseBegan
	quiet      run           // clean snapshots since
	reported   bool

	verified time.Duration // when a tag of a pile was last asked for

	strays strays

	events [2*maxTags + 3]Event
	nEvent int
}

// visit is a tag in the field.
type visit struct {
	tag         devices.Tag
	since, seen time.Duration
	held        time.Duration // the last snapshot that named it, or proved nothing
	asked       time.Duration // in a pile: when it was last heard of or asked for
	away        run
}

// run counts snapshots in a row.
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

// NewFold makes a fold of an empty field; a nil opts is the zero Opts.
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

// Step takes what a Scanner returned at a time since any fixed start, and returns
// what changed; the slice is valid until the next Step. Times do not go back; one that does
// counts as the last.
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

// StepNew takes what the ScanNew of a devices.PileScanner returned, as Step does: who is not named has not left.
func (f *Fold) StepNew(at time.Duration, tags []devices.Tag, err error) []Event {
	if !f.scanned(at, err) {
		return f.events[:f.nEvent]
	}
	f.settled = f.settled || !f.hasCard(tags)
	for i := range f.n {
		if v := &f.present[i]; named(tags, v.tag.UID) {
			v.found(f.last) // it lost its power, and is there
		}
	}
	f.arrivals(tags)
	f.followStrays(tags, err == nil)
	f.hearNoise(err, true)
	return f.events[:f.nEvent]
}

// Due is the tag of a pile that is to be verified next, if it is time: each that lies there every 100 ms, but all of them
// together no more often than every 4 ms, those that did not answer first.
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

// Verified takes what Verify of a devices.PileScanner returned of a tag. Noise proves nothing. If nobody answered, that counts for
// every tag that is due to be asked for.
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

// part tells of each visit that is over, and forgets it.
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

// before reports that a tag of a pile is to be asked for before another: one that did not answer comes first.
func (v *visit) before(w *visit) bool {
	if missing := v.away.n > 0; missing != (w.away.n > 0) {
		return missing
	}
	return v.due() < w.due()
}

// due is when a tag of a pile is to be asked for.
func (v *visit) due() time.Duration {
	if v.away.n > 0 {
		return v.asked + verifyAgain
	}
	return v.asked + verifyEvery
}

// scanned takes the reader's own part of a snapshot and reports whether there is more.
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

// failed counts a failure of the reader; nobody left while it cannot see.
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

// absences updates the tags that are present. whole means that all of them were named.
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
		f.forgetNoise() // it was this tag coming near
		f.emit(Event{Kind: Arrived, Tag: t, Beside: beside, Found: f.last-f.first < f.opts.Absence || !f.settled})
	}
}

// dropLongestMissing makes room: the tag goes that was not heard of for longest.
func (f *Fold) dropLongestMissing() {
	oldest := &f.present[0]
	for i := range f.n {
		if v := &f.present[i]; v.seen < oldest.seen {
			oldest = v
		}
	}
	f.part(func(v *visit) bool { return v == oldest })
}

// hearNoise decides about unreadable things. Noise while a present tag is missing is that
// tag, badly coupled; noise beside all of them, or without any, is something else. A spark is neither.
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
