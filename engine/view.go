package engine

import "fmt"

// View is all that one viewer may see and do at one moment. It is built for
// that viewer from what the viewer may know, never by deleting from a full
// state; no type reachable from it can hold a hidden value.
//
// Limits: 10 seats, 16 places, 64 cards in any list, 64 offers, MaxHappened happenings;
// 12 log lines, 40 for a seat, which in Huis Clos older than the last 16 tell only what
// turned the evening.
type View struct {
	Game   ID     `json:"game"`
	Viewer string `json:"viewer"` // "public", "host", "seat-3", "overseer"
	Phase  string `json:"phase"`  // PhaseLobby, then a code of the game, e.g. "investigation"
	// Mood changes how the whole table feels: MoodDuel, MoodCount, MoodAlarm, or "". Public.
	Mood string `json:"mood,omitempty"`
	// Prompt says to this viewer what is awaited, and from whom.
	Prompt Msg    `json:"prompt"`
	Rule   string `json:"rule"` // the rule behind the prompt
	// Active are the seats that are to act now, in table order. Public.
	Active   []Seat            `json:"active"`
	Clock    Clock             `json:"clock"`
	Switches map[string]string `json:"switches"` // house rules in force
	Seats    []SeatView        `json:"seats"`    // in table order from seat 1
	Places   []PlaceView       `json:"places"`   // in deck order
	Shown    []ID              `json:"shown"`    // cards lying face up for all, such as an opened urn
	Gone     []ID              `json:"gone"`     // cards publicly out of the game
	Urn      int               `json:"urn"`      // cards lying in the urn, unopened
	Readers  []ReaderView      `json:"readers"`
	Log      []Line            `json:"log"` // newest last
	// Happened is what happened last, newest last. Public.
	Happened []*Happening `json:"happened" tstype:"Happening[]"`
	Offers   []Offer      `json:"offers"`
	Result   *Result      `json:"result,omitempty"`
	Case     *Case        `json:"case,omitempty"` // Cluedo only
	// Me is what only this seat knows. Nil for the public and the host.
	Me *Own `json:"me,omitempty"`
	// Custody says how far the machine knows where the cards are (GEN-020 to
	// GEN-022). For the host alone: to a seat it would be a hint.
	Custody []Custody `json:"custody,omitempty"`
	// Secrets are for the overseer alone, who is shown the view of the public otherwise.
	Secrets []Holding `json:"secrets,omitempty"`
}

// PhaseLobby is the phase in which every game begins: people sit down.
const PhaseLobby = "lobby"

// IsDealing reports that roles are drawn, or clues laid or dealt, in any of the games.
func (v View) IsDealing() bool {
	return v.Phase == "roles" || v.Phase == "laying" || v.Phase == "dealing"
}

// Holding is what the machine has on record at one place: nothing of what no reader has seen and nobody
// has said. What lies open stands in the view of everybody.
type Holding struct {
	// Of is "seat-3", a place, InUrn, InEnvelope, or "" for cards whose place is not on record.
	Of    string `json:"of"`
	Role  ID     `json:"role,omitempty"` // of a seat
	By    Seat   `json:"by,omitempty"`   // who has put them into the urn
	Cards []ID   `json:"cards"`          // in deck order
	Said  []ID   `json:"said,omitempty"` // named by this seat on its phone, and seen by no reader
}

// Where cards lie that lie in no place and no hand.
const (
	InUrn      = "urn"
	InEnvelope = "envelope"
)

// Moods of a table.
const (
	MoodDuel  = "confrontation" // the last two face each other (HC-200)
	MoodCount = "count"         // play pauses, the cards are counted (GEN-E09)
	MoodAlarm = "alarm"         // the deal stands after an alarm, until the host has answered (GEN-E13)
)

// Custody is how far the machine knows the cards of one holder.
type Custody struct {
	Of    string `json:"of"`    // "seat-3", "urn", "envelope" or a place
	Cards string `json:"cards"` // Verified, Partly or Trusted
	// Role is Verified or Trusted for a seat whose secret role counts, else "".
	Role string `json:"role,omitempty"`
}

// Grades of knowledge (GEN-022).
const (
	Verified = "verified" // every card is recorded: the machine judges by itself
	Partly   = "partly"   // some are
	Trusted  = "trusted"  // none is: what the seat declares is believed
)

// Clock is the public counter: rounds in Huis Clos, Time cards in Cluedo 2008.
type Clock struct {
	At   int  `json:"at"`   // 0 before the first
	Of   int  `json:"of"`   // the limit; 0 when there is none, or none yet
	Mark int  `json:"mark"` // the first value at which something opens (accusations); 0 none
	Open bool `json:"open"` // that thing is open now
}

// SeatView is what everybody knows of a seat.
type SeatView struct {
	Seat      Seat   `json:"seat"`
	Name      string `json:"name"`
	Character ID     `json:"character,omitempty"`
	Place     ID     `json:"place,omitempty"` // where the pawn stands
	Cards     int    `json:"cards"`           // size of the hand
	Tokens    int    `json:"tokens"`          // Accusation cards
	Destroyed int    `json:"destroyed"`
	Alive     bool   `json:"alive"`
	Out       bool   `json:"out,omitempty"`   // has accused wrongly: no more turns
	Spent     bool   `json:"spent,omitempty"` // has used its character's Power
	First     bool   `json:"first"`           // starts this round and holds the urn
	// Colour is that of its character, one of Colours counted from 1; 0: the one of its own number.
	Colour int  `json:"colour,omitempty"`
	Done   bool `json:"done"`           // has done what this phase asks (deposited, picked, ...)
	Role   ID   `json:"role,omitempty"` // once it lies face up
	Hand   []ID `json:"hand,omitempty"` // cards of it that lie face up for all, in a Cluedo
}

// Colours are those of the seats, in their order: of the pages and of the lights.
var Colours = [MaxSeats]string{"red", "green", "blue", "violet", "amber", "ivory", "fuchsia", "lemon", "teal", "brown"}

// Lamp codes of a place, and of the LEDs above it.
const (
	LampOpen   = "open"   // can be entered
	LampHere   = "here"   // somebody investigates here now
	LampCrime  = "crime"  // somebody was murdered here in this resolution
	LampClosed = "closed" // closed for good: dark
	LampReach  = "reach"  // the points of the roll lead here
)

// PlaceView is what everybody knows of a place or room.
type PlaceView struct {
	Place  ID     `json:"place"`
	Weapon ID     `json:"weapon,omitempty"` // the murder weapon that belongs here
	Open   bool   `json:"open"`
	Cards  int    `json:"cards"` // clues lying face down
	Pawns  []Seat `json:"pawns"`
	Lamp   string `json:"lamp"`
}

// ReaderView says what a reader of the table waits for. A reader that is not
// listed waits for nothing.
type ReaderView struct {
	Reader string `json:"reader"` // ReaderUrn, ReaderShow
	Kind   ID     `json:"kind"`   // kind of card expected
	Seat   Seat   `json:"seat"`   // whose colour it glows in; 0 anybody
}

// Line is one line of the story, for one audience.
type Line struct {
	N     uint16 `json:"n"` // rising number
	Round uint16 `json:"round"`
	// Of is the number of the happening that this line tells; 0: of none.
	Of  uint16 `json:"of,omitempty"`
	Own bool   `json:"own,omitempty"` // told to this seat alone
	// Msg is one for all viewers, and for all views: nobody may change it.
	Msg *Msg `json:"msg" tstype:",required"`
}

// String prints the sentence too, and not where it stands in memory.
func (l Line) String() string {
	return fmt.Sprintf("{%d %d %v %t %d}", l.N, l.Round, *l.Msg, l.Own, l.Of)
}

// CardView is a card that the viewer may see the face of.
type CardView struct {
	Card ID `json:"card"`
	// Marks say what binds this card now: "deposit" may be deposited,
	// "kept" must stay, "new" just taken.
	Marks []string `json:"marks,omitempty"`
}

// Own is what one seat knows and others do not.
type Own struct {
	Seat Seat       `json:"seat"`
	Role ID         `json:"role,omitempty"`
	Hand []CardView `json:"hand"`
	// Tray are the cards that this seat may look through at this moment: the
	// pile of the initial pick or the searched place. Empty otherwise.
	Tray  []ID  `json:"tray"`
	Facts []Msg `json:"facts"` // limits that bind this seat alone now
	// Seen is where this seat saw each card last, apart from its own hand;
	// newest first.
	Seen []*Sighting `json:"seen" tstype:"Sighting[]"`
}

// Sighting is a moment at which a seat saw the faces of cards. One is for all views that hold
// it: nobody may change it.
type Sighting struct {
	Cards []ID   `json:"cards"` // in deck order
	How   string `json:"how"`   // one of the codes below
	Place ID     `json:"place,omitempty"`
	Other Seat   `json:"other,omitempty"` // whose card, or to whom it went
	Round int    `json:"round"`
}

// String prints what it is, and not where it stands in memory.
func (s *Sighting) String() string { return fmt.Sprintf("%+v", *s) }

// How a seat saw a card.
const (
	SawThere    = "there"     // lying in Place, when this seat searched or all saw it laid
	SawTaken    = "taken"     // Other took it in Place, observed by this seat
	SawDrawn    = "drawn"     // this seat drew it from Other, or Other from this seat
	SawGiven    = "given"     // the same, for the card given in return
	SawLeft     = "left"      // this seat left it in Place
	SawUrn      = "urn"       // this seat put it into the urn
	SawShown    = "shown"     // Other showed it to this seat, or recovered it before all
	SawEnvelope = "envelope"  // lying in the envelope, after a wrong accusation of this seat
	SawTakenOwn = "taken-own" // this seat took it in Place, and has it no longer
)

// Offer is one act that public facts allow now, in an order that is public too. Decide
// accepts it with every combination of one value from the domain of each parameter, and
// the fixed arguments; unless what this seat alone knows forbids it: then it has No or an
// empty domain (see Allowed). A page shows both alike, so that a button tells no secret
// (Glance), and says why on the tap.
type Offer struct {
	Act    string  `json:"act"`
	Rule   string  `json:"rule"`
	Fixed  Args    `json:"fixed,omitempty"`
	Params []Param `json:"params,omitempty"`
	// Grave marks an act that cannot be taken back and deserves a confirmation.
	Grave bool `json:"grave,omitempty"`
	// Aside marks an act that mends the record and is no move of the game; pages
	// keep it in a menu.
	Aside bool `json:"aside,omitempty"`
	// Overrule marks an act of the host against the rules (GEN-009): pages keep them in a place
	// of their own. Whether one is offered hangs on public facts alone.
	Overrule bool `json:"overrule,omitempty"`
	// No is why this seat may not; nil: it may, or a parameter says why not.
	No *Refusal `json:"no,omitempty"`
}

// Unnamed is the value of a parameter "card" that does not say which card: the
// cards are real, and the machine need not know (GEN-024).
const Unnamed = "unnamed"

// Param is one argument to be chosen.
type Param struct {
	Name string `json:"name"`
	// Kind is "card", "role", "place", "seat", "character", "switch", "value" or "text". Cards and roles
	// are secrets, to be asked for under a finger, unless they are Aloud; the others are public.
	Kind string `json:"kind"`
	// Domain are the legal values, in deck or table order; empty for "text". On the
	// wire it is left out where All stands: it is All without the values of No.
	Domain []string `json:"domain,omitempty"`
	// All are the values that public facts allow, in deck or table order, where what
	// this seat knows forbids some of them; else nil: the domain is all of them. A
	// choice that is covered may be among the cards of a hand: then their number is
	// public, and not which they are.
	All []string `json:"all,omitempty"`
	// No says why each value of All that is not in the domain would be refused.
	No []Refusal `json:"no,omitempty"`
	// Aloud is a card that all may hear named.
	Aloud bool `json:"aloud,omitempty"`
	Max   int  `json:"max,omitempty"` // bytes of a "text"
}

// Refusal is how Decide would refuse to a seat, by what it alone knows, an act that
// public facts allow.
type Refusal struct {
	Rule string `json:"rule"`
	Why  Msg    `json:"why"`
	At   []int  `json:"at,omitempty"` // which values of a parameter's All, from 0
}

// Result is how the game ended.
type Result struct {
	Rule    string `json:"rule"`
	Winners []Seat `json:"winners"` // empty: nobody wins
	// Solution are the cards of a Cluedo's envelope, once they lie face up.
	Solution []ID `json:"solution,omitempty"`
	Msg      Msg  `json:"msg"`
}
