package engine

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

// Happening is one thing that everybody at the table saw happen. The display, its
// voice, the wait of the phones and the bench act on these, and on no comparison of
// two views and no sentence.
//
//  1. Each field holds what all can see: never which card went face down somewhere,
//     who was shown what, or what a seat said in private.
//  2. N counts them from 1 in each game, alike for every viewer. It falls when the
//     host takes something back, and in a new game: see Since.
//  3. A code means the same in every game. The constants say which fields it has;
//     the others are empty.
//  4. One is for all viewers, and for all views that hold it: nobody may change it.
type Happening struct {
	What  string `json:"what"` // one of the codes below
	N     int    `json:"n"`
	Seat  Seat   `json:"seat,omitempty"`
	Other Seat   `json:"other,omitempty"`
	Place ID     `json:"place,omitempty"`
	Cards []ID   `json:"cards,omitempty"` // lying face up, or named aloud
}

// String prints what it is, and not where it stands in memory.
func (h *Happening) String() string { return fmt.Sprintf("%v", *h) }

// MaxHappened is how many happenings a view holds. The longest commands, the opening of
// an urn by which 8 die in 7 places and the last recovery of a round, have 17: a page
// that has missed updates still finds the whole scene in the next one.
const MaxHappened = 24

// HappeningKind is a row of happenings.json: how house, voice, sounds and story treat one code. Every code is published to the house
// (MQTT, web hook, Home Assistant), and has a sentence in the story unless it is silent there.
type HappeningKind struct {
	What  string `json:"what"`
	Story string `json:"story"`           // one of the Story constants
	Grave bool   `json:"grave,omitempty"` // the story shows it as a great moment
	// Spoken: the display announces it, and the narrator has lines for it. Sound is the name of its sound, "" for none.
	Spoken bool   `json:"spoken,omitempty"`
	Sound  string `json:"sound,omitempty"`
}

// Values of HappeningKind.Story.
const (
	StorySilent = "silent" // nobody needs to read it
	StoryFrame  = "frame"  // it begins a chapter or a row, or moves a pawn
	StoryDeed   = "deed"   // done by the seat of a row, which the sentence does not name
	StoryFate   = "fate"   // befalls the table
	StorySequel = "sequel" // follows from a deed, in the same row
)

//go:embed happenings.json
var happeningsJSON []byte

// AllHappenings are all codes. Nobody may change them.
var AllHappenings = func() (all []HappeningKind) {
	if err := json.Unmarshal(happeningsJSON, &all); err != nil {
		panic("engine: happenings.json: " + err.Error()) // it is part of the program
	}
	return all
}()

// Set-up.
const (
	HapBegun    = "begun"    // the game begins; pawns stand where Seats and Places say (HC-010, C8-006)
	HapReceived = "received" // Seat has its role, face down (HC-005)
	HapRedrawn  = "redrawn"  // the cards of this phase go back and come again: the roles, which were not right (HC-005), or all that the host has counted (GEN-E09)
	HapAssigned = "assigned" // every seat has its role (HC-005)
	HapLaid     = "laid"     // a card was laid face down on Place (HC-007 to HC-009)
	HapDealt    = "dealt"    // all cards lie where the game begins (HC-009, C8-004)
)

// The course of the game.
const (
	HapRound    = "round"    // a round begins; Seat is first (HC-025)
	HapAccusing = "accusing" // from now on it may be accused (HC-090)
	HapTurn     = "turn"     // the turn of Seat begins (C8-030)
	HapMoved    = "moved"    // the pawn of Seat stands in Place now, by a move, a hypothesis or a correction; no Place: outside all rooms (HC-050, C8-040, C8-072, GEN-009)
	HapTaken    = "taken"    // Seat has taken a card from Place into its hand, unseen (HC-023, HC-061)
	HapLeft     = "left"     // Seat has left a card of its hand in Place, face down (HC-062)
	HapPassed   = "passed"   // a card went unseen from the hand of Seat into that of Other (HC-083)
	HapClue     = "clue"     // Seat has drawn Cards, a clue card that is read aloud; none: nobody has named it (CC-030)
	HapDrew     = "drew"     // Seat has drawn a card that the others do not see (C8-042)
	HapGone     = "gone"     // Seat has put Cards out of the game, face up (HC-062, HC-065)
	HapPlayed   = "played"   // Seat has played Cards, which are out of the game (C8-034)
	HapPower    = "power"    // Seat has used its character's Power (C8-160)
	HapSent     = "sent"     // Seat has sent a pawn home; Other plays it, if anybody does (C8-155)
	HapPeeked   = "peeked"   // Seat has looked at the cards that lie in Place (C8-061, CC-133)
	HapLooked   = "looked"   // Seat has seen a card that is Other's, and nobody else has (C8-156, C8-174)
	HapClosed   = "closed"   // Place is closed for good (HC-056)
	HapCounting = "counting" // play pauses, the cards are counted (GEN-E09)
	HapCounted  = "counted"  // the count is over, play goes on (GEN-E09)
	HapOver     = "over"     // the game is over; Result says how (HC-157, C8-190)
)

// What the host does against the rules, besides what has a code of its own.
const (
	HapOverruled = "overruled" // the host has overruled the rules, to the good or harm of Seat, if of anybody (GEN-009)
	HapKilled    = "killed"    // the host has taken Seat out of the game, as if it were murdered at no midnight (GEN-009)
	HapRevived   = "revived"   // the host has let Seat live again, or play again, in Place; without Place outside all rooms (GEN-009)
)

// Questions and accusations.
const (
	HapAsked     = "asked"     // Seat has made a hypothesis: Cards are suspect, weapon and room; its pawn and token are moved (C8-072)
	HapNone      = "none"      // Seat can show nothing (C8-082)
	HapCalled    = "called"    // Seat has to show Other a card of its own choice, unseen by the rest (C8-153, SC-062)
	HapShown     = "shown"     // Seat has shown a card to Other, unseen by the rest (C8-081, C8-153); without Other to everybody: Cards, unless nobody has named it (CC-031)
	HapUnrefuted = "unrefuted" // nobody has shown a card (C8-084)
	HapAmended   = "amended"   // Seat puts an earlier answer right (GEN-E10)
	HapAccused   = "accused"   // Seat has accused: Other, showing Cards (HC-091), or Cards as suspect, weapon and room, where they are said aloud (C8-111)
	HapWrong     = "wrong"     // the accusation of Seat was wrong; Other was accused (HC-095, C8-114)
	HapProven    = "proven"    // the accusation of Seat was right: Cards of the envelope lie open, unless only those at the table know them (C8-113, SC-093)
)

// Murder.
const (
	HapFell          = "fell"          // a card of Seat fell into the urn (HC-120)
	HapOpened        = "opened"        // Seat has opened the urn: Cards lay in it. None: they are named one by one (HC-127, GEN-024)
	HapNamed         = "named"         // Cards lay in the urn (GEN-024)
	HapSpared        = "spared"        // the urn kills nobody (HC-130)
	HapCrime         = "crime"         // Place is a crime place, by the weapon Cards (HC-130); who died there follows
	HapDied          = "died"          // Seat died in Place: Cards is its role, none until it is turned up (HC-131); its hand lies there face down (HC-132)
	HapTurned        = "turned"        // Seat has turned its role up: Cards (HC-131, HC-095)
	HapConfrontation = "confrontation" // the last two face each other (HC-200)
	HapRecovered     = "recovered"     // Seat has taken Cards of the urn into its hand, seen by all (HC-129)
	HapRest          = "rest"          // Cards of the urn were laid face down on Place (HC-135)
	HapStruck        = "struck"        // an hour strikes: Seat has drawn a Time card, which lies open now (C8-131)
	HapMidnight      = "midnight"      // Seat has drawn one Time card too many, which goes back into the pile (C8-133, C8-137)
	HapMurdered      = "murdered"      // Seat is murdered; Cards of its hand lie open, what else it held is gone unseen (C8-134, C8-135)
	HapExposed       = "exposed"       // the host has named Cards that lie open: of the hand of Seat, or of the middle (C8-134)
)

// Chronicle is the story of a game from its beginning, for the page that tells it after
// the end. It is public, alike for everybody, and no part of a view.
type Chronicle struct {
	// Happened is what has happened, oldest first: the last MaxChronicle.
	Happened []*Happening `json:"happened" tstype:"Happening[]"`
	// Held are the hands of the end, as far as they are recorded; only after it, and where
	// the table chose the debrief (GEN-008).
	Held []Held `json:"held"`
}

// MaxChronicle is how many happenings a chronicle holds; N of the first tells how many it
// has not. A long Cluedo of six, with 20 turns each, has about 1,100.
const MaxChronicle = 2000

// Held is a hand as it was at the end.
type Held struct {
	Seat  Seat `json:"seat"`
	Cards []ID `json:"cards"` // in deck order
}

// Chronicler is a game that remembers all of it.
type Chronicler interface {
	Chronicle() Chronicle
}

// Since is what happened after number n: nothing when fewer have happened, because
// something was taken back or another game stands there.
func (v View) Since(n int) []*Happening {
	for i, h := range v.Happened {
		if h.N > n {
			return v.Happened[i:]
		}
	}
	return nil
}

// Last is the number of the last happening; 0 before the first.
func (v View) Last() int {
	if len(v.Happened) == 0 {
		return 0
	}
	return v.Happened[len(v.Happened)-1].N
}
