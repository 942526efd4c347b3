package rules

import (
	"slices"
	"strconv"

	"majordome/engine"
)

// Count is how a count of the cards stands (GEN-E09), and the alarm of a deal, which a count answers. The zero
// value is play.
type Count struct {
	Counting  bool  // play pauses
	Alarmed   bool  // the deal stands until the host has answered (GEN-E13)
	Corrected bool  // some number was wrong
	Lost      uint8 // cards that were missing, by number and never by name
}

// Stands reports that nobody may play.
func (n *Count) Stands() bool { return n.Counting || n.Alarmed }

// Mood is that of a view while nobody may play; "" is play.
func (n *Count) Mood() string {
	switch {
	case n.Counting:
		return engine.MoodCount
	case n.Alarmed:
		return engine.MoodAlarm
	}
	return ""
}

// BeginCount lets the count begin.
func (n *Count) BeginCount() { n.Counting, n.Corrected = true, false }

// Recount makes a public number what was counted, and reports that it was another.
func (n *Count) Recount(now *uint8, counted uint8) bool {
	if *now == counted {
		return false
	}
	*now, n.Corrected = counted, true
	return true
}

// EndCount declares cards lost, and lets play go on. It reports that every number was right: then what disagrees with
// the cards is where they are recorded.
func (n *Count) EndCount(lost uint8) bool {
	n.Counting, n.Lost = false, lost
	return !n.Corrected
}

// Holder is somebody or something whose cards are counted (GEN-E09): a seat, or what has
// the name alone. Most is the highest number that may be said.
type Holder struct {
	Name      string
	Seat      engine.Seat
	Now, Most int
	Of        engine.Args // what names it in an offer, if that was made before: see Named
}

// Named is what names a holder in an offer; nobody may change it.
func Named(holder string) engine.Args { return engine.Args{"of": holder} }

// ofSeat name each seat as the holder, made once.
var ofSeat = func() (all [engine.MaxSeats + 1]engine.Args) {
	for x := range all {
		all[x] = Named(engine.Seat(x).String())
	}
	return all
}()

func (h *Holder) named() engine.Args {
	switch {
	case h.Seat != 0:
		return ofSeat[h.Seat]
	case h.Of != nil:
		return h.Of
	}
	return Named(h.Name)
}

// CountIs reads whose cards were counted, and how many there are.
func (w *Words) CountIs(c engine.Command, count *Count, holders []Holder) (h Holder, n int, r *engine.Reject) {
	if !count.Counting {
		return h, 0, Refuse(engine.NotNow, "GEN-E09", w.NotNow)
	}
	for _, h := range holders {
		if h.Name != c.Args["of"] {
			continue
		}
		n, _ := strconv.Atoi(c.Args["n"]) // what is no number is written otherwise
		if n < 0 || n > h.Most || strconv.Itoa(n) != c.Args["n"] {
			return h, 0, Refuse(engine.Unknown, "GEN-E09", w.NoNumber)
		}
		return h, n, nil
	}
	return h, 0, Refuse(engine.Unknown, "GEN-E09", w.NoHolder)
}

// counts are the parameters of the offers of a count by the highest number of each, made once.
var counts = func() (ps [len(Numbers)][]engine.Param) {
	for most := range ps {
		ps[most] = []engine.Param{{Name: "n", Kind: "value", Domain: Numbers[:most+1]}}
	}
	return ps
}()

// CountOffers adds what the host may say while the cards are counted; done: that it is over.
func CountOffers(out []engine.Offer, holders []Holder, done bool) []engine.Offer {
	out = slices.Grow(out, len(holders)+1)
	for _, h := range holders {
		out = append(out, engine.Offer{Act: "count-is", Rule: "GEN-E09", Fixed: h.named(), Params: counts[h.Most]})
	}
	if done {
		out = append(out, engine.Offer{Act: "counted", Rule: "GEN-E09"})
	}
	return out
}
