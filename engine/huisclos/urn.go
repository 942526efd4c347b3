package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/hidden"
)

// The urn when not every clue in it is recorded: the player who opens it names its clues, by hand or at a
// reader. Nothing is listed beforehand, because a clue missing from the list would point to a depositor. If
// too many or too few are found, no one is asked whose clue it was (rules, 4.2).

// countFoundInUrn returns the number of clues named so far.
func (s *recordState) countFoundInUrn() int { return s.ledger.CountAt(locShown) }

// countUnfoundInUrn returns the number of clues of the urn that are still to be named.
func (s *recordState) countUnfoundInUrn() int {
	if s.step != stepShow {
		return 0
	}
	return max(0, int(s.urnExpected)-s.countFoundInUrn())
}

// showableClues returns the clues that may still be found in the urn. By public facts, at most one clue too
// many can come from each living player.
func (s *recordState) showableClues(k *knowledge) set {
	if s.step != stepShow || s.countFoundInUrn() >= int(s.urnExpected)+s.countLiving() {
		return 0
	}
	return clues &^ (k.goneClues() | k.shownClues())
}

func (s *recordState) showEvents(by actor, at engine.Millis, c card) ([]*event, *engine.Reject) {
	switch {
	case s.step != stepShow:
		return nil, s.refuseNotNow()
	case !s.showableClues(by.knowledge).Contains(c):
		return nil, refuseOpenly(engine.Forbidden, "HC-127", "hc.no.not-found")
	}
	return cardEvent(evFound, at, by.seat, c), nil
}

// foundFewer is the value of "confirm" to end the naming although fewer clues are named than were put in the urn.
const foundFewer = "found-fewer"

func (s *recordState) decideAllCluesFound(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	switch n := s.countUnfoundInUrn(); {
	case s.step != stepShow:
		return nil, s.refuseNotNow()
	case n > 0 && c.Args["confirm"] != foundFewer:
		return nil, refuseOpenly(engine.Forbidden, "HC-127", "hc.no.found-fewer", "n", numbers[n], "of", numbers[s.urnExpected])
	}
	return seatEvent(evFoundAll, c.At, by.seat), nil
}

// applyUnsealed opens an urn whose clues have to be named. The records of its clues are dropped: only what
// is found counts.
func (s *recordState) applyUnsealed() {
	s.urnExpected, s.step = s.urnCount, stepShow
	s.unaccounted += int16(s.urnCount)
	s.urnCount = 0
	for x := engine.Seat(1); x <= maxSeats; x++ {
		s.forgetCluesAt(locUrn + loc(x))
	}
}

// applyFound shows a clue of the urn to all.
func (s *recordState) applyFound(c card) {
	s.forgetContradictions(c, locShown)
	s.ledger.RecordCard(c, locShown, hidden.Everyone)
	s.unaccounted--
}

// correctShortHand prepares for x to take one of the surplus clues. The hand of x was one clue short: its
// public number becomes right only with that clue.
func (s *recordState) correctShortHand(x engine.Seat) {
	t := trustUnnamed
	if s.isHandKnown(x) { // all clues are recorded or claimed, and one of them is not there
		t = trustBlind
	}
	s.recordCardLeftHand(x, 0, t)
	s.surplus--
	s.unaccounted++
}

func (t storyRecorder) recordUrnOpened() {
	h := t.newHappening(engine.HapOpened, t.event.seat, 0)
	h.Cards = t.book.listEngineIDs(t.newState.knowledgeFor(engine.Public).shownClues())
	t.AddHappeningLine(h, "hc.log.opened", "seat", t.event.seat.String(), "n", numbers[t.oldState.urnCount])
	t.recordNoDeaths()
}

func (t storyRecorder) recordUrnUnsealed() {
	t.AddHappeningLine(t.newHappening(engine.HapOpened, t.event.seat, 0), "hc.log.opened",
		"seat", t.event.seat.String(), "n", numbers[t.oldState.urnCount])
}

func (t storyRecorder) recordClueFound() {
	switch n := t.newState.countFoundInUrn(); {
	case n > int(t.urnExpected):
		t.AddLine("hc.log.too-many", "n", numbers[n], "expected", numbers[t.urnExpected])
	case n < int(t.urnExpected):
		t.AddLine("hc.log.too-few", "n", numbers[n], "expected", numbers[t.urnExpected])
	}
	t.recordNoDeaths()
}
