package wire

import (
	"encoding/json"

	"majordome/engine"
)

// OfficeRequest asks the office (POST /office) to read or change one row, or waits for changes in
// several rows.
type OfficeRequest struct {
	Row  string      `json:"row,omitempty"`
	Args engine.Args `json:"args,omitempty"`
	// Watch names the rows that the page shows, each with the Seen of its last answer, at first
	// empty. The server answers when one of these rows has changed.
	Watch map[string]string `json:"watch,omitempty"`
}

// OfficeAnswer has the value of a row, or the reason why there is none.
type OfficeAnswer struct {
	Value json.RawMessage `json:"value,omitempty" tstype:"unknown"`
	Why   *engine.Msg     `json:"why,omitempty"`
	Seen  string          `json:"seen,omitempty"` // identifies this answer, for Watch
	// Rows has the rows of Watch that have changed; empty if none has.
	Rows map[string]OfficeAnswer `json:"rows,omitempty"`
}

// OfficeRows is the name of the row that lists the rows the device may use now.
const OfficeRows = "rows"

// OfficeText is a text that a page saves under a name.
type OfficeText struct {
	File string `json:"file"`
	Text string `json:"text"`
}

// Limits of a request to the office.
const (
	MaxOfficeArgs = 32       // also the most watched rows
	MaxOfficeArg  = 32 << 10 // bytes of one value, such as a list of tags
)
