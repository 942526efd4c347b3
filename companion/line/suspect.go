package line

import (
	"slices"
	"time"

	"majordome/engine/ownfile"
)

const (
	maxBreaks    = 2               // how often in a row the connection must break after a message until it is left out
	maxSuspects  = 16              // in each direction; the oldest makes room
	memoryTime   = time.Hour       // how long after its last break a message is listed, and at most left out
	firstPause   = 5 * time.Minute // until a small message of ours is tried again; doubles up to memoryTime
	maxSmallSize = 33 << 10        // bytes of payload: all messages of a table are smaller, and no sound broker refuses that size
)

// Suspect is a message after which the connection broke.
type Suspect struct {
	Topic   string // printable; "" if the broker sent another packet, or if its topic could not be read
	Size    int    // bytes: of the payload if it is ours, else of the packet
	Ours    bool   // the table sent it; else the broker did
	LeftOut bool   // it is left out: messages of this topic and at least this size are not sent, or not received
	Breaks  int    // how often in a row the connection broke after it

	key       string
	lastBreak time.Time     // of the last break
	pause     time.Duration // how long it is left out after that; 0: it was never left out
}

// isLeftOut reports whether the message is left out now.
func (s *Suspect) isLeftOut(now time.Time) bool {
	return s.pause > 0 && now.Sub(s.lastBreak) <= s.pause
}

// suspects are the messages after which the connection broke, the oldest first.
//
// Invariant: at most maxSuspects are ours, and at most maxSuspects are the broker's.
type suspects struct {
	list       []Suspect
	firstPause time.Duration // replaces the constant in tests; 0: does not
}

// recordBreakAfter records that the connection broke after a message, and returns whether it is left out from now on. A small one of
// ours is left out for firstPause, and twice as long after each further failure; others for memoryTime.
func (all *suspects) recordBreakAfter(key string, size int, ours bool, now time.Time) (leftOut bool) {
	all.forgetOld(now)
	s := Suspect{Topic: ownfile.VisibleText(key, maxShown), Ours: ours, key: key}
	if i := all.indexOf(key, ours); i >= 0 {
		s = all.list[i]
		all.list = slices.Delete(all.list, i, i+1)
	} else if i := slices.IndexFunc(all.list, func(x Suspect) bool { return x.Ours == ours }); i >= 0 && all.countOf(ours) >= maxSuspects {
		all.list = slices.Delete(all.list, i, i+1)
	}
	if !ours || s.Size == 0 || size < s.Size {
		s.Size = size // of ours the smallest: still smaller ones may pass
	}
	if s.Breaks++; key != "" && s.Breaks >= maxBreaks && !s.isLeftOut(now) {
		leftOut, s.pause = true, all.nextPause(&s)
	}
	s.lastBreak = now
	all.list = append(all.list, s)
	return leftOut
}

// nextPause returns for how long a message is left out from now on.
func (all *suspects) nextPause(s *Suspect) time.Duration {
	switch {
	case !s.Ours || s.Size > maxSmallSize:
		return memoryTime
	case s.pause > 0:
		return min(2*s.pause, memoryTime)
	case all.firstPause > 0:
		return all.firstPause
	}
	return firstPause
}

func (all *suspects) indexOf(key string, ours bool) int {
	return slices.IndexFunc(all.list, func(s Suspect) bool { return s.Ours == ours && s.key == key })
}

func (all *suspects) countOf(ours bool) (n int) {
	for _, s := range all.list {
		if s.Ours == ours {
			n++
		}
	}
	return n
}

// forgiveOthers forgets the messages of ours that were never left out, except the one with the key blamedKey ("" for none), because the
// connection has now broken without them.
func (all *suspects) forgiveOthers(blamedKey string) {
	all.list = slices.DeleteFunc(all.list, func(s Suspect) bool { return s.Ours && s.pause == 0 && s.key != blamedKey })
}

// forgetAcknowledged forgets a message of ours that the broker has acknowledged. A smaller message does not clear a larger one that was
// left out.
func (all *suspects) forgetAcknowledged(key string, size int, now time.Time) {
	if i := all.indexOf(key, true); i >= 0 {
		if s := &all.list[i]; s.pause == 0 || !s.isLeftOut(now) && size >= s.Size {
			all.list = slices.Delete(all.list, i, i+1)
		}
	}
}

// hasSuspect reports whether the connection broke after one of these messages of ours.
func (all *suspects) hasSuspect(some []outgoing) bool {
	return slices.ContainsFunc(some, func(o outgoing) bool { return all.indexOf(o.topic, true) >= 0 })
}

// isLeftOut reports whether a message is left out. For messages of the broker the size does not count.
func (all *suspects) isLeftOut(key string, size int, ours bool, now time.Time) bool {
	all.forgetOld(now)
	i := all.indexOf(key, ours)
	return i >= 0 && all.list[i].isLeftOut(now) && (!ours || size >= all.list[i].Size)
}

// forgetOld forgets the messages an hour after their last break, or for small ones of ours an hour after they could be tried again. The
// cause may have been the network, or the broker was repaired.
func (all *suspects) forgetOld(now time.Time) {
	all.list = slices.DeleteFunc(all.list, func(s Suspect) bool {
		most := memoryTime
		if s.Ours && s.Size <= maxSmallSize {
			most += s.pause
		}
		return now.Sub(s.lastBreak) > most
	})
}

// listRecent returns the messages that are left out, and those of the last hour.
func (all *suspects) listRecent(now time.Time) []Suspect {
	all.forgetOld(now)
	some := slices.Clone(all.list)
	for i := range some {
		some[i].LeftOut = some[i].isLeftOut(now)
	}
	return some
}
