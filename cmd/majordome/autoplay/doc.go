// Package autoplay plays an evening automatically: simulated guests act for the seats of a table with the offers that
// each seat gets, as people would with phones and cards, one deed after the other.
//
//	p := autoplay.New(autoplay.Opts{Table: house, Cards: bench, Players: players, Dice: dice})
//	go p.Run(ctx)
//	p.SetState(wire.BenchPlay{On: true, Speed: 1, Game: "huis-clos", Seed: 7})
//
// A guest knows only the view of its seat. In a Cluedo it deduces the envelope from that and accuses when one card of
// each kind is left. Cards that the table wants to read are placed on its reader; other acts are sent by a phone of
// that seat. Before each deed the guests read the state of the table again, so that a person may act, undo or pause at
// any moment. A person who acts on a phone of a seat plays that seat from then on.
//
// PlayEvening does all this at a table in memory, for a display in an empty lobby.
//
// With the same game, seed and deck the same evening is played, unless a person acts: the dice of table and cards get
// the same seed. Two events in the same moment may come in another order.
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

// Table is the table where the guests sit.
type Table interface {
	// Snapshot returns the update that a viewer sees now; ok is false if no one has that seat.
	Snapshot(engine.Viewer) (u wire.Update, ok bool)
	// LastPlayerActs returns the number of the last act that a player has done on each phone of a seat, 0 for none.
	LastPlayerActs(engine.Seat) [wire.MaxPhones]uint64
	// Act executes an act of a phone, and calls the function once with the reply.
	Act(wire.Handset, wire.Act, func(wire.Reply))
}

// Cards are the simulated cards on the table.
type Cards interface {
	CardState() wire.Bench
	PerformAct(wire.BenchAct) error
}

// noCards are the Cards of a table without any.
type noCards struct{}

func (noCards) CardState() wire.Bench          { return wire.Bench{} }
func (noCards) PerformAct(wire.BenchAct) error { return nil }

// Opts are the parameters of a Player; Table and Players are required.
type Opts struct {
	Table Table
	// Cards are moved as the guests act. Nil: there are none, and all acts are sent by phones.
	Cards Cards
	// Players returns the players of a game, from seat 1 on.
	Players func(game engine.ID) []house.Player
	// Dice are the dice of the table and of the cards. They get a new seed at the beginning of each evening.
	Dice []*Dice
	// Changed is called when State has changed. It must not block.
	Changed func()
	// After is used to wait; time.After by default.
	After func(time.Duration) <-chan time.Time
	// ResumeAfter is the time without a change of the table after which stopped guests play on. 0: they wait until SetState.
	ResumeAfter time.Duration
	// File stores the state over a restart; empty: nothing is stored.
	File string
}

// pace is the time between two deeds at speed 1.
const pace = 2500 * time.Millisecond

// endPaces is the number of paces for which the end of an evening is shown before the next begins, at any speed.
const endPaces = 16

// hostAfter is the number of paces that the guests wait before the host acts.
const hostAfter = 4

// absenceLimit is the time that a table waits for people whose phones are offline before guests play for them again.
const absenceLimit = 30 * time.Second

// Player plays for the guests. Its methods are safe for concurrent use; Run is called once.
type Player struct {
	opts   Opts
	wakeCh chan struct{} // wakes Run

	mu         sync.Mutex
	state      wire.BenchPlay
	newEvening bool // the evening in state has not begun yet

	// Only used by Run:
	dice         *Dice // for the guests' choices
	seq          uint64
	idlePaces    int                           // paces in which no guest could act
	endedPaces   int                           // paces since the end of the game
	away         map[engine.Seat]time.Duration // how long the table has waited for people whose phones are offline
	lastActs     map[engine.Seat]uint64        // number of the last act by a person's phone, at the last pace
	refusedReads int                           // readings in a row that had no effect
	lastRev      uint64                        // revision of the table at the last pace
	// pendingDeed is a deed by a phone of which nothing is public yet, and beforeDeed the public view at that time. An
	// answer, for example, takes effect a moment after it was given, so that its time reveals nothing (C8-158).
	pendingDeed *wire.BenchDeed
	beforeDeed  engine.View
}

// ErrInvalidState reports a state that SetState does not accept.
var ErrInvalidState = errors.New("autoplay: no such speed, game or seat")

// New returns a player that waits until SetState starts it.
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
	p := &Player{opts: o, wakeCh: make(chan struct{}, 1), dice: NewDice(0), state: wire.BenchPlay{Speed: 1, Mine: []engine.Seat{}},
		away: map[engine.Seat]time.Duration{}, lastActs: map[engine.Seat]uint64{}}
	p.loadState()
	return p
}

// State returns the state of the evening.
func (p *Player) State() wire.BenchPlay {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.state
	s.Mine = slices.Clone(s.Mine)
	return s
}

// SetState changes the state. Another game or seed starts a new evening; but a player without an evening joins a game that
// people have already begun.
func (p *Player) SetState(want wire.BenchPlay) error {
	if !p.isValidState(want) {
		return ErrInvalidState
	}
	u, _ := p.opts.Table.Snapshot(engine.Public)
	goesOn := u.View.Game == want.Game && u.View.Phase != engine.PhaseLobby && u.View.Result == nil
	p.mu.Lock()
	if want.Game == "" {
		want.Game, want.Seed = p.state.Game, p.state.Seed
	}
	want.Did = p.state.Did
	want.Mine = uniqueSeats(want.Mine)
	if (want.Game != p.state.Game || want.Seed != p.state.Seed) && !(p.state.Game == "" && goesOn) {
		p.newEvening, want.Did = true, nil
	}
	now := p.newEvening || want.On != p.state.On
	p.state = want
	p.saveState()
	p.mu.Unlock()
	if now {
		p.wakeRun()
	}
	p.opts.Changed()
	return nil
}

// isValidState reports whether an evening can be played with this state.
func (p *Player) isValidState(want wire.BenchPlay) bool {
	return want.Speed >= 1 && want.Speed <= wire.MaxSpeed && (want.Game == "" || len(p.opts.Players(want.Game)) > 0) &&
		!slices.ContainsFunc(want.Mine, func(s engine.Seat) bool { return !s.IsValid() })
}

// HandleManualMove must be called when a person has changed something on the table. The guests stop, unless a person plays
// among them.
func (p *Player) HandleManualMove() {
	p.changeAndSaveState(func() bool {
		changed := p.state.On || p.state.Did != nil
		p.state.On, p.state.Did = p.state.On && len(p.state.Mine) > 0, nil
		return changed
	})
}

// changeAndSaveState applies do to the state and, if do reports a change, stores and publishes the state.
func (p *Player) changeAndSaveState(do func() (changed bool)) {
	p.mu.Lock()
	was, changed := p.state.On, do()
	stopped := was && !p.state.On
	if changed {
		p.saveState()
	}
	p.mu.Unlock()
	if stopped {
		p.wakeRun()
	}
	if changed {
		p.opts.Changed()
	}
}

// wakeRun makes Run read the state at once.
func (p *Player) wakeRun() {
	select {
	case p.wakeCh <- struct{}{}:
	default:
	}
}

// savedState is the state as JSON, for the next start.
type savedState struct {
	wire.BenchPlay
	NotBegun bool `json:"anew,omitempty"` // it has not begun
}

// saveState writes the state into the file, if there is one; p.mu is held. If that fails, the evening is played all the
// same.
func (p *Player) saveState() {
	if p.opts.File == "" {
		return
	}
	if b, err := json.Marshal(savedState{p.state, p.newEvening}); err == nil {
		_ = durable.WriteFile(p.opts.File, b, 0o600)
	}
}

// loadState restores the state from before a restart, if there is one.
func (p *Player) loadState() {
	var kept savedState
	b, err := os.ReadFile(p.opts.File)
	if err != nil || json.Unmarshal(b, &kept) != nil || kept.Mine == nil || !p.isValidState(kept.BenchPlay) {
		return
	}
	kept.Did = nil
	p.state, p.newEvening = kept.BenchPlay, kept.NotBegun
}
