package wire

import "majordome/engine"

// Enrol lists what the host can enrol now, and shows the open enrolment.
type Enrol struct {
	Lists []string `json:"lists"` // those that can be opened
	Blank bool     `json:"blank"` // no card of this game has a tag yet
	// Open is the enrolment that is under way.
	Open *Enrolling `json:"open,omitempty"`
}

// Enrolling is an open enrolment. It says which tag is which card; in a game (EnrolSpare) nothing here says where a card lies.
type Enrolling struct {
	List  string      `json:"list"`            // one of the Enrol lists
	Need  int         `json:"need"`            // tags that each card is to have
	Apart bool        `json:"apart,omitempty"` // there is a reader for this
	Cards []engine.ID `json:"cards"`           // those that can be picked
	May   []string    `json:"may"`             // what can be done, by the words of package enrol
	Asked engine.ID   `json:"asked,omitempty"` // the card to be laid
	Next  engine.ID   `json:"next,omitempty"`  // the one after it
	// Picked: the host has picked the card that is asked for.
	Picked bool     `json:"picked,omitempty"`
	Tags   []string `json:"tags,omitempty"` // numbers of the asked card's
	// Tagged are the cards with a tag, Short those that lack one (or the second of two), in deck order.
	Tagged int         `json:"tagged"`
	Of     int         `json:"of"`
	Short  []engine.ID `json:"short"`
	// Last is what became of the last tag or act, by one of the words of package enrol; "" for nothing.
	Last    string       `json:"last,omitempty"`
	Tag     string       `json:"tag,omitempty"`
	Card    engine.ID    `json:"card,omitempty"`
	Why     *engine.Text `json:"why,omitempty"`
	Unknown string       `json:"unknown,omitempty"` // the last tag of no card
	// Conflict: Tag is that of Card, and waits for the host's word.
	Conflict bool `json:"conflict,omitempty"`
}

// The lists of Enrol.
const (
	EnrolCards    = "cards"
	EnrolPawns    = "pawns"
	EnrolControls = "controls"
	EnrolSpare    = "spare" // in a game: another tag for a card
)

// EnrolRead counts the changes that a pasted list of tags would make. A list with Faults is not taken.
type EnrolRead struct {
	New    int         `json:"new"`
	Same   int         `json:"same"`
	Moved  int         `json:"moved"`
	Faults []FileFault `json:"faults,omitempty"`
}

// FileFault is what is wrong with a line of a text that the host has given; Line is 0 for the whole of it. At most 8 are sent,
// and of more one that says how many there are.
type FileFault struct {
	Line int         `json:"line,omitempty"`
	Said engine.Text `json:"said"`
}
