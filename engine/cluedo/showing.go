package cluedo

import (
	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/presentation"
)

// why a seat shows a card of its choice: its row is in showings.
type why uint8

const (
	whyAnswer why = iota
	whyNeighbour
	whySpied
	whyAmend
	whyHolder // whoever holds a card shows it: these three by a clue card
	whyReveal // a card to all
	whyPass   // a card to one
	numWhys
)

// showing is a card that a seat is asked to show, of its choice; in the window after it, the
// card that it has shown.
type showing struct {
	why  why
	from engine.Seat
	to   engine.Seat // who sees it,
	open bool        // or else everybody does: it stays in its hand, where all know it
	card card        // the one that is looked for; zero: of its choice, or what the question names
	// shown tells that it has shown one.
	shown bool
	// contested tells that no seat has the card by the word of the active seat, which did not count.
	contested bool
	passed    uint16 // seats that have passed the window after it
}

// showings say what each kind of showing has of its own. Who is asked first, and who sees the
// card, the event says that begins it.
var showings = [numWhys]struct {
	code   string              // of engine.Case, while a card is awaited
	prompt string              // what is awaited,
	rule   func(*Book) string  // and by which rule
	wanted func(*public) set   // the cards of which one is to be shown; nil: those named in the answer that is put right,
	must   func(*Book) string  // and by which rule one of them
	none   bool                // who has none says so; whatever is answered has its moment (C8-158)
	heard  bool                // what is shown is an answer to the last question of Case.Past
	log    string              // the line that a card was shown to somebody
	moot   func(*state) *event // what follows before a card is shown, when there is none to show any more; nil: nothing
	next   func(*state) *event // what follows then: another seat that shows one, or the end; nil: the turn goes on
}{
	whyAnswer: {engine.StepAnswer, "cl.prompt.answer", (*Book).show, func(s *public) set { return s.hyp.set() }, (*Book).show,
		true, true, "cl.log.shown", nil, (*state).nextAnswer},
	whyNeighbour: {engine.StepNeighbour, "cl.prompt.neighbour", func(b *Book) string { return b.Events["right-neighbour"] }, anyOfTheHand, (*Book).show,
		false, false, "cl.log.shown-to", (*state).otherNeighbour, nil},
	whySpied: {engine.StepNeighbour, "cl.prompt.neighbour", (*Book).spy, anyOfTheHand, (*Book).spy,
		false, false, "cl.log.shown-to", (*state).spyAgain, nil},
	whyAmend: {engine.StepAmend, "cl.prompt.amend", func(*Book) string { return "GEN-E10" }, nil, (*Book).show,
		false, true, "cl.log.shown-to", (*state).afterMending, nil},
	whyHolder: {engine.StepReveal, "cl.prompt.holder", (*Book).draw, func(s *public) set { return set(0).With(s.showing.card) }, (*Book).draw,
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

// answering reports that answers to a hypothesis are awaited.
func (t *turnState) answering() bool { return t.step == stepShowing && t.showing.why == whyAnswer }

// call asks a seat to show a card.
func (s *answerState) call(sh showing, at engine.Millis) {
	s.nothingRead()
	s.showing, s.asked = sh, sh.from
	s.goTo(stepShowing, at)
}

// wanted are the cards of which one is to be shown now.
func (s *answerState) wanted() set {
	if of := showings[s.showing.why].wanted; of != nil {
		return of(&s.public)
	}
	a, _ := s.amend.Open()
	return a.named
}

// notWanted says that another card is to be shown: one of those named, or the only one that is looked for.
func (s *answerState) notWanted() string {
	if s.wanted().Count() == 1 {
		return "cl.no.not-sought"
	}
	return "cl.no.not-named"
}

// must is the rule by which one of them is.
func (s *seatedTurn) must() string { return showings[s.showing.why].must(s.book) }

// doAnswer shows a card.
func (s *answerState) doAnswer(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, named, r := s.cardArg(c)
	if r != nil {
		return nil, r
	}
	if !named {
		switch {
		case by.host && s.virtual: // no card that the host could see being shown
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

// answer judges a card that is shown; read tells that a reader has seen it.
func (s *answerState) answer(by actor, at engine.Millis, x card, read bool) ([]*event, *engine.Reject) {
	y := by.seat
	switch {
	case !s.wanted().Has(x): // wherever it lies: a bystander may have laid it (GEN-E13)
		return nil, refuse(engine.Forbidden, s.must(), s.notWanted())
	case read && s.astray(y, x):
		return nil, presentation.Alarm()
	case by.host && !s.knows(by).possible(y).Has(x), // who names what all see needs no record of it
		!by.host && !s.knows(by).answers(y, s.book.mystery()).Has(x):
		return nil, refuse(engine.Forbidden, "GEN-E03", "cl.no.not-held")
	}
	return s.gives(at, y, reply{card: x, named: true, read: read})
}

// gives shows a card: at the moment of an answer where whoever has none says so, else at once.
// A seat that answers before its turn is called by it.
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

// doNone says that a seat can show nothing. What is recorded of its hand is held
// against that before harm is done, and told to that seat alone (C8-082, C8-087).
// To the host nothing is told; the answer is put right later (GEN-E10).
func (s *answerState) doNone(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	switch {
	case !showings[s.showing.why].none:
		return nil, openly(engine.NotNow, s.book.Rules.Ask, engine.Say("cl.no.not-now"))
	case by.host && s.virtual:
		return nil, refuse(engine.NotYou, "GEN-002", "cl.no.seat-only")
	case s.knows(by).hand(by.seat)&s.wanted() != 0: // the host knows what lies open in it
		return nil, refuse(engine.Forbidden, s.must(), "cl.no.look-again")
	}
	return s.replied(c.At, by.seat, reply{none: true})
}

// replied notes an answer until its moment: a constant delay, whatever it is
// (C8-158, GEN-003).
func (s *answerState) replied(at engine.Millis, y engine.Seat, a reply) ([]*event, *engine.Reject) {
	if _, given := s.reply.Open(); given {
		return nil, refuse(engine.NotNow, s.book.Rules.Ask, "cl.no.answered")
	}
	return []*event{{kind: evReplied, at: at, seat: y, reply: box.Seal(a, box.Nobody)}}, nil
}

// answered is what an answer does at its moment.
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

// shows are the events of a card that is shown: one that a reader has seen is recorded
// besides (GEN-021).
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

// show ends what was asked with a card (C8-083).
func (s *state) show(e *event) {
	x := e.seat
	if s.answering() {
		s.hyp.said[x] = saidShown
	}
	if s.showing.why == whySpied {
		s.useMark()
	}
	s.endAsking()
	s.showing.from, s.showing.to, s.showing.shown, s.showing.passed, s.shown = x, e.other, true, 0, box.Small[card]{}
	if c, ok := e.card.Open(); ok {
		s.shown = box.SealSmall(c, box.Only(x, e.other))
		if !s.known(x) { // named on the phone: its seat's word
			s.cards.Claim(x, c)
		}
		s.widen(c, x, e.other)
		s.saw(e.other, set(0).With(c), engine.Sighting{How: engine.SawShown, Other: x})
	}
	s.goTo(stepShown, e.at)
}

// reveal is the same for all to see. The real card prevails over what was recorded of it
// elsewhere (GEN-001); nobody could see it besides, so there is no window.
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

// makeRoom gives up what is recorded of a hand that has more cards on record than it can hold, but
// for those that lie open.
func (s *recordState) makeRoom(x engine.Seat) {
	if (s.cards.Held(x) & s.book.mystery()).Count() <= int(s.seats[x].cards) {
		return
	}
	s.cards.Forget(s.cards.In(custody.HandOf(x))&s.book.mystery(), locUnknown)
}

func (s *answerState) endAsking() { s.asked, s.reply, s.amend = 0, box.Box[reply]{}, box.Box[amends]{} }

// closeShowing ends the window after a card was shown: somebody else shows one, or the turn goes on.
func (s *public) closeShowing(e *event) {
	if showings[s.showing.why].next != nil {
		s.goTo(stepShowing, e.at)
		return
	}
	s.resume(e.at)
}

// deny notes that a seat can show nothing; it is remembered where it could not be judged.
func (s *answerState) deny(e *event) {
	if s.answering() {
		s.hyp.said[e.seat] = saidNone
	}
	if e.n != 0 {
		s.remember(amends{seat: e.seat, to: s.showing.to, named: s.wanted()})
	}
	s.asked, s.reply, s.closes = 0, box.Box[reply]{}, 0
}

// remember keeps an answer "none" that could not be judged.
func (s *answerState) remember(a amends) {
	last, _ := s.denied.Open()
	s.denied = box.Seal(&denial{last, a}, box.Nobody)
}

// contradicted is the first answer "none" that the records of a hand, or its
// seat's own later word, prove wrong, and that can still be put right (GEN-E10,
// rules 4.2).
func (s *answerState) contradicted() (found amends, ok bool) {
	d, _ := s.denied.Open()
	for ; d != nil; d = d.prev {
		if s.cards.Held(d.seat)&d.named != 0 && (d.to == 0 || s.running(d.to)) && !s.seats[d.seat].dead {
			found = d.amends
		}
	}
	return found, found.seat != 0
}
