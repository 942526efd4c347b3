package house

import (
	"slices"

	"majordome/companion/table"
	"majordome/devices/presence"
	"majordome/engine"
)

// bridge is the way from one reader to the table loop: from tags to cards. It is
// used by that reader's own goroutine.
//
// All tags that one snapshot shows for the first time are one presentation
// (GEN-E06); at the urn the loop gathers further. On the refutation reader a card
// that comes while another still lies there is two cards at once: the second may
// be the same hand's, and would otherwise count for the next seat. Something unreadable is a
// presentation of its own, without tags: the loop answers it and changes nothing,
// so a card that can be read a moment later is judged as if it had come alone.
type bridge struct {
	house *House
	role  string
	tags  []table.Tag // of the snapshot that is being reported
	lies  []table.Tag // in the field, from earlier snapshots; at most 16
	joins bool        // what is being reported came beside those
	lost  bool        // the reader does not answer
}

func (b *bridge) seen(e presence.Event) {
	h := b.house
	switch e.Kind {
	case presence.Arrived:
		b.joins = e.Beside > 0
		b.tags = append(b.tags, table.Tag{UID: e.Tag.UID.String(), Card: (*h.cards.Load())[e.Tag.UID]})
	case presence.Left:
		left := e.Tag.UID.String()
		b.lies = slices.DeleteFunc(b.lies, func(t table.Tag) bool { return t.UID == left })
	case presence.NoiseBegan:
		h.loop.Present(b.role, table.Seen{})
	case presence.ReaderLost:
		h.opts.Log.Warn("reader lost", "role", b.role, "error", e.Err)
		b.lost = true
		h.loop.Reader(b.role, table.ReaderLost)
	case presence.ReaderBack:
		h.opts.Log.Info("reader back", "role", b.role)
		b.lost = false
		h.loop.Reader(b.role, table.ReaderOK)
	}
	if !e.More && len(b.tags) > 0 {
		seen := b.tags
		if b.joins && b.role == engine.ReaderShow {
			seen = append(seen, b.lies...)
		}
		h.loop.Present(b.role, table.Seen{Tags: seen}) // the loop keeps a copy
		b.lies = append(b.lies, b.tags...)
		b.tags = b.tags[:0]
	}
}
