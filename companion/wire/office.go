package wire

import (
	"encoding/json"

	"majordome/engine"
)

// OfficeRequest asks the office (POST /office) to show or to do one row, or to tell what changes in several.
type OfficeRequest struct {
	Row  string      `json:"row,omitempty"`
	Args engine.Args `json:"args,omitempty"`
	// Watch names the rows that the page shows, each with the Seen of what it shows, which is empty at first. The answer waits until
	// one of them has something else to show.
	Watch map[string]string `json:"watch,omitempty"`
}

// OfficeAnswer carries the value of a row, or why there is none.
type OfficeAnswer struct {
	Value json.RawMessage `json:"value,omitempty" tstype:"unknown"`
	Why   *engine.Msg     `json:"why,omitempty"`
	Seen  string          `json:"seen,omitempty"` // names this answer, in Rows
	// Rows has those of Watch that show something else than the page does; none where nothing has changed.
	Rows map[string]OfficeAnswer `json:"rows,omitempty"`
}

// OfficeRows is the row that lists those that the device may see and do now, by name.
const OfficeRows = "rows"

// OfficeText is a text that a page saves under a name.
type OfficeText struct {
	File string `json:"file"`
	Text string `json:"text"`
}

// Limits of a request to the office.
const (
	MaxOfficeArgs = 32       // rows that are watched, too
	MaxOfficeArg  = 32 << 10 // bytes of one value: a list of tags
)
