package wire

import "majordome/engine"

// Settings are the configuration of the table, for an owner. It names paths, ports and numbers of tags, and no card.
type Settings struct {
	Wrong int `json:"wrong"` // how much wants to be mended: a value, a device that is missing
	// Restart: a game is on, and what has been kept holds when it is over, or once the row "settings-apply" is done.
	Restart bool `json:"restart,omitempty"`

	File    string        `json:"file,omitempty"`   // the one that a hand writes
	Page    string        `json:"page,omitempty"`   // the one that this page writes
	Values  []Setting     `json:"values,omitempty"` // those that are written, and those of the environment
	Over    []Setting     `json:"over,omitempty"`   // keys at the top of the page's file, with what the file of a hand says of them: a list in a few words
	Faults  []Finding     `json:"faults,omitempty"`
	Notes   []Finding     `json:"notes,omitempty"`   // beside values that are sound: what has the word over them, what keeping them will do
	Changes int           `json:"changes,omitempty"` // that are not kept yet
	News    []engine.Text `json:"news,omitempty"`    // what has become of the file, or of changes
	// ByHand is the whole text to be written by hand, and Mend the line that lets the daemon do it, where it may not.
	ByHand  string  `json:"byhand,omitempty"`
	Mend    string  `json:"mend,omitempty"`
	Hotspot bool    `json:"hotspot,omitempty"` // this machine can make a Wi-Fi of its own: where it cannot, nothing of it is offered
	Search  bool    `json:"search,omitempty"`  // devices are being searched for
	Found   []Found `json:"found,omitempty"`
}

// The files that a value may come from.
const (
	LayerHand = "hand"
	LayerPage = "page"
)

// Setting is one value by its path, such as readers[0].gain.
type Setting struct {
	Path  string `json:"path"`
	Value string `json:"value"`
	Layer string `json:"layer,omitempty"` // the file that it stands in; "": in none
	Env   string `json:"env,omitempty"`   // the variable of the environment that says so, and wins
}

// Found is a device that is there. Adds is what would be written for it, the list first; nothing where there is nothing to add.
type Found struct {
	Said engine.Text `json:"said"`
	Fix  engine.Text `json:"fix"`
	Bad  bool        `json:"bad,omitempty"`
	Help string      `json:"help,omitempty"` // of what is bad, where the manual explains it
	List string      `json:"list,omitempty"`
	// Ask is the serial port that the row "settings-search" asks when its argument port is this; nothing is sent to it before.
	Ask  string    `json:"ask,omitempty"`
	Adds []Setting `json:"adds,omitempty"`
}
