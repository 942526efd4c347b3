package engine

import "fmt"

// Event is a fact that has happened. The concrete types belong to each game.
type Event interface {
	// Kind returns the stable name under which the store keeps the event.
	Kind() string
}

// Barrier marks the events that may show something to a player, who cannot forget it. Undo stops
// before an event whose IsBarrier is true, unless the host insists.
type Barrier interface{ IsBarrier() bool }

// Dice is the only source of chance (see engine/chance).
type Dice interface {
	// Intn returns a number from 0 to n-1. It panics if n < 1.
	Intn(n int) int
}

// Deadline asks the table loop to send an ActDeadline command with Args {"id": ID} when the game
// clock reaches At. The loop drops a deadline that Deadlines no longer lists.
type Deadline struct {
	ID string
	At Millis
}

// Game is one game at one moment: an immutable value, safe to keep and to share.
type Game interface {
	// Decide checks a command against the rules. It returns events or a Reject. It returns both for
	// a card that raises the alarm in a deal (RuleAlarm): the game refuses the card and also stops.
	Decide(Command, Dice) ([]Event, *Reject)
	// Apply returns the game after these events, applied in order. It copies the state once per
	// call, so pass all events of a command together.
	Apply(...Event) Game
	View(Viewer) View
	// Progress returns the Progress of View(Public), without building the view.
	Progress() Progress
	Deadlines() []Deadline
}

// Progress says how far a game has come, for a caller that follows it step by step and needs no views. It is public.
type Progress struct {
	Phase         string
	LastHappening int // its number; 0: none yet
	Over          bool
}

// IsDealing reports whether the game is in a phase in which roles are drawn or clues are placed or
// dealt.
func (p Progress) IsDealing() bool {
	return p.Phase == PhaseRoles || p.Phase == PhaseLaying || p.Phase == PhaseDealing
}

// DecideApplier is a Game that has already computed the next game when it has decided.
type DecideApplier interface {
	// DecideAndApply returns the results of Decide, and the game that Apply would make of the
	// events; without events, the same game.
	DecideAndApply(Command, Dice) (Game, []Event, *Reject)
}

// DecideAndApply decides a command and returns the game after it, with the events or the refusal.
func DecideAndApply(g Game, c Command, dice Dice) (Game, []Event, *Reject) {
	if p, ok := g.(DecideApplier); ok {
		return p.DecideAndApply(c, dice)
	}
	evs, r := g.Decide(c, dice)
	if len(evs) == 0 {
		return g, nil, r
	}
	return g.Apply(evs...), evs, r
}

// PositionLine is one line of a script that sets up a position: a verb of the game and its words,
// for instance {"hand", ["seat-1", "weapon-corde"]}. Line is its line number in the script, for
// error messages.
type PositionLine struct {
	Line  int
	Verb  string
	Words []string
}

// Rulebook makes games of one kind from one deck.
type Rulebook interface {
	ID() ID
	// NewGame returns a game in its lobby, with no seat taken.
	NewGame() Game
	// BuildPosition returns the events that lead from NewGame to the position that a script
	// describes, even one that play cannot reach. The error is an ownfile.Fault: the line, and in
	// both languages what is wrong and what to write instead.
	BuildPosition([]PositionLine) ([]Event, error)
	// Names returns the public labels of everything in the deck.
	Names() Names
	// EncodeEvent and DecodeEvent convert events to bytes for the store, and back. The bytes hold
	// secrets. DecodeEvent accepts everything that EncodeEvent wrote; for anything else it returns
	// an error and never panics.
	EncodeEvent(Event) ([]byte, error)
	DecodeEvent(kind string, data []byte) (Event, error)
}

// Relabeler is a Rulebook whose labels depend on the house rules.
type Relabeler interface {
	// NamesUnder returns the labels under these house rules, in the form of View.Switches. A rule
	// missing from the map has the default value of the deck.
	NamesUnder(switches map[string]string) Names
}

// NamesUnderHouseRules returns the labels of a game under these house rules, in the form of View.Switches.
func NamesUnderHouseRules(b Rulebook, houseRules map[string]string) Names {
	if r, ok := b.(Relabeler); ok {
		return r.NamesUnder(houseRules)
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

// Tf returns a text in both languages, each formatted with the same arguments.
func Tf(fr, en string, args ...any) Text {
	return T(fmt.Sprintf(fr, args...), fmt.Sprintf(en, args...))
}

// Name is the public label of an id, with its public properties.
type Name struct {
	ID   ID   `json:"id"`
	Kind ID   `json:"kind"` // "character", "place", "weapon", "clue", "role-card", ...; "sentence": an own one, by key or rule
	Text Text `json:"text"`
	// Of is the id that the thing belongs to: the character of a clue, the place of a weapon, the
	// rule that a house rule changes. For a suspect or an event card of a Cluedo it is the effect
	// ("power-see-card", "event-replay").
	Of ID `json:"of,omitempty"`
	// Within is set for a house rule that a preset also sets: it is the id of the house rule whose
	// values are the presets.
	Within ID `json:"within,omitempty"`
	// Default marks the value that a house rule has unless the table changes it.
	Default bool `json:"default,omitempty"`
	// Untagged marks a card whose tag is missing or dead (GEN-E08): no reader will ever read it.
	Untagged bool `json:"untagged,omitempty"`
	// Does is the effect of a clue card.
	Does *Effect `json:"does,omitempty"`
	// Plan is the board, on the name of a game that has one.
	Plan *Plan `json:"plan,omitempty"`
}

// Effect describes a clue card in the words of the deck (package cluedo): its kind and, if a card
// is shown, who shows what to whom.
type Effect struct {
	Kind string `json:"kind"`
	Who  string `json:"who,omitempty"`
	What string `json:"what,omitempty"`
	To   string `json:"to,omitempty"`
}

// IsLocation reports whether n names a part of the table where pawns or cards can be: a place of Huis
// Clos; in a Cluedo a room, the pool, or an area without a card.
func (n Name) IsLocation() bool {
	return n.Kind == "place" || n.Kind == "room" || n.Kind == "pool" || n.Kind == "area"
}

// IsCard reports whether n names a card that has a tag of its own, for a reader to read. Cards of
// other kinds have a tag only if the owner glues one on.
func (n Name) IsCard() bool {
	switch n.Kind {
	case "clue", "weapon", "role-card", "suspect", "room", "time-card", "butler-card", "clue-card":
		return true
	}
	return false
}

// Plan is the board, for pages that draw it: public, and constant during a game. Squares are
// "column,row" from 0 at the top left.
//
// Limits: 64 rows of 64 bytes, 26 rooms, 12 starts.
type Plan struct {
	// Rows are the drawing: '#' is nothing, '.' a square, '?' a marked square, a capital letter the
	// inside of a room, a small letter a door of that room. Empty if the deck has no drawing.
	Rows      []string      `json:"rows,omitempty"`
	Spies     bool          `json:"spies,omitempty"`     // the marked squares are spy squares, drawn with a magnifying glass
	Legend    map[string]ID `json:"legend,omitempty"`    // capital letter to room
	Starts    map[ID]string `json:"starts,omitempty"`    // character to the square where its pawn starts
	Diagonals map[ID]string `json:"diagonals,omitempty"` // square from which a room is entered over a corner
	Passages  map[ID]ID     `json:"passages,omitempty"`  // secret passages, from room to room
}

// MaxNames is the most bytes that the Names of a game may have as JSON: each page receives them as
// one message.
const MaxNames = 60 << 10

// Names holds all labels, in deck order (GEN-006).
type Names []Name
