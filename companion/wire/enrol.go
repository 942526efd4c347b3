package wire

import "majordome/engine"

// Enrol is an open enrolment, for the host alone: it says which tag is which card. In a game List is EnrolSpare, and
// nothing here says where a card lies.
type Enrol struct {
	List  string    `json:"list"`            // one of the Enrol lists
	Need  int       `json:"need"`            // tags that each card is to have
	Apart bool      `json:"apart,omitempty"` // there is a reader for this
	Asked engine.ID `json:"asked,omitempty"` // the card to be laid
	Next  engine.ID `json:"next,omitempty"`  // the one after it
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
	// File is the list of all tags where the host has asked for it.
	File string     `json:"file,omitempty"`
	Read *EnrolRead `json:"read,omitempty"`
}

// The lists of Enrol.
const (
	EnrolCards    = "cards"
	EnrolPawns    = "pawns"
	EnrolControls = "controls"
	EnrolSpare    = "spare" // in a game: another tag for a card
)

// EnrolRead is what a list that the host has given would do.
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

// ActPaste carries a text of the host's, piece by piece: args {"of": what it is for, "at": bytes before it, "text": at most
// MaxNotes bytes}. A piece at 0 begins a new text.
const ActPaste = "paste"
