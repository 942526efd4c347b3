package cluedo

import (
	"slices"

	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/position"
	"majordome/engine/internal/rules"
)

// Position builds any position of a turn. Verbs, one a line:
//
//	seat <seat-N> <name> <suspect>
//	switch <name> <value>
//	board off                           moves are declared and believed
//	envelope <suspect> <weapon> <room>  hand <seat> <card...>   pool <card...>
//	hidden <card> <room>                a face-down card in a room; unnamed: it is not known
//	deal <seat> <n>                     that many cards, unknown to the program
//	pawn <suspect> <place>              a room, pool, a square "7,4", start, corridor, question
//	token <weapon> <room>               default: where weapons begin
//	brought <seat>                      displaced since its last turn
//	track <n>                           Time cards on the track
//	pile <card...>                      only these event cards are in the pile; other clue cards are under them
//	gone <card...>                      event cards out of the game
//	spent <seat...>  wrong <seat...>  murdered <seat...>
//	active <seat>                       default: the first seat named
//	cards                               real cards: the program does not draw
//
// Mystery cards that no line names are unknown. The error is a position.Fault.
func (b *Book) Position(lines []engine.PositionLine) ([]engine.Event, error) {
	p := position.Of(lines)
	if _, f := b.build(p); f != nil {
		return nil, f
	}
	_, evs := b.lobby().follow(0, []*event{{kind: evPosition, position: box.Seal(p, box.Nobody)}})
	return evs, nil
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

// The nouns for what a word of a line should be, in faults of this game.
var (
	cardNoun    = engine.T("une carte qui va ici", "a card that goes here")
	suspectNoun = engine.T("un suspect", "a suspect")
	weaponNoun  = engine.T("une arme", "a weapon")
	roomNoun    = engine.T("une pièce", "a room")
	whereNoun   = engine.T("un endroit du plan", "somewhere on the board")
	offNoun     = engine.T("ce qui se dit du plan", "what is said of the board")
)

// absentKind is the fault of a line that places something the game does not have.
var absent = position.Kind{What: engine.T("ce jeu n’a pas de {1}", "this game has no {1}"),
	Hint: engine.T("enlevez cette ligne given", "take this given line out")}

var (
	poolThing   = engine.T("piscine", "pool")
	hiddenThing = engine.T("cartes cachées dans des pièces", "cards hidden in rooms")
	timeThing   = engine.T("cartes Temps", "Time cards")
	drawThing   = engine.T("cartes à tirer", "cards to draw")
	powerThing  = engine.T("Pouvoirs", "Powers")
)

// positionBuilder collects a position.
type builder struct {
	s     *state
	first engine.Seat
	dead  []engine.Seat
	named set
}

var verbs = map[string]position.Verb[*builder]{
	"seat":     position.Takes("<seat-N> <name> <suspect>", (*builder).seat),
	"switch":   position.Takes("<name> <value>", (*builder).rule),
	"board":    position.Takes("<off>", (*builder).board),
	"envelope": position.Takes("<suspect> <weapon> <room>", (*builder).envelope),
	"hand":     position.Takes("<seat> [card]...", (*builder).hand),
	"pool":     position.Takes("<card>...", (*builder).pool),
	"hidden":   position.Takes("<card|unnamed> <room>", (*builder).hidden),
	"deal":     position.Takes("<seat> <n>", (*builder).deal),
	"pawn":     position.Takes("<suspect> <place>", (*builder).pawn),
	"token":    position.Takes("<weapon> <room>", (*builder).token),
	"brought":  position.Takes("<seat>...", (*builder).brought),
	"track":    position.Takes("<n>", (*builder).track),
	"pile":     position.Takes("<card>...", (*builder).pile),
	"gone":     position.Takes("<card>...", (*builder).gone),
	"spent":    position.Takes("<seat>...", (*builder).spent),
	"wrong":    position.Takes("<seat>...", (*builder).wrong),
	"murdered": position.Takes("<seat>...", (*builder).murdered),
	"active":   position.Takes("<seat>", (*builder).active),
	"cards":    position.Takes("", (*builder).cards),
}

// buildPosition makes the state of a position. Use it only if there is no fault.
func (b *Book) build(p position.Position) (*state, *position.Fault) {
	q := &builder{s: b.lobby()}
	q.s.virtual = true
	f := position.Run(p, verbs, q)
	if f == nil {
		f = q.finish(p)
	}
	return q.s, f
}

func (q *builder) known(word string) (engine.Seat, *position.Fault) {
	return position.Seat(word, q.s.seated)
}

// parseCard reads a mystery card or an event card that no line has named before.
func (q *builder) card(word string, mystery bool) (card, *position.Fault) {
	c, ok := q.s.book.cards[word]
	switch {
	case !ok || q.s.book.mystery().Has(c) != mystery:
		from, to := kindSuspect, kindRoom
		if !mystery {
			from, to = kindEvent, kindEvent
		}
		return 0, q.s.book.notA(word, cardNoun, from, to)
	case q.named.Has(c):
		return 0, position.Twice.Of(word)
	}
	q.named = q.named.With(c)
	return c, nil
}

func (b *Book) notA(word string, noun engine.Text, from, to cardKind) *position.Fault {
	return position.NotA(word, noun, b.cardID[b.from[from]:b.to[to]+1]...)
}

func (q *builder) seat(w []string) *position.Fault {
	x, f := position.Player(w[0], w[1], maxSeats, q.s.seated)
	who := q.s.book.cards[w[2]]
	switch {
	case f != nil:
		return f
	case q.s.book.kind(who) != kindSuspect:
		return q.s.book.notA(w[2], suspectNoun, kindSuspect, kindSuspect)
	case q.s.playing(uint8(who)) != 0:
		return position.Twice.Of(w[2])
	}
	q.s.sit(x, w[1], uint8(who))
	if q.first == 0 {
		q.first = x
	}
	return nil
}

func (q *builder) rule(w []string) *position.Fault {
	if ids := q.s.book.presetIDs(); w[0] == presetSwitch && len(ids) > 0 {
		var chosen [1]uint8
		fault := position.Switch(w[0], w[1], rules.Switches{{ID: presetSwitch, Values: ids}}, chosen[:])
		q.s.setPreset(&q.s.book.Presets[chosen[0]])
		return fault
	}
	return position.Switch(w[0], w[1], q.s.book.switches, q.s.rules[:])
}

func (q *builder) board(w []string) *position.Fault {
	if w[0] != "off" {
		return position.NotA(w[0], offNoun, "off")
	}
	plain := *q.s.book
	plain.board = nil
	q.s.book = &plain
	for who := range q.s.pawns {
		q.s.pawns[who] = plain.home(uint8(who))
	}
	return nil
}

// placeCards puts the cards of a line at a location.
func (q *builder) lay(words []string, mystery bool, l loc, aud box.Audience) *position.Fault {
	for _, word := range words {
		c, err := q.card(word, mystery)
		if err != nil {
			return err
		}
		q.s.cards.Put(c, l, aud)
	}
	return nil
}

func (q *builder) envelope(w []string) *position.Fault {
	return q.lay(w, true, locEnvelope, box.Nobody)
}
func (q *builder) pool(w []string) *position.Fault {
	if q.s.book.pool == 0 {
		return absent.Of(poolThing)
	}
	return q.lay(w, true, locLies+loc(q.s.book.pool), box.Nobody)
}

func (q *builder) hidden(w []string) *position.Fault {
	if !q.s.book.hidesSome() {
		return absent.Of(hiddenThing)
	}
	a := q.s.book.areas[w[1]]
	if !q.s.book.isRoom(a) {
		return position.NotA(w[1], roomNoun, q.s.book.areaID[1:]...)
	}
	q.s.lying[a]++
	if w[0] == engine.Unnamed {
		return nil
	}
	return q.lay(w[:1], true, locLies+loc(a), box.Nobody)
}

func (q *builder) gone(w []string) *position.Fault {
	if q.s.book.all(kindEvent) == 0 {
		return absent.Of(drawThing)
	}
	for _, word := range w {
		c, err := q.card(word, false)
		if err != nil {
			return err
		}
		q.s.remove(c, box.All)
	}
	return nil
}

func (q *builder) hand(w []string) *position.Fault {
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
		err = q.lay([]string{word}, q.s.book.kind(c) != kindEvent, custody.HandOf(x), box.Only(x))
	}
	return err
}

func (q *builder) deal(w []string) *position.Fault {
	x, err := q.known(w[0])
	if err != nil {
		return err
	}
	n, err := position.Number(w[1], maxCards)
	q.s.seats[x].cards += uint8(n)
	return err
}

func (q *builder) pawn(w []string) *position.Fault {
	who := q.s.book.cards[w[0]]
	p, ok := q.s.book.parsePos(w[1])
	switch {
	case q.s.book.kind(who) != kindSuspect:
		return q.s.book.notA(w[0], suspectNoun, kindSuspect, kindSuspect)
	case !ok:
		return position.NotA(w[1], whereNoun, append(slices.Clone(q.s.book.areaID[1:]), "start", toCorridor, toQuestion, "7,4")...)
	case p.kind == onStart:
		q.s.sendHome(uint8(who)) // on a board, start is a square
		return nil
	}
	q.s.pawns[who] = p
	return nil
}

func (q *builder) token(w []string) *position.Fault {
	c, a := q.s.book.cards[w[0]], q.s.book.areas[w[1]]
	switch {
	case q.s.book.kind(c) != kindWeapon:
		return q.s.book.notA(w[0], weaponNoun, kindWeapon, kindWeapon)
	case a == 0:
		return position.NotA(w[1], roomNoun, q.s.book.areaID[1:]...)
	}
	q.s.tokens[q.s.book.token(c)] = a
	return nil
}

func (q *builder) each(w []string, f func(*player)) *position.Fault {
	xs, err := position.Seats(w, q.s.seated)
	for _, x := range xs {
		f(&q.s.seats[x])
	}
	return err
}

func (q *builder) brought(w []string) *position.Fault {
	return q.each(w, func(p *player) { p.brought = true })
}
func (q *builder) spent(w []string) *position.Fault {
	if len(q.s.book.Powers) == 0 {
		return absent.Of(powerThing)
	}
	return q.each(w, func(p *player) { p.spent = true })
}
func (q *builder) wrong(w []string) *position.Fault {
	return q.each(w, func(p *player) { p.wrong = true })
}

func (q *builder) murdered(w []string) *position.Fault {
	xs, err := position.Seats(w, q.s.seated)
	q.dead = append(q.dead, xs...)
	return err
}

func (q *builder) active(w []string) (err *position.Fault) {
	q.first, err = q.known(w[0])
	return err
}

func (q *builder) cards([]string) *position.Fault {
	q.s.virtual = false
	return nil
}

func (q *builder) times() set { return q.s.book.ofKind(q.s.book.all(kindEvent), EventTime) }

func (q *builder) track(w []string) *position.Fault {
	if q.times() == 0 {
		return absent.Of(timeThing)
	}
	n, err := position.Number(w[0], q.times().Count()-1)
	for x := q.times(); n > 0; n-- {
		q.s.cards.Put(x.First(), locTrack, box.All)
		q.named = q.named.With(x.First())
		q.s.track++
		x &= x - 1
	}
	return err
}

func (q *builder) pile(w []string) *position.Fault {
	if q.s.book.all(kindEvent) == 0 {
		return absent.Of(drawThing)
	}
	if err := q.lay(w, false, locPile, box.Nobody); err != nil {
		return err
	}
	for c := q.s.book.from[kindEvent]; c <= q.s.book.to[kindEvent]; c++ {
		switch {
		case q.named.Has(c):
		case q.s.book.clued(): // it is under them
			q.s.layUnder(c)
		default:
			q.s.remove(c, box.All)
		}
	}
	return nil
}

func (q *builder) finish(lines position.Position) *position.Fault {
	s := q.s
	if n := s.players(); n < s.least() {
		return lines.At(position.Players.Of(n, s.least()), "seat", "")
	}
	if s.rule(polDeal) == "equal" {
		_, s.lying[s.book.pool] = s.shares()
	}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		s.seats[x].told, s.seats[x].named = uint8((s.cards.Held(x) & s.book.mystery()).Count()), s.seats[x].butlers
	}
	for w := range s.tokens {
		if s.tokens[w] == 0 { // no line names it
			s.tokens[w] = s.shelf()
		}
	}
	s.sealed = uint8(s.truth().envelope().Count())
	for _, x := range q.dead {
		s.murder(x)
	}
	s.phase = turn
	if !s.turns(q.first) {
		return lines.At(position.Idle.Of(q.first), "active", "")
	}
	s.beginTurn(&event{seat: q.first, n: 1})
	s.first = q.first
	return nil
}
