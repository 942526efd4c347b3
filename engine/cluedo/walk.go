package cluedo

import (
	"cmp"
	"slices"

	"majordome/engine"
	"majordome/engine/board"
)

func (s *seatedTurn) decideRoll(by actor, c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	switch {
	case !s.canMove():
		return nil, refuseOpenly(engine.Forbidden, s.book.Rules.Wrong, "cl.no.no-move")
	case s.step == stepMove && !s.canDeclareRoll():
		return nil, refuseOpenly(engine.NotNow, s.book.Rules.Way, "cl.no.not-now")
	}
	roll, r := s.parseDiceArg(c, dice)
	if r != nil {
		return nil, r
	}
	return []*event{{kind: evRolled, at: c.At, seat: by.seat, dice: roll}}, nil
}

// canMove reports whether the active seat may move at all (C8-115).
func (s *seatedTurn) canMove() bool { return !s.seats[s.active].accusedWrongly }

// canChooseWay reports whether the active seat must choose its way of moving now (C8-040): before
// the roll, or after it (CC-037). After it, a seat that cannot walk chooses again (CC-048).
func (s *public) canChooseWay() bool {
	switch s.step {
	case stepStart:
		return s.way == wayNone && s.policyValue(polAlwaysRoll) != "always"
	case stepMove:
		if s.diceUnknown || s.policyValue(polAlwaysRoll) == "always" {
			return s.way == wayNone
		}
		return s.policyValue(polMustMove) == "unless-in-room" && s.hasNoMoveGoal()
	}
	return false
}

// mustRollBeforeChoosing reports whether the dice come before the choice of the way, and have not been
// rolled.
func (s *seatedTurn) mustRollBeforeChoosing() bool {
	return s.step == stepStart && s.policyValue(polAlwaysRoll) == "always"
}

func (s *public) hasNoMoveGoal() bool { return s.moveGoals().isEmpty() }

// decidePassage decides a move through the passage of the room without dice, or through one on the
// way (SC-052). Where several lead out of the room, the command names the area.
func (s *public) decidePassage(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	all := s.passageAreas()
	to, only := all.singleArea()
	want, named := c.Args["to"]
	if named {
		to = s.book.areaByID[want]
	}
	if s.step == stepMove && (!s.canChooseWay() || !all.hasArea(to) && s.allowsPassageInWalk()) {
		return s.decideCombinedMove(by, c)
	}
	if s.mustRollBeforeChoosing() {
		return nil, refuseOpenly(engine.NotNow, s.book.Rules.Dice, "cl.no.roll-first")
	}
	if all != 0 && !named && !only && s.canChooseWay() && s.canMove() {
		return nil, refuseOpenly(engine.Forbidden, s.book.Rules.Passage, "cl.no.which-passage")
	}
	if !all.hasArea(to) || !s.canChooseWay() || !s.canMove() {
		return nil, refuseOpenly(engine.Forbidden, s.book.Rules.Passage, "cl.no.passage")
	}
	return moveEvents(c.At, by.seat, pos{area: to}, wayPassage), nil
}

// passageAreas returns the areas to which a passage leads from the active pawn, if it began its
// turn there (CC-047): the passage of the room, and those to or from a room that a clue card has
// linked to all.
func (s *boardState) passageAreas() (to areas) {
	here := s.activeArea()
	if here != s.startArea {
		return 0
	}
	switch {
	case here == 0:
		return 0
	case here == s.clues.linkedRoom:
		to = s.areasWhere(func(a area) bool { return a != here && s.book.passageTo[a] != 0 })
	case s.book.passageTo[here] != 0 && s.clues.linkedRoom != 0:
		to = to.withArea(s.clues.linkedRoom)
	}
	if a := s.book.passageTo[here]; a != 0 {
		to = to.withArea(a)
	}
	return to
}

// allowsPassageInWalk reports whether a passage may be a step of a walk (SC-052).
func (h *houseRules) allowsPassageInWalk() bool {
	p := h.walkPolicy().Passages
	return p == board.PassagesStep || p == board.PassagesLast
}

func (s *public) decideCombinedMove(by actor, c engine.Command) ([]*event, *engine.Reject) {
	to, g := s.book.areaByID[c.Args["to"]], s.moveGoals()
	switch {
	case !s.allowsPassageInWalk():
		return nil, refuseOpenly(engine.NotNow, s.book.Rules.Passage, "cl.no.not-now")
	case !g.viaPassage.hasArea(to):
		return nil, refuseOpenly(engine.Forbidden, s.book.Rules.Passage, "cl.no.passage")
	}
	evs := moveEvents(c.At, by.seat, pos{area: to}, wayBoth)
	if !s.book.isRoom(to) && s.walkPolicy().Passages == board.PassagesStep { // the points that are left may be walked (SC-056)
		evs[0].n = uint16(s.stopForGoal(&g, pos{area: to}).Left)
	}
	return evs, nil
}

// pointsLeft returns the points that may still be walked. It is zero where they are not known:
// after a stop on a board that is not drawn, the squares were not counted.
func (t *walkState) pointsLeft() int {
	if t.pointsUnknown {
		return 0
	}
	return int(t.points)
}

// decideStayByRight uses the right of a displaced seat to stay (C8-097).
func (s *public) decideStayByRight(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	switch {
	case s.canStay():
	case s.mustRollBeforeChoosing():
		return nil, refuseOpenly(engine.NotNow, s.book.Rules.Dice, "cl.no.roll-first")
	case s.stayRight && s.canChooseWay(): // only the room of its last hypothesis bars it
		return nil, refuseOpenly(engine.Forbidden, s.book.Rules.Again, "cl.no.same-room")
	case s.step == stepMove && !s.canChooseWay():
		return nil, refuseOpenly(engine.NotNow, s.book.Rules.Way, "cl.no.not-now")
	case s.policyValue(polMustMove) == "unless-in-room":
		return nil, refuseOpenly(engine.Forbidden, s.book.Rules.Leave, "cl.no.corridor")
	case s.policyValue(polMustMove) == "no": // the pawn may stay, without the right to ask
		return nil, refuseOpenly(engine.Forbidden, s.book.Rules.Stay, "cl.no.stay")
	default:
		return nil, refuseOpenly(engine.Forbidden, s.book.Rules.Leave, "cl.no.leave")
	}
	return moveEvents(c.At, by.seat, s.pawns[s.seats[by.seat].suspect], wayStay), nil
}

// canStay reports whether the active seat may stay by right: its pawn was moved to its present area
// (C8-097, SC-074), or is in a room (CC-033).
func (s *public) canStay() bool {
	right := s.stayRight || s.policyValue(polMustMove) == "unless-in-room" && s.book.isRoom(s.activeArea())
	return right && s.canChooseWay() && !s.isLastRoomBarred()
}

// boardReach returns the places where the active pawn may stop with its points, on a known board.
func (s *boardState) boardReach() board.Reach {
	p := s.pawns[s.seats[s.active].suspect]
	w := board.Walk{Policy: s.walkPolicy(), Points: int(s.points), Occupied: s.occupiedSquares(), Barred: make([]engine.ID, 0, maxAreas),
		Areas: s.book.stopRules, Passages: s.book.passagePairs, Used: make([]board.Square, 0, maxMarks)}
	if at, ok := p.square(); ok {
		w.Square = at
	} else {
		w.Room = engine.ID(s.book.areaID[p.area])
	}
	for a := area(1); int(a) < len(s.book.areaID); a++ {
		if s.leftAreas.hasArea(a) && w.Policy.Rooms != board.RoomsCross {
			w.Barred = append(w.Barred, engine.ID(s.book.areaID[a]))
		}
	}
	for i, at := range s.book.marks {
		if s.isMarkedSquareUsed(i) {
			w.Used = append(w.Used, at)
		}
	}
	return s.book.board.FindReach(w)
}

// markedSquareIndex returns the index of the marked square of a pawn; less than zero: unknown, or none.
func (h *houseRules) markedSquareIndex(p pos) int {
	at, ok := p.square()
	if !ok {
		return -1
	}
	return slices.Index(h.book.marks, at)
}

// recordMarkedSquareUsed notes that a card was shown for the marked square of the active pawn.
func (s *boardState) recordMarkedSquareUsed() {
	s.spyCount++
	if i := s.markedSquareIndex(s.pawns[s.seats[s.active].suspect]); i >= 0 {
		s.spiedMarks |= 1 << i
	}
}

// isMarkedSquareUsed reports whether a marked square gives no card to see any more in this turn (SC-064).
func (s *seatedTurn) isMarkedSquareUsed(mark int) bool {
	switch {
	case s.spyCount > 0 && s.policyValue(polSpies) == "one", s.hasUsedAllMarks():
		return true
	}
	return mark >= 0 && s.spiedMarks&(1<<mark) != 0
}

// hasUsedAllMarks reports whether all marked squares have been used, whichever they were.
func (s *seatedTurn) hasUsedAllMarks() bool {
	return len(s.book.marks) > 0 && int(s.spyCount) >= len(s.book.marks)
}

func (s *boardState) occupiedSquares() []board.Square {
	all := make([]board.Square, 0, maxSuspects)
	for who := uint8(1); int(who) <= len(s.book.deck.Suspects); who++ {
		if at, ok := s.pawns[who].square(); ok && who != s.seats[s.active].suspect {
			all = append(all, at)
		}
	}
	return all
}

// way is the active seat's way of moving in this turn, by the names in events.
type way uint8

const (
	wayNone way = iota // not chosen yet
	wayDice
	wayPassage
	wayBoth // dice, and through a passage at the end (SC-052)
	wayStay
	wayCard
	wayPower
)

var ways = [...]string{"", "dice", "passage", "both", "stay", "card", "power"}

func (w way) String() string { return ways[w] }

// parseWay returns the way of that name; wayNone if there is none.
func parseWay(text string) way { return way(max(0, slices.Index(ways[:], text))) }

// Words for a place outside the rooms, where no board is known.
const (
	toCorridor = "corridor"
	toQuestion = "question"
)

// goals are the places to which the active seat may move with its points: areas and squares or,
// without a known board, any place outside the areas; and the areas to which a passage leads on the
// way.
type goals struct {
	rooms, viaPassage    areas
	squares              board.Spots  // the rooms are among them
	stops                *board.Reach // how each is reached, in an edition that needs it
	squareArgs           []string     // the squares as arguments; callers must not change them
	anySquare, anyMarked bool
}

// moveGoals returns the goals of the active seat: none unless a roll waits for its move.
func (s *public) moveGoals() (g goals) {
	switch {
	case s.phase != turn || s.step != stepMove:
	case s.hasBoardReach():
		return s.book.goalMemo.getOrCompute(goalKey{s.currentPawns(), s.rules, s.spiedMarks, s.spyCount, s.leftAreas, s.points},
			s.boardGoals)
	case s.activeArea() != 0 && s.points == 0: // C8-054
	default:
		g.anySquare, g.anyMarked = true, s.points > 0 && s.book.MarkedSquares && !(s.book.allowsSpySquares() && s.hasUsedAllMarks())
		if s.points > 0 {
			cross := s.walkPolicy().Rooms == board.RoomsCross && !s.diceUnknown // walking out and back in depends on the dice
			g.rooms = s.areasWhere(func(a area) bool { return cross || a != s.activeArea() && !s.leftAreas.hasArea(a) })
			if s.allowsPassageInWalk() && !s.diceUnknown {
				g.viaPassage = s.areasWhere(func(a area) bool { return s.book.passageTo[a] != 0 })
			}
		}
	}
	return g
}

// goalKey is all that boardGoals reads of a state.
type goalKey struct {
	pawnPlacement
	rules   [maxSwitches]uint8
	spies   uint32
	spyings uint8
	left    areas
	points  uint8
}

// pawnPlacement has the places of the pawns, and the one that the active seat moves.
type pawnPlacement struct {
	pawns [maxSuspects + 1]pos
	mover uint8
}

func (s *boardState) currentPawns() pawnPlacement {
	return pawnPlacement{s.pawns, s.seats[s.active].suspect}
}

// boardGoals returns the goals on a known board.
func (s *boardState) boardGoals() goals {
	r := s.boardReach()
	g := goals{squares: r.Spots, squareArgs: r.Squares()}
	if s.hasSpySquares() || s.allowsPassageInWalk() {
		stops := r
		g.stops = &stops
	}
	for room := range r.Rooms {
		if a := s.book.areaByID[string(room)]; a != 0 { // else the room is drawn and not in this game
			g.rooms = g.rooms.withArea(a)
		}
	}
	return g
}

func (g goals) isEmpty() bool { return len(g.squareArgs) == 0 && g.rooms == 0 && !g.anySquare }

// hasPos reports whether the pawn may stop there.
func (g *goals) hasPos(to pos) bool {
	at, square := to.square()
	switch {
	case to.area != 0:
		return g.rooms.hasArea(to.area)
	case square:
		return g.squares.HasSquare(at)
	case to.kind == onCorridor:
		return g.anySquare
	}
	return g.anyMarked
}

// stopForGoal returns how the pawn reaches one of its goals, in an edition that needs it. Where the
// squares are not counted, one point is taken as used.
func (s *boardState) stopForGoal(g *goals, to pos) (how board.Stop) {
	switch at, square := to.square(); {
	case !s.hasBoardReach():
		how.Left = int(max(s.points, 1) - 1)
	case g.stops == nil:
	case square:
		how, _ = g.stops.StopOnSquare(at)
	default:
		how, _ = g.stops.StopInRoom(engine.ID(s.book.areaID[to.area]))
	}
	return how
}

// goalSquareArgs returns the squares as arguments.
func (g *goals) goalSquareArgs() []string {
	switch {
	case g.anyMarked:
		return []string{toCorridor, toQuestion}
	case g.anySquare:
		return []string{toCorridor}
	}
	return g.squareArgs
}

func (s *public) decideMove(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	to, ok := s.parseGoal(c.Args["to"])
	if !ok {
		return nil, refuse(engine.Unknown, s.book.Rules.Reach, "cl.no.no-place")
	}
	g := s.moveGoals()
	if !g.hasPos(to) {
		if s.diceUnknown && to.area != 0 && to.area == s.activeArea() {
			return nil, refuseOpenly(engine.Forbidden, cmp.Or(s.book.Rules.Back, s.book.Rules.Reach), "cl.no.there")
		}
		if to.area != 0 && (to.area == s.activeArea() || s.leftAreas.hasArea(to.area)) && s.walkPolicy().Rooms != board.RoomsCross {
			return nil, refuseOpenly(engine.Forbidden, s.book.Rules.Back, "cl.no.back")
		}
		return nil, refuseOpenly(engine.Forbidden, s.book.Rules.Reach, "cl.no.reach")
	}
	how := s.stopForGoal(&g, to)
	evs := moveEvents(c.At, by.seat, to, wayDice)
	if how.PassageOnly { // a hypothesis may have to follow (SC-053)
		evs[0].text = wayBoth.String()
	}
	if s.hasSpySquares() && s.drawsOrSpiesOn(to) {
		evs[0].n = uint16(how.Left)
	}
	return evs, nil
}

// parseGoal reads the place where a move ends.
func (s *boardState) parseGoal(text string) (to pos, ok bool) {
	if a := s.book.areaByID[text]; a != 0 {
		return pos{area: a}, true
	}
	if at, ok := board.ParseSquare(text); ok && s.book.board != nil {
		return positionOfSquare(at), s.book.board.IsCorridorSquare(at)
	}
	if s.hasBoardReach() { // every square has a name there
		return to, false
	}
	switch text {
	case toCorridor:
		return pos{kind: onCorridor}, true
	case toQuestion:
		return pos{kind: onQuestion}, true
	}
	return to, false
}

// drawsOrSpiesOn reports whether a card is drawn on a square (C8-049), or spied from it (SC-060).
func (h *houseRules) drawsOrSpiesOn(p pos) bool {
	at, ok := p.square()
	return p.kind == onQuestion || ok && h.book.board != nil && h.book.board.IsMarkedSquare(at)
}

func (h *houseRules) areasWhere(f func(area) bool) (all areas) {
	for a := area(1); int(a) < len(h.book.areaID); a++ {
		if f(a) {
			all = all.withArea(a)
		}
	}
	return all
}

// decideEndStep ends a step that the seat may leave unused.
func (s *state) decideEndStep(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	switch s.step {
	case stepStart:
		switch {
		case !s.canMove():
			return seatEvent(evStuck, c.At, by.seat), nil
		case s.mustRollBeforeChoosing():
			return nil, refuseOpenly(engine.Forbidden, s.book.Rules.Dice, "cl.no.roll-first")
		case s.policyValue(polMustMove) == "no": // it stays where it is (SC-020)
			return s.nextTurnEvents(c.At), nil
		}
		return nil, refuseOpenly(engine.Forbidden, s.book.Rules.Way, "cl.no.must-move")
	case stepMove:
		if s.policyValue(polMustMove) == "no" {
			return s.endStepOrTurn(by.seat, c.At), nil
		}
		if s.isSecondMove() { // the second move of C8-171 is optional
			return seatEvent(evStepEnded, c.At, by.seat), nil
		}
		switch {
		case s.canStay(): // it must say that it stays
			return nil, refuseOpenly(engine.Forbidden, s.book.Rules.Way, "cl.no.say-stay")
		case s.hasNoMoveGoal():
		case s.policyValue(polMustMove) == "unless-in-room":
			return nil, refuseOpenly(engine.Forbidden, s.book.Rules.Leave, "cl.no.corridor")
		default:
			return nil, refuseOpenly(engine.Forbidden, s.book.Rules.Leave, "cl.no.leave")
		}
		return seatEvent(evStuck, c.At, by.seat), nil
	case stepAct:
		if s.needsHypothesis() {
			return nil, refuseOpenly(engine.Forbidden, s.book.Rules.Combine, "cl.no.must-ask")
		}
		return s.endStepOrTurn(by.seat, c.At), nil
	}
	return s.nextTurnEvents(c.At), nil
}

// endStepOrTurn gives up the step. The turn ends with it when only an accusation would be left,
// which was possible before.
func (s *state) endStepOrTurn(x engine.Seat, at engine.Millis) []*event {
	given := seatEvent(evStepEnded, at, x)
	if !s.canAccuse() {
		return given
	}
	after := s.copyState()
	for e := given[0]; e != nil && after.step != stepEnd; e = after.turnConsequence() {
		after.applyMutating(e)
	}
	if after.step == stepEnd && after.eventAfterTurnEnd() == nil && !after.canUseAnySpecial(x) {
		return s.nextTurnEvents(at)
	}
	return given
}

// needsHypothesis reports whether a hypothesis has to follow the move (SC-053).
func (s *seatedTurn) needsHypothesis() bool {
	return s.combinedMove && s.policyValue(polMustCombine) == "compulsory"
}

// isSecondMove reports whether this is the second of two moves by dice.
func (t *walkState) isSecondMove() bool { return t.way == wayPower && t.movesLeft == 0 }
