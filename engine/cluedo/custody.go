package cluedo

import (
	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/custody"
)

func (s *recordState) hold(e *event) {
	p := &s.seats[e.seat]
	if !s.dealt() { // a claim before the deal is void (GEN-021)
		return
	}
	c, _ := e.card.Open()
	s.cards.Claim(e.seat, c)
	if s.book.kind(c) == kindEvent {
		p.named = min(p.named+1, p.butlers)
	} else {
		p.said = min(p.said+1, p.cards)
	}
}

func (s *recordState) forget(e *event) {
	p := &s.seats[e.seat]
	c, _ := e.card.Open()
	switch {
	case s.book.kind(c) == kindEvent:
		p.named = max(p.named, 1) - 1
	case p.said > 0:
		p.said--
	default:
		p.told = max(p.told, 1) - 1
	}
	s.cards.SetClaims(e.seat, s.cards.Claims(e.seat).Less(c))
	switch {
	case s.cards.At(c) != custody.HandOf(e.seat):
	case s.book.kind(c) == kindEvent:
		s.cards.Put(c, locPile, box.Nobody)
	default:
		s.cards.Put(c, locUnknown, box.Nobody)
	}
}

func (s *recordState) lose(e *event) {
	p := &s.seats[e.seat]
	p.butlers--
	s.gone++
	if s.unnamed(e.seat) < 0 {
		s.loosen(e.seat)
	}
	if p.named > p.butlers {
		p.named = 0
	}
}

// recordInHand records a card in a hand, where a reader has read it and no record has it elsewhere
// (GEN-E13).
func (s *recordState) got(x engine.Seat, c card) {
	s.cards.Put(c, custody.HandOf(x), box.Only(x))
	if (s.cards.Held(x) & s.book.mystery()).Count() > int(s.seats[x].cards) {
		s.cards.SetClaims(x, s.cards.Claims(x)&s.book.all(kindEvent)) // one of its claims was wrong
	}
}

// applyDrew takes an event card from the pile. A Time card that was only declared may be any of the
// eight (GEN-001), so it may still be read.
func (s *answerState) drawCard(e *event) {
	p, owed := &s.seats[e.seat], s.owes()
	c, named := e.card.Open()
	if named {
		s.keepRead(hide(c), e.at)
	} else if e.n != 1 {
		s.keepRead(hide(e.open), e.at)
	}
	switch {
	case e.open != 0:
		if s.standIns.Has(e.open) { // first reading of a card that represents a declared one: another takes its place (GEN-001)
			y := s.inPile()
			s.cards.Put(y, locTrack, box.All)
			s.standIns = s.standIns.Less(e.open).With(y)
			s.cards.Put(e.open, locPile, box.Nobody)
		}
		if s.track < s.book.nights() {
			s.track++
			s.cards.Put(e.open, locTrack, box.All)
			if e.n == 1 {
				s.standIns = s.standIns.With(e.open)
			}
		} // the eighth goes back into the pile (C8-137)
	case e.n == 1: // said on the phone
		p.butlers++
		p.named++
		s.cards.Claim(e.seat, c)
	case named:
		p.named++
		p.butlers++
		s.cards.Put(c, custody.HandOf(e.seat), box.Only(e.seat))
	default:
		p.butlers++
	}
	switch {
	case s.step == stepDisplaced:
		s.asked = 0
		s.goTo(stepShowing, e.at)
	case owed:
		p.owed--
	case s.step == stepMove:
		s.byFace()
	case s.draws > 0:
		s.draws--
		s.resume(e.at) // or to the next draw: one after the other (C8-044)
	}
}

// trackLimit returns how many Time cards the track takes before the next one murders.
func (b *Book) nights() uint8 {
	return uint8(max(b.timeCards().Count(), 1) - 1)
}

func (b *Book) timeCards() set { return b.ofKind(b.all(kindEvent), EventTime) }

// murderSeat turns the hand of x face up, and takes its pawn and, unseen, its Butler cards out of
// the game (C8-134, C8-135).
func (s *recordState) murder(x engine.Seat) {
	p := &s.seats[x]
	mine := s.cards.Claims(x)
	for c := card(1); int(c) < len(s.book.cardID); c++ {
		switch event := s.book.kind(c) == kindEvent; {
		case s.cards.At(c) == custody.HandOf(x) && event:
			s.remove(c, box.Nobody)
			p.butlers--
		case s.cards.At(c) == custody.HandOf(x), s.cards.At(c) == locUnknown && mine.Has(c):
			s.cards.Put(c, custody.HandOf(x), box.All)
			s.cards.Surface(c, locUnknown)
		}
	}
	s.gone += p.butlers
	s.cards.SetClaims(x, 0)
	s.pawns[p.who] = pos{kind: onNothing}
	p.dead, p.butlers, p.brought, p.owed = true, 0, false, 0
}

// showHolderTo lets x know where a card is that it has seen with a holder. If it is recorded
// elsewhere, x must not learn it.
func (s *recordState) widen(c card, holder, x engine.Seat) {
	if s.cards.At(c) == custody.HandOf(holder) {
		s.cards.Show(custody.Of(c), box.Only(x))
	}
}

func (s *recordState) remove(c card, aud box.Audience) {
	if s.cards.At(c) != locGone && s.book.events[c] != EventTime {
		s.gone++
	}
	s.cards.Put(c, locGone, aud)
}

// applyPlayed shows a Butler card and takes it out of the game.
func (s *recordState) play(e *event) {
	p := &s.seats[e.seat]
	p.butlers--
	p.named = max(p.named, 1) - 1
	s.remove(e.open, box.All)
	s.cards.Surface(e.open, locUnknown)
	// A card that the host has played for a seat may be another one than those recorded: no record
	// of them can be trusted (GEN-001). This is done whichever card it was, so that it reveals
	// nothing.
	if e.n == byHost {
		s.loosen(e.seat)
		p.named = 0
	}
	s.changeAtOnce(butlers.of(s.book.events[e.open]))
	if s.step == stepEnd { // C8-175: right after the first one
		s.noSecond = true
	}
}

// byHost marks a card that the host has played for a seat.
const byHost = 1

// forgetButlers forgets which Butler cards a seat has; their number stays public.
func (s *recordState) loosen(x engine.Seat) {
	s.cards.PutAll(s.cards.In(custody.HandOf(x))&s.book.all(kindEvent), locPile, box.Nobody)
	s.cards.SetClaims(x, s.cards.Claims(x)&s.book.mystery())
}

// exposeCard lets all know a card of a murdered hand or, for x zero, of an area. If the area has no
// room for all that is recorded there, no hidden record of it can be trusted: dropping only some
// would let the order of the deck choose.
func (s *recordState) lieOpen(seen card, x engine.Seat, a area) {
	there := locLies + loc(a)
	if x != 0 {
		there = custody.HandOf(x)
	}
	s.cards.Put(seen, there, box.All)
	s.cards.Surface(seen, locUnknown)
	lie := s.liesIn(a)
	if lie.Count() <= int(s.lying[a]) {
		return
	}
	s.cards.Forget(lie, locUnknown)
}
