package wire

import "majordome/engine"

// Venue lists the tables of a venue as its console shows them: the row "tables" of its office.
type Venue struct {
	// Online: the console is connected to the engine. While it is not, All has the last known values.
	Online bool `json:"online"`
	// All has first the tables that want a person, the most urgent first.
	All []VenueTable `json:"all"`
	// More is the number of tables for which the console has no room.
	More int `json:"more,omitempty"`
}

// VenueSite tells a page what its first request to the office of a console needs: GET /venue.json.
type VenueSite struct {
	V     int    `json:"v"`     // 1
	Now   int64  `json:"now"`   // clock of the console, Unix milliseconds
	Epoch uint64 `json:"epoch"` // number of this start of the console
}

// VenueTable is one table of a venue.
type VenueTable struct {
	HouseTable `tstype:",extends"`
	Groups     []string `json:"groups,omitempty"`
	// Needs says why the table wants a person, the most urgent first.
	Needs []VenueNeed `json:"needs,omitempty"`
	// Since has the moment when the first of Needs began, or the table went away: Unix milliseconds, by the clock of the console.
	Since    int64     `json:"since,omitempty"`
	Commands bool      `json:"commands,omitempty"` // the table executes commands
	Act      *VenueAct `json:"act,omitempty"`      // the last one from this console
}

// VenueNeed is a reason why a table wants a person.
type VenueNeed string

// Needs, the most urgent first.
const (
	NeedAlarm  VenueNeed = "alarm"  // white light, and the game is stopped
	NeedReader VenueNeed = "reader" // a reader is lost
	NeedOver   VenueNeed = "over"   // the countdown has ended the game
	NeedPaused VenueNeed = "paused"
	NeedLine   VenueNeed = "line" // a game was running when the table was heard last
	NeedPhone  VenueNeed = "phone"
)

// VenueNeeds are all needs, the most urgent first.
var VenueNeeds = []VenueNeed{NeedAlarm, NeedReader, NeedOver, NeedPaused, NeedLine, NeedPhone}

// VenueAct is an act of an operator at one table.
type VenueAct struct {
	Round int64  `json:"round"` // number of the act; an act at many tables has one number
	Act   string `json:"act"`   // pause, resume, alarm, light, countdown, hint or next
	By    string `json:"by"`
	State string `json:"state"` // one of the constants below
	// Why is the reason of ActOmitted.
	Why *engine.Text `json:"why,omitempty"`
}

// States of a VenueAct.
const (
	ActPending = "pending"
	ActDone    = "done"
	ActOmitted = "omitted"
	ActUnknown = "unknown" // the table has not answered in time: perhaps it was done
)
