package wire

import "majordome/engine"

// The bench is a page with the simulated table. It exists only at a demonstration table. Requests
// need its token (/bench#b=<token>) as "Authorization: Bearer <token>".
//
//	GET  /bench/events  a stream of Bench, one JSON object a line, on each change
//	POST /bench/act     one BenchAct; 204, or 400 with a JSON engine.Reject

// Spots where a card can be, in addition to the places of the deck ("place-salon") and the hands
// ("hand:seat-1").
const (
	SpotBox  = "box"  // still in the game box
	SpotSlot = "slot" // held in the urn's slot, in the field of its reader
	SpotUrn  = "urn"  // fallen into the urn
	SpotShow = "show" // on the refutation reader
	SpotOpen = "open" // face up in the middle: the opened urn
	SpotGone = "gone" // out of the game, face up
	// In a Cluedo:
	SpotEnvelope = "envelope" // the solution
	SpotPile     = "pile"     // the draw pile of Intrigue cards
)

// Bench is the state of everything on the simulated table.
type Bench struct {
	Cards   []BenchCard   `json:"cards"`
	Pawns   []BenchPawn   `json:"pawns"`
	Strips  []BenchStrip  `json:"strips"`
	Players []BenchPlayer `json:"players"`
	Readers []BenchReader `json:"readers"`
	Play    *BenchPlay    `json:"play,omitempty"` // nil: no simulated guests at this table
	Busy    bool          `json:"busy"`           // an automatic deal is running
	Slow    bool          `json:"slow,omitempty"` // a card has been on an awaited reader for long
	// Epoch and Rev identify the last update that the table received, so that a page compares this
	// state with no other update; none before the first.
	Epoch uint64 `json:"epoch,omitempty"`
	Rev   uint64 `json:"rev,omitempty"`
}

// SpotAtReader returns the spot of a card on the reader with this role.
func SpotAtReader(role string) string {
	if role == engine.ReaderUrn {
		return SpotSlot
	}
	return SpotShow
}

// BenchCard is one simulated card with its tag. Foreign cards (a bank card, a card of another game)
// have the Kind "foreign".
type BenchCard struct {
	Tag  string      `json:"tag"` // UID in hex; a bank card shows a new UID each time, this is its first
	Card engine.ID   `json:"card,omitempty"`
	Kind engine.ID   `json:"kind"`
	Name engine.Text `json:"name"`
	Spot string      `json:"spot"`
	Up   bool        `json:"up"` // face up
}

// BenchPawn is the real position of a pawn, which may differ from the recorded one.
type BenchPawn struct {
	Seat  engine.Seat `json:"seat"`
	Place engine.ID   `json:"place"`
}

// BenchStrip is a strip of lights, decoded from the bytes that its driver sent.
type BenchStrip struct {
	Name string `json:"name"` // "clock", "urn", "show", or a place id
	// Pixels are "#rrggbb" as the eye sees them, in the order of the wire.
	Pixels []string `json:"pixels"`
}

// BenchPlayer is a phone that can be opened as a tab; seat 0 is the host's page.
type BenchPlayer struct {
	Seat engine.Seat `json:"seat"`
	URL  string      `json:"url"`
}

// BenchReader is a simulated reader.
type BenchReader struct {
	Role    string `json:"role"`
	Plugged bool   `json:"plugged"`
}

// BenchPlay is the state of the simulated guests, who act for the seats by the offers of each.
type BenchPlay struct {
	On    bool `json:"on"`    // the guests act; false: people do, in the game as it is
	Speed int  `json:"speed"` // factor over the speed of people, 1 to MaxSpeed
	// Game and Seed identify the game that the guests have begun; a new value of either begins
	// another game. Game is empty before the first. Seed is 0 for a game that a person has begun.
	Game engine.ID `json:"game,omitempty"`
	Seed uint32    `json:"seed"`
	// Mine lists the seats that people play: they have asked for it, or acted on a phone. No guest
	// acts for them until the table has waited in vain for a phone that has gone.
	Mine []engine.Seat `json:"mine"`
	// Did is the last act if a guest did it; else nil. It contains only what all at the table could
	// see.
	Did *BenchDeed `json:"did,omitempty"`
}

// MaxSpeed is the highest speed of the guests.
const MaxSpeed = 8

// BenchDeed is the visible part of an act: the seat, and whether it used a card on a reader or a
// phone.
type BenchDeed struct {
	Seat   engine.Seat `json:"seat"`             // 0: the host or, with a reader, the dealer
	Act    string      `json:"act,omitempty"`    // act that the card on the reader means; empty: by a phone
	Reader string      `json:"reader,omitempty"` // role of the reader; empty: by a phone
}

// BenchAct is something that a hand does at the simulated table.
type BenchAct struct {
	// Act: "move" (Card to Spot), "flip" (Card), "pawn" (Seat to Place), "deal" (present role cards
	// and clues one by one, automatically), "tidy" (put everywhere as many clues as the game says),
	// "unplug", "plug" (Reader), "invite" (a new link for Seat, or 0 for the host, for a browser
	// without one), "play" (set the whole of Play), "resume" (continue a game that is paused).
	Act    string      `json:"act"`
	Card   string      `json:"card,omitempty"`  // the tag
	Cards  []string    `json:"cards,omitempty"` // several tags moved together
	Spot   string      `json:"spot,omitempty"`
	Seat   engine.Seat `json:"seat,omitempty"`
	Place  engine.ID   `json:"place,omitempty"`
	Reader string      `json:"reader,omitempty"`
	Play   *BenchPlay  `json:"play,omitempty"`
}
