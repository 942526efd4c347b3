package wire

import "majordome/engine"

// Newer is a newer package from a stick, for an owner: one that can be installed, why one is not, or what has become of it.
type Newer struct {
	Said engine.Text `json:"said"`
	Fix  engine.Text `json:"fix"` // what to do; empty where there is nothing
	// Changes are what is new, from its changelog.
	Changes []string `json:"changes,omitempty"`
	// Sum identifies the package that can be installed; "": none.
	Sum string `json:"sum,omitempty"`
}
