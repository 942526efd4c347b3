package cluedo

import (
	"slices"

	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/presentation"
	"majordome/engine/internal/rules"
)

// Mystery cards that lie face down on the board: those of the pool (C8-005), of which whoever is
// there may see all in the place of a hypothesis; or one in each of some rooms (CC-130), which
// whoever is there looks at before it (CC-134). Where a card lies is a loc, and how many lie
// somewhere is public (boardState.lying). In area zero are counted those whose room is to be chosen yet.

// hides is how many cards are hidden in rooms, one in each (CC-130, CC-138).
func (s *seatedTurn) hides() uint8 {
	if s.rule(polMode) == "standard" || s.players() > 2 && s.rule(polTeamHidden) == "two-teams-only" {
		return 0
	}
	return uint8(s.book.Sizes.Hidden)
}

// hidesSome reports that the edition has a mode with hidden cards.
func (b *Book) hidesSome() bool { return b.Sizes.Hidden > 0 }

// layHidden counts the cards to be hidden, in the corners where the table plays so.
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

// hide lays a card in a room that was chosen.
func (s *boardState) hide(a area) {
	if s.lying[0] > 0 { // a store that was tampered with may say more
		s.lying[0]--
		s.lying[a]++
	}
}

// hideable are the rooms that may still be chosen.
func (s *boardState) hideable() areas {
	if s.lying[0] == 0 {
		return 0
	}
	return s.those(func(a area) bool { return s.book.isRoom(a) && s.lying[a] == 0 })
}

// doHide says in which room a card is hidden; without one the machine chooses all that are left.
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

// hiddenByChance chooses the rooms that are left to be chosen.
func (s *boardState) hiddenByChance(at engine.Millis, dice engine.Dice) (evs []*event) {
	rooms := slices.Clone(s.book.rooms(s.hideable()))
	for range s.lying[0] {
		i := dice.Intn(len(rooms))
		evs = append(evs, &event{kind: evHidden, at: at, pos: pos{area: s.book.areas[rooms[i]]}})
		rooms = slices.Delete(rooms, i, i+1)
	}
	return evs
}

// laying is the room whose hidden card is to be read next, once the cards of the envelope were;
// zero: none. A pool needs no reading: its cards are left over.
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

// doLaid says that the hidden cards lie in their rooms, unread.
func (s *public) doLaid(c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	if s.laying() == 0 {
		return nil, refuse(engine.NotNow, s.book.Rules.Hidden, "cl.no.not-now")
	}
	return []*event{{kind: evLaid, at: c.At}}, nil
}

// lay records a hidden card that was read; without one none of them is.
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

// lyingHere reports that mystery cards lie where the active pawn stands.
func (s *boardState) lyingHere() bool { return s.lying[s.here()] > 0 }

// looksFirst reports that a look comes before a hypothesis, and not in its place.
func (e *edition) looksFirst() bool {
	return slices.Contains(e.turn, stepLook)
}

// due reports that a look comes before the hypothesis of the active seat where it stands (CC-134).
func (s *boardState) due() bool {
	return s.lyingHere() && !s.looked.has(s.here()) && s.book.looksFirst()
}

// looking reports that the active seat may look now: before its hypothesis, or before it sets out.
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

// doLook looks at the card that is hidden where the active pawn stands, by hand: the seat may name
// it, which is its own word and judges nobody.
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

// nameable are the cards that a seat may say it has seen where it looks: all that it cannot exclude.
func (k *knowledge) nameable(by actor) set {
	if by.host || k.virtual || k.there(k.here()) != 0 {
		return 0
	}
	return k.possible(0)
}

// readThere judges a card that the active seat lays on the reader to look at it.
func (s *recordState) readThere(by actor, at engine.Millis, x card) ([]*event, *engine.Reject) {
	switch there := s.liesIn(s.here()); {
	case there.Has(x):
	case s.cards.IsOpen(x):
		return nil, refuse(engine.Forbidden, "GEN-E03", "cl.no.not-there")
	case s.cards.At(x) != locUnknown, there.Count() == int(s.lying[s.here()]): // also in this seat's own hand: a bystander may have laid it (GEN-E13)
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
	l.add(offer("look", l.book.Rules.Peek, rules.CardParam(l.book.list, may, 0)), cardUnnamed.offer("look", l.book.Rules.Peek))
}

// byWord marks a card that nobody has read, but somebody has named.
const byWord = 1

// peek lets a seat know what lies in an area. A card that was read there is recorded; one that was
// said is in its sightings alone.
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

// liesIn are the cards that are recorded somewhere on the board.
func (s *recordState) liesIn(a area) set { return s.cards.In(locLies + loc(a)) }

// restLies records what is left when all other cards are recorded and it all lies in one place, so
// that the phone of whoever looks at it can keep it.
func (s *recordState) restLies() {
	k := s.truth()
	rest := k.rest() &^ k.envelope()
	for a := range s.lying {
		if int(s.lying[a]) == rest.Count() {
			s.cards.PutAll(rest, locLies+loc(a), box.Nobody)
		}
	}
}
