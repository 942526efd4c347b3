package cluedo

import (
	"slices"

	"majordome/engine"
	"majordome/engine/internal/custody"
	"majordome/engine/internal/hidden"
	"majordome/engine/internal/position"
	"majordome/engine/internal/rules"
)

// BuildPosition builds any position of a turn. Verbs, one a line:
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
func (b *Book) BuildPosition(lines []engine.PositionLine) ([]engine.Event, error) {
	p := position.FromScript(lines)
	if _, f := b.positionState(p); f != nil {
		return nil, f
	}
	_, evs := b.newLobby().applyWithConsequences(0, []*event{{kind: evPosition, position: hidden.New(p, hidden.Nobody)}})
	return evs, nil
}

func (s *state) applyPosition(e *event) {
	p, _ := e.position.Open()
	t, err := s.book.positionState(p)
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
var absentKind = position.FaultKind{What: engine.T("ce jeu n’a pas de {1}", "this game has no {1}"),
	Hint: engine.T("enlevez cette ligne given", "take this given line out")}

var (
	poolThing   = engine.T("piscine", "pool")
	hiddenThing = engine.T("cartes cachées dans des pièces", "cards hidden in rooms")
	timeThing   = engine.T("cartes Temps", "Time cards")
	drawThing   = engine.T("cartes à tirer", "cards to draw")
	powerThing  = engine.T("Pouvoirs", "Powers")
)

// positionBuilder collects a position.
type positionBuilder struct {
	built         *state
	firstSeat     engine.Seat
	murderedSeats []engine.Seat
	usedCards     set
}

var positionVerbs = map[string]position.Verb[*positionBuilder]{
	"seat":     position.NewVerb("<seat-N> <name> <suspect>", (*positionBuilder).addSeat),
	"switch":   position.NewVerb("<name> <value>", (*positionBuilder).setRule),
	"board":    position.NewVerb("<off>", (*positionBuilder).removeBoard),
	"envelope": position.NewVerb("<suspect> <weapon> <room>", (*positionBuilder).fillEnvelope),
	"hand":     position.NewVerb("<seat> [card]...", (*positionBuilder).fillHand),
	"pool":     position.NewVerb("<card>...", (*positionBuilder).fillPool),
	"hidden":   position.NewVerb("<card|unnamed> <room>", (*positionBuilder).hideCard),
	"deal":     position.NewVerb("<seat> <n>", (*positionBuilder).dealUnknown),
	"pawn":     position.NewVerb("<suspect> <place>", (*positionBuilder).placePawn),
	"token":    position.NewVerb("<weapon> <room>", (*positionBuilder).placeToken),
	"brought":  position.NewVerb("<seat>...", (*positionBuilder).markDisplaced),
	"track":    position.NewVerb("<n>", (*positionBuilder).fillTrack),
	"pile":     position.NewVerb("<card>...", (*positionBuilder).fillPile),
	"gone":     position.NewVerb("<card>...", (*positionBuilder).removeCards),
	"spent":    position.NewVerb("<seat>...", (*positionBuilder).markSpent),
	"wrong":    position.NewVerb("<seat>...", (*positionBuilder).markWrong),
	"murdered": position.NewVerb("<seat>...", (*positionBuilder).markMurdered),
	"active":   position.NewVerb("<seat>", (*positionBuilder).setActive),
	"cards":    position.NewVerb("", (*positionBuilder).useRealCards),
}

// positionState makes the state of a position. Use it only if there is no fault.
func (b *Book) positionState(p position.Position) (*state, *position.Fault) {
	q := &positionBuilder{built: b.newLobby()}
	q.built.virtual = true
	f := position.ApplyLines(p, positionVerbs, q)
	if f == nil {
		f = q.finishPosition(p)
	}
	return q.built, f
}

func (q *positionBuilder) parseSeat(word string) (engine.Seat, *position.Fault) {
	return position.ParseSeat(word, q.built.isSeated)
}

// cardParser returns the function that reads a mystery card, or an event card, that no line has
// named before.
func (q *positionBuilder) cardParser(mystery bool) func(string) (card, *position.Fault) {
	b, from, to := q.built.book, kindSuspect, kindRoom
	if !mystery {
		from, to = kindEvent, kindEvent
	}
	return func(word string) (card, *position.Fault) {
		c, ok := b.cardByID[word]
		switch {
		case !ok || b.mysteryCards().Contains(c) != mystery:
			return 0, b.notACardFault(word, cardNoun, from, to)
		case q.usedCards.Contains(c):
			return 0, position.Duplicate.NewFault(word)
		}
		q.usedCards = q.usedCards.WithCard(c)
		return c, nil
	}
}

func (b *Book) notACardFault(word string, noun engine.Text, from, to cardKind) *position.Fault {
	return position.NotOneOfFault(word, noun, b.cardID[b.firstCard[from]:b.lastCard[to]+1]...)
}

func (q *positionBuilder) addSeat(w []string) *position.Fault {
	x, f := position.ParsePlayer(w[0], w[1], maxSeats, q.built.isSeated)
	who := q.built.book.cardByID[w[2]]
	switch {
	case f != nil:
		return f
	case q.built.book.kindOf(who) != kindSuspect:
		return q.built.book.notACardFault(w[2], suspectNoun, kindSuspect, kindSuspect)
	case q.built.seatPlaying(uint8(who)) != 0:
		return position.Duplicate.NewFault(w[2])
	}
	q.built.setPlayer(x, w[1], uint8(who))
	if q.firstSeat == 0 {
		q.firstSeat = x
	}
	return nil
}

func (q *positionBuilder) setRule(w []string) *position.Fault {
	if ids := q.built.book.presetIDs(); w[0] == presetSwitch && len(ids) > 0 {
		var chosen [1]uint8
		fault := position.ParseAndSetSwitch(w[0], w[1], rules.Switches{{ID: presetSwitch, Values: ids}}, chosen[:])
		q.built.setPreset(&q.built.book.Presets[chosen[0]])
		return fault
	}
	return position.ParseAndSetSwitch(w[0], w[1], q.built.book.switchTable, q.built.rules[:])
}

func (q *positionBuilder) removeBoard(w []string) *position.Fault {
	if w[0] != "off" {
		return position.NotOneOfFault(w[0], offNoun, "off")
	}
	plain := *q.built.book
	plain.board = nil
	q.built.book = &plain
	for who := range q.built.pawns {
		q.built.pawns[who] = plain.startPosition(uint8(who))
	}
	return nil
}

// placeCards puts the cards of a line at a location.
func (q *positionBuilder) placeCards(words []string, isMystery bool, l loc, aud hidden.Audience) *position.Fault {
	return position.ParseEach(words, q.cardParser(isMystery), func(c card) { q.built.cards.RecordCard(c, l, aud) })
}

func (q *positionBuilder) fillEnvelope(w []string) *position.Fault {
	return q.placeCards(w, true, locEnvelope, hidden.Nobody)
}
func (q *positionBuilder) fillPool(w []string) *position.Fault {
	if q.built.book.pool == 0 {
		return absentKind.NewFault(poolThing)
	}
	return q.placeCards(w, true, locBoard+loc(q.built.book.pool), hidden.Nobody)
}

func (q *positionBuilder) hideCard(w []string) *position.Fault {
	if !q.built.book.hasHiddenCards() {
		return absentKind.NewFault(hiddenThing)
	}
	a := q.built.book.areaByID[w[1]]
	if !q.built.book.isRoom(a) {
		return position.NotOneOfFault(w[1], roomNoun, q.built.book.areaID[1:]...)
	}
	q.built.faceDownCount[a]++
	if w[0] == engine.Unnamed {
		return nil
	}
	return q.placeCards(w[:1], true, locBoard+loc(a), hidden.Nobody)
}

func (q *positionBuilder) removeCards(w []string) *position.Fault {
	if q.built.book.cardsOfKind(kindEvent) == 0 {
		return absentKind.NewFault(drawThing)
	}
	return position.ParseEach(w, q.cardParser(false), func(c card) { q.built.removeEventCard(c, hidden.Everyone) })
}

func (q *positionBuilder) fillHand(w []string) *position.Fault {
	x, err := q.parseSeat(w[0])
	for _, word := range w[1:] {
		var c card
		if err != nil {
			break
		}
		if c = q.built.book.cardByID[word]; q.built.book.kindOf(c) == kindEvent {
			q.built.seats[x].butlers++
		} else {
			q.built.seats[x].cards++
		}
		err = q.placeCards([]string{word}, q.built.book.kindOf(c) != kindEvent, custody.HandOf(x), hidden.OnlySeats(x))
	}
	return err
}

func (q *positionBuilder) dealUnknown(w []string) *position.Fault {
	x, err := q.parseSeat(w[0])
	if err != nil {
		return err
	}
	n, err := position.ParseNumber(w[1], maxCards)
	q.built.seats[x].cards += uint8(n)
	return err
}

func (q *positionBuilder) placePawn(w []string) *position.Fault {
	who := q.built.book.cardByID[w[0]]
	p, ok := q.built.book.parsePawnPlace(w[1])
	switch {
	case q.built.book.kindOf(who) != kindSuspect:
		return q.built.book.notACardFault(w[0], suspectNoun, kindSuspect, kindSuspect)
	case !ok:
		return position.NotOneOfFault(w[1], whereNoun,
			append(slices.Clone(q.built.book.areaID[1:]), "start", toCorridor, toQuestion, "7,4")...)
	case p.kind == onStart:
		q.built.sendPawnHome(uint8(who)) // on a board, start is a square
		return nil
	}
	q.built.pawns[who] = p
	return nil
}

func (q *positionBuilder) placeToken(w []string) *position.Fault {
	c, a := q.built.book.cardByID[w[0]], q.built.book.areaByID[w[1]]
	switch {
	case q.built.book.kindOf(c) != kindWeapon:
		return q.built.book.notACardFault(w[0], weaponNoun, kindWeapon, kindWeapon)
	case a == 0:
		return position.NotOneOfFault(w[1], roomNoun, q.built.book.areaID[1:]...)
	}
	q.built.tokens[q.built.book.tokenNumber(c)] = a
	return nil
}

func (q *positionBuilder) changePlayers(w []string, f func(*player)) *position.Fault {
	return position.ParseEach(w, q.parseSeat, func(x engine.Seat) { f(&q.built.seats[x]) })
}

func (q *positionBuilder) markDisplaced(w []string) *position.Fault {
	return q.changePlayers(w, func(p *player) { p.displaced = true })
}
func (q *positionBuilder) markSpent(w []string) *position.Fault {
	if len(q.built.book.Powers) == 0 {
		return absentKind.NewFault(powerThing)
	}
	return q.changePlayers(w, func(p *player) { p.powerSpent = true })
}
func (q *positionBuilder) markWrong(w []string) *position.Fault {
	return q.changePlayers(w, func(p *player) { p.accusedWrongly = true })
}

func (q *positionBuilder) markMurdered(w []string) *position.Fault {
	return position.ParseEach(w, q.parseSeat, func(x engine.Seat) { q.murderedSeats = append(q.murderedSeats, x) })
}

func (q *positionBuilder) setActive(w []string) (err *position.Fault) {
	q.firstSeat, err = q.parseSeat(w[0])
	return err
}

func (q *positionBuilder) useRealCards([]string) *position.Fault {
	q.built.virtual = false
	return nil
}

func (q *positionBuilder) allTimeCards() set {
	return q.built.book.eventCardsOfKind(q.built.book.cardsOfKind(kindEvent), EventTime)
}

func (q *positionBuilder) fillTrack(w []string) *position.Fault {
	if q.allTimeCards() == 0 {
		return absentKind.NewFault(timeThing)
	}
	n, err := position.ParseNumber(w[0], q.allTimeCards().Count()-1)
	for x := q.allTimeCards(); n > 0; n-- {
		q.built.cards.RecordCard(x.First(), locTrack, hidden.Everyone)
		q.usedCards = q.usedCards.WithCard(x.First())
		q.built.track++
		x &= x - 1
	}
	return err
}

func (q *positionBuilder) fillPile(w []string) *position.Fault {
	if q.built.book.cardsOfKind(kindEvent) == 0 {
		return absentKind.NewFault(drawThing)
	}
	if err := q.placeCards(w, false, locPile, hidden.Nobody); err != nil {
		return err
	}
	for c := q.built.book.firstCard[kindEvent]; c <= q.built.book.lastCard[kindEvent]; c++ {
		switch {
		case q.usedCards.Contains(c):
		case q.built.book.hasClueCards(): // it is under them
			q.built.putClueUnderPile(c)
		default:
			q.built.removeEventCard(c, hidden.Everyone)
		}
	}
	return nil
}

func (q *positionBuilder) finishPosition(lines position.Position) *position.Fault {
	s := q.built
	if n := s.playerCount(); n < s.minPlayers() {
		return lines.LocateFault(position.TooFewPlayers.NewFault(n, s.minPlayers()), "seat", "")
	}
	if s.policyValue(polDeal) == "equal" {
		_, s.faceDownCount[s.book.pool] = s.cardsEachAndLeftOver()
	}
	for x := engine.Seat(1); x <= maxSeats; x++ {
		s.seats[x].cardsPresented, s.seats[x].butlersNamed = uint8(
			(s.cards.RecordedOrClaimed(x) & s.book.mysteryCards()).Count(),
		), s.seats[x].butlers
	}
	for w := range s.tokens {
		if s.tokens[w] == 0 { // no line names it
			s.tokens[w] = s.weaponStartArea()
		}
	}
	s.envelopeCards = uint8(s.recordedKnowledge().knownEnvelope().Count())
	for _, x := range q.murderedSeats {
		s.murderSeat(x)
	}
	s.phase = turn
	if !s.hasTurns(q.firstSeat) {
		return lines.LocateFault(position.CannotAct.NewFault(q.firstSeat), "active", "")
	}
	s.applyTurn(&event{seat: q.firstSeat, n: 1})
	s.firstSeat = q.firstSeat
	return nil
}
