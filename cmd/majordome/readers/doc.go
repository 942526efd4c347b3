// Package readers watches the readers of the table. It decides for each tag whether the game, the
// enrolment or another part of the program handles it, counts the events of each reader, and runs
// the host's test of the readers before a game.
//
//	r := readers.New(opts)
//	r.Run(ctx, fail)     watches every reader until ctx ends
//	r.Halt()             switches the readers off, after Run
//
// What may leak: the UIDs of tags, only to the host and only in a reader test, which never runs
// during a game.
package readers

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"majordome/cmd/majordome/cards"
	"majordome/cmd/majordome/config"
	"majordome/companion/game"
	"majordome/companion/pair"
	"majordome/companion/wire"
	"majordome/devices/meter"
	"majordome/devices/presence"
	"majordome/engine"
)

// Opts are the parameters of Readers. No function may block.
type Opts struct {
	Readers         []config.Reader
	Table           *game.Loop
	Cards           *cards.Cards
	Enrolment       *cards.Enrolment
	OnControlCard   func(role string)        // a control card was placed on a reader
	HandleClaimCard func(pair.LaidCard) bool // handles a card for a claim of the host's page or of a seat; false: no one claims it
	HandleClaimLeft func(reader, uid string) // handles a tag that has left a reader; uid "": the reader is lost
	Public          func() *wire.Update      // the public update; nil before the first step
	IsPlaying       func() bool              // a game is on, not the lobby
	Strips          func() []wire.Strip      // the states of the LED strips, shown in a reader test
	OnUse           func()                   // a person is at the table
	OnChange        func()                   // the host's page must be updated
	Log             *slog.Logger
}

// Readers watches the readers of a table. It is safe for concurrent use.
type Readers struct {
	opts  Opts
	feeds []*readerFeed
	test  readerTest
}

// New returns Readers that watch nothing until Run.
func New(o Opts) *Readers {
	r := &Readers{opts: o}
	for _, c := range o.Readers {
		r.feeds = append(r.feeds, &readerFeed{readers: r, reader: c, meter: meter.New(c.Scanner, nil), answersSince: time.Now()})
	}
	r.test.phase, r.test.endPhase = context.WithCancel(context.Background())
	return r
}

// Run watches the readers until ctx ends. It calls fail with the error of a reader whose watch ends earlier.
func (r *Readers) Run(ctx context.Context, fail func(error)) {
	var all sync.WaitGroup
	defer all.Wait()
	for _, f := range r.feeds {
		all.Go(func() { fail(f.watchReader(ctx)) })
	}
	all.Go(func() { r.updatePageDuringTest(ctx) })
}

// Halt switches the readers off, after Run. It ignores errors of readers that are lost.
func (r *Readers) Halt() error {
	var errs []error
	for _, f := range r.feeds {
		if err := f.reader.Scanner.Halt(); !f.isLost() {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Counters count the events of a reader since the start. Cards and noise are counted only outside games: in a
// game a private refusal looks like a bad reading (GEN-003), and the numbers would reveal how many there
// were.
type Counters struct {
	Role                 string
	Lost                 bool // the reader does not answer
	Cards, Noisy, Losses uint64
	Uptime               time.Duration // since the reader has answered again
}

// HasWorkingReader reports whether a reader of a role works; role "": any reader.
func (r *Readers) HasWorkingReader(role string) bool {
	return slices.ContainsFunc(r.feeds, func(f *readerFeed) bool { return (role == "" || f.reader.Role == role) && !f.isLost() })
}

// Counters returns the counters of each reader.
func (r *Readers) Counters() (all []Counters) {
	for _, f := range r.feeds {
		all = append(all, f.counters())
	}
	return all
}

// watchReader passes the events of a reader to the table, or to a reader test while one is on.
func (f *readerFeed) watchReader(ctx context.Context) (err error) {
	c, cards := f.reader, presence.Opts{Strays: true}
	for ctx.Err() == nil && err == nil {
		on, phase := f.readers.test.currentState()
		part, stop := contextOfBoth(ctx, phase)
		if f.isLost() { // a new watch assumes that the reader works, and reports if it does not
			f.handleEvent(presence.Event{Kind: presence.ReaderBack})
		}
		if on {
			err = presence.Watch(part, f.meter, &presence.WatchOpts{Period: testPeriod, Retry: c.Retry, Fold: cards},
				f.handleTestEvent)
		} else {
			pile := c.Role == engine.ReaderUrn // a card that fell through the slot stays within range
			err = presence.Watch(part, c.Scanner,
				&presence.WatchOpts{Period: c.Period, Retry: c.Retry, Pile: pile, Fold: cards}, f.handleEvent)
		}
		stop()
	}
	return err
}
