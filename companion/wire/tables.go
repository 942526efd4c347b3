package wire

import "majordome/engine"

// Tables are this table and the others of the house, as everybody sees them: GET /tables.json.
type Tables struct {
	V   int   `json:"v"`   // 1
	Now int64 `json:"now"` // by the clock of this table, Unix milliseconds
	// Line is how this table hears the others: "on", "off" while the line to them does not stand, "none" where there is none.
	Line string `json:"line"`
	// Twin: another table has the name of this one.
	Twin bool         `json:"twin,omitempty"`
	All  []HouseTable `json:"all"` // this one first
	// More is how many further tables were heard that are not in All, at most 1,000; Most is how many others All has room for.
	More int `json:"more,omitempty"`
	Most int `json:"most,omitempty"` // where there are more
}

// HouseTable is one table of the house.
type HouseTable struct {
	Name   string `json:"name"`
	Online bool   `json:"online"`
	Page   string `json:"page,omitempty"` // where its pages are; "": nobody could reach them
	Demo   bool   `json:"demo,omitempty"`
	// What follows is as it was told last; Game is "" before that.
	Game    engine.ID   `json:"game"`
	Title   engine.Text `json:"title"` // of the game; empty where this table has no such one
	Phase   string      `json:"phase"`
	Paused  bool        `json:"paused,omitempty"`
	At      int         `json:"at,omitempty"` // round or hour, of
	Of      int         `json:"of,omitempty"`
	Players int         `json:"players"`
	Turn    []string    `json:"turn,omitempty"`    // who is to act
	Away    []string    `json:"away,omitempty"`    // whose phones are not connected, in a game
	Lost    []string    `json:"lost,omitempty"`    // readers, by their role
	Winners []string    `json:"winners,omitempty"` // of a game that is over
	Count   bool        `json:"count,omitempty"`   // there is a countdown
	Ends    int64       `json:"ends,omitempty"`    // its end, Unix milliseconds; 0: it stands
	Left    int         `json:"left,omitempty"`    // seconds, while it stands
	Over    bool        `json:"over,omitempty"`    // it has ended the game
}
