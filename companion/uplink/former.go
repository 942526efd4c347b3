package uplink

import (
	"encoding/json"

	"majordome/companion/line"
	"majordome/companion/wire"
)

// formerName is a name under which this table has published at an earlier start.
type formerName struct {
	tree      wire.Tree
	isOurs    bool // the retained info there has our ID
	isOffline bool // no table is online under that name; a copy of this table's SD card may be
}

// formerTopics lists the topics of a table of that name. Info comes last: when it is gone, all are.
func formerTopics(t wire.Tree) []string {
	return []string{hassConfigTopic(t), hassControlsTopic(t), t.AvailabilityTopic(), t.StateTopic(), t.NamesTopic(), t.InfoTopic()}
}

// handleFormerMessage handles a message under a former name of this table; false: it is not such a message. It
// clears the topics of that name if they are this table's and no table is online there. The ID in Info
// decides whose they are, because another table may have the name by now.
func (u *Uplink) handleFormerMessage(topic string, payload []byte) (handled bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for i := range u.former {
		f := &u.former[i]
		switch topic {
		case f.tree.AvailabilityTopic():
			f.isOffline = string(payload) == line.Offline
		case f.tree.InfoTopic():
			var said Info
			f.isOurs = len(payload) > 0 && json.Unmarshal(payload, &said) == nil && said.ID == u.opts.ID
			if !f.isOurs { // nothing is left, or it belongs to another table
				u.line.StopSendingTopics(formerTopics(f.tree)...)
				if u.opts.OnCleared != nil {
					go u.opts.OnCleared(f.tree.Base())
				}
			}
		default:
			continue
		}
		if f.isOurs && f.isOffline {
			none := map[string][]byte{}
			for _, t := range formerTopics(f.tree) {
				none[t] = nil
			}
			u.line.SetTopics(none)
		}
		return true
	}
	return false
}
