package readers

import (
	"sync"
	"time"

	"majordome/cmd/majordome/config"
	"majordome/companion/game"
	"majordome/companion/pair"
	"majordome/devices/meter"
	"majordome/devices/presence"
)

// readerFeed passes the events of one reader to the table loop, with the card of each tag. Only the
// goroutine of that reader uses it.
//
// All tags that one snapshot shows for the first time are one presentation (GEN-E06); at the urn the
// loop waits for more. Two things are marked: a card that arrives while another is still on the
// reader, because both may be of the same hand, and a card that was on the reader before the program
// watched it, because no player presents it. Noise is a presentation without tags: the loop answers
// it and changes nothing, so a card that becomes readable a moment later is handled as if it had come
// without noise. A tag that cannot identify a card is no presentation: the loop informs the players
// concerned that a phone is on the reader (GEN-E14).
type readerFeed struct {
	readers   *Readers
	reader    config.Reader
	meter     *meter.Meter
	newTags   []game.Tag // of the snapshot that is being handled
	hadOthers bool       // other tags were already on the reader
	wasThere  bool       // they were on the reader before it was watched

	mu           sync.Mutex
	totals       Counters  // without Role and Uptime
	answersSince time.Time // when the reader has begun to answer
}

func (f *readerFeed) counters() Counters {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := f.totals
	c.Role = f.reader.Role
	if !c.Lost {
		c.Uptime = time.Since(f.answersSince)
	}
	return c
}

func (f *readerFeed) isLost() bool { return f.counters().Lost }

// countEvent adds an event to the totals, and reports the use of the table when a card arrives.
func (f *readerFeed) countEvent(e presence.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	playing := f.readers.opts.IsPlaying()
	switch e.Kind {
	case presence.Arrived:
		f.readers.opts.OnUse()
		if !playing {
			f.totals.Cards++
		}
	case presence.NoiseBegan:
		if !playing {
			f.totals.Noisy++
		}
	case presence.ReaderLost:
		f.totals.Lost = true
		f.totals.Losses++
	case presence.ReaderBack:
		f.totals.Lost = false
		f.answersSince = time.Now()
	}
}

// handleTestEvent handles an event during a reader test: the table receives whether the reader works, but no
// tags.
func (f *readerFeed) handleTestEvent(e presence.Event) {
	if e.Kind == presence.ReaderLost || e.Kind == presence.ReaderBack {
		f.handleEvent(e)
		return
	}
	f.countEvent(e)
}

// handleEvent handles an event of the reader. A tag is, in this order: a control card, a card for a claim of the
// host's page or of a seat, a tag for an open enrolment. All others go to the table, which counts them in a box check or
// handles them as a presentation.
func (f *readerFeed) handleEvent(e presence.Event) {
	o, role := &f.readers.opts, f.reader.Role
	f.countEvent(e)
	switch e.Kind {
	case presence.Arrived:
		if control, ok := o.Cards.ControlRole(e.Tag.UID); ok && !o.Enrolment.AcceptsAllTags() {
			if !e.FoundAtStart { // it was there before, so no one asks for anything
				o.OnControlCard(control)
			}
			break
		}
		tag := game.Tag{UID: e.Tag.UID.String(), Card: o.Cards.CurrentCardOf(e.Tag.UID)}
		if o.HandleClaimCard(pair.LaidCard{Reader: role, UID: tag.UID, Card: tag.Card, IsOld: e.FoundAtStart}) {
			break // it shows that the claimant is at the table
		}
		f.hadOthers, f.wasThere = e.OthersPresent > 0, e.FoundAtStart
		f.newTags = append(f.newTags, tag)
	case presence.Left:
		o.HandleClaimLeft(role, e.Tag.UID.String())
		if role != config.RoleEnrol {
			o.Table.RemoveTag(role, e.Tag.UID.String())
		}
	case presence.Stray:
		if !o.Enrolment.RefuseUnfitTag(e.Tag.UID.String()) {
			o.Table.ReportStrayTag(role)
		}
	case presence.NoiseBegan:
		if role != config.RoleEnrol && !o.Enrolment.AcceptsAllTags() {
			o.Table.HandleReading(role, game.Reading{})
		}
	case presence.ReaderLost:
		o.HandleClaimLeft(role, "")
		o.Log.Warn("reader lost", "role", role, "error", e.Err,
			"conseil", "un lecteur ne répond plus : regardez son câble ; le jeu continue, et il revient de lui-même")
		f.reportState(game.ReaderLost)
	case presence.ReaderBack:
		o.Log.Info("reader back", "role", role, "conseil", "ce lecteur répond de nouveau")
		f.reportState(game.ReaderOK)
	}
	if !e.More && len(f.newTags) > 0 {
		f.presentTags()
		f.newTags = f.newTags[:0]
	}
}

// presentTags passes the tags of a snapshot to the enrolment, and the remaining ones to the table.
func (f *readerFeed) presentTags() {
	o, role := &f.readers.opts, f.reader.Role
	left := o.Enrolment.AcceptTags(role, f.newTags, f.wasThere)
	switch {
	case len(left) == 0:
	case role == config.RoleEnrol:
		o.Table.CountTagsInBoxCheck(role, left)
	default:
		o.Table.HandleReading(
			role,
			game.Reading{Tags: left, OthersPresent: f.hadOthers, FoundAtStart: f.wasThere},
		) // the loop copies the tags
	}
}

// reportState passes the state of a reader to the loop. The reader for enrolment is no part of the game; only
// the host's page shows it.
func (f *readerFeed) reportState(state string) {
	if f.reader.Role == config.RoleEnrol {
		f.readers.opts.OnChange()
		return
	}
	f.readers.opts.Table.SetReaderState(f.reader.Role, state)
}
