package engine

import "fmt"

// Event is a fact that has happened. The concrete types belong to each game.
type Event interface {
	// Kind is the stable name under which the event is stored.
	Kind() string
}

// Barrier is implemented by events that show something to somebody who cannot
// unsee it; undo stops before them unless the host insists.
type Barrier interface{ Barrier() bool }

// Dice is where all chance comes from (see engine/chance).
type Dice interface {
	// Intn returns a number from 0 to n-1. It panics if n < 1.
	Intn(n int) int
}

// Deadline asks the table loop to send an ActDeadline command, with Args
// {"id": ID}, when the game clock reaches At. A deadline that is no longer
// listed by Deadlines is forgotten.
type Deadline struct {
	ID string
	At Millis
}

// Game is one game at one moment: an immutable value, safe to keep and share.
type Game interface {
	// Decide judges a command. It gives events or a Reject; both for a card that raises the
	// alarm in a deal (RuleAlarm), which is refused and yet brings the game to a stand.
	Decide(Command, Dice) ([]Event, *Reject)
	// Evolve is the game after these events, in their order. All of one command
	// together cost a single copy.
	Evolve(...Event) Game
	View(Viewer) View
	Deadlines() []Deadline
}

// Player is a game that is the next one already when it has decided what follows.
type Player interface {
	// Play is Decide, and what Evolve makes of the events; without events the same game.
	Play(Command, Dice) (Game, []Event, *Reject)
}

// Play decides a command, and is the game after it.
func Play(g Game, c Command, dice Dice) (Game, []Event, *Reject) {
	if p, ok := g.(Player); ok {
		return p.Play(c, dice)
	}
	evs, r := g.Decide(c, dice)
	if len(evs) == 0 {
		return g, nil, r
	}
	return g.Evolve(evs...), evs, r
}

// PositionLine is one line of a position: a verb of the game's own and its words,
// for instance {"hand", ["seat-1", "weapon-corde"]}. Line is where it stands
// in its script, for error messages.
type PositionLine struct {
	Line  int
	Verb  string
	Words []string
}

// Rulebook makes games of one kind from one deck.
type Rulebook interface {
	ID() ID
	// New is a game in its lobby: no seat taken.
	New() Game
	// Position builds any position, legal or not to reach, for scripts. The
	// returned events lead there from New. The error is an ownfile.Fault: the line, and in
	// both languages what is wrong and what to write instead.
	Position([]PositionLine) ([]Event, error)
	// Names are the public labels of everything in the deck.
	Names() Names
	// EncodeEvent and DecodeEvent carry events to and from the store. The
	// bytes hold secrets; DecodeEvent is total over what EncodeEvent wrote
	// and returns an error, never panics, on anything else.
	EncodeEvent(Event) ([]byte, error)
	DecodeEvent(kind string, data []byte) (Event, error)
}

// Relabeler is a rulebook that calls some things otherwise under other house rules.
type Relabeler interface {
	// NamesUnder are the names under the house rules in force, as View.Switches gives them; a rule
	// that is not among them has the value of the deck.
	NamesUnder(switches map[string]string) Names
}

// NamesUnder lists the names of a game under the house rules in force.
func NamesUnder(b Rulebook, switches map[string]string) Names {
	if r, ok := b.(Relabeler); ok {
		return r.NamesUnder(switches)
	}
	return b.Names()
}

// Text is a label in both languages.
type Text struct {
	FR string `json:"fr" yaml:"fr"`
	EN string `json:"en" yaml:"en"`
}

// T returns a text in both languages.
func T(fr, en string) Text { return Text{FR: fr, EN: en} }

// Tf returns a text in both languages, each formatted with the same values.
func Tf(fr, en string, args ...any) Text {
	return T(fmt.Sprintf(fr, args...), fmt.Sprintf(en, args...))
}

// Name is the public label of one id, with what is public about it.
type Name struct {
	ID   ID   `json:"id"`
	Kind ID   `json:"kind"` // "character", "place", "weapon", "clue", "role-card", ...; "sentence": one of the game's own, by its key or rule
	Text Text `json:"text"`
	// Of is what the thing belongs to: the character of a clue, the place of a weapon, the rule
	// that a house rule changes;
	// of a Cluedo's suspect and event card what they do ("power-see-card", "event-replay").
	Of ID `json:"of,omitempty"`
	// Within is the house rule whose values set this one with others, of a house rule.
	Within ID `json:"within,omitempty"`
	// Default marks the value that a house rule has unless the table changes it.
	Default bool `json:"default,omitempty"`
	// Untagged marks a card whose tag is missing or dead (GEN-E08): no reader
	// will ever see it.
	Untagged bool `json:"untagged,omitempty"`
	// Does is what a clue card has the table do.
	Does *Effect `json:"does,omitempty"`
	// Plan is how the house is built, on the name of a game that is played on a board.
	Plan *Plan `json:"plan,omitempty"`
}

// Effect is what a clue card says, in the words of a deck (package cluedo): its kind and, where
// a card is shown, who shows what to whom.
type Effect struct {
	Kind string `json:"kind"`
	Who  string `json:"who,omitempty"`
	What string `json:"what,omitempty"`
	To   string `json:"to,omitempty"`
}

// IsArea reports somewhere on the table where pawns stand or cards lie: a place of Huis Clos,
// and of a Cluedo a room, the pool or an area without a card.
func (n Name) IsArea() bool {
	return n.Kind == "place" || n.Kind == "room" || n.Kind == "pool" || n.Kind == "area"
}

// IsCard reports that the name is that of a card with a tag of its own, which a
// reader may meet. Cards of other kinds may have tags too, if somebody glues them on.
func (n Name) IsCard() bool {
	switch n.Kind {
	case "clue", "weapon", "role-card", "suspect", "room", "time-card", "butler-card", "clue-card":
		return true
	}
	return false
}

// Plan is the board for pages that draw it: public, and the same all game long.
// Squares are "column,row" from 0 at the top left.
//
// Limits: 64 rows of 64 bytes, 26 rooms, 12 starts.
type Plan struct {
	// Rows are the drawing: '#' nothing, '.' a square, '?' a marked square, a
	// capital letter the inside of a room, a small one a door of it. Empty
	// where the deck has no drawing.
	Rows      []string      `json:"rows,omitempty"`
	Spies     bool          `json:"spies,omitempty"`     // a marked square bears a magnifying glass: one spies there
	Legend    map[string]ID `json:"legend,omitempty"`    // room of a capital letter
	Starts    map[ID]string `json:"starts,omitempty"`    // where the pawn of a character begins
	Diagonals map[ID]string `json:"diagonals,omitempty"` // from where a room is entered over a corner
	Passages  map[ID]ID     `json:"passages,omitempty"`  // secret ones, from room to room
}

// MaxNames is the most bytes that the Names of a game have as JSON: they are sent to each page as one message.
const MaxNames = 60 << 10

// Names lists every label in deck order (GEN-006).
type Names []Name
