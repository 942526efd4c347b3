package cluedo

import (
	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/presentation"
)

// showReason is the reason for which a seat shows a card of its choice; its row is in showingRows.
type why uint8

const (
	whyAnswer why = iota
	whyNeighbour
	whySpied
	whyAmend
	whyHolder // the holder of a card shows it: these three by a clue card
	whyReveal // a card to all
	whyPass   // a card to one
	numWhys
)

// showing describes the card that a seat must show, of its choice; in the window after it, the card
// that it has shown.
type showing struct {
	why  why
	from engine.Seat
	to   engine.Seat // the seat that sees it,
	open bool        // or all see it: it stays in its hand, known to all
	card card        // the card that is looked for; zero: any card, or those that the question names
	// hasShown is true once the seat has shown one.
	shown bool
	// contested is true once the active seat has said that no seat has the card, and that did not
	// count.
	contested bool
	passed    uint16 // set of the seats that have passed in the window after it
}

// showingRows has a row for each reason. The first seat and the viewer of its card are in the event
// that begins the showing.
var showings = [numWhys]struct {
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
	whyAnswer: {engine.StepAnswer, "cl.prompt.answer", (*Book).show, func(s *public) set { return s.hyp.set() },
		(*Book).show,
		true, true, "cl.log.shown", nil, (*state).nextAnswer},
	whyNeighbour: {engine.StepNeighbour, "cl.prompt.neighbour", func(b *Book) string { return b.Events["right-neighbour"] },
		anyOfTheHand, (*Book).show,
		false, false, "cl.log.shown-to", (*state).otherNeighbour, nil},
	whySpied: {engine.StepNeighbour, "cl.prompt.neighbour", (*Book).spy, anyOfTheHand, (*Book).spy,
		false, false, "cl.log.shown-to", (*state).spyAgain, nil},
	whyAmend: {engine.StepAmend, "cl.prompt.amend", func(*Book) string { return "GEN-E10" }, nil, (*Book).show,
		false, true, "cl.log.shown-to", (*state).afterMending, nil},
	whyHolder: {engine.StepReveal, "cl.prompt.holder", (*Book).draw,
		func(s *public) set { return set(0).With(s.showing.card) }, (*Book).draw,
		true, false, "cl.log.shown-to", (*state).passEmpty, (*state).nextCalled},
	whyReveal: {engine.StepReveal, "cl.prompt.reveal", (*Book).draw, anyOfTheHand, (*Book).draw,
		false, false, "cl.log.shown-to", (*state).passEmpty, (*state).nextCalled},
	whyPass: {engine.StepNeighbour, "cl.prompt.neighbour", (*Book).draw, anyOfTheHand, (*Book).draw,
		false, false, "cl.log.shown-to", (*state).passEmpty, (*state).nextCalled},
}

func anyOfTheHand(s *public) set { return s.book.mystery() }

func (b *Book) show() string { return b.Rules.Show }
func (b *Book) spy() string  { return b.Rules.Spy }
func (b *Book) draw() string { return b.Rules.Draw }

// isAnswering reports whether answers to a hypothesis are awaited.
func (t *turnState) answering() bool { return t.step == stepShowing && t.showing.why == whyAnswer }

func (s *answerState) call(sh showing, at engine.Millis) {
	s.nothingRead()
	s.showing, s.asked = sh, sh.from
	s.goTo(stepShowing, at)
}

// wantedCards returns the cards of which one must be shown now.
func (s *answerState) wanted() set {
	if of := showings[s.showing.why].wanted; of != nil {
		return of(&s.public)
	}
	a, _ := s.amend.Open()
	return a.named
}

// unwantedKey returns the refusal of another card: none of those named, or not the only one that is
// looked for.
func (s *answerState) notWanted() string {
	if s.wanted().Count() == 1 {
		return "cl.no.not-sought"
	}
	return "cl.no.not-named"
}

// mustShowRule returns the rule that demands one of the wanted cards.
func (s *seatedTurn) must() string { return showings[s.showing.why].must(s.book) }

// decideAnswer decides the act of showing a card.
func (s *answerState) doAnswer(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, named, r := s.cardArg(c)
	if r != nil {
		return nil, r
	}
	if !named {
		switch {
		case by.host && s.virtual: // the host can see no real card being shown
			return nil, refuse(engine.NotYou, "GEN-002", "cl.no.seat-only")
		case !by.host && s.known(by.seat):
			return nil, refuse(engine.Forbidden, s.must(), "cl.no.name-it")
		}
		return s.gives(c.At, by.seat, reply{})
	}
	if by.host && (!s.showing.open || s.virtual) {
		return nil, refuse(engine.Forbidden, "GEN-002", "cl.no.seat-only")
	}
	return s.answer(by, c.At, x, false)
}

// decideShownCard decides a card that is shown; read is true if a reader has read it.
func (s *answerState) answer(by actor, at engine.Millis, x card, read bool) ([]*event, *engine.Reject) {
	y := by.seat
	switch {
	case !s.wanted().Has(x): // wherever it is recorded: a bystander may have placed it (GEN-E13)
		return nil, refuse(engine.Forbidden, s.must(), s.notWanted())
	case read && s.astray(y, x):
		return nil, presentation.Alarm()
	case by.host && !s.knows(by).possible(y).Has(x), // a card that all see needs no record
		!by.host && !s.knows(by).answers(y, s.book.mystery()).Has(x):
		return nil, refuse(engine.Forbidden, "GEN-E03", "cl.no.not-held")
	}
	return s.gives(at, y, reply{card: x, named: true, read: read})
}

// answerEvents shows a card: after the delay of an answer where a seat without one says so, else at
// once. A seat that answers before it is asked is called first.
func (s *answerState) gives(at engine.Millis, y engine.Seat, a reply) ([]*event, *engine.Reject) {
	if y != s.asked {
		called := &event{kind: evCalled, at: at, seat: y, other: s.sees(s.clueNow(), y), who: uint8(s.showing.card)}
		return []*event{called, {kind: evReplied, at: at, seat: y, reply: box.Seal(a, box.Nobody)}}, nil
	}
	if showings[s.showing.why].none {
		return s.replied(at, y, a)
	}
	return s.shows(at, a), nil
}

// decideNone decides the answer that a seat can show nothing. If the record of its hand contradicts
// that, it is refused before harm is done, and only that seat learns it (C8-082, C8-087). The host
// learns nothing; its answer is corrected later (GEN-E10).
func (s *answerState) doNone(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	switch {
	case !showings[s.showing.why].none:
		return nil, openly(engine.NotNow, s.book.Rules.Ask, engine.Say("cl.no.not-now"))
	case by.host && s.virtual:
		return nil, refuse(engine.NotYou, "GEN-002", "cl.no.seat-only")
	case s.knows(by).hand(by.seat)&s.wanted() != 0: // the host knows only the face-up cards in it
		return nil, refuse(engine.Forbidden, s.must(), "cl.no.look-again")
	}
	return s.replied(c.At, by.seat, reply{none: true})
}

// delayReply stores an answer until it takes effect: after the same delay, whatever it is (C8-158,
// GEN-003).
func (s *answerState) replied(at engine.Millis, y engine.Seat, a reply) ([]*event, *engine.Reject) {
	if _, given := s.reply.Open(); given {
		return nil, refuse(engine.NotNow, s.book.Rules.Ask, "cl.no.answered")
	}
	return []*event{{kind: evReplied, at: at, seat: y, reply: box.Seal(a, box.Nobody)}}, nil
}

// replyDueEvents returns the effect of the stored answer.
func (s *answerState) answered(at engine.Millis) []*event {
	a, _ := s.reply.Open()
	if !a.none {
		return s.shows(at, a)
	}
	e := &event{kind: evNone, at: at, seat: s.asked}
	if !s.virtual {
		e.n = 1 // remembered: what is recorded of a real hand may be wrong (GEN-022)
	}
	return []*event{e}
}

// shownEvents returns the events of a card that is shown: one that a reader has read is recorded
// too (GEN-021).
func (s *recordState) shows(at engine.Millis, a reply) (evs []*event) {
	y := s.asked
	if a.read && s.cards.At(a.card) != custody.HandOf(y) {
		evs = append(evs, &event{kind: evGot, at: at, seat: y, card: hide(a.card)})
	}
	switch {
	case s.showing.open:
		return append(evs, &event{kind: evRevealed, at: at, seat: y, open: a.card})
	case a.named:
		return append(evs, &event{kind: evShown, at: at, seat: y, other: s.showing.to, card: hide(a.card)})
	}
	return append(evs, &event{kind: evShown, at: at, seat: y, other: s.showing.to})
}

// applyShown ends the question with a card (C8-083).
func (s *state) show(e *event) {
	x := e.seat
	if s.answering() {
		s.hyp.said[x] = saidShown
	}
	if s.showing.why == whySpied {
		s.useMark()
	}
	s.endAsking()
	s.showing.from, s.showing.to, s.showing.shown, s.showing.passed, s.shown = x, e.other, true, 0,
		box.Small[card]{}
	if c, ok := e.card.Open(); ok {
		s.shown = box.SealSmall(c, box.Only(x, e.other))
		if !s.known(x) { // named on the phone: a claim only
			s.cards.Claim(x, c)
		}
		s.widen(c, x, e.other)
		s.saw(e.other, set(0).With(c), engine.Sighting{How: engine.SawShown, Other: x})
	}
	s.goTo(stepShown, e.at)
}

// applyRevealed shows a card to all. The real card prevails over its records elsewhere (GEN-001).
// As all have seen it, there is no window.
func (s *answerState) reveal(e *event) {
	s.endAsking()
	s.showing.shown = true
	if e.open != 0 {
		s.got(e.seat, e.open)
		s.cards.Put(e.open, custody.HandOf(e.seat), box.All)
		s.makeRoom(e.seat)
		s.cards.Surface(e.open, locUnknown)
	}
	s.closeShowing(e)
}

// trimHandRecord forgets the recorded cards of a hand that has more of them than it can have,
// except the face-up ones.
func (s *recordState) makeRoom(x engine.Seat) {
	if (s.cards.Held(x) & s.book.mystery()).Count() <= int(s.seats[x].cards) {
		return
	}
	s.cards.Forget(s.cards.In(custody.HandOf(x))&s.book.mystery(), locUnknown)
}

func (s *answerState) endAsking() { s.asked, s.reply, s.amend = 0, box.Box[reply]{}, box.Box[amends]{} }

// closeShowing ends the window after a card was shown: another seat shows one, or the turn goes on.
func (s *public) closeShowing(e *event) {
	if showings[s.showing.why].next != nil {
		s.goTo(stepShowing, e.at)
		return
	}
	s.resume(e.at)
}

// applyNone notes that a seat can show nothing, and remembers the answer if it could not be
// verified.
func (s *answerState) deny(e *event) {
	if s.answering() {
		s.hyp.said[e.seat] = saidNone
	}
	if e.n != 0 {
		s.remember(amends{seat: e.seat, to: s.showing.to, named: s.wanted()})
	}
	s.asked, s.reply, s.closes = 0, box.Box[reply]{}, 0
}

// rememberDenial stores an answer "none" that could not be verified.
func (s *answerState) remember(a amends) {
	last, _ := s.denied.Open()
	s.denied = box.Seal(&denial{last, a}, box.Nobody)
}

// findFalseDenial returns the first answer "none" that the records of a hand, or later claims of
// its seat, prove wrong and that can still be corrected (GEN-E10, rules 4.2).
func (s *answerState) contradicted() (found amends, ok bool) {
	d, _ := s.denied.Open()
	for ; d != nil; d = d.prev {
		if s.cards.Held(d.seat)&d.named != 0 && (d.to == 0 || s.running(d.to)) && !s.seats[d.seat].dead {
			found = d.amends
		}
	}
	return found, found.seat != 0
}
