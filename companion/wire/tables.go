package wire

import "majordome/engine"

// Tables lists this table and the others of the house, with public facts: GET /tables.json.
type Tables struct {
	V   int   `json:"v"`   // 1
	Now int64 `json:"now"` // clock of this table, Unix milliseconds
	// Line is the connection to the others: "on", "off" while it is down, "none" if there is none.
	Line string `json:"line"`
	// Twin: another table has the name of this one.
	Twin bool         `json:"twin,omitempty"`
	All  []HouseTable `json:"all"` // this one first
	// More is the number of other tables that are not in All, at most 1,000. Most is the number of
	// others that fit into All.
	More int `json:"more,omitempty"`
	Most int `json:"most,omitempty"` // set if there are more
}

// HouseTable is one table of the house.
type HouseTable struct {
	Name   string `json:"name"`
	Online bool   `json:"online"`
	Page   string `json:"page,omitempty"` // address of its pages; "": not reachable
	Demo   bool   `json:"demo,omitempty"`
	// The fields below are the last known values; Game is "" before the first.
	Game    engine.ID   `json:"game"`
	Title   engine.Text `json:"title"` // of the game; empty if this table does not have it
	Phase   string      `json:"phase"`
	Paused  bool        `json:"paused,omitempty"`
	At      int         `json:"at,omitempty"` // current round or hour
	Of      int         `json:"of,omitempty"` // number of rounds or hours
	Players int         `json:"players"`
	Turn    []string    `json:"turn,omitempty"`    // names of the players who have to act
	Away    []string    `json:"away,omitempty"`    // names of the players without a connected phone, in a game
	Lost    []string    `json:"lost,omitempty"`    // readers, by their role
	Winners []string    `json:"winners,omitempty"` // winners, after the game
	Count   bool        `json:"count,omitempty"`   // there is a countdown
	Ends    int64       `json:"ends,omitempty"`    // end of the countdown, Unix milliseconds; 0: it is stopped
	Left    int         `json:"left,omitempty"`    // seconds left while the countdown is stopped
	Over    bool        `json:"over,omitempty"`    // the countdown has ended the game
}
