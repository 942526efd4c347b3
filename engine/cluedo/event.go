package cluedo

import (
	"fmt"

	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/position"
	"majordome/engine/internal/rules"
	"majordome/engine/internal/story"
)

// eventKind is the kind of an event; its row is in eventRows.
type eventKind uint8

const (
	evSat eventKind = iota + 1
	evRose
	evSwitched
	evBegun
	evSealed   // a card went into the envelope, face down
	evGot      // a seat has presented a card of its hand
	evDealt    // a seat has its cards
	evHidden   // a room is chosen for a face-down card (CC-130)
	evLaid     // its card was read, or all of them are in place unread
	evDealAll  // the program has dealt
	evStarting // all have their cards: a seat is called to roll for the start
	evStartRoll
	evTies   // several have rolled highest: they roll again
	evDealer // the dealer is found (SC-006)
	evTurn
	evRolled
	evDrew // an event card is drawn: a Time card or a Butler card
	evMurdered
	evMoved
	evStuck // cannot leave its room (C8-054)
	evActed // a step ends without the act that it allows
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
	evSaw      // an interrupting seat has seen the card shown
	evLooked   // a seat has seen a card of another's hand
	evPassed
	evHushed // a card ends the answers (C8-157)
	evPlayed // a Butler card
	evPower
	evPeeked
	evAccused
	evVerdict
	evWrong
	evSent // a pawn goes home
	evReplay
	evNeighbour
	evSpied  // an opponent must show a card to the seat on a spy square (SC-062)
	evAmend  // an earlier answer was wrong
	evUpheld // it was right after all: the record of the hand was corrected
	evOver
	evHeld
	evForgot
	evLost     // a Butler card leaves the game (GEN-E09)
	evSeen     // a card that no reader has read is face up for all
	evReminded // a seat is reminded of the awaited card (GEN-E07)
	evDoubted  // the program judges no accusation any more (C8-120)
	evCounting // play pauses while the cards are counted (GEN-E09)
	evCountIs
	evCounted
	evReread // after a count in the deal all cards are read again
	evPosition
	evSkipped   // the host overrules (see overrule.go): the awaited seat is skipped,
	evTurnTo    // the turn goes to a seat,
	evAdvanced  // a phase of the turn ends,
	evKilled    // a player is murdered,
	evOut       // has no turns any more,
	evRevived   // plays again,
	evAllowed   // or may do what a rule refuses
	evAlarmed   // a card cannot be where it was presented: the deal stops (GEN-E13)
	evNobody    // in one act: no seat has the card that a clue card looks for
	evContested // that act does not count
	evRedealt   // all cards are dealt again, with a new envelope
	numEventKinds
)

// eventRows has a row for each kind of event: its stored name, what it needs, how it is decoded,
// applied, shown to the table and recorded in the story.
var events = [numEventKinds]rules.Row[*Book, *state, *event, *stored, func(teller) story.Log]{
	// The lobby, and the deal.
	evSat: {Name: "sat", Needs: rules.Seat, Decode: (*Book).decodeSuspect, Says: rules.Say(logSat, "seat", "character"),
		Apply: func(s *state, e *event) { s.sit(e.seat, e.text, e.who) }},
	evRose: {Name: "rose", Needs: rules.Seat, Apply: func(s *state, e *event) { s.sit(e.seat, "", 0) },
		Tell: teller.tellRose},
	evSwitched: {Name: "switched", Decode: (*Book).decodeSwitch, Apply: func(s *state, e *event) { s.rules[e.sw] = uint8(e.n) }},
	evBegun:    {Name: "begun", Decode: (*Book).decodeBegun, Apply: (*state).begin, Tell: teller.tellBegun},
	evSealed:   {Name: "sealed", Apply: (*state).seal, Tell: teller.tellSealed},
	evGot:      {Name: "got", Needs: rules.Seat | rules.Card, Apply: (*state).present, Tell: teller.tellPresented},
	evDealt: {Name: "dealt", Needs: rules.Seat, Says: rules.Say("cl.log.dealt", "seat"),
		Apply: func(s *state, e *event) {
			s.nothingRead()
			s.seats[e.seat].dealt = true
			s.nextHand()
		}},
	evDealAll: {Name: "dealt-all", Decode: (*Book).decodeDeal, Barrier: always, Apply: (*state).dealAll,
		Says: rules.Say("cl.log.dealt-all")},
	evHidden: {Name: "hidden", Decode: (*Book).decodeThere, Apply: func(s *state, e *event) { s.hide(e.pos.area) },
		Says: rules.Say("cl.log.hidden", "place")},
	evLaid: {Name: "laid", Decode: (*Book).decodeThere, Apply: (*state).lay,
		Tell: teller.tellLaid},
	evStarting: {Name: "starting", Needs: rules.Seat,
		Apply: func(s *state, e *event) {
			if s.phase == dealing {
				s.restLies()
				s.dealtOut()
			}
			s.phase, s.asked = starting, e.seat
		}},
	evStartRoll: {Name: "start-roll", Needs: rules.Seat, Decode: (*Book).decodeRoll, Tell: teller.tellRoll,
		Apply: func(s *state, e *event) {
			s.seats[e.seat].rolled = e.dice[0] + e.dice[1] + 1
			s.asked = 0
		}},
	evDealer: {Name: "dealer", Needs: rules.Seat, Apply: func(s *state, e *event) { s.handOut(e.seat) },
		Says: rules.Say("cl.log.dealer", "seat")},
	evTies: {Name: "ties", Apply: (*state).rollAgain, Says: rules.Say("cl.log.ties")},

	// A turn, up to the hypothesis.
	evTurn: {Name: "turn", NoAct: true, Needs: rules.Seat, Apply: (*state).beginTurn, Tell: teller.tellTurn},
	evRolled: {Name: "rolled", Needs: rules.Seat, Decode: (*Book).decodeRoll, Apply: (*state).roll,
		Tell: teller.tellRoll},
	evDrew: {Name: "drew", Needs: rules.Seat, Barrier: always, Apply: (*state).drawCard, Tell: teller.tellDraw,
		Before: true},
	evMurdered: {Name: "murdered", Needs: rules.Seat, Barrier: always,
		Apply: func(s *state, e *event) { s.murder(e.seat) }, Tell: teller.tellMurder},
	evMoved: {Name: "moved", Needs: rules.Seat, Decode: (*Book).decodePlace, Apply: (*state).walk,
		Tell: teller.tellMove, Before: true},
	evStuck: {Name: "stuck", Needs: rules.Seat, Says: rules.Say("cl.log.stuck", "seat"),
		Apply: func(s *state, e *event) {
			s.points = 0
			if s.moves > 0 {
				s.enter(s.outset(), e.at)
				return
			}
			s.enter(stepEnd, e.at)
		}},
	evActed: {Name: "acted", Needs: rules.Seat,
		Apply: func(s *state, e *event) {
			if s.step == stepSpy {
				s.resume(e.at)
				return
			}
			s.forgone = s.step == stepAct && s.something() // else the step ends automatically, and a waiver may open it again
			s.enter(s.onward(s.step), e.at)
		}},
	evHypothesis: {Name: "hypothesis", Needs: rules.Seat, Decode: (*Book).decodeNames, Apply: (*state).suppose,
		Tell: teller.tellHypothesis, Before: true},
	evDeclined: {Name: "declined", Needs: rules.Seat, Says: rules.Say("cl.log.declined", "seat"),
		Apply: func(s *state, e *event) {
			s.asked = 0
			s.goTo(stepShowing, e.at)
		}},

	// Its answers.
	evAsked: {Name: "asked", Needs: rules.Seat,
		Apply: func(s *state, e *event) {
			s.call(showing{why: whyAnswer, from: e.seat, to: s.active}, e.at)
		}},
	evReplied: {Name: "replied", Needs: rules.Seat, Decode: (*Book).decodeAnswer, Apply: (*state).keepReply},
	evNone: {Name: "none", Needs: rules.Seat, Happens: rules.Happen(engine.HapNone, "seat"),
		Says: rules.Say("cl.log.none", "seat"), Apply: (*state).deny},
	evShown: {Name: "shown", Needs: rules.Seat | rules.Other, Barrier: always, Apply: (*state).show,
		Tell: teller.tellShown},
	evRevealed: {Name: "revealed", Needs: rules.Seat, Decode: (*Book).decodeRevealed, Barrier: always,
		Apply: (*state).reveal, Tell: teller.tellRevealed},
	evUnrefuted: {Name: "unrefuted", Needs: rules.Seat, Apply: (*state).settle, Happens: rules.Happen(engine.HapUnrefuted),
		Says: rules.Say("cl.log.unrefuted")},
	evClosed:  {Name: "closed", Needs: rules.Seat, Apply: (*state).closeShowing},
	evSettled: {Name: "settled", Needs: rules.Seat, Apply: (*state).settle},
	evSaw: {Name: "saw", Needs: rules.Seat | rules.Other, Barrier: always, Apply: (*state).witness,
		Tell: teller.tellSaw},
	evLooked: {Name: "looked", Needs: rules.Seat | rules.Other, Barrier: always, Apply: (*state).witness,
		Tell: teller.tellLooked},
	evPassed: {Name: "passed", Needs: rules.Seat, Apply: func(s *state, e *event) { s.showing.passed |= 1 << e.seat }},
	evHushed: {Name: "no-answer", Needs: rules.Seat, Apply: (*state).settle, Says: rules.Say("cl.log.hushed", "seat")},

	// Clue cards.
	evClue: {Name: "clue", Needs: rules.Seat, Decode: (*Book).decodeClue, Barrier: always, Apply: (*state).readClue,
		Tell: teller.tellClue},
	evCalled: {Name: "called", Needs: rules.Seat, Decode: (*Book).decodeSought, Apply: (*state).callShower,
		Tell: teller.tellCalled, Before: true},
	evGathered: {Name: "gathered", Needs: rules.Seat, Decode: (*Book).decodeRoom, Apply: (*state).gather,
		Tell: teller.tellGathered},
	evLinked: {Name: "linked", Needs: rules.Seat, Decode: (*Book).decodeRoom, Apply: (*state).link,
		Tell: teller.tellLinked},
	evCarried: {Name: "carried", Needs: rules.Seat, Decode: (*Book).decodeSought, Apply: (*state).endClue,
		Tell: teller.tellCarried},

	// What else may come of a turn.
	evPlayed: {Name: "played", Needs: rules.Seat, Decode: (*Book).decodePlayed, Barrier: always, Apply: (*state).play,
		Happens: rules.Happen(engine.HapPlayed, "seat", "card"), Says: rules.Say("cl.log.played", "seat", "card")},
	evPower: {Name: "power", Needs: rules.Seat, Happens: rules.Happen(engine.HapPower, "seat"),
		Says: rules.Say("cl.log.power", "seat", "character"),
		Apply: func(s *state, e *event) {
			s.seats[e.seat].spent = true
			s.changeAtOnce(powers.of(e.text))
		}},
	evPeeked: {Name: "peeked", Needs: rules.Seat, Decode: (*Book).decodeThere, Barrier: always,
		Apply: (*state).peek, Tell: teller.tellPeeked},
	evAccused: {Name: "accused", Needs: rules.Seat, Decode: (*Book).decodeAccusation, Barrier: always,
		Tell: teller.tellAccused,
		Apply: func(s *state, e *event) {
			s.accused = e.accused
			s.goTo(stepVerdict, e.at)
		}},
	evVerdict: {Name: "verdict", Needs: rules.Seat, Decode: (*Book).decodeNames, Apply: (*state).openEnvelope},
	evWrong: {Name: "wrong", Needs: rules.Seat, Decode: (*Book).decodeWrong, Barrier: always,
		Happens: rules.Happen(engine.HapWrong, "seat"), Says: rules.Say("cl.log.wrong", "seat"),
		Apply: (*state).accuseWrongly, Tell: teller.tellWrong},
	evSent: {Name: "sent-home", Needs: rules.Seat, Decode: (*Book).decodeSuspect,
		Apply: func(s *state, e *event) { s.sendHome(e.who) }, Tell: teller.tellSent},
	evReplay: {Name: "replay", Needs: rules.Seat, Apply: func(s *state, _ *event) { s.step = stepNone },
		Says: rules.Say("cl.log.replay", "seat")},
	evNeighbour: {Name: "neighbour", Needs: rules.Seat | rules.Other, Happens: rules.Happen(engine.HapCalled, "seat", "other"),
		Says: rules.Say("cl.log.neighbour", "seat", "other"),
		Apply: func(s *state, e *event) {
			s.call(showing{why: whyNeighbour, from: e.seat, to: e.other}, e.at)
		}},
	evSpied: {Name: "spied", Needs: rules.Seat | rules.Other, Happens: rules.Happen(engine.HapCalled, "seat", "other"),
		Says: rules.Say("cl.log.spied", "seat", "other"),
		Apply: func(s *state, e *event) {
			s.call(showing{why: whySpied, from: e.seat, to: e.other}, e.at)
		}},
	evAmend: {Name: "amend", Needs: rules.Seat, Decode: (*Book).decodeAmend, Apply: (*state).askAgain,
		Tell: teller.tellAmend},
	evUpheld: {Name: "upheld", Needs: rules.Seat, Decode: (*Book).decodeAmend, Says: rules.Say("cl.log.upheld", "seat"),
		Apply: func(s *state, e *event) {
			a, _ := e.amend.Open()
			s.endAsking()
			s.remember(a)
			s.resume(e.at)
		}},
	evOver: {Name: "over", Barrier: always, Apply: (*state).finish, Tell: teller.tellOver, Before: true},

	// Records.
	evHeld:   {Name: "held", NoAct: true, Needs: rules.Seat | rules.Card, Apply: (*state).hold},
	evForgot: {Name: "forgot", NoAct: true, Needs: rules.Seat | rules.Card, Apply: (*state).forget},
	evLost:   {Name: "lost", NoAct: true, Needs: rules.Seat, Apply: (*state).lose, Says: rules.Say("cl.log.lost", "seat")},
	evSeen: {Name: "seen", NoAct: true, Decode: (*Book).decodeSeen, Barrier: always,
		Apply:   func(s *state, e *event) { s.lieOpen(e.open, e.seat, e.pos.area) },
		Happens: rules.Happen(engine.HapExposed, "seat", "card"), Says: rules.Say("cl.log.seen", "card")},
	evReminded: {Name: "reminded", NoAct: true, Needs: rules.Seat, Apply: func(s *state, _ *event) { s.reminded = true },
		Tell: func(t teller) story.Log {
			t.Whisper(t.e.seat, "cl.log.reminder")
			return t.Log
		}},
	evDoubted: {Name: "doubted", NoAct: true, Apply: func(s *state, _ *event) { s.doubt = true }, Says: rules.Say("cl.log.doubt")},
	evCounting: {Name: "counting", NoAct: true, Happens: rules.Happen(engine.HapCounting), Says: rules.Say("cl.log.count"),
		Apply: func(s *state, _ *event) {
			s.count.BeginCount()
			s.closes = 0
			s.reply = box.Box[reply]{} // an answer that has not taken effect must be given again
		}},
	evCountIs: {Name: "count-is", NoAct: true, Decode: (*Book).decodeCount,
		Apply: func(s *state, e *event) { s.recount(e.seat, e.pos.area, uint8(e.n)) }, Tell: teller.tellCount},
	evCounted: {Name: "counted", NoAct: true, Decode: (*Book).decodeNumber, Apply: (*state).endCount,
		Happens: rules.Happen(engine.HapCounted), Says: rules.Say("cl.log.counted", "n")},
	evReread: {Name: "read-again", Apply: (*state).reread, Happens: rules.Happen(engine.HapRedrawn),
		Says: rules.Say("cl.log.again")},
	evNobody: {Name: "nobody", Needs: rules.Seat, Decode: (*Book).decodeSeats, Barrier: always,
		Apply: (*state).nobodyHas},
	evContested: {Name: "contested", Needs: rules.Seat | rules.Other, Barrier: always, Says: rules.Say("cl.log.contested", "seat"),
		Apply: func(s *state, _ *event) { s.showing.contested = true }, Tell: teller.tellContested},
	evAlarmed: {Name: "alarmed", Barrier: always, Apply: func(s *state, _ *event) { s.count.Alarmed = true },
		Says: rules.Say("gen.log.alarmed")},
	evRedealt: {Name: "redealt", Apply: (*state).reread, Happens: rules.Happen(engine.HapRedrawn),
		Says: rules.Say("cl.log.redealt")},
	evSkipped: {Name: "skipped", Needs: rules.Seat, Happens: rules.Happen(engine.HapOverruled, "seat"),
		Says: rules.Say("gen.log.skipped", "seat"), Apply: (*state).skip},
	evTurnTo: {Name: "turn-given", Needs: rules.Seat, Happens: rules.Happen(engine.HapOverruled, "seat"),
		Says:  rules.Say("gen.log.turn-given", "seat"),
		Apply: func(s *state, _ *event) { s.cutShort() }},
	evAdvanced: {Name: "phase-ended", Needs: rules.Seat, Happens: rules.Happen(engine.HapOverruled, "seat"),
		Says: rules.Say("gen.log.phase-ended"), Apply: (*state).advance},
	evKilled: {Name: "killed", Needs: rules.Seat, Barrier: always, Apply: (*state).kill,
		Tell: teller.tellKilled},
	evOut: {Name: "out", Needs: rules.Seat, Happens: rules.Happen(engine.HapOverruled, "seat"),
		Says: rules.Say("cl.log.out", "seat"), Apply: (*state).leave},
	evRevived: {Name: "revived", Needs: rules.Seat, Apply: (*state).revive, Tell: teller.tellRevived},
	evAllowed: {Name: "allowed", Needs: rules.Seat, Decode: (*Book).decodeAllowed, Tell: teller.tellAllowed,
		Apply: (*state).allow},
	evPosition: {Name: "posed", Decode: (*Book).decodePosition, Apply: (*state).position},
}

// deal has the place to which the program has dealt each mystery card.
type deal [maxCards + 1]loc

// event is a fact. Its kind says which fields it uses. Whatever some viewers may not see is a
// hidden value, so that printing an event shows a mask.
type event struct {
	kind     eventKind
	at       engine.Millis
	seat     engine.Seat
	other    engine.Seat
	who      uint8  // a suspect, or the card that a clue card looks for
	n        uint16 // value of a house rule, set of seats, total, points left, or 1 for yes
	sw       uint8  // index of the switch
	dice     [2]uint8
	pos      pos
	names    [3]card          // public: a hypothesis, or the cards of the envelope
	accused  box.Box[[3]card] // the accused cards, or those that a wrong accuser finds in the envelope
	open     card             // a public card
	text     string
	card     box.Small[card]
	reply    box.Box[reply]
	deal     box.Box[deal]
	amend    box.Box[amends]
	position box.Box[position.Position]
}

// Kind returns the name under which the event is stored.
func (e *event) Kind() string { return events[e.kind].Name }

// Barrier reports whether a player has seen something by this event.
func (e *event) Barrier() bool { return events[e.kind].Shows(e) }

// alwaysBarrier is the barrier of events that always show something.
func always(*event) bool { return true }

// Stamp sets the time of the event.
func (e *event) Stamp(at engine.Millis) { e.at = at }

// Format prints only the kind, for every verb, so that a log shows no secret.
func (e event) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(events[e.kind].Name)) }

func hide(c card) box.Small[card] { return box.SealSmall(c, box.Nobody) }

// moveEvents returns the move of a seat's pawn, in one of the ways of moving.
func moved(at engine.Millis, x engine.Seat, to pos, w way) []*event {
	return []*event{{kind: evMoved, at: at, seat: x, pos: to, text: w.String()}}
}

func one(k eventKind, at engine.Millis, x engine.Seat) []*event {
	return []*event{{kind: k, at: at, seat: x}}
}
