package wire

import "majordome/engine"

// Settings is the configuration of the table, for an owner. It has paths, ports and tag numbers,
// and no cards.
type Settings struct {
	Wrong int `json:"wrong"` // number of problems: invalid values, missing devices
	// Restart: a game is running; saved changes take effect after it, or after the row
	// "settings-apply".
	Restart bool `json:"restart,omitempty"`

	File   string    `json:"file,omitempty"`   // path of the file that is edited by hand
	Page   string    `json:"page,omitempty"`   // path of the file that this page writes
	Values []Setting `json:"values,omitempty"` // values from the files and from the environment
	// Over lists the top-level keys in the page's file that override the file edited by hand, with
	// a short form of the hand's value.
	Over   []Setting `json:"over,omitempty"`
	Faults []Finding `json:"faults,omitempty"`
	// Notes concern valid values: what overrides them, what saving them will do.
	Notes   []Finding     `json:"notes,omitempty"`
	Changes int           `json:"changes,omitempty"` // number of changes that are not saved yet
	News    []engine.Text `json:"news,omitempty"`    // what has happened to the file or to changes
	// ByHand is the complete text to be written by hand, and Mend the command that lets the daemon
	// write it; both only if the daemon may not.
	ByHand string `json:"byhand,omitempty"`
	Mend   string `json:"mend,omitempty"`
	// Hotspot: this computer can make its own Wi-Fi; if false, pages offer nothing for it.
	Hotspot bool    `json:"hotspot,omitempty"`
	Search  bool    `json:"search,omitempty"` // a search for devices is running
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
	Layer string `json:"layer,omitempty"` // file that has it; "": none
	Env   string `json:"env,omitempty"`   // environment variable that sets it and overrides the files
}

// Found is a device that was found. Adds are the settings to write for it, in the list List; empty:
// nothing to add.
type Found struct {
	Said engine.Text `json:"said"`
	Fix  engine.Text `json:"fix"`
	Bad  bool        `json:"bad,omitempty"`
	Help string      `json:"help,omitempty"` // place in the manual, if Bad
	List string      `json:"list,omitempty"`
	// Ask is a serial port that the row "settings-search" probes if it is given as the argument
	// port. Nothing is sent to the port before.
	Ask  string    `json:"ask,omitempty"`
	Adds []Setting `json:"adds,omitempty"`
}
