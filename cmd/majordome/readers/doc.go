// Package readers watches the readers of the table. It asks who owns each tag, counts what each reader goes through, and lets the host try the
// readers before a game.
//
//	r := readers.New(opts)
//	r.Run(ctx, fail)     watches every reader until ctx ends
//	r.Halt()             switches them off, after Run
//
// What may leak: numbers of tags, to the host, in a trial, and there is none in a game.
package readers

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"majordome/cmd/majordome/cards"
	"majordome/cmd/majordome/config"
	"majordome/companion/game"
	"majordome/companion/wire"
	"majordome/devices/meter"
	"majordome/devices/presence"
	"majordome/engine"
)

// Opts are the parameters of Readers. No function may block.
type Opts struct {
	Readers   []config.Reader
	Table     *game.Loop
	Cards     *cards.Cards
	Enrolment *cards.Enrolment
	Press     func(role string)     // a control card was laid
	Claim     func(uid string) bool // takes a tag that shows who stands at the table
	Public    func() *wire.Update   // as everybody sees the table now; nil before the first step
	Playing   func() bool           // a game is on: it is no lobby
	Strips    func() []wire.Strip   // how each strip does, beside the readers of a trial
	Touch     func()                // somebody is at the table
	Changed   func()                // the office shows something else
	Log       *slog.Logger
}

// Readers are safe for concurrent use.
type Readers struct {
	opts  Opts
	feeds []*feed
	trial trial
}

// New makes Readers that watch nothing until Run.
func New(o Opts) *Readers {
	r := &Readers{opts: o}
	for _, c := range o.Readers {
		r.feeds = append(r.feeds, &feed{readers: r, reader: c, meter: meter.New(c.Scanner, nil), back: time.Now()})
	}
	r.trial.phase, r.trial.turn = context.WithCancel(context.Background())
	return r
}

// Run watches the readers until ctx ends. fail is called with what ends one of them before.
func (r *Readers) Run(ctx context.Context, fail func(error)) {
	var all sync.WaitGroup
	defer all.Wait()
	for _, f := range r.feeds {
		all.Go(func() { fail(f.watch(ctx)) })
	}
	all.Go(func() { r.showTrial(ctx) })
}

// Halt switches the readers off, after Run. One that is lost cannot be.
func (r *Readers) Halt() error {
	var errs []error
	for _, f := range r.feeds {
		if err := f.reader.Scanner.Halt(); !f.isLost() {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Counters are what a reader went through since the start. Cards and noise are counted outside of games alone: in a game a private refusal
// looks like a bad reading (GEN-003), and the numbers would tell how many of them there were.
type Counters struct {
	Role                 string
	Lost                 bool // it does not answer
	Cards, Noisy, Losses uint64
	Uptime               time.Duration // since it has answered
}

// Counters returns those of each reader.
func (r *Readers) Counters() (all []Counters) {
	for _, f := range r.feeds {
		all = append(all, f.counters())
	}
	return all
}

// watch brings what a reader sees to the table, or to a trial as long as there is one.
func (f *feed) watch(ctx context.Context) (err error) {
	c, cards := f.reader, presence.Opts{Strays: true}
	for ctx.Err() == nil && err == nil {
		on, phase := f.readers.trial.now()
		part, stop := until(ctx, phase)
		if f.isLost() { // a new watch takes the reader for well, and says so when it is not
			f.onEvent(presence.Event{Kind: presence.ReaderBack})
		}
		if on {
			err = presence.Watch(part, f.meter, &presence.WatchOpts{Period: trialPeriod, Retry: c.Retry, Fold: cards}, f.onTrialEvent)
		} else {
			pile := c.Role == engine.ReaderUrn // what fell through the slot stays within reach
			err = presence.Watch(part, c.Scanner, &presence.WatchOpts{Period: c.Period, Retry: c.Retry, Pile: pile, Fold: cards}, f.onEvent)
		}
		stop()
	}
	return err
}
