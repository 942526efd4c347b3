package autoplay

import (
	"context"
	"reflect"
	"slices"
	"time"

	"majordome/companion/wire"
	"majordome/engine"
)

// Run plays until ctx ends.
func (p *Player) Run(ctx context.Context) {
	for ctx.Err() == nil {
		s := p.State()
		var later <-chan time.Time
		if s.On {
			later = p.opts.After(p.playNextDeed(ctx, s))
		} else {
			later = p.startResumeTimer()
		}
		select {
		case <-later:
			if !s.On {
				p.resumeIfTableUnchanged()
			}
		case <-p.wakeCh:
		case <-ctx.Done():
		}
	}
}

// startResumeTimer records the revision of the table while the guests are stopped. The channel fires when resumeIfIdle has to
// compare it; nil: never.
func (p *Player) startResumeTimer() <-chan time.Time {
	p.pendingDeed = nil
	if p.opts.ResumeAfter == 0 {
		return nil
	}
	u, _ := p.opts.Table.Snapshot(engine.Public)
	p.lastRev = u.Rev
	return p.opts.After(p.opts.ResumeAfter)
}

// resumeIfTableUnchanged starts the guests again if the table has not changed since startIdleWait.
func (p *Player) resumeIfTableUnchanged() {
	if u, ok := p.opts.Table.Snapshot(engine.Public); !ok || u.Rev != p.lastRev {
		return
	}
	p.changeAndSaveState(func() bool {
		p.state.On = true
		return true
	})
}

// playNextDeed performs the next deed of the evening and returns how long to wait before the one after it.
func (p *Player) playNextDeed(ctx context.Context, state wire.BenchPlay) time.Duration {
	beat := pace / time.Duration(state.Speed)
	u, ok := p.opts.Table.Snapshot(engine.Host)
	switch {
	case !ok:
		return beat
	case p.needsNewEvening():
		p.resetEvening(state.Seed)
		if u.Hold != nil {
			p.sendAct(ctx, engine.Host, wire.OrderResume, nil)
		}
		if p.openGame(ctx, u.View, state.Game) {
			p.markBegun(state)
		}
		return beat
	case u.Paused != nil:
		return beat
	}
	p.publishPendingDeed()
	p.adoptForeignGame(u.View.Game)
	switch {
	case u.View.Phase == engine.PhaseLobby:
		p.seatGuestsAndBegin(ctx, u.View)
		return beat
	case u.View.Result != nil && p.endedPaces < endPaces:
		p.endedPaces++
		return pace
	case u.View.Result != nil:
		p.scheduleNextEvening(u.View.Game)
		return 0
	case u.Rev != p.lastRev:
		p.lastRev, p.idlePaces = u.Rev, 0
	}
	p.endedPaces = 0
	state.Mine = p.releaseAbsentSeats(u, p.giveSeatsToPeople(u, state.Mine), beat)
	if !p.dealCards(ctx, u) && !p.actAsGuest(ctx, u, state.Mine) {
		p.idlePaces++
		if p.idlePaces >= hostAfter && !p.isAwaitingPerson(u, state.Mine) {
			p.actAsHost(ctx, u, hostActs)
		}
	}
	return beat
}

// adoptForeignGame takes over a game that another client has started; its seed is unknown, 0.
func (p *Player) adoptForeignGame(game engine.ID) {
	p.changeAndSaveState(func() bool {
		other := !p.newEvening && p.state.Game != game
		if other {
			p.state.Game, p.state.Seed, p.state.Did = game, 0, nil
		}
		return other
	})
}

// giveSeatsToPeople notes that people play the seats whose phones they have used since the last pace. It returns all seats
// that people play; peopleSeats are those until now.
func (p *Player) giveSeatsToPeople(u wire.Update, peopleSeats []engine.Seat) []engine.Seat {
	var came []engine.Seat
	for _, s := range u.View.Seats {
		numbers := p.opts.Table.LastPlayerActs(s.Seat)
		last := slices.Max(numbers[:wire.MaxPhones-1]) // the guests use the last phone
		before, known := p.lastActs[s.Seat]
		if p.lastActs[s.Seat] = last; known && last > before && !slices.Contains(peopleSeats, s.Seat) {
			came = append(came, s.Seat)
		}
	}
	if len(came) == 0 {
		return peopleSeats
	}
	p.changeAndSaveState(func() bool {
		p.state.Mine, p.state.Did = uniqueSeats(append(came, p.state.Mine...)), nil
		peopleSeats = p.state.Mine
		return true
	})
	return peopleSeats
}

// uniqueSeats returns a sorted copy without repetitions, never nil.
func uniqueSeats(all []engine.Seat) []engine.Seat {
	return append([]engine.Seat{}, slices.Compact(slices.Sorted(slices.Values(all)))...)
}

// releaseAbsentSeats gives seats of people back to the guests if the table has waited for them for absenceLimit while their
// phones were offline; beat is the time since the last call. It returns the seats that people still play.
func (p *Player) releaseAbsentSeats(u wire.Update, peopleSeats []engine.Seat, beat time.Duration) []engine.Seat {
	for _, seat := range peopleSeats {
		if slices.Contains(u.View.Active, seat) && !slices.Contains(u.Table.Online, seat) {
			p.away[seat] += beat
		} else {
			delete(p.away, seat)
		}
	}
	stays := func(all []engine.Seat) []engine.Seat {
		return slices.DeleteFunc(slices.Clone(all), func(seat engine.Seat) bool { return p.away[seat] >= absenceLimit })
	}
	stay := stays(peopleSeats)
	if len(stay) == len(peopleSeats) {
		return peopleSeats
	}
	p.changeAndSaveState(func() bool {
		p.state.Mine = stays(p.state.Mine)
		return true
	})
	clear(p.away)
	return stay
}

// needsNewEvening reports whether a new evening must begin.
func (p *Player) needsNewEvening() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.newEvening
}

// markBegun records that the evening of state has begun, unless SetState has asked for another one in the meantime.
func (p *Player) markBegun(state wire.BenchPlay) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.newEvening = p.newEvening && (p.state.Game != state.Game || p.state.Seed != state.Seed)
	p.saveState()
}

// scheduleNextEvening starts another evening of the same game, with the next seed.
func (p *Player) scheduleNextEvening(game engine.ID) {
	p.changeAndSaveState(func() bool {
		if p.newEvening { // SetState has asked for another one
			return false
		}
		p.state.Game, p.state.Seed, p.state.Did, p.newEvening = game, p.state.Seed+1, nil, true
		return true
	})
}

// resetEvening clears the state of the last evening and seeds the dice.
func (p *Player) resetEvening(seed uint32) {
	p.idlePaces, p.endedPaces, p.refusedReads, p.lastRev, p.pendingDeed = 0, 0, 0, 0, nil
	clear(p.away)
	clear(p.lastActs)
	p.dice.Seed(uint64(seed))
	for i, d := range p.opts.Dice {
		d.Seed(uint64(seed)<<8 | uint64(i))
	}
}

// publishDeed publishes the public part of a deed, unless the guests have been stopped in the meantime.
func (p *Player) publishDeed(d wire.BenchDeed) {
	p.mu.Lock()
	plays := p.state.On && !p.newEvening
	if plays {
		p.state.Did = &d
	}
	p.mu.Unlock()
	if plays {
		p.opts.Changed()
	}
}

// publishPendingDeed publishes pendingDeed once its effect is public. It reports whether it did.
func (p *Player) publishPendingDeed() (published bool) {
	if p.pendingDeed == nil {
		return false
	}
	u, ok := p.opts.Table.Snapshot(engine.Public)
	if !ok || reflect.DeepEqual(u.View, p.beforeDeed) {
		return false
	}
	p.publishDeed(*p.pendingDeed)
	p.pendingDeed = nil
	return true
}
