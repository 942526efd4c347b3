// Package wire defines the JSON between the daemon and its pages: the envelope around a view, the
// acts that phones send, and the answers. TypeScript types are generated from this package and from
// package engine.
//
// Each update has the whole view, never a difference, so a page that reconnects only needs the last
// one. Version rises when an old page would misread a new update.
package wire

import (
	"errors"
	"strings"

	"majordome/engine"
)

// Version is the version of these types.
const Version = 1

// Limits, in bytes.
const (
	MaxView = 26 << 10 // sealed view: 4 bytes of length and the JSON of one envelope
	MaxAct  = 1 << 10  // JSON of one act
)

// Update is one view with the additions of the table, for one viewer.
type Update struct {
	V     int    `json:"v"`
	Epoch uint64 `json:"epoch"` // rises with each start of the daemon
	Rev   uint64 `json:"rev"`   // rises with each step within an epoch
	Demo  bool   `json:"demo"`  // a demonstration table, no real cards
	// Seq is the highest act sequence accepted from this viewer's first phone. Seqs has those of
	// the other phones, from the second on; a missing one is 0.
	Seq  uint64      `json:"seq"`
	Seqs []uint64    `json:"seqs,omitempty"`
	View engine.View `json:"view"`
	// Left is the time for which the open window of the view (Case.Closes) was still open when this
	// update was built; 0: none is open. Pages need it because they do not know the clock of the
	// game. A page counts down from the moment when it receives this revision.
	Left engine.Millis `json:"left,omitempty"`
	// Waited is the time for which the table has waited for the seats in View.Active: the longest
	// of them. It is computed from public views only and is the same for all, so it reveals nothing
	// that a person with a watch would not know. A page counts on from there.
	Waited engine.Millis `json:"waited,omitempty"`
	// Cut is for the public: the number of the last happening whose scene the host has skipped.
	Cut int `json:"cut,omitempty"`
	// Notice is this viewer's message about the last refused act or bad reading.
	Notice *Notice `json:"notice,omitempty"`
	// Paused says why the game is paused (such as a failure of the store); nil while it runs.
	Paused *engine.Msg `json:"paused,omitempty"`
	// Hint is the host's newest hint for this viewer, until it is taken back. The public has the
	// one for the display.
	Hint *Hint `json:"hint,omitempty"`
	// Hold is set while a person or a program has paused the game; then Paused is set too. Phones
	// hide their secrets until the game goes on.
	Hold *Hold `json:"hold,omitempty"`
	// Overseen is set while one of the host's devices sees the secrets; the same for all.
	Overseen *Overseen `json:"overseen,omitempty"`
	// Count is the countdown of the game, the same for all; nil: none.
	Count *Count `json:"count,omitempty"`
	// Table is the public state of the table and its devices.
	Table TableView `json:"table"`
	// Vote is a correction that the living seats are asked to agree to (GEN-009).
	Vote *Vote `json:"vote,omitempty"`
	// Ghosts has, after the end, at most one sentence for each player who had died: whom they voted for as the murderer.
	Ghosts  []engine.Msg `json:"ghosts,omitempty"`
	Binding `tstype:",extends"`
	// Notes are the marks of this seat on its note sheet, as its page sent them (ActNote); only for
	// this seat.
	Notes string `json:"notes,omitempty"`
	// Guest is for a phone that has joined at a free seat: what it has asked for.
	Guest    *Guest              `json:"guest,omitempty"`
	Phone    int                 `json:"-"` // only for this phone of its viewer; 0: for all its phones
	*ForHost `tstype:",extends"` // nil for all viewers except the host
}

// Binding says what an update belongs to, so that its page can check that.
type Binding struct {
	// Game is the number of the game, which rises with each one at this table. The key of a phone is for one game (package pair,
	// "A key for each game").
	Game int64 `json:"game,omitempty"`
	// Names is NamesSum of the names that belong to this update. They are sent in the open, and a phone shows no others.
	Names string `json:"names,omitempty"`
	// Proof commits the table to what was dealt and played, the same for all; nil before a deal.
	Proof *Proof `json:"proof,omitempty"`
	// Opened are the facts of the deal that this viewer has seen, in the order of their leaves. It
	// checks them by Proof.
	Opened []Opening `json:"opened,omitempty"`
}

// ForHost holds the fields that only the host's update has.
type ForHost struct {
	// Desk is the desk of the host: invitations, guests, devices, hints.
	Desk *Desk `json:"desk,omitempty"`
	// Box is the state of the check of the box.
	Box *BoxCheck `json:"box,omitempty"`
	// Lost lists what was recorded and is missing, while the table waits for the host to go on or
	// to restore a backup; at most 8 sentences.
	Lost []engine.Msg `json:"lost,omitempty"`
	// Machine lists problems of the table's computer, faults first; at most MaxFindings.
	Machine []Finding `json:"machine,omitempty"`
	// Drawing rises within a revision when the update is sent again to the host's devices because a
	// person has signed in or out.
	Drawing uint64 `json:"drawing,omitempty"`
}

// MaxHint is the longest hint, in bytes; MaxStock is the most prepared hints of a game.
const (
	MaxHint  = 160
	MaxStock = 12
)

// Hint is a hint for the viewer who may read it. For a hint written by a person EN is empty, and FR
// has the text in any language.
type Hint struct {
	N    int         `json:"n"`
	Own  bool        `json:"own,omitempty"` // only for this seat
	Text engine.Text `json:"text"`
}

// Hints is for the host: the limit of hints in a game ("off", "free" or a number), the number
// given, those that can be taken back, the seats that ask for one, and the prepared ones.
type Hints struct {
	Most  string      `json:"most"`
	Given int         `json:"given"`
	Sent  []SentHint  `json:"sent,omitempty"`
	Asked []AskedHint `json:"asked,omitempty"`
	Stock []StockHint `json:"stock,omitempty"`
}

// SentHint is a hint that was given to a seat ("seat-3"), to "all" or to the "display".
type SentHint struct {
	N    int           `json:"n"`
	To   string        `json:"to"`
	By   string        `json:"by"` // as Hold.By
	Text engine.Text   `json:"text"`
	Ago  engine.Millis `json:"ago"` // time since it was given
}

// AskedHint is a seat that asks for a hint, and the time since it asked.
type AskedHint struct {
	Seat  engine.Seat   `json:"seat"`
	Since engine.Millis `json:"since"`
}

// StockHint is a prepared hint.
type StockHint struct {
	ID   string      `json:"id"`
	Text engine.Text `json:"text"`
}

// Watch lists what keeps the game from going on, from public facts. A page counts on from the
// moment when it receives it.
type Watch struct {
	Still engine.Millis `json:"still"` // time since the last happening, on the game's clock, which stops in a pause
	Away  []AwaySeat    `json:"away,omitempty"`
	Lost  []LostReader  `json:"lost,omitempty"`
	Wrong []WrongReader `json:"wrong,omitempty"`
}

// AwaySeat is a seat without a connected phone; Since is for how long.
type AwaySeat struct {
	Seat  engine.Seat   `json:"seat"`
	Since engine.Millis `json:"since"`
}

// LostReader is a reader that does not answer; Since is for how long.
type LostReader struct {
	Reader string        `json:"reader"`
	Since  engine.Millis `json:"since"`
}

// WrongReader is a reader that has asked N times for a card to be presented again since the last
// happening.
type WrongReader struct {
	Reader string `json:"reader"`
	N      int    `json:"n"`
}

// ByProgram begins the name of a home program in Hold.By and SentHint.By.
const ByProgram = "mqtt."

// Hold is a pause by a person or a program.
type Hold struct {
	// By is "host", "host.2" for the second device of the host, "button", "clock", ByProgram and
	// its name, or as ByStaff says.
	By    string `json:"by"`
	Alarm bool   `json:"alarm,omitempty"` // under white light
	Over  bool   `json:"over,omitempty"`  // the countdown has ended the game
}

// Overseen says which of the host's devices sees the secrets.
type Overseen struct {
	By string `json:"by"` // as Hold.By
}

// Count is the time left of a countdown when the update was built. While it runs, a page counts
// down from the moment when it receives it.
type Count struct {
	Left engine.Millis `json:"left"`
	Of   engine.Millis `json:"of"` // the whole time
	Runs bool          `json:"runs,omitempty"`
	// Ends is its end by the clock of the table's computer, in Unix seconds, for home automation;
	// 0: it is stopped.
	Ends int64 `json:"ends,omitempty"`
}

// Timing holds the host's choices for the countdowns of this table: minutes for a game, 0 for none,
// and the seconds that a hint and a wrong accusation cost.
type Timing struct {
	Minutes int `json:"minutes"`
	Hint    int `json:"hint"`
	Wrong   int `json:"wrong"`
}

// Values of Desk.Light: what lights the room.
const (
	LightGame  = "game" // the game, as usual
	LightWhite = "white"
	LightDark  = "dark"
)

// Story is the story of the whole game (GET /story.json), after its end. It is public, and all
// requests get the same bytes.
type Story struct {
	V                int       `json:"v"`
	Game             engine.ID `json:"game"`
	engine.Chronicle `tstype:",extends"`
	Evening          Evening `json:"evening"`
}

// Evening holds the facts about the group on the picture of a result.
type Evening struct {
	Team   string        `json:"team,omitempty"`
	Played engine.Millis `json:"played"`
	Hints  int           `json:"hints"`
	Of     engine.Millis `json:"of,omitempty"` // time of its countdown
	Left   engine.Millis `json:"left,omitempty"`
}

// Team describes the group, as the host entered it before the game. The next group begins with an
// empty one.
type Team struct {
	Name   string `json:"name,omitempty"`
	Guests int    `json:"guests,omitempty"`
	Start  string `json:"start,omitempty"` // such as 20:30
	Lang   string `json:"lang,omitempty"`
	Notes  string `json:"notes,omitempty"` // only for the host
}

// Vote is a proposed correction. It is public, but does not name what it would take back, because
// that may be a secret.
type Vote struct {
	By     engine.Seat   `json:"by"`
	Agreed []engine.Seat `json:"agreed"`
	Of     []engine.Seat `json:"of"` // the living seats
}

// BoxCheck is the inventory of the box before a game: each card that passes any reader counts once.
// While it is open, no card reaches the game.
type BoxCheck struct {
	Kinds   []KindCount `json:"kinds"`   // in deck order
	Missing []engine.ID `json:"missing"` // not seen yet, in deck order
	Last    engine.ID   `json:"last,omitempty"`
	Foreign int         `json:"foreign"` // tags of no card of this deck
	// Where says for cards of Missing that were seen lately where that was, the quickest to find
	// first.
	Where []LastSeen `json:"where,omitempty"`
	// Gate: the next game waits for a complete box. Since is for how long.
	Gate  bool          `json:"gate,omitempty"`
	Since engine.Millis `json:"since,omitempty"`
}

// LastSeen is the last reader or place where a card was seen, in the games of the last group or
// since.
type LastSeen struct {
	Card engine.ID     `json:"card"`
	At   string        `json:"at"`
	Ago  engine.Millis `json:"ago"`
	Game bool          `json:"game,omitempty"` // in the last game; Ago is then the time since its end
}

// KindCount counts the cards of one kind.
type KindCount struct {
	Kind engine.ID `json:"kind"`
	Seen int       `json:"seen"`
	Of   int       `json:"of"`
}

// Notice is a short message that is not part of the game.
type Notice struct {
	N       uint64     `json:"n"` // rises, so that a page can distinguish a new notice
	Msg     engine.Msg `json:"msg"`
	Rule    string     `json:"rule,omitempty"`
	Private bool       `json:"private,omitempty"` // only for this seat
	// Signal is shown by the reader's light: SignalAgain, SignalAccepted, or "" for none.
	Signal string `json:"signal,omitempty"`
	Reader string `json:"reader,omitempty"`
	// Passing: the message needs no action and disappears automatically.
	Passing bool `json:"passing,omitempty"`
}

// Signals of the light at a reader.
const (
	SignalAgain    = "again" // present the card again
	SignalAccepted = "accepted"
)

// TableView is the public state of the table and its devices.
type TableView struct {
	Readers map[string]string `json:"readers"` // role or place of a reader -> "ok", "lost"
	Online  []engine.Seat     `json:"online"`  // seats with a phone connected
	// Phones lists the seats with more than one phone. All see it, so that no one can secretly add
	// a phone to a seat (GEN-E12).
	Phones []SeatPhones `json:"phones,omitempty"`
	// Asked lists the seats at which a device has connected with the key of another phone; 0 for
	// the host's page (ActCutPhone).
	Asked []engine.Seat `json:"asked,omitempty"`
	// Team is the name of the group, and Lang the language of the display for it; empty: the
	// display's own setting.
	Team string `json:"team,omitempty"`
	Lang string `json:"lang,omitempty"`
	// Host informs the display that no one has the host's page: HostFree, or HostAsked while a
	// phone asks for it; empty: there is a host.
	Host string `json:"host,omitempty"`
	// URL is the address of the pages for phones, for the display and the host; empty while there
	// is no network. At most 255 bytes.
	URL string `json:"url,omitempty"`
	// Name is another name of the same machine that most phones can resolve, such as
	// majordome.local; at most 255 bytes.
	Name string `json:"name,omitempty"`
	// Wall is the code of the lobby, by which phones ask for a seat (package pair, "Joining from the
	// display"); empty while a game is running. All may know it.
	Wall string `json:"wall,omitempty"`
	// Waiting is the number of phones that wait in the lobby for the host to seat their players.
	Waiting int `json:"waiting,omitempty"`
	// Claims lists the seats that phones claim by a card which was just laid (package pair, "By a card").
	Claims []CardClaim `json:"claims,omitempty"`
}

// CardClaim is the claim of the seat of a character by its card. All may know it.
type CardClaim struct {
	Character engine.ID `json:"character"`
	// Figures are the four figures that the phone has to show, too; empty: it has not answered yet.
	Figures string `json:"figures,omitempty"`
}

// Values of TableView.Host.
const (
	HostFree  = "free"
	HostAsked = "asked"
)

// SeatPhones lists the phones of one seat.
type SeatPhones struct {
	Seat   engine.Seat `json:"seat"`
	Phones []int       `json:"phones"` // their numbers, ascending
	Online []int       `json:"online"` // numbers of the connected ones
}

// Desk holds what only the host's page shows.
type Desk struct {
	Invites []Invite `json:"invites"` // one more than players and guests while another player can join
	Guests  []Guest  `json:"guests,omitempty"`
	// Asking is the number of phones that ask for a seat and are not among Guests, because no
	// place is free for them.
	Asking int `json:"asking,omitempty"`
	// Hosts lists the devices with the host's page, by number.
	Hosts []HostDevice `json:"hosts"`
	Watch *Watch       `json:"watch,omitempty"`
	// Read lists the seats that have read the introduction to the game, in the lobby.
	Read []engine.Seat `json:"read,omitempty"`
	// Undo is the table's line about the act that an undo would take back; nil: there was none, or
	// there is no such act.
	Undo *engine.Msg `json:"undo,omitempty"`
	// Light is one of the Light constants; empty: no lights.
	Light       string `json:"light,omitempty"`
	ForOperator `tstype:",extends"`
}

// ForOperator holds what a device of the host shows only if a person with at least the role of
// operator is signed in, or if there are no accounts.
type ForOperator struct {
	// Pleas lists the devices that ask for the host's page, at most six. Waiting is the number of
	// further ones.
	Pleas   []Plea  `json:"pleas,omitempty"`
	Waiting int     `json:"waiting,omitempty"`
	Hints   *Hints  `json:"hints,omitempty"`
	Team    *Team   `json:"team,omitempty"`
	Timing  *Timing `json:"timing,omitempty"`
}

// HostDevice is one device with the host's page.
type HostDevice struct {
	N      int    `json:"n"`              // 1 for the first; MaxHosts at most
	Kind   string `json:"kind,omitempty"` // as in Plea
	Online bool   `json:"online"`
}

// Plea is a device that asks for access to the host's page. The device itself chooses nothing in it
// except Kind.
type Plea struct {
	Code    string `json:"code"`           // four digits, which the device shows too
	Kind    string `json:"kind,omitempty"` // what its browser says that it is: one of DeviceKinds, or ""
	Minutes int    `json:"minutes"`        // whole minutes since it asked
}

// DeviceKinds are the systems that a browser may name.
var DeviceKinds = []string{"iphone", "ipad", "android", "windows", "mac", "linux"}

// Guest is a phone that has joined at a free seat, with the name and character that it asks for;
// the name is empty before that.
type Guest struct {
	Seat      engine.Seat `json:"seat"`
	Name      string      `json:"name"`
	Character engine.ID   `json:"character"`
	// Played: the phone had this seat under this name. If it takes another name, another person has
	// the seat, and the old phones are disconnected. In a claim by a card: it is of a player's seat.
	Played bool `json:"played,omitempty"`
	// Ask is the code of a phone that asks for a seat by the code on the display, which it shows
	// too. It has not joined this seat: the host's act sit with that code lets it join. Empty: it has.
	Ask string `json:"ask,omitempty"`
	// Second: a phone that asks, or has joined, wants the same character and asked before.
	Second bool `json:"second,omitempty"`
}

// Invite is a one-time link for one seat.
type Invite struct {
	Seat   engine.Seat `json:"seat"`
	URL    string      `json:"url"`    // empty: none is open; with Joined it is for one more phone
	Joined bool        `json:"joined"` // a phone has taken this seat
	// Minutes is the time until the link ends, rounded up. Ended: it ended unused.
	Minutes int  `json:"minutes,omitempty"`
	Ended   bool `json:"ended,omitempty"`
}

// Act is a command from a phone or the host's page.
type Act struct {
	ID   string      `json:"id"`            // chosen by the page, at most 40 bytes
	Seq  uint64      `json:"seq"`           // rises with each act of one page; the table refuses repetitions
	Rev  uint64      `json:"rev,omitempty"` // Update.Rev that the page had; the table refuses an act for one replaced long ago
	Act  string      `json:"act"`
	Args engine.Args `json:"args,omitempty"`
}

// ActCutPhone disconnects the device that has connected with the key of a phone of this seat. The
// host names the seat by args {"seat": "seat-3"}, or "host".
const ActCutPhone = "cut-phone"

// ActNote stores the note sheet of the sending seat: args {"marks": text, "rev": the Update.Rev in
// which the page last received the sheet}. If another phone of the seat has changed it since, the
// table refuses; the page then adds its marks to the new sheet and sends again. The text is
// printable ASCII without quotes, backslashes, < > and &, at most MaxNotes bytes. The table stores
// at most one a second from each phone and does not interpret it.
const ActNote = "note"

// Limits of an act, in bytes and members.
const (
	MaxID    = 40  // an act's id, its name and the name of an argument
	MaxArgs  = 16  // arguments of one act
	MaxArg   = 400 // one value
	MaxMove  = 900 // all names and values of an act other than ActNote: it must be one line of a script
	MaxNotes = 900 // the marks of ActNote
)

// errAct quotes nothing, because an act may name a secret card.
var errAct = errors.New("wire: an act outside its limits")

// CheckLimits returns an error if the act exceeds its limits. It checks only the form.
func (a Act) CheckLimits() error {
	if len(a.ID) > MaxID || a.Act == "" || len(a.Act) > MaxID || len(a.Args) > MaxArgs {
		return errAct
	}
	most, all := MaxArg, MaxMove
	if a.Act == ActNote {
		most, all = MaxNotes, MaxNotes+MaxArg
	}
	for name, value := range a.Args {
		if all -= len(name) + len(value); !isWord(name) || len(name) > MaxID || len(value) > most || all < 0 {
			return errAct
		}
	}
	return nil
}

// isWord reports whether a text is a name of letters, digits, hyphens and underscores.
func isWord(text string) bool {
	return text != "" && strings.Trim(text, wordLetters) == ""
}

const wordLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

// Reply answers one act. The next Update has the same result.
type Reply struct {
	ID     string         `json:"id"`
	OK     bool           `json:"ok"`
	Reject *engine.Reject `json:"reject,omitempty"`
}
