package wire

import "majordome/engine"

// State says how a finding is meant.
type State string

const (
	StateOK      State = "ok"
	StateNote    State = "note"    // to know
	StateWarning State = "warning" // works, but not as well as it could; of a setting: its value is sound, and what it names does not answer
	StateFault   State = "fault"   // does not work, or soon will not
)

// Finding is one thing that was looked at, and what to do about it: on the pages, by majordome doctor and check, in /healthz and a bundle.
type Finding struct {
	About string      `json:"about"` // one word that stays the same, for programs
	State State       `json:"state"`
	Said  engine.Text `json:"said"`
	Fix   engine.Text `json:"fix,omitempty,omitzero"`
	Where string      `json:"where,omitempty"` // the path of the setting that it is about, such as readers[0].gain
	Help  string      `json:"help,omitempty"`  // where the manual explains it, such as trouble#disk
}

// MaxFindings about the computer of a table are shown, the last of which says how many more there are, and MaxFinding is the JSON of one, in bytes.
const (
	MaxFindings = 6
	MaxFinding  = 688
)
