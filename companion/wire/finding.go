package wire

import "majordome/engine"

// State is the severity of a finding.
type State string

const (
	StateOK   State = "ok"
	StateNote State = "note" // for information
	// The thing works, but not as well as it could. For a setting: its value is valid, but the
	// device that it names does not answer.
	StateWarning State = "warning"
	StateFault   State = "fault" // does not work, or soon will not
)

// Finding is one result of a check, and what to do about it: on the pages, in majordome doctor and
// check, in /healthz and in a support bundle.
type Finding struct {
	About string      `json:"about"` // one stable word, for programs
	State State       `json:"state"`
	Said  engine.Text `json:"said"`
	Fix   engine.Text `json:"fix,omitempty,omitzero"`
	Where string      `json:"where,omitempty"` // path of the setting concerned, such as readers[0].gain
	Help  string      `json:"help,omitempty"`  // place in the manual that explains it, such as trouble#disk
}

// Limits of findings about the computer of a table: MaxFindings are shown, and the last of these
// says how many more there are; MaxFinding is the length of one as JSON, in bytes.
const (
	MaxFindings = 6
	MaxFinding  = 688
)
