package cluedo

import (
	"slices"

	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/rules"
	"majordome/engine/internal/story"
)

// A clue card that asks for the holder of a card (CC-030, CC-031): the seats are asked one by one,
// as after a hypothesis. At a real table the holder just shows the card, or all say at once that no
// one has it; both can be done here too.

// holderCandidates returns the seats that have not answered yet when a clue card asks for the
// holder of a card: the asked seat, and all that would be asked after it. Any of them may show the
// card at once.
func (s *boardState) sought() (all []engine.Seat) {
	if s.step != stepShowing || s.showing.why != whyHolder || s.asked == 0 {
		return nil
	}
	for x := s.asked; ; {
		if s.canShow(s.clueNow(), x) {
			all = append(all, x)
		}
		if x = s.after(x); x == s.active || x == s.asked {
			return all
		}
	}
}

// canShowEarly reports whether the act is one that x may do before it is asked: showing the card
// that is looked for.
func (s *boardState) beside(act string, x engine.Seat) bool {
	return act == "answer" && x != s.asked && slices.Contains(s.sought(), x)
}

// decideNobodyHas decides the word of the active seat, or of the host for it, that no seat has the
// card: as if each seat that has not answered yet said so. It does not count where a recorded hand
// has the card, or where the asked seat has answered with one. Then all hear that each seat has to
// look, at the same moment at which they would hear that no one has it; only the holder hears why,
// and the questioning goes on. No other seat learns which hand it is, and the word can lead no
// player to a wrong accusation.
func (s *answerState) doNobody(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	all, k := s.sought(), s.knows(by)
	switch {
	case len(all) == 0:
		return nil, openly(engine.NotNow, s.book.Rules.Draw, engine.Say("cl.no.not-now"))
	case !by.host && by.seat != s.active:
		return nil, openly(engine.NotYou, s.book.Rules.Draw, engine.Say("cl.no.not-your-turn", "seat", s.active.String()))
	case k.holder(s.showing.card, all) != 0:
		return nil, refuse(engine.Forbidden, s.must(), "cl.no.look-again")
	case s.showing.contested:
		return nil, openly(engine.NotNow, s.book.Rules.Draw, engine.Say("cl.no.contested"))
	}
	e := &event{kind: evNobody, at: c.At, seat: s.active}
	for _, x := range all {
		if a, given := s.reply.Open(); s.cards.Held(x).Has(s.showing.card) || x == s.asked && given && !a.none {
			return []*event{{kind: evContested, at: c.At, seat: s.active, other: x}}, nil
		}
		e.n |= 1 << x
	}
	return []*event{e}, nil
}

// holderAmong returns the seat among these that has a card, by what k knows; zero: none.
func (k *knowledge) holder(c card, of []engine.Seat) engine.Seat {
	for _, x := range of {
		if k.hand(x).Has(c) {
			return x
		}
	}
	return 0
}

// offerHolderActs offers to show the card before being asked, to every seat that public facts
// allow, and to the active seat the word that no seat has it.
func (l *offerList) offerHolder() {
	all := l.sought()
	if len(all) == 0 {
		return
	}
	if (l.by.seat == l.active || l.by.host) && !l.showing.contested {
		o := offer("nobody-has", l.book.Rules.Draw)
		switch has := l.holder(l.showing.card, all) != 0; {
		case has && l.by.host: // the card is face up
		case has:
			o.No = &engine.Refusal{}
			l.add(o)
		default:
			l.add(o)
		}
	}
	if l.by.host {
		l.offerHolderByHost(all)
		return
	}
	if l.beside("answer", l.by.seat) && !l.answered {
		l.add(offer("answer", l.must(),
			rules.CardParam(l.book.list, l.answers(l.by.seat, l.wanted), l.wanted)))
	}
}

// offerHolderByHost lets the host name a seat that has shown the card before it was asked.
func (l *offerList) offerHolderByHost(all []engine.Seat) {
	if !l.showing.open || l.virtual {
		return
	}
	var who []string
	for _, x := range all {
		if x != l.asked && l.possible(x).Has(l.showing.card) {
			who = append(who, x.String())
		}
	}
	if len(who) > 0 {
		l.add(fixed{"card": l.book.cardID[l.showing.card]}.offer("answer", l.must(), seatParam("for", who)))
	}
}

// applyNobodyHas notes the answer of each seat by this one word, so that it can be corrected
// (GEN-E10), and ends the questioning. If the program has dealt, it knows that the word is right.
func (s *answerState) nobodyHas(e *event) {
	said, own := s.reply.Open()
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if e.n&(1<<x) == 0 {
			continue
		}
		s.showing.from = x
		if !s.virtual {
			s.remember(amends{seat: x, to: s.sees(s.clueNow(), x), named: s.wanted(),
				unsaid: !own || !said.none || x != s.asked})
		}
	}
	for range maxSeats { // the questioning has come round to the active seat
		if s.after(s.showing.from) != s.active {
			s.showing.from = s.after(s.showing.from)
		}
	}
	s.asked, s.reply, s.closes = 0, box.Box[reply]{}, 0
}

// recordContested informs only the seat that has the card that it has to show it.
func (t teller) tellContested() story.Log {
	if _, given := t.now.reply.See(engine.At(t.e.other)); !given {
		t.Whisper(t.e.other, "cl.log.contested.own", "sought", t.book.cardID[t.showing.card])
	}
	return t.Log
}

func (b *Book) decodeSeats(e *event, _ *stored) error {
	return told("no such seat", e.n != 0 && e.n&1 == 0 && e.n < 1<<(maxSeats+1))
}
