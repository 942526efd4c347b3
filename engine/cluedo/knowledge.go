package cluedo

import (
	"majordome/engine"
	"majordome/engine/internal/custody"
)

// knowledge is what somebody knows of a game. Legality is decided by its methods, so that an offer cannot
// depend on what its viewer does not know.
type knowledge struct {
	*public
	at       custody.Map // where cards lie; those that a seat says it holds lie in its hand
	lies     set         // on the board
	open     set         // cards that everybody sees: shown at the end, murdered hands, played, on the track
	wanted   set         // cards of which one is to be shown now
	answered bool        // its answer waits for its moment
	mending  bool        // it is to put an answer right,
	amend    amends      // this one
}

// knowledge is what a viewer knows.
func (s *answerState) knowledge(v engine.Viewer) *knowledge {
	k := new(knowledge) // of whoever calls: it need not leave that function
	s.learn(k, v)
	return k
}

// learn fills in what a viewer knows. The host acts for whoever is awaited: it is told what that seat is asked
// for, and that it has answered, and not what.
func (s *answerState) learn(k *knowledge, v engine.Viewer) {
	k.public = &s.public
	k.open = s.cards.Seen(v, &k.at)
	k.sort()
	_, k.answered = s.reply.See(v)
	k.amend, k.mending = s.amend.See(v)
	if v.IsHost() {
		_, k.answered = s.reply.Open()
	}
	if s.step == stepShowing && (k.mending || v.IsHost() || s.showing.why != whyAmend) {
		k.wanted = s.wanted()
	}
}

func (k *knowledge) sort() {
	for _, here := range k.at[locLies+1 : custody.Hand] {
		k.lies |= here
	}
}

// hand are the cards in the hand of a seat.
func (k *knowledge) hand(x engine.Seat) set { return k.at[custody.HandOf(x)] }

// envelope are the cards of the solution.
func (k *knowledge) envelope() set { return k.at[locEnvelope] }

// there are the cards that lie in an area.
func (k *knowledge) there(a area) set { return k.at[locLies+loc(a)] }

// rest are the mystery cards that lie nowhere.
func (k *knowledge) rest() set {
	rest := k.book.mystery() &^ k.lies
	for x := range engine.Seat(maxSeats + 1) {
		rest &^= k.hand(x)
	}
	return rest
}

// knows is what by knows, who acts.
func (s *answerState) knows(by actor) *knowledge { return s.knowledge(by.viewer()) }

// viewer is who acts.
func (by actor) viewer() engine.Viewer {
	if by.host {
		return engine.Host
	}
	return engine.At(by.seat)
}

// truth is the knowledge of the judge: everything that is recorded, without claims.
func (s *recordState) truth() *knowledge {
	k := &knowledge{public: &s.public, at: s.cards.Truth()}
	k.sort()
	return k
}

// known reports that every mystery card of x is recorded or claimed (GEN-021).
func (s *recordState) known(x engine.Seat) bool {
	return (s.cards.Held(x) & s.book.mystery()).Count() == int(s.seats[x].cards)
}

// unnamed is how many Butler cards of x nobody has named.
func (s *recordState) unnamed(x engine.Seat) int {
	return int(s.seats[x].butlers) - (s.cards.Held(x) & s.book.all(kindEvent)).Count()
}

// solution are the three cards of the envelope if they were read, or if all others
// were and they are left over (GEN-021, GEN-023). What was named on a phone counts for
// nothing here. It is used to judge an accusation and for nothing else.
func (s *recordState) solution() (set, bool) {
	if s.doubt {
		return 0, false
	}
	k := s.truth()
	if k.envelope().Count() == 3 {
		return k.envelope(), true
	}
	rest := k.rest()
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
func (s *recordState) astray(x engine.Seat, c card) bool {
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
func (k *knowledge) answers(x engine.Seat, named set) set {
	if k.named(x) {
		return named & k.hand(x)
	}
	return named & k.possible(x)
}

// named reports that every mystery card of x is recorded or claimed, as x itself sees it.
func (k *knowledge) named(x engine.Seat) bool {
	return (k.hand(x) & k.book.mystery()).Count() == int(k.seats[x].cards)
}

// unnamed is how many Butler cards of x it has not named, as x itself sees it.
func (k *knowledge) unnamed(x engine.Seat) int {
	return int(k.seats[x].butlers) - (k.hand(x) & k.book.all(kindEvent)).Count()
}

// possible are the mystery cards that x may hold as far as k tells: those that k
// does not see elsewhere.
func (k *knowledge) possible(x engine.Seat) set {
	if open := k.open & k.hand(x) & k.book.mystery(); x != 0 && open.Count() >= int(k.seats[x].cards) {
		return open // all its cards lie open
	}
	return k.book.mystery() &^ (k.open &^ k.hand(x)) &^ k.lies &^ k.others(x)
}

// others are the cards in other hands than that of x, or in the envelope.
func (k *knowledge) others(x engine.Seat) set {
	all := k.envelope()
	for y := range engine.Seat(maxSeats + 1) {
		if y != x {
			all |= k.hand(y)
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
func (k *knowledge) playable(by actor, kind string) set {
	x := by.seat
	if by.host && k.virtual {
		return 0 // there is nothing on the table that a host could see
	}
	mine := k.book.ofKind(k.hand(x), kind)
	if by.host || k.unnamed(x) > 0 {
		mine |= k.book.ofKind(k.book.all(kindEvent)&^k.open&^k.others(x), kind)
	}
	return mine
}
