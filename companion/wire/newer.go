package wire

import "majordome/engine"

// MaxNewer is the JSON of Newer, in bytes.
const MaxNewer = 3 << 10

// Newer is a newer package from a stick, for the host alone: one that can be installed, why one is not, or what has become of it.
type Newer struct {
	Said engine.Text `json:"said"`
	Fix  engine.Text `json:"fix"` // what to do; empty where there is nothing
	// Changes are what is new, from its changelog.
	Changes []string `json:"changes,omitempty"`
	// Sum is what is installed by ActNewer; "": nothing can be.
	Sum string `json:"sum,omitempty"`
}

// ActNewer is the host's act that installs what is offered: args {"sum": its sum}, and {"force": "yes"} while a game is on.
const ActNewer = "newer"
