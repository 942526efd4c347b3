package engine

import "fmt"

// View holds all that one viewer may see and do at one moment. Game.View builds it from what this
// viewer may know, never by deleting from a full state. No type reachable from View can hold a
// hidden value.
//
// Limits: 10 seats, 16 places, 64 cards in any list, 64 offers, MaxHappened happenings; 12 log
// lines. A seat has 40; in Huis Clos those before the last 16 are only the turning points of the
// game.
type View struct {
	Game   ID     `json:"game"`
	Viewer string `json:"viewer"` // "public", "host", "seat-3", "overseer"
	Phase  string `json:"phase"`  // PhaseLobby, then a code of the game, e.g. "investigation"
	// Mood is MoodDuel, MoodCount, MoodAlarm, or "": a state of the whole table, for lights and
	// display. Public.
	Mood string `json:"mood,omitempty"`
	// Prompt says to this viewer what the game waits for, and from which seat.
	Prompt Msg    `json:"prompt"`
	Rule   string `json:"rule"` // the rule behind the prompt
	// Active lists the seats that have to act now, in table order. Public.
	Active   []Seat            `json:"active"`
	Clock    Clock             `json:"clock"`
	Switches map[string]string `json:"switches"` // house rules in force
	Seats    []SeatView        `json:"seats"`    // in table order from seat 1
	Places   []PlaceView       `json:"places"`   // in deck order
	Shown    []ID              `json:"shown"`    // cards face up for all, such as those of an opened urn
	Gone     []ID              `json:"gone"`     // cards publicly out of the game
	Urn      int               `json:"urn"`      // number of cards in the unopened urn
	Readers  []ReaderView      `json:"readers"`
	Log      []Line            `json:"log"` // newest last
	// Happened lists the last happenings, newest last. Public.
	Happened []*Happening `json:"happened" tstype:"Happening[]"`
	Offers   []Offer      `json:"offers"`
	Result   *Result      `json:"result,omitempty"`
	Case     *Case        `json:"case,omitempty"` // Cluedo only
	// Me holds what only this seat knows. Nil for the public and the host.
	Me *Own `json:"me,omitempty"`
	// Custody says how completely the program knows the cards of each holder (GEN-020 to GEN-022).
	// Only the host has it: to a seat it would be a hint.
	Custody []Custody `json:"custody,omitempty"`
	// Secrets are only for the overseer, whose view is otherwise that of the public.
	Secrets []Holding `json:"secrets,omitempty"`
}

// PhaseLobby is the first phase of every game: players take their seats.
const PhaseLobby = "lobby"

// Phases of a deal.
const (
	PhaseRoles   = "roles"
	PhaseLaying  = "laying"
	PhaseDealing = "dealing"
)

// IsDealing reports the same as that of its Progress.
func (v View) IsDealing() bool { return v.Progress().IsDealing() }

// Progress returns the public fields that Game.Progress returns without a view.
func (v View) Progress() Progress {
	return Progress{Phase: v.Phase, LastHappening: v.LastHappeningNumber(), Over: v.Result != nil}
}

// Holding lists the cards that the program has on record at one place: those that a reader has read
// or a player has named. Cards that are face up are in the public view instead.
type Holding struct {
	// Of is "seat-3", a place, InUrn, InEnvelope, or "" for cards whose place is not on record.
	Of    string `json:"of"`
	Role  ID     `json:"role,omitempty"` // of a seat
	By    Seat   `json:"by,omitempty"`   // the seat that put them into the urn
	Cards []ID   `json:"cards"`          // in deck order
	Said  []ID   `json:"said,omitempty"` // named by this seat on its phone, and read by no reader
}

// Values of Holding.Of for cards that are in no place and no hand.
const (
	InUrn      = "urn"
	InEnvelope = "envelope"
)

// Moods of a table.
const (
	MoodDuel  = "confrontation" // the last two face each other (HC-200)
	MoodCount = "count"         // play pauses, the cards are counted (GEN-E09)
	MoodAlarm = "alarm"         // the deal is stopped by an alarm until the host has answered (GEN-E13)
)

// Custody says how completely the program knows the cards of one holder.
type Custody struct {
	Of    string `json:"of"`    // "seat-3", "urn", "envelope" or a place
	Cards string `json:"cards"` // Verified, Partly or Trusted
	// Role is Verified or Trusted for a seat whose secret role counts, else "".
	Role string `json:"role,omitempty"`
}

// Grades of what the program knows of a holder's cards (GEN-022).
const (
	Verified = "verified" // every card is recorded: the program can decide
	Partly   = "partly"   // some cards are recorded
	Trusted  = "trusted"  // none is recorded: the program believes what the seat declares
)

// Clock is the public counter of a game: rounds in Huis Clos, Time cards in Cluedo 2008.
type Clock struct {
	At   int  `json:"at"`   // 0 before the first
	Of   int  `json:"of"`   // the limit; 0 when there is none, or not yet
	Mark int  `json:"mark"` // the first value at which accusations open; 0: none
	Open bool `json:"open"` // accusations are open now
}

// SeatView holds the public facts of a seat.
type SeatView struct {
	Seat      Seat   `json:"seat"`
	Name      string `json:"name"`
	Character ID     `json:"character,omitempty"`
	Place     ID     `json:"place,omitempty"` // where the pawn is
	Cards     int    `json:"cards"`           // size of the hand
	Tokens    int    `json:"tokens"`          // Accusation cards
	Destroyed int    `json:"destroyed"`
	Alive     bool   `json:"alive"`
	Out       bool   `json:"out,omitempty"`   // has made a wrong accusation: no more turns
	Spent     bool   `json:"spent,omitempty"` // has used its character's Power
	First     bool   `json:"first"`           // starts this round and holds the urn
	// Colour is the colour of its character, as an index into Colours counted from 1; 0: the colour
	// with the number of the seat.
	Colour int  `json:"colour,omitempty"`
	Done   bool `json:"done"`           // has done what this phase asks (deposited, picked, ...)
	Role   ID   `json:"role,omitempty"` // after it was turned face up
	Hand   []ID `json:"hand,omitempty"` // its cards that are face up for all, in a Cluedo
}

// Colours lists the colours of the seats, in seat order, for pages and lights.
var Colours = [MaxSeats]string{"red", "green", "blue", "violet", "amber", "ivory", "fuchsia", "lemon", "teal", "brown"}

// Lamp codes of a place, for the LEDs above it.
const (
	LampOpen   = "open"   // can be entered
	LampHere   = "here"   // a player investigates here now
	LampCrime  = "crime"  // a player was murdered here in this resolution
	LampClosed = "closed" // closed for good: dark
	LampReach  = "reach"  // the pawn can reach it with the points of the roll
)

// PlaceView holds the public facts of a place or room.
type PlaceView struct {
	Place  ID     `json:"place"`
	Weapon ID     `json:"weapon,omitempty"` // the murder weapon that belongs here
	Open   bool   `json:"open"`
	Cards  int    `json:"cards"` // clues here, face down
	Pawns  []Seat `json:"pawns"`
	Lamp   string `json:"lamp"`
}

// ReaderView says which card a reader of the table waits for. A reader that is not in the list
// waits for none.
type ReaderView struct {
	Reader string `json:"reader"` // ReaderUrn, ReaderShow
	Kind   ID     `json:"kind"`   // kind of card expected
	Seat   Seat   `json:"seat"`   // the seat whose colour it shows; 0 if any seat may present it
}

// Line is one line of the story, for one audience.
type Line struct {
	N     uint16 `json:"n"` // rising number of this line, for this audience
	Round uint16 `json:"round"`
	// Of is the number of the happening that this line describes; 0: none.
	Of  uint16 `json:"of,omitempty"`
	Own bool   `json:"own,omitempty"` // only for this seat
	// Msg is shared by all viewers and all views: no caller may change it.
	Msg *Msg `json:"msg" tstype:",required"`
}

// String prints the sentence itself, not its address in memory.
func (l Line) String() string {
	return fmt.Sprintf("{%d %d %v %t %d}", l.N, l.Round, *l.Msg, l.Own, l.Of)
}

// CardView is a card whose face the viewer may see.
type CardView struct {
	Card ID `json:"card"`
	// Marks are hints for this card: in Huis Clos "deposit" (may be deposited) and "new" (just
	// taken); in a Cluedo "fits" (answers the question) and "play" (may be played now).
	Marks []string `json:"marks,omitempty"`
}

// Own holds what one seat knows and the others do not.
type Own struct {
	Seat Seat       `json:"seat"`
	Role ID         `json:"role,omitempty"`
	Hand []CardView `json:"hand"`
	// Tray lists the cards that this seat may look through now: the pile of the initial pick or the
	// searched place. Otherwise empty.
	Tray  []ID  `json:"tray"`
	Facts []Msg `json:"facts"` // facts and limits that concern only this seat now
	// Seen lists, newest first, the last sighting by this seat of each card outside its own hand.
	Seen []*Sighting `json:"seen" tstype:"Sighting[]"`
}

// Sighting is a moment at which a seat saw the faces of cards. All views share one Sighting, so no
// caller may change it.
type Sighting struct {
	Cards []ID   `json:"cards"` // in deck order
	How   string `json:"how"`   // one of the codes below
	Place ID     `json:"place,omitempty"`
	Other Seat   `json:"other,omitempty"` // the seat that had the card, or received it
	Round int    `json:"round"`
}

// String prints the fields instead of the address in memory.
func (s *Sighting) String() string { return fmt.Sprintf("%+v", *s) }

// How a seat saw a card.
const (
	SawThere    = "there"     // in Place, when this seat searched there or all saw it put there
	SawTaken    = "taken"     // Other took it in Place, seen by this seat
	SawDrawn    = "drawn"     // this seat drew it from Other, or Other from this seat
	SawGiven    = "given"     // the same, for the card given in return
	SawLeft     = "left"      // this seat left it in Place
	SawUrn      = "urn"       // this seat put it into the urn
	SawShown    = "shown"     // Other showed it to this seat, or recovered it in front of all
	SawEnvelope = "envelope"  // in the envelope, after a wrong accusation by this seat
	SawTakenOwn = "taken-own" // this seat took it in Place, and no longer has it
)

// Offer is one act that public facts allow now. The order of offers is public too. Decide accepts
// the act with the fixed arguments and any combination of one value from each parameter's domain,
// unless secret knowledge of this seat forbids it. Then No is set or a domain is empty (see
// IsAllowed). A page shows allowed and forbidden offers in the same way, so that a button reveals
// no secret (BystanderOfferLines); the reason appears on a tap.
type Offer struct {
	Act    string  `json:"act"`
	Rule   string  `json:"rule"`
	Fixed  Args    `json:"fixed,omitempty"`
	Params []Param `json:"params,omitempty"`
	// Grave marks an act that cannot be taken back; pages ask for a confirmation.
	Grave bool `json:"grave,omitempty"`
	// Aside marks an act that corrects the record and is not a move of the game; pages keep it in a
	// menu.
	Aside bool `json:"aside,omitempty"`
	// Overrule marks an act of the host against the rules (GEN-009); pages show it separately.
	// Whether it is offered depends on public facts only.
	Overrule bool `json:"overrule,omitempty"`
	// No is the reason why this seat may not act; nil: it may, or a parameter has the reason.
	No *Refusal `json:"no,omitempty"`
}

// Unnamed is the value of a "card" parameter for a card that is not named: the cards are real, and
// the program need not know which one it is (GEN-024).
const Unnamed = "unnamed"

// Param is one argument that the player chooses.
type Param struct {
	Name string `json:"name"`
	// Kind is "card", "role", "place", "seat", "character", "switch", "value" or "text". Cards and
	// roles are secrets that a page shows only under a finger, unless Aloud is set; the others are
	// public.
	Kind string `json:"kind"`
	// Domain lists the allowed values, in deck or table order; empty for "text". In JSON it is left
	// out if All is set: it is All without the values of No.
	Domain []string `json:"domain,omitempty"`
	// All lists the values that public facts allow, in deck or table order, if secret knowledge of
	// this seat forbids some of them. Nil: Domain has all of them. For a covered parameter All may
	// include cards of the hand; then only their number is public.
	All []string `json:"all,omitempty"`
	// No gives the reason for each value of All that is not in Domain.
	No []Refusal `json:"no,omitempty"`
	// Aloud marks a card that the player names in public.
	Aloud bool `json:"aloud,omitempty"`
	Max   int  `json:"max,omitempty"` // largest length of a "text", in bytes
}

// Refusal is the rule and sentence with which Decide would refuse an act that public facts allow,
// because of secret knowledge of the seat.
type Refusal struct {
	Rule string `json:"rule"`
	Why  Msg    `json:"why"`
	At   []int  `json:"at,omitempty"` // indices of the refused values in a parameter's All
}

// Result describes the end of the game.
type Result struct {
	Rule    string `json:"rule"`
	Winners []Seat `json:"winners"` // empty: no one wins
	// Solution lists the cards of a Cluedo's envelope, once they are face up.
	Solution []ID `json:"solution,omitempty"`
	Msg      Msg  `json:"msg"`
}
