package huisclos

import (
	"strconv"

	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/presentation"
	"majordome/engine/internal/rules"
)

// actor is the acting seat and the hidden values known to the side that acts.
type actor struct {
	seat   engine.Seat // the seat that acts
	host   bool        // the host declares the act
	reader bool        // a reader has read the clue
	*knowledge
}

// Decide decides a command by the rules and returns its events or a refusal. It changes nothing.
func (s *state) Decide(c engine.Command, dice engine.Dice) ([]engine.Event, *engine.Reject) {
	_, evs, r := s.Play(c, dice)
	return evs, r
}

// Play is Decide that also returns the game after the events.
func (s *state) Play(c engine.Command, dice engine.Dice) (engine.Game, []engine.Event, *engine.Reject) {
	evs, r := s.judge(c, dice)
	if stands := rules.Stands(r, s.presenting()); stands != nil {
		evs, r = one(evAlarmed, c.At, 0), stands
	} else if r != nil {
		return s, nil, r
	}
	next, all := s.follow(c.At, evs)
	return next, all, r
}

// seatActs lists the acts of the active seat and the phases of each. The host may declare each of them,
// without naming a hidden clue.
var acts = map[string]rules.Phases{
	"role":       rules.In(roles, pick, investigation, deposit, reveal, recovery),
	"keep":       rules.In(pick),
	"move":       rules.In(investigation),
	"search":     rules.In(investigation),
	"pass":       rules.In(investigation, recovery),
	"take":       rules.In(investigation),
	"leave":      rules.In(investigation),
	"destroy":    rules.In(investigation),
	"done":       rules.In(investigation),
	"deposit":    rules.In(deposit),
	"no-deposit": rules.In(deposit),
	"exchange":   rules.In(investigation),
	"accuse":     rules.In(investigation),
	"draw":       rules.In(investigation),
	"give":       rules.In(investigation),
	"open":       rules.In(reveal),
	"show":       rules.In(reveal),
	"shown":      rules.In(reveal),
	"recover":    rules.In(recovery),
	"lay":        rules.In(recovery),
}

// decideAct decides one of seatActs. It is a switch, not a table of functions, so that the knowledge in by
// stays on the stack of the caller.
func (s *state) do(by actor, c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	switch c.Act {
	case "role":
		return s.doRole(by, c, dice)
	case "keep":
		return s.doKeep(by, c, dice)
	case "move":
		return s.doMove(by, c, dice)
	case "search":
		return s.doSearch(by, c, dice)
	case "pass":
		return s.doPass(by, c, dice)
	case "take":
		return s.doTake(by, c, dice)
	case "leave":
		return s.doLeave(by, c, dice)
	case "destroy":
		return s.doDestroy(by, c, dice)
	case "done":
		return s.doDone(by, c, dice)
	case "deposit":
		return s.doDeposit(by, c, dice)
	case "no-deposit":
		return s.doNoDeposit(by, c, dice)
	case "exchange":
		return s.doExchange(by, c, dice)
	case "accuse":
		return s.doAccuse(by, c, dice)
	case "draw":
		return s.doDraw(by, c, dice)
	case "give":
		return s.doGive(by, c, dice)
	case "open":
		return s.doOpen(by, c, dice)
	case "show":
		return s.doShow(by, c, dice)
	case "shown":
		return s.doShown(by, c, dice)
	case "recover":
		return s.doRecover(by, c, dice)
	case "lay":
		return s.doLay(by, c, dice)
	}
	panic("huisclos: " + c.Act + " is among the acts and does nothing")
}

// decideCommand decides a command by the rules, without the events that follow from its own.
func (s *state) judge(c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	if r := words.First(c, &s.count); r != nil {
		return nil, r
	}
	switch c.Act {
	case engine.ActScan:
		return s.scan(c, dice)
	case engine.ActDeadline:
		return s.deadline(c)
	case "observe":
		return s.observe(c)
	case "offer-draw":
		return s.agree(c)
	case "disagree":
		return s.disagree(c)
	case "hold", "forget":
		return s.mend(c)
	}
	if do, ok := hostActs[c.Act]; ok {
		if r := words.Host(c, do.phases, uint8(s.phase), "HC-032"); r != nil {
			return nil, r
		}
		return do.do(s, c, dice)
	}
	phases, ok := acts[c.Act]
	if !ok {
		return nil, refuse(engine.Unknown, "HC-051", "hc.no.unknown-act")
	}
	if r := s.boundLate(c); r != nil {
		return nil, r
	}
	if !phases.Has(uint8(s.phase)) {
		return nil, refuse(engine.NotNow, "HC-032", "hc.no.not-now")
	}
	by := actor{seat: s.active, host: c.By.IsHost()}
	if x, ok := c.By.Seat(); ok {
		by.seat = x
	} else if !by.host {
		return nil, refuse(engine.NotYou, "GEN-002", "hc.no.seat-only")
	}
	if s.active == 0 || by.seat != s.active {
		return nil, s.notYou(by.seat)
	}
	by.knowledge = s.knowledge(c.By)
	return s.do(by, c, dice)
}

// refuseNotTurn refuses an act of x out of turn, by the rule that gives the turn to another seat.
func (s *public) notYou(x engine.Seat) *engine.Reject {
	if s.dead(x) {
		return openly(engine.NotYou, "HC-138", engine.Say("hc.no.dead", "seat", x.String()))
	}
	_, rule := s.awaited()
	if s.phase == investigation && s.step != stepRole {
		rule = "HC-033"
	}
	return openly(engine.NotYou, rule, engine.Say("hc.no.not-your-turn", "seat", s.active.String()))
}

// parseHiddenCard reads the argument "card" of an act on a hidden clue; zero: the clue is unnamed.
func (h *houseRules) cardArg(by actor, c engine.Command) (card, *engine.Reject) {
	if c.Args["card"] == engine.Unnamed {
		return 0, nil
	}
	if by.host {
		return 0, refuse(engine.Forbidden, "GEN-024", "hc.no.host-unnamed")
	}
	return h.openCard(c)
}

// parseOpenCard reads the argument "card" of an act on a clue that all see.
func (h *houseRules) openCard(c engine.Command) (card, *engine.Reject) {
	x, ok := h.book.cards[c.Args["card"]]
	if !ok {
		return 0, refuse(engine.Unknown, "GEN-E02", "hc.no.no-clue")
	}
	return x, nil
}

var refuse, openly = rules.Refuse, rules.Openly

// refusalKeys are the messages of the refusals that every game has.
var words = rules.Words{
	UnknownAct: "hc.no.unknown-act", HostOnly: "hc.no.host-only", NotNow: "hc.no.not-now", Counting: "hc.no.counting",
	Unexpected: "hc.no.unexpected", Repeated: "hc.no.repeated",
	NoSeat: "hc.no.no-seat", EmptySeat: "hc.no.empty-seat", NoSwitch: "hc.no.no-switch", NoValue: "hc.no.no-value", Same: "hc.no.same",
	NoHolder: "hc.no.no-holder", NoNumber: "hc.no.no-number",
}

// readingKeys are the messages for a presentation that is not one known card.
var faults = presentation.Words{Several: "hc.no.several", Foreign: "hc.no.foreign", Unreadable: "hc.no.unreadable"}

// decideScan decides a presentation at a reader. The public answer to a bad reading and to a secret refusal
// is the same (GEN-004); only the active seat is shown the reason.
func (s *state) scan(c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	if p := s.book.places[c.Args["reader"]]; p != 0 {
		return s.pawnLaid(c, p, dice)
	}
	id, fault := faults.Card(c)
	if fault != nil && fault.Rule == "GEN-E06" && s.second(c) {
		fault.Why = engine.Say("hc.no.second")
		return nil, presentation.Again(fault, s.dropper)
	}
	if !s.listens(c.Args["reader"]) {
		return nil, words.Ignored()
	}
	if fault != nil && fault.Rule == engine.RuleAlarm { // a copied card raises the alarm, whichever seat deposited last
		return nil, fault
	}
	if r := s.tapped(c); r != nil {
		return nil, r
	}
	if fault != nil {
		return nil, presentation.Again(fault, s.active)
	}
	if s.same(c.At, id) {
		return nil, words.Repeats()
	}
	if s.phase == roles || s.step == stepRole {
		return s.scanRole(c, id)
	}
	x, ok := s.book.cards[id]
	if !ok {
		return nil, presentation.Again(refuse(engine.BadRead, "GEN-E02", "hc.no.no-clue"), s.active)
	}
	if s.phase == laying {
		return s.scanLaying(c, x, dice)
	}
	by := actor{seat: s.active, reader: true, knowledge: s.knowledge(engine.At(s.active))}
	return s.scanClue(by, c.At, x)
}

// isReaderWaiting reports whether a reader waits for a card now.
func (s *boardState) listens(reader string) bool {
	switch {
	case s.active == 0 && s.phase != laying, s.window:
		return false
	case s.everyReader():
		return reader == engine.ReaderUrn || reader == engine.ReaderShow
	}
	return reader != "" && reader == s.waiting()
}

// allowsBothReaders reports whether both readers wait: for an open clue, or for a role card to be turned
// up.
func (s *boardState) everyReader() bool {
	return s.active != 0 && (s.phase == recovery && s.step != stepLay || s.step == stepShow || s.step == stepRole)
}

// waitingReader returns the reader that waits in this phase and step, if only one does; empty: none. After
// a search with a full hand it also accepts the clue of a swap; that shows only the size of the hand.
func (s *boardState) waiting() string {
	switch s.phase {
	case roles, laying, pick:
		return engine.ReaderShow
	case investigation:
		if s.step == stepTake || s.step == stepDraw || s.step == stepGive || s.step == stepSettle && s.full {
			return engine.ReaderShow
		}
	case deposit:
		return engine.ReaderUrn
	}
	return ""
}

// decideClueScan decides a presented clue by the act that the phase waits for.
func (s *state) scanClue(by actor, at engine.Millis, c card) ([]*event, *engine.Reject) {
	no, plain := s.astray(by, c)
	if no && plain {
		return nil, presentation.Alarm()
	}
	var evs []*event
	var r *engine.Reject
	switch s.phase {
	case pick:
		evs, r = s.keep(by, at, c)
	case investigation:
		evs, r = s.scanInvestigation(by, at, c)
	case deposit:
		evs, r = s.put2urn(by, at, c)
	case reveal:
		if by.shown().Has(c) {
			return nil, words.Repeats()
		}
		evs, r = s.show(by, at, c)
	case recovery:
		evs, r = s.recover(by, at, c)
	}
	switch {
	case r != nil:
		return nil, presentation.Again(r, s.active)
	case no:
		return nil, presentation.Alarm()
	}
	return evs, nil
}

// liftTime is the time during which a recovered clue may still be on its way into the hand.
const lifts engine.Millis = 3_000

// reminderDelay is the time until a seat is reminded of its choice (GEN-E07).
const reminder engine.Millis = 90_000

// Deadlines returns the reminder to the seat whose card a reader waits for, and the end of the observers'
// time.
func (s *state) Deadlines() []engine.Deadline {
	if s.active == 0 || s.count.Stands() {
		return nil
	}
	switch {
	case s.window:
		return []engine.Deadline{{ID: "window-" + strconv.Itoa(int(s.wait)), At: s.since + s.book.delay}}
	case (s.everyReader() || s.waiting() != "") && !s.reminded:
		return []engine.Deadline{{ID: "remind-" + strconv.Itoa(int(s.wait)), At: s.since + reminder}}
	}
	return nil
}

func (s *state) deadline(c engine.Command) ([]*event, *engine.Reject) {
	switch {
	case !rules.Due(c, s.Deadlines()):
		return nil, words.Ignored()
	case s.window:
		return one(evWindow, c.At, s.active), nil
	}
	return one(evReminded, c.At, s.active), nil
}

// seatEvent returns one event of a seat.
func one(k eventKind, at engine.Millis, x engine.Seat) []*event {
	return []*event{{kind: k, at: at, seat: x}}
}

// cardEvent returns one event of a seat and a clue.
func oneCard(k eventKind, at engine.Millis, x engine.Seat, c card) []*event {
	return []*event{{kind: k, at: at, seat: x, card: hide(c)}}
}

// moveEvent returns the event of a clue that the actor moves. from is the hand or place that the clue
// leaves, with n clues in it.
func (s *recordState) moved(k eventKind, at engine.Millis, by actor, c card, from loc, n uint8) *event {
	e := &event{kind: k, at: at, seat: by.seat, trust: said}
	switch {
	case c == 0 && by.host:
		e.trust = blind
	case c == 0:
		e.trust = silent
	case by.reader || s.cards.Count(from) == int(n) && s.cards.At(c) == from:
		e.trust = exact
	}
	if c != 0 {
		e.card = hide(c)
	}
	return e
}

// hideRole hides a role from all viewers, for the store.
func hiddenRole(d drawn) box.Small[drawn] { return box.SealSmall(d, box.Nobody) }
