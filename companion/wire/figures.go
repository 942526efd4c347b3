package wire

import (
	"slices"

	"majordome/engine"
)

// Figures describes the games of this table, newest first (row figures of the office): public
// facts, and acts of the host and of the program.
type Figures struct {
	V     int           `json:"v"`
	Games []GameFigures `json:"games"`
	// Labels has the names of cards, by game. Stock has the texts of the prepared hints, by their
	// ids.
	Labels map[engine.ID]map[engine.ID]engine.Text `json:"labels"`
	Stock  map[string]engine.Text                  `json:"stock"`
	Days   int                                     `json:"days"` // days after which names are removed
}

// Values of GameFigures.End.
const (
	EndWon  = "won"  // at least one seat has won
	EndLost = "lost" // no seat has won
	EndTime = "time" // the countdown ended the game
	EndOpen = "open" // the game was abandoned, or is still running
)

// GameFigures describes one game.
type GameFigures struct {
	N      int64         `json:"n"`
	Game   engine.ID     `json:"game"`
	Began  int64         `json:"began"` // Unix seconds; 0: not begun
	Played engine.Millis `json:"played"`
	End    string        `json:"end"`
	Rule   string        `json:"rule,omitempty"` // rule of its result
	Seats  int           `json:"seats"`
	// Hints is the number given and not taken back; FromStock counts those of them that were
	// prepared.
	Hints     int            `json:"hints"`
	FromStock map[string]int `json:"fromStock,omitempty"`
	// Of is the time of the countdown, and Left the time that was left; both are absent without a
	// countdown.
	Of        engine.Millis `json:"of,omitempty"`
	Left      engine.Millis `json:"left,omitempty"`
	Overruled int           `json:"overruled"`
	Phases    []PhaseTime   `json:"phases,omitempty"`
	Reset     *Reset        `json:"reset,omitempty"` // the reset before the game
	// Staff lists people with an account who took part in running it. Their names stay when those
	// of guests are removed.
	Staff     []StaffShare `json:"staff,omitempty"`
	GameNames `tstype:",extends"`
}

// GameNames are the names in a game, which are removed after Figures.Days.
type GameNames struct {
	Team    string   `json:"team,omitempty"`
	Players []string `json:"players,omitempty"`
	Winners []string `json:"winners,omitempty"`
	Sign    string   `json:"sign,omitempty"` // the person who confirmed the reset after it
}

// StaffShare is the part of one person with an account in a game: hints given and not taken back,
// and acts against the rules.
type StaffShare struct {
	Name      string `json:"name"`
	Began     bool   `json:"began,omitempty"`
	Signed    bool   `json:"signed,omitempty"` // started the next group after it
	Hints     int    `json:"hints,omitempty"`
	Overruled int    `json:"overruled,omitempty"`
}

// UpdateShareOf calls do with the share of the person who caused an event. If Staff has none of that
// person, it adds one first. It does nothing if the cause is not an account.
func (f *GameFigures) UpdateShareOf(cause string, do func(*StaffShare)) {
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

// PhaseTime is the time that a game spent in one of its phases.
type PhaseTime struct {
	Phase string        `json:"phase"`
	Took  engine.Millis `json:"took"`
}

// Reset describes how a box was refilled. The time of each card runs from the start of the reset
// until the card is seen. Cost is its part of the time for which the table waited, which at each
// moment the missing cards share equally.
type Reset struct {
	Took    engine.Millis `json:"took"`
	Cards   []ResetCard   `json:"cards,omitempty"`
	Missing []engine.ID   `json:"missing,omitempty"` // the next game began without them
}

// ResetCard is one card of a Reset; At is the time since its start.
type ResetCard struct {
	Card engine.ID     `json:"card"`
	At   engine.Millis `json:"at"`
	Cost engine.Millis `json:"cost"`
}
