package cluedo

import (
	"slices"

	"majordome/engine"
	"majordome/engine/internal/hidden"
	"majordome/engine/internal/rules"
)

// A clue card that asks for the holder of a card (CC-030, CC-031): the seats are asked one by one,
// as after a hypothesis. At a real table the holder just shows the card, or all say at once that no
// one has it; both can be done here too.

// holderCandidates returns the seats that have not answered yet when a clue card asks for the
// holder of a card: the asked seat, and all that would be asked after it. Any of them may show the
// card at once.
func (s *boardState) holderCandidates() (all []engine.Seat) {
	if s.step != stepShowing || s.showing.reason != reasonHolder || s.asked == 0 {
		return nil
	}
	for x := s.asked; ; {
		if s.canShowForClue(s.currentClue(), x) {
			all = append(all, x)
		}
		if x = s.nextSeatLeftOf(x); x == s.active || x == s.asked {
			return all
		}
	}
}

// canShowBeforeAsked reports whether the act is one that x may do before it is asked: showing the card
// that is looked for.
func (s *boardState) canShowBeforeAsked(act string, x engine.Seat) bool {
	return act == "answer" && x != s.asked && slices.Contains(s.holderCandidates(), x)
}

// decideNobodyHas decides the word of the active seat, or of the host for it, that no seat has the
// card: as if each seat that has not answered yet said so. It does not count where a recorded hand
// has the card, or where the asked seat has answered with one. Then all hear that each seat has to
// look, at the same moment at which they would hear that no one has it; only the holder hears why,
// and the questioning goes on. No other seat learns which hand it is, and the word can lead no
// player to a wrong accusation.
func (s *answerState) decideNobodyHas(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	all, k := s.holderCandidates(), s.actorKnowledge(by)
	switch {
	case len(all) == 0:
		return nil, refuseOpenly(engine.NotNow, s.book.Rules.Draw, "cl.no.not-now")
	case !by.isHost && by.seat != s.active:
		return nil, refuseOpenly(engine.NotYou, s.book.Rules.Draw, "cl.no.not-your-turn", "seat", s.active.String())
	case k.holderAmong(s.showing.card, all) != 0:
		return nil, refuse(engine.Forbidden, s.ruleToShowWanted(), "cl.no.look-again")
	case s.showing.contested:
		return nil, refuseOpenly(engine.NotNow, s.book.Rules.Draw, "cl.no.contested")
	}
	e := &event{kind: evNobodyHas, at: c.At, seat: s.active}
	for _, x := range all {
		if a, given := s.reply.Open(); s.cards.RecordedOrClaimed(x).Contains(s.showing.card) || x == s.asked && given && !a.showsNothing {
			return []*event{{kind: evContested, at: c.At, seat: s.active, other: x}}, nil
		}
		e.n |= 1 << x
	}
	return []*event{e}, nil
}

// holderAmong returns the seat among these that has a card, by what k knows; zero: none.
func (k *knowledge) holderAmong(c card, of []engine.Seat) engine.Seat {
	for _, x := range of {
		if k.knownHand(x).Contains(c) {
			return x
		}
	}
	return 0
}

// offerHolderActs offers to show the card before being asked, to every seat that public facts
// allow, and to the active seat the word that no seat has it.
func (l *offerList) offerHolderActs() {
	all := l.holderCandidates()
	if len(all) == 0 {
		return
	}
	if (l.by.seat == l.active || l.by.isHost) && !l.showing.contested {
		o := newOffer("nobody-has", l.book.Rules.Draw)
		switch has := l.holderAmong(l.showing.card, all) != 0; {
		case has && l.by.isHost: // the card is face up
		case has:
			o.No = &engine.Refusal{}
			l.addOffers(o)
		default:
			l.addOffers(o)
		}
	}
	if l.by.isHost {
		l.offerHolderByHost(all)
		return
	}
	if l.canShowBeforeAsked("answer", l.by.seat) && !l.hasAnswered {
		l.addOffers(newOffer("answer", l.ruleToShowWanted(),
			rules.CardParam(l.book.cardIDs, l.showableCards(l.by.seat, l.wanted), l.wanted)))
	}
}

// offerHolderByHost lets the host name a seat that has shown the card before it was asked.
func (l *offerList) offerHolderByHost(all []engine.Seat) {
	if !l.showing.openToAll || l.virtual {
		return
	}
	var who []string
	for _, x := range all {
		if x != l.asked && l.possibleCards(x).Contains(l.showing.card) {
			who = append(who, x.String())
		}
	}
	if len(who) > 0 {
		l.addOffers(fixedArgs{"card": l.book.cardID[l.showing.card]}.newOffer("answer", l.ruleToShowWanted(), seatParam("for", who)))
	}
}

// applyNobodyHas notes the answer of each seat by this one word, so that it can be corrected
// (GEN-E10), and ends the questioning. If the program has dealt, it knows that the word is right.
func (s *answerState) applyNobodyHas(e *event) {
	said, own := s.reply.Open()
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if e.n&(1<<x) == 0 {
			continue
		}
		s.showing.from = x
		if !s.virtual {
			s.rememberDenial(deniedAnswer{seat: x, to: s.seatShownCardBy(s.currentClue(), x), named: s.wantedCards(),
				assumed: !own || !said.showsNothing || x != s.asked})
		}
	}
	for range maxSeats { // the questioning has come round to the active seat
		if s.nextSeatLeftOf(s.showing.from) != s.active {
			s.showing.from = s.nextSeatLeftOf(s.showing.from)
		}
	}
	s.asked, s.reply, s.closes = 0, hidden.Value[reply]{}, 0
}

// recordContested informs only the seat that has the card that it has to show it.
func (t storyRecorder) recordContested() {
	if _, given := t.newState.reply.ValueFor(engine.SeatViewer(t.e.other)); !given {
		t.AddPrivateLine(t.e.other, "cl.log.contested.own", "sought", t.book.cardID[t.showing.card])
	}
}

func (*storedEvent) checkSeatSet(_ *Book, e *event) error {
	return rules.ErrorUnless(e.n != 0 && e.n&1 == 0 && e.n < 1<<(maxSeats+1), "no such seat")
}
