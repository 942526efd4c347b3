package cluedo

import (
	"cmp"
	"slices"

	"majordome/engine"
	"majordome/engine/board"
)

func (s *seatedTurn) doRoll(by actor, c engine.Command, dice engine.Dice) ([]*event, *engine.Reject) {
	switch {
	case !s.mayRoll():
		return nil, openly(engine.Forbidden, s.book.Rules.Wrong, engine.Say("cl.no.no-move"))
	case s.step == stepMove && !s.untold():
		return nil, openly(engine.NotNow, s.book.Rules.Way, engine.Say("cl.no.not-now"))
	}
	roll, r := s.diceArg(c, dice)
	if r != nil {
		return nil, r
	}
	return []*event{{kind: evRolled, at: c.At, seat: by.seat, dice: roll}}, nil
}

// canMove reports whether the active seat may move at all (C8-115).
func (s *seatedTurn) mayRoll() bool { return !s.seats[s.active].wrong }

// canChooseWay reports whether the active seat must choose its way of moving now (C8-040): before
// the roll, or after it (CC-037). After it, a seat that cannot walk chooses again (CC-048).
func (s *public) fresh() bool {
	switch s.step {
	case stepStart:
		return s.way == wayNone && s.rule(polRoll) != "always"
	case stepMove:
		if s.believed || s.rule(polRoll) == "always" {
			return s.way == wayNone
		}
		return s.rule(polMove) == "unless-in-room" && s.stuck()
	}
	return false
}

// needsRollFirst reports whether the dice come before the choice of the way, and have not been
// rolled.
func (s *seatedTurn) rollsFirst() bool { return s.step == stepStart && s.rule(polRoll) == "always" }

func (s *public) stuck() bool { return s.goals().none() }

// decidePassage decides a move through the passage of the room without dice, or through one on the
// way (SC-052). Where several lead out of the room, the command names the area.
func (s *public) doPassage(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	all := s.passages()
	to, only := all.single()
	want, named := c.Args["to"]
	if named {
		to = s.book.areas[want]
	}
	if s.step == stepMove && (!s.fresh() || !all.has(to) && s.combines()) {
		return s.combine(by, c)
	}
	if s.rollsFirst() {
		return nil, openly(engine.NotNow, s.book.Rules.Dice, engine.Say("cl.no.roll-first"))
	}
	if all != 0 && !named && !only && s.fresh() && s.mayRoll() {
		return nil, openly(engine.Forbidden, s.book.Rules.Passage, engine.Say("cl.no.which-passage"))
	}
	if !all.has(to) || !s.fresh() || !s.mayRoll() {
		return nil, openly(engine.Forbidden, s.book.Rules.Passage, engine.Say("cl.no.passage"))
	}
	return moved(c.At, by.seat, pos{area: to}, wayPassage), nil
}

// passageAreas returns the areas to which a passage leads from the active pawn, if it began its
// turn there (CC-047): the passage of the room, and those to or from a room that a clue card has
// linked to all.
func (s *boardState) passages() (to areas) {
	here := s.here()
	if here != s.began {
		return 0
	}
	switch {
	case here == 0:
		return 0
	case here == s.clues.link:
		to = s.those(func(a area) bool { return a != here && s.book.passage[a] != 0 })
	case s.book.passage[here] != 0 && s.clues.link != 0:
		to = to.with(s.clues.link)
	}
	if a := s.book.passage[here]; a != 0 {
		to = to.with(a)
	}
	return to
}

// allowsPassageInWalk reports whether a passage may be a step of a walk (SC-052).
func (h *houseRules) combines() bool {
	p := h.walks().Passages
	return p == board.Step || p == board.Last
}

func (s *public) combine(by actor, c engine.Command) ([]*event, *engine.Reject) {
	to, g := s.book.areas[c.Args["to"]], s.goals()
	switch {
	case !s.combines():
		return nil, openly(engine.NotNow, s.book.Rules.Passage, engine.Say("cl.no.not-now"))
	case !g.through.has(to):
		return nil, openly(engine.Forbidden, s.book.Rules.Passage, engine.Say("cl.no.passage"))
	}
	evs := moved(c.At, by.seat, pos{area: to}, wayBoth)
	if !s.book.isRoom(to) && s.walks().Passages == board.Step { // the points that are left may be walked (SC-056)
		evs[0].n = uint16(s.stop(&g, pos{area: to}).Left)
	}
	return evs, nil
}

// knownPoints returns the points that may still be walked. It is zero where they are not known:
// after a stop on a board that is not drawn, the squares were not counted.
func (t *walkState) pointsLeft() int {
	if t.guessed {
		return 0
	}
	return int(t.points)
}

// decideStay uses the right of a displaced seat to stay (C8-097).
func (s *public) doStay(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	switch {
	case s.mayStay():
	case s.rollsFirst():
		return nil, openly(engine.NotNow, s.book.Rules.Dice, engine.Say("cl.no.roll-first"))
	case s.stays && s.fresh(): // only the room of its last hypothesis bars it
		return nil, openly(engine.Forbidden, s.book.Rules.Again, engine.Say("cl.no.same-room"))
	case s.step == stepMove && !s.fresh():
		return nil, openly(engine.NotNow, s.book.Rules.Way, engine.Say("cl.no.not-now"))
	case s.rule(polMove) == "unless-in-room":
		return nil, openly(engine.Forbidden, s.book.Rules.Leave, engine.Say("cl.no.corridor"))
	case s.rule(polMove) == "no": // the pawn may stay, without the right to ask
		return nil, openly(engine.Forbidden, s.book.Rules.Stay, engine.Say("cl.no.stay"))
	default:
		return nil, openly(engine.Forbidden, s.book.Rules.Leave, engine.Say("cl.no.leave"))
	}
	return moved(c.At, by.seat, s.pawns[s.seats[by.seat].who], wayStay), nil
}

// canStay reports whether the active seat may stay by right: its pawn was moved to its present area
// (C8-097, SC-074), or is in a room (CC-033).
func (s *public) mayStay() bool {
	right := s.stays || s.rule(polMove) == "unless-in-room" && s.book.isRoom(s.here())
	return right && s.fresh() && !s.sameRoom()
}

// boardReach returns the places where the active pawn may stop with its points, on a known board.
func (s *boardState) reach() board.Reach {
	p := s.pawns[s.seats[s.active].who]
	w := board.Walk{Policy: s.walks(), Points: int(s.points), Occupied: s.occupied(), Barred: make([]engine.ID, 0, maxAreas),
		Areas: s.book.stays, Passages: s.book.joined, Used: make([]board.Square, 0, maxMarks)}
	if at, ok := p.square(); ok {
		w.Square = at
	} else {
		w.Room = engine.ID(s.book.areaID[p.area])
	}
	for a := area(1); int(a) < len(s.book.areaID); a++ {
		if s.leftAreas.has(a) && w.Policy.Rooms != board.Cross {
			w.Barred = append(w.Barred, engine.ID(s.book.areaID[a]))
		}
	}
	for i, at := range s.book.marks {
		if s.used(i) {
			w.Used = append(w.Used, at)
		}
	}
	return s.book.board.Reach(w)
}

// markIndex returns the index of the marked square of a pawn; less than zero: unknown, or none.
func (h *houseRules) mark(p pos) int {
	at, ok := p.square()
	if !ok {
		return -1
	}
	return slices.Index(h.book.marks, at)
}

// useMark notes that a card was shown for the marked square of the active pawn.
func (s *boardState) useMark() {
	s.spyings++
	if i := s.mark(s.pawns[s.seats[s.active].who]); i >= 0 {
		s.spies |= 1 << i
	}
}

// isMarkUsed reports whether a marked square gives no card to see any more in this turn (SC-064).
func (s *seatedTurn) used(mark int) bool {
	switch {
	case s.spyings > 0 && s.rule(polSpies) == "one", s.allUsed():
		return true
	}
	return mark >= 0 && s.spies&(1<<mark) != 0
}

// hasUsedAllMarks reports whether all marked squares have been used, whichever they were.
func (s *seatedTurn) allUsed() bool {
	return len(s.book.marks) > 0 && int(s.spyings) >= len(s.book.marks)
}

func (s *boardState) occupied() []board.Square {
	all := make([]board.Square, 0, maxSuspects)
	for who := uint8(1); int(who) <= len(s.book.deck.Suspects); who++ {
		if at, ok := s.pawns[who].square(); ok && who != s.seats[s.active].who {
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
func wayOf(text string) way { return way(max(0, slices.Index(ways[:], text))) }

// Words for a place outside the rooms, where no board is known.
const (
	toCorridor = "corridor"
	toQuestion = "question"
)

// goals are the places to which the active seat may move with its points: areas and squares or,
// without a known board, any place outside the areas; and the areas to which a passage leads on the
// way.
type goals struct {
	rooms, through     areas
	squares            board.Spots  // the rooms are among them
	stops              *board.Reach // how each is reached, in an edition that needs it
	list               []string     // the squares as arguments; callers must not change them
	corridor, question bool
}

// moveGoals returns the goals of the active seat: none unless a roll waits for its move.
func (s *public) goals() (g goals) {
	switch {
	case s.phase != turn || s.step != stepMove:
	case s.mapped():
		return s.book.reached.answer(outing{s.standing(), s.rules, s.spies, s.spyings, s.leftAreas, s.points},
			s.boardGoals)
	case s.here() != 0 && s.points == 0: // C8-054
	default:
		g.corridor, g.question = true, s.points > 0 && s.book.MarkedSquares && !(s.book.pausesOnMarks() && s.allUsed())
		if s.points > 0 {
			cross := s.walks().Rooms == board.Cross && !s.believed // walking out and back in depends on the dice
			g.rooms = s.those(func(a area) bool { return cross || a != s.here() && !s.leftAreas.has(a) })
			if s.combines() && !s.believed {
				g.through = s.those(func(a area) bool { return s.book.passage[a] != 0 })
			}
		}
	}
	return g
}

// goalKey is all that boardGoals reads of a state.
type outing struct {
	standing
	rules   [maxSwitches]uint8
	spies   uint32
	spyings uint8
	left    areas
	points  uint8
}

// pawnPlacement has the places of the pawns, and the one that the active seat moves.
type standing struct {
	pawns [maxSuspects + 1]pos
	who   uint8
}

func (s *boardState) standing() standing { return standing{s.pawns, s.seats[s.active].who} }

// boardGoals returns the goals on a known board.
func (s *boardState) boardGoals() goals {
	r := s.reach()
	g := goals{squares: r.Spots, list: r.Squares()}
	if s.pausesOnMarks() || s.combines() {
		stops := r
		g.stops = &stops
	}
	for room := range r.Rooms {
		if a := s.book.areas[string(room)]; a != 0 { // else the room is drawn and not in this game
			g.rooms = g.rooms.with(a)
		}
	}
	return g
}

func (g goals) none() bool { return len(g.list) == 0 && g.rooms == 0 && !g.corridor }

// hasPos reports whether the pawn may stop there.
func (g *goals) has(to pos) bool {
	at, square := to.square()
	switch {
	case to.area != 0:
		return g.rooms.has(to.area)
	case square:
		return g.squares.HasSquare(at)
	case to.kind == onCorridor:
		return g.corridor
	}
	return g.question
}

// stopAt returns how the pawn reaches one of its goals, in an edition that needs it. Where the
// squares are not counted, one point is taken as used.
func (s *boardState) stop(g *goals, to pos) (how board.Stop) {
	switch at, square := to.square(); {
	case !s.mapped():
		how.Left = int(max(s.points, 1) - 1)
	case g.stops == nil:
	case square:
		how, _ = g.stops.Square(at)
	default:
		how, _ = g.stops.Room(engine.ID(s.book.areaID[to.area]))
	}
	return how
}

// outsideArgs returns the squares as arguments.
func (g *goals) outside() []string {
	switch {
	case g.question:
		return []string{toCorridor, toQuestion}
	case g.corridor:
		return []string{toCorridor}
	}
	return g.list
}

func (s *public) doMove(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	to, ok := s.goal(c.Args["to"])
	if !ok {
		return nil, refuse(engine.Unknown, s.book.Rules.Reach, "cl.no.no-place")
	}
	g := s.goals()
	if !g.has(to) {
		if s.believed && to.area != 0 && to.area == s.here() {
			return nil, openly(engine.Forbidden, cmp.Or(s.book.Rules.Back, s.book.Rules.Reach), engine.Say("cl.no.there"))
		}
		if to.area != 0 && (to.area == s.here() || s.leftAreas.has(to.area)) && s.walks().Rooms != board.Cross {
			return nil, openly(engine.Forbidden, s.book.Rules.Back, engine.Say("cl.no.back"))
		}
		return nil, openly(engine.Forbidden, s.book.Rules.Reach, engine.Say("cl.no.reach"))
	}
	how := s.stop(&g, to)
	evs := moved(c.At, by.seat, to, wayDice)
	if how.Passage { // a hypothesis may have to follow (SC-053)
		evs[0].text = wayBoth.String()
	}
	if s.pausesOnMarks() && s.marked(to) {
		evs[0].n = uint16(how.Left)
	}
	return evs, nil
}

// parseGoal reads the place where a move ends.
func (s *boardState) goal(text string) (to pos, ok bool) {
	if a := s.book.areas[text]; a != 0 {
		return pos{area: a}, true
	}
	if at, ok := board.ParseSquare(text); ok && s.book.board != nil {
		return onBoard(at), s.book.board.IsSquare(at)
	}
	if s.mapped() { // every square has a name there
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

// isMarked reports whether a card is drawn on a square (C8-049), or spied from it (SC-060).
func (h *houseRules) marked(p pos) bool {
	at, ok := p.square()
	return p.kind == onQuestion || ok && h.book.board != nil && h.book.board.Marked(at)
}

func (h *houseRules) those(f func(area) bool) (all areas) {
	for a := area(1); int(a) < len(h.book.areaID); a++ {
		if f(a) {
			all = all.with(a)
		}
	}
	return all
}

// decideEnd ends a step that the seat may leave unused.
func (s *state) doEnd(by actor, c engine.Command, _ engine.Dice) ([]*event, *engine.Reject) {
	switch s.step {
	case stepStart:
		switch {
		case !s.mayRoll():
			return one(evStuck, c.At, by.seat), nil
		case s.rollsFirst():
			return nil, openly(engine.Forbidden, s.book.Rules.Dice, engine.Say("cl.no.roll-first"))
		case s.rule(polMove) == "no": // it stays where it is (SC-020)
			return s.nextTurn(c.At), nil
		}
		return nil, openly(engine.Forbidden, s.book.Rules.Way, engine.Say("cl.no.must-move"))
	case stepMove:
		if s.rule(polMove) == "no" {
			return s.ends(by.seat, c.At), nil
		}
		if s.second() { // the second move of C8-171 is optional
			return one(evActed, c.At, by.seat), nil
		}
		switch {
		case s.mayStay(): // it must say that it stays
			return nil, openly(engine.Forbidden, s.book.Rules.Way, engine.Say("cl.no.say-stay"))
		case s.stuck():
		case s.rule(polMove) == "unless-in-room":
			return nil, openly(engine.Forbidden, s.book.Rules.Leave, engine.Say("cl.no.corridor"))
		default:
			return nil, openly(engine.Forbidden, s.book.Rules.Leave, engine.Say("cl.no.leave"))
		}
		return one(evStuck, c.At, by.seat), nil
	case stepAct:
		if s.mustAsk() {
			return nil, openly(engine.Forbidden, s.book.Rules.Combine, engine.Say("cl.no.must-ask"))
		}
		return s.ends(by.seat, c.At), nil
	}
	return s.nextTurn(c.At), nil
}

// endStepEvents gives up the step. The turn ends with it when only an accusation would be left,
// which was possible before.
func (s *state) ends(x engine.Seat, at engine.Millis) []*event {
	given := one(evActed, at, x)
	if !s.accuses() {
		return given
	}
	after := s.copied()
	for e := given[0]; e != nil && after.step != stepEnd; e = after.nextStep() {
		after.apply(e)
	}
	if after.step == stepEnd && after.afterEnd() == nil && !after.could(x) {
		return s.nextTurn(at)
	}
	return given
}

// needsHypothesis reports whether a hypothesis has to follow the move (SC-053).
func (s *seatedTurn) mustAsk() bool {
	return s.obliged && s.rule(polOblige) == "compulsory"
}

// isSecondMove reports whether this is the second of two moves by dice.
func (t *walkState) second() bool { return t.way == wayPower && t.moves == 0 }
