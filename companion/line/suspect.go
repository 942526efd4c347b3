package line

import (
	"slices"
	"time"

	"majordome/engine/ownfile"
)

const (
	breaks      = 2         // of the line after one message, until it is left out
	maxSuspects = 16        // of each direction; the oldest makes room
	remembered  = time.Hour // after the last break, a message is left out and shown
)

// Suspect is a message after which the line broke.
type Suspect struct {
	Topic  string // fit to be shown; "" where the broker sent no message, or its topic could not be read
	Size   int    // bytes of payload of ours; of a message of the broker bytes of the packet
	Ours   bool   // the table told it; else the broker sent it
	Out    bool   // it is left out: what has this topic and is as large is not told, or not taken
	Breaks int    // how often the line broke after it

	key string
	at  time.Time // of the last break
}

// suspects are the messages after which the line broke, the oldest first.
//
// Invariant: at most maxSuspects are ours, and as many are not.
type suspects []Suspect

// blame notes that the line broke after a message, and reports that it is left out from now on.
func (all *suspects) blame(key string, size int, ours bool, now time.Time) (out bool) {
	s := Suspect{Topic: ownfile.Visible(key, maxShown), Ours: ours, key: key}
	if i := all.index(key, ours); i >= 0 {
		s = (*all)[i]
		*all = slices.Delete(*all, i, i+1)
	} else if i := slices.IndexFunc(*all, func(x Suspect) bool { return x.Ours == ours }); i >= 0 && all.count(ours) >= maxSuspects {
		*all = slices.Delete(*all, i, i+1)
	}
	if !ours || s.Size == 0 || size < s.Size {
		s.Size = size // of ours the smallest: what is smaller still may pass
	}
	if s.Breaks++; key != "" && s.Breaks >= breaks {
		out, s.Out = !s.Out, true
	}
	s.at = now
	*all = append(*all, s)
	return out
}

func (all suspects) index(key string, ours bool) int {
	return slices.IndexFunc(all, func(s Suspect) bool { return s.Ours == ours && s.key == key })
}

func (all suspects) count(ours bool) (n int) {
	for _, s := range all {
		if s.Ours == ours {
			n++
		}
	}
	return n
}

// clear forgets a message of ours that the broker has taken.
func (all *suspects) clear(key string) {
	if i := all.index(key, true); i >= 0 && !(*all)[i].Out {
		*all = slices.Delete(*all, i, i+1)
	}
}

// leaves reports a message that is left out. Of the broker's the topic alone counts.
func (all *suspects) leaves(key string, size int, ours bool, now time.Time) bool {
	all.expire(now)
	i := all.index(key, ours)
	return i >= 0 && (*all)[i].Out && (!ours || size >= (*all)[i].Size)
}

// expire forgets the messages after which the line has not broken for an hour: it may have been the network, or the broker was mended.
func (all *suspects) expire(now time.Time) {
	*all = slices.DeleteFunc(*all, func(s Suspect) bool { return now.Sub(s.at) > remembered })
}

// recent returns the messages of the last hour.
func (all *suspects) recent(now time.Time) []Suspect {
	all.expire(now)
	return slices.Clone(*all)
}
