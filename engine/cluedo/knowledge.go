package cluedo

import (
	"majordome/engine"
	"majordome/engine/internal/custody"
)

// knowledge has all that one viewer knows of a game. Its methods decide legality, so that an offer
// cannot depend on what its viewer does not know.
type knowledge struct {
	*public
	cardsAt      custody.CardsByLocation // where cards are; those that a seat claims are in its hand
	faceDown     set                     // cards on the board
	openCards    set                     // cards that all see: shown at the end, murdered hands, played, on the track
	wanted       set                     // cards of which one must be shown now
	hasAnswered  bool                    // its answer has not taken effect yet
	isCorrecting bool                    // it has to correct an answer,
	correction   deniedAnswer            // this one
}

func (s *answerState) knowledgeFor(v engine.Viewer) *knowledge {
	k := new(knowledge) // small enough to inline, so that it can stay on the stack of the caller
	s.fillKnowledge(k, v)
	return k
}

// fillKnowledge fills in what a viewer knows. The host acts for the awaited seat: it learns what
// that seat is asked for, and that it has answered, but not what.
func (s *answerState) fillKnowledge(k *knowledge, v engine.Viewer) {
	k.public = &s.public
	k.openCards = s.cards.AddCardsVisibleTo(v, &k.cardsAt)
	k.collectFaceDownCards()
	_, k.hasAnswered = s.reply.ValueFor(v)
	k.correction, k.isCorrecting = s.correction.ValueFor(v)
	if v.IsHost() {
		_, k.hasAnswered = s.reply.Open()
	}
	if s.step == stepShowing && (k.isCorrecting || v.IsHost() || s.showing.reason != reasonCorrection) {
		k.wanted = s.wantedCards()
	}
}

func (k *knowledge) collectFaceDownCards() {
	for _, here := range k.cardsAt[locBoard+1 : custody.HandBase] {
		k.faceDown |= here
	}
}

func (k *knowledge) knownHand(x engine.Seat) set { return k.cardsAt[custody.HandOf(x)] }

// knownEnvelope returns the cards of the solution.
func (k *knowledge) knownEnvelope() set { return k.cardsAt[locEnvelope] }

func (k *knowledge) knownFaceDown(a area) set { return k.cardsAt[locBoard+loc(a)] }

// unplacedCards returns the mystery cards that are neither in a hand nor on the board.
func (k *knowledge) unplacedCards() set {
	rest := k.book.mysteryCards() &^ k.faceDown
	for x := range engine.Seat(maxSeats + 1) {
		rest &^= k.knownHand(x)
	}
	return rest
}

func (s *answerState) actorKnowledge(by actor) *knowledge { return s.knowledgeFor(by.viewer()) }

func (by actor) viewer() engine.Viewer {
	if by.isHost {
		return engine.Host
	}
	return engine.SeatViewer(by.seat)
}

// recordedKnowledge returns all that is recorded, without claims, for judging.
func (s *recordState) recordedKnowledge() *knowledge {
	k := &knowledge{public: &s.public, cardsAt: s.cards.AllByLocation()}
	k.collectFaceDownCards()
	return k
}

// isHandKnown reports whether every mystery card of x is recorded or claimed (GEN-021).
func (s *recordState) isHandKnown(x engine.Seat) bool {
	return (s.cards.RecordedOrClaimed(x) & s.book.mysteryCards()).Count() == int(s.seats[x].cards)
}

// countUnnamedButlers returns how many Butler cards of x are neither recorded nor claimed.
func (s *recordState) countUnnamedButlers(x engine.Seat) int {
	return int(s.seats[x].butlers) - (s.cards.RecordedOrClaimed(x) & s.book.cardsOfKind(kindEvent)).Count()
}

// deducedSolution returns the three cards of the envelope if they were read, or if all others were and
// these are left over (GEN-021, GEN-023). Claims count for nothing here. Only the judging of an
// accusation and the view of the overseer may use it.
func (s *recordState) deducedSolution() (solution set, ok bool) {
	if s.doubted {
		return 0, false
	}
	k := s.recordedKnowledge()
	if k.knownEnvelope().Count() == 3 {
		return k.knownEnvelope(), true
	}
	rest := k.unplacedCards()
	for kd := kindSuspect; kd <= kindRoom; kd++ {
		if (rest & s.book.cardsOfKind(kd)).Count() != 1 {
			return 0, false
		}
	}
	return rest, true
}

// isMisplacedInHand reports whether a mystery card that is presented as one of the hand of x cannot be
// there: it is recorded in another place and is not face up for all, or the known hand has no such card (GEN-E13).
// It reads records that no player may see, so an alarm is all that may follow from it.
func (s *recordState) isMisplacedInHand(x engine.Seat, c card) bool {
	if s.cards.IsLocationPublic(c) {
		return false
	}
	switch s.cards.LocationOf(c) {
	case custody.HandOf(x):
		return false
	case locUnknown:
		return s.isHandKnown(x) && !s.cards.RecordedOrClaimed(x).Contains(c)
	}
	return true
}

// showableCards returns the named cards that x can show, by what k knows: those of its hand if that
// is known, else those that x cannot exclude.
func (k *knowledge) showableCards(x engine.Seat, named set) set {
	if k.isHandNamed(x) {
		return named & k.knownHand(x)
	}
	return named & k.possibleCards(x)
}

// isHandNamed reports whether every mystery card of x is recorded or claimed, as x itself sees it.
func (k *knowledge) isHandNamed(x engine.Seat) bool {
	return (k.knownHand(x) & k.book.mysteryCards()).Count() == int(k.seats[x].cards)
}

// countUnnamedButlers returns how many Butler cards of x it has not named, as x itself sees it.
func (k *knowledge) countUnnamedButlers(x engine.Seat) int {
	return int(k.seats[x].butlers) - (k.knownHand(x) & k.book.cardsOfKind(kindEvent)).Count()
}

// possibleCards returns the mystery cards that x may have by what k knows: those that k does not
// see elsewhere.
func (k *knowledge) possibleCards(x engine.Seat) set {
	if open := k.openCards & k.knownHand(x) & k.book.mysteryCards(); x != 0 && open.Count() >= int(k.seats[x].cards) {
		return open // all its cards are face up
	}
	return k.book.mysteryCards() &^ (k.openCards &^ k.knownHand(x)) &^ k.faceDown &^ k.cardsElsewhere(x)
}

// cardsElsewhere returns the cards in other hands than that of x, or in the envelope.
func (k *knowledge) cardsElsewhere(x engine.Seat) set {
	all := k.knownEnvelope()
	for y := range engine.Seat(maxSeats + 1) {
		if y != x {
			all |= k.knownHand(y)
		}
	}
	return all
}

// eventCardsOfKind returns the event cards of a kind among x.
func (b *Book) eventCardsOfKind(x set, kind string) (of set) {
	for ; x != 0; x &= x - 1 {
		if b.eventKindOf[x.First()] == kind {
			of = of.WithCard(x.First())
		}
	}
	return of
}

// playableButlers returns the Butler cards of a kind that a seat may play, by what k knows: those
// named in its hand and, while it has an unnamed one, every one that it cannot exclude. The host
// names a card that is on the table.
func (k *knowledge) playableButlers(by actor, kind string) set {
	x := by.seat
	if by.isHost && k.virtual {
		return 0 // there is nothing on the table for a host to see
	}
	mine := k.book.eventCardsOfKind(k.knownHand(x), kind)
	if by.isHost || k.countUnnamedButlers(x) > 0 {
		mine |= k.book.eventCardsOfKind(k.book.cardsOfKind(kindEvent)&^k.openCards&^k.cardsElsewhere(x), kind)
	}
	return mine
}
