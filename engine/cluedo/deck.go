package cluedo

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"majordome/engine"
	"majordome/engine/board"
	"majordome/engine/deck"
	"majordome/engine/ownfile"
)

// Suspect is a character of a Cluedo; Power is the kind of its Power, where the edition has some.
type Suspect struct {
	ID    engine.ID `yaml:"id"`
	FR    string    `yaml:"fr"`
	EN    string    `yaml:"en"`
	Power string    `yaml:"power"`
	// Colour is the colour of its pawn, one of engine.Colours. All suspects of a deck have one, or
	// none has.
	Colour string `yaml:"colour"`
}

// Room is a room, or another area of the board without a card (Deck.Places). Passage is the area
// that its secret passage leads to.
type Room struct {
	ID      engine.ID `yaml:"id"`
	FR      string    `yaml:"fr"`
	EN      string    `yaml:"en"`
	Passage engine.ID `yaml:"passage"`
	// Stay says how a walk may stop in an area without a card; empty: as in a room.
	Stay board.Stay `yaml:"stay,omitempty"`
}

// EventCard is a card of the Intrigue pile.
type EventCard struct {
	ID   engine.ID `yaml:"id"`
	FR   string    `yaml:"fr"`
	EN   string    `yaml:"en"`
	Kind string    `yaml:"kind"` // EventTime, a kind of Butler card (butlers), or an action of a clue card (clueActions)
	// For a clue card that has a card shown: the seats that show it, the card, and its viewers.
	Who  string `yaml:"who,omitempty"`
	What string `yaml:"what,omitempty"`
	To   string `yaml:"to,omitempty"`
}

// EventTime is the kind of the Time cards, which bring the night closer.
const EventTime = "time"

// BoardText is the drawing of a board as its owner writes it; see package board.
type BoardText struct {
	// Checked is false while the drawing has not been compared with the real board.
	Checked   bool                 `yaml:"checked"`
	Legend    map[string]engine.ID `yaml:"legend"`
	Starts    map[engine.ID]string `yaml:"starts"`
	Diagonals map[engine.ID]string `yaml:"diagonals"`
	Grid      []string             `yaml:"grid"`
}

// Deck is the checked content of a Cluedo box. It does not change after ParseDeck.
type Deck struct {
	Game engine.ID `yaml:"game"`
	// Edition is the game's own edition, for a game without a built-in one; see parseOwnEdition.
	Edition *ownfile.RawPart `yaml:"edition,omitempty"`
	// AnswerDelay is the time before an answer takes effect, in milliseconds, 500 to 60000
	// (C8-158).
	AnswerDelay int `yaml:"answer-delay"`
	// Window is the time in which others may interrupt, in milliseconds, 500 to 60000; from 0 where
	// nothing can be played out of turn (C8-035).
	Window int `yaml:"window"`
	// Pause is the time for a displaced seat to draw, and for the active seat to play its cards at
	// the end of a turn, in milliseconds up to 60000; 0: until they say that they are done
	// (C8-035).
	Pause    int          `yaml:"pause"`
	Faces    []int        `yaml:"die-faces"` // six faces; 0: the face that draws a card
	Suspects []Suspect    `yaml:"suspects"`
	Weapons  []deck.Named `yaml:"weapons"`
	Rooms    []Room       `yaml:"rooms"`
	// Places are the areas of the board without a card; no hypothesis is made there.
	Places []Room `yaml:"places,omitempty"`
	// Start is the area where all pawns begin; empty: each begins on its start square.
	Start engine.ID `yaml:"start,omitempty"`
	// Pool is the area for the cards that an equal deal leaves over.
	Pool   deck.Named  `yaml:"pool"`
	Events []EventCard `yaml:"event-cards"`
	// Without lists cards to leave out of the lists inherited from the parent edition's deck.
	Without []engine.ID `yaml:"without,omitempty"`
	Drawing *BoardText  `yaml:"board"`
	// Preset and Rules are the house rules until the table changes them: a preset of the edition
	// (empty: the first values), then the house rules that differ from it.
	Preset engine.ID         `yaml:"preset,omitempty"`
	Rules  map[string]string `yaml:"rules,omitempty"`
	// Players are the suspects of a demonstration; empty: the first ones.
	Players []engine.ID `yaml:"cast,omitempty"`
	// Board is the checked drawing; nil without one.
	Board *board.Board `yaml:"-"`

	edition     *edition             // the edition of Game
	defaults    [maxSwitches]uint8   // the values of the switches by Preset and Rules
	namingRules map[engine.ID]string // for a card without a name in the deck: the house rule that names it
}

//go:embed *.yaml
var deckFiles embed.FS

// DefaultDeck returns the deck of a game as it comes with the program. It panics on an unknown
// game.
func DefaultDeck(game engine.ID) *Deck {
	d, err := ParseDeck(string(game)+".yaml", DefaultYAML(game))
	if err != nil {
		panic("cluedo: the embedded default is broken: " + err.Error())
	}
	return d
}

// DefaultYAML returns the text of that deck, for the owner to copy and edit. It panics on an
// unknown game.
func DefaultYAML(game engine.ID) []byte {
	text, err := fs.ReadFile(deckFiles, string(game)+".yaml")
	if err != nil {
		panic("cluedo: no default deck: " + err.Error())
	}
	return text
}

// ParseDeck reads and checks a deck. name is the file's name, for messages. The error is an
// ownfile.Faults with all findings.
func ParseDeck(name string, data []byte) (*Deck, error) {
	d := new(Deck)
	c := deckChecker{deck.Parse(name, data, d), loadEdition(d.Game)}
	c.CheckID("$.game", d.Game)
	if d.Edition != nil {
		c.edition = parseOwnEdition(c.Checker, d)
	} else if c.edition == nil {
		c.Checker.CheckGame(d.Game, Editions()...)
	}
	if len(d.Without) > 0 && c.edition != nil {
		c.AddFaultUnlessEmpty("$.without", engine.T("des cartes enlevées d’un jeu qui en a un nombre fixe",
			"cards taken out of a game that has a fixed number of them"),
			engine.T("donnez-lui une édition à lui : majordome new-edition", "give it an edition of its own: majordome new-edition"))
	}
	if d.edition = c.edition; d.edition == nil { // the rest cannot be checked without an edition
		return nil, c.Err()
	}
	for _, part := range []func(*Deck){c.checkHouseRules, c.checkTimesAndDice, c.checkMysteryCards, c.checkEventCards, c.checkBoard} {
		part(d)
	}
	if err := c.Err(); err != nil {
		return nil, err
	}
	b, err := New(d)
	if err == nil {
		c.checkNamesSize(b)
		err = c.Err()
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// checkNamesSize reports a deck with more names and sentences than one message can carry: the pages
// would get none of them.
func (c deckChecker) checkNamesSize(b *Book) {
	names := b.NamesUnder(b.longestNameValues())
	if text, _ := json.Marshal(append(names, engine.NamesOfPawns(names)...)); len(text) > engine.MaxNames {
		c.AddFaultUnlessEmpty("$.edition", engine.Tf("%d octets de noms et de phrases", "%d bytes of names and sentences", len(text)),
			engine.Tf(
				"%d au plus pour tout le fichier, un signe comme < ou & en valant six : raccourcissez des phrases, ou enlevez-en",
				"at most %d for the whole file, where a sign such as < or & counts as six: shorten sentences, or take some out",
				engine.MaxNames))
	}
}

// deckChecker collects all findings about a deck: everything that the rules could not play.
type deckChecker struct {
	*deck.Checker
	*edition // the edition of the deck
}

func (c deckChecker) checkHouseRules(d *Deck) {
	if p := c.findPresetByID(d.Preset); p != nil {
		d.defaults = p.values
	} else if d.Preset != "" {
		c.CheckWord("$.preset", string(d.Preset), c.presetIDs(), "manière de jouer inconnue", "unknown preset")
	}
	for i, v := range c.parseSwitches(c.Checker, "$.rules", d.Rules) {
		d.defaults[i] = v
	}
	c.applyRuleNames(d)
}

// minWindow is the shortest time, in milliseconds, in which a player can react: with less, no
// see-card and no no-answer could ever be played.
const minWindow = 500

// checkTimesAndDice checks the times, in milliseconds, and the faces of the die.
func (c deckChecker) checkTimesAndDice(d *Deck) {
	window := 0 // nothing can be played out of turn
	if len(c.Events)+len(c.Powers) > 0 {
		window = minWindow
	}
	for _, t := range []struct {
		key       string
		ms, least int
	}{{"answer-delay", d.AnswerDelay, minWindow}, {"window", d.Window, window}, {"pause", d.Pause, 0}} {
		if t.ms < t.least || t.ms > 60_000 {
			c.AddFaultUnlessEmpty("$."+t.key, engine.Tf("%s : durée hors limites", "%s: time out of range", t.key),
				engine.Tf("de %d à 60000 millisecondes", "%d to 60000 milliseconds", t.least))
		}
	}
	if len(d.Faces) != 6 {
		c.AddFaultUnlessEmpty(
			"$.die-faces",
			engine.Tf("%d faces de dé", "%d faces of a die", len(d.Faces)),
			engine.T("un dé en a six", "a die has six"),
		)
	}
	for i, f := range d.Faces {
		if f == 0 && len(d.Events) == 0 {
			c.AddFaultUnlessEmpty(fmt.Sprintf("$.die-faces[%d]", i),
				engine.T("une face qui fait tirer une carte", "a face that draws a card"),
				engine.T("ce jeu n’a pas de cartes à tirer : 1 à 6", "this game has no cards to draw: 1 to 6"))
		}
		if f < 0 || f > 6 {
			c.AddFaultUnlessEmpty(fmt.Sprintf("$.die-faces[%d]", i), engine.Tf("face « %d »", "face %d", f),
				engine.T("1 à 6, ou 0 pour la face qui fait tirer une carte", "1 to 6, or 0 for the face that draws a card"))
		}
	}
	if len(d.Faces) > 0 && slices.Max(d.Faces) == 0 {
		c.AddFaultUnlessEmpty("$.die-faces", engine.T("un dé sans points", "a die without points"),
			engine.T("donnez des points, de 1 à 6, à une face au moins", "give at least one face points, 1 to 6"))
	}
}

// checkColours reports the first pawn colour that is unknown or used twice.
func (c deckChecker) checkColours(d *Deck) {
	seen := map[string]bool{}
	for _, s := range d.Suspects {
		seen[s.Colour] = true
	}
	if len(seen) == 1 && seen[""] {
		return
	}
	clear(seen)
	for i, s := range d.Suspects {
		path := fmt.Sprintf("$.suspects[%d].colour", i)
		switch {
		case !slices.Contains(engine.Colours[:], s.Colour):
			c.CheckWord(path, s.Colour, engine.Colours[:], "couleur inconnue", "unknown colour")
			return
		case seen[s.Colour]:
			c.AddFaultUnlessEmpty(path, engine.Tf("deux pions « %s »", "two pawns %q", ownfile.ClipQuote(s.Colour)),
				engine.T("une couleur par suspect, ou aucune", "one colour each, or none at all"))
			return
		}
		seen[s.Colour] = true
	}
}

func (c deckChecker) checkMysteryCards(d *Deck) {
	c.CheckCount("$.suspects", len(d.Suspects), c.Sizes.Suspects, "suspects", "suspects")
	c.CheckCount("$.weapons", len(d.Weapons), c.Sizes.Weapons, "armes", "weapons")
	c.CheckCount("$.rooms", len(d.Rooms), c.Sizes.Rooms, "pièces", "rooms")
	c.CheckCount("$.places", len(d.Places), c.Sizes.Places, "lieux sans carte", "places without a card")
	for i, s := range d.Suspects {
		path := fmt.Sprintf("$.suspects[%d]", i)
		c.CheckNamed(path, deck.Named{ID: s.ID, FR: s.FR, EN: s.EN})
		switch {
		case s.Power == "" && d.Edition != nil: // a suspect without a Power
		case len(c.Powers) > 0:
			c.CheckWord(path+".power", s.Power, slices.Sorted(maps.Keys(c.Powers)), "pouvoir inconnu", "unknown power")
		case s.Power != "":
			c.AddFaultUnlessEmpty(path+".power", engine.T("un pouvoir", "a power"),
				engine.T("ce jeu n’en a pas : enlevez cette clé", "this game has none: take this key out"))
		}
	}
	c.checkColours(d)
	suspects := make([]engine.ID, len(d.Suspects))
	for i, s := range d.Suspects {
		suspects[i] = s.ID
	}
	c.CheckDemoCast("$.cast", d.Players, c.edition.Players.Least, c.edition.Players.Most, suspects)
	if len(d.Players) == 0 {
		d.Players = suspects[:min(len(suspects), max(c.edition.Players.Least, 0))]
	}
	for i, w := range d.Weapons {
		c.CheckNamed(fmt.Sprintf("$.weapons[%d]", i), w)
	}
	switch {
	case c.hasPool() && d.Pool == (deck.Named{}):
		c.AddFaultUnlessEmpty("$.pool", engine.T("la piscine manque, où reposent les cartes que le partage laisse",
			"the pool is missing, where the cards lie that the deal leaves over"),
			engine.T("écrivez pool: {id: pool, fr: \"Piscine\", en: \"Pool\"}", "write pool: {id: pool, fr: \"Piscine\", en: \"Pool\"}"))
	case c.hasPool():
		c.CheckNamed("$.pool", d.Pool)
	case d.Pool.ID != "":
		c.AddFaultUnlessEmpty("$.pool", engine.T("une piscine", "a pool"),
			engine.T("ce jeu distribue toutes les cartes : enlevez cette clé", "this game deals all cards: take this key out"))
	}
	c.checkAreas(d)
}

// checkAreas checks the rooms and places, and the passages between them.
func (c deckChecker) checkAreas(d *Deck) {
	all := slices.Concat(d.Rooms, d.Places)
	path := func(i int) string {
		if i < len(d.Rooms) {
			return fmt.Sprintf("$.rooms[%d]", i)
		}
		return fmt.Sprintf("$.places[%d]", i-len(d.Rooms))
	}
	for i, r := range all {
		c.CheckNamed(path(i), deck.Named{ID: r.ID, FR: r.FR, EN: r.EN})
		switch {
		case r.Stay == "":
		case i < len(d.Rooms):
			c.AddFaultUnlessEmpty(path(i)+".stay", engine.T("une pièce où l’on s’arrête autrement",
				"a room where one stops in its own way"),
				engine.T("c’est pour les lieux sans carte : enlevez cette clé",
					"that is for places without a card: take this key out"))
		default:
			c.CheckWord(path(i)+".stay", string(r.Stay), board.KnownStayWords(), "arrêt inconnu", "unknown way of stopping")
		}
	}
	if d.Start != "" && !slices.ContainsFunc(all, func(r Room) bool { return r.ID == d.Start }) {
		c.AddFaultUnlessEmpty("$.start", engine.Tf("« %s » n’est ni une pièce ni un lieu", "%q is neither a room nor a place",
			ownfile.ClipQuote(string(d.Start))),
			engine.T("écrivez un identifiant de ces listes", "write an id of these lists"))
	}
	for i, r := range all {
		if r.Passage == "" {
			continue
		}
		to := slices.IndexFunc(all, func(o Room) bool { return o.ID == r.Passage })
		switch {
		case to == i:
			c.AddFaultUnlessEmpty(path(i)+".passage", engine.T("un passage d’une pièce vers elle-même", "a passage from a room to itself"),
				engine.T("un passage secret relie deux pièces différentes", "a secret passage joins two different rooms"))
		case to < 0 || all[to].Passage != r.ID:
			c.AddFaultUnlessEmpty(path(i)+".passage",
				engine.Tf("le passage vers « %s » ne revient pas", "the passage to %q does not lead back",
					ownfile.ClipQuote(string(r.Passage))),
				engine.T("un passage secret relie deux pièces de la liste, dans les deux sens",
					"a secret passage joins two rooms of the list, both ways"))
		}
	}
}

// maxEventCards is the largest number of event cards: the Intrigue pile of the box has 24.
const maxEventCards = 32

func (c deckChecker) checkEventCards(d *Deck) {
	if most := min(maxEventCards, maxCards-len(d.Suspects)-len(d.Weapons)-len(d.Rooms)); len(d.Events) > most {
		c.AddFaultUnlessEmpty("$.event-cards", engine.Tf("%d cartes Intrigue", "%d Intrigue cards", len(d.Events)),
			engine.Tf("%d au plus", "at most %d", most))
	}
	times := 0
	for i, e := range d.Events {
		path := fmt.Sprintf("$.event-cards[%d]", i)
		c.CheckNamed(path, deck.Named{ID: e.ID, FR: e.FR, EN: e.EN})
		if len(c.Events) == 0 {
			c.AddFaultUnlessEmpty(path, engine.T("une carte à tirer", "a card to draw"),
				engine.T("ce jeu n’en a pas : enlevez-la", "this game has none: take it out"))
		} else {
			c.CheckWord(path+".kind", e.Kind, slices.Sorted(maps.Keys(c.Events)), "sorte inconnue", "unknown kind")
		}
		c.checkClue(d, path, &e)
		if e.Kind == EventTime {
			times++
		}
	}
	c.CheckCount("$.event-cards", times, c.Sizes.Times, "cartes Temps", "Time cards")
	switch {
	case len(d.Events) == 0 && c.MarkedSquares && !c.allowsSpySquares():
		c.AddFaultUnlessEmpty("$.event-cards", engine.T("les cases marquées font tirer une carte, et il n’y en a pas",
			"marked squares draw a card, and there is none"),
			engine.T("donnez des cartes à tirer, ou écrivez marked-squares: false", "give cards to draw, or write marked-squares: false"))
	case len(d.Events) == 0 && !c.allowsPolicy(polDrawTiming, "never"):
		c.AddFaultUnlessEmpty("$.event-cards", engine.T("un pion déplacé fait tirer une carte, et il n’y en a pas",
			"a pawn that was moved draws a card, and there is none"),
			engine.Tf("donnez des cartes à tirer, ou écrivez %s: never sous policies",
				"give cards to draw, or write %s: never under policies", policies[polDrawTiming].id))
	}
}

// checkBoard checks the drawing. A finding about the grid names its line and column.
func (c deckChecker) checkBoard(d *Deck) {
	if d.Drawing == nil {
		return
	}
	starts, startsRead := c.parseSquares("starts", d.Drawing.Starts)
	diagonals, diagonalsRead := c.parseSquares("diagonals", d.Drawing.Diagonals)
	c.checkStarts(d)
	b, faults := board.New(board.Spec{Rows: d.Drawing.Grid, Rooms: d.Drawing.Legend, Starts: starts, Diagonals: diagonals})
	for _, f := range faults {
		path, at := "$.board", engine.T("plan : ", "board: ")
		if f.Row >= 0 {
			path, at = fmt.Sprintf("$.board.grid[%d]", f.Row), engine.Tf("plan, colonne %d : ", "board, column %d: ", f.Col)
		}
		c.AddFaultUnlessEmpty(path, engine.T(at.FR+f.What.FR, at.EN+f.What.EN), f.Hint)
	}
	if len(faults) > 0 || !startsRead || !diagonalsRead {
		return // missing rooms and pawns would only follow from these faults
	}
	c.checkDrawing(d, b)
	c.checkMarks(b)
	d.Board = b
}

// parseSquares reads a list of squares of the board. read is false when one of them is not a
// square.
func (c deckChecker) parseSquares(list string, from map[engine.ID]string) (squares map[engine.ID]board.Square, read bool) {
	squares, read = map[engine.ID]board.Square{}, true
	for _, id := range slices.Sorted(maps.Keys(from)) {
		at, ok := board.ParseSquare(from[id])
		if !ok {
			read = false
			c.AddFaultUnlessEmpty(fmt.Sprintf("$.board.%s.%s", list, id),
				engine.Tf("« %s » n’est pas une case", "%q is no square", ownfile.ClipQuote(from[id])),
				engine.T("écrivez « colonne,rangée », comptées depuis 0 en haut à gauche",
					"write \"column,row\", counted from 0 at the top left"))
			continue
		}
		squares[id] = at
	}
	return squares, read
}

// checkDrawing checks that every room is on the board and that every pawn has a start.
func (c deckChecker) checkDrawing(d *Deck, b *board.Board) {
	for _, r := range slices.Concat(d.Rooms, d.Places) {
		if !b.HasDrawnRoom(r.ID) {
			c.AddFaultUnlessEmpty("$.board.legend", engine.Tf("la pièce « %s » n’est pas dessinée", "the room %q is not drawn", r.ID),
				engine.T("donnez une lettre à chaque pièce et à la piscine", "give every room and the pool a letter"))
		}
	}
	for _, s := range d.Suspects {
		if _, ok := b.StartSquare(s.ID); !ok && d.Start == "" {
			c.AddFaultUnlessEmpty("$.board.starts", engine.Tf("« %s » n’a pas de case départ", "%q has no start square", s.ID),
				engine.T("ajoutez sa case sous « starts »", "add its square under \"starts\""))
		}
	}
	if d.Pool.ID != "" && !b.HasDrawnRoom(d.Pool.ID) {
		c.AddFaultUnlessEmpty("$.board.legend", engine.T("la piscine n’est pas dessinée", "the pool is not drawn"),
			engine.T("donnez-lui une lettre", "give it a letter"))
	}
}

// checkMarks checks that marked squares have an effect in this game, and that there are at most
// maxMarks where a walk pauses on them.
func (c deckChecker) checkMarks(b *board.Board) {
	switch n := len(b.MarkedSquares()); {
	case c.allowsSpySquares() && n > maxMarks:
		c.AddFaultUnlessEmpty(
			"$.board.grid",
			engine.Tf("%d cases marquées", "%d marked squares", n),
			engine.Tf("%d au plus", "at most %d", maxMarks),
		)
	case !c.allowsSpySquares() && (len(c.Events) == 0 || !c.MarkedSquares) && n > 0:
		c.AddFaultUnlessEmpty("$.board.grid", engine.Tf("%d cases marquées", "%d marked squares", n),
			engine.T("ce jeu n’en a pas : écrivez . à leur place", "this game has none: write . there"))
	}
}

// checkStarts checks that each pawn has a start square of its own, and that no other id has one.
func (c deckChecker) checkStarts(d *Deck) {
	if d.Start != "" && len(d.Drawing.Starts) > 0 {
		c.AddFaultUnlessEmpty("$.board.starts", engine.Tf("des cases départ, et tous les pions partent de « %s »",
			"start squares, and all pawns begin in %q", d.Start),
			engine.T("gardez « start » ou « starts »", "keep \"start\" or \"starts\""))
	}
	seen := map[string]engine.ID{}
	for _, s := range d.Suspects {
		at := d.Drawing.Starts[s.ID]
		if other, twice := seen[at]; twice && at != "" {
			c.AddFaultUnlessEmpty(fmt.Sprintf("$.board.starts.%s", s.ID),
				engine.Tf("« %s » part de la même case que « %s »", "%q starts at the square of %q", s.ID, other),
				engine.T("une case par pion", "give each pawn its own square"))
		}
		seen[at] = s.ID
	}
	for _, id := range slices.Sorted(maps.Keys(d.Drawing.Starts)) {
		if !slices.ContainsFunc(d.Suspects, func(s Suspect) bool { return s.ID == id }) {
			c.AddFaultUnlessEmpty(
				"$.board.starts."+string(id),
				engine.Tf("« %s » n’est pas un suspect", "%q is no suspect", ownfile.ClipQuote(string(id))),
				engine.T("écrivez un identifiant de la liste « suspects »", "write an id of the list \"suspects\""),
			)
		}
	}
}
