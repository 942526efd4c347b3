package house

import (
	"majordome/companion/table"
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
// had come alone.
type bridge struct {
	house  *House
	role   string
	tags   []table.Tag // of the snapshot that is being reported
	beside bool        // they came beside others
	found  bool        // they lay there before anybody looked
	lost   bool        // the reader does not answer
}

func (b *bridge) seen(e presence.Event) {
	h := b.house
	switch e.Kind {
	case presence.Arrived:
		if role, control := h.controls[e.Tag.UID]; control {
			if !e.Found { // it lay there when the house began to look: nobody asks for anything
				h.press(role)
			}
			break
		}
		b.beside, b.found = e.Beside > 0, e.Found
		b.tags = append(b.tags, table.Tag{UID: e.Tag.UID.String(), Card: (*h.cards.Load())[e.Tag.UID]})
	case presence.Left:
		if b.role == RoleEnrol {
			break
		}
		h.loop.Left(b.role, e.Tag.UID.String())
	case presence.NoiseBegan:
		if b.role != RoleEnrol {
			h.loop.Present(b.role, table.Seen{})
		}
	case presence.ReaderLost:
		h.opts.Log.Warn("reader lost", "role", b.role, "error", e.Err,
			"conseil", "un lecteur ne répond plus : regardez son câble ; le jeu continue, et il revient de lui-même")
		b.lost = true
		b.tell(table.ReaderLost)
	case presence.ReaderBack:
		h.opts.Log.Info("reader back", "role", b.role, "conseil", "ce lecteur répond de nouveau")
		b.lost = false
		b.tell(table.ReaderOK)
	}
	if !e.More && len(b.tags) > 0 {
		if b.role == RoleEnrol {
			h.loop.Count(b.role, b.tags)
			b.tags = b.tags[:0]
			return
		}
		h.loop.Present(b.role, table.Seen{Tags: b.tags, Beside: b.beside, Found: b.found}) // the loop keeps a copy
		b.tags = b.tags[:0]
	}
}

// tell tells the table whether a reader of the game answers.
func (b *bridge) tell(state string) {
	if b.role != RoleEnrol {
		b.house.loop.Reader(b.role, state)
	}
}
