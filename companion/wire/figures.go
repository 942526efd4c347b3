package wire

import (
	"slices"

	"majordome/engine"
)

// Figures describe the games of this table, newest first (row figures of the office): public facts, and acts of the host and the
// machine.
type Figures struct {
	V     int           `json:"v"`
	Games []GameFigures `json:"games"`
	// Labels are what cards are called, by game, and Stock the hints that stood ready, by their names.
	Labels map[engine.ID]map[engine.ID]engine.Text `json:"labels"`
	Stock  map[string]engine.Text                  `json:"stock"`
	Days   int                                     `json:"days"` // after so many names are gone
}

// How a game of GameFigures has ended.
const (
	EndWon  = "won"  // somebody has won
	EndLost = "lost" // nobody has
	EndTime = "time" // the countdown has ended it
	EndOpen = "open" // it was put away, or goes on
)

// GameFigures are those of one game.
type GameFigures struct {
	N      int64         `json:"n"`
	Game   engine.ID     `json:"game"`
	Began  int64         `json:"began"` // seconds of Unix; 0: it has not
	Played engine.Millis `json:"played"`
	End    string        `json:"end"`
	Rule   string        `json:"rule,omitempty"` // of its result
	Seats  int           `json:"seats"`
	// Hints are those given and not taken back, FromStock those of them that stood ready.
	Hints     int            `json:"hints"`
	FromStock map[string]int `json:"fromStock,omitempty"`
	// Of: it ran against a countdown of so much, and Left of it was left; absent: against none.
	Of        engine.Millis `json:"of,omitempty"`
	Left      engine.Millis `json:"left,omitempty"`
	Overruled int           `json:"overruled"`
	Phases    []PhaseTime   `json:"phases,omitempty"`
	Reset     *Reset        `json:"reset,omitempty"` // before it
	// Staff are those with an account who had to do with it. Their names stay when those of guests go.
	Staff     []StaffShare `json:"staff,omitempty"`
	GameNames `tstype:",extends"`
}

// GameNames are what goes with its time.
type GameNames struct {
	Team    string   `json:"team,omitempty"`
	Players []string `json:"players,omitempty"`
	Winners []string `json:"winners,omitempty"`
	Sign    string   `json:"sign,omitempty"` // who has signed for the reset after it
}

// StaffShare is what somebody with an account did in a game: hints given and not taken back, and what was overruled.
type StaffShare struct {
	Name      string `json:"name"`
	Began     bool   `json:"began,omitempty"`
	Signed    bool   `json:"signed,omitempty"` // took the next group after it
	Hints     int    `json:"hints,omitempty"`
	Overruled int    `json:"overruled,omitempty"`
}

// ShareOf has do change the share of who has an account, by the cause of an event; of others there is none.
func (f *GameFigures) ShareOf(cause string, do func(*StaffShare)) {
	name, ok := StaffName(cause)
	if !ok {
		return
	}
	i := slices.IndexFunc(f.Staff, func(s StaffShare) bool { return s.Name == name })
	if i < 0 {
		f.Staff, i = append(f.Staff, StaffShare{Name: name}), len(f.Staff)
	}
	do(&f.Staff[i])
}

// PhaseTime is how long a game stood in one of its phases.
type PhaseTime struct {
	Phase string        `json:"phase"`
	Took  engine.Millis `json:"took"`
}

// Reset is how a box was filled again. A stop-watch of each card runs from its beginning until the card is seen; Cost is its share of
// the time in which the table waited: whatever was missing at a moment shares it alike.
type Reset struct {
	Took    engine.Millis `json:"took"`
	Cards   []ResetCard   `json:"cards,omitempty"`
	Missing []engine.ID   `json:"missing,omitempty"` // the next game has begun without them
}

// ResetCard is one card of a Reset, At after its beginning.
type ResetCard struct {
	Card engine.ID     `json:"card"`
	At   engine.Millis `json:"at"`
	Cost engine.Millis `json:"cost"`
}
