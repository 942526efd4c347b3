package readers

import (
	"sync"
	"time"

	"majordome/cmd/majordome/config"
	"majordome/companion/game"
	"majordome/devices/meter"
	"majordome/devices/presence"
)

// feed is the way from one reader to the table loop: from tags to cards. It is
// used by that reader's own goroutine.
//
// All tags that one snapshot shows for the first time are one presentation
// (GEN-E06); at the urn the loop gathers further. A card that comes while another
// still lies there is told as such: it may be of the same hand; and so is one that
// lay there when the house began to look, which nobody presents. Something
// unreadable is a presentation of its own, without tags: the loop answers it and
// changes nothing, so a card that can be read a moment later is judged as if it
// had come alone. A tag that cannot name a card is none: the loop tells whom it concerns that a phone lies there (GEN-E14).
type feed struct {
	readers *Readers
	reader  config.Reader
	meter   *meter.Meter
	tags    []game.Tag // of the snapshot that is being reported
	beside  bool       // they came beside others
	found   bool       // they lay there before anybody looked

	mu    sync.Mutex
	count Counters  // without its Role and Uptime
	back  time.Time // since when the reader has answered
}

func (f *feed) counters() Counters {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := f.count
	c.Role = f.reader.Role
	if !c.Lost {
		c.Uptime = time.Since(f.back)
	}
	return c
}

func (f *feed) isLost() bool { return f.counters().Lost }

// countEvent notes an event.
func (f *feed) countEvent(e presence.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	playing := f.readers.opts.Playing()
	switch e.Kind {
	case presence.Arrived:
		f.readers.opts.Touch()
		if !playing {
			f.count.Cards++
		}
	case presence.NoiseBegan:
		if !playing {
			f.count.Noisy++
		}
	case presence.ReaderLost:
		f.count.Lost = true
		f.count.Losses++
	case presence.ReaderBack:
		f.count.Lost = false
		f.back = time.Now()
	}
}

// onTrialEvent handles an event during a trial: the table hears of the reader, and of no card.
func (f *feed) onTrialEvent(e presence.Event) {
	if e.Kind == presence.ReaderLost || e.Kind == presence.ReaderBack {
		f.onEvent(e)
		return
	}
	f.countEvent(e)
}

// onEvent handles an event of the reader. A tag is, in this order: a control card, a player's claim of a seat, a tag for an open enrolment;
// all others go to the table, which counts them in a check of the box or judges them as a presentation.
func (f *feed) onEvent(e presence.Event) {
	o, role := &f.readers.opts, f.reader.Role
	f.countEvent(e)
	switch e.Kind {
	case presence.Arrived:
		if control, ok := o.Cards.ControlOf(e.Tag.UID); ok && !o.Enrolment.TakesAll() {
			if !e.Found { // it lay there when the house began to look: nobody asks for anything
				o.Press(control)
			}
			break
		}
		if !e.Found && o.Claim(e.Tag.UID.String()) { // who stands at the table shows that it does
			break
		}
		f.beside, f.found = e.Beside > 0, e.Found
		f.tags = append(f.tags, game.Tag{UID: e.Tag.UID.String(), Card: o.Cards.CardOf(e.Tag.UID)})
	case presence.Left:
		if role != config.RoleEnrol {
			o.Table.Left(role, e.Tag.UID.String())
		}
	case presence.Stray:
		if !o.Enrolment.Refuse(e.Tag.UID.String()) {
			o.Table.Stray(role)
		}
	case presence.NoiseBegan:
		if role != config.RoleEnrol && !o.Enrolment.TakesAll() {
			o.Table.Present(role, game.Seen{})
		}
	case presence.ReaderLost:
		o.Log.Warn("reader lost", "role", role, "error", e.Err,
			"conseil", "un lecteur ne répond plus : regardez son câble ; le jeu continue, et il revient de lui-même")
		f.showState(game.ReaderLost)
	case presence.ReaderBack:
		o.Log.Info("reader back", "role", role, "conseil", "ce lecteur répond de nouveau")
		f.showState(game.ReaderOK)
	}
	if !e.More && len(f.tags) > 0 {
		f.present()
		f.tags = f.tags[:0]
	}
}

// present brings the tags of a snapshot to the enrolment, and those that it leaves to the table.
func (f *feed) present() {
	o, role := &f.readers.opts, f.reader.Role
	left := o.Enrolment.Take(role, f.tags, f.found)
	switch {
	case len(left) == 0:
	case role == config.RoleEnrol:
		o.Table.Count(role, left)
	default:
		o.Table.Present(role, game.Seen{Tags: left, Beside: f.beside, Found: f.found}) // the loop keeps a copy
	}
}

// showState passes the state of a reader of the game to the loop; that of the reader for enrolling is shown by the office.
func (f *feed) showState(state string) {
	if f.reader.Role == config.RoleEnrol {
		f.readers.opts.Changed()
		return
	}
	f.readers.opts.Table.Reader(f.reader.Role, state)
}
