package house

import (
	"sync"
	"time"

	"majordome/cmd/majordome/config"
	"majordome/companion/game"
	"majordome/devices/presence"
)

// bridge is the way from one reader to the table loop: from tags to cards. It is
// used by that reader's own goroutine.
//
// All tags that one snapshot shows for the first time are one presentation
// (GEN-E06); at the urn the loop gathers further. A card that comes while another
// still lies there is told as such: it may be of the same hand; and so is one that
// lay there when the house began to look, which nobody presents. Something
// unreadable is a presentation of its own, without tags: the loop answers it and
// changes nothing, so a card that can be read a moment later is judged as if it
// had come alone. A tag that cannot name a card is none: the loop tells whom it concerns that a phone lies there (GEN-E14).
type bridge struct {
	house  *House
	role   string
	tags   []game.Tag // of the snapshot that is being reported
	beside bool       // they came beside others
	found  bool       // they lay there before anybody looked

	mu    sync.Mutex
	count counters
	back  time.Time // since when the reader has answered
}

// counters are what a reader went through since the start. Cards and noise are counted outside of games alone: in a game a
// private refusal looks like a bad reading (GEN-003), and the numbers would tell how many of them there were.
type counters struct {
	cards, noisy, losses uint64
	lost                 bool // the reader does not answer
	uptime               time.Duration
}

func (b *bridge) counters() counters {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := b.count
	if !c.lost {
		c.uptime = time.Since(b.back)
	}
	return c
}

func (b *bridge) isLost() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.count.lost
}

// counted notes an event.
func (b *bridge) counted(e presence.Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	playing := b.house.playing.Load()
	switch e.Kind {
	case presence.Arrived:
		b.house.attract.Touch()
		if !playing {
			b.count.cards++
		}
	case presence.NoiseBegan:
		if !playing {
			b.count.noisy++
		}
	case presence.ReaderLost:
		b.count.lost = true
		b.count.losses++
	case presence.ReaderBack:
		b.count.lost = false
		b.back = time.Now()
	}
}

// tried is seen during a trial: the table hears of the reader, and of no card.
func (b *bridge) tried(e presence.Event) {
	if e.Kind == presence.ReaderLost || e.Kind == presence.ReaderBack {
		b.seen(e)
		return
	}
	b.counted(e)
}

// seen handles an event of the reader. A tag is, in this order: a control card, a player's claim of a seat, a tag for an open enrolment;
// all others go to the table, which counts them in a check of the box or judges them as a presentation.
func (b *bridge) seen(e presence.Event) {
	h := b.house
	b.counted(e)
	switch e.Kind {
	case presence.Arrived:
		if role, control := h.controlOf(e.Tag.UID); control && !h.enrolment.takesAll() {
			if !e.Found { // it lay there when the house began to look: nobody asks for anything
				h.press(role)
			}
			break
		}
		if !e.Found && h.claims.Laid(e.Tag.UID.String()) { // who stands at the table shows that it does
			break
		}
		b.beside, b.found = e.Beside > 0, e.Found
		b.tags = append(b.tags, game.Tag{UID: e.Tag.UID.String(), Card: (*h.cards.Load())[e.Tag.UID]})
	case presence.Left:
		if b.role != config.RoleEnrol {
			h.loop.Left(b.role, e.Tag.UID.String())
		}
	case presence.Stray:
		if !h.enrolment.refuse(e.Tag.UID.String()) {
			h.loop.Stray(b.role)
		}
	case presence.NoiseBegan:
		if b.role != config.RoleEnrol && !h.enrolment.takesAll() {
			h.loop.Present(b.role, game.Seen{})
		}
	case presence.ReaderLost:
		h.opts.Log.Warn("reader lost", "role", b.role, "error", e.Err,
			"conseil", "un lecteur ne répond plus : regardez son câble ; le jeu continue, et il revient de lui-même")
		b.tell(game.ReaderLost)
	case presence.ReaderBack:
		h.opts.Log.Info("reader back", "role", b.role, "conseil", "ce lecteur répond de nouveau")
		b.tell(game.ReaderOK)
	}
	if !e.More && len(b.tags) > 0 {
		b.present()
		b.tags = b.tags[:0]
	}
}

// present brings the tags of a snapshot to the enrolment, and those that it leaves to the table.
func (b *bridge) present() {
	h := b.house
	left := h.enrolment.take(b.role, b.tags, b.found)
	switch {
	case len(left) == 0:
	case b.role == config.RoleEnrol:
		h.loop.Count(b.role, left)
	default:
		h.loop.Present(b.role, game.Seen{Tags: left, Beside: b.beside, Found: b.found}) // the loop keeps a copy
	}
}

// tell passes the state of a reader of the game to the loop; that of the reader for enrolling is shown by the office.
func (b *bridge) tell(state string) {
	if b.role == config.RoleEnrol {
		b.house.office.Changed()
		return
	}
	b.house.loop.Reader(b.role, state)
}
