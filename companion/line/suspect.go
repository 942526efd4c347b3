package line

import (
	"slices"
	"time"

	"majordome/engine/ownfile"
)

const (
	breaks      = 2               // of the line after one message in a row, until it is left out
	maxSuspects = 16              // of each direction; the oldest makes room
	remembered  = time.Hour       // after the last break, a message is left out and shown
	firstPause  = 5 * time.Minute // until a small message of ours is tried again; it doubles up to remembered
	maxSmall    = 33 << 10        // bytes of payload: all that a table tells is smaller, and never too large for a broker that means well
)

// Suspect is a message after which the line broke.
type Suspect struct {
	Topic  string // fit to be shown; "" where the broker sent no message, or its topic could not be read
	Size   int    // bytes of payload of ours; of a message of the broker bytes of the packet
	Ours   bool   // the table told it; else the broker sent it
	Out    bool   // it is left out: what has this topic and is as large is not told, or not taken
	Breaks int    // how often the line broke after it, in a row

	key   string
	at    time.Time     // of the last break
	pause time.Duration // for which it is left out after that; 0: it was never left out
}

// isOut reports a message that is left out now.
func (s *Suspect) isOut(now time.Time) bool { return s.pause > 0 && now.Sub(s.at) <= s.pause }

// suspects are the messages after which the line broke, the oldest first.
//
// Invariant: at most maxSuspects are ours, and as many are not.
type suspects struct {
	list       []Suspect
	firstPause time.Duration // 0 is the constant of that name
}

// blame notes that the line broke after a message, and reports that it is left out from now on. One of ours that is small is left out for
// firstPause, and each time that it is tried again in vain for twice as long; others for as long as they are remembered.
func (all *suspects) blame(key string, size int, ours bool, now time.Time) (out bool) {
	all.expire(now)
	s := Suspect{Topic: ownfile.Visible(key, maxShown), Ours: ours, key: key}
	if i := all.index(key, ours); i >= 0 {
		s = all.list[i]
		all.list = slices.Delete(all.list, i, i+1)
	} else if i := slices.IndexFunc(all.list, func(x Suspect) bool { return x.Ours == ours }); i >= 0 && all.count(ours) >= maxSuspects {
		all.list = slices.Delete(all.list, i, i+1)
	}
	if !ours || s.Size == 0 || size < s.Size {
		s.Size = size // of ours the smallest: what is smaller still may pass
	}
	if s.Breaks++; key != "" && s.Breaks >= breaks && !s.isOut(now) {
		out, s.pause = true, all.nextPause(&s)
	}
	s.at = now
	all.list = append(all.list, s)
	return out
}

// nextPause is for how long a message is left out now.
func (all *suspects) nextPause(s *Suspect) time.Duration {
	switch {
	case !s.Ours || s.Size > maxSmall:
		return remembered
	case s.pause > 0:
		return min(2*s.pause, remembered)
	case all.firstPause > 0:
		return all.firstPause
	}
	return firstPause
}

func (all *suspects) index(key string, ours bool) int {
	return slices.IndexFunc(all.list, func(s Suspect) bool { return s.Ours == ours && s.key == key })
}

func (all *suspects) count(ours bool) (n int) {
	for _, s := range all.list {
		if s.Ours == ours {
			n++
		}
	}
	return n
}

// forgive notes that the line broke while a message of ours, or none (""), was under way: no other one is to blame, but those that were
// left out before.
func (all *suspects) forgive(but string) {
	all.list = slices.DeleteFunc(all.list, func(s Suspect) bool { return s.Ours && s.pause == 0 && s.key != but })
}

// clear forgets a message of ours that the broker has taken, unless a smaller one than that which was left out.
func (all *suspects) clear(key string, size int, now time.Time) {
	if i := all.index(key, true); i >= 0 {
		if s := &all.list[i]; s.pause == 0 || !s.isOut(now) && size >= s.Size {
			all.list = slices.Delete(all.list, i, i+1)
		}
	}
}

// hasSuspect reports that the line broke after one of some messages of ours.
func (all *suspects) hasSuspect(some []outgoing) bool {
	return slices.ContainsFunc(some, func(o outgoing) bool { return all.index(o.topic, true) >= 0 })
}

// leaves reports a message that is left out. Of the broker's the topic alone counts.
func (all *suspects) leaves(key string, size int, ours bool, now time.Time) bool {
	all.expire(now)
	i := all.index(key, ours)
	return i >= 0 && all.list[i].isOut(now) && (!ours || size >= all.list[i].Size)
}

// expire forgets the messages after which the line has not broken for an hour, nor for an hour after they could be tried again: it may
// have been the network, or the broker was mended.
func (all *suspects) expire(now time.Time) {
	all.list = slices.DeleteFunc(all.list, func(s Suspect) bool {
		most := remembered
		if s.Ours && s.Size <= maxSmall {
			most += s.pause
		}
		return now.Sub(s.at) > most
	})
}

// recent returns the messages that are left out, and those of the last hour.
func (all *suspects) recent(now time.Time) []Suspect {
	all.expire(now)
	some := slices.Clone(all.list)
	for i := range some {
		some[i].Out = some[i].isOut(now)
	}
	return some
}
