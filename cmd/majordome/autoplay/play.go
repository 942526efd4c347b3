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
			later = p.opts.After(p.play(ctx, s))
		} else {
			later = p.rests()
		}
		select {
		case <-later:
			if !s.On {
				p.goOn()
			}
		case <-p.poked:
		case <-ctx.Done():
		}
	}
}

// recordRest records the revision of the table while the guests are stopped, and returns when to compare it again; nil:
// never.
func (p *Player) rests() <-chan time.Time {
	p.done = nil
	if p.opts.Alone == 0 {
		return nil
	}
	u, _ := p.opts.Table.Snapshot(engine.Public)
	p.seen = u.Rev
	return p.opts.After(p.opts.Alone)
}

// resumeIfIdle starts the guests again if the table has not changed since recordRest.
func (p *Player) goOn() {
	if u, ok := p.opts.Table.Snapshot(engine.Public); !ok || u.Rev != p.seen {
		return
	}
	p.change(func() bool {
		p.state.On = true
		return true
	})
}

// playNext performs the next deed of the evening and returns how long to wait before the one after it.
func (p *Player) play(ctx context.Context, s wire.BenchPlay) time.Duration {
	beat := pace / time.Duration(s.Speed)
	u, ok := p.opts.Table.Snapshot(engine.Host)
	switch {
	case !ok:
		return beat
	case p.isAnew():
		p.seed(s.Seed)
		if u.Hold != nil {
			p.act(ctx, engine.Host, wire.OrderResume, nil)
		}
		if p.open(ctx, u.View, s.Game) {
			p.begun(s)
		}
		return beat
	case u.Paused != nil:
		return beat
	}
	p.tellWhenSeen()
	p.adopt(u.View.Game)
	switch {
	case u.View.Phase == engine.PhaseLobby:
		p.arrive(ctx, u.View)
		return beat
	case u.View.Result != nil && p.ended < rest:
		p.ended++
		return pace
	case u.View.Result != nil:
		p.next(u.View.Game)
		return 0
	case u.Rev != p.seen:
		p.seen, p.waited = u.Rev, 0
	}
	p.ended = 0
	s.Mine = p.releaseAbsent(u, p.seatPeople(u, s.Mine), beat)
	if !p.deal(ctx, u) && !p.guests(ctx, u, s.Mine) {
		p.waited++
		if p.waited >= patience && !p.awaitsPerson(u, s.Mine) {
			p.host(ctx, u, ofHost)
		}
	}
	return beat
}

// adoptGame takes over a game that another client has started; its seed is unknown, 0.
func (p *Player) adopt(game engine.ID) {
	p.change(func() bool {
		other := !p.anew && p.state.Game != game
		if other {
			p.state.Game, p.state.Seed, p.state.Did = game, 0, nil
		}
		return other
	})
}

// seatPeople gives a seat to people if they have used its phone since the last pace. It returns the seats that people
// play.
func (p *Player) seatPeople(u wire.Update, mine []engine.Seat) []engine.Seat {
	var came []engine.Seat
	for _, s := range u.View.Seats {
		own, _ := p.opts.Table.Snapshot(engine.At(s.Seat))
		last := own.Seq
		for _, n := range own.Seqs[:min(len(own.Seqs), wire.MaxPhones-2)] { // the guests use the last phone
			last = max(last, n)
		}
		before, known := p.acted[s.Seat]
		if p.acted[s.Seat] = last; known && last > before && !slices.Contains(mine, s.Seat) {
			came = append(came, s.Seat)
		}
	}
	if len(came) == 0 {
		return mine
	}
	p.change(func() bool {
		p.state.Mine, p.state.Did = seats(append(came, p.state.Mine...)), nil
		mine = p.state.Mine
		return true
	})
	return mine
}

// seats returns a sorted copy without repetitions, never nil.
func seats(all []engine.Seat) []engine.Seat {
	return append([]engine.Seat{}, slices.Compact(slices.Sorted(slices.Values(all)))...)
}

// releaseAbsent gives seats back to the guests if the table has waited too long for them, this beat included, while
// their phones were offline. It returns the seats that people still play.
func (p *Player) releaseAbsent(u wire.Update, mine []engine.Seat, beat time.Duration) []engine.Seat {
	for _, seat := range mine {
		if slices.Contains(u.View.Active, seat) && !slices.Contains(u.Table.Online, seat) {
			p.away[seat] += beat
		} else {
			delete(p.away, seat)
		}
	}
	stays := func(all []engine.Seat) []engine.Seat {
		return slices.DeleteFunc(slices.Clone(all), func(seat engine.Seat) bool { return p.away[seat] >= absence })
	}
	stay := stays(mine)
	if len(stay) == len(mine) {
		return mine
	}
	p.change(func() bool {
		p.state.Mine = stays(p.state.Mine)
		return true
	})
	clear(p.away)
	return stay
}

// needsNewEvening reports whether a new evening must begin.
func (p *Player) isAnew() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.anew
}

// markBegun records that the evening of s has begun, unless Set has asked for another one in the meantime.
func (p *Player) begun(s wire.BenchPlay) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.anew = p.anew && (p.state.Game != s.Game || p.state.Seed != s.Seed)
	p.keep()
}

// nextEvening starts another evening of the same game, with the next seed.
func (p *Player) next(game engine.ID) {
	p.change(func() bool {
		if p.anew { // Set has asked for another one
			return false
		}
		p.state.Game, p.state.Seed, p.state.Did, p.anew = game, p.state.Seed+1, nil, true
		return true
	})
}

// resetEvening clears the state of the last evening and seeds the dice.
func (p *Player) seed(seed uint32) {
	p.waited, p.ended, p.refused, p.seen, p.done = 0, 0, 0, 0, nil
	clear(p.away)
	clear(p.acted)
	p.dice.Seed(uint64(seed))
	for i, d := range p.opts.Dice {
		d.Seed(uint64(seed)<<8 | uint64(i))
	}
}

// publishDeed publishes the public part of a deed, unless the guests have been stopped in the meantime.
func (p *Player) setDeed(d wire.BenchDeed) {
	p.mu.Lock()
	plays := p.state.On && !p.anew
	if plays {
		p.state.Did = &d
	}
	p.mu.Unlock()
	if plays {
		p.opts.Changed()
	}
}

// publishWhenSeen publishes the deed of a guest by phone once all players can see an effect. It reports whether it did.
func (p *Player) tellWhenSeen() bool {
	if p.done == nil {
		return false
	}
	u, ok := p.opts.Table.Snapshot(engine.Public)
	if !ok || reflect.DeepEqual(u.View, p.before) {
		return false
	}
	p.setDeed(*p.done)
	p.done = nil
	return true
}
