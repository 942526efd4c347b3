package cluedo

import (
	"majordome/engine"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/hidden"
)

func (s *recordState) applyClaimed(e *event) {
	p := &s.seats[e.seat]
	if !s.isDealComplete() { // a claim before the deal is void (GEN-021)
		return
	}
	c, _ := e.card.Open()
	s.cards.AddClaim(e.seat, c)
	if s.book.kindOf(c) == kindEvent {
		p.butlersNamed = min(p.butlersNamed+1, p.butlers)
	} else {
		p.cardsClaimed = min(p.cardsClaimed+1, p.cards)
	}
}

func (s *recordState) applyUnclaimed(e *event) {
	p := &s.seats[e.seat]
	c, _ := e.card.Open()
	switch {
	case s.book.kindOf(c) == kindEvent:
		p.butlersNamed = max(p.butlersNamed, 1) - 1
	case p.cardsClaimed > 0:
		p.cardsClaimed--
	default:
		p.cardsPresented = max(p.cardsPresented, 1) - 1
	}
	s.cards.SetClaims(e.seat, s.cards.ClaimsOf(e.seat).WithoutCard(c))
	switch {
	case s.cards.LocationOf(c) != custody.HandOf(e.seat):
	case s.book.kindOf(c) == kindEvent:
		s.cards.RecordCard(c, locPile, hidden.Nobody)
	default:
		s.cards.RecordCard(c, locUnknown, hidden.Nobody)
	}
}

func (s *recordState) applyButlerLost(e *event) {
	p := &s.seats[e.seat]
	p.butlers--
	s.butlersGone++
	if s.countUnnamedButlers(e.seat) < 0 {
		s.forgetButlersOf(e.seat)
	}
	if p.butlersNamed > p.butlers {
		p.butlersNamed = 0
	}
}

// recordInHand records a card in a hand, where a reader has read it and no record has it elsewhere
// (GEN-E13).
func (s *recordState) recordInHand(x engine.Seat, c card) {
	s.cards.RecordCard(c, custody.HandOf(x), hidden.OnlySeats(x))
	if (s.cards.RecordedOrClaimed(x) & s.book.mysteryCards()).Count() > int(s.seats[x].cards) {
		s.cards.SetClaims(x, s.cards.ClaimsOf(x)&s.book.cardsOfKind(kindEvent)) // one of its claims was wrong
	}
}

// applyDrew takes an event card from the pile. A Time card that was only declared may be any of the
// eight (GEN-001), so it may still be read.
func (s *answerState) applyDrew(e *event) {
	p, owed := &s.seats[e.seat], s.canDrawOwedCard()
	c, named := e.card.Open()
	if named {
		s.rememberLastRead(hideCard(c), e.at)
	} else if e.n != 1 {
		s.rememberLastRead(hideCard(e.openCard), e.at)
	}
	switch {
	case e.openCard != 0:
		if s.standIns.Contains(e.openCard) { // first reading of a card that represents a declared one: another takes its place (GEN-001)
			y := s.firstPileTimeCard()
			s.cards.RecordCard(y, locTrack, hidden.Everyone)
			s.standIns = s.standIns.WithoutCard(e.openCard).WithCard(y)
			s.cards.RecordCard(e.openCard, locPile, hidden.Nobody)
		}
		if s.track < s.book.trackLimit() {
			s.track++
			s.cards.RecordCard(e.openCard, locTrack, hidden.Everyone)
			if e.n == 1 {
				s.standIns = s.standIns.WithCard(e.openCard)
			}
		} // the eighth goes back into the pile (C8-137)
	case e.n == 1: // said on the phone
		p.butlers++
		p.butlersNamed++
		s.cards.AddClaim(e.seat, c)
	case named:
		p.butlersNamed++
		p.butlers++
		s.cards.RecordCard(c, custody.HandOf(e.seat), hidden.OnlySeats(e.seat))
	default:
		p.butlers++
	}
	switch {
	case s.step == stepDisplaced:
		s.asked = 0
		s.startStep(stepShowing, e.at)
	case owed:
		p.owedDraws--
	case s.step == stepMove:
		s.countMarkedFaceDraw()
	case s.drawsLeft > 0:
		s.drawsLeft--
		s.resumePhase(e.at) // or to the next draw: one after the other (C8-044)
	}
}

// trackLimit returns how many Time cards the track takes before the next one murders.
func (b *Book) trackLimit() uint8 {
	return uint8(max(b.timeCards().Count(), 1) - 1)
}

func (b *Book) timeCards() set { return b.eventCardsOfKind(b.cardsOfKind(kindEvent), EventTime) }

// murderSeat turns the hand of x face up, and takes its pawn and, unseen, its Butler cards out of
// the game (C8-134, C8-135).
func (s *recordState) murderSeat(x engine.Seat) {
	p := &s.seats[x]
	mine := s.cards.ClaimsOf(x)
	for c := card(1); int(c) < len(s.book.cardID); c++ {
		switch event := s.book.kindOf(c) == kindEvent; {
		case s.cards.LocationOf(c) == custody.HandOf(x) && event:
			s.removeEventCard(c, hidden.Nobody)
			p.butlers--
		case s.cards.LocationOf(c) == custody.HandOf(x), s.cards.LocationOf(c) == locUnknown && mine.Contains(c):
			s.cards.RecordCard(c, custody.HandOf(x), hidden.Everyone)
			s.cards.RemoveClaimsExceptFrom(c, locUnknown)
		}
	}
	s.butlersGone += p.butlers
	s.cards.SetClaims(x, 0)
	s.pawns[p.suspect] = pos{kind: onNothing}
	p.dead, p.butlers, p.displaced, p.owedDraws = true, 0, false, 0
}

// recordHolderSeen lets x know where a card is that it has seen with a holder. If it is recorded
// elsewhere, x must not learn it.
func (s *recordState) recordHolderSeen(c card, holder, x engine.Seat) {
	if s.cards.LocationOf(c) == custody.HandOf(holder) {
		s.cards.AddAudience(custody.NewSet(c), hidden.OnlySeats(x))
	}
}

func (s *recordState) removeEventCard(c card, aud hidden.Audience) {
	if s.cards.LocationOf(c) != locGone && s.book.eventKindOf[c] != EventTime {
		s.butlersGone++
	}
	s.cards.RecordCard(c, locGone, aud)
}

// applyButlerPlayed shows a Butler card and takes it out of the game.
func (s *recordState) applyButlerPlayed(e *event) {
	p := &s.seats[e.seat]
	p.butlers--
	p.butlersNamed = max(p.butlersNamed, 1) - 1
	s.removeEventCard(e.openCard, hidden.Everyone)
	s.cards.RemoveClaimsExceptFrom(e.openCard, locUnknown)
	// A card that the host has played for a seat may be another one than those recorded: no record
	// of them can be trusted (GEN-001). This is done whichever card it was, so that it reveals
	// nothing.
	if e.n == byHost {
		s.forgetButlersOf(e.seat)
		p.butlersNamed = 0
	}
	s.applySpecialChange(butlers.findSpecial(s.book.eventKindOf[e.openCard]))
	if s.step == stepEnd { // C8-175: right after the first one
		s.noSecondHypothesis = true
	}
}

// byHost marks a card that the host has played for a seat.
const byHost = 1

// forgetButlersOf forgets which Butler cards a seat has; their number stays public.
func (s *recordState) forgetButlersOf(x engine.Seat) {
	s.cards.RecordCards(s.cards.CardsAt(custody.HandOf(x))&s.book.cardsOfKind(kindEvent), locPile, hidden.Nobody)
	s.cards.SetClaims(x, s.cards.ClaimsOf(x)&s.book.mysteryCards())
}

// showCardToAll lets all know a card of a murdered hand or, for x zero, of an area. If the area has no
// room for all that is recorded there, no hidden record of it can be trusted: dropping only some
// would let the order of the deck choose.
func (s *recordState) showCardToAll(seen card, x engine.Seat, a area) {
	there := locBoard + loc(a)
	if x != 0 {
		there = custody.HandOf(x)
	}
	s.cards.RecordCard(seen, there, hidden.Everyone)
	s.cards.RemoveClaimsExceptFrom(seen, locUnknown)
	lie := s.recordedFaceDownCards(a)
	if lie.Count() <= int(s.faceDownCount[a]) {
		return
	}
	s.cards.RecordHiddenUnlessOpen(lie, locUnknown)
}
