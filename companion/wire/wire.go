// Package wire is the JSON that travels between the daemon and its pages: the
// envelope around a view, the acts that phones send and the answers to them.
// TypeScript types are generated from this package and from package engine.
//
// A whole view is sent each time, never a difference: to reconnect is to
// receive the last one. Version is raised when an old page would misread.
package wire

import (
	"errors"

	"majordome/engine"
)

// Version of these types.
const Version = 1

// Limits, in bytes.
const (
	MaxView = 26 << 10 // a sealed view: 4 bytes of length and the JSON of one envelope
	MaxAct  = 1 << 10  // JSON of one act
)

// Update is one view on its way to one viewer.
type Update struct {
	V     int    `json:"v"`
	Epoch uint64 `json:"epoch"` // rises with each start of the daemon
	Rev   uint64 `json:"rev"`   // rises with each step within an epoch
	Demo  bool   `json:"demo"`  // a demonstration table, no real cards
	// Seq is the highest act sequence accepted from this viewer's first phone, and Seqs
	// those of its further ones, from the second on; what is missing is 0.
	Seq  uint64      `json:"seq"`
	Seqs []uint64    `json:"seqs,omitempty"`
	View engine.View `json:"view"`
	// Left is for how many ms the window of the view (Case.Closes) was still open when this
	// was made, for pages, which do not know the clock of the game; 0 when none is. A page
	// counts down from the moment at which it first has this revision.
	Left engine.Millis `json:"left,omitempty"`
	// Waited is for how many ms those who are to act now (View.Active) have been waited for:
	// whoever has been for longest. It is made of public views alone, so that it tells what
	// everybody could have timed, and the same to all; a page counts on from there.
	Waited engine.Millis `json:"waited,omitempty"`
	// Cut is for the public: the host has ended the scene of what has happened up to this number.
	Cut int `json:"cut,omitempty"`
	// Notice is what the last refused act or bad reading told this viewer.
	Notice *Notice `json:"notice,omitempty"`
	// Paused says why the game stands still (store failure); nil while it runs.
	Paused *engine.Msg `json:"paused,omitempty"`
	// Hint is the newest of the host's that this viewer may read, until it is taken back: of the public, for the display.
	Hint *Hint `json:"hint,omitempty"`
	// Hold stands while somebody has stopped the game (then Paused says so, too): phones cover themselves until it goes on.
	Hold *Hold `json:"hold,omitempty"`
	// Overseen stands while one of the host's devices sees the secrets, the same for everybody.
	Overseen *Overseen `json:"overseen,omitempty"`
	// Count is the countdown over the game, the same for everybody; nil where there is none.
	Count *Count `json:"count,omitempty"`
	// Table is what the machine says about itself, to everybody.
	Table TableView `json:"table"`
	// Vote is a correction that the living seats are asked to agree to (GEN-009).
	Vote *Vote `json:"vote,omitempty"`
	// Notes are what this seat has marked on its note sheet, as its page wrote it
	// (ActNote); for this seat alone.
	Notes string `json:"notes,omitempty"`
	// Guest is for a phone that has joined where nobody sits yet: what it has asked for.
	Guest    *Guest              `json:"guest,omitempty"`
	Phone    int                 `json:"-"` // for this phone of its viewer alone; 0: for all of them
	*ForHost `tstype:",extends"` // nil for all others
}

// ForHost is what the host's update has and no other.
type ForHost struct {
	// Desk is how seats join.
	Desk *Desk `json:"desk,omitempty"`
	// Box is what the check of the box has found so far.
	Box *BoxCheck `json:"box,omitempty"`
	// Lost is what was recorded and is missing, while the table waits for
	// the host to go on or to restore a backup; at most 8 sentences.
	Lost []engine.Msg `json:"lost,omitempty"`
	// Machine is what is not well with the computer of the table; at most MaxFindings, the faults first.
	Machine []Finding `json:"machine,omitempty"`
	// Drawing rises within a revision when the devices of the host are shown it again, because an account has signed in or out.
	Drawing uint64 `json:"drawing,omitempty"`
}

// MaxHint is the longest hint, in bytes, MaxStock how many of a game stand ready.
const (
	MaxHint  = 160
	MaxStock = 12
)

// Hint is one as whoever it is for reads it. EN is empty where somebody has written it: then FR is what was written.
type Hint struct {
	N    int         `json:"n"`
	Own  bool        `json:"own,omitempty"` // for this seat alone
	Text engine.Text `json:"text"`
}

// Hints are for the host: how many a game may have ("off", "free" or a number), how many it had, those that can be taken back, who
// asks for one, and what stands ready.
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
	Ago  engine.Millis `json:"ago"` // how long ago when this was made
}

// AskedHint is a seat that asks for a hint, and for how long it has.
type AskedHint struct {
	Seat  engine.Seat   `json:"seat"`
	Since engine.Millis `json:"since"`
}

// StockHint is a hint that stands ready.
type StockHint struct {
	ID   string      `json:"id"`
	Text engine.Text `json:"text"`
}

// Watch is what does not go on, from what everybody sees. A page counts on from when it first had it.
type Watch struct {
	Still engine.Millis `json:"still"` // nothing has happened for so long; the game's clock stands in a pause
	Away  []AwaySeat    `json:"away,omitempty"`
	Lost  []LostReader  `json:"lost,omitempty"`
	Wrong []WrongReader `json:"wrong,omitempty"`
}

// AwaySeat is a seat none of whose phones is connected, and for how long.
type AwaySeat struct {
	Seat  engine.Seat   `json:"seat"`
	Since engine.Millis `json:"since"`
}

// LostReader is a reader that does not answer, and for how long.
type LostReader struct {
	Reader string        `json:"reader"`
	Since  engine.Millis `json:"since"`
}

// WrongReader is a reader that has asked for a card again so many times, since anything happened.
type WrongReader struct {
	Reader string `json:"reader"`
	N      int    `json:"n"`
}

// ByProgram begins the name of a program of the house in Hold.By and SentHint.By.
const ByProgram = "mqtt."

// Hold is a pause that somebody has made.
type Hold struct {
	By    string `json:"by"`              // "host", "host.2" for the second of its devices, "button", "clock", ByProgram and its name, or as ByStaff says
	Alarm bool   `json:"alarm,omitempty"` // under white light
	Over  bool   `json:"over,omitempty"`  // the countdown has ended the game
}

// Overseen says which of the host's devices sees the secrets.
type Overseen struct {
	By string `json:"by"` // as Hold.By
}

// Count is what is left of a countdown when an update was made. A page counts on from when it first had it, while it runs.
type Count struct {
	Left engine.Millis `json:"left"`
	Of   engine.Millis `json:"of"` // what was given in all
	Runs bool          `json:"runs,omitempty"`
	// Ends is when it ends by the clock of the table's computer, in seconds of Unix, for the house; 0: it stands.
	Ends int64 `json:"ends,omitempty"`
}

// Timing is what the host has chosen for the countdowns of this table: minutes of each game, 0 for none, and the seconds that a hint
// and a wrong accusation cost.
type Timing struct {
	Minutes int `json:"minutes"`
	Hint    int `json:"hint"`
	Wrong   int `json:"wrong"`
}

// Values of Desk.Light: what lights the room in the place of the game.
const (
	LightGame  = "game" // nothing does
	LightWhite = "white"
	LightDark  = "dark"
)

// Story is the evening from its beginning (GET /story.json), once the game is over. It is
// public, and all who ask are given the same bytes.
type Story struct {
	V                int       `json:"v"`
	Game             engine.ID `json:"game"`
	engine.Chronicle `tstype:",extends"`
	Evening          Evening `json:"evening"`
}

// Evening is what stands on the picture of a result beside the game.
type Evening struct {
	Team   string        `json:"team,omitempty"`
	Played engine.Millis `json:"played"`
	Hints  int           `json:"hints"`
	Of     engine.Millis `json:"of,omitempty"` // it ran against a countdown
	Left   engine.Millis `json:"left,omitempty"`
}

// Team is who plays, as its host has written it down before the game; the next group begins with a blank one.
type Team struct {
	Name   string `json:"name,omitempty"`
	Guests int    `json:"guests,omitempty"`
	Start  string `json:"start,omitempty"` // 20:30
	Lang   string `json:"lang,omitempty"`
	Notes  string `json:"notes,omitempty"` // for the host
}

// Vote is a proposed correction. It is public; what it would take back is not
// named, because that may be a secret.
type Vote struct {
	By     engine.Seat   `json:"by"`
	Agreed []engine.Seat `json:"agreed"`
	Of     []engine.Seat `json:"of"` // the living seats
}

// BoxCheck is the inventory of the box before a game: whatever is dropped past
// any reader counts once. While it is open no card reaches the game.
type BoxCheck struct {
	Kinds   []KindCount `json:"kinds"`   // in deck order
	Missing []engine.ID `json:"missing"` // not seen yet, in deck order
	Last    engine.ID   `json:"last,omitempty"`
	Foreign int         `json:"foreign"` // tags of no card of this deck
	// Where says of those of Missing that were seen lately where that was, in the order in which they are quickest to find.
	Where []LastSeen `json:"where,omitempty"`
	// Gate: the next game waits for a full box, Since so long.
	Gate  bool          `json:"gate,omitempty"`
	Since engine.Millis `json:"since,omitempty"`
}

// LastSeen is where a card was seen last in the games of a group that is gone, or since then: a reader or a place.
type LastSeen struct {
	Card engine.ID     `json:"card"`
	At   string        `json:"at"`
	Ago  engine.Millis `json:"ago"`
	Game bool          `json:"game,omitempty"` // in the game that ended so long ago
}

// KindCount counts the cards of one kind.
type KindCount struct {
	Kind engine.ID `json:"kind"`
	Seen int       `json:"seen"`
	Of   int       `json:"of"`
}

// Notice is a passing message; it is not part of the game.
type Notice struct {
	N       uint64     `json:"n"` // rising, to tell a new notice from an old one
	Msg     engine.Msg `json:"msg"`
	Rule    string     `json:"rule,omitempty"`
	Private bool       `json:"private,omitempty"` // for this seat alone
	// Signal is what the reader's light shows: SignalAgain, SignalAccepted, or "" for none.
	Signal string `json:"signal,omitempty"`
	Reader string `json:"reader,omitempty"`
	// Passing asks nothing of anybody: it goes by itself.
	Passing bool `json:"passing,omitempty"`
}

// What the light at a reader says.
const (
	SignalAgain    = "again" // present the card again
	SignalAccepted = "accepted"
)

// TableView is the public state of the machine.
type TableView struct {
	Readers map[string]string `json:"readers"` // role, or the place that a reader is in -> "ok", "lost"
	Online  []engine.Seat     `json:"online"`  // seats with a phone connected
	// Phones are the seats that more than one phone has joined. Everybody sees them, so
	// that nobody adds an eye to a seat in silence (GEN-E12).
	Phones []SeatPhones `json:"phones,omitempty"`
	// Asked are the seats where somebody has come with the key of another phone, 0 for
	// the host's page (ActCutPhone).
	Asked []engine.Seat `json:"asked,omitempty"`
	// Team is what the group calls itself, and Lang the language that the display speaks with it; empty: as the display was set.
	Team string `json:"team,omitempty"`
	Lang string `json:"lang,omitempty"`
	// Host says for the display that the host's page is nobody's: HostFree, or HostAsked while a phone
	// asks for it; empty: there is a host.
	Host string `json:"host,omitempty"`
	// URL is where phones find the pages, for the display and the host; empty while
	// there is no network. At most 255 bytes.
	URL string `json:"url,omitempty"`
	// Name is the name of the same machine that most phones know, too, such as majordome.local; at most 255 bytes.
	Name string `json:"name,omitempty"`
}

// Values of TableView.Host.
const (
	HostFree  = "free"
	HostAsked = "asked"
)

// SeatPhones are the phones of one seat.
type SeatPhones struct {
	Seat   engine.Seat `json:"seat"`
	Phones []int       `json:"phones"` // their numbers, rising
	Online []int       `json:"online"` // those among them that are connected
}

// Desk is what the host's page shows beside the public view.
type Desk struct {
	Invites []Invite `json:"invites"` // one more than players and guests while somebody can still come
	Guests  []Guest  `json:"guests,omitempty"`
	// Hosts are the devices with the host's page, the first of them first.
	Hosts []HostDevice `json:"hosts"`
	Watch *Watch       `json:"watch,omitempty"`
	// Read are the seats that have read what the game is about, in the lobby.
	Read []engine.Seat `json:"read,omitempty"`
	// Undo is what the table was told of the act that undo takes back; nil: nothing, or there is no such act.
	Undo *engine.Msg `json:"undo,omitempty"`
	// Light is LightGame or what stands before it; empty where there are no lights.
	Light       string `json:"light,omitempty"`
	ForOperator `tstype:",extends"`
}

// ForOperator is what a device of the host shows beside, where somebody with at least the role of an operator is signed in, or there are no
// accounts.
type ForOperator struct {
	// Pleas are the devices that ask for the host's page, at most six, and Waiting how many more wait for their turn to be shown.
	Pleas   []Plea  `json:"pleas,omitempty"`
	Waiting int     `json:"waiting,omitempty"`
	Hints   *Hints  `json:"hints,omitempty"`
	Team    *Team   `json:"team,omitempty"`
	Timing  *Timing `json:"timing,omitempty"`
}

// HostDevice is one with the host's page.
type HostDevice struct {
	N      int    `json:"n"`              // 1 for the first; MaxHosts at most
	Kind   string `json:"kind,omitempty"` // as Plea has it
	Online bool   `json:"online"`
}

// Plea is a device that asks for the host's page. Nothing in it was chosen by whoever asks but one of the kinds.
type Plea struct {
	Code    string `json:"code"`           // four figures that it shows, too
	Kind    string `json:"kind,omitempty"` // what its browser says that it is: one of DeviceKinds, "" for none of them
	Minutes int    `json:"minutes"`        // since it asked, whole ones
}

// DeviceKinds are what a browser may say that it runs on.
var DeviceKinds = []string{"iphone", "ipad", "android", "windows", "mac", "linux"}

// Guest is a phone that has joined where nobody sits yet, with what it asks for; the name is empty until it does.
type Guest struct {
	Seat      engine.Seat `json:"seat"`
	Name      string      `json:"name"`
	Character engine.ID   `json:"character"`
	// Played: it had this seat under this name. Under another name somebody else sits there, and its phones are cut off.
	Played bool `json:"played,omitempty"`
}

// Invite is a one-time link for one seat.
type Invite struct {
	Seat   engine.Seat `json:"seat"`
	URL    string      `json:"url"`    // empty: none is open; beside Joined it is for one phone more
	Joined bool        `json:"joined"` // a phone has taken this seat
	// Minutes are left until the link ends, rounded up; Ended: it did, unused.
	Minutes int  `json:"minutes,omitempty"`
	Ended   bool `json:"ended,omitempty"`
}

// Act is what a phone or the host's page sends.
type Act struct {
	ID   string      `json:"id"`  // chosen by the page, at most 40 bytes
	Seq  uint64      `json:"seq"` // rises for each act of one page; replays are refused
	Act  string      `json:"act"`
	Args engine.Args `json:"args,omitempty"`
}

// ActCutPhone turns away who has come with the key of a phone of this seat; the host
// says where by args {"seat": "seat-3"} or "host".
const ActCutPhone = "cut-phone"

// ActNote keeps the note sheet of the seat that sends it: args {"marks": text, "rev":
// the Update.Rev in which the page last saw that sheet}. Where another phone of the
// seat has written since, it is refused: the page puts its marks on what it is then
// shown, and sends again. The text is printable ASCII without quotes, backslashes, < >
// and &, at most MaxNotes bytes; the table keeps one a second of each phone and reads
// none of it.
const ActNote = "note"

// Limits of an act, in bytes and members.
const (
	MaxID    = 40  // an act's id, its name and the name of an argument
	MaxArgs  = 16  // arguments of one act
	MaxArg   = 400 // one value
	MaxNotes = 900 // the marks of ActNote
)

// errAct quotes nothing: an act may name a secret card.
var errAct = errors.New("wire: an act outside its limits")

// Check reports whether the act keeps its limits. It judges form only.
func (a Act) Check() error {
	if len(a.ID) > MaxID || a.Act == "" || len(a.Act) > MaxID || len(a.Args) > MaxArgs {
		return errAct
	}
	for name, value := range a.Args {
		most := MaxArg
		if a.Act == ActNote {
			most = MaxNotes
		}
		if len(name) > MaxID || len(value) > most {
			return errAct
		}
	}
	return nil
}

// Reply answers one act. The same outcome stands in the next Update.
type Reply struct {
	ID     string         `json:"id"`
	OK     bool           `json:"ok"`
	Reject *engine.Reject `json:"reject,omitempty"`
}
