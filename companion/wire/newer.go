package wire

import "majordome/engine"

// Newer describes an update package on a USB stick, for an owner: whether it can be installed, why
// not, or the result.
type Newer struct {
	Said engine.Text `json:"said"`
	Fix  engine.Text `json:"fix"` // what to do; empty: nothing
	// Changes are the points of its changelog.
	Changes []string `json:"changes,omitempty"`
	// Sum identifies the package that can be installed; "": none can.
	Sum string `json:"sum,omitempty"`
}
