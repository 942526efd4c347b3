package cluedo

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"majordome/engine"
	"majordome/engine/board"
	"majordome/engine/internal/rules"
)

// cardKind is the kind of a card: the kind of clue that it names, or an event card.
type cardKind uint8

const (
	kindNone cardKind = iota
	kindSuspect
	kindWeapon
	kindRoom
	kindEvent
)

var cardKindNames = [...]engine.ID{"", "suspect", "weapon", "room", "event-card"}

// Limits of a box, by the sizes of the state.
const (
	maxSuspects = 10
	maxWeapons  = 9
	maxAreas    = 14
	maxCards    = 63
	maxSeats    = engine.MaxSeats
	maxMarks    = 32 // where a walk pauses on them
)

// Book is the rulebook of one edition with one deck. It is immutable except for its caches, which
// are not safe for concurrent use: its games have one caller, the table loop.
type Book struct {
	*edition
	deck        *Deck
	board       *board.Board // nil: moves are declared and believed
	names       engine.Names
	cardID      []string    // by card; "" for no card
	engineID    []engine.ID // the same
	cardByID    map[string]card
	eventKindOf []string // kind of each event card, by card
	clues       []*clue  // of the event cards, from the first one on
	// firstCard and lastCard are the first and the last card of each kind.
	firstCard, lastCard [kindEvent + 1]card
	areaID              []string // by area; areaID[0] is ""
	areaByID            map[string]area
	pool                area // zero: none
	passageTo           [maxAreas + 1]area
	passagePairs        [][2]engine.ID           // the passages, each once
	stopRules           map[engine.ID]board.Stay // how a walk stops in each area
	marks               []board.Square           // the marked squares of the board
	// Caches: a move is offered and decided by the same goals. They belong to this edition and
	// board; a copy with others needs its own.
	goalMemo        *memo[goalKey, goals]
	freeSquaresMemo *memo[pawnPlacement, []string]
	suspectPower    [maxSuspects + 1]string
	rolls           []engine.Param // "2+5", every unordered pair of faces
}

var _ engine.Rulebook = (*Book)(nil)

// New makes the rulebook of a deck from ParseDeck.
func New(d *Deck) (*Book, error) {
	if d == nil || d.edition == nil || d.edition.Game != d.Game {
		return nil, errors.New("cluedo: new: not a deck of a Cluedo")
	}
	areas := len(d.Rooms) + len(d.Places)
	if d.Pool.ID != "" {
		areas++
	}
	cards := len(d.Suspects) + len(d.Weapons) + len(d.Rooms) + len(d.Events)
	if cards > maxCards || len(d.Suspects) > maxSuspects || len(d.Weapons) > maxWeapons || areas > maxAreas {
		return nil, errors.New("cluedo: new: the box is larger than the rules are made for")
	}
	b := &Book{edition: d.edition, deck: d, board: d.Board, cardID: []string{""}, engineID: []engine.ID{""},
		eventKindOf: []string{""}, areaID: []string{""},
		cardByID: map[string]card{}, areaByID: map[string]area{}, goalMemo: &memo[goalKey, goals]{},
		freeSquaresMemo: &memo[pawnPlacement, []string]{}, stopRules: map[engine.ID]board.Stay{}}
	b.names = append(b.names, engine.Name{ID: d.Game, Kind: "game", Text: b.edition.Name.text(), Plan: b.boardPlan()})
	for i, s := range d.Suspects {
		b.addCard(kindSuspect, s.ID, engine.T(s.FR, s.EN), "")
		b.suspectPower[i+1] = s.Power
		if s.Power != "" {
			b.names[len(b.names)-1].Of = engine.ID("power-" + s.Power)
		}
	}
	for _, w := range d.Weapons {
		b.addCard(kindWeapon, w.ID, w.Text(), "")
	}
	for _, r := range d.Rooms {
		b.addCard(kindRoom, r.ID, engine.T(r.FR, r.EN), "")
		b.addArea(r.ID)
	}
	for _, p := range d.Places {
		b.addArea(p.ID)
		b.names = append(b.names, engine.Name{ID: p.ID, Kind: "area", Text: engine.T(p.FR, p.EN)})
	}
	if d.Pool.ID != "" {
		b.addArea(d.Pool.ID)
		b.pool = area(len(b.areaID) - 1)
		b.names = append(b.names, engine.Name{ID: d.Pool.ID, Kind: "pool", Text: d.Pool.Text()})
	}
	for i, r := range slices.Concat(d.Rooms, d.Places) {
		b.passageTo[i+1] = b.areaByID[string(r.Passage)]
		if int(b.passageTo[i+1]) > i+1 {
			b.passagePairs = append(b.passagePairs, [2]engine.ID{r.ID, r.Passage})
		}
		b.stopRules[r.ID] = r.Stay
	}
	if b.board != nil {
		b.marks = b.board.MarkedSquares()
	}
	for _, e := range d.Events {
		b.clues = append(b.clues, b.newClue(&e))
		b.addCard(kindEvent, e.ID, engine.T(e.FR, e.EN), e.Kind)
	}
	b.addNamesAndRolls()
	return b, nil
}

func (b *Book) addCard(k cardKind, id engine.ID, t engine.Text, event string) {
	c := card(len(b.cardID))
	b.cardID, b.engineID, b.eventKindOf = append(b.cardID, string(id)), append(b.engineID, id), append(b.eventKindOf, event)
	b.cardByID[string(id)] = c
	if b.firstCard[k] == 0 {
		b.firstCard[k] = c
	}
	b.lastCard[k] = c
	name := engine.Name{ID: id, Kind: cardKindNames[k], Text: t}
	switch event {
	case "":
	case EventTime:
		name.Kind = "time-card"
	default:
		if clueActionOf(event) != nil {
			does := b.deck.Events[c-b.firstCard[k]].clueEffect()
			name.Kind, name.Does = "clue-card", &does
			break
		}
		name.Kind, name.Of = "butler-card", engine.ID("event-"+event)
	}
	b.names = append(b.names, name)
}

func (b *Book) addArea(id engine.ID) {
	b.areaByID[string(id)] = area(len(b.areaID))
	b.areaID = append(b.areaID, string(id))
}

func (b *Book) addNamesAndRolls() {
	for _, key := range slices.Sorted(maps.Keys(b.Sentences)) {
		b.names = append(b.names, engine.Name{ID: engine.ID(key), Kind: "sentence", Text: b.Sentences[key].text()})
	}
	b.addPresetNames()
	for i, s := range b.Switches {
		b.names = append(b.names, engine.Name{ID: engine.ID(s.ID), Kind: "switch", Of: engine.ID(s.Rule),
			Text: engine.T(s.FR, s.EN), Within: b.switchOfPresetsFor(i)})
		for v, value := range s.Values {
			b.names = append(b.names, engine.Name{ID: value.ID, Kind: "value", Of: engine.ID(s.ID), Text: value.Text(),
				Default: int(b.deck.defaults[i]) == v})
		}
	}
	if b.hasClueCards() {
		b.names = append(b.names, engine.Name{ID: magnifier, Kind: "die-face", Text: engine.T("loupe", "magnifier")})
	}
	var rolls []string
	for i, x := range b.deck.Faces {
		for _, y := range b.deck.Faces[i:] {
			rolls = append(rolls, formatRoll(min(x, y), max(x, y)))
		}
	}
	slices.Sort(rolls)
	b.rolls = []engine.Param{{Name: "dice", Kind: "dice", Domain: slices.Compact(rolls)}}
}

// magnifier is the sign on the face that draws a clue card, in place of the question mark.
const magnifier = "magnifier"

// rollForSentence returns a roll for use in a sentence.
func (b *Book) rollForSentence(dice [2]uint8) string {
	text := formatRoll(int(dice[0]), int(dice[1]))
	if b.hasClueCards() {
		return strings.ReplaceAll(strings.ReplaceAll(text, "?", magnifier), "+", ",")
	}
	return text
}

// formatRoll returns a roll as it is declared: the lower die first, "?" for the face that draws a
// card.
func formatRoll(x, y int) string {
	face := func(n int) string {
		if n == 0 {
			return "?"
		}
		return string(rune('0' + n))
	}
	return face(x) + "+" + face(y)
}

// parseRoll reads what formatRoll writes, in either order; ok is false for a roll that these dice
// cannot show.
func (b *Book) parseRoll(text string) (dice [2]uint8, ok bool) {
	if len(text) != 3 || text[1] != '+' {
		return dice, false
	}
	for i, ch := range []byte{text[0], text[2]} {
		n := int(ch) - '0'
		if ch == '?' {
			n = 0
		}
		if !slices.Contains(b.deck.Faces, n) || ch == '0' {
			return dice, false
		}
		dice[i] = uint8(n)
	}
	return dice, true
}

// ID returns the id of the edition.
func (b *Book) ID() engine.ID { return b.Game }

// Names returns the names in deck order.
func (b *Book) Names() engine.Names { return slices.Clone(b.names) }

// boardPlan returns the board for pages that draw it.
func (b *Book) boardPlan() *engine.Plan {
	p := &engine.Plan{Passages: map[engine.ID]engine.ID{},
		Spies: b.walkPolicyUnder(b.switchTable.ActiveValues(b.deck.defaults[:])).Marks == board.MarksPause}
	for _, r := range slices.Concat(b.deck.Rooms, b.deck.Places) {
		if r.Passage != "" {
			p.Passages[r.ID] = r.Passage
		}
	}
	if b.board != nil {
		d := b.deck.Drawing
		p.Rows, p.Legend, p.Starts, p.Diagonals = b.board.DrawingRows(), d.Legend, d.Starts, d.Diagonals
	}
	return p
}

func (b *Book) kindOf(c card) cardKind {
	for k := kindSuspect; k <= kindEvent; k++ {
		if c >= b.firstCard[k] && c <= b.lastCard[k] {
			return k
		}
	}
	return kindNone
}

// cardsOfKind returns the cards of a kind; a box may have no event cards.
func (b *Book) cardsOfKind(k cardKind) set {
	if b.firstCard[k] == 0 {
		return 0
	}
	return cardRange(b.firstCard[k], b.lastCard[k])
}

// hasEventCards reports whether there are event cards, hasHeldCards whether they go into hands or
// on a track, and hasClueCards whether they are clue cards.
func (b *Book) hasEventCards() bool { return len(b.deck.Events) > 0 }
func (b *Book) hasHeldCards() bool  { return b.hasEventCards() && b.edition.hasHeldCards() }
func (b *Book) hasClueCards() bool  { return b.hasEventCards() && !b.edition.hasHeldCards() }

// hasInterruptions reports whether anything may be played out of turn, so that others wait for it.
func (b *Book) hasInterruptions() bool { return b.hasHeldCards() || len(b.Powers) > 0 }

func (b *Book) startPosition(who uint8) pos {
	if a := b.areaByID[string(b.deck.Start)]; a != 0 {
		return pos{area: a}
	}
	if b.board != nil {
		at, _ := b.board.StartSquare(engine.ID(b.cardID[who]))
		return positionOfSquare(at)
	}
	return pos{kind: onStart}
}

// mysteryCards returns the suspects, weapons and rooms.
func (b *Book) mysteryCards() set { return cardRange(1, b.lastCard[kindRoom]) }

// isRoom reports whether an area has a card: hypotheses are made there.
func (b *Book) isRoom(a area) bool { return a != 0 && int(a) <= len(b.deck.Rooms) }

// cardOfRoom returns the card of a room; other areas have none.
func (b *Book) cardOfRoom(a area) card { return b.firstCard[kindRoom] + card(a) - 1 }

// roomOf returns the room of a room card.
func (b *Book) roomOf(c card) area { return area(c - b.firstCard[kindRoom] + 1) }

func (b *Book) tokenNumber(weapon card) int { return int(weapon-b.firstCard[kindWeapon]) + 1 }

// cardIDs returns the ids of a set in deck order; callers must not change it.
func (b *Book) cardIDs(x set) []string {
	return rules.ListIDs(b.cardID, uint64(x))
}

// areaIDs returns the ids of areas in deck order; callers must not change it.
func (b *Book) areaIDs(x areas) []string { return rules.ListIDs(b.areaID, uint64(x)&^1) }

func (b *Book) cardEngineIDs(x uint64) []engine.ID { return rules.ListIDs(b.engineID, x) }
