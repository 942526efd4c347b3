// Package autoplay plays an evening by itself: simulated guests act for the seats of a table by what each is offered there, as
// people would by phones and cards, one deed after the other.
//
//	p := autoplay.New(autoplay.Opts{Table: house, Cards: bench, Sit: players, Dice: dice})
//	go p.Run(ctx)
//	p.Set(wire.BenchPlay{On: true, Speed: 1, Game: "huis-clos", Seed: 7})
//
// A guest knows what the view of its seat shows and nothing else; in a Cluedo it works out the envelope from that and accuses when one card
// of each kind is left. Cards that the table wants to read are laid on its reader; what is said on phones is said by a phone of
// that seat. Before each deed the guests look at the table anew, so that a person may act, undo or pause at any moment. Who acts on a phone of
// a seat plays it from then on.
//
// Evening is all of that at a table in memory, for a display in an empty lobby.
//
// Equal games, seeds and decks play the same evening where nobody else acts: the dice of table and cards are seeded with it.
// Two things that fall into one moment may come in another order.
package autoplay

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"sync"
	"time"

	"majordome/cmd/majordome/durable"
	"majordome/cmd/majordome/house"
	"majordome/companion/wire"
	"majordome/engine"
)

// Table is where the guests sit.
type Table interface {
	// Snapshot is what a viewer is shown now; ok is false where nobody sits.
	Snapshot(engine.Viewer) (u wire.Update, ok bool)
	// Act does what a phone asks for, and answers once.
	Act(wire.Handset, wire.Act, func(wire.Reply))
}

// Cards are the cards on the table, and hands to move them.
type Cards interface {
	Lie() wire.Bench
	Do(wire.BenchAct) error
}

// noCards are the cards of a table without any.
type noCards struct{}

func (noCards) Lie() wire.Bench        { return wire.Bench{} }
func (noCards) Do(wire.BenchAct) error { return nil }

// Opts are what a player needs; Table and Sit are required.
type Opts struct {
	Table Table
	// Cards are moved as the guests act. Nil: there are none, and all is said on phones.
	Cards Cards
	// Sit is who sits down in each game, from seat 1 on.
	Sit func(game engine.ID) []house.Player
	// Dice are those of the table and of the cards, seeded at the beginning of each evening.
	Dice []*Dice
	// Changed is called when State differs. It must not block.
	Changed func()
	// After waits; time.After by default.
	After func(time.Duration) <-chan time.Time
	// Alone sets how long stopped guests wait, with nothing new at the table, before they play on. 0: they wait until Set.
	Alone time.Duration
	// File keeps how it plays over a restart; empty: nothing is kept.
	File string
}

// pace is how long people take between two deeds, at speed 1.
const pace = 2500 * time.Millisecond

// rest is for how many looks the end of an evening is shown before the next begins: the same time at any speed.
const rest = 16

// patience is how many paces the guests wait for somebody or something before the host does it.
const patience = 4

// absence is for how long a table waits for people whose phones have gone before guests play for them again.
const absence = 30 * time.Second

// Player has the guests. Its methods are safe for concurrent use; Run is called once.
type Player struct {
	opts  Opts
	poked chan struct{} // there is something to do at once

	mu    sync.Mutex
	state wire.BenchPlay
	anew  bool // the evening of the state has not begun yet

	// Of Run alone:
	dice    *Dice // of the guests' choices
	seq     uint64
	waited  int                           // paces in which nobody could do anything
	ended   int                           // looks at what is over
	away    map[engine.Seat]time.Duration // for which the table has waited for people whose phones have gone
	acted   map[engine.Seat]uint64        // number of the last act by a phone of people, at the last look
	refused int                           // readings in a row that came to nothing
	seen    uint64                        // revision of the table at the last look
	// done is a deed by a phone of which the table has told nobody yet, and before what everybody saw then: an answer, say, takes effect a
	// moment after it was given, so that its time tells nothing (C8-158).
	done   *wire.BenchDeed
	before engine.View
}

// ErrPlay is a state that cannot be wanted.
var ErrPlay = errors.New("autoplay: no such speed, game or seat")

// New makes a player that waits to be told to play.
func New(o Opts) *Player {
	if o.Cards == nil {
		o.Cards = noCards{}
	}
	if o.Changed == nil {
		o.Changed = func() {}
	}
	if o.After == nil {
		o.After = time.After
	}
	p := &Player{opts: o, poked: make(chan struct{}, 1), dice: NewDice(0), state: wire.BenchPlay{Speed: 1, Mine: []engine.Seat{}}, away: map[engine.Seat]time.Duration{}, acted: map[engine.Seat]uint64{}}
	p.restore()
	return p
}

// State is how the evening plays.
func (p *Player) State() wire.BenchPlay {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.state
	s.Mine = slices.Clone(s.Mine)
	return s
}

// Set changes how it plays. Another game or seed than those of the state begins an evening anew; but a game that people have begun goes on
// when the guests come to it.
func (p *Player) Set(want wire.BenchPlay) error {
	if !p.valid(want) {
		return ErrPlay
	}
	u, _ := p.opts.Table.Snapshot(engine.Public)
	goesOn := u.View.Game == want.Game && u.View.Phase != engine.PhaseLobby && u.View.Result == nil
	p.mu.Lock()
	if want.Game == "" {
		want.Game, want.Seed = p.state.Game, p.state.Seed
	}
	want.Did = p.state.Did
	want.Mine = seats(want.Mine)
	if (want.Game != p.state.Game || want.Seed != p.state.Seed) && !(p.state.Game == "" && goesOn) {
		p.anew, want.Did = true, nil
	}
	now := p.anew || want.On != p.state.On
	p.state = want
	p.keep()
	p.mu.Unlock()
	if now {
		p.poke()
	}
	p.opts.Changed()
	return nil
}

// valid reports whether an evening can be played so.
func (p *Player) valid(want wire.BenchPlay) bool {
	return want.Speed >= 1 && want.Speed <= wire.MaxSpeed && (want.Game == "" || len(p.opts.Sit(want.Game)) > 0) &&
		!slices.ContainsFunc(want.Mine, func(s engine.Seat) bool { return !s.Valid() })
}

// Touched reports a change made by hand on the table. The guests stop, unless a person plays among them.
func (p *Player) Touched() {
	p.change(func() bool {
		changed := p.state.On || p.state.Did != nil
		p.state.On, p.state.Did = p.state.On && len(p.state.Mine) > 0, nil
		return changed
	})
}

// change applies do to the state and, if do reports a change, stores and publishes the state.
func (p *Player) change(do func() (changed bool)) {
	p.mu.Lock()
	was, changed := p.state.On, do()
	stopped := was && !p.state.On
	if changed {
		p.keep()
	}
	p.mu.Unlock()
	if stopped {
		p.poke()
	}
	if changed {
		p.opts.Changed()
	}
}

// poke makes Run look at the state at once.
func (p *Player) poke() {
	select {
	case p.poked <- struct{}{}:
	default:
	}
}

// file is the evening as JSON, for the next start.
type file struct {
	wire.BenchPlay
	Anew bool `json:"anew,omitempty"` // it is to begin
}

// keep writes the state into the file, if there is one; p.mu is held. An evening that cannot be kept plays all the same.
func (p *Player) keep() {
	if p.opts.File == "" {
		return
	}
	if b, err := json.Marshal(file{p.state, p.anew}); err == nil {
		_ = durable.WriteFile(p.opts.File, b, 0o600)
	}
}

// restore goes on with the evening of before a restart, where there was one.
func (p *Player) restore() {
	var kept file
	b, err := os.ReadFile(p.opts.File)
	if err != nil || json.Unmarshal(b, &kept) != nil || kept.Mine == nil || !p.valid(kept.BenchPlay) {
		return
	}
	kept.Did = nil
	p.state, p.anew = kept.BenchPlay, kept.Anew
}
