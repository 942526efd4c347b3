package rules

import (
	"slices"
	"strconv"

	"majordome/engine"
)

// CardCount is the state of a count of the cards (GEN-E09), and of the alarm in a deal, which a
// count answers. The zero value is normal play.
type CardCount struct {
	Counting  bool  // play pauses
	Alarmed   bool  // the deal is stopped until the host has answered (GEN-E13)
	Corrected bool  // some public number was wrong
	Lost      uint8 // number of cards that were missing, never their names
}

// IsPlayStopped reports whether no seat may play now.
func (n *CardCount) IsPlayStopped() bool { return n.Counting || n.Alarmed }

// MoodWhileStopped returns the mood of a view while no seat may play; "" in normal play.
func (n *CardCount) MoodWhileStopped() string {
	switch {
	case n.Counting:
		return engine.MoodCount
	case n.Alarmed:
		return engine.MoodAlarm
	}
	return ""
}

// BeginCount begins a count.
func (n *CardCount) BeginCount() { n.Counting, n.Corrected = true, false }

// CorrectNumber sets a public number to the counted one, and reports whether it was different.
func (n *CardCount) CorrectNumber(now *uint8, counted uint8) (changed bool) {
	if *now == counted {
		return false
	}
	*now, n.Corrected = counted, true
	return true
}

// EndCount records how many cards are lost and lets play go on. It reports whether every number was
// right: then any contradiction with the real cards is in their recorded places.
func (n *CardCount) EndCount(lost uint8) (allRight bool) {
	n.Counting, n.Lost = false, lost
	return !n.Corrected
}

// GradeOf returns how well the program knows the cards of a holder: have of them were read, and said
// others only named.
func GradeOf(have, said, of int) string {
	switch {
	case have >= of:
		return engine.Verified
	case have+said > 0:
		return engine.Partly
	}
	return engine.Trusted
}

// Holder is a seat, or a place with a name only, whose cards are counted (GEN-E09). Most is the
// highest number that the host may enter.
type Holder struct {
	Name      string
	Seat      engine.Seat
	Now, Most int
	OfferArgs engine.Args // the arguments that name it in an offer, if made in advance: see HolderArgs
}

// HolderArgs returns the arguments that name a holder in an offer. No caller may change them.
func HolderArgs(holder string) engine.Args { return engine.Args{"of": holder} }

// seatArgs holds the HolderArgs of each seat, made once.
var seatArgs = func() (all [engine.MaxSeats + 1]engine.Args) {
	for x := range all {
		all[x] = HolderArgs(engine.Seat(x).String())
	}
	return all
}()

func (h *Holder) offerArgs() engine.Args {
	switch {
	case h.Seat != 0:
		return seatArgs[h.Seat]
	case h.OfferArgs != nil:
		return h.OfferArgs
	}
	return HolderArgs(h.Name)
}

// ParseCount parses the holder whose cards were counted, and their number.
func (w *RefusalKeys) ParseCount(c engine.Command, count *CardCount, holders []Holder) (h Holder, n int, r *engine.Reject) {
	if !count.Counting {
		return h, 0, RefusePrivately(engine.NotNow, "GEN-E09", w.NotNow)
	}
	for _, h := range holders {
		if h.Name != c.Args["of"] {
			continue
		}
		n, _ := strconv.Atoi(c.Args["n"]) // the comparison with n below refuses any other spelling
		if n < 0 || n > h.Most || strconv.Itoa(n) != c.Args["n"] {
			return h, 0, RefusePrivately(engine.Unknown, "GEN-E09", w.NoNumber)
		}
		return h, n, nil
	}
	return h, 0, RefusePrivately(engine.Unknown, "GEN-E09", w.NoHolder)
}

// countParams holds the parameters of a count's offers, by the highest number of each, made once.
var countParams = func() (ps [len(NumberTexts)][]engine.Param) {
	for most := range ps {
		ps[most] = []engine.Param{{Name: "n", Kind: "value", Domain: NumberTexts[:most+1]}}
	}
	return ps
}()

// AddCountOffers adds the acts of the host during a count; done: also the end of the count.
func AddCountOffers(out []engine.Offer, holders []Holder, done bool) []engine.Offer {
	out = slices.Grow(out, len(holders)+1)
	for _, h := range holders {
		out = append(out, engine.Offer{Act: "count-is", Rule: "GEN-E09", Fixed: h.offerArgs(), Params: countParams[h.Most]})
	}
	if done {
		out = append(out, engine.Offer{Act: "counted", Rule: "GEN-E09"})
	}
	return out
}
