package huisclos

import (
	"fmt"

	"majordome/engine"
	"majordome/engine/internal/hidden"
	"majordome/engine/internal/position"
	"majordome/engine/internal/rules"
)

// eventKind is the kind of an event: an index of eventRows.
type eventKind uint8

const (
	evSat eventKind = iota + 1
	evRose
	evFirst
	evSwitched
	evBegun
	evRole      // a seat has its role
	evRolesBad  // not exactly one Murderer: start over
	evRolesAuto // the machine drew the roles
	evRolesGood // laying begins
	evDealt     // the machine has fixed where each clue goes
	evLaid
	evLaidAll
	evPile // the pile of the initial pick goes to a seat
	evKept
	evRound
	evCalled // a seat is to act
	evMoved
	evSearched
	evWindow // the time for observers is over
	evTook
	evLeft
	evDestroyed
	evPurged
	evEnded // the investigation of a seat has ended
	evDepositing
	evDeposited
	evShort // a seat has nothing to deposit
	evReady // the urn may be opened
	evOpened
	evDied
	evDuel
	evRecovering
	evRecovered
	evLaying // a seat is to put the rest of the urn on the crime places
	evRest
	evClosed
	evReminded
	evOver
	evPosition
	evExchange
	evDrew
	evGave
	evObserved
	evAccused
	evAgreed
	evUntold // a seat has its role and keeps it from the machine
	evLaidHand
	evClaimed   // a seat names a clue of its hand
	evUnclaimed // ... or says that it does not hold one
	evUnsealed
	evFound
	evFoundAll
	evTurning // a seat is to turn its role card up
	evTurned
	evAsked // is the hand of a seat one clue short?
	evNotShort
	evCounting
	evCountIs
	evCounted
	evShuffled
	evPawn      // the place of a pawn is corrected
	evDisagreed // an observer was shown another clue
	evReadAgain // all cards of this phase are to be read again
	evSkipped   // the host overrules (overrule.go): the awaited seat is passed over
	evAdvanced  // all seats still awaited in this phase are passed over
	evTurnTo    // the turn goes to a seat
	evKilled    // a player dies
	evRevived   // a dead player lives again
	evAllowed   // a rule is waived for a seat
	evAlarmed   // a card cannot be where it was presented: the set-up waits for the host (GEN-E13)
	numEventKinds
)

// event is a fact of the game. Its kind decides which fields count. Fields that are hidden from any viewer
// print as a mask.
type event struct {
	kind      eventKind
	at        engine.Millis
	seat      engine.Seat
	other     engine.Seat
	place     place
	character character
	n         uint16 // by kind: round, set of winning seats, number of clues, or 1 as a flag
	trust     trust  // how the clue is known; card is empty if the clue is unnamed
	houseRule uint8  // index of a house rule; n is its value
	step      step   // the step that follows
	ends      bool   // the investigation had no action (HC-054); the game ends by agreement (HC-211)
	text      string
	card      hidden.SmallValue[card]
	role      hidden.SmallValue[drawnRole]
	roles     hidden.Value[[maxSeats + 1]role]
	deal      hidden.Value[deal]
	position  hidden.Value[position.Position]
}

// Kind returns the name under which the event is stored.
func (e *event) Kind() string { return eventRows[e.kind].Name }

// IsBarrier reports whether the event shows something to a player, who cannot forget it.
func (e *event) IsBarrier() bool { return eventRows[e.kind].IsBarrier(e) }

// Stamp sets the time of the event.
func (e *event) Stamp(at engine.Millis) { e.at = at }

// Format prints only the kind for every verb, so that a log of the program shows no secret.
func (e event) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(eventRows[e.kind].Name)) }

// clue returns the card that the event moves; zero: it is unnamed.
func (e *event) clue() card {
	c, _ := e.card.Open()
	return c
}

// clueSet returns the set of that one card; it is empty if the card is unnamed.
func (e *event) clueSet() (one set) {
	if c, ok := e.card.Open(); ok {
		one = one.WithCard(c)
	}
	return one
}

// alwaysShows is the barrier of events that always show something.
func alwaysShows(*event) bool { return true }

func hideCard(c card) hidden.SmallValue[card] { return hidden.NewSmall(c, hidden.Nobody) }

// eventRows has one row for each kind of event: how to decode, apply and announce it.
var eventRows = [numEventKinds]rules.Row[*Book, *state, *event, *storedEvent, func(storyRecorder)]{
	// Set-up.
	evSat: {Name: "sat", Needs: rules.NeedSeat, Decode: (*storedEvent).checkPlayer, LogLine: rules.NewLine(logSat, "seat", "character"),
		Apply: func(s *state, e *event) { s.seatPlayer(e.seat, e.text, player{character: e.character}) }},
	evRose: {Name: "rose", Needs: rules.NeedSeat, Apply: func(s *state, e *event) {
		s.seats[e.seat] = player{}
		if s.first == e.seat {
			s.first = 0
		}
	}, Narrate: storyRecorder.recordRose},
	evFirst: {Name: "first", Needs: rules.NeedSeat, Apply: func(s *state, e *event) { s.first = e.seat }},
	evSwitched: {Name: "switched", Decode: (*storedEvent).decodeSwitch,
		Apply: func(s *state, e *event) { s.rules[e.houseRule] = uint8(e.n) }},
	evBegun: {Name: "begun", Happening: rules.NewHappening(engine.HapBegun), Narrate: storyRecorder.recordBegun,
		Apply: func(s *state, e *event) {
			s.applyBegun()
			s.phase = phaseRoles
			s.callSeat(s.first, e.at)
		}},
	evRole: {Name: "role", Needs: rules.NeedSeat, Decode: (*storedEvent).decodeRole,
		Happening: rules.NewHappening(engine.HapReceived, "seat"), LogLine: rules.NewLine("hc.log.role", "seat"),
		Apply: func(s *state, e *event) {
			d, _ := e.role.Open()
			s.roles[e.seat] = hidden.NewSmall(d, hidden.OnlySeats(e.seat))
			s.callNextForRole(e)
			s.rememberLastRead(d.readerCard(), e.at)
		}},
	evUntold: {Name: "role-untold", Needs: rules.NeedSeat, Apply: (*state).callNextForRole,
		Happening: rules.NewHappening(engine.HapReceived, "seat"), LogLine: rules.NewLine("hc.log.role", "seat")},
	evRolesBad: {Name: "roles-wrong", Happening: rules.NewHappening(engine.HapRedrawn), LogLine: rules.NewLine("hc.log.roles-wrong"),
		Apply: func(s *state, e *event) { s.restartRoleDraw(e.at) }},
	evRolesAuto: {Name: "roles-drawn", Barrier: alwaysShows, Decode: (*storedEvent).decodeRoles,
		LogLine: rules.NewLine("hc.log.roles-drawn"),
		Apply: func(s *state, e *event) {
			rs, _ := e.roles.Open()
			for x := engine.Seat(1); x <= maxSeats; x++ {
				if s.isSeated(x) {
					s.roles[x] = hidden.NewSmall(newDrawnRole(rs[x], 0), hidden.OnlySeats(x))
					s.seats[x].done = true
				}
			}
			s.callSeat(0, e.at)
		}},
	evRolesGood: {Name: "roles-right", Happening: rules.NewHappening(engine.HapAssigned), LogLine: rules.NewLine("hc.log.roles-right"),
		Apply: func(s *state, e *event) { s.beginPhase(phaseLaying, e.at) }},
	evDealt: {Name: "dealt", Decode: (*storedEvent).decodeDeal, Apply: func(s *state, e *event) { s.deal = &e.deal }},
	evLaid: {Name: "laid", Needs: rules.NeedPlace | rules.NeedCard, Happening: rules.NewHappening(engine.HapLaid, "place"),
		LogLine: rules.NewLine("hc.log.laid", "place"),
		Apply: func(s *state, e *event) {
			s.placeClue(e.clue(), e.place)
			s.rememberLastReadFrom(e)
		}},
	evLaidAll:  {Name: "laid-all", LogLine: rules.NewLine("hc.log.laid-all"), Apply: (*state).applyLaidAll},
	evLaidHand: {Name: "laid-by-hand", LogLine: rules.NewLine("hc.log.laid-all"), Apply: func(s *state, _ *event) { s.placeUnreadClues() }},
	evPile: {Name: "pile", Barrier: alwaysShows, Needs: rules.NeedSeat, Narrate: storyRecorder.recordPile, NeedsBefore: true,
		Apply: func(s *state, e *event) { s.showPileForPick(e.seat, e.at) }},
	evKept: {Name: "kept", Needs: rules.NeedSeat, Decode: (*storedEvent).checkMovedClue,
		Happening: rules.NewHappening(engine.HapTaken, "seat", "place"), LogLine: rules.NewLine("hc.log.kept", "seat"),
		OwnKey: "hc.log.kept.own",
		Apply: func(s *state, e *event) {
			p := &s.seats[e.seat]
			s.takeIntoHand(e)
			s.setPlaceAudience(p.at, hidden.Nobody)
			p.done = true
			s.callSeat(0, e.at)
			s.addTakenSighting(e)
		}},

	// The investigation.
	evRound: {Name: "round", Needs: rules.NeedSeat, Apply: (*state).beginRound, Narrate: storyRecorder.recordAccusationsOpen,
		Happening: rules.NewHappening(engine.HapRound, "seat"), LogLine: rules.NewLine("hc.log.round", "n", "seat")},
	evCalled: {Name: "called", NotAnAct: true, Needs: rules.NeedSeat, Apply: func(s *state, e *event) { s.callToAct(e.seat, e.at) }},
	evMoved: {Name: "moved", Needs: rules.NeedSeat | rules.NeedPlace,
		Happening: rules.NewHappening(engine.HapMoved, "seat", "place"), LogLine: rules.NewLine("hc.log.moved", "seat", "place"),
		Apply: func(s *state, e *event) { s.seats[e.seat].at, s.step, s.hasMoved = e.place, stepAct, true }},
	evSearched: {Name: "searched", Barrier: alwaysShows, Needs: rules.NeedSeat, LogLine: rules.NewLine("hc.log.searched", "seat", "place"),
		Apply: func(s *state, e *event) {
			p := &s.seats[e.seat]
			s.step, s.handWasFull, s.windowOpen = stepTake, p.cards >= handLimit, e.n != 0
			s.startWaitForActive(e.at)
			s.setPlaceAudience(p.at, hidden.OnlySeats(e.seat))
			s.addPlaceSighting(e.seat)
			s.forgetLastRead()
		}},
	evWindow: {Name: "window-closed", Apply: func(s *state, e *event) {
		s.windowOpen = false
		s.startWaitForActive(e.at)
	}},
	evTook: {Name: "took", Barrier: func(e *event) bool { return e.n != 0 }, // observers have seen the clue
		Needs: rules.NeedSeat, Decode: (*storedEvent).checkMovedClue,
		Happening: rules.NewHappening(engine.HapTaken, "seat", "place"), LogLine: rules.NewLine("hc.log.took", "seat"),
		OwnKey:  "hc.log.took.own",
		Narrate: func(t storyRecorder) { t.recordForObservers(t.event.seat, t.event.clue()) },
		Apply: func(s *state, e *event) {
			s.takeIntoHand(e)
			s.taken = e.card.WithAudience(hidden.OnlySeats(e.seat))
			s.noteShownToObservers(e.seat, e.card)
			s.step = e.step
			s.startWaitForActive(e.at)
			s.addTakenSighting(e)
		}},
	evLeft: {Name: "left", Needs: rules.NeedSeat, Decode: (*storedEvent).checkMovedClue,
		Happening: rules.NewHappening(engine.HapLeft, "seat", "place"), LogLine: rules.NewLine("hc.log.left", "seat"),
		OwnKey: "hc.log.left.own",
		Apply: func(s *state, e *event) {
			x, c := e.seat, e.clue()
			s.recordCardLeftHand(x, c, e.trust)
			s.addToPlace(s.seats[x].at, c, e.trust, hidden.OnlySeats(x))
			s.step = stepPurge
			s.addSighting(x, e.clueSet(), engine.Sighting{How: engine.SawLeft, Place: s.placeOf(x)})
		}},
	evDestroyed: {Name: "destroyed", Barrier: alwaysShows, Needs: rules.NeedSeat | rules.NeedCard,
		Happening: rules.NewHappening(engine.HapGone, "seat", "card"), LogLine: rules.NewLine("hc.log.destroyed", "seat", "card"),
		Apply: func(s *state, e *event) {
			s.removeFromHandOpenly(e.card, e.seat)
			s.seats[e.seat].destroyed++
			s.step = stepPurge
		}},
	evPurged: {Name: "purged", Barrier: alwaysShows, Needs: rules.NeedSeat | rules.NeedCard,
		Happening: rules.NewHappening(engine.HapGone, "seat", "card"), LogLine: rules.NewLine("hc.log.destroyed", "seat", "card"),
		Apply: func(s *state, e *event) {
			c, at := e.clue(), s.seats[e.seat].at
			s.forgetContradictions(c, loc(at))
			s.takeFromPlace(at, c, trustExact)
			s.ledger.RecordCard(c, locGone, hidden.Everyone)
		}},
	evEnded: {Name: "investigated", NotAnAct: true, Needs: rules.NeedSeat, Narrate: storyRecorder.recordIdle,
		Apply: func(s *state, e *event) {
			s.finishInvestigation(e.seat)
			s.callSeat(0, e.at)
			if s.idleSeat = 0; e.ends {
				s.idleSeat = e.seat
			}
		}},
	evExchange: {Name: "exchange", Needs: rules.NeedSeat | rules.NeedOther, LogLine: rules.NewLine("hc.log.exchange", "seat", "other"),
		Apply: func(s *state, e *event) {
			s.target, s.step, s.windowOpen = e.other, e.step, e.n != 0
			s.startWaitForActive(e.at)
			s.forgetLastRead()
		}},
	evDrew: {Name: "drew", Barrier: alwaysShows, Needs: rules.NeedSeat | rules.NeedOther, Decode: (*storedEvent).checkMovedClue,
		Apply: (*state).applyDrew, Narrate: storyRecorder.recordDrew},
	evGave: {Name: "gave", Barrier: alwaysShows, Needs: rules.NeedSeat | rules.NeedOther, Decode: (*storedEvent).checkMovedClue,
		Apply: (*state).applyGave, Narrate: storyRecorder.recordGave,
		Happening: rules.NewHappening(engine.HapPassed, "seat", "other"), LogLine: rules.NewLine("hc.log.gave", "seat", "other")},
	evObserved: {Name: "observed", Needs: rules.NeedSeat, LogLine: rules.NewLine("hc.log.observes", "seat", "other"),
		Apply: func(s *state, e *event) { s.seats[e.seat].usedObservation, s.seats[e.seat].observing = true, true }},
	evAccused: {Name: "accused", Barrier: alwaysShows, Needs: rules.NeedSeat | rules.NeedOther | rules.NeedCard,
		Happening: rules.NewHappening(engine.HapAccused, "seat", "other", "card"),
		LogLine:   rules.NewLine("hc.log.accused", "seat", "other", "card"),
		Narrate:   storyRecorder.recordWrongAccusation,
		Apply: func(s *state, e *event) {
			s.removeFromHandOpenly(e.card, e.seat)
			s.accuser, s.accused = e.seat, e.other
			s.revealRole(e.other)
			s.passTokenIfInnocent()
		}},
	evAgreed: {Name: "draw-offered", Needs: rules.NeedSeat, LogLine: rules.NewLine("hc.log.draw-offered", "seat"),
		Apply: func(s *state, e *event) { s.seats[e.seat].offeredDraw = true }},

	// The murder resolution.
	evDepositing: {Name: "deposit-begun", NotAnAct: true, Apply: func(s *state, e *event) {
		s.lastDepositor, s.depositedByTap = 0, false
		s.beginPhase(phaseDeposit, e.at)
		s.forgetLastRead()
	}},
	evDeposited: {Name: "deposited", Needs: rules.NeedSeat, Decode: (*storedEvent).checkMovedClue, Apply: (*state).applyDeposited,
		Happening: rules.NewHappening(engine.HapFell, "seat"), LogLine: rules.NewLine("hc.log.deposited", "seat"),
		OwnKey: "hc.log.deposited.own"},
	evShort: {Name: "no-deposit", NotAnAct: true, Needs: rules.NeedSeat, LogLine: rules.NewLine("hc.log.no-deposit", "seat"),
		Apply: func(s *state, e *event) {
			s.seats[e.seat].done, s.seats[e.seat].noDeposit = true, true
			if s.active != 0 { // else the seat was not called
				s.callSeat(0, e.at)
				s.idleSeat = 0
			}
		}},
	evReady: {Name: "urn-full", Apply: func(s *state, e *event) {
		s.phase = phaseReveal
		s.callSeat(s.first, e.at)
	}},
	evOpened: {Name: "opened", Barrier: alwaysShows, Narrate: storyRecorder.recordUrnOpened, NeedsBefore: true,
		Apply: (*state).applyUrnOpened},
	evUnsealed: {Name: "urn-unsealed", Barrier: alwaysShows, Needs: rules.NeedSeat, Narrate: storyRecorder.recordUrnUnsealed,
		NeedsBefore: true, Apply: func(s *state, _ *event) {
			s.applyUnsealed()
			s.forgetLastRead()
		}},
	evFound: {Name: "found", Needs: rules.NeedCard,
		Happening: rules.NewHappening(engine.HapNamed, "card"), LogLine: rules.NewLine("hc.log.found", "card"),
		Apply: func(s *state, e *event) { s.applyFound(e.clue()) }},
	evFoundAll: {Name: "urn-named", Narrate: storyRecorder.recordClueFound, Apply: func(s *state, e *event) {
		s.surplus = uint8(max(0, s.countFoundInUrn()-int(s.urnExpected)))
		s.applyUrnOpened(e)
	}},
	evDied: {Name: "died", Barrier: alwaysShows, Needs: rules.NeedSeat, Narrate: storyRecorder.recordUrnDeath, NeedsBefore: true,
		Apply: func(s *state, e *event) { s.applyUrnDeath(e.seat) }},
	evDuel: {Name: "confrontation", Happening: rules.NewHappening(engine.HapConfrontation), LogLine: rules.NewLine("hc.log.confrontation"),
		Apply: func(s *state, _ *event) { s.duel = true }},
	evRecovering: {Name: "recovery-begun", Apply: func(s *state, e *event) {
		s.beginPhase(phaseRecovery, e.at)
		s.forgetLastRead()
	}},
	evRecovered: {Name: "recovered", Needs: rules.NeedSeat | rules.NeedCard, Apply: (*state).applyRecovered,
		Happening: rules.NewHappening(engine.HapRecovered, "seat", "card"), LogLine: rules.NewLine("hc.log.recovered", "seat", "card")},
	evAsked: {Name: "asked", Needs: rules.NeedSeat, Apply: func(s *state, e *event) {
		s.askedShort |= 1 << e.seat
		s.callForStep(stepExtra, e)
	}},
	evNotShort: {Name: "not-short", Needs: rules.NeedSeat, Apply: func(s *state, e *event) { s.callSeat(0, e.at) }},
	evLaying:   {Name: "laying-rest", Needs: rules.NeedSeat, Apply: func(s *state, e *event) { s.callForStep(stepLay, e) }},
	evRest: {Name: "rest-laid", Needs: rules.NeedPlace | rules.NeedCard, Happening: rules.NewHappening(engine.HapRest, "place", "card"),
		LogLine: rules.NewLine("hc.log.rest", "card", "place"),
		Apply: func(s *state, e *event) {
			s.addToPlace(e.place, e.clue(), trustExact, hidden.Nobody)
			s.rooms[e.place].urnClues++
			s.addSighting(0, e.clueSet(), engine.Sighting{How: engine.SawThere, Place: engine.ID(s.book.placeID[e.place])})
		}},
	evClosed: {Name: "closed", Needs: rules.NeedPlace, Happening: rules.NewHappening(engine.HapClosed, "place"),
		LogLine: rules.NewLine("hc.log.closed", "place"),
		Apply: func(s *state, e *event) {
			s.rooms[e.place].closed = true
			s.skipImpossibleMove() // a corrected pawn can close the last other place before the move
		}},
	evTurning: {Name: "role-called", Needs: rules.NeedSeat, Apply: func(s *state, e *event) { s.callForStep(stepRole, e) }},
	evTurned: {Name: "role-turned", Barrier: alwaysShows, Needs: rules.NeedSeat, Decode: (*storedEvent).decodeRole,
		Narrate: storyRecorder.recordRoleTurned, NeedsBefore: true,
		Apply: func(s *state, e *event) {
			d, _ := e.role.Open()
			s.applyRoleTurned(e.seat, d)
			s.callSeat(0, e.at)
		}},
	evOver: {Name: "over", Barrier: alwaysShows, Apply: (*state).applyOver, Narrate: storyRecorder.recordOver, NeedsBefore: true},

	// At any time.
	evReminded: {Name: "reminded", NotAnAct: true, Needs: rules.NeedSeat, Apply: func(s *state, _ *event) { s.reminded = true },
		Narrate: func(t storyRecorder) { t.AddPrivateLine(t.event.seat, "hc.log.reminder") }},
	evClaimed: {Name: "held", NotAnAct: true, Needs: rules.NeedSeat | rules.NeedCard, OwnKey: "hc.log.held.own",
		Apply: func(s *state, e *event) { s.ledger.AddClaim(e.seat, e.clue()) }},
	evUnclaimed: {Name: "forgot", NotAnAct: true, Needs: rules.NeedSeat | rules.NeedCard, OwnKey: "hc.log.forgot.own",
		Apply: func(s *state, e *event) { s.forgetClue(e.seat, e.clue()) }},
	evDisagreed: {Name: "disagreed", NotAnAct: true, Needs: rules.NeedSeat, Narrate: storyRecorder.recordDisagreed,
		Apply: func(s *state, e *event) { s.shownTo &^= 1 << e.seat }},
	evCounting: {Name: "count-begun", NotAnAct: true, Happening: rules.NewHappening(engine.HapCounting),
		LogLine: rules.NewLine("hc.log.count"), Apply: func(s *state, _ *event) { s.count.BeginCount() }},
	evCountIs: {Name: "count-is", NotAnAct: true, Decode: (*storedEvent).checkCountNumber, Apply: (*state).applyCountIs,
		Narrate: storyRecorder.recordCountIs},
	evCounted: {Name: "counted", NotAnAct: true, Decode: (*storedEvent).checkCountNumber, Apply: (*state).applyCounted,
		Happening: rules.NewHappening(engine.HapCounted), LogLine: rules.NewLine("hc.log.counted", "n")},
	evAlarmed: {Name: "alarmed", Barrier: alwaysShows, Apply: func(s *state, _ *event) { s.count.Alarmed = true },
		LogLine: rules.NewLine("gen.log.alarmed")},
	evReadAgain: {Name: "read-again", Apply: (*state).applyReadAgain, Narrate: storyRecorder.recordReadAgain},
	evShuffled: {Name: "shuffled", NotAnAct: true, Needs: rules.NeedPlace,
		LogLine: rules.NewLine("hc.log.shuffled", "place")}, // nothing is recorded of it
	evPawn: {Name: "pawn-corrected", Needs: rules.NeedSeat | rules.NeedPlace,
		Happening: rules.NewHappening(engine.HapMoved, "seat", "place"), LogLine: rules.NewLine("hc.log.pawn", "seat", "place"),
		Apply: func(s *state, e *event) { s.seats[e.seat].at = e.place }},
	evSkipped: {Name: "skipped", Needs: rules.NeedSeat, Happening: rules.NewHappening(engine.HapOverruled, "seat"),
		LogLine: rules.NewLine("gen.log.skipped", "seat"),
		Apply: func(s *state, e *event) {
			s.markPassedOver(e.seat)
			s.callSeat(0, e.at)
		}},
	evAdvanced: {Name: "phase-ended", Happening: rules.NewHappening(engine.HapOverruled), LogLine: rules.NewLine("gen.log.phase-ended"),
		Apply: (*state).applyAdvanced},
	evTurnTo: {Name: "turn-given", Needs: rules.NeedSeat, Happening: rules.NewHappening(engine.HapOverruled, "seat"),
		LogLine: rules.NewLine("gen.log.turn-given", "seat"),
		Apply:   (*state).applyTurnTo},
	evKilled: {Name: "killed", Barrier: alwaysShows, Needs: rules.NeedSeat, Narrate: storyRecorder.recordKilled, NeedsBefore: true,
		Apply: (*state).applyKilled},
	evRevived: {Name: "revived", Needs: rules.NeedSeat | rules.NeedPlace, Happening: rules.NewHappening(engine.HapRevived, "seat", "place"),
		LogLine: rules.NewLine("hc.log.revived", "seat", "place"),
		Apply:   (*state).applyRevived},
	evAllowed: {Name: "allowed", Needs: rules.NeedSeat, Decode: (*storedEvent).checkAllowedRule, Apply: (*state).applyWaivedRule,
		Happening: rules.NewHappening(engine.HapOverruled, "seat"), LogLine: rules.NewLine("gen.log.allowed", "seat", "rule")},
	evPosition: {Name: "posed", Decode: (*storedEvent).decodePosition, Apply: (*state).applyPosition},
}
