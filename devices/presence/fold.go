package presence

import (
	"errors"
	"fmt"
	"time"

	"majordome/devices"
)

const maxTags = 16

// Kind says what happened. The zero value is nothing.
type Kind uint8

const (
	None       Kind = iota
	Arrived         // Tag is in the field and was not
	Left            // Tag is no more in the field
	NoiseBegan      // something is in the field that cannot be read
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
	Tag  devices.Tag   // of Arrived and Left
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
	// NoisyScans make NoiseBegan if no tag arrives within Absence of the first of
	// them; 0 means 2. One alone is a spark.
	NoisyScans int
	// Failures in a row, 0 means 3, that span Absence make ReaderLost.
	Failures int
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

// Fold turns snapshots into events.
//
// Invariants:
//  1. Arrived and Left alternate for each tag, beginning with Arrived.
//  2. Left follows only a run of clean snapshots without the tag, of at least Misses
//     and spanning at least Absence; noise and failure break the run.
//  3. ReaderLost and ReaderBack alternate, beginning with ReaderLost; between them
//     there is no other event.
//  4. One unreadable thing gives one NoiseBegan until the field was clean for Absence, or a tag arrived.
type Fold struct {
	opts Opts
	last time.Duration

	present [maxTags]visit
	n       int

	failures run
	lost     bool

	begun bool          // the reader has worked,
	first time.Duration // from then on

	noisy      int           // noisy scans of this episode
	noiseSince time.Duration // the first of them
	quiet      run           // clean snapshots since the last
	reported   bool

	events [2*maxTags + 2]Event
	nEvent int
}

// visit is a tag in the field.
type visit struct {
	tag         devices.Tag
	since, seen time.Duration
	held        time.Duration // the last snapshot that named it, or proved nothing
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
	f.last = max(at, f.last)
	f.nEvent = 0
	if err != nil && !errors.Is(err, devices.ErrNoise) {
		f.failed(err)
		return f.events[:f.nEvent]
	}
	f.failures = run{}
	if !f.begun {
		f.begun, f.first = true, f.last
	}
	if f.lost {
		f.lost = false
		f.emit(Event{Kind: ReaderBack})
	}
	clean := err == nil
	whole := f.absences(tags, clean)
	f.arrivals(tags)
	f.hearNoise(clean, whole)
	return f.events[:f.nEvent]
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
	f.noisy, f.quiet, f.reported = 0, run{}, false
	f.failures.add(f.last)
	if !f.lost && f.failures.spans(f.opts.Failures, f.opts.Absence, f.last) {
		f.lost = true
		f.emit(Event{Kind: ReaderLost, Err: err})
	}
}

// absences updates the tags that are present. whole means that all of them were named.
func (f *Fold) absences(tags []devices.Tag, clean bool) (whole bool) {
	whole = true
	kept := 0
	for i := range f.n {
		v := f.present[i]
		switch {
		case named(tags, v.tag.UID):
			v.seen, v.held, v.away = f.last, f.last, run{}
		case !clean:
			v.held, v.away, whole = f.last, run{}, false
		default:
			whole = false
			if v.away.add(f.last); v.away.spans(f.opts.Misses, f.opts.Absence, f.last) {
				f.emit(Event{Kind: Left, Tag: v.tag, Stay: v.seen - v.since})
				continue
			}
		}
		f.present[kept] = v
		kept++
	}
	f.n = kept
	return whole
}

func (f *Fold) arrivals(tags []devices.Tag) {
	beside := 0
	for i := range f.n {
		if f.last-f.present[i].held < f.opts.Absence {
			beside++
		}
	}
	for _, t := range tags {
		if f.n == maxTags || f.here(t.UID) {
			continue
		}
		f.present[f.n] = visit{tag: t, since: f.last, seen: f.last, held: f.last}
		f.n++
		// The noise before it was this tag coming near.
		f.noisy, f.quiet, f.reported = 0, run{}, false
		f.emit(Event{Kind: Arrived, Tag: t, Beside: beside, Found: f.last-f.first < f.opts.Absence})
	}
}

// hearNoise decides about unreadable things. Noise while a present tag is missing is that
// tag, badly coupled; noise beside all of them, or without any, is something else.
func (f *Fold) hearNoise(clean, whole bool) {
	switch {
	case clean && f.noisy == 0:
		return
	case clean:
		f.quiet.add(f.last)
	case whole:
		if f.quiet = (run{}); f.noisy == 0 {
			f.noiseSince = f.last
		}
		f.noisy++
	default:
		f.quiet = run{}
	}
	if !f.reported && f.noisy >= f.opts.NoisyScans && f.last-f.noiseSince >= f.opts.Absence {
		f.reported = true
		f.emit(Event{Kind: NoiseBegan})
	}
	if f.quiet.spans(f.opts.Misses, f.opts.Absence, f.last) {
		f.noisy, f.quiet, f.reported = 0, run{}, false
	}
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
	for i := range tags {
		if tags[i].UID == uid {
			return true
		}
	}
	return false
}
