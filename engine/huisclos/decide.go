package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/hidden"
	"majordome/engine/internal/presentation"
	"majordome/engine/internal/rules"
)

// actor is the acting seat and the hidden values known to the side that acts.
type actor struct {
	seat       engine.Seat // the seat that acts
	isHost     bool        // the host declares the act
	fromReader bool        // a reader has read the clue
	*knowledge
}

// Decide decides a command by the rules and returns its events or a refusal. It changes nothing.
func (s *state) Decide(c engine.Command, dice engine.Dice) ([]engine.Event, *engine.Reject) {
	_, evs, r := s.DecideAndApply(c, dice)
	return evs, r
}

// DecideAndApply is Decide that also returns the game after the events.
func (s *state) DecideAndApply(c engine.Command, dice engine.Dice) (engine.Game, []engine.Event, *engine.Reject) {
	evs, r := s.decideCommand(c, dice)
	if stands := rules.AdaptAlarmToDeal(r, s.isDealing()); stands != nil {
		evs, r = seatEvent(evAlarmed, c.At, 0), stands
	} else if r != nil {
		return s, nil, r
	}
	next, all := s.applyWithConsequences(c.At, evs)
	return next, all, r
}

// seatActs lists the acts of the active seat and the phases of each. The host may declare each of them,
// without naming a hidden clue.
var seatActs = map[string]rules.Phases{
	"role":       rules.NewPhases(phaseRoles, phasePick, phaseInvestigation, phaseDeposit, phaseReveal, phaseRecovery),
	"keep":       rules.NewPhases(phasePick),
	"move":       rules.NewPhases(phaseInvestigation),
	"search":     rules.NewPhases(phaseInvestigation),
	"pass":       rules.NewPhases(phaseInvestigation, phaseRecovery),
	"take":       rules.NewPhases(phaseInvestigation),
	"take-last":  rules.NewPhases(phaseInvestigation),
	"leave":      rules.NewPhases(phaseInvestigation),
	"destroy":    rules.NewPhases(phaseInvestigation),
	"done":       rules.NewPhases(phaseInvestigation),
	"deposit":    rules.NewPhases(phaseDeposit),
	"no-deposit": rules.NewPhases(phaseDeposit),
	"exchange":   rules.NewPhases(phaseInvestigation),
	"accuse":     rules.NewPhases(phaseInvestigation),
	"draw":       rules.NewPhases(phaseInvestigation),
	"give":       rules.NewPhases(phaseInvestigation),
	"open":       rules.NewPhases(phaseReveal),
	"show":       rules.NewPhases(phaseReveal),
	"shown":      rules.NewPhases(phaseReveal),
	"recover":    rules.NewPhases(phaseRecovery),
	"lay":        rules.NewPhases(phaseRecovery),
}

// decideSeatAct decides one of seatActs. It is a switch, not a table of functions, so that the knowledge in by
// stays on the stack of the caller.
func (s *state) decideSeatAct(by actor, c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	switch c.Act {
	case "keep", "take", "take-last", "leave", "deposit", "give":
		return s.decideHiddenClueAct(by, c)
	case "destroy", "show", "recover":
		return s.decideOpenClueAct(by, c)
	case "role":
		return s.decideRoleCard(by, c, dice)
	case "move":
		return s.decideMove(by, c, dice)
	case "search":
		return s.decideSearch(by, c, dice)
	case "pass":
		return s.decideNothingToDo(by, c, dice)
	case "done":
		return s.decideFinishSearch(by, c, dice)
	case "no-deposit":
		return s.decideNoDeposit(by, c, dice)
	case "exchange":
		return s.decideExchange(by, c, dice)
	case "accuse":
		return s.decideAccusation(by, c, dice)
	case "draw":
		return s.decideDrawFromHand(by, c, dice)
	case "open":
		return s.decideOpenUrn(by, c, dice)
	case "shown":
		return s.decideAllCluesFound(by, c, dice)
	case "lay":
		return s.decideLayUrnClue(by, c, dice)
	}
	panic("huisclos: " + c.Act + " is among the acts and does nothing")
}

// decideHiddenClueAct decides an act on a clue that only its seat sees.
func (s *state) decideHiddenClueAct(by actor, c engine.Command) ([]*event, *engine.Reject) {
	x, r := s.parseHiddenCard(by, c)
	switch {
	case r != nil:
		return nil, r
	case c.Act == "keep":
		return s.keepEvents(by, c.At, x)
	case c.Act == "deposit":
		return s.depositEvents(by, c.At, x)
	case c.Act == "take" && s.step == stepTake:
		return s.takeEvents(by, c.At, x)
	case c.Act == "take-last" && s.step == stepTake && s.canTakeAndEnd(by.seat):
		return s.takeLastEvents(by, c.At, x)
	case c.Act == "leave" && s.step == stepSettle:
		return s.leaveEvents(by, c.At, x)
	case c.Act == "give" && s.step == stepGive:
		return s.giveEvents(by, c.At, x)
	}
	return nil, s.refuseWrongStep()
}

// decideOpenClueAct decides an act on a clue that all see.
func (s *state) decideOpenClueAct(by actor, c engine.Command) ([]*event, *engine.Reject) {
	x, r := s.parseOpenCard(c)
	switch {
	case r != nil:
		return nil, r
	case c.Act == "destroy":
		return s.destroyEvents(by, c.At, x)
	case c.Act == "show":
		return s.showEvents(by, c.At, x)
	}
	return s.recoverEvents(by, c.At, x)
}

// decideCommand decides a command by the rules, without the events that follow from its own.
func (s *state) decideCommand(c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	if r := refusalKeys.RefuseOutOfPlace(c, &s.count); r != nil {
		return nil, r
	}
	switch c.Act {
	case engine.ActScan:
		return s.decideScan(c, dice)
	case engine.ActDeadline:
		return s.decideDeadline(c)
	case "observe":
		return s.decideObserve(c)
	case "offer-draw":
		return s.decideOfferDraw(c)
	case "disagree":
		return s.decideObserverDisagrees(c)
	case "hold", "forget":
		return s.decideClaimOrForget(c)
	}
	if do, ok := hostActs[c.Act]; ok {
		if r := refusalKeys.RefuseUnlessHost(c, do.phases, uint8(s.phase), "HC-032"); r != nil {
			return nil, r
		}
		return do.do(s, c, dice)
	}
	phases, ok := seatActs[c.Act]
	if !ok {
		return nil, refuse(engine.Unknown, "HC-051", "hc.no.unknown-act")
	}
	if r := s.waivableRefusalAfterTurn(c); r != nil {
		return nil, r
	}
	if !phases.Contains(uint8(s.phase)) {
		return nil, refuse(engine.NotNow, "HC-032", "hc.no.not-now")
	}
	by := actor{seat: s.active, isHost: c.By.IsHost()}
	if x, ok := c.By.Seat(); ok {
		by.seat = x
	} else if !by.isHost {
		return nil, refuse(engine.NotYou, "GEN-002", "hc.no.seat-only")
	}
	if s.active == 0 || by.seat != s.active {
		return nil, s.refuseOutOfTurn(by.seat)
	}
	by.knowledge = s.knowledgeFor(c.By)
	return s.decideSeatAct(by, c, dice)
}

// refuseOutOfTurn refuses an act of x out of turn, by the rule that gives the turn to another seat.
func (s *public) refuseOutOfTurn(x engine.Seat) *engine.Reject {
	if s.isDead(x) {
		return refuseOpenly(engine.NotYou, "HC-138", "hc.no.dead", "seat", x.String())
	}
	_, rule := s.promptKey()
	if s.phase == phaseInvestigation && s.step != stepRole {
		rule = "HC-033"
	}
	return refuseOpenly(engine.NotYou, rule, "hc.no.not-your-turn", "seat", s.active.String())
}

// parseHiddenCard reads the argument "card" of an act on a hidden clue; zero: the clue is unnamed.
func (h *houseRules) parseHiddenCard(by actor, c engine.Command) (card, *engine.Reject) {
	if c.Args["card"] == engine.Unnamed {
		return 0, nil
	}
	if by.isHost {
		return 0, refuse(engine.Forbidden, "GEN-024", "hc.no.host-unnamed")
	}
	return h.parseOpenCard(c)
}

// parseOpenCard reads the argument "card" of an act on a clue that all see.
func (h *houseRules) parseOpenCard(c engine.Command) (card, *engine.Reject) {
	x, ok := h.book.cardByID[c.Args["card"]]
	if !ok {
		return 0, refuse(engine.Unknown, "GEN-E02", "hc.no.no-clue")
	}
	return x, nil
}

var refuse, refuseOpenly = rules.RefusePrivately, rules.RefuseOpenly

// refusalKeys are the messages of the refusals that every game has.
var refusalKeys = rules.RefusalKeys{
	UnknownAct: "hc.no.unknown-act", HostOnly: "hc.no.host-only", NotNow: "hc.no.not-now", Counting: "hc.no.counting",
	Unexpected: "hc.no.unexpected", Repeated: "hc.no.repeated",
	NoSeat: "hc.no.no-seat", EmptySeat: "hc.no.empty-seat", NoSwitch: "hc.no.no-switch", NoValue: "hc.no.no-value", SameValue: "hc.no.same",
	NoHolder: "hc.no.no-holder", NoNumber: "hc.no.no-number",
}

// readingKeys are the messages for a presentation that is not one known card.
var readingKeys = presentation.FaultKeys{Several: "hc.no.several", Foreign: "hc.no.foreign", Unreadable: "hc.no.unreadable"}

// decideScan decides a presentation at a reader. The public answer to a bad reading and to a secret refusal
// is the same (GEN-004); only the active seat is shown the reason.
func (s *state) decideScan(c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	if p := s.book.placeByID[c.Args["reader"]]; p != 0 {
		return s.decidePawnScan(c, p, dice)
	}
	id, fault := readingKeys.ParseSingleCard(c)
	if fault != nil && fault.Rule == "GEN-E06" && s.isSoonAfterDeposit(c) {
		fault.Why = engine.NewMsg("hc.no.second")
		return nil, presentation.AsNeutralRefusal(fault, s.lastDepositor)
	}
	if !s.isReaderWaiting(c.Args["reader"]) {
		return nil, refusalKeys.RefuseUnexpectedCard()
	}
	if fault != nil && fault.Rule == engine.RuleAlarm { // a copied card raises the alarm, whichever seat deposited last
		return nil, fault
	}
	if r := s.refuseAfterPhoneDeposit(c); r != nil {
		return nil, r
	}
	if fault != nil {
		return nil, presentation.AsNeutralRefusal(fault, s.active)
	}
	if s.isSameReadingAgain(c.At, id) {
		return nil, refusalKeys.RefuseRepeatedCard()
	}
	if s.phase == phaseRoles || s.step == stepRole {
		return s.decideRoleScan(c, id)
	}
	x, ok := s.book.cardByID[id]
	if !ok {
		return nil, presentation.AsNeutralRefusal(refuse(engine.BadRead, "GEN-E02", "hc.no.no-clue"), s.active)
	}
	if s.phase == phaseLaying {
		return s.decideLayingScan(c, x, dice)
	}
	by := actor{seat: s.active, fromReader: true, knowledge: s.knowledgeFor(engine.SeatViewer(s.active))}
	return s.decideClueScan(by, c.At, x)
}

// isReaderWaiting reports whether a reader waits for a card now.
func (s *boardState) isReaderWaiting(reader string) bool {
	switch {
	case s.active == 0 && s.phase != phaseLaying, s.windowOpen:
		return false
	case s.allowsBothReaders():
		return reader == engine.ReaderUrn || reader == engine.ReaderShow
	}
	return reader != "" && reader == s.waitingReader()
}

// allowsBothReaders reports whether both readers wait: for an open clue, or for a role card to be turned
// up.
func (s *boardState) allowsBothReaders() bool {
	return s.active != 0 && (s.phase == phaseRecovery && s.step != stepLay || s.step == stepShow || s.step == stepRole)
}

// waitingReader returns the reader that waits in this phase and step, if only one does; empty: none. After
// a search with a full hand it also accepts the clue of a swap; that shows only the size of the hand.
func (s *boardState) waitingReader() string {
	switch s.phase {
	case phaseRoles, phaseLaying, phasePick:
		return engine.ReaderShow
	case phaseInvestigation:
		if s.step == stepTake || s.step == stepDraw || s.step == stepGive || s.step == stepSettle && s.handWasFull {
			return engine.ReaderShow
		}
	case phaseDeposit:
		return engine.ReaderUrn
	}
	return ""
}

// decideClueScan decides a presented clue by the act that the phase waits for.
func (s *state) decideClueScan(by actor, at engine.Millis, c card) ([]*event, *engine.Reject) {
	alarm, beforeRules := s.mustRaiseAlarm(by, c)
	if alarm && beforeRules {
		return nil, presentation.NewAlarmReject()
	}
	var evs []*event
	var r *engine.Reject
	switch s.phase {
	case phasePick:
		evs, r = s.keepEvents(by, at, c)
	case phaseInvestigation:
		evs, r = s.decideInvestigationScan(by, at, c)
	case phaseDeposit:
		evs, r = s.depositEvents(by, at, c)
	case phaseReveal:
		if by.shownClues().Contains(c) {
			return nil, refusalKeys.RefuseRepeatedCard()
		}
		evs, r = s.showEvents(by, at, c)
	case phaseRecovery:
		evs, r = s.recoverEvents(by, at, c)
	}
	switch {
	case r != nil:
		return nil, presentation.AsNeutralRefusal(r, s.active)
	case alarm:
		return nil, presentation.NewAlarmReject()
	}
	return evs, nil
}

// liftTime is the time during which a recovered clue may still be on its way into the hand.
const liftTime engine.Millis = 3_000

// Deadlines returns the reminder to the seat whose card a reader waits for, and the end of the observers'
// time.
func (s *public) Deadlines() []engine.Deadline {
	if s.active == 0 || s.count.IsPlayStopped() {
		return nil
	}
	switch {
	case s.windowOpen:
		return rules.NewDeadline("window", s.waitNumber, s.waitingSince+s.book.observeDelay)
	case (s.allowsBothReaders() || s.waitingReader() != "") && !s.reminded:
		return rules.NewDeadline("remind", s.waitNumber, s.waitingSince+rules.ReminderDelay)
	}
	return nil
}

func (s *public) decideDeadline(c engine.Command) ([]*event, *engine.Reject) {
	switch {
	case !rules.IsDueDeadline(c, s.Deadlines()):
		return nil, refusalKeys.RefuseUnexpectedCard()
	case s.windowOpen:
		return seatEvent(evWindow, c.At, s.active), nil
	}
	return seatEvent(evReminded, c.At, s.active), nil
}

// seatEvent returns one event of a seat.
func seatEvent(k eventKind, at engine.Millis, x engine.Seat) []*event {
	return []*event{{kind: k, at: at, seat: x}}
}

// cardEvent returns one event of a seat and a clue.
func cardEvent(k eventKind, at engine.Millis, x engine.Seat, c card) []*event {
	return []*event{{kind: k, at: at, seat: x, card: hideCard(c)}}
}

// moveEvent returns the event of a clue that the actor moves. from is the hand or place that the clue
// leaves, with countAtFrom clues in it.
func (s *recordState) moveEvent(k eventKind, at engine.Millis, by actor, c card, from loc, countAtFrom uint8) *event {
	e := &event{kind: k, at: at, seat: by.seat, trust: trustSaid}
	switch {
	case c == 0 && by.isHost:
		e.trust = trustBlind
	case c == 0:
		e.trust = trustUnnamed
	case by.fromReader || s.ledger.CountAt(from) == int(countAtFrom) && s.ledger.LocationOf(c) == from:
		e.trust = trustExact
	}
	if c != 0 {
		e.card = hideCard(c)
	}
	return e
}

// hideRole hides a role from all viewers, for the store.
func hideRole(d drawnRole) hidden.SmallValue[drawnRole] { return hidden.NewSmall(d, hidden.Nobody) }
