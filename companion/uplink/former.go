package uplink

import (
	"encoding/json"

	"majordome/companion/line"
	"majordome/companion/wire"
)

// formerName is a name under which this table has published at an earlier start.
type formerName struct {
	tree wire.Tree
	ours bool // the retained info there has our ID
	away bool // no table is online under that name; a copy of this table's SD card may be
}

// formerTopics lists the topics of a table of that name. Info comes last: when it is gone, all are.
func formerTopics(t wire.Tree) []string {
	return []string{hassConfig(t), hassControls(t), t.Availability(), t.State(), t.Names(), t.Info()}
}

// handleFormer handles a message under a former name of this table; false: it is not such a message. It
// clears the topics of that name if they are this table's and no table is online there. The ID in Info
// decides whose they are, because another table may have the name by now.
func (u *Uplink) hearFormer(topic string, payload []byte) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	for i := range u.former {
		f := &u.former[i]
		switch topic {
		case f.tree.Availability():
			f.away = string(payload) == line.Offline
		case f.tree.Info():
			var said Info
			f.ours = len(payload) > 0 && json.Unmarshal(payload, &said) == nil && said.ID == u.opts.ID
			if !f.ours { // nothing is left, or it belongs to another table
				u.line.Release(formerTopics(f.tree)...)
				if u.opts.Cleared != nil {
					go u.opts.Cleared(f.tree.Base())
				}
			}
		default:
			continue
		}
		if f.ours && f.away {
			none := map[string][]byte{}
			for _, t := range formerTopics(f.tree) {
				none[t] = nil
			}
			u.line.Set(none)
		}
		return true
	}
	return false
}
