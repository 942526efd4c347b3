package cluedo

import (
	"majordome/engine"
	"majordome/engine/internal/custody"
)

// knowledge is what somebody knows of where cards are. Legality is a function of
// the public state and the knowledge of whoever acts, so that an offer cannot
// depend on what its viewer does not know.
type knowledge struct {
	hand     [maxSeats + 1]set // recorded or claimed
	envelope set
	lies     set // on the board
	open     set // cards that everybody sees: shown at the end, murdered hands, played, on the track
}

// sorted is what somebody knows who knows so much of where cards lie, and which of them lie open.
func sorted(at *custody.Map, open set) (k knowledge) {
	k.envelope, k.open = at[locEnvelope], open
	copy(k.hand[:], at[custody.Hand:])
	for _, here := range at[locLies+1 : custody.Hand] {
		k.lies |= here
	}
	return k
}

// knowledge is what a viewer knows.
func (s *state) knowledge(v engine.Viewer) knowledge {
	var at custody.Map
	open := s.cards.Seen(v, &at)
	return sorted(&at, open)
}

// knows is what by knows, who acts.
func (s *state) knows(by actor) knowledge {
	if by.host {
		return s.knowledge(engine.Host)
	}
	return s.knowledge(engine.At(by.seat))
}

// truth is the knowledge of the judge: everything that is recorded, without claims.
func (s *state) truth() knowledge {
	at := s.cards.Truth()
	return sorted(&at, 0)
}

// known reports that every mystery card of x is recorded or claimed (GEN-021).
func (s *state) known(x engine.Seat) bool {
	return (s.cards.Held(x) & s.book.mystery()).Count() == int(s.seats[x].cards)
}

// unnamed is how many Butler cards of x nobody has named.
func (s *state) unnamed(x engine.Seat) int {
	return int(s.seats[x].butlers) - (s.cards.Held(x) & s.book.all(kindEvent)).Count()
}

// solution are the three cards of the envelope if they were read, or if all others
// were and they are left over (GEN-021, GEN-023). What was named on a phone counts for
// nothing here. It is used to judge an accusation and for nothing else.
func (s *state) solution() (set, bool) {
	if s.doubt {
		return 0, false
	}
	k := s.truth()
	if k.envelope.Count() == 3 {
		return k.envelope, true
	}
	rest := s.book.mystery() &^ k.lies
	for x := range k.hand {
		rest &^= k.hand[x]
	}
	for kd := kindSuspect; kd <= kindRoom; kd++ {
		if (rest & s.book.all(kd)).Count() != 1 {
			return 0, false
		}
	}
	return rest, true
}

// astray reports a mystery card that is presented as one of the hand of x and cannot be
// there: it is recorded elsewhere, where not all can see it, or it would be one too many
// (GEN-E13). It looks at records that nobody may see: whatever hangs on it is an alarm.
func (s *state) astray(x engine.Seat, c card) bool {
	if s.cards.IsOpen(c) {
		return false
	}
	switch s.cards.At(c) {
	case custody.HandOf(x):
		return false
	case locUnknown:
		return s.known(x) && !s.cards.Held(x).Has(c)
	}
	return true
}

// answers are the named cards that x can show, as far as k tells: those of its
// hand if that is known, else those that x cannot exclude.
func (s *state) answers(k knowledge, x engine.Seat, named set) set {
	if s.known(x) {
		return named & k.hand[x]
	}
	return named & s.possible(k, x)
}

// possible are the mystery cards that x may hold as far as k tells: those that k
// does not see elsewhere.
func (s *public) possible(k knowledge, x engine.Seat) set {
	if open := k.open & k.hand[x] & s.book.mystery(); x != 0 && open.Count() >= int(s.seats[x].cards) {
		return open // all its cards lie open
	}
	return s.book.mystery() &^ (k.open &^ k.hand[x]) &^ k.lies &^ k.others(x)
}

// others are the cards in other hands than that of x, or in the envelope.
func (k *knowledge) others(x engine.Seat) set {
	all := k.envelope
	for y := range k.hand {
		if engine.Seat(y) != x {
			all |= k.hand[y]
		}
	}
	return all
}

// ofKind are the event cards of a kind among x.
func (b *Book) ofKind(x set, kind string) (of set) {
	for ; x != 0; x &= x - 1 {
		if b.events[x.First()] == kind {
			of = of.With(x.First())
		}
	}
	return of
}

// playable are the Butler cards of a kind that a seat may play, as far as by can
// tell: those named in its hand, and, while it holds one that nobody named, every
// one that it cannot exclude. The host names what lies on the table.
func (s *state) playable(by actor, k knowledge, kind string) set {
	x := by.seat
	if by.host && s.virtual {
		return 0 // there is nothing on the table that a host could see
	}
	mine := s.book.ofKind(k.hand[x], kind)
	if by.host || s.unnamed(x) > 0 {
		mine |= s.book.ofKind(s.book.all(kindEvent)&^k.open&^k.others(x), kind)
	}
	return mine
}
