package cluedo

import (
	"majordome/engine"
	"majordome/engine/internal/custody"
)

// knowledge has all that one viewer knows of a game. Its methods decide legality, so that an offer
// cannot depend on what its viewer does not know.
type knowledge struct {
	*public
	at       custody.Map // where cards are; those that a seat claims are in its hand
	lies     set         // cards on the board
	open     set         // cards that all see: shown at the end, murdered hands, played, on the track
	wanted   set         // cards of which one must be shown now
	answered bool        // its answer has not taken effect yet
	mending  bool        // it has to correct an answer,
	amend    amends      // this one
}

func (s *answerState) knowledge(v engine.Viewer) *knowledge {
	k := new(knowledge) // small enough to inline, so that it can stay on the stack of the caller
	s.learn(k, v)
	return k
}

// fillKnowledge fills in what a viewer knows. The host acts for the awaited seat: it learns what
// that seat is asked for, and that it has answered, but not what.
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

func (k *knowledge) hand(x engine.Seat) set { return k.at[custody.HandOf(x)] }

// envelope returns the cards of the solution.
func (k *knowledge) envelope() set { return k.at[locEnvelope] }

func (k *knowledge) there(a area) set { return k.at[locLies+loc(a)] }

// unplacedCards returns the mystery cards that are neither in a hand nor on the board.
func (k *knowledge) rest() set {
	rest := k.book.mystery() &^ k.lies
	for x := range engine.Seat(maxSeats + 1) {
		rest &^= k.hand(x)
	}
	return rest
}

func (s *answerState) knows(by actor) *knowledge { return s.knowledge(by.viewer()) }

func (by actor) viewer() engine.Viewer {
	if by.host {
		return engine.Host
	}
	return engine.At(by.seat)
}

// truth returns all that is recorded, without claims, for judging.
func (s *recordState) truth() *knowledge {
	k := &knowledge{public: &s.public, at: s.cards.Truth()}
	k.sort()
	return k
}

// isHandKnown reports whether every mystery card of x is recorded or claimed (GEN-021).
func (s *recordState) known(x engine.Seat) bool {
	return (s.cards.Held(x) & s.book.mystery()).Count() == int(s.seats[x].cards)
}

// unnamedButlers returns how many Butler cards of x are neither recorded nor claimed.
func (s *recordState) unnamed(x engine.Seat) int {
	return int(s.seats[x].butlers) - (s.cards.Held(x) & s.book.all(kindEvent)).Count()
}

// solution returns the three cards of the envelope if they were read, or if all others were and
// these are left over (GEN-021, GEN-023). Claims count for nothing here. Only the judging of an
// accusation and the view of the overseer may use it.
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

// isMisplaced reports whether a mystery card that is presented as one of the hand of x cannot be
// there: it is recorded elsewhere, where not all can see it, or it would be one too many (GEN-E13).
// It reads records that no player may see, so an alarm is all that may follow from it.
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

// showableCards returns the named cards that x can show, by what k knows: those of its hand if that
// is known, else those that x cannot exclude.
func (k *knowledge) answers(x engine.Seat, named set) set {
	if k.named(x) {
		return named & k.hand(x)
	}
	return named & k.possible(x)
}

// isHandNamed reports whether every mystery card of x is recorded or claimed, as x itself sees it.
func (k *knowledge) named(x engine.Seat) bool {
	return (k.hand(x) & k.book.mystery()).Count() == int(k.seats[x].cards)
}

// unnamedButlers returns how many Butler cards of x it has not named, as x itself sees it.
func (k *knowledge) unnamed(x engine.Seat) int {
	return int(k.seats[x].butlers) - (k.hand(x) & k.book.all(kindEvent)).Count()
}

// possibleCards returns the mystery cards that x may have by what k knows: those that k does not
// see elsewhere.
func (k *knowledge) possible(x engine.Seat) set {
	if open := k.open & k.hand(x) & k.book.mystery(); x != 0 && open.Count() >= int(k.seats[x].cards) {
		return open // all its cards are face up
	}
	return k.book.mystery() &^ (k.open &^ k.hand(x)) &^ k.lies &^ k.others(x)
}

// cardsElsewhere returns the cards in other hands than that of x, or in the envelope.
func (k *knowledge) others(x engine.Seat) set {
	all := k.envelope()
	for y := range engine.Seat(maxSeats + 1) {
		if y != x {
			all |= k.hand(y)
		}
	}
	return all
}

// eventsOfKind returns the event cards of a kind among x.
func (b *Book) ofKind(x set, kind string) (of set) {
	for ; x != 0; x &= x - 1 {
		if b.events[x.First()] == kind {
			of = of.With(x.First())
		}
	}
	return of
}

// playableButlers returns the Butler cards of a kind that a seat may play, by what k knows: those
// named in its hand and, while it has an unnamed one, every one that it cannot exclude. The host
// names a card that is on the table.
func (k *knowledge) playable(by actor, kind string) set {
	x := by.seat
	if by.host && k.virtual {
		return 0 // there is nothing on the table for a host to see
	}
	mine := k.book.ofKind(k.hand(x), kind)
	if by.host || k.unnamed(x) > 0 {
		mine |= k.book.ofKind(k.book.all(kindEvent)&^k.open&^k.others(x), kind)
	}
	return mine
}
