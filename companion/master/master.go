// Package master defines the interfaces between the loop of a game (companion/game) and the parts of its game
// master. A game master does things that are not in the rules of a game: it gives hints, runs a countdown,
// lights the room, pauses the game. Each of these is a part, a package in a folder below this one, with acts,
// events in the journal, offers, and fields in the updates for pages. The loop has a list of parts (newParts in
// companion/game) and calls them only through these interfaces.
//
// A part implements Part and any other interfaces that it needs; the loop finds them by type assertion. The
// loop calls the parts from one goroutine, in the order of its list. A part reads and changes the game through
// a Table. Package mastertest has a Table for tests.
package master

import (
	"encoding/json"
	"time"

	"majordome/companion/proof"
	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// Part is one feature of the game master.
type Part interface {
	// Acts returns the acts that the part adds for the host or for seats; nil for none.
	Acts() []Act
}

// Loader is a part that reads settings.
type Loader interface {
	// LoadSettings reads them. The loop calls it when it has opened a game, and when the journal works again
	// after a failure.
	LoadSettings()
}

// Recorder is a part that keeps events in the journal of a game. Undo skips them: they are not steps of the game.
type Recorder interface {
	// EventKinds returns the kinds of its own events.
	EventKinds() []EventKind
	// ResetEvents forgets all events. Then all events of a game are applied, from the first on.
	ResetEvents()
	// ApplyEvent updates the part by one event: of any part, or KindPause, KindResume or KindUndo. It must not
	// use the table, because figures are made from stored games without one.
	ApplyEvent(e store.Event)
}

// Offerer is a part with acts that are offered to the host.
type Offerer interface {
	// AppendOffers appends those that are possible now. In a pause the loop drops those that Act.Pause does not
	// allow.
	AppendOffers(all []engine.Offer) []engine.Offer
}

// SeatOfferer is a part with acts that are offered to seats.
type SeatOfferer interface {
	// AppendSeatOffers appends those that are possible now for a player, or for a guest at a free seat. The
	// loop does not call it in a pause. During a scene an offer, or its absence, must not show who has died or
	// that the game has ended.
	AppendSeatOffers(all []engine.Offer, seat engine.Seat) []engine.Offer
}

// GuestLister is a part that knows the guests: phones that have joined at seats without a player.
type GuestLister interface{ Guests() []wire.Guest }

// ActFilter is a part that checks acts of the game first.
type ActFilter interface {
	// FilterAct returns the arguments for the game. If done is true the game does not get the act: the part has
	// done it, or refuses it with r.
	FilterAct(by Actor, act string, args engine.Args) (changed engine.Args, done bool, r *engine.Reject)
}

// Timer is a part that does something at certain times.
type Timer interface {
	// ListTimers calls due with each moment at which the part has something to do. The loop calls it after each
	// input, but not in a pause.
	ListTimers(addTimer func(at time.Time, do func()))
}

// PublicShower is a part that sets fields of the public update. They must not contain secrets.
type PublicShower interface{ ShowPublic(u *wire.Update) }

// HostShower is a part that sets fields which only the host's devices get.
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
	// ObserveCards gets all readings, even those that another part or the game takes.
	ObserveCards(at time.Time, reader string, tags []Tag)
	// IsTakingCards reports whether readings go to TakeCards now instead of the game.
	IsTakingCards() bool
	// TakeCards handles the tags of one reading, in place of the game.
	TakeCards(reader string, tags []Tag)
	// StopTakingCards gives the readers back to the game.
	StopTakingCards()
}

// Gatekeeper is a part that can keep a game from beginning.
type Gatekeeper interface {
	// IsGateClosed reports whether a game only begins now if the host adds {"force": "yes"}, which the part's
	// FilterAct removes.
	IsGateClosed() bool
}

// Observer is a part that follows what all viewers see.
type Observer interface {
	// ObserveStep is called before each step is published.
	ObserveStep()
	// ObserveAnswer gets each public answer of a reader to a card.
	ObserveAnswer(reader string, told *wire.Notice)
}

// StartBlocker is a part that can pause the table at its start, until the host has done one of its acts with the
// Pause WhenLost.
type StartBlocker interface {
	// StartPause returns why; nil: it need not be paused.
	StartPause() *engine.Msg
}

// GameCloser is a part that has to end something of its own. It is called before the table closes a game.
type GameCloser interface{ HandleGameClosing(author string) }

// LobbyListener is a part that acts when a new lobby without players has been opened. stay are the players of
// another game who stay at the table.
type LobbyListener interface {
	HandleLobbyOpened(author string, stay []wire.Guest)
}

// GroupListener is a part that prepares its settings for the next group of players. PrepareNextGroup is called
// before the game of that group is opened.
type GroupListener interface{ PrepareNextGroup() *engine.Reject }

// InterruptionRecorder is a part that records, when the journal works again, what a power cut or a failure of
// the store has interrupted.
type InterruptionRecorder interface {
	// RecordInterruption is called after a start and after a failure, as soon as the journal can be written. It
	// returns a notice for all viewers, which is only shown after a start; nil for none.
	RecordInterruption() *wire.Notice
}

// PhoneWatcher is a part that depends on the connected phones, or on the people signed in on the host's
// devices. Both methods are called after a change, and report whether a new update has to be sent.
type PhoneWatcher interface {
	HandleOnlineChange(online []wire.Handset) bool
	HandlePeopleChange() bool
}

// SecretsShower is a part that shows the secrets of a game to one device of the host.
type SecretsShower interface {
	// OverseerView returns the view for that device; nil while none has it.
	OverseerView() *OverseerView
}

// OverseerView holds the secrets that one device of the host sees in place of the host's view.
type OverseerView struct {
	By      wire.Handset // that device
	Account int          // the ID of the account that asked for it; 0 if the host's devices have no accounts
	Secrets []engine.Holding
}

// CanSee reports whether a person who is signed in on that device may see them. Any goroutine may call it.
func (o *OverseerView) CanSee(who wire.Person) bool {
	return who.ID == o.Account && who.Role.Includes(wire.RoleOperator)
}

// BeginListener is a part that acts when a game has left its lobby.
type BeginListener interface{ HandleGameBegun(author string) }

// Seeder is a part that makes the seed of all dice of a game.
type Seeder interface {
	// JointSeed returns the seed for the game that an act of the host begins; nil: each step gets a random one. If wait is true
	// the game must not begin yet: the part does the act again, by PlayAct.
	JointSeed(author string, args engine.Args) (joint *proof.Joint, wait bool)
}

// StepFollower is a part that adds an event to a step of the game. Both are written together, so that a power
// cut never loses only one of them.
type StepFollower interface {
	// EventForStep compares the public views before and after a step, and returns the event to add; kind "" for none.
	EventForStep(before, after *engine.View) (author, kind string, data any)
}

// OrderLister is a part with acts for programs of the house, such as wire.OrderPause.
type OrderLister interface{ Orders() []Act }

// ControlHandler is a part that serves buttons and control cards of the table.
type ControlHandler interface {
	// HandleControl does what a control is for and publishes the result; false if it is not for this part, or not possible now.
	HandleControl(by Actor, control string) bool
}

// EveningAdder is a part that adds to the summary on the display after a game.
type EveningAdder interface {
	AddToEvening(e *wire.Evening)
}

// Suspecter is a part that knows whom players suspect outside the rules of the game, such as ghosts.
type Suspecter interface {
	// Suspicions returns what all may know of it. It is called after the end.
	Suspicions() []engine.Suspicion
}

// FiguresAdder is a part that adds to the figures of a stored game.
type FiguresAdder interface {
	// AddToFigures is called after ApplyEvent has had all events of that game. last is the time of the last
	// public step of the game.
	AddToFigures(f *wire.GameFigures, last engine.Millis)
}

// RoomSettingsLister is a part with settings that the host can save for each later group (package room).
type RoomSettingsLister interface {
	// RoomSettings returns the names of those settings, each with its value for a new group if none was saved;
	// "" leaves the setting as it is.
	RoomSettings() map[string]string
}

// EventKind describes one kind of event in the journal.
type EventKind struct {
	Name string
	// MinutesLine returns the words for an event in the minutes (the written record) of the game, and the text of a
	// hint. An event is left out if the message has no key or MinutesLine is nil.
	MinutesLine func(e store.Event) (engine.Msg, engine.Text)
}

// Kinds of events of the loop itself.
const (
	KindPause  = "table.pause" // its data is a wire.Hold without By
	KindResume = "table.resume"
	KindUndo   = "table.undo" // its data is an Undone
)

// Undone is the data of a KindUndo: it makes all steps of the game from Step up to this event void.
type Undone struct {
	Step     int64 `json:"step"`
	Insisted bool  `json:"insisted,omitempty"` // the host added force, because a player had seen something by the step
}

// DecodeData decodes the data of an event into a value; false if they are damaged.
func DecodeData(e store.Event, into any) (isSound bool) { return json.Unmarshal(e.Data, into) == nil }

// Anyone is the role for acts that need no account: any person at a device of the host may do them, even while
// it is locked.
const Anyone wire.Role = ""

// Actor identifies the phone, device of the host, button of the table or program of the house that does an act.
type Actor struct {
	wire.Handset             // zero for a button, a program or the clock
	Who          wire.Person // the account signed in on a device of the host; without accounts an owner with ID 0
	Author       string      // name in the journal (store.Event.Cause)
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

// Act is one act that a part adds. The host may do it, and if Seats is true seats may too.
type Act struct {
	Name           string
	Role           wire.Role // the least role that may do it, if the host's devices have accounts
	FirstDeviceMay bool      // the first of the host's devices may do it even while locked
	Seats          bool
	Silent         bool // it does not show a player who has read the private notice: the phone may send it unasked
	Signed         bool // it asks for a signature; a person signed in to an account is not asked and signs with that name
	Pause          Pause
	Do             ActFunc
}

// ActFunc does an act. It returns a notice for all viewers, nil for none, or a refusal.
type ActFunc func(by Actor, args engine.Args) (*wire.Notice, *engine.Reject)

// Refuse returns a refusal with the id of a rule, such as GEN-001, and the catalogue key of its message.
func Refuse(code engine.Code, rule, key string) *engine.Reject {
	return &engine.Reject{Code: code, Rule: rule, Why: engine.NewMsg(key)}
}

// SwitchOffer returns an offer to turn something on if it is off, and off if it is on: args {"on": "yes" or
// "no"}.
func SwitchOffer(act, rule string, isOn bool) engine.Offer {
	on := "yes"
	if isOn {
		on = "no"
	}
	return engine.Offer{Act: act, Rule: rule, Aside: true, Fixed: engine.Args{"on": on}}
}

// SetLobbySwitch does the act of such an offer that belongs to a whole game: in the lobby it stores the choice as a
// setting, "yes" or "no", and returns it.
func SetLobbySwitch(t Table, setting, rule string, args engine.Args) (on bool, r *engine.Reject) {
	chosen := args["on"]
	switch {
	case chosen != "yes" && chosen != "no":
		return false, Refuse(engine.Unknown, rule, "table.unknown")
	case !t.InLobby():
		return false, Refuse(engine.NotNow, rule, "table.secrets.lobby")
	}
	return chosen == "yes", t.SetSetting(setting, chosen)
}

// FixedMinutesLine returns an EventKind.MinutesLine that is always the same sentence, given by its catalogue key.
func FixedMinutesLine(key string) func(store.Event) (engine.Msg, engine.Text) {
	return func(store.Event) (engine.Msg, engine.Text) { return engine.NewMsg(key), engine.Text{} }
}

// RefuseUnchanged refuses an order of a program that would change nothing.
func RefuseUnchanged() *engine.Reject { return Refuse(engine.NotNow, "GEN-001", "table.order.already") }

// RefuseMalformed refuses an order of a program in which an argument has a wrong value.
func RefuseMalformed(field string) *engine.Reject {
	return &engine.Reject{Code: engine.Unknown, Rule: "GEN-001", Why: engine.NewMsg("table.order.malformed", "what", field)}
}
