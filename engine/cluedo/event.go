package cluedo

import (
	"fmt"

	"majordome/engine"
	"majordome/engine/internal/hidden"
	"majordome/engine/internal/position"
	"majordome/engine/internal/rules"
)

// eventKind is the kind of an event; its row is in eventRows.
type eventKind uint8

const (
	evSat eventKind = iota + 1
	evRose
	evSwitched
	evBegun
	evSealed       // a card went into the envelope, face down
	evPresented    // a seat has presented a card of its hand
	evDealt        // a seat has its cards
	evHidden       // a room is chosen for a face-down card (CC-130)
	evHiddenPlaced // its card was read, or all of them are in place unread
	evDealtAll     // the program has dealt
	evStarting     // all have their cards: a seat is called to roll for the start
	evStartRoll
	evTies   // several have rolled highest: they roll again
	evDealer // the dealer is found (SC-006)
	evTurn
	evRolled
	evDrew // an event card is drawn: a Time card or a Butler card
	evMurdered
	evMoved
	evStuck     // cannot leave its room (C8-054)
	evStepEnded // a step ends without the act that it allows
	evHypothesis
	evDeclined // a displaced seat draws nothing
	evAsked
	evReplied
	evNone
	evShown
	evRevealed // a card is shown to all
	evUnrefuted
	evClosed   // the window after a shown card is over: are more seats asked?
	evSettled  // the answers are over
	evClue     // a clue card was drawn
	evCalled   // the clue card calls a seat to show a card
	evGathered // the clue card brings all pawns to one room
	evLinked   // the clue card links a room to all secret passages
	evCarried  // the clue card has been carried out
	evSawShown // an interrupting seat has seen the card shown
	evLooked   // a seat has seen a card of another's hand
	evPassed
	evNoAnswer // a card ends the answers (C8-157)
	evPlayed   // a Butler card
	evPower
	evPeeked
	evAccused
	evVerdict
	evWrong
	evSentHome // a pawn goes home
	evReplay
	evNeighbour
	evSpied      // an opponent must show a card to the seat on a spy square (SC-062)
	evCorrection // an earlier answer was wrong
	evUpheld     // it was right after all: the record of the hand was corrected
	evOver
	evClaimed
	evUnclaimed
	evLost     // a Butler card leaves the game (GEN-E09)
	evExposed  // a card that no reader has read is face up for all
	evReminded // a seat is reminded of the awaited card (GEN-E07)
	evDoubted  // the program judges no accusation any more (C8-120)
	evCounting // play pauses while the cards are counted (GEN-E09)
	evCountIs
	evCounted
	evReadAgain // after a count in the deal all cards are read again
	evPosition
	evSkipped   // the host overrules (see overrule.go): the awaited seat is skipped,
	evTurnTo    // the turn goes to a seat,
	evAdvanced  // a phase of the turn ends,
	evKilled    // a player is murdered,
	evOut       // has no turns any more,
	evRevived   // plays again,
	evAllowed   // or may do what a rule refuses
	evAlarmed   // a card cannot be where it was presented: the deal stops (GEN-E13)
	evNobodyHas // in one act: no seat has the card that a clue card looks for
	evContested // that act does not count
	evRedealt   // all cards are dealt again, with a new envelope
	numEventKinds
)

// eventRows has a row for each kind of event: its stored name, what it needs, how it is decoded,
// applied, shown to the table and recorded in the story.
var eventRows = [numEventKinds]rules.Row[*Book, *state, *event, *storedEvent, func(storyRecorder)]{
	// The lobby, and the deal.
	evSat: {Name: "sat", Needs: rules.NeedSeat, Decode: (*storedEvent).checkSuspect, LogLine: rules.NewLine(logSat, "seat", "character"),
		Apply: func(s *state, e *event) { s.setPlayer(e.seat, e.text, e.subject) }},
	evRose: {Name: "rose", Needs: rules.NeedSeat, Apply: func(s *state, e *event) { s.setPlayer(e.seat, "", 0) },
		Narrate: storyRecorder.recordRose},
	evSwitched: {Name: "switched", Decode: (*storedEvent).decodeSwitch,
		Apply: func(s *state, e *event) { s.rules[e.switchIndex] = uint8(e.n) }},
	evBegun:  {Name: "begun", Decode: (*storedEvent).checkWeaponRooms, Apply: (*state).applyBegun, Narrate: storyRecorder.recordBegun},
	evSealed: {Name: "sealed", Apply: (*state).applySealed, Narrate: storyRecorder.recordSealed},
	evPresented: {Name: "got", Needs: rules.NeedSeat | rules.NeedCard, Apply: (*state).applyPresented,
		Narrate: storyRecorder.recordPresented},
	evDealt: {Name: "dealt", Needs: rules.NeedSeat, LogLine: rules.NewLine("cl.log.dealt", "seat"),
		Apply: func(s *state, e *event) {
			s.forgetLastRead()
			s.seats[e.seat].dealt = true
			s.callNextHand()
		}},
	evDealtAll: {Name: "dealt-all", Decode: (*storedEvent).decodeDeal, Barrier: alwaysShows, Apply: (*state).applyDealtAll,
		LogLine: rules.NewLine("cl.log.dealt-all")},
	evHidden: {Name: "hidden", Decode: (*storedEvent).decodeFaceDownArea,
		Apply:   func(s *state, e *event) { s.recordHiddenCardIn(e.pos.area) },
		LogLine: rules.NewLine("cl.log.hidden", "place")},
	evHiddenPlaced: {Name: "laid", Decode: (*storedEvent).decodeFaceDownArea, Apply: (*state).applyHiddenPlaced,
		Narrate: storyRecorder.recordHiddenPlaced},
	evStarting: {Name: "starting", Needs: rules.NeedSeat,
		Apply: func(s *state, e *event) {
			if s.phase == dealing {
				s.recordLeftOverCards()
				s.recordDealOver()
			}
			s.phase, s.asked = starting, e.seat
		}},
	evStartRoll: {Name: "start-roll", Needs: rules.NeedSeat, Decode: (*storedEvent).decodeRoll, Narrate: storyRecorder.recordRoll,
		Apply: func(s *state, e *event) {
			s.seats[e.seat].startTotal = e.dice[0] + e.dice[1] + 1
			s.asked = 0
		}},
	evDealer: {Name: "dealer", Needs: rules.NeedSeat, Apply: func(s *state, e *event) { s.startDeal(e.seat) },
		LogLine: rules.NewLine("cl.log.dealer", "seat")},
	evTies: {Name: "ties", Apply: (*state).callTiedSeatsToRoll, LogLine: rules.NewLine("cl.log.ties")},

	// A turn, up to the hypothesis.
	evTurn: {Name: "turn", NotAnAct: true, Needs: rules.NeedSeat, Apply: (*state).applyTurn,
		Happening: rules.NewHappening(engine.HapTurn, "seat"), LogLine: rules.NewLine("cl.log.turn", "seat")},
	evRolled: {Name: "rolled", Needs: rules.NeedSeat, Decode: (*storedEvent).decodeRoll, Apply: (*state).applyRolled,
		Narrate: storyRecorder.recordRoll},
	evDrew: {Name: "drew", Needs: rules.NeedSeat, Barrier: alwaysShows, Apply: (*state).applyDrew, Narrate: storyRecorder.recordDraw,
		NeedsBefore: true},
	evMurdered: {Name: "murdered", Needs: rules.NeedSeat, Barrier: alwaysShows,
		Apply: func(s *state, e *event) { s.murderSeat(e.seat) }, Narrate: storyRecorder.recordMurder},
	evMoved: {Name: "moved", Needs: rules.NeedSeat, Decode: (*storedEvent).decodePlace, Apply: (*state).applyMoved,
		Narrate: storyRecorder.recordMove, NeedsBefore: true},
	evStuck: {Name: "stuck", Needs: rules.NeedSeat, LogLine: rules.NewLine("cl.log.stuck", "seat"),
		Apply: func(s *state, e *event) {
			s.points = 0
			if s.movesLeft > 0 {
				s.startPhase(s.startMoving(), e.at)
				return
			}
			s.startPhase(stepEnd, e.at)
		}},
	evStepEnded: {Name: "acted", Needs: rules.NeedSeat,
		Apply: func(s *state, e *event) {
			if s.step == stepSpy {
				s.resumePhase(e.at)
				return
			}
			s.gaveUpAct = s.step == stepAct && s.canActiveSeatAct() // else the step ends automatically, and a waiver may open it again
			s.startPhase(s.stepAfterPhase(s.step), e.at)
		}},
	evHypothesis: {Name: "hypothesis", Needs: rules.NeedSeat, Decode: (*storedEvent).decodeNamedCards, Apply: (*state).applyHypothesis,
		Narrate: storyRecorder.recordHypothesis, NeedsBefore: true},
	evDeclined: {Name: "declined", Needs: rules.NeedSeat, LogLine: rules.NewLine("cl.log.declined", "seat"),
		Apply: func(s *state, e *event) {
			s.asked = 0
			s.startStep(stepShowing, e.at)
		}},

	// Its answers.
	evAsked: {Name: "asked", Needs: rules.NeedSeat,
		Apply: func(s *state, e *event) {
			s.startShowing(showing{reason: reasonAnswer, from: e.seat, to: s.active}, e.at)
		}},
	evReplied: {Name: "replied", Needs: rules.NeedSeat, Decode: (*storedEvent).decodeAnswer, Apply: (*state).applyReplied},
	evNone: {Name: "none", Needs: rules.NeedSeat, Happening: rules.NewHappening(engine.HapNone, "seat"),
		LogLine: rules.NewLine("cl.log.none", "seat"), Apply: (*state).applyNone},
	evShown: {Name: "shown", Needs: rules.NeedSeat | rules.NeedOther, Barrier: alwaysShows, Apply: (*state).applyShown,
		Narrate: storyRecorder.recordShown},
	evRevealed: {Name: "revealed", Needs: rules.NeedSeat, Decode: (*storedEvent).checkRevealedCard, Barrier: alwaysShows,
		Apply: (*state).applyRevealed, Narrate: storyRecorder.recordRevealed},
	evUnrefuted: {Name: "unrefuted", Needs: rules.NeedSeat, Apply: (*state).applyAnswersEnd,
		Happening: rules.NewHappening(engine.HapUnrefuted), LogLine: rules.NewLine("cl.log.unrefuted")},
	evClosed:  {Name: "closed", Needs: rules.NeedSeat, Apply: (*state).closeShowingWindow},
	evSettled: {Name: "settled", Needs: rules.NeedSeat, Apply: (*state).applyAnswersEnd},
	evSawShown: {Name: "saw", Needs: rules.NeedSeat | rules.NeedOther, Barrier: alwaysShows, Apply: (*state).applySightAndPass,
		Narrate: storyRecorder.recordSawShown},
	evLooked: {Name: "looked", Needs: rules.NeedSeat | rules.NeedOther, Barrier: alwaysShows, Apply: (*state).applySightAndPass,
		Narrate: storyRecorder.recordLooked},
	evPassed: {Name: "passed", Needs: rules.NeedSeat, Apply: func(s *state, e *event) { s.showing.passedSeats |= 1 << e.seat }},
	evNoAnswer: {Name: "no-answer", Needs: rules.NeedSeat, Apply: (*state).applyAnswersEnd,
		LogLine: rules.NewLine("cl.log.hushed", "seat")},

	// Clue cards.
	evClue: {Name: "clue", Needs: rules.NeedSeat, Decode: (*storedEvent).checkClueCard, Barrier: alwaysShows, Apply: (*state).applyClue,
		Narrate: storyRecorder.recordClue},
	evCalled: {Name: "called", Needs: rules.NeedSeat, Decode: (*storedEvent).checkSoughtCard, Apply: (*state).applyShowerCalled,
		Narrate: storyRecorder.recordShowerCalled, NeedsBefore: true},
	evGathered: {Name: "gathered", Needs: rules.NeedSeat, Decode: (*storedEvent).decodeRoom, Apply: (*state).applyPawnsGathered,
		Narrate: storyRecorder.recordPawnsGathered},
	evLinked: {Name: "linked", Needs: rules.NeedSeat, Decode: (*storedEvent).decodeRoom, Apply: (*state).applyRoomLinked,
		Narrate: storyRecorder.recordRoomLinked},
	evCarried: {Name: "carried", Needs: rules.NeedSeat, Decode: (*storedEvent).checkSoughtCard, Apply: (*state).applyClueDone,
		Narrate: storyRecorder.recordClueDone},

	// What else may come of a turn.
	evPlayed: {Name: "played", Needs: rules.NeedSeat, Decode: (*storedEvent).checkEventCard, Barrier: alwaysShows,
		Apply:     (*state).applyButlerPlayed,
		Happening: rules.NewHappening(engine.HapPlayed, "seat", "card"), LogLine: rules.NewLine("cl.log.played", "seat", "card")},
	evPower: {Name: "power", Needs: rules.NeedSeat, Happening: rules.NewHappening(engine.HapPower, "seat"),
		LogLine: rules.NewLine("cl.log.power", "seat", "character"),
		Apply: func(s *state, e *event) {
			s.seats[e.seat].powerSpent = true
			s.applySpecialChange(powers.findSpecial(e.text))
		}},
	evPeeked: {Name: "peeked", Needs: rules.NeedSeat, Decode: (*storedEvent).decodeFaceDownArea, Barrier: alwaysShows,
		Apply: (*state).applyPeeked, Narrate: storyRecorder.recordPeeked},
	evAccused: {Name: "accused", Needs: rules.NeedSeat, Decode: (*storedEvent).decodeAccusation, Barrier: alwaysShows,
		Narrate: storyRecorder.recordAccused,
		Apply: func(s *state, e *event) {
			s.accusation = e.accusation
			s.startStep(stepVerdict, e.at)
		}},
	evVerdict: {Name: "verdict", Needs: rules.NeedSeat, Decode: (*storedEvent).decodeNamedCards, Apply: (*state).applyRightVerdict},
	evWrong: {Name: "wrong", Needs: rules.NeedSeat, Decode: (*storedEvent).decodeWrongAccusation, Barrier: alwaysShows,
		Happening: rules.NewHappening(engine.HapWrong, "seat"), LogLine: rules.NewLine("cl.log.wrong", "seat"),
		Apply: (*state).applyWrongAccusation, Narrate: storyRecorder.recordWrongAccusation},
	evSentHome: {Name: "sent-home", Needs: rules.NeedSeat, Decode: (*storedEvent).checkSuspect,
		Apply: func(s *state, e *event) { s.sendPawnHome(e.subject) }, Narrate: storyRecorder.recordSentHome},
	evReplay: {Name: "replay", Needs: rules.NeedSeat, Apply: func(s *state, _ *event) { s.step = stepNone },
		LogLine: rules.NewLine("cl.log.replay", "seat")},
	evNeighbour: {Name: "neighbour", Needs: rules.NeedSeat | rules.NeedOther,
		Happening: rules.NewHappening(engine.HapCalled, "seat", "other"), LogLine: rules.NewLine("cl.log.neighbour", "seat", "other"),
		Apply: func(s *state, e *event) {
			s.startShowing(showing{reason: reasonNeighbour, from: e.seat, to: e.other}, e.at)
		}},
	evSpied: {Name: "spied", Needs: rules.NeedSeat | rules.NeedOther, Happening: rules.NewHappening(engine.HapCalled, "seat", "other"),
		LogLine: rules.NewLine("cl.log.spied", "seat", "other"),
		Apply: func(s *state, e *event) {
			s.startShowing(showing{reason: reasonSpied, from: e.seat, to: e.other}, e.at)
		}},
	evCorrection: {Name: "amend", Needs: rules.NeedSeat, Decode: (*storedEvent).decodeCorrection, Apply: (*state).applyCorrection,
		Narrate: storyRecorder.recordCorrection},
	evUpheld: {Name: "upheld", Needs: rules.NeedSeat, Decode: (*storedEvent).decodeCorrection,
		LogLine: rules.NewLine("cl.log.upheld", "seat"),
		Apply: func(s *state, e *event) {
			a, _ := e.correction.Open()
			s.endQuestioning()
			s.rememberDenial(a)
			s.resumePhase(e.at)
		}},
	evOver: {Name: "over", Barrier: alwaysShows, Apply: (*state).applyOver, Narrate: storyRecorder.recordOver, NeedsBefore: true},

	// Records.
	evClaimed:   {Name: "held", NotAnAct: true, Needs: rules.NeedSeat | rules.NeedCard, Apply: (*state).applyClaimed},
	evUnclaimed: {Name: "forgot", NotAnAct: true, Needs: rules.NeedSeat | rules.NeedCard, Apply: (*state).applyUnclaimed},
	evLost: {Name: "lost", NotAnAct: true, Needs: rules.NeedSeat, Apply: (*state).applyButlerLost,
		LogLine: rules.NewLine("cl.log.lost", "seat")},
	evExposed: {Name: "seen", NotAnAct: true, Decode: (*storedEvent).decodeExposedCard, Barrier: alwaysShows,
		Apply:     func(s *state, e *event) { s.showCardToAll(e.openCard, e.seat, e.pos.area) },
		Happening: rules.NewHappening(engine.HapExposed, "seat", "card"), LogLine: rules.NewLine("cl.log.seen", "card")},
	evReminded: {Name: "reminded", NotAnAct: true, Needs: rules.NeedSeat, Apply: func(s *state, _ *event) { s.reminded = true },
		Narrate: func(t storyRecorder) { t.AddPrivateLine(t.e.seat, "cl.log.reminder") }},
	evDoubted: {Name: "doubted", NotAnAct: true, Apply: func(s *state, _ *event) { s.doubted = true },
		LogLine: rules.NewLine("cl.log.doubt")},
	evCounting: {Name: "counting", NotAnAct: true, Happening: rules.NewHappening(engine.HapCounting),
		LogLine: rules.NewLine("cl.log.count"), Apply: func(s *state, _ *event) {
			s.count.BeginCount()
			s.closes = 0
			s.reply = hidden.Value[reply]{} // an answer that has not taken effect must be given again
		}},
	evCountIs: {Name: "count-is", NotAnAct: true, Decode: (*storedEvent).decodeCount,
		Apply: func(s *state, e *event) { s.applyCountIs(e.seat, e.pos.area, uint8(e.n)) }, Narrate: storyRecorder.recordCount},
	evCounted: {Name: "counted", NotAnAct: true, Decode: (*storedEvent).checkNumber, Apply: (*state).applyCounted,
		Happening: rules.NewHappening(engine.HapCounted), LogLine: rules.NewLine("cl.log.counted", "n")},
	evReadAgain: {Name: "read-again", Apply: (*state).applyReadAgain, Happening: rules.NewHappening(engine.HapRedrawn),
		LogLine: rules.NewLine("cl.log.again")},
	evNobodyHas: {Name: "nobody", Needs: rules.NeedSeat, Decode: (*storedEvent).checkSeatSet, Barrier: alwaysShows,
		Apply: (*state).applyNobodyHas},
	evContested: {Name: "contested", Needs: rules.NeedSeat | rules.NeedOther, Barrier: alwaysShows,
		LogLine: rules.NewLine("cl.log.contested", "seat"), Apply: func(s *state, _ *event) { s.showing.contested = true },
		Narrate: storyRecorder.recordContested},
	evAlarmed: {Name: "alarmed", Barrier: alwaysShows, Apply: func(s *state, _ *event) { s.count.Alarmed = true },
		LogLine: rules.NewLine("gen.log.alarmed")},
	evRedealt: {Name: "redealt", Apply: (*state).applyReadAgain, Happening: rules.NewHappening(engine.HapRedrawn),
		LogLine: rules.NewLine("cl.log.redealt")},
	evSkipped: {Name: "skipped", Needs: rules.NeedSeat, Happening: rules.NewHappening(engine.HapOverruled, "seat"),
		LogLine: rules.NewLine("gen.log.skipped", "seat"), Apply: (*state).applySkipped},
	evTurnTo: {Name: "turn-given", Needs: rules.NeedSeat, Happening: rules.NewHappening(engine.HapOverruled, "seat"),
		LogLine: rules.NewLine("gen.log.turn-given", "seat"),
		Apply:   func(s *state, _ *event) { s.abandonClueAndDraws() }},
	evAdvanced: {Name: "phase-ended", Needs: rules.NeedSeat, Happening: rules.NewHappening(engine.HapOverruled, "seat"),
		LogLine: rules.NewLine("gen.log.phase-ended"), Apply: (*state).applyAdvanced},
	evKilled: {Name: "killed", Needs: rules.NeedSeat, Barrier: alwaysShows, Apply: (*state).applyKilled,
		Narrate: storyRecorder.recordKilled},
	evOut: {Name: "out", Needs: rules.NeedSeat, Happening: rules.NewHappening(engine.HapOverruled, "seat"),
		LogLine: rules.NewLine("cl.log.out", "seat"), Apply: (*state).applyTurnsEnded},
	evRevived: {Name: "revived", Needs: rules.NeedSeat, Apply: (*state).applyRevived, Narrate: storyRecorder.recordRevived},
	evAllowed: {Name: "allowed", Needs: rules.NeedSeat, Decode: (*storedEvent).checkAllowedRule, Apply: (*state).applyWaivedRule,
		Happening: rules.NewHappening(engine.HapOverruled, "seat"), LogLine: rules.NewLine("gen.log.allowed", "seat", "rule")},
	evPosition: {Name: "posed", Decode: (*storedEvent).decodePosition, Apply: (*state).applyPosition},
}

// deal has the place to which the program has dealt each mystery card.
type deal [maxCards + 1]loc

// event is a fact. Its kind says which fields it uses. Whatever some viewers may not see is a
// hidden value, so that printing an event shows a mask.
type event struct {
	kind        eventKind
	at          engine.Millis
	seat        engine.Seat
	other       engine.Seat
	subject     uint8  // a suspect, or the card that a clue card looks for
	n           uint16 // value of a house rule, set of seats, total, points left, or 1 for yes
	switchIndex uint8  // index of the switch
	dice        [2]uint8
	pos         pos
	names       [3]card               // public: a hypothesis, or the cards of the envelope
	accusation  hidden.Value[[3]card] // the accused cards, or those that a wrong accuser finds in the envelope
	openCard    card                  // a public card
	text        string
	card        hidden.SmallValue[card]
	reply       hidden.Value[reply]
	deal        hidden.Value[deal]
	correction  hidden.Value[deniedAnswer]
	position    hidden.Value[position.Position]
}

// Kind returns the name under which the event is stored.
func (e *event) Kind() string { return eventRows[e.kind].Name }

// IsBarrier reports whether a player has seen something by this event.
func (e *event) IsBarrier() bool { return eventRows[e.kind].IsBarrier(e) }

// Stamp sets the time of the event.
func (e *event) Stamp(at engine.Millis) { e.at = at }

// Format prints only the kind, for every verb, so that a log shows no secret.
func (e event) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(eventRows[e.kind].Name)) }

// alwaysShows is the barrier of events that always show something.
func alwaysShows(*event) bool { return true }

func hideCard(c card) hidden.SmallValue[card] { return hidden.NewSmall(c, hidden.Nobody) }

// moveEvents returns the move of a seat's pawn, in one of the ways of moving.
func moveEvents(at engine.Millis, x engine.Seat, to pos, w way) []*event {
	return []*event{{kind: evMoved, at: at, seat: x, pos: to, text: w.String()}}
}

func seatEvent(k eventKind, at engine.Millis, x engine.Seat) []*event {
	return []*event{{kind: k, at: at, seat: x}}
}
