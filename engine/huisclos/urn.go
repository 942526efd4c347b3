package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/story"
)

// The urn when not every clue in it is recorded: the player who opens it names its clues, by hand or at a
// reader. Nothing is listed beforehand, because a clue missing from the list would point to a depositor. If
// too many or too few are found, no one is asked whose clue it was (rules, 4.2).

// countFound returns the number of clues named so far.
func (s *recordState) found() int { return s.cards.Count(locShown) }

// countUnfound returns the number of clues of the urn that are still to be named.
func (s *recordState) unfound() int {
	if s.step != stepShow {
		return 0
	}
	return max(0, int(s.expect)-s.found())
}

// showableClues returns the clues that may still be found in the urn. By public facts, at most one clue too
// many can come from each living player.
func (s *recordState) showable(k *knowledge) set {
	if s.step != stepShow || s.found() >= int(s.expect)+s.alive() {
		return 0
	}
	return clues &^ (k.gone() | k.shown())
}

func (s *recordState) doShow(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	x, r := s.openCard(c)
	if r != nil {
		return nil, r
	}
	return s.show(by, c.At, x)
}

func (s *recordState) show(by actor, at engine.Millis, c card) ([]*event, *engine.Reject) {
	switch {
	case s.step != stepShow:
		return nil, s.notNow()
	case !s.showable(by.knowledge).Has(c):
		return nil, openly(engine.Forbidden, "HC-127", engine.Say("hc.no.not-found"))
	}
	return oneCard(evFound, at, by.seat, c), nil
}

func (s *public) doShown(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	if s.step != stepShow {
		return nil, s.notNow()
	}
	return one(evFoundAll, c.At, by.seat), nil
}

// applyUnsealed opens an urn whose clues have to be named. The records of its clues are dropped: only what
// is found counts.
func (s *recordState) unseal() {
	s.expect, s.step = s.urn, stepShow
	s.adrift += int16(s.urn)
	s.urn = 0
	for x := engine.Seat(1); x <= maxSeats; x++ {
		s.blur(locUrn + loc(x))
	}
}

// applyFound shows a clue of the urn to all.
func (s *recordState) find(c card) {
	s.surface(c, locShown)
	s.cards.Put(c, locShown, box.All)
	s.adrift--
}

// correctShortHand prepares for x to take one of the surplus clues. The hand of x was one clue short: its
// public number becomes right only with that clue.
func (s *recordState) repair(x engine.Seat) {
	t := silent
	if s.known(x) { // all clues are recorded or claimed, and one of them is not there
		t = blind
	}
	s.fromHand(x, 0, t)
	s.surplus--
	s.adrift++
}

func (t teller) tellOpened() story.Log {
	h := t.hap(engine.HapOpened, t.e.seat, 0)
	h.Cards = t.book.engineIDs(t.now.knowledge(engine.Public).shown())
	t.TellOf(h, "hc.log.opened", "seat", t.e.seat.String(), "n", numbers[t.was.urn])
	t.tellSpared()
	return t.Log
}

func (t teller) tellUnsealed() story.Log {
	t.TellOf(t.hap(engine.HapOpened, t.e.seat, 0), "hc.log.opened",
		"seat", t.e.seat.String(), "n", numbers[t.was.urn])
	return t.Log
}

func (t teller) tellFound() story.Log {
	switch n := t.now.found(); {
	case n > int(t.expect):
		t.Tell("hc.log.too-many", "n", numbers[n], "expected", numbers[t.expect])
	case n < int(t.expect):
		t.Tell("hc.log.too-few", "n", numbers[n], "expected", numbers[t.expect])
	}
	t.tellSpared()
	return t.Log
}
