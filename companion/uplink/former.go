package uplink

import (
	"encoding/json"

	"majordome/companion/line"
	"majordome/companion/wire"
)

// formerName is a name under which this table has told something.
type formerName struct {
	tree wire.Tree
	ours bool // what the broker keeps there was told by this table
	away bool // nobody is there under that name: a table whose card was copied may be
}

// formerTopics are those on which a table of that name has told something. Who is speaking comes last: when that is gone, all is.
func formerTopics(t wire.Tree) []string {
	return []string{hassConfig(t), hassControls(t), t.Availability(), t.State(), t.Names(), t.Info()}
}

// hearFormer hears who is speaking under a former name of this table, and takes back what is this table's own where nobody is there;
// false: it is no such message. The ID says whose it is: another table may have the name by now.
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
			if !f.ours { // nothing is left, or it is somebody else's
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
