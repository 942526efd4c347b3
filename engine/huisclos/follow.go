package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/rules"
)

// applyWithConsequences applies events, and then the events that follow from them without a choice: the next seat
// is called, a phase ends, players die, the game is over. It returns the state after them and all the
// events.
func (s *state) applyWithConsequences(at engine.Millis, evs []*event) (*state, []engine.Event) {
	const most = 200 // more than any chain: at most 8 deaths, 39 clues, 7 closings
	next := s
	all := rules.ApplyWithConsequences(at, evs, most, func(e *event) { next = next.withEvent(e, next != s) },
		func() *event { return next.nextConsequence() }, "huisclos: invariant 8 broken")
	return next, all
}

// nextConsequence returns the event that must happen now without a player's choice; nil: nothing.
func (s *inquiryState) nextConsequence() *event {
	switch {
	case s.count.IsPlayStopped():
		return nil
	case s.accuser != 0 && s.phase != phaseOver:
		return s.eventAfterAccusation()
	case s.step == stepPurge && s.rooms[s.seats[s.active].at].cards == 0: // a count has shown that no clue is left
		return &event{kind: evEnded, seat: s.active}
	case s.halfDone && !s.canFinishExchange(): // a count has left nothing to exchange
		return &event{kind: evEnded, seat: s.active}
	case s.active != 0 && (s.step == stepRole || !(s.phase == phaseReveal && s.urnOpened) && s.step != stepLay):
		return nil
	}
	if s.hostKilled && s.phase != phaseReveal && s.phase != phaseOver {
		if e := s.eventAfterDeath(); e != nil {
			return e
		}
	}
	switch s.phase {
	case phaseRoles:
		if s.hasPossibleRoles() {
			return &event{kind: evRolesGood}
		}
		return &event{kind: evRolesBad}
	case phaseLaying:
		return s.eventAfterLaying()
	case phasePick:
		// A count may have found a full hand, or nothing left to keep.
		may := func(x engine.Seat) bool {
			return s.hasNotActed(x) && s.seats[x].cards < handLimit && s.rooms[s.seats[x].at].cards > 0
		}
		if x := s.findFirstLiving(may); x != 0 {
			return &event{kind: evPile, seat: x}
		}
		return &event{kind: evRound, seat: s.first, n: 1}
	case phaseInvestigation:
		if x := s.findFirstLiving(s.hasNotActed); x != 0 {
			return &event{kind: evCalled, seat: x}
		}
		return &event{kind: evDepositing}
	case phaseDeposit:
		return s.nextDepositEvent()
	case phaseReveal:
		return s.eventAfterUrnOpening()
	case phaseRecovery:
		return s.nextRecoveryEvent()
	}
	return nil
}

func (s *boardState) eventAfterLaying() *event {
	n := 0
	for _, r := range s.rooms {
		n += int(r.cards)
	}
	if n < numCards {
		return nil
	}
	return &event{kind: evPile, seat: s.first}
}

func (s *inquiryState) nextDepositEvent() *event {
	x := s.findFirstLiving(s.hasNotActed)
	switch {
	case x == 0:
		return &event{kind: evReady}
	case (actor{seat: x, knowledge: s.knowledgeFor(engine.SeatViewer(x))}).choiceToDeposit().isEmpty(): // HC-125, HC-126
		return &event{kind: evShort, seat: x}
	}
	return &event{kind: evCalled, seat: x}
}

// eventAfterUrnOpening returns the next event after the opening of the urn, in the order of HC-140: deaths, the end
// of the game, the Confrontation, the recovery.
func (s *roleState) eventAfterUrnOpening() *event {
	if !s.urnOpened {
		return nil
	}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if s.doomed&(1<<x) != 0 {
			return &event{kind: evDied, seat: x}
		}
	}
	if e := s.eventAfterDeath(); e != nil {
		return e
	}
	return &event{kind: evRecovering}
}

// eventAfterDeath returns the next event after a death: the role card is turned up, the game ends, or the
// Confrontation begins.
func (s *roleState) eventAfterDeath() *event {
	if x := s.findSeatToTurnUp(func(x engine.Seat) bool { return s.seats[x].dead }); x != 0 {
		return s.turnUpEvent(x)
	}
	if e := s.gameEndAfterDeaths(); e != nil {
		return e
	}
	if s.countLiving() == 2 && !s.duel {
		return &event{kind: evDuel}
	}
	return nil
}

// gameEndAfterDeaths returns the end of the game after deaths (HC-151 to HC-153, HC-209, HC-210); nil: it goes
// on.
func (s *roleState) gameEndAfterDeaths() *event {
	died := s.hostKilled
	for _, r := range s.rooms {
		died = died || r.deaths > 0
	}
	if !died {
		return nil
	}
	m := s.findMurderer(s.isDead)
	living := s.countLiving()
	last := s.findFirstLiving(func(engine.Seat) bool { return true })
	switch {
	case s.duel && living == 1:
		return gameOverEvent("HC-209", last)
	case s.duel && living == 0 && s.ruleValue(swDoubleKill) == "nobody":
		return gameOverEvent("HC-210")
	case s.duel && living == 0:
		return gameOverEvent("HC-210", m)
	case living == 0:
		return gameOverEvent("HC-153", m)
	case m != 0:
		return gameOverEvent("HC-152", m)
	case living == 1:
		if d, ok := s.roles[last].Open(); ok && d.role() == innocent {
			last = 0 // the cards shown contradict each other: there is no Murderer
		}
		return gameOverEvent("HC-151", last)
	}
	return nil
}

// findMurderer returns the first seat with the Murderer card that who accepts; zero: none is known.
func (s *roleState) findMurderer(who func(engine.Seat) bool) engine.Seat {
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if d, ok := s.roles[x].Open(); ok && d.role() == murderer && who(x) {
			return x
		}
	}
	return 0
}

// gameOverEvent returns the event that ends the game by a rule.
func gameOverEvent(rule string, winners ...engine.Seat) *event {
	return &event{kind: evOver, text: rule, n: rules.SetOfSeats(winners...)}
}

// nextRecoveryEvent returns the next event by HC-133 to HC-135, and then closes the round. nil: a seat must
// choose first.
func (s *inquiryState) nextRecoveryEvent() *event {
	shown := s.knowledgeFor(engine.Public).shownClues()
	if s.step == stepLay && s.active != 0 {
		switch {
		case shown == 0:
			return s.nextEventAtRoundEnd()
		case s.isUrnRestForced(shown.Count()):
			return s.forcedUrnRestEvent(shown)
		}
		return nil
	}
	if shown != 0 {
		// A hand that a count has found full has nothing to recover.
		pending := func(x engine.Seat) bool { return s.hasNotActed(x) && s.seats[x].cards < handLimit }
		x := s.findFirstLiving(func(x engine.Seat) bool { return pending(x) && !s.seats[x].noDeposit })
		if x == 0 { // HC-126: a seat that deposited nothing recovers last
			x = s.findFirstLiving(pending)
		}
		if x != 0 {
			return &event{kind: evCalled, seat: x}
		}
		if x = s.findFirstLiving(s.canAskIfShort); x != 0 && s.surplus > 0 {
			return &event{kind: evAsked, seat: x}
		}
		last := s.lastRecovery
		if !s.isLiving(last) {
			last = s.findFirstLiving(func(engine.Seat) bool { return true })
		}
		return &event{kind: evLaying, seat: last}
	}
	return s.nextEventAtRoundEnd()
}

// canAskIfShort reports whether x has not been asked yet if its hand is one short, after too many clues were
// found (rules, 4.2).
func (s *boardState) canAskIfShort(x engine.Seat) bool {
	return s.askedShort>>x&1 == 0 && s.seats[x].cards > 0
}

// forcedUrnRestEvent puts the first remaining clue on the only place that may receive it. If no player died, but
// there were more clues than players to recover them, that is the place of the first player (rules, 4.2).
func (s *boardState) forcedUrnRestEvent(shown set) *event {
	at := s.seats[s.findFirstLiving(func(engine.Seat) bool { return true })].at
	for p, may := range s.placesForUrnClues() {
		if may {
			at = place(p)
		}
	}
	return &event{kind: evRest, seat: s.lastRecovery, place: at, card: hideCard(shown.First())}
}

// nextEventAtRoundEnd returns the next event by HC-059, HC-154 and HC-034: a place closes, a role card is turned up,
// the game ends, or a new round begins.
func (s *roleState) nextEventAtRoundEnd() *event {
	for p := place(1); p <= numPlaces; p++ {
		if r := s.rooms[p]; r.deaths > 0 && !r.closed && r.cards == 0 && s.countPawns(p) == 0 {
			return &event{kind: evClosed, place: p}
		}
	}
	if int(s.round) >= s.lastRound() && !s.isEndless() {
		if x := s.findSeatToTurnUp(s.isLiving); x != 0 { // HC-157
			return s.turnUpEvent(x)
		}
		return s.gameEndAfterRounds()
	}
	return &event{kind: evRound, seat: s.nextLivingSeatAfter(s.first), n: uint16(s.round) + 1}
}

// gameEndAfterRounds returns the end of the game after the last round (HC-154, HC-211).
func (s *roleState) gameEndAfterRounds() *event {
	rule := "HC-154"
	if s.duel {
		rule = "HC-211"
	}
	switch s.ruleValue(swRoundsExhausted) {
	case "murderer":
		return gameOverEvent(rule, s.findMurderer(s.isSeated))
	case "nobody":
		return gameOverEvent(rule)
	}
	winners := []engine.Seat{}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if s.isLiving(x) && x != s.findMurderer(s.isSeated) {
			winners = append(winners, x)
		}
	}
	return gameOverEvent(rule, winners...)
}
