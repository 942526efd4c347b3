package cluedo

import (
	"slices"

	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/presentation"
	"majordome/engine/internal/rules"
)

// Mystery cards that are face down on the board: those of the pool (C8-005), all of which a seat in
// the pool may see instead of making a hypothesis; or one in each of some rooms (CC-130), at which
// a seat in the room looks before it (CC-134). The place of a card is a loc, and the number of
// cards in each area is public (boardState.faceDownCount). Area zero counts those whose room is not
// chosen yet.

// hiddenCardCount returns how many cards are hidden in rooms, one in each (CC-130, CC-138).
func (s *seatedTurn) hides() uint8 {
	if s.rule(polMode) == "standard" || s.players() > 2 && s.rule(polTeamHidden) == "two-teams-only" {
		return 0
	}
	return uint8(s.book.Sizes.Hidden)
}

// hasHiddenCards reports whether the edition has a mode with hidden cards.
func (b *Book) hidesSome() bool { return b.Sizes.Hidden > 0 }

// chooseHiddenRooms counts the cards to hide, and puts them into the corner rooms where the table
// plays so.
func (s *boardState) layHidden() {
	s.lying[0] = s.hides()
	corners := s.those(func(a area) bool { return s.book.isRoom(a) && s.book.passage[a] != 0 })
	if s.rule(polHiddenRooms) == "chosen" || len(s.book.rooms(corners)) != int(s.lying[0]) {
		return
	}
	for a := area(1); int(a) < len(s.book.areaID); a++ {
		if corners.has(a) {
			s.hide(a)
		}
	}
}

func (s *boardState) hide(a area) {
	if s.lying[0] > 0 { // fewer only in a store that was tampered with
		s.lying[0]--
		s.lying[a]++
	}
}

// hideableRooms returns the rooms that may still be chosen.
func (s *boardState) hideable() areas {
	if s.lying[0] == 0 {
		return 0
	}
	return s.those(func(a area) bool { return s.book.isRoom(a) && s.lying[a] == 0 })
}

// decideHide decides the room in which a card is hidden; without one the program chooses all
// remaining rooms.
func (s *boardState) doHide(c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	place, named := c.Args["place"]
	a, may := s.book.areas[place], s.hideable()
	switch {
	case named && a == 0:
		return nil, refuse(engine.Unknown, s.book.Rules.Hidden, "cl.no.no-place")
	case named && !may.has(a), may == 0:
		return nil, refuse(engine.Forbidden, s.book.Rules.Hidden, "cl.no.hide")
	case !named:
		return s.hiddenByChance(c.At, dice), nil
	}
	return []*event{{kind: evHidden, at: c.At, pos: pos{area: a}}}, nil
}

func (s *boardState) hiddenByChance(at engine.Millis, dice engine.Dice) (evs []*event) {
	rooms := slices.Clone(s.book.rooms(s.hideable()))
	for range s.lying[0] {
		i := dice.Intn(len(rooms))
		evs = append(evs, &event{kind: evHidden, at: at, pos: pos{area: s.book.areas[rooms[i]]}})
		rooms = slices.Delete(rooms, i, i+1)
	}
	return evs
}

// nextHiddenRoom returns the room whose hidden card is read next, once the cards of the envelope
// were; zero: none. A pool needs no reading: its cards are left over.
func (s *public) laying() area {
	if s.phase != dealing || s.asked != 0 || s.sealed != 3 {
		return 0
	}
	for a := area(1); int(a) < len(s.book.areaID); a++ {
		if a != s.book.pool && s.lying[a] > 0 && !s.laid.has(a) {
			return a
		}
	}
	return 0
}

// decideHiddenPlaced accepts that the hidden cards are in their rooms, unread.
func (s *public) doLaid(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	if s.laying() == 0 {
		return nil, refuse(engine.NotNow, s.book.Rules.Hidden, "cl.no.not-now")
	}
	return []*event{{kind: evLaid, at: c.At}}, nil
}

// applyHiddenPlaced records a hidden card that was read; without one, none of them is.
func (s *answerState) lay(e *event) {
	c, read := e.card.Open()
	if read {
		s.cards.Put(c, locLies+loc(e.pos.area), box.Nobody)
		s.laid = s.laid.with(e.pos.area)
		s.keepRead(hide(c), e.at)
	}
	if !read || s.laying() == 0 {
		s.nothingRead()
		s.nextHand()
	}
}

func (s *boardState) lyingHere() bool { return s.lying[s.here()] > 0 }

// hasLookPhase reports whether a look comes before a hypothesis, instead of replacing it.
func (e *edition) looksFirst() bool {
	return slices.Contains(e.turn, stepLook)
}

// needsLook reports whether a look comes before the hypothesis of the active seat at its present
// place (CC-134).
func (s *boardState) due() bool {
	return s.lyingHere() && !s.looked.has(s.here()) && s.book.looksFirst()
}

// canLook reports whether the active seat may look now: before its hypothesis, or before it moves.
func (s *boardState) looking() bool {
	return (s.step == stepLook || s.step == stepStart || s.step == stepMove) && s.due()
}

func (s *boardState) doPeek(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	switch {
	case s.seats[by.seat].wrong:
		return nil, openly(engine.Forbidden, s.book.Rules.Wrong, engine.Say("cl.no.accused"))
	case !s.inPool() || !s.moved || s.acted():
		return nil, openly(engine.Forbidden, s.book.Rules.Pool, engine.Say("cl.no.pool"))
	case !s.lyingHere():
		return nil, openly(engine.Forbidden, s.book.Rules.Nothing, engine.Say("cl.no.pool-empty"))
	}
	return []*event{s.peeks(c.At, by.seat)}, nil
}

func (s *boardState) peeks(at engine.Millis, x engine.Seat) *event {
	return &event{kind: evPeeked, at: at, seat: x, pos: pos{area: s.here()}}
}

// decideLook looks by hand at the card that is hidden where the active pawn is. The seat may name
// it, which is only a claim.
func (s *answerState) doLook(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	if !s.looking() {
		return nil, openly(engine.Forbidden, s.book.Rules.Peek, engine.Say("cl.no.nothing-lies"))
	}
	e, may := s.peeks(c.At, by.seat), s.knows(by).nameable(by)
	if _, says := c.Args["card"]; !says && may == 0 {
		return []*event{e}, nil
	}
	x, named, r := s.cardArg(c)
	switch {
	case r != nil:
		return nil, r
	case named && !may.Has(x):
		return nil, refuse(engine.Forbidden, s.book.Rules.Peek, "cl.no.not-there")
	case named:
		e.card, e.n = hide(x), byWord
	}
	return []*event{e}, nil
}

// nameableCards returns the cards that a seat may say it has seen where it looks: all that it
// cannot exclude.
func (k *knowledge) nameable(by actor) set {
	if by.host || k.virtual || k.there(k.here()) != 0 {
		return 0
	}
	return k.possible(0)
}

// decideLookScan decides a card that the active seat places on the reader to look at it.
func (s *recordState) readThere(by actor, at engine.Millis, x card) ([]*event, *engine.Reject) {
	switch there := s.liesIn(s.here()); {
	case there.Has(x):
	case s.cards.IsOpen(x):
		return nil, refuse(engine.Forbidden, "GEN-E03", "cl.no.not-there")
	// Also a card of this seat's own hand raises the alarm: a bystander may have placed it (GEN-E13).
	case s.cards.At(x) != locUnknown, there.Count() == int(s.lying[s.here()]):
		return nil, presentation.Alarm()
	}
	e := s.peeks(at, by.seat)
	e.card = hide(x)
	return []*event{e}, nil
}

func (l *offerList) offerLook() {
	if !l.looking() {
		return
	}
	may := l.nameable(l.by)
	if may == 0 {
		l.add(offer("look", l.book.Rules.Peek))
		return
	}
	l.add(offer("look", l.book.Rules.Peek, rules.CardParam(l.book.list, may, 0)),
		cardUnnamed.offer("look", l.book.Rules.Peek))
}

// byWord marks a card that no reader has read, but a seat has named.
const byWord = 1

// applyPeeked lets a seat know the cards of an area. A card that was read there is recorded; one
// that was only named is kept in the seat's sightings.
func (s *state) peek(e *event) {
	a := e.pos.area
	s.looked = s.looked.with(a)
	c, named := e.card.Open()
	if named && e.n != byWord {
		s.cards.Put(c, locLies+loc(a), s.cards.Known(c))
	}
	seen := s.liesIn(a)
	s.cards.Show(seen, box.Only(e.seat))
	if named && seen == 0 {
		seen = seen.With(c)
	}
	s.saw(e.seat, seen, engine.Sighting{How: engine.SawThere, Place: engine.ID(s.book.areaID[a])})
	if s.step != stepStart && s.step != stepMove {
		s.enter(s.onward(s.step), e.at)
	}
}

// faceDownAt returns the cards that are recorded in an area of the board.
func (s *recordState) liesIn(a area) set { return s.cards.In(locLies + loc(a)) }

// placeLeftOver records the remaining cards when all others are recorded and all of the rest is in
// one area, so that the phone of a seat that looks at them can keep them.
func (s *recordState) restLies() {
	k := s.truth()
	rest := k.rest() &^ k.envelope()
	for a := range s.lying {
		if int(s.lying[a]) == rest.Count() {
			s.cards.PutAll(rest, locLies+loc(a), box.Nobody)
		}
	}
}
