package cluedo

import (
	"majordome/engine"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/hidden"
	"majordome/engine/internal/presentation"
)

// showReason is the reason for which a seat shows a card of its choice; its row is in showingRows.
type showReason uint8

const (
	reasonAnswer showReason = iota
	reasonNeighbour
	reasonSpied
	reasonCorrection
	reasonHolder // the holder of a card shows it: these three by a clue card
	reasonReveal // a card to all
	reasonPass   // a card to one
	numReasons
)

// showing describes the card that a seat must show, of its choice; in the window after it, the card
// that it has shown.
type showing struct {
	reason    showReason
	from      engine.Seat
	to        engine.Seat // the seat that sees it,
	openToAll bool        // or all see it: it stays in its hand, known to all
	card      card        // the card that is looked for; zero: any card, or those that the question names
	// hasShown is true once the seat has shown one.
	hasShown bool
	// contested is true once the active seat has said that no seat has the card, and that did not
	// count.
	contested   bool
	passedSeats uint16 // set of the seats that have passed in the window after it
}

// showingRows has a row for each reason. The first seat and the viewer of its card are in the event
// that begins the showing.
var showingRows = [numReasons]struct {
	code   string              // in engine.Case, while a card is awaited
	prompt string              // key of the prompt,
	rule   func(*Book) string  // and the rule that it cites
	wanted func(*public) set   // the cards of which one must be shown; nil: those named in the answer that is corrected,
	must   func(*Book) string  // and the rule that demands one of them
	none   bool                // a seat without one says so; every answer takes effect after a delay (C8-158)
	heard  bool                // the shown card is an answer to the last question of Case.Past
	log    string              // the line that a card was shown to a seat
	moot   func(*state) *event // the event that follows when there is no card to show any more; nil: none
	next   func(*state) *event // the event that follows the showing: another seat shows one, or the end; nil: the turn goes on
}{
	reasonAnswer: {engine.StepAnswer, "cl.prompt.answer", (*Book).showRule, func(s *public) set { return s.hyp.cardSet() },
		(*Book).showRule,
		true, true, "cl.log.shown", nil, (*state).askNextSeatEvent},
	reasonNeighbour: {engine.StepNeighbour, "cl.prompt.neighbour", func(b *Book) string { return b.Events["right-neighbour"] },
		anyMysteryCard, (*Book).showRule,
		false, false, "cl.log.shown-to", (*state).callOtherNeighbourEvent, nil},
	reasonSpied: {engine.StepNeighbour, "cl.prompt.neighbour", (*Book).spyRule, anyMysteryCard, (*Book).spyRule,
		false, false, "cl.log.shown-to", (*state).endEmptyHandShowingEvent, nil},
	reasonCorrection: {engine.StepAmend, "cl.prompt.amend", func(*Book) string { return "GEN-E10" }, nil, (*Book).showRule,
		false, true, "cl.log.shown-to", (*state).confirmAnswerEvent, nil},
	reasonHolder: {engine.StepReveal, "cl.prompt.holder", (*Book).drawRule,
		func(s *public) set { return set(0).WithCard(s.showing.card) }, (*Book).drawRule,
		true, false, "cl.log.shown-to", (*state).skipEmptyHandEvent, (*state).callNextClueShowerEvent},
	reasonReveal: {engine.StepReveal, "cl.prompt.reveal", (*Book).drawRule, anyMysteryCard, (*Book).drawRule,
		false, false, "cl.log.shown-to", (*state).skipEmptyHandEvent, (*state).callNextClueShowerEvent},
	reasonPass: {engine.StepNeighbour, "cl.prompt.neighbour", (*Book).drawRule, anyMysteryCard, (*Book).drawRule,
		false, false, "cl.log.shown-to", (*state).skipEmptyHandEvent, (*state).callNextClueShowerEvent},
}

func anyMysteryCard(s *public) set { return s.book.mysteryCards() }

func (b *Book) showRule() string { return b.Rules.Show }
func (b *Book) spyRule() string  { return b.Rules.Spy }
func (b *Book) drawRule() string { return b.Rules.Draw }

// isAnswering reports whether answers to a hypothesis are awaited.
func (t *turnState) isAnswering() bool {
	return t.step == stepShowing && t.showing.reason == reasonAnswer
}

func (s *answerState) startShowing(sh showing, at engine.Millis) {
	s.forgetLastRead()
	s.showing, s.asked = sh, sh.from
	s.startStep(stepShowing, at)
}

// wantedCards returns the cards of which one must be shown now.
func (s *answerState) wantedCards() set {
	if of := showingRows[s.showing.reason].wanted; of != nil {
		return of(&s.public)
	}
	a, _ := s.correction.Open()
	return a.named
}

// unwantedCardKey returns the refusal of another card: none of those named, or not the only one that is
// looked for.
func (s *answerState) unwantedCardKey() string {
	if s.wantedCards().Count() == 1 {
		return "cl.no.not-sought"
	}
	return "cl.no.not-named"
}

// ruleToShowWanted returns the rule that demands one of the wanted cards.
func (s *seatedTurn) ruleToShowWanted() string { return showingRows[s.showing.reason].must(s.book) }

// decideShowCard decides the act of showing a card.
func (s *answerState) decideShowCard(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, named, r := s.parseCardArg(c)
	if r != nil {
		return nil, r
	}
	if !named {
		switch {
		case by.isHost && s.virtual: // the host can see no real card being shown
			return nil, refuse(engine.NotYou, "GEN-002", "cl.no.seat-only")
		case by.seat != s.asked: // before it is asked a seat shows the one card that is looked for
			return nil, refuse(engine.Forbidden, s.ruleToShowWanted(), s.unwantedCardKey())
		case !by.isHost && s.isHandKnown(by.seat):
			return nil, refuse(engine.Forbidden, s.ruleToShowWanted(), "cl.no.name-it")
		}
		return s.replyEvents(c.At, by.seat, reply{})
	}
	if by.isHost && (!s.showing.openToAll || s.virtual) {
		return nil, refuse(engine.Forbidden, "GEN-002", "cl.no.seat-only")
	}
	return s.decideShownCard(by, c.At, x, false)
}

// decideShownCard decides a card that is shown; fromReader is true if a reader has read it.
func (s *answerState) decideShownCard(by actor, at engine.Millis, x card, fromReader bool) ([]*event, *engine.Reject) {
	y := by.seat
	switch {
	case !s.wantedCards().Contains(x): // wherever it is recorded: a bystander may have placed it (GEN-E13)
		return nil, refuse(engine.Forbidden, s.ruleToShowWanted(), s.unwantedCardKey())
	case fromReader && s.isMisplacedInHand(y, x):
		return nil, presentation.NewAlarmReject()
	case by.isHost && !s.actorKnowledge(by).possibleCards(y).Contains(x), // a card that all see needs no record
		!by.isHost && !s.actorKnowledge(by).showableCards(y, s.book.mysteryCards()).Contains(x):
		return nil, refuse(engine.Forbidden, "GEN-E03", "cl.no.not-held")
	}
	return s.replyEvents(at, y, reply{card: x, named: true, fromReader: fromReader})
}

// replyEvents shows a card: after the delay of an answer where a seat without one says so, else at
// once. A seat that answers before it is asked is called first.
func (s *answerState) replyEvents(at engine.Millis, y engine.Seat, a reply) ([]*event, *engine.Reject) {
	if y != s.asked {
		called := &event{kind: evCalled, at: at, seat: y, other: s.seatShownCardBy(s.currentClue(), y), subject: uint8(s.showing.card)}
		return []*event{called, {kind: evReplied, at: at, seat: y, reply: hidden.New(a, hidden.Nobody)}}, nil
	}
	if showingRows[s.showing.reason].none {
		return s.delayedReplyEvents(at, y, a)
	}
	return s.shownEvents(at, a), nil
}

// decideNothingToShow decides the answer that a seat can show nothing. If the record of its hand contradicts
// that, it is refused before harm is done, and only that seat learns it (C8-082, C8-087). The host
// learns nothing; its answer is corrected later (GEN-E10).
func (s *answerState) decideNothingToShow(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	switch {
	case !showingRows[s.showing.reason].none:
		return nil, refuseOpenly(engine.NotNow, s.book.Rules.Ask, "cl.no.not-now")
	case by.isHost && s.virtual:
		return nil, refuse(engine.NotYou, "GEN-002", "cl.no.seat-only")
	case s.actorKnowledge(by).knownHand(by.seat)&s.wantedCards() != 0: // the host knows only the face-up cards in it
		return nil, refuse(engine.Forbidden, s.ruleToShowWanted(), "cl.no.look-again")
	}
	return s.delayedReplyEvents(c.At, by.seat, reply{showsNothing: true})
}

// delayedReplyEvents stores an answer until it takes effect: after the same delay, whatever it is (C8-158,
// GEN-003).
func (s *answerState) delayedReplyEvents(at engine.Millis, y engine.Seat, a reply) ([]*event, *engine.Reject) {
	if _, given := s.reply.Open(); given {
		return nil, refuse(engine.NotNow, s.book.Rules.Ask, "cl.no.answered")
	}
	return []*event{{kind: evReplied, at: at, seat: y, reply: hidden.New(a, hidden.Nobody)}}, nil
}

// replyDueEvents returns the effect of the stored answer.
func (s *answerState) replyDueEvents(at engine.Millis) []*event {
	a, _ := s.reply.Open()
	if !a.showsNothing {
		return s.shownEvents(at, a)
	}
	e := &event{kind: evNone, at: at, seat: s.asked}
	if !s.virtual {
		e.n = 1 // remembered: what is recorded of a real hand may be wrong (GEN-022)
	}
	return []*event{e}
}

// shownEvents returns the events of a card that is shown: one that a reader has read is recorded
// too (GEN-021).
func (s *recordState) shownEvents(at engine.Millis, a reply) (evs []*event) {
	y := s.asked
	if a.fromReader && s.cards.LocationOf(a.card) != custody.HandOf(y) {
		evs = append(evs, &event{kind: evPresented, at: at, seat: y, card: hideCard(a.card)})
	}
	switch {
	case s.showing.openToAll:
		return append(evs, &event{kind: evRevealed, at: at, seat: y, openCard: a.card})
	case a.named:
		return append(evs, &event{kind: evShown, at: at, seat: y, other: s.showing.to, card: hideCard(a.card)})
	}
	return append(evs, &event{kind: evShown, at: at, seat: y, other: s.showing.to})
}

// applyShown ends the question with a card (C8-083).
func (s *state) applyShown(e *event) {
	x := e.seat
	if s.isAnswering() {
		s.hyp.answerOf[x] = saidShown
	}
	if s.showing.reason == reasonSpied {
		s.recordMarkedSquareUsed()
	}
	s.endQuestioning()
	s.showing.from, s.showing.to, s.showing.hasShown, s.showing.passedSeats, s.shownCard = x, e.other, true, 0,
		hidden.SmallValue[card]{}
	if c, ok := e.card.Open(); ok {
		s.shownCard = hidden.NewSmall(c, hidden.OnlySeats(x, e.other))
		if !s.isHandKnown(x) { // named on the phone: a claim only
			s.cards.AddClaim(x, c)
		}
		s.recordHolderSeen(c, x, e.other)
		s.addSighting(e.other, set(0).WithCard(c), engine.Sighting{How: engine.SawShown, Other: x})
	}
	s.startStep(stepShown, e.at)
}

// applyRevealed shows a card to all. The real card prevails over its records elsewhere (GEN-001).
// As all have seen it, there is no window.
func (s *answerState) applyRevealed(e *event) {
	s.endQuestioning()
	s.showing.hasShown = true
	if e.openCard != 0 {
		s.recordInHand(e.seat, e.openCard)
		s.cards.RecordCard(e.openCard, custody.HandOf(e.seat), hidden.Everyone)
		s.forgetExcessRecords(e.seat)
		s.cards.RemoveClaimsExceptFrom(e.openCard, locUnknown)
	}
	s.closeShowingWindow(e)
}

// forgetExcessRecords forgets the recorded cards of a hand that has more of them than it can have,
// except the face-up ones.
func (s *recordState) forgetExcessRecords(x engine.Seat) {
	if (s.cards.RecordedOrClaimed(x) & s.book.mysteryCards()).Count() <= int(s.seats[x].cards) {
		return
	}
	s.cards.RecordHiddenUnlessOpen(s.cards.CardsAt(custody.HandOf(x))&s.book.mysteryCards(), locUnknown)
}

func (s *answerState) endQuestioning() {
	s.asked, s.reply, s.correction = 0, hidden.Value[reply]{}, hidden.Value[deniedAnswer]{}
}

// closeShowingWindow ends the window after a card was shown: another seat shows one, or the turn goes on.
func (s *public) closeShowingWindow(e *event) {
	if showingRows[s.showing.reason].next != nil {
		s.startStep(stepShowing, e.at)
		return
	}
	s.resumePhase(e.at)
}

// applyNone notes that a seat can show nothing, and remembers the answer if it could not be
// verified.
func (s *answerState) applyNone(e *event) {
	if s.isAnswering() {
		s.hyp.answerOf[e.seat] = saidNone
	}
	if e.n != 0 {
		s.rememberDenial(deniedAnswer{seat: e.seat, to: s.showing.to, named: s.wantedCards()})
	}
	s.asked, s.reply, s.closes = 0, hidden.Value[reply]{}, 0
}

// rememberDenial stores an answer "none" that could not be verified.
func (s *answerState) rememberDenial(a deniedAnswer) {
	last, _ := s.denials.Open()
	s.denials = hidden.New(&denialChain{last, a}, hidden.Nobody)
}

// findFalseDenial returns the first answer "none" that the records of a hand, or later claims of
// its seat, prove wrong and that can still be corrected (GEN-E10, rules 4.2).
func (s *answerState) findFalseDenial() (found deniedAnswer, ok bool) {
	d, _ := s.denials.Open()
	for ; d != nil; d = d.prev {
		if s.cards.RecordedOrClaimed(d.seat)&d.named != 0 && (d.to == 0 || s.canWin(d.to)) && !s.seats[d.seat].dead {
			found = d.deniedAnswer
		}
	}
	return found, found.seat != 0
}
