package huisclos

import (
	"fmt"
	"slices"

	"majordome/engine"
	"majordome/engine/deck"
	"majordome/engine/internal/box"
	"majordome/engine/internal/pose"
)

// Pose builds any position. Verbs, one a line:
//
//	seat <seat-N> <name> <character> <murderer|innocent>
//	first <seat>                        default: the first seat named
//	switch <name> <value>
//	round <n>                           default 1
//	phase <roles|laying|pick|investigation|deposit|reveal|recovery>   default investigation
//	active <seat>                       default: the first that has not acted
//	hand <seat> <clue...>               urn <seat> <clue>: already deposited
//	place <place> <clue...>             exactly these clues lie there
//	fill <place> <count>                fill up with clues named nowhere, in deck order
//	pawn <seat> <place>                 default: the start place
//	closed <place...>                   gone <clue...>: publicly out of the game
//	destroyed <seat> <n>                tokens <seat> <n>
//	dead <seat...>                      investigated <seat...>
//	unknown place <place> <count>       so many clues lie there without a record
//	unknown hand <seat> <count>         so many more than its hand lines name
//	unknown urn <seat>                  it has deposited a clue without a record
//	unknown role <seat>                 it has a role and has not told the machine
//	claims <seat> <clue...>             it says to hold these unrecorded ones, wherever
//	                                    they are recorded
//	lost <count>                        so many clues are declared lost (GEN-E09)
//
// Clues named nowhere are out of the game, unless a line says unknown or lost:
// then they are the unrecorded ones, and what is too much is lost. In the phase recovery the clues of
// urn lines lie open. An error names its line.
func (b *Book) Pose(lines []engine.PoseLine) ([]engine.Event, error) {
	p := pose.Of(lines)
	s, err := b.build(p)
	if err != nil {
		return nil, err
	}
	return s.book.lobby().follow(0, []*event{{kind: evPosed, pose: box.Seal(p, box.Nobody)}}), nil
}

func (s *state) posed(e *event) {
	p, _ := e.pose.Open()
	t, err := s.book.build(p)
	if err != nil { // Pose and DecodeEvent have built it before
		return
	}
	*s = *t
	s.since = e.at
}

// poser collects a position.
type poser struct {
	s      *state
	active engine.Seat
	named  set // clues that some line names
	acted  []engine.Seat
	urn    map[engine.Seat]card
	dead   []engine.Seat
	secret []engine.Seat // have not told their role
	claims map[engine.Seat]set
	vague  bool // some clues lie without a record
	lost   int  // at least
}

var verbs = map[string]pose.Verb[*poser]{
	"seat": pose.Takes(4, (*poser).seat), "first": pose.Takes(1, (*poser).first), "switch": pose.Takes(2, (*poser).rule),
	"round": pose.Takes(1, (*poser).round), "phase": pose.Takes(1, (*poser).phase), "active": pose.Takes(1, (*poser).call),
	"hand": pose.Takes(1, (*poser).hand), "urn": pose.Takes(2, (*poser).deposit), "place": pose.Takes(1, (*poser).place),
	"fill": pose.Takes(2, (*poser).fill), "pawn": pose.Takes(2, (*poser).pawn), "closed": pose.Takes(1, (*poser).closed),
	"gone": pose.Takes(1, (*poser).gone), "destroyed": pose.Takes(2, (*poser).destroyed), "tokens": pose.Takes(2, (*poser).tokens),
	"dead": pose.Takes(1, (*poser).die), "investigated": pose.Takes(1, (*poser).investigated),
	"unknown": pose.Takes(2, (*poser).unknown), "claims": pose.Takes(2, (*poser).claim), "lost": pose.Takes(1, (*poser).lose),
}

// build makes the state of a position. Lines count in their order, except that
// fill comes last.
func (b *Book) build(p pose.Position) (*state, error) {
	q := &poser{s: b.lobby(), urn: map[engine.Seat]card{}, claims: map[engine.Seat]set{}}
	q.s.phase, q.s.round = investigation, 1
	if err := pose.Run(p.Last("fill"), verbs, q); err != nil {
		return nil, fmt.Errorf("huisclos: pose: %w", err)
	}
	return q.finish()
}

// known reads a seat where a player sits.
func (q *poser) known(word string) (engine.Seat, error) { return pose.Seat(word, q.s.seated) }

func (q *poser) where(word string) (place, error) {
	p, ok := q.s.book.places[word]
	if !ok {
		return 0, fmt.Errorf("no place %.40q", word)
	}
	return p, nil
}

// clue reads a clue that no line has named before.
func (q *poser) clue(word string) (card, error) {
	c, ok := q.s.book.cards[word]
	switch {
	case !ok:
		return 0, fmt.Errorf("no clue %.40q", word)
	case q.named.has(c):
		return 0, fmt.Errorf("clue %.40q stands in two lines", word)
	}
	q.named = q.named.with(c)
	return c, nil
}

func (q *poser) seat(w []string) error {
	x, err := engine.ParseSeat(w[0])
	f, ok := q.s.book.figures[w[2]]
	switch {
	case err != nil || x > maxSeats:
		return fmt.Errorf("no seat %.40q", w[0])
	case q.s.seated(x):
		return fmt.Errorf("%s stands in two lines", w[0])
	case !goodName(w[1]):
		return fmt.Errorf("bad name: 1 to %d bytes", maxPlayerName)
	case !ok:
		return fmt.Errorf("no character %.40q", w[2])
	case q.s.played(f):
		return fmt.Errorf("%s is played already", w[2])
	case w[3] != deck.Murderer && w[3] != deck.Innocent:
		return fmt.Errorf("no role %.40q: murderer or innocent", w[3])
	}
	q.s.seats[x] = player{name: w[1], who: f, at: q.s.book.start, tokens: 1}
	q.s.roles[x] = box.Seal(drawn{role: roleNamed(w[3])}, box.Only(x))
	q.s.n++
	if q.s.first == 0 {
		q.s.first = x
	}
	return nil
}

func (q *poser) first(w []string) (err error) {
	q.s.first, err = q.known(w[0])
	return err
}

func (q *poser) call(w []string) (err error) {
	q.active, err = q.known(w[0])
	return err
}

func (q *poser) rule(w []string) error {
	for i, sw := range switchValues {
		if sw.id == w[0] {
			v := slices.Index(sw.values, w[1])
			if v < 0 {
				return fmt.Errorf("no value %.40q: %v", w[1], sw.values)
			}
			q.s.rules[i] = uint8(v)
			return nil
		}
	}
	return fmt.Errorf("no house rule %.40q", w[0])
}

func (q *poser) round(w []string) error {
	n, err := pose.Number(w[0], 60)
	q.s.round = uint8(n)
	return err
}

func (q *poser) phase(w []string) error {
	i := slices.Index(phaseNames[:], w[0])
	if i <= int(lobby) || i >= int(over) {
		return fmt.Errorf("no phase %.40q", w[0])
	}
	q.s.phase = phase(i)
	return nil
}

func (q *poser) hand(w []string) error {
	x, err := q.known(w[0])
	if err != nil {
		return err
	}
	for _, word := range w[1:] {
		c, err := q.clue(word)
		if err != nil {
			return err
		}
		q.s.put(c, locHand+loc(x), box.Only(x))
		q.s.seats[x].cards++
	}
	return nil
}

func (q *poser) deposit(w []string) error {
	x, err := q.known(w[0])
	if err != nil {
		return err
	}
	c, err := q.clue(w[1])
	if _, twice := q.urn[x]; err == nil && twice {
		err = fmt.Errorf("%s deposits twice", w[0])
	}
	q.urn[x] = c
	return err
}

func (q *poser) place(w []string) error {
	p, err := q.where(w[0])
	for _, word := range w[1:] {
		var c card
		if err == nil {
			c, err = q.clue(word)
		}
		if err == nil {
			q.s.lay(c, p)
		}
	}
	return err
}

func (q *poser) fill(w []string) error {
	p, err := q.where(w[0])
	if err != nil {
		return err
	}
	n, err := pose.Number(w[1], numCards)
	for c := card(1); c <= numCards && err == nil && int(q.s.rooms[p].cards) < n; c++ {
		if !q.named.has(c) {
			q.named = q.named.with(c)
			q.s.lay(c, p)
		}
	}
	if err == nil && int(q.s.rooms[p].cards) < n {
		err = fmt.Errorf("no clues left to fill %s", w[0])
	}
	return err
}

func (q *poser) pawn(w []string) error {
	x, err := q.known(w[0])
	if err == nil {
		q.s.seats[x].at, err = q.where(w[1])
	}
	return err
}

func (q *poser) closed(w []string) error {
	for _, word := range w {
		p, err := q.where(word)
		if err != nil {
			return err
		}
		q.s.rooms[p].closed = true
	}
	return nil
}

func (q *poser) gone(w []string) error {
	for _, word := range w {
		c, err := q.clue(word)
		if err != nil {
			return err
		}
		q.s.put(c, locGone, box.All)
	}
	return nil
}

func (q *poser) destroyed(w []string) error {
	x, err := q.known(w[0])
	n, bad := pose.Number(w[1], numCards)
	if err == nil {
		q.s.seats[x].destroyed, err = uint8(n), bad
	}
	return err
}

func (q *poser) tokens(w []string) error {
	x, err := q.known(w[0])
	n, bad := pose.Number(w[1], numFigures)
	if err == nil {
		q.s.seats[x].tokens, err = uint8(n), bad
	}
	return err
}

// seatsOf reads a list of seats.
func (q *poser) seatsOf(w []string) (xs []engine.Seat, err error) {
	for _, word := range w {
		x, err := q.known(word)
		if err != nil {
			return nil, err
		}
		xs = append(xs, x)
	}
	return xs, nil
}

func (q *poser) die(w []string) (err error) {
	xs, err := q.seatsOf(w)
	q.dead = append(q.dead, xs...)
	return err
}

func (q *poser) investigated(w []string) (err error) {
	xs, err := q.seatsOf(w)
	q.acted = append(q.acted, xs...)
	return err
}

// finish settles what hangs on the phase.
func (q *poser) finish() (*state, error) {
	s := q.s
	if s.n < minSeats {
		return nil, fmt.Errorf("huisclos: pose: %d seat lines, at least %d are needed (HC-001)", s.n, minSeats)
	}
	for _, x := range q.secret {
		s.roles[x] = box.Box[drawn]{}
	}
	for _, x := range q.dead {
		p := &s.seats[x]
		if p.cards > 0 {
			return nil, fmt.Errorf("huisclos: pose: %s is dead and holds clues", x)
		}
		p.dead, p.at, p.tokens, p.done = true, 0, 0, true
		s.reveal(x)
	}
	for p := place(1); p <= numPlaces; p++ {
		if s.rooms[p].closed && (s.rooms[p].cards > 0 || s.standing(p) > 0) {
			return nil, fmt.Errorf("huisclos: pose: %s is closed and not empty", s.book.placeID[p])
		}
	}
	s.duel = s.alive() == 2
	for x, c := range q.urn {
		switch {
		case c == 0 && s.phase == recovery:
			return nil, fmt.Errorf("huisclos: pose: the urn is open: name what %s deposited", x)
		case c == 0:
		case s.phase == recovery:
			s.put(c, locShown, box.All)
			continue
		default:
			s.put(c, locUrn+loc(x), box.Only(x))
		}
		s.urn++
		s.seats[x].done = true
	}
	for _, x := range q.acted {
		s.seats[x].done = true
	}
	if err := q.settle(); err != nil {
		return nil, err
	}
	return q.begin()
}

// begin calls the seat that is to act, or leaves that to follow.
func (q *poser) begin() (*state, error) {
	s := q.s
	if s.phase < investigation {
		s.round = 0
	}
	if s.phase == roles {
		s.roles = [maxSeats + 1]box.Box[drawn]{}
		q.active = s.first
	}
	if s.phase == reveal {
		q.active = s.next(func(x engine.Seat) bool { return true })
		s.fresh()
	}
	s.opened = s.phase == recovery
	if s.phase > roles && !s.rolesRight() {
		return nil, fmt.Errorf("huisclos: pose: exactly one seat must be the murderer (HC-004)")
	}
	if q.active == 0 {
		return s, nil
	}
	if !s.living(q.active) || s.seats[q.active].done {
		return nil, fmt.Errorf("huisclos: pose: %s cannot be active", q.active)
	}
	// Whoever comes before the active seat in table order has acted.
	s.order(func(x engine.Seat) bool {
		if x != q.active {
			s.seats[x].done = true
		}
		return x != q.active
	})
	switch s.phase {
	case pick:
		return s.apply(&event{kind: evPile, seat: q.active}), nil
	case investigation, deposit, recovery:
		return s.apply(&event{kind: evCalled, seat: q.active}), nil
	case roles, reveal:
		s.active = q.active
	}
	return s, nil
}
