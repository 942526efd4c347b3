package engine

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

// Happening is one thing that all at the table saw happen. The display, its voice, the waiting
// phones and the bench react to happenings only, never to a comparison of two views or to a
// sentence.
//
//  1. Each field holds what all can see: never which card went face down somewhere, who was shown
//     what, or what a seat said in private.
//  2. N counts the happenings of a game from 1, the same for every viewer. It falls when the host
//     takes something back, and in a new game: see HappeningsAfter.
//  3. A code means the same in every game. The comment of its constant says which fields it has
//     (engine/play/happenings checks it); the others are empty.
//  4. All viewers and all views share one Happening, so no caller may change it.
type Happening struct {
	What  string `json:"what"` // one of the codes below
	N     int    `json:"n"`
	Seat  Seat   `json:"seat,omitempty"`
	Other Seat   `json:"other,omitempty"`
	Place ID     `json:"place,omitempty"`
	Cards []ID   `json:"cards,omitempty"` // face up, or named aloud
}

// String prints the fields instead of the address in memory.
func (h *Happening) String() string { return fmt.Sprintf("%v", *h) }

// MaxHappened is the most happenings in a view. The longest commands have 17: the opening of an
// urn by which 8 die in 7 places, and the last recovery of a round. So a page that has missed
// updates still finds the whole scene in the next one.
const MaxHappened = 24

// HappeningKind is a row of happenings.json: how home automation, voice, sounds and story treat one
// code. Home automation receives every code (MQTT, web hook, Home Assistant). A code has a sentence
// in the story unless its Story is StorySilent.
type HappeningKind struct {
	What  string `json:"what"`
	Story string `json:"story"`           // one of the Story constants
	Grave bool   `json:"grave,omitempty"` // the story shows it as a great moment
	// Spoken says that the display announces it and that the narrator has lines for it. Sound is
	// the name of its sound, "" for none.
	Spoken bool   `json:"spoken,omitempty"`
	Sound  string `json:"sound,omitempty"`
}

// Values of HappeningKind.Story.
const (
	StorySilent = "silent" // not in the story
	StoryFrame  = "frame"  // begins a chapter or a row, or moves a pawn
	StoryDeed   = "deed"   // an act of the seat that the row is about; the sentence does not name that seat
	StoryFate   = "fate"   // happens to the whole table
	StorySequel = "sequel" // follows from a deed, in the same row
)

//go:embed happenings.json
var happeningsJSON []byte

// AllHappenings lists all codes. No caller may change it.
var AllHappenings = func() (all []HappeningKind) {
	if err := json.Unmarshal(happeningsJSON, &all); err != nil {
		panic("engine: happenings.json: " + err.Error()) // the file is embedded, so this is a bug
	}
	return all
}()

// Set-up.
const (
	HapBegun    = "begun"    // the game begins; View.Seats and View.Places have the pawns (HC-010, C8-006)
	HapReceived = "received" // Seat has its role, face down (HC-005)
	HapRedrawn  = "redrawn"  // cards go back and are dealt again: roles that were wrong (HC-005), or what the host has counted (GEN-E09)
	HapAssigned = "assigned" // every seat has its role (HC-005)
	HapLaid     = "laid"     // a card was placed face down in Place (HC-007 to HC-009)
	HapDealt    = "dealt"    // the deal is complete (HC-009, C8-004)
)

// The course of the game.
const (
	HapRound    = "round"    // a round begins; Seat is first (HC-025)
	HapAccusing = "accusing" // accusations are allowed from now on (HC-090)
	HapTurn     = "turn"     // the turn of Seat begins (C8-030)
	HapMoved    = "moved"    // the pawn of Seat is in Place now; no Place: outside all rooms (HC-050, C8-040, C8-072, GEN-009)
	HapTaken    = "taken"    // Seat has taken a card from Place into its hand, unseen (HC-023, HC-061)
	HapLeft     = "left"     // Seat has left a card of its hand in Place, face down (HC-062)
	HapPassed   = "passed"   // a card went unseen from the hand of Seat to the hand of Other (HC-083)
	HapClue     = "clue"     // Seat has drawn Cards, a clue card that is read aloud; no Cards: no one has named it yet (CC-030)
	HapDrew     = "drew"     // Seat has drawn a card that the others do not see (C8-042)
	HapGone     = "gone"     // Seat has put Cards out of the game, face up (HC-062, HC-065)
	HapPlayed   = "played"   // Seat has played Cards, which are out of the game (C8-034)
	HapPower    = "power"    // Seat has used its character's Power (C8-160)
	HapSent     = "sent"     // Seat has sent a pawn home; Other is its player, if it has one (C8-155)
	HapPeeked   = "peeked"   // Seat has looked at the cards in Place (C8-061, CC-133)
	HapLooked   = "looked"   // Seat has seen a card of Other, unseen by the rest (C8-156, C8-174)
	HapClosed   = "closed"   // Place is closed for good (HC-056)
	HapCounting = "counting" // play pauses, the players count the cards (GEN-E09)
	HapCounted  = "counted"  // the count is over, play goes on (GEN-E09)
	HapOver     = "over"     // the game is over; Result says how (HC-157, C8-190)
)

// Acts of the host against the rules that have no other code.
const (
	HapOverruled = "overruled" // the host has overruled the rules, for or against Seat, if one is concerned (GEN-009)
	HapKilled    = "killed"    // the host has taken Seat out of the game, like a murder without a midnight (GEN-009)
	HapRevived   = "revived"   // the host has let Seat live or play again, in Place; no Place: outside all rooms (GEN-009)
)

// Questions and accusations.
const (
	HapAsked     = "asked"     // Seat has made a hypothesis: Cards are suspect, weapon and room; its pawn and token are moved (C8-072)
	HapNone      = "none"      // Seat cannot show a card (C8-082)
	HapCalled    = "called"    // Seat has to show Other a card of its own choice, unseen by the rest (C8-153, SC-062)
	HapShown     = "shown"     // Seat has shown a card to Other only (C8-081, C8-153); no Other: to all, Cards if named (CC-031)
	HapUnrefuted = "unrefuted" // no seat has shown a card (C8-084)
	HapAmended   = "amended"   // Seat corrects an earlier answer (GEN-E10)
	HapAccused   = "accused"   // Seat has accused Other, showing Cards (HC-091); or aloud the suspect, weapon and room of Cards (C8-111)
	HapWrong     = "wrong"     // the accusation of Seat was wrong; Other was accused (HC-095, C8-114)
	HapProven    = "proven"    // Seat accused rightly: Cards of the envelope, if they are known and face up (C8-113, SC-093)
)

// Murder.
const (
	HapFell          = "fell"          // a card of Seat fell into the urn (HC-120)
	HapOpened        = "opened"        // Seat has opened the urn: Cards were in it. No Cards: they are named one by one (HC-127, GEN-024)
	HapNamed         = "named"         // Cards were in the urn (GEN-024)
	HapSpared        = "spared"        // the urn kills no one (HC-130)
	HapCrime         = "crime"         // Place is a crime place, by the weapon Cards (HC-130); the seats that died there follow
	HapDied          = "died"          // Seat died in Place, its hand is there (HC-132); Cards: its role, once turned up (HC-131)
	HapTurned        = "turned"        // Seat has turned its role up: Cards (HC-131, HC-095)
	HapConfrontation = "confrontation" // the last two face each other (HC-200)
	HapRecovered     = "recovered"     // Seat has taken Cards of the urn into its hand, seen by all (HC-129)
	HapRest          = "rest"          // Cards of the urn were placed face down in Place (HC-135)
	HapStruck        = "struck"        // an hour strikes: Seat has drawn a Time card, which is face up now (C8-131)
	HapMidnight      = "midnight"      // Seat has drawn one Time card too many, which goes back into the pile (C8-133, C8-137)
	HapMurdered      = "murdered"      // Seat is murdered; Cards of its hand are face up, the rest of it is gone unseen (C8-134, C8-135)
	HapExposed       = "exposed"       // the host has named Cards that are face up: of the hand of Seat, or of the middle (C8-134)
)

// Chronicle is the story of a game from its beginning, for the page that shows it after the end. It
// is public, the same for all, and not part of a view.
type Chronicle struct {
	// Happened lists the happenings, oldest first: the last MaxChronicle.
	Happened []*Happening `json:"happened" tstype:"Happening[]"`
	// Held lists the hands at the end, as far as they are recorded. It is set only after the end,
	// and only if the table chose the debrief (GEN-008).
	Held []Held `json:"held"`
	// Superlatives lists at most MaxSuperlatives, in the order of the front page. Empty before the end.
	Superlatives []Superlative `json:"superlatives,omitempty" tstype:"Superlative[]"`
	// Fatal is the number of the happening that decided most, 0 if there was none or before the
	// end; FatalAt is its time since the first happening.
	Fatal   int    `json:"fatal,omitempty"`
	FatalAt Millis `json:"fatalAt,omitempty"`
}

// MaxChronicle is the most happenings in a chronicle. N of the first shows how many are missing.
// A long Cluedo of six, with 20 turns each, has about 1,100.
const MaxChronicle = 2000

// Held is the hand of a seat at the end.
type Held struct {
	Seat  Seat `json:"seat"`
	Cards []ID `json:"cards"` // in deck order
}

// Chronicler is a game that remembers all its happenings.
type Chronicler interface {
	// Chronicle returns them. After the end, votes are the last votes of ghosts that all may know.
	Chronicle(votes []Suspicion) Chronicle
}

// HappeningsAfter returns the happenings with a higher number. It returns none if the last number is
// not higher, for instance because the host took something back or this is another game.
func (v View) HappeningsAfter(number int) []*Happening {
	for i, h := range v.Happened {
		if h.N > number {
			return v.Happened[i:]
		}
	}
	return nil
}

// LastHappeningNumber returns the number of the last happening; 0 before the first.
func (v View) LastHappeningNumber() int {
	if len(v.Happened) == 0 {
		return 0
	}
	return v.Happened[len(v.Happened)-1].N
}
