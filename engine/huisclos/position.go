package huisclos

import (
	"fmt"
	"slices"

	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/position"
	"majordome/engine/internal/rules"
)

// Position builds any position. Verbs, one a line:
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
func (b *Book) Position(lines []engine.PositionLine) ([]engine.Event, error) {
	p := position.Of(lines)
	s, err := b.build(p)
	if err != nil {
		return nil, err
	}
	return s.book.lobby().follow(0, []*event{{kind: evPosition, position: box.Seal(p, box.Nobody)}}), nil
}

func (s *state) position(e *event) {
	p, _ := e.position.Open()
	t, err := s.book.build(p)
	if err != nil { // Position and DecodeEvent have built it before
		return
	}
	*s = *t
	s.since = e.at
}

// builder collects a position.
type builder struct {
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

var verbs = map[string]position.Verb[*builder]{
	"seat": position.Takes(4, (*builder).seat), "first": position.Takes(1, (*builder).first), "switch": position.Takes(2, (*builder).rule),
	"round": position.Takes(1, (*builder).round), "phase": position.Takes(1, (*builder).phase), "active": position.Takes(1, (*builder).call),
	"hand": position.Takes(1, (*builder).hand), "urn": position.Takes(2, (*builder).deposit), "place": position.Takes(1, (*builder).place),
	"fill": position.Takes(2, (*builder).fill), "pawn": position.Takes(2, (*builder).pawn), "closed": position.Takes(1, (*builder).closed),
	"gone": position.Takes(1, (*builder).gone), "destroyed": position.Takes(2, (*builder).destroyed), "tokens": position.Takes(2, (*builder).tokens),
	"dead": position.Takes(1, (*builder).die), "investigated": position.Takes(1, (*builder).investigated),
	"unknown": position.Takes(2, (*builder).unknown), "claims": position.Takes(2, (*builder).claim), "lost": position.Takes(1, (*builder).lose),
}

// build makes the state of a position. Lines count in their order, except that
// fill comes last.
func (b *Book) build(p position.Position) (*state, error) {
	q := &builder{s: b.lobby(), urn: map[engine.Seat]card{}, claims: map[engine.Seat]set{}}
	q.s.phase, q.s.round = investigation, 1
	if err := position.Run(p.Last("fill"), verbs, q); err != nil {
		return nil, fmt.Errorf("huisclos: position: %w", err)
	}
	return q.finish()
}

// known reads a seat where a player sits.
func (q *builder) known(word string) (engine.Seat, error) { return position.Seat(word, q.s.seated) }

func (q *builder) where(word string) (place, error) {
	p, ok := q.s.book.places[word]
	if !ok {
		return 0, fmt.Errorf("no place %.40q", word)
	}
	return p, nil
}

// clue reads a clue that no line has named before.
func (q *builder) clue(word string) (card, error) {
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

func (q *builder) seat(w []string) error {
	x, err := engine.ParseSeat(w[0])
	f, ok := q.s.book.characters[w[2]]
	switch {
	case err != nil || x > maxSeats:
		return fmt.Errorf("no seat %.40q", w[0])
	case q.s.seated(x):
		return fmt.Errorf("%s stands in two lines", w[0])
	case !rules.GoodName(w[1]):
		return fmt.Errorf("bad name: 1 to %d bytes", rules.MaxName)
	case !ok:
		return fmt.Errorf("no character %.40q", w[2])
	case q.s.played(f):
		return fmt.Errorf("%s is played already", w[2])
	case w[3] != Murderer && w[3] != Innocent:
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

func (q *builder) first(w []string) (err error) {
	q.s.first, err = q.known(w[0])
	return err
}

func (q *builder) call(w []string) (err error) {
	q.active, err = q.known(w[0])
	return err
}

func (q *builder) rule(w []string) error {
	i, v := switches.Find(w[0], w[1])
	switch {
	case i < 0:
		return fmt.Errorf("no house rule %.40q", w[0])
	case v < 0:
		return fmt.Errorf("no value %.40q: %v", w[1], switches[i].Values)
	}
	q.s.rules[i] = uint8(v)
	return nil
}

func (q *builder) round(w []string) error {
	n, err := position.Number(w[0], 60)
	q.s.round = uint8(n)
	return err
}

func (q *builder) phase(w []string) error {
	i := slices.Index(phaseNames[:], w[0])
	if i <= int(lobby) || i >= int(over) {
		return fmt.Errorf("no phase %.40q", w[0])
	}
	q.s.phase = phase(i)
	return nil
}

func (q *builder) hand(w []string) error {
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

func (q *builder) deposit(w []string) error {
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

func (q *builder) place(w []string) error {
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

func (q *builder) fill(w []string) error {
	p, err := q.where(w[0])
	if err != nil {
		return err
	}
	n, err := position.Number(w[1], numCards)
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

func (q *builder) pawn(w []string) error {
	x, err := q.known(w[0])
	if err == nil {
		q.s.seats[x].at, err = q.where(w[1])
	}
	return err
}

func (q *builder) closed(w []string) error {
	for _, word := range w {
		p, err := q.where(word)
		if err != nil {
			return err
		}
		q.s.rooms[p].closed = true
	}
	return nil
}

func (q *builder) gone(w []string) error {
	for _, word := range w {
		c, err := q.clue(word)
		if err != nil {
			return err
		}
		q.s.put(c, locGone, box.All)
	}
	return nil
}

func (q *builder) destroyed(w []string) error {
	x, err := q.known(w[0])
	n, bad := position.Number(w[1], numCards)
	if err == nil {
		q.s.seats[x].destroyed, err = uint8(n), bad
	}
	return err
}

func (q *builder) tokens(w []string) error {
	x, err := q.known(w[0])
	n, bad := position.Number(w[1], numCharacters)
	if err == nil {
		q.s.seats[x].tokens, err = uint8(n), bad
	}
	return err
}

// seatsOf reads a list of seats.
func (q *builder) seatsOf(w []string) (xs []engine.Seat, err error) {
	for _, word := range w {
		x, err := q.known(word)
		if err != nil {
			return nil, err
		}
		xs = append(xs, x)
	}
	return xs, nil
}

func (q *builder) die(w []string) (err error) {
	xs, err := q.seatsOf(w)
	q.dead = append(q.dead, xs...)
	return err
}

func (q *builder) investigated(w []string) (err error) {
	xs, err := q.seatsOf(w)
	q.acted = append(q.acted, xs...)
	return err
}

// finish settles what hangs on the phase.
func (q *builder) finish() (*state, error) {
	s := q.s
	if s.n < minSeats {
		return nil, fmt.Errorf("huisclos: position: %d seat lines, at least %d are needed (HC-001)", s.n, minSeats)
	}
	for _, x := range q.secret {
		s.roles[x] = box.Box[drawn]{}
	}
	for _, x := range q.dead {
		p := &s.seats[x]
		if p.cards > 0 {
			return nil, fmt.Errorf("huisclos: position: %s is dead and holds clues", x)
		}
		p.dead, p.at, p.tokens, p.done = true, 0, 0, true
		s.reveal(x)
	}
	for p := place(1); p <= numPlaces; p++ {
		if s.rooms[p].closed && (s.rooms[p].cards > 0 || s.standing(p) > 0) {
			return nil, fmt.Errorf("huisclos: position: %s is closed and not empty", s.book.placeID[p])
		}
	}
	s.duel = s.alive() == 2
	for x, c := range q.urn {
		switch {
		case c == 0 && s.phase == recovery:
			return nil, fmt.Errorf("huisclos: position: the urn is open: name what %s deposited", x)
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
func (q *builder) begin() (*state, error) {
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
		return nil, fmt.Errorf("huisclos: position: exactly one seat must be the murderer (HC-004)")
	}
	if q.active == 0 {
		return s, nil
	}
	if !s.living(q.active) || s.seats[q.active].done {
		return nil, fmt.Errorf("huisclos: position: %s cannot be active", q.active)
	}
	// Whoever comes before the active seat in table order has acted.
	s.inOrder(func(x engine.Seat) bool {
		if x != q.active {
			s.seats[x].done = true
		}
		return x != q.active
	})
	switch s.phase {
	case pick:
		s.offerPile(q.active, 0)
	case investigation, deposit, recovery:
		s.callToAct(q.active, 0)
	case roles, reveal:
		s.active = q.active
	}
	return s, nil
}
