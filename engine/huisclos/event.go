package huisclos

import (
	"fmt"

	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/position"
	"majordome/engine/internal/rules"
	"majordome/engine/internal/story"
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
	evHeld   // a seat names a clue of its hand
	evForgot // ... or says that it does not hold one
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
	evReread    // all cards of this phase are to be read again
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
	kind     eventKind
	at       engine.Millis
	seat     engine.Seat
	other    engine.Seat
	place    place
	who      character
	n        uint16 // by kind: round, set of winning seats, number of clues, or 1 as a flag
	trust    trust  // how the clue is known; card is empty if the clue is unnamed
	sw       uint8  // index of a house rule; n is its value
	step     step   // the step that follows
	ends     bool   // the investigation had no action (HC-054); the game ends by agreement (HC-211)
	text     string
	card     box.Small[card]
	role     box.Small[drawn]
	roles    box.Box[[maxSeats + 1]role]
	deal     box.Box[deal]
	position box.Box[position.Position]
}

// Kind returns the name under which the event is stored.
func (e *event) Kind() string { return events[e.kind].Name }

// Barrier reports whether the event shows something to a player, who cannot forget it.
func (e *event) Barrier() bool { return events[e.kind].Shows(e) }

// alwaysShows is the Barrier of the kinds that always show something.
func always(*event) bool { return true }

// Stamp sets the time of the event.
func (e *event) Stamp(at engine.Millis) { e.at = at }

// Format prints only the kind for every verb, so that a log of the program shows no secret.
func (e event) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(events[e.kind].Name)) }

// clue returns the card that the event moves; zero: it is unnamed.
func (e *event) clue() card {
	c, _ := e.card.Open()
	return c
}

// clues returns the set of that one card; it is empty if the card is unnamed.
func (e *event) clues() (one set) {
	if c, ok := e.card.Open(); ok {
		one = one.With(c)
	}
	return one
}

func hide(c card) box.Small[card] { return box.SealSmall(c, box.Nobody) }

// eventRows has one row for each kind of event: how to decode, apply and announce it.
var events = [numEventKinds]rules.Row[*Book, *state, *event, *stored, func(teller) story.Log]{
	// Set-up.
	evSat: {Name: "sat", Needs: rules.Seat, Decode: (*Book).decodePlayer, Says: rules.Say(logSat, "seat", "character"),
		Apply: func(s *state, e *event) { s.sit(e.seat, e.text, player{who: e.who}) }},
	evRose: {Name: "rose", Needs: rules.Seat, Apply: func(s *state, e *event) {
		s.seats[e.seat] = player{}
		if s.first == e.seat {
			s.first = 0
		}
	}, Tell: teller.tellRose},
	evFirst: {Name: "first", Needs: rules.Seat, Apply: func(s *state, e *event) { s.first = e.seat }},
	evSwitched: {Name: "switched", Decode: (*Book).decodeSwitch,
		Apply: func(s *state, e *event) { s.rules[e.sw] = uint8(e.n) }},
	evBegun: {Name: "begun", Happens: rules.Happen(engine.HapBegun), Tell: teller.tellBegun,
		Apply: func(s *state, e *event) {
			s.begin()
			s.phase = roles
			s.call(s.first, e.at)
		}},
	evRole: {Name: "role", Needs: rules.Seat, Decode: (*Book).decodeRole,
		Happens: rules.Happen(engine.HapReceived, "seat"), Says: rules.Say("hc.log.role", "seat"),
		Apply: func(s *state, e *event) {
			d, _ := e.role.Open()
			s.roles[e.seat] = box.SealSmall(d, box.Only(e.seat))
			s.hasRole(e)
			s.keepRead(d.tagged(), e.at)
		}},
	evUntold: {Name: "role-untold", Needs: rules.Seat, Apply: (*state).hasRole,
		Happens: rules.Happen(engine.HapReceived, "seat"), Says: rules.Say("hc.log.role", "seat")},
	evRolesBad: {Name: "roles-wrong", Happens: rules.Happen(engine.HapRedrawn), Says: rules.Say("hc.log.roles-wrong"),
		Apply: func(s *state, e *event) { s.redraw(e.at) }},
	evRolesAuto: {Name: "roles-drawn", Barrier: always, Decode: (*Book).decodeRoles, Says: rules.Say("hc.log.roles-drawn"),
		Apply: func(s *state, e *event) {
			rs, _ := e.roles.Open()
			for x := engine.Seat(1); x <= maxSeats; x++ {
				if s.seated(x) {
					s.roles[x] = box.SealSmall(drew(rs[x], 0), box.Only(x))
					s.seats[x].done = true
				}
			}
			s.call(0, e.at)
		}},
	evRolesGood: {Name: "roles-right", Happens: rules.Happen(engine.HapAssigned), Says: rules.Say("hc.log.roles-right"),
		Apply: func(s *state, e *event) { s.begins(laying, e.at) }},
	evDealt: {Name: "dealt", Decode: (*Book).decodeDeal, Apply: func(s *state, e *event) { s.deal = &e.deal }},
	evLaid: {Name: "laid", Needs: rules.Place | rules.Card, Happens: rules.Happen(engine.HapLaid, "place"),
		Says: rules.Say("hc.log.laid", "place"),
		Apply: func(s *state, e *event) {
			s.lay(e.clue(), e.place)
			s.keepReadOf(e)
		}},
	evLaidAll:  {Name: "laid-all", Says: rules.Say("hc.log.laid-all"), Apply: (*state).layDealt},
	evLaidHand: {Name: "laid-by-hand", Says: rules.Say("hc.log.laid-all"), Apply: func(s *state, _ *event) { s.layUnread() }},
	evPile: {Name: "pile", Barrier: always, Needs: rules.Seat, Tell: teller.tellPile, Before: true,
		Apply: func(s *state, e *event) { s.offerPile(e.seat, e.at) }},
	evKept: {Name: "kept", Needs: rules.Seat, Decode: (*Book).decodeMoved,
		Happens: rules.Happen(engine.HapTaken, "seat", "place"), Says: rules.Say("hc.log.kept", "seat"), Own: "hc.log.kept.own",
		Apply: func(s *state, e *event) {
			p := &s.seats[e.seat]
			s.grab(e)
			s.unveil(p.at, box.Nobody)
			p.done = true
			s.call(0, e.at)
			s.sawTaken(e)
		}},

	// The investigation.
	evRound: {Name: "round", Needs: rules.Seat, Apply: (*state).beginRound, Tell: teller.tellAccusing,
		Happens: rules.Happen(engine.HapRound, "seat"), Says: rules.Say("hc.log.round", "n", "seat")},
	evCalled: {Name: "called", NoAct: true, Needs: rules.Seat, Apply: func(s *state, e *event) { s.callToAct(e.seat, e.at) }},
	evMoved: {Name: "moved", Needs: rules.Seat | rules.Place,
		Happens: rules.Happen(engine.HapMoved, "seat", "place"), Says: rules.Say("hc.log.moved", "seat", "place"),
		Apply: func(s *state, e *event) { s.seats[e.seat].at, s.step, s.walked = e.place, stepAct, true }},
	evSearched: {Name: "searched", Barrier: always, Needs: rules.Seat, Says: rules.Say("hc.log.searched", "seat", "place"),
		Apply: func(s *state, e *event) {
			p := &s.seats[e.seat]
			s.step, s.full, s.window = stepTake, p.cards >= handLimit, e.n != 0
			s.await(e.at)
			s.unveil(p.at, box.Only(e.seat))
			s.sawHere(e.seat)
			s.nothingRead()
		}},
	evWindow: {Name: "window-closed", Apply: func(s *state, e *event) {
		s.window = false
		s.await(e.at)
	}},
	evTook: {Name: "took", Barrier: func(e *event) bool { return e.n != 0 }, // observers have seen the clue
		Needs: rules.Seat, Decode: (*Book).decodeMoved,
		Happens: rules.Happen(engine.HapTaken, "seat", "place"), Says: rules.Say("hc.log.took", "seat"), Own: "hc.log.took.own",
		Tell: func(t teller) story.Log {
			t.tellObservers(t.e.seat, t.e.clue())
			return t.Log
		},
		Apply: func(s *state, e *event) {
			s.grab(e)
			s.taken = e.card.For(box.Only(e.seat))
			s.shows(e.seat, e.card)
			s.step = e.step
			s.await(e.at)
			s.sawTaken(e)
		}},
	evLeft: {Name: "left", Needs: rules.Seat, Decode: (*Book).decodeMoved,
		Happens: rules.Happen(engine.HapLeft, "seat", "place"), Says: rules.Say("hc.log.left", "seat"), Own: "hc.log.left.own",
		Apply: func(s *state, e *event) {
			x, c := e.seat, e.clue()
			s.fromHand(x, c, e.trust)
			s.ontoPlace(s.seats[x].at, c, e.trust, box.Only(x))
			s.step = stepPurge
			s.saw(x, e.clues(), engine.Sighting{How: engine.SawLeft, Place: s.here(x)})
		}},
	evDestroyed: {Name: "destroyed", Barrier: always, Needs: rules.Seat | rules.Card,
		Happens: rules.Happen(engine.HapGone, "seat", "card"), Says: rules.Say("hc.log.destroyed", "seat", "card"),
		Apply: func(s *state, e *event) {
			s.drop(e.card, e.seat)
			s.seats[e.seat].destroyed++
			s.step = stepPurge
		}},
	evPurged: {Name: "purged", Barrier: always, Needs: rules.Seat | rules.Card,
		Happens: rules.Happen(engine.HapGone, "seat", "card"), Says: rules.Say("hc.log.destroyed", "seat", "card"),
		Apply: func(s *state, e *event) {
			c, at := e.clue(), s.seats[e.seat].at
			s.surface(c, loc(at))
			s.fromPlace(at, c, exact)
			s.cards.Put(c, locGone, box.All)
		}},
	evEnded: {Name: "investigated", NoAct: true, Needs: rules.Seat, Tell: teller.tellIdle,
		Apply: func(s *state, e *event) {
			s.finish(e.seat)
			s.call(0, e.at)
			if s.idled = 0; e.ends {
				s.idled = e.seat
			}
		}},
	evExchange: {Name: "exchange", Needs: rules.Seat | rules.Other, Says: rules.Say("hc.log.exchange", "seat", "other"),
		Apply: func(s *state, e *event) {
			s.target, s.step, s.window = e.other, e.step, e.n != 0
			s.await(e.at)
			s.nothingRead()
		}},
	evDrew: {Name: "drew", Barrier: always, Needs: rules.Seat | rules.Other, Decode: (*Book).decodeMoved,
		Apply: (*state).drawFrom, Tell: teller.tellDrew},
	evGave: {Name: "gave", Barrier: always, Needs: rules.Seat | rules.Other, Decode: (*Book).decodeMoved,
		Apply: (*state).giveTo, Tell: teller.tellGave,
		Happens: rules.Happen(engine.HapPassed, "seat", "other"), Says: rules.Say("hc.log.gave", "seat", "other")},
	evObserved: {Name: "observed", Needs: rules.Seat, Says: rules.Say("hc.log.observes", "seat", "other"),
		Apply: func(s *state, e *event) { s.seats[e.seat].observed, s.seats[e.seat].watching = true, true }},
	evAccused: {Name: "accused", Barrier: always, Needs: rules.Seat | rules.Other | rules.Card,
		Happens: rules.Happen(engine.HapAccused, "seat", "other", "card"),
		Says:    rules.Say("hc.log.accused", "seat", "other", "card"),
		Tell:    teller.tellAcquitted,
		Apply: func(s *state, e *event) {
			s.drop(e.card, e.seat)
			s.accuser, s.accused = e.seat, e.other
			s.reveal(e.other)
			s.acquit()
		}},
	evAgreed: {Name: "draw-offered", Needs: rules.Seat, Says: rules.Say("hc.log.draw-offered", "seat"),
		Apply: func(s *state, e *event) { s.seats[e.seat].agrees = true }},

	// The murder resolution.
	evDepositing: {Name: "deposit-begun", NoAct: true, Apply: func(s *state, e *event) {
		s.dropper, s.tap = 0, false
		s.begins(deposit, e.at)
		s.nothingRead()
	}},
	evDeposited: {Name: "deposited", Needs: rules.Seat, Decode: (*Book).decodeMoved, Apply: (*state).intoUrn,
		Happens: rules.Happen(engine.HapFell, "seat"), Says: rules.Say("hc.log.deposited", "seat"), Own: "hc.log.deposited.own"},
	evShort: {Name: "no-deposit", NoAct: true, Needs: rules.Seat, Says: rules.Say("hc.log.no-deposit", "seat"),
		Apply: func(s *state, e *event) {
			s.seats[e.seat].done, s.seats[e.seat].short = true, true
			if s.active != 0 { // else the seat was not called
				s.call(0, e.at)
				s.idled = 0
			}
		}},
	evReady: {Name: "urn-full", Apply: func(s *state, e *event) {
		s.phase = reveal
		s.call(s.first, e.at)
	}},
	evOpened: {Name: "opened", Barrier: always, Tell: teller.tellOpened, Before: true, Apply: (*state).open},
	evUnsealed: {Name: "urn-unsealed", Barrier: always, Needs: rules.Seat, Tell: teller.tellUnsealed, Before: true,
		Apply: func(s *state, _ *event) {
			s.unseal()
			s.nothingRead()
		}},
	evFound: {Name: "found", Needs: rules.Card,
		Happens: rules.Happen(engine.HapNamed, "card"), Says: rules.Say("hc.log.found", "card"),
		Apply: func(s *state, e *event) { s.find(e.clue()) }},
	evFoundAll: {Name: "urn-named", Tell: teller.tellFound, Apply: func(s *state, e *event) {
		s.surplus = uint8(max(0, s.found()-int(s.expect)))
		s.open(e)
	}},
	evDied: {Name: "died", Barrier: always, Needs: rules.Seat, Tell: teller.tellDeath, Before: true,
		Apply: func(s *state, e *event) { s.die(e.seat) }},
	evDuel: {Name: "confrontation", Happens: rules.Happen(engine.HapConfrontation), Says: rules.Say("hc.log.confrontation"),
		Apply: func(s *state, _ *event) { s.duel = true }},
	evRecovering: {Name: "recovery-begun", Apply: func(s *state, e *event) {
		s.begins(recovery, e.at)
		s.nothingRead()
	}},
	evRecovered: {Name: "recovered", Needs: rules.Seat | rules.Card, Apply: (*state).recoverTo,
		Happens: rules.Happen(engine.HapRecovered, "seat", "card"), Says: rules.Say("hc.log.recovered", "seat", "card")},
	evAsked: {Name: "asked", Needs: rules.Seat, Apply: func(s *state, e *event) {
		s.askedShort |= 1 << e.seat
		s.callFor(stepExtra, e)
	}},
	evNotShort: {Name: "not-short", Needs: rules.Seat, Apply: func(s *state, e *event) { s.call(0, e.at) }},
	evLaying:   {Name: "laying-rest", Needs: rules.Seat, Apply: func(s *state, e *event) { s.callFor(stepLay, e) }},
	evRest: {Name: "rest-laid", Needs: rules.Place | rules.Card, Happens: rules.Happen(engine.HapRest, "place", "card"),
		Says: rules.Say("hc.log.rest", "card", "place"),
		Apply: func(s *state, e *event) {
			s.ontoPlace(e.place, e.clue(), exact, box.Nobody)
			s.rooms[e.place].rest++
			s.saw(0, e.clues(), engine.Sighting{How: engine.SawThere, Place: engine.ID(s.book.placeID[e.place])})
		}},
	evClosed: {Name: "closed", Needs: rules.Place, Happens: rules.Happen(engine.HapClosed, "place"),
		Says: rules.Say("hc.log.closed", "place"),
		Apply: func(s *state, e *event) {
			s.rooms[e.place].closed = true
			s.orStay() // a corrected pawn can close the last other place before the move
		}},
	evTurning: {Name: "role-called", Needs: rules.Seat, Apply: func(s *state, e *event) { s.callFor(stepRole, e) }},
	evTurned: {Name: "role-turned", Barrier: always, Needs: rules.Seat, Decode: (*Book).decodeRole,
		Tell: teller.tellTurned, Before: true,
		Apply: func(s *state, e *event) {
			d, _ := e.role.Open()
			s.turned(e.seat, d)
			s.call(0, e.at)
		}},
	evOver: {Name: "over", Barrier: always, Apply: (*state).end, Tell: teller.tellEnd, Before: true},

	// At any time.
	evReminded: {Name: "reminded", NoAct: true, Needs: rules.Seat, Apply: func(s *state, _ *event) { s.reminded = true },
		Tell: func(t teller) story.Log {
			t.Whisper(t.e.seat, "hc.log.reminder")
			return t.Log
		}},
	evHeld: {Name: "held", NoAct: true, Needs: rules.Seat | rules.Card, Own: "hc.log.held.own",
		Apply: func(s *state, e *event) { s.cards.Claim(e.seat, e.clue()) }},
	evForgot: {Name: "forgot", NoAct: true, Needs: rules.Seat | rules.Card, Own: "hc.log.forgot.own",
		Apply: func(s *state, e *event) { s.forget(e.seat, e.clue()) }},
	evDisagreed: {Name: "disagreed", NoAct: true, Needs: rules.Seat, Tell: teller.tellDisagreed,
		Apply: func(s *state, e *event) { s.showed &^= 1 << e.seat }},
	evCounting: {Name: "count-begun", NoAct: true, Happens: rules.Happen(engine.HapCounting), Says: rules.Say("hc.log.count"),
		Apply: func(s *state, _ *event) { s.count.BeginCount() }},
	evCountIs: {Name: "count-is", NoAct: true, Decode: (*Book).decodeCount, Apply: (*state).recount,
		Tell: teller.tellRecount},
	evCounted: {Name: "counted", NoAct: true, Decode: (*Book).decodeCount, Apply: (*state).endCount,
		Happens: rules.Happen(engine.HapCounted), Says: rules.Say("hc.log.counted", "n")},
	evAlarmed: {Name: "alarmed", Barrier: always, Apply: func(s *state, _ *event) { s.count.Alarmed = true },
		Says: rules.Say("gen.log.alarmed")},
	evReread: {Name: "read-again", Apply: (*state).reread, Tell: teller.tellReread},
	evShuffled: {Name: "shuffled", NoAct: true, Needs: rules.Place,
		Says: rules.Say("hc.log.shuffled", "place")}, // nothing is recorded of it
	evPawn: {Name: "pawn-corrected", Needs: rules.Seat | rules.Place,
		Happens: rules.Happen(engine.HapMoved, "seat", "place"), Says: rules.Say("hc.log.pawn", "seat", "place"),
		Apply: func(s *state, e *event) { s.seats[e.seat].at = e.place }},
	evSkipped: {Name: "skipped", Needs: rules.Seat, Happens: rules.Happen(engine.HapOverruled, "seat"),
		Says: rules.Say("gen.log.skipped", "seat"),
		Apply: func(s *state, e *event) {
			s.passOver(e.seat)
			s.call(0, e.at)
		}},
	evAdvanced: {Name: "phase-ended", Happens: rules.Happen(engine.HapOverruled), Says: rules.Say("gen.log.phase-ended"),
		Apply: (*state).advance},
	evTurnTo: {Name: "turn-given", Needs: rules.Seat, Happens: rules.Happen(engine.HapOverruled, "seat"),
		Says:  rules.Say("gen.log.turn-given", "seat"),
		Apply: (*state).giveTurn},
	evKilled: {Name: "killed", Barrier: always, Needs: rules.Seat, Tell: teller.tellKilled, Before: true,
		Apply: (*state).kill},
	evRevived: {Name: "revived", Needs: rules.Seat | rules.Place, Happens: rules.Happen(engine.HapRevived, "seat", "place"),
		Says:  rules.Say("hc.log.revived", "seat", "place"),
		Apply: (*state).revive},
	evAllowed: {Name: "allowed", Needs: rules.Seat, Decode: (*Book).decodeAllowed, Tell: teller.tellAllowed,
		Apply: (*state).allow},
	evPosition: {Name: "posed", Decode: (*Book).decodePosition, Apply: (*state).position},
}
