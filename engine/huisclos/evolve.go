package huisclos

import (
	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/story"
)

// Evolve applies one event to a copy. It decides nothing: what came out of
// dice, of a choice or of a rule stands in the event. An event of another game
// changes nothing.
func (s *state) Evolve(e engine.Event) engine.Game {
	ev, _ := e.(*event)
	if ev == nil {
		return s
	}
	return s.evolved(ev)
}

func (s *state) evolved(e *event) *state {
	next := *s
	next.apply(e)
	next.narrate(s, e)
	return &next
}

// change applies an event in place: only ever to a copy that nobody else has.
// It tells no story.
func (s *state) apply(e *event) {
	switch {
	case e.kind == evPosition:
		s.position(e)
	case e.kind <= evLaidAll:
		s.applySetUp(e)
	case e.kind >= evExchange && e.kind <= evAccused:
		s.applyOther(e)
	case e.kind >= evUntold:
		s.applyCustody(e)
	case e.kind <= evEnded:
		s.applyInvestigation(e)
	default:
		s.applyResolution(e)
	}
	s.remember(e)
	switch e.kind {
	case evLaid, evKept, evTook, evDeposited, evRecovered, evDrew, evGave:
		c, _ := e.card.Open()
		s.read, s.readAt = box.Seal(s.book.cardID[c], box.Nobody), e.at
	case evRole:
		d, _ := e.role.Open()
		s.read, s.readAt = box.Seal(d.card, box.Nobody), e.at
	case evDepositing, evUnsealed, evRecovering, evRound, evSearched, evExchange: // another act: the same clue may be meant
		s.read = box.Box[string]{}
	}
}

func (s *state) applySetUp(e *event) {
	switch e.kind {
	case evSat:
		s.seats[e.seat] = player{name: e.text, who: e.who}
	case evRose:
		s.seats[e.seat] = player{}
		if s.first == e.seat {
			s.first = 0
		}
	case evFirst:
		s.first = e.seat
	case evSwitched:
		s.rules[e.sw] = uint8(e.n)
	case evBegun:
		s.begin()
		s.phase = roles
		s.call(s.first, e.at)
	case evRole:
		d, _ := e.role.Open()
		s.roles[e.seat] = box.Seal(d, box.Only(e.seat))
		s.seats[e.seat].done = true
		s.call(s.next(s.pending), e.at)
	case evRolesBad:
		s.redraw(e.at)
	case evRolesAuto:
		rs, _ := e.roles.Open()
		for x := engine.Seat(1); x <= maxSeats; x++ {
			if s.seated(x) {
				s.roles[x] = box.Seal(drawn{role: rs[x]}, box.Only(x))
				s.seats[x].done = true
			}
		}
		s.call(0, e.at)
	case evRolesGood:
		s.phase = laying
		s.fresh()
		s.call(0, e.at)
	case evDealt:
		s.deal = e.deal.For(box.Nobody)
	case evLaid:
		c, _ := e.card.Open()
		s.lay(c, e.place)
	case evLaidAll:
		d, _ := s.deal.Open()
		for c := card(1); c <= numCards; c++ {
			if l, _ := s.clues[c].Open(); l == locOut && d[c] != 0 {
				s.lay(c, d[c])
			}
		}
	}
}

// redraw begins the drawing of the roles again.
func (s *state) redraw(at engine.Millis) {
	s.roles = [maxSeats + 1]box.Box[drawn]{}
	s.fresh()
	s.call(s.first, at)
}

// begin counts the players and gives pawns and Accusation cards (HC-010, HC-021).
func (s *state) begin() {
	s.n = 0
	for x := range s.seats {
		if p := &s.seats[x]; p.who != 0 {
			s.n++
			p.at, p.tokens = s.book.start, 1
		}
	}
}

// lay puts a face-down clue on a place.
func (s *state) lay(c card, p place) {
	s.put(c, loc(p), box.Nobody)
	s.rooms[p].cards++
}

// fresh clears what every seat has done in a phase.
func (s *state) fresh() {
	for x := range s.seats {
		s.seats[x].done = false
	}
}

// call makes x the seat to act and starts a new wait; zero: nobody yet.
func (s *state) call(x engine.Seat, at engine.Millis) {
	s.active, s.step = x, stepNone
	s.await(at)
}

// await starts a new wait for the seat that is to act, such as for its next card.
func (s *state) await(at engine.Millis) {
	s.since, s.reminded = at, false
	s.wait++
}

func (s *state) applyInvestigation(e *event) {
	x := e.seat
	p := &s.seats[x]
	switch e.kind {
	case evPile:
		s.phase = pick
		s.call(x, e.at)
		s.unveil(p.at, box.Only(x))
	case evKept:
		s.grab(e)
		s.unveil(p.at, box.Nobody)
		p.done = true
		s.call(0, e.at)
	case evRound:
		s.beginRound(e)
	case evCalled:
		s.call(x, e.at)
		if s.phase == investigation {
			s.step, s.walked = stepMove, false
			s.orStay()
		}
	case evMoved:
		p.at, s.step, s.walked = e.place, stepAct, true
	case evSearched:
		s.step, s.full, s.window = stepTake, p.cards >= handLimit, e.n != 0
		s.await(e.at)
		s.unveil(p.at, box.Only(x))
	case evWindow:
		s.window = false
		s.await(e.at)
	case evTook:
		s.grab(e)
		s.taken = e.card.For(box.Only(x))
		s.shows(x, e.card)
		s.step = step(e.sw)
		s.await(e.at)
	case evLeft:
		c, _ := e.card.Open()
		s.fromHand(x, c, e.trust)
		s.ontoPlace(p.at, c, e.trust, box.Only(x))
		s.step = stepPurge
	case evDestroyed:
		s.drop(e.card, x)
		p.destroyed++
		s.step = stepPurge
	case evPurged:
		c, _ := e.card.Open()
		s.surface(c, loc(p.at))
		s.fromPlace(p.at, c, exact)
		s.put(c, locGone, box.All)
	case evEnded:
		s.finish(x)
		s.call(0, e.at)
	}
}

// beginRound starts round e.n with its investigation phase (HC-025, HC-032).
func (s *state) beginRound(e *event) {
	s.phase, s.round, s.first = investigation, uint8(e.n), e.seat
	s.fresh()
	s.opened, s.last, s.doomed, s.surplus, s.askedShort, s.showed = false, 0, 0, 0, 0, 0
	for x := range s.seats {
		s.seats[x].short, s.seats[x].observed, s.seats[x].agrees = false, false, false
	}
	for q := range s.rooms {
		s.rooms[q].deaths, s.rooms[q].rest = 0, 0
	}
	s.call(0, e.at)
}

// finish ends the investigation of x: its tray is closed (HC-068).
func (s *state) finish(x engine.Seat) {
	s.unveil(s.seats[x].at, box.Nobody)
	s.seats[x].done = true
	s.taken, s.given = box.Box[card]{}, box.Box[card]{}
	s.full, s.window, s.half, s.target = false, false, false, 0
	s.accuser, s.accused = 0, 0
	for y := range s.seats {
		s.seats[y].watching = false
	}
}

// unveil lets an audience look through the clues that lie in p.
func (s *state) unveil(p place, aud box.Audience) {
	for c := range s.clues {
		if l, _ := s.clues[c].Open(); l == loc(p) && l != locOut {
			s.put(card(c), l, aud)
		}
	}
}

// grab moves a clue from the place where the seat stands into its hand.
func (s *state) grab(e *event) {
	c, _ := e.card.Open()
	s.fromPlace(s.seats[e.seat].at, c, e.trust)
	s.intoHand(e.seat, c, e.trust)
}

func (s *state) applyResolution(e *event) {
	x := e.seat
	p := &s.seats[x]
	switch e.kind {
	case evDepositing:
		s.phase = deposit
		s.dropper, s.tap = 0, false
		s.fresh()
		s.call(0, e.at)
	case evDeposited:
		c, _ := e.card.Open()
		s.dropper, s.tap = x, e.n == 0
		if s.fromHand(x, c, e.trust); e.trust == exact {
			s.put(c, locUrn+loc(x), box.Only(x))
		}
		p.done = true
		s.urn++
		s.call(0, e.at)
	case evShort:
		p.done, p.short = true, true
		if s.active != 0 {
			s.call(0, e.at)
		}
	case evReady:
		s.phase = reveal
		s.call(s.first, e.at)
	case evOpened:
		s.open()
		s.call(0, e.at)
	case evDied:
		s.die(x)
	case evDuel:
		s.duel = true
	case evRecovering:
		s.phase = recovery
		s.fresh()
		s.call(0, e.at)
	case evRecovered:
		c, _ := e.card.Open()
		if s.step == stepExtra {
			s.repair(x)
		}
		s.intoHand(x, c, exact)
		p.done = true
		s.last = x
		s.call(0, e.at)
	case evLaying:
		s.call(x, e.at)
		s.step = stepLay
	case evRest:
		c, _ := e.card.Open()
		s.ontoPlace(e.place, c, exact, box.Nobody)
		s.rooms[e.place].rest++
	case evClosed:
		s.rooms[e.place].closed = true
		s.orStay() // a corrected pawn can close the last other place before the move
	case evReminded:
		s.reminded = true
	case evAgreed:
		p.agrees = true
	case evOver:
		s.end(e)
	}
}

// open shows what lies in the urn and notes who is doomed by it: several
// weapons act at once, from the positions of this moment (HC-130). From here on
// nothing links a clue to who deposited it (HC-141).
func (s *state) open() {
	s.opened, s.urn = true, 0
	var ws set
	for c := range s.clues {
		switch l, _ := s.clues[c].Open(); {
		case l > locUrn && l < locShown:
			s.put(card(c), locShown, box.All)
			ws = ws.with(card(c))
		case l == locShown: // named by hand
			ws = ws.with(card(c))
		}
	}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		at := s.seats[x].at
		if s.living(x) && at != 0 && !s.rooms[at].closed && ws.has(card(at)) {
			s.doomed |= 1 << x
		}
	}
}

// die turns the role card of x over and lays its hand where it died (HC-131,
// HC-132, HC-138).
func (s *state) die(x engine.Seat) {
	p := &s.seats[x]
	s.doomed &^= 1 << x
	s.reveal(x)
	s.saw(x, s.holding(x), story.Sight{How: engine.SawLeft, Place: engine.ID(s.book.placeID[p.at])})
	s.layHand(x, p.at)
	s.rooms[p.at].deaths++
	p.at, p.dead, p.done, p.tokens = 0, true, true, 0
}

// applyCustody applies the events by which the record follows the table.
func (s *state) applyCustody(e *event) {
	x := e.seat
	c, _ := e.card.Open()
	switch e.kind {
	case evUntold:
		s.seats[x].done = true
		s.call(s.next(s.pending), e.at)
	case evLaidHand:
		s.layUnread()
	case evHeld:
		s.claim(x, c, true)
	case evForgot:
		s.forget(x, c)
	case evUnsealed:
		s.unseal()
	case evFound:
		s.find(c)
	case evFoundAll:
		s.surplus = uint8(max(0, s.found()-int(s.expect)))
		s.open()
		s.call(0, e.at)
	case evTurning:
		s.call(x, e.at)
		s.step = stepRole
	case evTurned:
		d, _ := e.role.Open()
		s.turned(x, d)
		s.call(0, e.at)
	case evAsked:
		s.askedShort |= 1 << x
		s.call(x, e.at)
		s.step = stepExtra
	case evNotShort:
		s.call(0, e.at)
	case evCounting, evCountIs, evCounted, evReread:
		s.applyCount(e)
	case evPawn, evDisagreed:
		s.applyAmend(e)
	}
}

// orStay lets the active seat act where it stands when there is no other open place
// to move to (HC-053).
func (s *state) orStay() {
	if s.step != stepMove {
		return
	}
	for q := place(1); q <= numPlaces; q++ {
		if !s.rooms[q].closed && q != s.seats[s.active].at {
			return
		}
	}
	s.step = stepAct
}

// end makes every role known, which each end does (HC-157).
func (s *state) end(e *event) {
	switch {
	case s.accuser != 0:
		s.finish(s.accuser)
	case s.phase == investigation && s.active != 0:
		s.finish(s.active)
	}
	s.phase = over
	s.call(0, e.at)
	s.infer()
	for x := range s.roles {
		s.reveal(engine.Seat(x))
	}
	winners := []engine.Seat{}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		if e.n&(1<<x) != 0 {
			winners = append(winners, x)
		}
	}
	s.result = &engine.Result{Rule: e.text, Winners: winners, Msg: resultMsg(e.text, winners, e.ends)}
}

// applyOther applies the events of this file.
func (s *state) applyOther(e *event) {
	x, y := e.seat, e.other
	c, _ := e.card.Open()
	switch e.kind {
	case evExchange:
		s.target, s.step, s.window = y, step(e.sw), e.n != 0
		s.await(e.at)
	case evDrew:
		s.fromHand(y, c, e.trust)
		s.intoHand(x, c, e.trust)
		s.taken = e.card.For(box.Only(x))
		s.shows(x, e.card)
		s.step, s.half = stepGive, true
		s.await(e.at)
	case evGave:
		s.fromHand(x, c, e.trust)
		s.intoHand(y, c, e.trust)
		s.given = e.card.For(box.Only(x))
		s.step, s.half = stepDraw, true
		s.await(e.at)
	case evObserved:
		s.seats[x].observed, s.seats[x].watching = true, true
	case evAccused:
		s.drop(e.card, x)
		s.accuser, s.accused = x, y
		s.reveal(y)
		s.acquit()
	}
}

// applyAmend applies the events of this file.
func (s *state) applyAmend(e *event) {
	switch e.kind {
	case evPawn:
		s.seats[e.seat].at = e.place
	case evDisagreed:
		s.showed &^= 1 << e.seat
	}
}
