package cluedo

import (
	"cmp"

	"majordome/engine"
	"majordome/engine/internal/presentation"
)

// decideDrawCard draws an event card: the program draws for a table without real cards, else the seat
// names what it drew. A Time card is public; a Butler card may stay unnamed.
func (s *answerState) decideDrawCard(by actor, c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	switch {
	case !s.canDrawEventCard() && s.step == stepMove:
		return nil, refuseOpenly(engine.NotNow, s.book.Rules.Drawn, "cl.no.not-now")
	case !s.canDrawEventCard():
		return nil, refuseOpenly(engine.NotNow, cmp.Or(s.book.Rules.Displaced, s.book.Rules.Drawn), "cl.no.not-now")
	case s.book.hasClueCards():
		return s.decideClueDraw(by, c, dice)
	case s.virtual:
		return s.eventsOfDrawnCard(by, c.At, s.cards.CardsAt(locPile).DrawRandom(dice))
	case c.Args["kind"] == EventTime && s.timeCardsInPile() == 0:
		return nil, refuse(engine.Forbidden, s.book.Rules.Draw, "cl.no.draw")
	case c.Args["kind"] == EventTime:
		return s.timeCardEvents(by, c.At, s.firstPileTimeCard(), 1), nil
	}
	x, named, r := s.parseCardArg(c)
	switch {
	case r != nil:
		return nil, r
	case !named && s.countButlersInPile() > 0:
		return []*event{{kind: evDrew, at: c.At, seat: by.seat}}, nil
	case by.isHost || !named || !s.actorKnowledge(by).drawableButlers(by.seat).Contains(x):
		return nil, refuse(engine.Forbidden, s.book.Rules.Draw, "cl.no.draw")
	}
	return []*event{{kind: evDrew, at: c.At, seat: by.seat, n: 1, card: hideCard(x)}}, nil
}

// isPileEmpty reports by public facts whether every card of the pile is in a hand or out of the
// game, so that no card is drawn any more. This happens only where no Time card goes back into the
// pile (C8-142).
func (s *boardState) isPileEmpty() bool {
	return s.book.hasHeldCards() && !s.book.hasMurders() && s.drawPileSize() < 1
}

// countButlersInPile returns how many Butler cards can still be in the pile, by public counts.
func (s *boardState) countButlersInPile() int {
	n := s.butlerCards().Count()
	for x := range s.seats {
		n -= int(s.seats[x].butlers)
	}
	return n - int(s.butlersGone)
}

// drawableButlers returns the Butler cards that x may say it drew: those that it cannot exclude.
func (k *knowledge) drawableButlers(x engine.Seat) set {
	if k.countButlersInPile() < 1 {
		return 0
	}
	return k.butlerCards() &^ k.openCards &^ k.knownHand(x) &^ k.cardsElsewhere(x)
}

// eventsOfDrawnCard returns the events of a card that was read, or drawn by the program.
func (s *recordState) eventsOfDrawnCard(by actor, at engine.Millis, x card) ([]*event, *engine.Reject) {
	if s.book.hasClueCards() {
		return []*event{{kind: evClue, at: at, seat: by.seat, openCard: x}}, nil
	}
	if s.book.eventKindOf[x] == EventTime {
		if s.cards.LocationOf(x) != locPile && !s.standIns.Contains(x) {
			return nil, refuse(engine.Forbidden, s.book.Rules.Draw, "cl.no.draw")
		}
		return s.timeCardEvents(by, at, x, 0), nil
	}
	switch {
	case s.cards.IsLocationPublic(x): // played for all to see
		return nil, refuse(engine.Forbidden, s.book.Rules.Draw, "cl.no.draw")
	case s.cards.LocationOf(x) != locPile,
		s.cards.ClaimsOf(by.seat).Contains(x), // this seat has said on the phone that it drew it
		s.countButlersInPile() < 1:            // even one in this seat's own hand: a bystander may have placed it (GEN-E13)
		return nil, presentation.NewAlarmReject()
	}
	return []*event{{kind: evDrew, at: at, seat: by.seat, card: hideCard(x)}}, nil
}

// timeCardsInPile returns the Time cards of the pile; an edition with Time cards always has one
// there (C8-137).
func (s *recordState) timeCardsInPile() set {
	return s.book.eventCardsOfKind(s.cards.CardsAt(locPile), EventTime)
}

// firstPileTimeCard returns the first Time card of the pile, which represents the drawn one until a
// reader reads that.
func (s *recordState) firstPileTimeCard() card {
	return s.timeCardsInPile().First()
}

// timeCardEvents returns the events of a Time card, which all see; the eighth murders (C8-131,
// C8-133). unreadFlag is 1 when no reader has read which of the eight it is.
func (s *boardState) timeCardEvents(by actor, at engine.Millis, x card, unreadFlag uint16) []*event {
	e := &event{kind: evDrew, at: at, seat: by.seat, openCard: x, n: unreadFlag}
	if s.track < s.book.trackLimit() {
		return []*event{e}
	}
	return []*event{e, {kind: evMurdered, at: at, seat: by.seat}}
}
