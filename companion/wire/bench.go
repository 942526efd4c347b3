package wire

import "majordome/engine"

// The bench is the simulated table as a page. It exists only at a
// demonstration table and needs its token (/bench#b=<token>), sent as
// "Authorization: Bearer <token>".
//
//	GET  /bench/events  a stream of Bench, one JSON object a line, on each change
//	POST /bench/act     one BenchAct; 204, or 400 with a JSON engine.Reject

// Spots where a card can be. The others are places of the deck ("place-salon").
const (
	SpotBox  = "box"  // still in the game box
	SpotSlot = "slot" // held in the urn's slot, in the field of its reader
	SpotUrn  = "urn"  // fallen into the urn
	SpotShow = "show" // lying on the refutation reader
	SpotOpen = "open" // face up in the middle: the opened urn
	SpotGone = "gone" // out of the game, face up
	// Of a Cluedo:
	SpotEnvelope = "envelope" // the solution
	SpotPile     = "pile"     // the draw pile of Intrigue cards
	// "hand:seat-1": the hand of a seat
)

// Bench is everything that lies on the simulated table.
type Bench struct {
	Cards   []BenchCard   `json:"cards"`
	Pawns   []BenchPawn   `json:"pawns"`
	Strips  []BenchStrip  `json:"strips"`
	Players []BenchPlayer `json:"players"`
	Readers []BenchReader `json:"readers"`
	Play    *BenchPlay    `json:"play,omitempty"` // nil: nobody plays by itself here
	Busy    bool          `json:"busy"`           // the helping hand is dealing
	Slow    bool          `json:"slow,omitempty"` // a card lies long on a reader that is awaited
	// Epoch and Rev are those of the update that the table last heard, so that nobody compares it with
	// another one; none before the first.
	Epoch uint64 `json:"epoch,omitempty"`
	Rev   uint64 `json:"rev,omitempty"`
}

// SpotOf is where a card lies that the reader of that role can read.
func SpotOf(role string) string {
	if role == engine.ReaderUrn {
		return SpotSlot
	}
	return SpotShow
}

// BenchCard is one simulated card with its tag. Foreign cards (a bank card, a
// card of another game) have a Kind of "foreign".
type BenchCard struct {
	Tag  string      `json:"tag"` // UID in hex; of a bank card, which draws another each time it is laid on a reader, the first
	Card engine.ID   `json:"card,omitempty"`
	Kind engine.ID   `json:"kind"`
	Name engine.Text `json:"name"`
	Spot string      `json:"spot"`
	Up   bool        `json:"up"` // lies face up
}

// BenchPawn is where a pawn really stands, whatever the record says.
type BenchPawn struct {
	Seat  engine.Seat `json:"seat"`
	Place engine.ID   `json:"place"`
}

// BenchStrip is a strip drawn from the bytes that its driver sent.
type BenchStrip struct {
	Name string `json:"name"` // "clock", "urn", "show", or a place id
	// Pixels are "#rrggbb" as seen, in wire order of this part.
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

// BenchPlay is the evening that plays itself: guests who are simulated act for the seats, by what each is offered.
type BenchPlay struct {
	On    bool `json:"on"`    // they act; else people do, and what has begun stays as it is
	Speed int  `json:"speed"` // so many times as fast as people, 1 to MaxSpeed
	// Game and Seed are those of the evening that they have begun; another one of either begins anew. Game is empty before the first,
	// and Seed is 0 for a game that somebody else has begun.
	Game engine.ID `json:"game,omitempty"`
	Seed uint32    `json:"seed"`
	// Mine are the seats that people play, who have asked for it or acted by a phone of theirs: no guest acts for them, until the
	// table has waited in vain for a phone that has gone.
	Mine []engine.Seat `json:"mine"`
	// Did is what a guest did last; nil: none has, or somebody else since. It says what everybody at the table could see.
	Did *BenchDeed `json:"did,omitempty"`
}

// MaxSpeed is the fastest that guests play.
const MaxSpeed = 8

// BenchDeed is what everybody sees of an act: who, and whether by a card on a reader or by a phone.
type BenchDeed struct {
	Seat   engine.Seat `json:"seat"`             // 0: the host, or with a reader whoever deals
	Act    string      `json:"act,omitempty"`    // what the card on the reader stands for; empty: by a phone
	Reader string      `json:"reader,omitempty"` // role of the reader; empty: by a phone
}

// BenchAct is something a hand does at the simulated table.
type BenchAct struct {
	// Act: "move" (Card to Spot), "flip" (Card), "pawn" (Seat to Place),
	// "deal" (the helping hand presents role cards and clues one by one),
	// "tidy" (as many clues everywhere as the game says), "unplug", "plug" (Reader),
	// "invite" (a new link for Seat, or 0 for the host: to a browser that has none of them),
	// "play" (how the evening plays itself, whole: Play), "resume" (a game that stands still goes on).
	Act    string      `json:"act"`
	Card   string      `json:"card,omitempty"`  // the tag
	Cards  []string    `json:"cards,omitempty"` // several tags moved together
	Spot   string      `json:"spot,omitempty"`
	Seat   engine.Seat `json:"seat,omitempty"`
	Place  engine.ID   `json:"place,omitempty"`
	Reader string      `json:"reader,omitempty"`
	Play   *BenchPlay  `json:"play,omitempty"`
}
