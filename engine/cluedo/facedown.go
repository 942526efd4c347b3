package cluedo

import (
	"slices"

	"majordome/engine"
	"majordome/engine/internal/hidden"
	"majordome/engine/internal/presentation"
	"majordome/engine/internal/rules"
)

// Mystery cards that are face down on the board: those of the pool (C8-005), all of which a seat in
// the pool may see instead of making a hypothesis; or one in each of some rooms (CC-130), at which
// a seat in the room looks before it (CC-134). The place of a card is a loc, and the number of
// cards in each area is public (boardState.faceDownCount). Area zero counts those whose room is not
// chosen yet.

// countCardsToHide returns how many cards are hidden in rooms, one in each (CC-130, CC-138).
func (s *seatedTurn) countCardsToHide() uint8 {
	if s.policyValue(polMode) == "standard" || s.playerCount() > 2 && s.policyValue(polTeamHidden) == "two-teams-only" {
		return 0
	}
	return uint8(s.book.Sizes.Hidden)
}

// hasHiddenCards reports whether the edition has a mode with hidden cards.
func (b *Book) hasHiddenCards() bool { return b.Sizes.Hidden > 0 }

// prepareHiddenCards counts the cards to hide, and puts them into the corner rooms where the table
// plays so.
func (s *boardState) prepareHiddenCards() {
	s.faceDownCount[0] = s.countCardsToHide()
	corners := s.areasWhere(func(a area) bool { return s.book.isRoom(a) && s.book.passageTo[a] != 0 })
	if s.policyValue(polHiddenRooms) == "chosen" || len(s.book.areaIDs(corners)) != int(s.faceDownCount[0]) {
		return
	}
	for a := area(1); int(a) < len(s.book.areaID); a++ {
		if corners.hasArea(a) {
			s.recordHiddenCardIn(a)
		}
	}
}

func (s *boardState) recordHiddenCardIn(a area) {
	if s.faceDownCount[0] > 0 { // fewer only in a store that was tampered with
		s.faceDownCount[0]--
		s.faceDownCount[a]++
	}
}

// roomsToHideCardIn returns the rooms that may still be chosen.
func (s *boardState) roomsToHideCardIn() areas {
	if s.faceDownCount[0] == 0 {
		return 0
	}
	return s.areasWhere(func(a area) bool { return s.book.isRoom(a) && s.faceDownCount[a] == 0 })
}

// decideHideCard decides the room in which a card is hidden; without one the program chooses all
// remaining rooms.
func (s *boardState) decideHideCard(c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	place, named := c.Args["place"]
	a, may := s.book.areaByID[place], s.roomsToHideCardIn()
	switch {
	case named && a == 0:
		return nil, refuse(engine.Unknown, s.book.Rules.Hidden, "cl.no.no-place")
	case named && !may.hasArea(a), may == 0:
		return nil, refuse(engine.Forbidden, s.book.Rules.Hidden, "cl.no.hide")
	case !named:
		return s.randomHideEvents(c.At, dice), nil
	}
	return []*event{{kind: evHidden, at: c.At, pos: pos{area: a}}}, nil
}

func (s *boardState) randomHideEvents(at engine.Millis, dice engine.Dice) (evs []*event) {
	rooms := slices.Clone(s.book.areaIDs(s.roomsToHideCardIn()))
	for range s.faceDownCount[0] {
		i := dice.Intn(len(rooms))
		evs = append(evs, &event{kind: evHidden, at: at, pos: pos{area: s.book.areaByID[rooms[i]]}})
		rooms = slices.Delete(rooms, i, i+1)
	}
	return evs
}

// hiddenRoomToRead returns the room whose hidden card is read next, once the cards of the envelope
// were; zero: none. A pool needs no reading: its cards are left over.
func (s *public) hiddenRoomToRead() area {
	if s.phase != dealing || s.asked != 0 || s.envelopeCards != 3 {
		return 0
	}
	for a := area(1); int(a) < len(s.book.areaID); a++ {
		if a != s.book.pool && s.faceDownCount[a] > 0 && !s.hiddenRead.hasArea(a) {
			return a
		}
	}
	return 0
}

// decideHiddenPlaced accepts that the hidden cards are in their rooms, unread.
func (s *public) decideHiddenPlaced(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	if s.hiddenRoomToRead() == 0 {
		return nil, refuse(engine.NotNow, s.book.Rules.Hidden, "cl.no.not-now")
	}
	return []*event{{kind: evHiddenPlaced, at: c.At}}, nil
}

// applyHiddenPlaced records a hidden card that was read; without one, none of them is.
func (s *answerState) applyHiddenPlaced(e *event) {
	c, read := e.card.Open()
	if read {
		s.cards.RecordCard(c, locBoard+loc(e.pos.area), hidden.Nobody)
		s.hiddenRead = s.hiddenRead.withArea(e.pos.area)
		s.rememberLastRead(hideCard(c), e.at)
	}
	if !read || s.hiddenRoomToRead() == 0 {
		s.forgetLastRead()
		s.callNextHand()
	}
}

func (s *boardState) hasFaceDownCardHere() bool { return s.faceDownCount[s.activeArea()] > 0 }

// hasLookPhase reports whether a look comes before a hypothesis, instead of replacing it.
func (e *edition) hasLookPhase() bool {
	return slices.Contains(e.turnSteps, stepLook)
}

// mustLookBeforeHypothesis reports whether a look comes before the hypothesis of the active seat at its present
// place (CC-134).
func (s *boardState) mustLookBeforeHypothesis() bool {
	return s.hasFaceDownCardHere() && !s.lookedAreas.hasArea(s.activeArea()) && s.book.hasLookPhase()
}

// canLookNow reports whether the active seat may look now: before its hypothesis, or before it moves.
func (s *boardState) canLookNow() bool {
	return (s.step == stepLook || s.step == stepStart || s.step == stepMove) && s.mustLookBeforeHypothesis()
}

func (s *boardState) decidePeekAtPool(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	switch {
	case s.seats[by.seat].accusedWrongly:
		return nil, refuseOpenly(engine.Forbidden, s.book.Rules.Wrong, "cl.no.accused")
	case !s.isInPool() || !s.moved || s.hasActed():
		return nil, refuseOpenly(engine.Forbidden, s.book.Rules.Pool, "cl.no.pool")
	case !s.hasFaceDownCardHere():
		return nil, refuseOpenly(engine.Forbidden, s.book.Rules.Nothing, "cl.no.pool-empty")
	}
	return []*event{s.peekEvent(c.At, by.seat)}, nil
}

func (s *boardState) peekEvent(at engine.Millis, x engine.Seat) *event {
	return &event{kind: evPeeked, at: at, seat: x, pos: pos{area: s.activeArea()}}
}

// decideLookAtHiddenCard looks by hand at the card that is hidden where the active pawn is. The seat may name
// it, which is only a claim.
func (s *answerState) decideLookAtHiddenCard(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	if !s.canLookNow() {
		return nil, refuseOpenly(engine.Forbidden, s.book.Rules.Peek, "cl.no.nothing-lies")
	}
	e, may := s.peekEvent(c.At, by.seat), s.actorKnowledge(by).nameableCards(by)
	if _, says := c.Args["card"]; !says && may == 0 {
		return []*event{e}, nil
	}
	x, named, r := s.parseCardArg(c)
	switch {
	case r != nil:
		return nil, r
	case named && !may.Contains(x):
		return nil, refuse(engine.Forbidden, s.book.Rules.Peek, "cl.no.not-there")
	case named:
		e.card, e.n = hideCard(x), byWord
	}
	return []*event{e}, nil
}

// nameableCards returns the cards that a seat may say it has seen where it looks: all that it
// cannot exclude.
func (k *knowledge) nameableCards(by actor) set {
	if by.isHost || k.virtual || k.knownFaceDown(k.activeArea()) != 0 {
		return 0
	}
	return k.possibleCards(0)
}

// decideLookScan decides a card that the active seat places on the reader to look at it.
func (s *recordState) decideLookScan(by actor, at engine.Millis, x card) ([]*event, *engine.Reject) {
	switch there := s.recordedFaceDownCards(s.activeArea()); {
	case there.Contains(x):
	case s.cards.IsLocationPublic(x):
		return nil, refuse(engine.Forbidden, "GEN-E03", "cl.no.not-there")
	// Also a card of this seat's own hand raises the alarm: a bystander may have placed it (GEN-E13).
	case s.cards.LocationOf(x) != locUnknown, there.Count() == int(s.faceDownCount[s.activeArea()]):
		return nil, presentation.NewAlarmReject()
	}
	e := s.peekEvent(at, by.seat)
	e.card = hideCard(x)
	return []*event{e}, nil
}

func (l *offerList) offerLook() {
	if !l.canLookNow() {
		return
	}
	may := l.nameableCards(l.by)
	if may == 0 {
		l.addOffers(newOffer("look", l.book.Rules.Peek))
		return
	}
	l.addOffers(newOffer("look", l.book.Rules.Peek, rules.CardParam(l.book.cardIDs, may, 0)),
		unnamedCardArgs.newOffer("look", l.book.Rules.Peek))
}

// byWord marks a card that no reader has read, but a seat has named.
const byWord = 1

// applyPeeked lets a seat know the cards of an area. A card that was read there is recorded; one
// that was only named is kept in the seat's sightings.
func (s *state) applyPeeked(e *event) {
	a := e.pos.area
	s.lookedAreas = s.lookedAreas.withArea(a)
	c, named := e.card.Open()
	if named && e.n != byWord {
		s.cards.RecordCard(c, locBoard+loc(a), s.cards.AudienceOf(c))
	}
	seen := s.recordedFaceDownCards(a)
	s.cards.AddAudience(seen, hidden.OnlySeats(e.seat))
	if named && seen == 0 {
		seen = seen.WithCard(c)
	}
	s.addSighting(e.seat, seen, engine.Sighting{How: engine.SawThere, Place: engine.ID(s.book.areaID[a])})
	if s.step != stepStart && s.step != stepMove {
		s.startPhase(s.stepAfterPhase(s.step), e.at)
	}
}

// recordedFaceDownCards returns the cards that are recorded in an area of the board.
func (s *recordState) recordedFaceDownCards(a area) set { return s.cards.CardsAt(locBoard + loc(a)) }

// recordLeftOverCards records the remaining cards when all others are recorded and all of the rest is in
// one area, so that the phone of a seat that looks at them can keep them.
func (s *recordState) recordLeftOverCards() {
	k := s.recordedKnowledge()
	rest := k.unplacedCards() &^ k.knownEnvelope()
	for a := range s.faceDownCount {
		if int(s.faceDownCount[a]) == rest.Count() {
			s.cards.RecordCards(rest, locBoard+loc(a), hidden.Nobody)
		}
	}
}
