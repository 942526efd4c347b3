package wire

import (
	"encoding/json"

	"majordome/engine"
)

// OfficeRequest asks the office (POST /office) to show or to do a row.
type OfficeRequest struct {
	Row  string      `json:"row"`
	Args engine.Args `json:"args,omitempty"`
	// Seen is OfficeAnswer.Seen of what the page shows: the answer waits until there is something else to see.
	Seen string `json:"seen,omitempty"`
}

// OfficeAnswer is the office's. Why says what kept it from being done; then Value is nothing.
type OfficeAnswer struct {
	Value json.RawMessage `json:"value,omitempty" tstype:"unknown"`
	Seen  string          `json:"seen,omitempty"` // of what can be seen: names Value; without a Value nothing has changed
	Why   *engine.Msg     `json:"why,omitempty"`
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
	MaxOfficeArgs = 32
	MaxOfficeArg  = 32 << 10 // bytes of one value: a list of tags
)
