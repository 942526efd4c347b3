package huisclos

import (
	"slices"

	"majordome/engine"
	"majordome/engine/internal/box"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/position"
)

// Position returns the events that lead to any position. Verbs, one a line:
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
	if err != nil { // BuildPosition and DecodeEvent have built it before
		return
	}
	*s = *t
	s.since = e.at
}

// Faults that only positions of this game can have.
var (
	deadHolds = position.Kind{What: engine.T("given dead nomme {1}, dont la main a des indices", "{1} is dead and holds clues"),
		Hint: engine.T("ôtez {1} d’une des deux lignes", "take {1} out of one of the two lines")}
	closedFull = position.Kind{What: engine.T("{1} est fermé, mais pas vide", "{1} is closed and not empty"),
		Hint: engine.T("mettez ailleurs ses indices et ses pions", "put its clues and pawns elsewhere")}
	openUrn = position.Kind{What: engine.T("l’urne est ouverte, et on y voit l’indice de {1}",
		"the urn is open, and the clue of {1} is seen there"),
		Hint: engine.T("écrivez : given urn {1} <clue>", "write: given urn {1} <clue>")}
	oneMurderer = position.Kind{What: engine.T("il faut un Meurtrier et un seul (HC-004)",
		"exactly one seat must be the murderer (HC-004)"),
		Hint: engine.T("écrivez murderer dans une des lignes given seat, et innocent dans les autres",
			"write murderer in one of the given seat lines, and innocent in the others")}
	noneLeft = position.Kind{What: engine.T("pas assez d’indices pour remplir {1}", "no clues left to fill {1}"),
		Hint: engine.T("baissez le nombre d’une ligne given fill", "lower the number of a given fill line")}
	lostTooMany = position.Kind{What: engine.T("indices qu’on peut encore perdre : {1}, et non {2}",
		"{1} clues are left to be lost, not {2}"),
		Hint: engine.T("baissez le nombre", "lower the number")}
	claimsTooMuch = position.Kind{What: engine.T("{1} annonce plus que les indices non notés de sa main",
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
type builder struct {
	s      *state
	active engine.Seat
	named  set // clues that some line names
	acted  []engine.Seat
	urn    map[engine.Seat]card
	dead   []engine.Seat
	secret []engine.Seat // seats whose role the machine does not know
	claims map[engine.Seat]set
	vague  bool // some clues are not recorded
	lost   int  // the least number of lost clues
}

var verbs = map[string]position.Verb[*builder]{
	"seat":         position.Takes("<seat-N> <name> <character> <murderer|innocent>", (*builder).seat),
	"first":        position.Takes("<seat>", (*builder).first),
	"switch":       position.Takes("<name> <value>", (*builder).rule),
	"round":        position.Takes("<n>", (*builder).round),
	"phase":        position.Takes("<phase>", (*builder).phase),
	"active":       position.Takes("<seat>", (*builder).call),
	"hand":         position.Takes("<seat> [clue]...", (*builder).hand),
	"urn":          position.Takes("<seat> <clue>", (*builder).deposit),
	"place":        position.Takes("<place> [clue]...", (*builder).place),
	"fill":         position.Takes("<place> <count>", (*builder).fill),
	"pawn":         position.Takes("<seat> <place>", (*builder).pawn),
	"closed":       position.Takes("<place>...", (*builder).closed),
	"gone":         position.Takes("<clue>...", (*builder).gone),
	"destroyed":    position.Takes("<seat> <n>", (*builder).destroyed),
	"tokens":       position.Takes("<seat> <n>", (*builder).tokens),
	"dead":         position.Takes("<seat>...", (*builder).die),
	"investigated": position.Takes("<seat>...", (*builder).investigated),
	"unknown":      position.Takes("<place|hand|urn|role> <place|seat> [count]", (*builder).unknown),
	"claims":       position.Takes("<seat> <clue>...", (*builder).claim),
	"lost":         position.Takes("<count>", (*builder).lose),
}

// positionState makes the state of a position. Lines take effect in their order, except that fill comes
// last. Use the state only if there is no fault.
func (b *Book) build(p position.Position) (*state, *position.Fault) {
	q := &builder{s: b.lobby(), urn: map[engine.Seat]card{}, claims: map[engine.Seat]set{}}
	q.s.phase, q.s.round = investigation, 1
	f := position.Run(p.Last("fill"), verbs, q)
	if f == nil {
		f = q.finish(p)
	}
	return q.s, f
}

// parseSeat reads a seat where a player sits.
func (q *builder) known(word string) (engine.Seat, *position.Fault) {
	return position.Seat(word, q.s.seated)
}

func (q *builder) where(word string) (place, *position.Fault) {
	p, ok := q.s.book.places[word]
	if !ok {
		return 0, position.NotA(word, placeNoun, q.s.book.placeID[1:]...)
	}
	return p, nil
}

// parseClue reads a clue that no line has named before.
func (q *builder) clue(word string) (card, *position.Fault) {
	c, ok := q.s.book.cards[word]
	switch {
	case !ok:
		return 0, position.NotA(word, clueNoun, q.s.book.cardID[1:]...)
	case q.named.Has(c):
		return 0, position.Twice.Of(word)
	}
	q.named = q.named.With(c)
	return c, nil
}

func (q *builder) seat(w []string) *position.Fault {
	x, fault := position.Player(w[0], w[1], maxSeats, q.s.seated)
	f, ok := q.s.book.characters[w[2]]
	switch {
	case fault != nil:
		return fault
	case !ok:
		return position.NotA(w[2], characterNoun, q.s.book.characterID[1:]...)
	case q.s.played(f):
		return position.Twice.Of(w[2])
	case w[3] != Murderer && w[3] != Innocent:
		return position.NotA(w[3], roleNoun, Murderer, Innocent)
	}
	q.s.sit(x, w[1], player{who: f, at: q.s.book.start, tokens: 1})
	q.s.roles[x] = box.SealSmall(drew(roleNamed(w[3]), 0), box.Only(x))
	q.s.n++
	if q.s.first == 0 {
		q.s.first = x
	}
	return nil
}

func (q *builder) first(w []string) (err *position.Fault) {
	q.s.first, err = q.known(w[0])
	return err
}

func (q *builder) call(w []string) (err *position.Fault) {
	q.active, err = q.known(w[0])
	return err
}

func (q *builder) rule(w []string) *position.Fault {
	return position.Switch(w[0], w[1], switches, q.s.rules[:])
}

func (q *builder) round(w []string) *position.Fault {
	n, err := position.Number(w[0], 60)
	q.s.round = uint8(n)
	return err
}

func (q *builder) phase(w []string) *position.Fault {
	i := slices.Index(phaseNames[:], w[0])
	if i <= int(lobby) || i >= int(over) {
		return position.NotA(w[0], phaseNoun, phaseNames[lobby+1:over]...)
	}
	q.s.phase = phase(i)
	return nil
}

func (q *builder) hand(w []string) *position.Fault {
	x, err := q.known(w[0])
	if err != nil {
		return err
	}
	for _, word := range w[1:] {
		c, err := q.clue(word)
		if err != nil {
			return err
		}
		q.s.cards.Put(c, custody.HandOf(x), box.Only(x))
		q.s.seats[x].cards++
	}
	return nil
}

func (q *builder) deposit(w []string) *position.Fault {
	x, err := q.known(w[0])
	if err != nil {
		return err
	}
	c, err := q.clue(w[1])
	if _, twice := q.urn[x]; err == nil && twice {
		err = position.Twice.Of(w[0])
	}
	q.urn[x] = c
	return err
}

func (q *builder) place(w []string) *position.Fault {
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

func (q *builder) fill(w []string) *position.Fault {
	p, err := q.where(w[0])
	if err != nil {
		return err
	}
	n, err := position.Number(w[1], numCards)
	for c := card(1); c <= numCards && err == nil && int(q.s.rooms[p].cards) < n; c++ {
		if !q.named.Has(c) {
			q.named = q.named.With(c)
			q.s.lay(c, p)
		}
	}
	if err == nil && int(q.s.rooms[p].cards) < n {
		err = noneLeft.Of(w[0])
	}
	return err
}

func (q *builder) pawn(w []string) *position.Fault {
	x, err := q.known(w[0])
	if err == nil {
		q.s.seats[x].at, err = q.where(w[1])
	}
	return err
}

func (q *builder) closed(w []string) *position.Fault {
	for _, word := range w {
		p, err := q.where(word)
		if err != nil {
			return err
		}
		q.s.rooms[p].closed = true
	}
	return nil
}

func (q *builder) gone(w []string) *position.Fault {
	for _, word := range w {
		c, err := q.clue(word)
		if err != nil {
			return err
		}
		q.s.cards.Put(c, locGone, box.All)
	}
	return nil
}

func (q *builder) destroyed(w []string) *position.Fault {
	x, err := q.known(w[0])
	n, bad := position.Number(w[1], numCards)
	if err == nil {
		q.s.seats[x].destroyed, err = uint8(n), bad
	}
	return err
}

func (q *builder) tokens(w []string) *position.Fault {
	x, err := q.known(w[0])
	n, bad := position.Number(w[1], numCharacters)
	if err == nil {
		q.s.seats[x].tokens, err = uint8(n), bad
	}
	return err
}

func (q *builder) die(w []string) (err *position.Fault) {
	xs, err := position.Seats(w, q.s.seated)
	q.dead = append(q.dead, xs...)
	return err
}

func (q *builder) investigated(w []string) (err *position.Fault) {
	xs, err := position.Seats(w, q.s.seated)
	q.acted = append(q.acted, xs...)
	return err
}

// finishPosition applies what depends on all lines together, such as the phase.
func (q *builder) finish(lines position.Position) *position.Fault {
	s := q.s
	if s.n < minSeats {
		return lines.At(position.Players.Of(s.n, minSeats), "seat", "")
	}
	for _, x := range q.secret {
		s.roles[x] = box.Small[drawn]{}
	}
	for _, x := range q.dead {
		p := &s.seats[x]
		if p.cards > 0 {
			return lines.At(deadHolds.Of(x), "dead", x.String())
		}
		p.dead, p.at, p.tokens, p.done = true, 0, 0, true
		s.reveal(x)
	}
	for p := place(1); p <= numPlaces; p++ {
		if s.rooms[p].closed && (s.rooms[p].cards > 0 || s.standing(p) > 0) {
			return lines.At(closedFull.Of(s.book.placeID[p]), "closed", s.book.placeID[p])
		}
	}
	s.duel = s.alive() == 2
	for x, c := range q.urn {
		switch {
		case c == 0 && s.phase == recovery:
			return lines.At(openUrn.Of(x), "unknown", x.String())
		case c == 0:
		case s.phase == recovery:
			s.cards.Put(c, locShown, box.All)
			continue
		default:
			s.cards.Put(c, locUrn+loc(x), box.Only(x))
		}
		s.urn++
		s.seats[x].done = true
	}
	for _, x := range q.acted {
		s.seats[x].done = true
	}
	if f := q.settle(lines); f != nil {
		return f
	}
	return q.begin(lines)
}

// callActive calls the seat that is to act, or leaves that to resolveEvents.
func (q *builder) begin(lines position.Position) *position.Fault {
	s := q.s
	if s.phase < investigation {
		s.round = 0
	}
	if s.phase == roles {
		s.roles = [maxSeats + 1]box.Small[drawn]{}
		q.active = s.first
	}
	if s.phase == reveal {
		q.active = s.next(func(x engine.Seat) bool { return true })
		s.fresh()
	}
	s.opened = s.phase == recovery
	if s.phase > roles && !s.rolesRight() {
		return lines.At(oneMurderer.Of(), "seat", Murderer)
	}
	if q.active == 0 {
		return nil
	}
	if !s.living(q.active) || s.seats[q.active].done {
		return lines.At(position.Idle.Of(q.active), "active", "")
	}
	// The seats before the active one in table order have acted.
	s.inOrder(func(x engine.Seat) bool {
		if x != q.active {
			s.seats[x].done = true
		}
		return x != q.active
	})
	if s.phase == roles || s.phase == reveal {
		s.active = q.active
	} // else resolveEvents calls it
	return nil
}
