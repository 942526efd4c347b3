package cluedo

import (
	"slices"

	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/rules"
	"majordome/engine/internal/story"
)

// A clue card that asks who holds a card (CC-030, CC-031): seat by seat, as after a hypothesis. At
// a table the holder just shows it, or all say at once that nobody has it; so it may be done here.

// sought are the seats that have not answered yet where a clue card asks who holds a card: the one
// that is asked, and all who would be asked after it. Any of them may show the card at once.
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

// beside reports an act that x may do before it is asked: to show the card that is looked for.
func (s *boardState) beside(act string, x engine.Seat) bool {
	return act == "answer" && x != s.asked && slices.Contains(s.sought(), x)
}

// doNobody takes the word of the active seat, or of the host for it, that no seat has the card: as if each
// that has not answered yet said so. It does not count where a hand on record has the card, or where the
// seat that is asked has answered with one: then all hear that each has to look, at the same moment at
// which they would hear that nobody has it, the holder alone hears why, and the round of all seats goes on.
// No other seat learns which hand it is, and the word can lead nobody to a wrong accusation.
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

// holder is one of some seats who holds a card; zero: none.
func (k *knowledge) holder(c card, of []engine.Seat) engine.Seat {
	for _, x := range of {
		if k.hand(x).Has(c) {
			return x
		}
	}
	return 0
}

// offerHolder lets a seat show the card before one is asked, for every seat that public facts allow, and the
// word of the active seat that nobody holds it.
func (l *offerList) offerHolder() {
	all := l.sought()
	if len(all) == 0 {
		return
	}
	if (l.by.seat == l.active || l.by.host) && !l.showing.contested {
		o := offer("nobody-has", l.book.Rules.Draw)
		switch has := l.holder(l.showing.card, all) != 0; {
		case has && l.by.host: // it lies open
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
		l.add(offer("answer", l.must(), rules.CardParam(l.book.list, l.answers(l.by.seat, l.wanted), l.wanted)))
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

// nobodyHas notes what each seat has said by the one word, so that it can be put right (GEN-E10), and ends
// the asking. Where the machine has dealt it knows that the word is right.
func (s *answerState) nobodyHas(e *event) {
	said, own := s.reply.Open()
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if e.n&(1<<x) == 0 {
			continue
		}
		s.showing.from = x
		if !s.virtual {
			s.remember(amends{seat: x, to: s.sees(s.clueNow(), x), named: s.wanted(), unsaid: !own || !said.none || x != s.asked})
		}
	}
	for range maxSeats { // the asking has come round to the active seat
		if s.after(s.showing.from) != s.active {
			s.showing.from = s.after(s.showing.from)
		}
	}
	s.asked, s.reply, s.closes = 0, box.Box[reply]{}, 0
}

// tellContested tells the seat that has the card, and no other, that it has to show it.
func (t teller) tellContested() story.Log {
	if _, given := t.now.reply.See(engine.At(t.e.other)); !given {
		t.Whisper(t.e.other, "cl.log.contested.own", "sought", t.book.cardID[t.showing.card])
	}
	return t.Log
}

func (b *Book) decodeSeats(e *event, _ *stored) error {
	return told("no such seat", e.n != 0 && e.n&1 == 0 && e.n < 1<<(maxSeats+1))
}
