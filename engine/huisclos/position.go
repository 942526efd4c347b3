package huisclos

import (
	"slices"

	"majordome/engine"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/hidden"
	"majordome/engine/internal/position"
)

// BuildPosition returns the events that lead to any position. Verbs, one a line:
//
//	seat <seat-N> <name> <character> <murderer|innocent>
//	first <seat>                        default: the first seat named
//	switch <name> <value>
//	round <n>                           default 1
//	phase <roles|laying|pick|investigation|deposit|reveal|recovery>   default investigation
//	active <seat>                       default: the first that has not acted
//	hand <seat> <clue...>               urn <seat> <clue>: already deposited
//	place <place> <clue...>             exactly these clues are there
//	fill <place> <count>                fill up with clues named nowhere, in deck order
//	pawn <seat> <place>                 default: the start place
//	closed <place...>                   gone <clue...>: publicly out of the game
//	destroyed <seat> <n>                tokens <seat> <n>
//	dead <seat...>                      investigated <seat...>
//	unknown place <place> <count>       so many clues are there without a record
//	unknown hand <seat> <count>         so many more than its hand lines name
//	unknown urn <seat>                  it has deposited a clue without a record
//	unknown role <seat>                 it has a role that the machine does not know
//	claims <seat> <clue...>             it claims these clues, which are not recorded in
//	                                    its hand, wherever they are recorded
//	lost <count>                        so many clues are declared lost (GEN-E09)
//
// Clues named nowhere are out of the game, unless a line says unknown or lost: then they are the unrecorded
// ones, and those in excess are lost. In the phase recovery the clues of urn lines are open. The error is a
// position.Fault.
func (b *Book) BuildPosition(lines []engine.PositionLine) ([]engine.Event, error) {
	p := position.FromScript(lines)
	if _, f := b.buildPosition(p); f != nil {
		return nil, f
	}
	_, evs := b.newLobby().applyWithConsequences(0, []*event{{kind: evPosition, position: hidden.New(p, hidden.Nobody)}})
	return evs, nil
}

func (s *state) applyPosition(e *event) {
	p, _ := e.position.Open()
	t, err := s.book.buildPosition(p)
	if err != nil { // BuildPosition and DecodeEvent have built it before
		return
	}
	*s = *t
	s.waitingSince = e.at
}

// Faults that only positions of this game can have.
var (
	deadHolds = position.FaultKind{What: engine.T("given dead nomme {1}, dont la main a des indices", "{1} is dead and holds clues"),
		Hint: engine.T("ôtez {1} d’une des deux lignes", "take {1} out of one of the two lines")}
	closedFull = position.FaultKind{What: engine.T("{1} est fermé, mais pas vide", "{1} is closed and not empty"),
		Hint: engine.T("mettez ailleurs ses indices et ses pions", "put its clues and pawns elsewhere")}
	openUrn = position.FaultKind{What: engine.T("l’urne est ouverte, et on y voit l’indice de {1}",
		"the urn is open, and the clue of {1} is seen there"),
		Hint: engine.T("écrivez : given urn {1} <clue>", "write: given urn {1} <clue>")}
	oneMurderer = position.FaultKind{What: engine.T("il faut un Meurtrier et un seul (HC-004)",
		"exactly one seat must be the murderer (HC-004)"),
		Hint: engine.T("écrivez murderer dans une des lignes given seat, et innocent dans les autres",
			"write murderer in one of the given seat lines, and innocent in the others")}
	noneLeft = position.FaultKind{What: engine.T("pas assez d’indices pour remplir {1}", "no clues left to fill {1}"),
		Hint: engine.T("baissez le nombre d’une ligne given fill", "lower the number of a given fill line")}
	lostTooMany = position.FaultKind{What: engine.T("indices qu’on peut encore perdre : {1}, et non {2}",
		"{1} clues are left to be lost, not {2}"),
		Hint: engine.T("baissez le nombre", "lower the number")}
	claimsTooMuch = position.FaultKind{What: engine.T("{1} annonce plus que les indices non notés de sa main",
		"{1} claims more than the unrecorded clues of its hand"),
		Hint: engine.T("ajoutez given unknown hand {1} <count>, ou ôtez ce qu’une autre ligne lui donne",
			"add given unknown hand {1} <count>, or take out what another line gives it")}

	placeNoun     = engine.T("un lieu", "a place")
	clueNoun      = engine.T("un indice", "a clue")
	characterNoun = engine.T("un personnage", "a character")
	roleNoun      = engine.T("un rôle", "a role")
	phaseNoun     = engine.T("une phase", "a phase")
	unknownNoun   = engine.T("ce qui peut rester inconnu", "what can be unknown")
)

// positionBuilder collects the lines of a position.
type positionBuilder struct {
	state             *state
	activeSeat        engine.Seat
	usedClues         set // clues that some line names
	investigatedSeats []engine.Seat
	urnClues          map[engine.Seat]card
	deadSeats         []engine.Seat
	secretRoles       []engine.Seat // seats whose role the machine does not know
	claimsOf          map[engine.Seat]set
	hasUnrecorded     bool // some clues are not recorded
	minLost           int  // the least number of lost clues
}

var positionVerbs = map[string]position.Verb[*positionBuilder]{
	"seat":         position.NewVerb("<seat-N> <name> <character> <murderer|innocent>", (*positionBuilder).addSeat),
	"first":        position.NewVerb("<seat>", (*positionBuilder).setFirst),
	"switch":       position.NewVerb("<name> <value>", (*positionBuilder).setRule),
	"round":        position.NewVerb("<n>", (*positionBuilder).setRound),
	"phase":        position.NewVerb("<phase>", (*positionBuilder).setPhase),
	"active":       position.NewVerb("<seat>", (*positionBuilder).setActive),
	"hand":         position.NewVerb("<seat> [clue]...", (*positionBuilder).fillHand),
	"urn":          position.NewVerb("<seat> <clue>", (*positionBuilder).fillUrn),
	"place":        position.NewVerb("<place> [clue]...", (*positionBuilder).fillPlace),
	"fill":         position.NewVerb("<place> <count>", (*positionBuilder).fillPlaceUp),
	"pawn":         position.NewVerb("<seat> <place>", (*positionBuilder).placePawn),
	"closed":       position.NewVerb("<place>...", (*positionBuilder).closePlaces),
	"gone":         position.NewVerb("<clue>...", (*positionBuilder).recordGoneClues),
	"destroyed":    position.NewVerb("<seat> <n>", (*positionBuilder).setDestroyed),
	"tokens":       position.NewVerb("<seat> <n>", (*positionBuilder).setTokens),
	"dead":         position.NewVerb("<seat>...", (*positionBuilder).markDead),
	"investigated": position.NewVerb("<seat>...", (*positionBuilder).markInvestigated),
	"unknown":      position.NewVerb("<place|hand|urn|role> <place|seat> [count]", (*positionBuilder).addUnknown),
	"claims":       position.NewVerb("<seat> <clue>...", (*positionBuilder).setClaims),
	"lost":         position.NewVerb("<count>", (*positionBuilder).setLost),
}

// buildPosition makes the state of a position. Lines take effect in their order, except that fill comes
// last. Use the state only if there is no fault.
func (b *Book) buildPosition(p position.Position) (*state, *position.Fault) {
	q := &positionBuilder{state: b.newLobby(), urnClues: map[engine.Seat]card{}, claimsOf: map[engine.Seat]set{}}
	q.state.phase, q.state.round = phaseInvestigation, 1
	f := position.ApplyLines(p.WithVerbLinesLast("fill"), positionVerbs, q)
	if f == nil {
		f = q.finish(p)
	}
	return q.state, f
}

// parseSeat reads a seat where a player sits.
func (q *positionBuilder) parseSeat(word string) (engine.Seat, *position.Fault) {
	return position.ParseSeat(word, q.state.isSeated)
}

func (q *positionBuilder) parsePlace(word string) (place, *position.Fault) {
	p, ok := q.state.book.placeByID[word]
	if !ok {
		return 0, position.NotOneOfFault(word, placeNoun, q.state.book.placeID[1:]...)
	}
	return p, nil
}

// parseClue reads a clue that no line has named before.
func (q *positionBuilder) parseClue(word string) (card, *position.Fault) {
	c, ok := q.state.book.cardByID[word]
	switch {
	case !ok:
		return 0, position.NotOneOfFault(word, clueNoun, q.state.book.cardID[1:]...)
	case q.usedClues.Contains(c):
		return 0, position.Duplicate.NewFault(word)
	}
	q.usedClues = q.usedClues.WithCard(c)
	return c, nil
}

func (q *positionBuilder) addSeat(w []string) *position.Fault {
	x, fault := position.ParsePlayer(w[0], w[1], maxSeats, q.state.isSeated)
	f, ok := q.state.book.characterByID[w[2]]
	switch {
	case fault != nil:
		return fault
	case !ok:
		return position.NotOneOfFault(w[2], characterNoun, q.state.book.characterID[1:]...)
	case q.state.isPlayed(f):
		return position.Duplicate.NewFault(w[2])
	case w[3] != Murderer && w[3] != Innocent:
		return position.NotOneOfFault(w[3], roleNoun, Murderer, Innocent)
	}
	q.state.seatPlayer(x, w[1], player{character: f, at: q.state.book.startPlace, tokens: 1})
	q.state.roles[x] = hidden.NewSmall(newDrawnRole(parseRole(w[3]), 0), hidden.OnlySeats(x))
	q.state.startPlayers++
	if q.state.first == 0 {
		q.state.first = x
	}
	return nil
}

func (q *positionBuilder) setFirst(w []string) (err *position.Fault) {
	q.state.first, err = q.parseSeat(w[0])
	return err
}

func (q *positionBuilder) setActive(w []string) (err *position.Fault) {
	q.activeSeat, err = q.parseSeat(w[0])
	return err
}

func (q *positionBuilder) setRule(w []string) *position.Fault {
	return position.ParseAndSetSwitch(w[0], w[1], switches, q.state.rules[:])
}

func (q *positionBuilder) setRound(w []string) *position.Fault {
	n, err := position.ParseNumber(w[0], 60)
	q.state.round = uint8(n)
	return err
}

func (q *positionBuilder) setPhase(w []string) *position.Fault {
	i := slices.Index(phaseNames[:], w[0])
	if i <= int(phaseLobby) || i >= int(phaseOver) {
		return position.NotOneOfFault(w[0], phaseNoun, phaseNames[phaseLobby+1:phaseOver]...)
	}
	q.state.phase = phase(i)
	return nil
}

func (q *positionBuilder) fillHand(w []string) *position.Fault {
	x, err := q.parseSeat(w[0])
	if err != nil {
		return err
	}
	return position.ParseEach(w[1:], q.parseClue, func(c card) {
		q.state.ledger.RecordCard(c, custody.HandOf(x), hidden.OnlySeats(x))
		q.state.seats[x].cards++
	})
}

func (q *positionBuilder) fillUrn(w []string) *position.Fault {
	x, err := q.parseSeat(w[0])
	if err != nil {
		return err
	}
	c, err := q.parseClue(w[1])
	if _, twice := q.urnClues[x]; err == nil && twice {
		err = position.Duplicate.NewFault(w[0])
	}
	q.urnClues[x] = c
	return err
}

func (q *positionBuilder) fillPlace(w []string) *position.Fault {
	p, err := q.parsePlace(w[0])
	if err != nil {
		return err
	}
	return position.ParseEach(w[1:], q.parseClue, func(c card) { q.state.placeClue(c, p) })
}

func (q *positionBuilder) fillPlaceUp(w []string) *position.Fault {
	p, err := q.parsePlace(w[0])
	if err != nil {
		return err
	}
	n, err := position.ParseNumber(w[1], numCards)
	for c := card(1); c <= numCards && err == nil && int(q.state.rooms[p].cards) < n; c++ {
		if !q.usedClues.Contains(c) {
			q.usedClues = q.usedClues.WithCard(c)
			q.state.placeClue(c, p)
		}
	}
	if err == nil && int(q.state.rooms[p].cards) < n {
		err = noneLeft.NewFault(w[0])
	}
	return err
}

func (q *positionBuilder) placePawn(w []string) *position.Fault {
	x, err := q.parseSeat(w[0])
	if err == nil {
		q.state.seats[x].at, err = q.parsePlace(w[1])
	}
	return err
}

func (q *positionBuilder) closePlaces(w []string) *position.Fault {
	return position.ParseEach(w, q.parsePlace, func(p place) { q.state.rooms[p].closed = true })
}

func (q *positionBuilder) recordGoneClues(w []string) *position.Fault {
	return position.ParseEach(w, q.parseClue, func(c card) { q.state.ledger.RecordCard(c, locGone, hidden.Everyone) })
}

func (q *positionBuilder) setDestroyed(w []string) *position.Fault {
	x, err := q.parseSeat(w[0])
	n, bad := position.ParseNumber(w[1], numCards)
	if err == nil {
		q.state.seats[x].destroyed, err = uint8(n), bad
	}
	return err
}

func (q *positionBuilder) setTokens(w []string) *position.Fault {
	x, err := q.parseSeat(w[0])
	n, bad := position.ParseNumber(w[1], numCharacters)
	if err == nil {
		q.state.seats[x].tokens, err = uint8(n), bad
	}
	return err
}

func (q *positionBuilder) markDead(w []string) *position.Fault {
	return position.ParseEach(w, q.parseSeat, func(x engine.Seat) { q.deadSeats = append(q.deadSeats, x) })
}

func (q *positionBuilder) markInvestigated(w []string) *position.Fault {
	return position.ParseEach(w, q.parseSeat, func(x engine.Seat) { q.investigatedSeats = append(q.investigatedSeats, x) })
}

// finish applies what depends on all lines together, such as the phase.
func (q *positionBuilder) finish(lines position.Position) *position.Fault {
	s := q.state
	if s.startPlayers < minSeats {
		return lines.LocateFault(position.TooFewPlayers.NewFault(s.startPlayers, minSeats), "seat", "")
	}
	for _, x := range q.secretRoles {
		s.roles[x] = hidden.SmallValue[drawnRole]{}
	}
	for _, x := range q.deadSeats {
		p := &s.seats[x]
		if p.cards > 0 {
			return lines.LocateFault(deadHolds.NewFault(x), "dead", x.String())
		}
		p.dead, p.at, p.tokens, p.done = true, 0, 0, true
		s.revealRole(x)
	}
	for p := place(1); p <= numPlaces; p++ {
		if s.rooms[p].closed && (s.rooms[p].cards > 0 || s.countPawns(p) > 0) {
			return lines.LocateFault(closedFull.NewFault(s.book.placeID[p]), "closed", s.book.placeID[p])
		}
	}
	s.duel = s.countLiving() == 2
	for x, c := range q.urnClues {
		switch {
		case c == 0 && s.phase == phaseRecovery:
			return lines.LocateFault(openUrn.NewFault(x), "unknown", x.String())
		case c == 0:
		case s.phase == phaseRecovery:
			s.ledger.RecordCard(c, locShown, hidden.Everyone)
			continue
		default:
			s.ledger.RecordCard(c, locUrn+loc(x), hidden.OnlySeats(x))
		}
		s.urnCount++
		s.seats[x].done = true
	}
	for _, x := range q.investigatedSeats {
		s.seats[x].done = true
	}
	if f := q.placeUnrecorded(lines); f != nil {
		return f
	}
	return q.callActive(lines)
}

// callActive calls the seat that is to act, or leaves that to applyWithConsequences.
func (q *positionBuilder) callActive(lines position.Position) *position.Fault {
	s := q.state
	if s.phase < phaseInvestigation {
		s.round = 0
	}
	if s.phase == phaseRoles {
		s.roles = [maxSeats + 1]hidden.SmallValue[drawnRole]{}
		q.activeSeat = s.first
	}
	if s.phase == phaseReveal {
		q.activeSeat = s.findFirstLiving(func(x engine.Seat) bool { return true })
		s.markNoSeatDone()
	}
	s.urnOpened = s.phase == phaseRecovery
	if s.phase > phaseRoles && !s.hasPossibleRoles() {
		return lines.LocateFault(oneMurderer.NewFault(), "seat", Murderer)
	}
	if q.activeSeat == 0 {
		return nil
	}
	if !s.isLiving(q.activeSeat) || s.seats[q.activeSeat].done {
		return lines.LocateFault(position.CannotAct.NewFault(q.activeSeat), "active", "")
	}
	// The seats before the active one in table order have acted.
	s.eachLivingSeat(func(x engine.Seat) bool {
		if x != q.activeSeat {
			s.seats[x].done = true
		}
		return x != q.activeSeat
	})
	if s.phase == phaseRoles || s.phase == phaseReveal {
		s.active = q.activeSeat
	} // else applyWithConsequences calls it
	return nil
}
