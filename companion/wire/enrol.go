package wire

import "majordome/engine"

// Enrol lists what the host can enrol now, and shows the open enrolment.
type Enrol struct {
	Lists []string `json:"lists"` // lists that can be opened
	Blank bool     `json:"blank"` // no card of this game has a tag yet
	// Open is the current enrolment.
	Open *Enrolling `json:"open,omitempty"`
}

// Enrolling is an open enrolment. It says which tag belongs to which card. During a game
// (EnrolSpare) it never says where a card is.
type Enrolling struct {
	List  string      `json:"list"`            // one of the Enrol lists
	Need  int         `json:"need"`            // number of tags for each card
	Apart bool        `json:"apart,omitempty"` // a separate reader is available for this
	Cards []engine.ID `json:"cards"`           // cards that the host can pick
	May   []string    `json:"may"`             // acts that are possible now, by the words of package enrol
	Asked engine.ID   `json:"asked,omitempty"` // card to put on the reader now
	Next  engine.ID   `json:"next,omitempty"`  // next card
	// Picked: the host has picked the card in Asked.
	Picked bool     `json:"picked,omitempty"`
	Tags   []string `json:"tags,omitempty"` // tags that the asked card already has
	// Tagged is the number of cards with a tag. Short lists the cards that lack one (or the second
	// of two), in deck order.
	Tagged int         `json:"tagged"`
	Of     int         `json:"of"`
	Short  []engine.ID `json:"short"`
	// Last is the result of the last tag or act, one of the words of package enrol; "": none.
	Last    string       `json:"last,omitempty"`
	Tag     string       `json:"tag,omitempty"`
	Card    engine.ID    `json:"card,omitempty"`
	Why     *engine.Text `json:"why,omitempty"`
	Unknown string       `json:"unknown,omitempty"` // last tag that belongs to no card
	// Conflict: Tag already belongs to Card, and the host has to decide.
	Conflict bool `json:"conflict,omitempty"`
}

// The lists of Enrol.
const (
	EnrolCards    = "cards"
	EnrolPawns    = "pawns"
	EnrolControls = "controls"
	EnrolSpare    = "spare" // in a game: another tag for a card
)

// EnrolRead counts the changes that a pasted list of tags would make. A list with Faults is
// refused.
type EnrolRead struct {
	New    int         `json:"new"`
	Same   int         `json:"same"`
	Moved  int         `json:"moved"`
	Faults []FileFault `json:"faults,omitempty"`
}

// FileFault describes an error in a line of a text that the host has entered; Line is 0 for the
// text as a whole. At most 8 are sent, and then one that gives the number of the others.
type FileFault struct {
	Line int         `json:"line,omitempty"`
	Said engine.Text `json:"said"`
}
