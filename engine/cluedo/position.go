package cluedo

import (
	"fmt"

	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/position"
	"majordome/engine/internal/rules"
)

// Position builds any position of a turn. Verbs, one a line:
//
//	seat <seat-N> <name> <suspect>
//	switch <name> <value>
//	board off                           moves are declared and believed
//	envelope <suspect> <weapon> <room>  hand <seat> <card...>   pool <card...>
//	deal <seat> <n>                     so many cards, unknown to the machine
//	pawn <suspect> <place>              a room, pool, a square "7,4", start, corridor, question
//	token <weapon> <room>               default: the pool
//	brought <seat>                      displaced since its last turn
//	track <n>                           Time cards on the track
//	pile <card...>                      only these event cards are in the pile
//	gone <card...>                      event cards out of the game
//	spent <seat...>  wrong <seat...>  murdered <seat...>
//	active <seat>                       default: the first seat named
//	cards                               real cards: the machine does not draw
//
// Mystery cards named nowhere are unknown. An error names its line.
func (b *Book) Position(lines []engine.PositionLine) ([]engine.Event, error) {
	p := position.Of(lines)
	if _, err := b.build(p); err != nil {
		return nil, err
	}
	return b.lobby().follow(0, []*event{{kind: evPosition, position: box.Seal(p, box.Nobody)}}), nil
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
	s     *state
	first engine.Seat
	dead  []engine.Seat
	named set
}

var verbs = map[string]position.Verb[*builder]{
	"seat": position.Takes(3, (*builder).seat), "switch": position.Takes(2, (*builder).rule), "board": position.Takes(1, (*builder).board),
	"envelope": position.Takes(3, (*builder).envelope), "hand": position.Takes(1, (*builder).hand), "pool": position.Takes(1, (*builder).pool), "deal": position.Takes(2, (*builder).deal),
	"pawn": position.Takes(2, (*builder).pawn), "token": position.Takes(2, (*builder).token), "brought": position.Takes(1, (*builder).brought), "track": position.Takes(1, (*builder).track),
	"pile": position.Takes(1, (*builder).pile), "gone": position.Takes(1, (*builder).gone), "spent": position.Takes(1, (*builder).spent), "wrong": position.Takes(1, (*builder).wrong),
	"murdered": position.Takes(1, (*builder).murdered), "active": position.Takes(1, (*builder).active), "cards": position.Takes(0, (*builder).cards),
}

func (b *Book) build(p position.Position) (*state, error) {
	q := &builder{s: b.lobby()}
	q.s.virtual = true
	if err := position.Run(p, verbs, q); err != nil {
		return nil, fmt.Errorf("cluedo: position: %w", err)
	}
	return q.finish()
}

func (q *builder) known(word string) (engine.Seat, error) { return position.Seat(word, q.s.seated) }

func (q *builder) card(word string, mystery bool) (card, error) {
	c, ok := q.s.book.cards[word]
	switch {
	case !ok || q.s.book.mystery().has(c) != mystery:
		return 0, fmt.Errorf("no such card here: %.40q", word)
	case q.named.has(c):
		return 0, fmt.Errorf("card %.40q stands in two lines", word)
	}
	q.named = q.named.with(c)
	return c, nil
}

func (q *builder) seat(w []string) error {
	x, err := engine.ParseSeat(w[0])
	who := q.s.book.cards[w[2]]
	switch {
	case err != nil || q.s.seated(x):
		return fmt.Errorf("no free seat %.40q", w[0])
	case w[1] == "" || len(w[1]) > rules.MaxName:
		return fmt.Errorf("bad name: 1 to %d bytes", rules.MaxName)
	case q.s.book.kind(who) != kindSuspect || q.s.playing(uint8(who)) != 0:
		return fmt.Errorf("no free suspect %.40q", w[2])
	}
	q.s.seats[x] = player{name: w[1], who: uint8(who), dealt: true}
	if q.first == 0 {
		q.first = x
	}
	return nil
}

func (q *builder) rule(w []string) error {
	i, v := q.s.book.switches.Find(w[0], w[1])
	if v < 0 {
		return fmt.Errorf("no house rule %.40q with value %.40q", w[0], w[1])
	}
	q.s.rules[i] = uint8(v)
	return nil
}

func (q *builder) board(w []string) error {
	if w[0] != "off" {
		return fmt.Errorf("only \"board off\"")
	}
	plain := *q.s.book
	plain.board = nil
	q.s.book = &plain
	for who := range q.s.pawns {
		q.s.pawns[who] = pos{kind: onStart}
	}
	return nil
}

// lay puts mystery cards where a line says.
func (q *builder) lay(words []string, mystery bool, l loc, aud box.Audience) error {
	for _, word := range words {
		c, err := q.card(word, mystery)
		if err != nil {
			return err
		}
		q.s.put(c, l, aud)
	}
	return nil
}

func (q *builder) envelope(w []string) error { return q.lay(w, true, locEnvelope, box.Nobody) }
func (q *builder) pool(w []string) error     { return q.lay(w, true, locPool, box.Nobody) }
func (q *builder) gone(w []string) error     { return q.lay(w, false, locGone, box.All) }

func (q *builder) hand(w []string) error {
	x, err := q.known(w[0])
	for _, word := range w[1:] {
		var c card
		if err != nil {
			break
		}
		if c = q.s.book.cards[word]; q.s.book.kind(c) == kindEvent {
			q.s.seats[x].butlers++
		} else {
			q.s.seats[x].cards++
		}
		err = q.lay([]string{word}, q.s.book.kind(c) != kindEvent, locHand+loc(x), box.Only(x))
	}
	return err
}

func (q *builder) deal(w []string) error {
	x, err := q.known(w[0])
	if err != nil {
		return err
	}
	n, err := position.Number(w[1], maxCards)
	q.s.seats[x].cards += uint8(n)
	return err
}

func (q *builder) pawn(w []string) error {
	who := q.s.book.cards[w[0]]
	p, ok := q.s.book.parsePos(w[1])
	if q.s.book.kind(who) != kindSuspect || !ok {
		return fmt.Errorf("no suspect %.40q or no place %.40q", w[0], w[1])
	}
	if p.kind == onStart {
		q.s.sendHome(uint8(who)) // on a board that is a square
		return nil
	}
	q.s.pawns[who] = p
	return nil
}

func (q *builder) token(w []string) error {
	c, a := q.s.book.cards[w[0]], q.s.book.areas[w[1]]
	if q.s.book.kind(c) != kindWeapon || a == 0 {
		return fmt.Errorf("no weapon %.40q or no room %.40q", w[0], w[1])
	}
	q.s.tokens[c-q.s.book.from[kindWeapon]+1] = a
	return nil
}

func (q *builder) each(w []string, f func(*player)) error {
	for _, word := range w {
		x, err := q.known(word)
		if err != nil {
			return err
		}
		f(&q.s.seats[x])
	}
	return nil
}

func (q *builder) brought(w []string) error { return q.each(w, func(p *player) { p.brought = true }) }
func (q *builder) spent(w []string) error   { return q.each(w, func(p *player) { p.spent = true }) }
func (q *builder) wrong(w []string) error   { return q.each(w, func(p *player) { p.wrong = true }) }

func (q *builder) murdered(w []string) error {
	return q.each(w, func(p *player) {
		for x := range q.s.seats {
			if &q.s.seats[x] == p {
				q.dead = append(q.dead, engine.Seat(x))
			}
		}
	})
}

func (q *builder) active(w []string) (err error) {
	q.first, err = q.known(w[0])
	return err
}

func (q *builder) cards([]string) error {
	q.s.virtual = false
	return nil
}

// times are the Time cards of the deck.
func (q *builder) times() set { return q.s.ofKind(q.s.book.all(kindEvent), "time") }

func (q *builder) track(w []string) error {
	n, err := position.Number(w[0], q.times().count()-1)
	for x := q.times(); n > 0; n-- {
		q.s.put(x.first(), locTrack, box.All)
		q.named = q.named.with(x.first())
		q.s.track++
		x &= x - 1
	}
	return err
}

func (q *builder) pile(w []string) error {
	if err := q.lay(w, false, locPile, box.Nobody); err != nil {
		return err
	}
	for c := q.s.book.from[kindEvent]; c <= q.s.book.to[kindEvent]; c++ {
		if !q.named.has(c) {
			q.s.put(c, locGone, box.All)
		}
	}
	return nil
}

func (q *builder) finish() (*state, error) {
	s := q.s
	s.n = uint8(s.players())
	if int(s.n) < s.least() {
		return nil, fmt.Errorf("cluedo: position: %d seat lines, at least %d are needed", s.n, s.least())
	}
	_, s.pooled = s.shares()
	for x := engine.Seat(1); x <= maxSeats; x++ {
		s.seats[x].told, s.seats[x].named = uint8((s.held(x) & s.book.mystery()).count()), s.seats[x].butlers
	}
	s.sealed = uint8(s.truth().envelope.count())
	for _, x := range q.dead {
		s.murder(x)
	}
	s.phase = turn
	if !s.turns(q.first) {
		return nil, fmt.Errorf("cluedo: position: %s has no turn", q.first)
	}
	s.beginTurn(&event{seat: q.first, n: 1})
	s.first = q.first
	return s, nil
}
