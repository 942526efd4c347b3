package huisclos

import (
	"strconv"

	"majordome/engine"
	"majordome/engine/internal/box"
)

// The count of the cards (GEN-E09): play pauses, the table counts, the public
// numbers are corrected, and what is missing is declared lost, by number and
// never by name.

// countable reports that play may pause here: between actions, or where a clue is to be
// laid open that may be on record elsewhere, for which no phone stands in (GEN-E13).
func (s *state) countable() bool {
	switch s.phase {
	case investigation:
		return s.step == stepMove || s.step == stepAct || s.step == stepSettle || s.step == stepPurge
	case deposit, recovery:
		return s.step == stepNone
	}
	return false
}

func (s *state) doCount(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	if !s.countable() {
		return nil, refuse(engine.NotNow, "GEN-E09", "hc.no.count-later")
	}
	return one(evCounting, c.At, 0), nil
}

// counted is what the public numbers and what lies open make up; the rest of
// the box is lost.
func (s *state) counted() int {
	n := int(s.urn) + int(s.held[locShown]) + int(s.held[locGone]) + int(s.held[locOut])
	for x := range s.seats {
		n += int(s.seats[x].cards)
	}
	for p := range s.rooms {
		n += int(s.rooms[p].cards)
	}
	return n
}

// holder is somebody or something whose clues are counted: a living seat, an
// open place, or the urn while deposits are made.
type holder struct {
	name  string
	seat  engine.Seat
	place place
	now   uint8
	most  int
}

// holders are all of them. No correction makes the sum exceed the box: whoever
// has fewer than recorded is corrected before whoever has more.
func (s *state) holders() (hs []holder) {
	free := max(0, numCards-s.counted())
	add := func(h holder, most int) {
		h.most = min(most, int(h.now)+free)
		hs = append(hs, h)
	}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if s.living(x) {
			add(holder{name: x.String(), seat: x, now: s.seats[x].cards}, handLimit)
		}
	}
	for p := place(1); p <= numPlaces; p++ {
		if !s.rooms[p].closed {
			add(holder{name: s.book.placeID[p], place: p, now: s.rooms[p].cards}, numCards)
		}
	}
	if s.phase == deposit {
		add(holder{name: engine.ReaderUrn, now: s.urn}, maxSeats)
	}
	return hs
}

func (s *state) doCountIs(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	if !s.counting {
		return nil, refuse(engine.NotNow, "GEN-E09", "hc.no.not-now")
	}
	for _, h := range s.holders() {
		if h.name != c.Args["of"] {
			continue
		}
		n, err := strconv.Atoi(c.Args["n"])
		if err != nil || n < 0 || n > h.most || strconv.Itoa(n) != c.Args["n"] {
			return nil, refuse(engine.Unknown, "GEN-E09", "hc.no.no-number")
		}
		return []*event{{kind: evCountIs, at: c.At, seat: h.seat, place: h.place, n: uint16(n)}}, nil
	}
	return nil, refuse(engine.Unknown, "GEN-E09", "hc.no.no-holder")
}

func (s *state) doCounted(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	switch {
	case !s.counting:
		return nil, refuse(engine.NotNow, "GEN-E09", "hc.no.not-now")
	case s.counted() > numCards:
		return nil, refuse(engine.Forbidden, "GEN-E09", "hc.no.count-more")
	}
	return []*event{{kind: evCounted, at: c.At, n: uint16(numCards - s.counted())}}, nil
}

// doShuffled notes that the clues of a place were seen by accident and mixed:
// nothing is recorded (rules, 4.2).
func (s *state) doShuffled(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	p, ok := s.book.places[c.Args["place"]]
	if !ok || s.rooms[p].cards == 0 {
		return nil, refuse(engine.Unknown, "GEN-E09", "hc.no.no-place")
	}
	return []*event{{kind: evShuffled, at: c.At, place: p}}, nil
}

// applyCount applies the events of this file.
func (s *state) applyCount(e *event) {
	switch e.kind {
	case evCounting:
		s.counting, s.recounted = true, false
	case evCountIs:
		s.recount(e)
	case evCounted:
		if !s.recounted {
			s.distrust()
		}
		s.counting, s.adrift, s.lost = false, 0, uint8(e.n)
		if s.phase != investigation {
			s.call(0, e.at) // whoever was called may hold nothing, or enough
		} else if s.full { // the clue too many may have been none
			s.full = s.seats[s.active].cards > handLimit
		}
		s.since = e.at
	}
}

// recount corrects one public number; what lies there is not known any more.
func (s *state) recount(e *event) {
	n := uint8(e.n)
	change := func(now *uint8, forget func()) {
		if *now != n {
			s.recounted = true
			forget()
			s.adrift += int16(*now) - int16(n)
			*now = n
		}
	}
	switch {
	case e.place != 0:
		change(&s.rooms[e.place].cards, func() { s.blur(loc(e.place)) })
	case e.seat != 0:
		change(&s.seats[e.seat].cards, func() { s.blurHand(e.seat) })
	default:
		change(&s.urn, func() {
			for x := engine.Seat(1); x <= maxSeats; x++ {
				s.blur(locUrn + loc(x))
			}
		})
	}
}

// doubt gives up what is on record of hidden clues: the table has counted, and every
// number is right, so that what disagrees with the cards is where they lie (GEN-E13).
// Nobody can tell which record was wrong, so none stays; each hand keeps what its seat
// knows of it.
func (s *state) distrust() {
	for x := engine.Seat(1); x <= maxSeats; x++ {
		for cs := s.at(inHand(x)); cs != 0; cs &= cs - 1 {
			s.put(cs.first(), locSomewhere, box.Nobody)
			s.claim(x, cs.first(), true)
		}
		s.blur(locUrn + loc(x))
	}
	for p := place(1); p <= numPlaces; p++ {
		s.blur(loc(p))
	}
}

// countOffers are what the host may do about the count.
func (s *state) countOffers(out []engine.Offer) []engine.Offer {
	if !s.counting {
		if s.countable() {
			out = append(out, engine.Offer{Act: "count", Rule: "GEN-E09", Aside: true})
		}
		return s.shuffledOffer(out)
	}
	for _, h := range s.holders() {
		out = append(out, engine.Offer{Act: "count-is", Rule: "GEN-E09", Fixed: engine.Args{"of": h.name},
			Params: []engine.Param{{Name: "n", Kind: "value", Domain: numbers[:h.most+1]}}})
	}
	if s.counted() <= numCards {
		out = append(out, engine.Offer{Act: "counted", Rule: "GEN-E09"})
	}
	return out
}

func (s *state) shuffledOffer(out []engine.Offer) []engine.Offer {
	if s.phase < pick || s.phase >= over {
		return out
	}
	var places []string
	for p := place(1); p <= numPlaces; p++ {
		if s.rooms[p].cards > 0 {
			places = append(places, s.book.placeID[p])
		}
	}
	if places == nil {
		return out
	}
	return append(out, engine.Offer{Act: "shuffled", Rule: "GEN-E09", Aside: true,
		Params: []engine.Param{{Name: "place", Kind: "place", Domain: places}}})
}
