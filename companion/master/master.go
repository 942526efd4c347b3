// Package master defines what the loop of a game (companion/game) and the parts of its game master ask of each other. A game master does
// what no rule of the game says: gives hints, runs a countdown, lights the room, pauses the game. Each of these is a part, a package in a
// folder below this one, with its own acts, events in the journal, offers, and fields in the updates that pages get. The loop keeps a list
// of parts and knows none by name (newParts in companion/game).
//
// A part implements Part, and those of the other interfaces here that it needs; the loop finds them by type assertion. It calls a part from
// one goroutine, in the order of that list. A part reads and changes the game through a Table. Package mastertest has one for tests.
package master

import (
	"encoding/json"
	"time"

	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// Part is one feature of the game master.
type Part interface {
	// Acts lists the acts that it adds for the host or for seats; nil for none.
	Acts() []Act
}

// Loader is a part that reads settings.
type Loader interface {
	// Load reads them. The loop calls it when a game has been opened, and when the journal works again after a failure.
	Load()
}

// Recorder is a part that keeps events in the journal of a game. Undo skips them: they are not steps of the game.
type Recorder interface {
	// Kinds lists the kinds of its own events.
	Kinds() []Kind
	// Reset forgets all events, before those of a game are applied from the first on.
	Reset()
	// Apply updates the part by one event: of any part, or KindPause, KindResume or KindUndo. It must not use the table, because figures are
	// made from stored games without one.
	Apply(e store.Event)
}

// Offerer is a part with acts that are offered to the host.
type Offerer interface {
	// Offers appends those that are possible now. In a pause, the loop drops those that Act.Pause does not allow.
	Offers(all []engine.Offer) []engine.Offer
}

// SeatOfferer is a part with acts that are offered to seats.
type SeatOfferer interface {
	// SeatOffers appends those that are possible now for a player, or for a guest at a free seat. The loop does not call it in a pause. During
	// a scene an offer, or its absence, must not reveal who has died or that the game has ended.
	SeatOffers(all []engine.Offer, seat engine.Seat) []engine.Offer
}

// GuestLister is a part that knows the guests: phones that have joined at seats without a player.
type GuestLister interface{ Guests() []wire.Guest }

// ActFilter is a part that checks acts of the game first.
type ActFilter interface {
	// FilterAct returns the arguments to pass on to the game. With done true the game does not get the act: the part has done it, or refuses
	// it with r.
	FilterAct(by Actor, act string, args engine.Args) (changed engine.Args, done bool, r *engine.Reject)
}

// Timer is a part that does something at a certain time.
type Timer interface {
	// Due calls due with each moment at which the part has something to do. The loop calls it again after every input, and not in a pause.
	Due(due func(at time.Time, do func()))
}

// PublicShower is a part that sets fields of the update which everybody gets: no secrets.
type PublicShower interface{ ShowPublic(u *wire.Update) }

// HostShower is a part that sets fields which the host's devices alone get.
type HostShower interface{ ShowHost(to *wire.ForHost) }

// HintShower is a part that shows hints.
type HintShower interface {
	// HintFor returns the hint for one viewer: a seat, the public or the host; nil for none.
	HintFor(v engine.Viewer) *wire.Hint
}

// Tag is one NFC tag that came into the field of a reader.
type Tag struct {
	UID  string    // unique for each tag
	Card engine.ID // the card with this tag; empty if no card of this deck has it
}

// CardTaker is a part that can take the readings of cards in place of the game.
type CardTaker interface {
	// NoteCards gets every reading, whoever takes it.
	NoteCards(at time.Time, reader string, tags []Tag)
	// TakesCards reports whether readings go to TakeCards now, and not to the game.
	TakesCards() bool
	TakeCards(reader string, tags []Tag)
	// StopTaking gives the readers back to the game.
	StopTaking()
}

// Gatekeeper is a part that can keep a game from beginning.
type Gatekeeper interface {
	// GateClosed reports whether the host has to insist now to begin a game: by args {"force": "yes"}, which the part's FilterAct removes.
	GateClosed() bool
}

// Observer is a part that follows what everybody sees.
type Observer interface {
	// Observe is called before each update is sent.
	Observe()
	// Answered gets each public answer of a reader to a card.
	Answered(reader string, told *wire.Notice)
}

// GameCloser is a part that ends something of its own before the table leaves a game for another.
type GameCloser interface{ CloseGame(author string) }

// LobbyListener is a part that acts when a new lobby has been opened in which nobody sits yet; stay are the players of another game who
// stay at the table.
type LobbyListener interface {
	LobbyOpened(author string, stay []wire.Guest)
}

// Grouper is a part that prepares its settings for the next group of players. NextGroup is called before that group's game is opened.
type Grouper interface{ NextGroup() *engine.Reject }

// Settler is a part that records afterwards what a power cut or a failure of the store has ended.
type Settler interface {
	// Settle is called after a start and after a failure, as soon as the journal can be written. It returns a notice for everybody, which is
	// shown after a start; nil for none.
	Settle() *wire.Notice
}

// PhoneWatcher is a part that depends on which phones are connected, or on who is signed in on the host's devices. Both methods report
// whether a new update has to be sent.
type PhoneWatcher interface {
	OnlineChanged(online []wire.Handset) bool
	PeopleChanged() bool
}

// SecretsShower is a part that shows the secrets of a game to one device of the host.
type SecretsShower interface {
	// Overseen returns what that device gets; nil while none does.
	Overseen() *Overseen
}

// Overseen holds the secrets that one device of the host is shown in place of the host's view.
type Overseen struct {
	By      wire.Handset // that device
	Account int          // the ID of the account that asked for it; 0 if the host's devices have no accounts
	Secrets []engine.Holding
}

// May reports whether a person who is signed in on that device may see them. Any goroutine may call it.
func (o *Overseen) May(who wire.Person) bool {
	return who.ID == o.Account && who.Role.AtLeast(wire.RoleOperator)
}

// BeginListener is a part that acts when a game has left its lobby.
type BeginListener interface{ GameBegun(author string) }

// StepFollower is a part that adds an event to a step of the game. Both are written together, so that a power cut loses neither alone.
type StepFollower interface {
	// FollowStep compares the public views before and after a step, and returns the event to add; kind "" for none.
	FollowStep(before, after *engine.View) (author, kind string, data any)
}

// OrderLister is a part with acts for programs of the house, such as wire.OrderPause.
type OrderLister interface{ Orders() []Act }

// ControlHandler is a part that serves buttons and control cards of the table.
type ControlHandler interface {
	// HandleControl does what a control is for and publishes the result; false if it is not for this part, or not possible now.
	HandleControl(by Actor, control string) bool
}

// EveningAdder is a part that adds to the summary which the display shows after a game.
type EveningAdder interface {
	AddToEvening(e *wire.Evening)
}

// FiguresAdder is a part that adds to the figures of a stored game.
type FiguresAdder interface {
	// AddToFigures is called after Apply has had all events of that game. last is the time of the last thing that happened in it.
	AddToFigures(f *wire.GameFigures, last engine.Millis)
}

// RoomSettingsLister is a part with settings that the host can keep for each group to come (package room).
type RoomSettingsLister interface {
	// RoomSettings maps the name of each to the value for a new group if none has been kept; "" leaves the setting as it is.
	RoomSettings() map[string]string
}

// Kind describes one kind of event in the journal.
type Kind struct {
	Name string
	// Minute puts an event into words for the minutes of the game, and returns the text of a hint. A message without a key, or no Minute,
	// leaves the event out.
	Minute func(e store.Event) (engine.Msg, engine.Text)
}

// Kinds of events of the loop itself.
const (
	KindPause  = "table.pause" // its data is a wire.Hold without who
	KindResume = "table.resume"
	KindUndo   = "table.undo" // its data is an Undone
)

// Undone is the data of a KindUndo: all steps of the game from Step on, up to this event, are taken back.
type Undone struct {
	Step     int64 `json:"step"`
	Insisted bool  `json:"insisted,omitempty"` // the host insisted, because a player had already seen something by it
}

// Read decodes the data of an event; false if they are damaged.
func Read(e store.Event, into any) bool { return json.Unmarshal(e.Data, into) == nil }

// Anyone is the role for acts that need no account: anybody at a device of the host may do them, even while it is locked.
const Anyone wire.Role = ""

// Actor identifies the phone, device of the host, button of the table or program of the house that does an act.
type Actor struct {
	wire.Handset             // zero for a button, a program or the clock
	Who          wire.Person // the account signed in on a device of the host; without accounts an owner with ID 0
	Author       string      // its name in the journal (store.Event.Cause)
}

// Authors of events that no Actor causes.
const (
	ByClock = "clock"
	ByScan  = "scan" // a card at a reader
	ByVote  = "vote" // all living seats
)

// Pause says in which pauses of a game an act is possible.
type Pause int

// Values of Pause. While the store fails only acts with InAnyPause are possible.
const (
	InNoPause  Pause = iota
	InHold           // while the host, a button, a program or the countdown has paused it
	WhenTimeUp       // only after the countdown has run out
	WhenLost         // only while the host decides what to do about events that the journal has lost
	InAnyPause
)

// Act is one act that a part adds. The host may do it, and seats may where Seats is set.
type Act struct {
	Name     string
	Role     wire.Role // the least role that may do it, if the host's devices have accounts
	FirstMay bool      // the first of the host's devices may do it even while locked
	Seats    bool
	Pause    Pause
	Do       Do
}

// Do does an act. It returns a notice for everybody, nil for none, or a refusal.
type Do func(by Actor, args engine.Args) (*wire.Notice, *engine.Reject)

// Refuse returns a refusal with the id of a rule, such as GEN-001, and the key of its words in the catalogues.
func Refuse(code engine.Code, rule, key string) *engine.Reject {
	return &engine.Reject{Code: code, Rule: rule, Why: engine.Say(key)}
}

// Switch offers an act that turns something on or off, args {"on": "yes" or "no"}: the one that it is not.
func Switch(act, rule string, isOn bool) engine.Offer {
	on := "yes"
	if isOn {
		on = "no"
	}
	return engine.Offer{Act: act, Rule: rule, Aside: true, Fixed: engine.Args{"on": on}}
}

// Says returns a Kind.Minute of one sentence, by its key in the catalogues.
func Says(key string) func(store.Event) (engine.Msg, engine.Text) {
	return func(store.Event) (engine.Msg, engine.Text) { return engine.Say(key), engine.Text{} }
}

// Already refuses an order of a program that would change nothing.
func Already() *engine.Reject { return Refuse(engine.NotNow, "GEN-001", "table.order.already") }

// Malformed refuses an order of a program whose argument field has a wrong value.
func Malformed(field string) *engine.Reject {
	return &engine.Reject{Code: engine.Unknown, Rule: "GEN-001", Why: engine.Say("table.order.malformed", "what", field)}
}
