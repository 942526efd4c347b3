// Package master is the contract between the loop of a game and what its game master does beside the rules of that game: hints, a
// countdown, the light of the room, who may see what. Each of these is a part, in a folder below this one: with its acts, the events that
// it keeps in the journal and a fold over them, its offers and its piece of what is shown. The loop holds a list of parts and knows none
// by name.
//
// A part implements Part and, of the other interfaces of this package, those that it needs. The loop calls all of it from one goroutine.
package master

import (
	"encoding/json"
	"time"

	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// Part is one thing that a game master does.
type Part interface {
	// Acts are the acts that it adds.
	Acts() []Act
}

// Loader is a part that reads settings of the table.
type Loader interface {
	// Load is called when a game has been put on the table, and when the journal works again.
	Load()
}

// Recorder is a part with events in the journal of a game. They are no steps of the game: undo passes them over.
type Recorder interface {
	Kinds() []Kind
	// Reset forgets all events: those of another game follow, or the same again.
	Reset()
	// Apply folds one event in: of any part, KindPause, KindResume or KindUndo. It does not use the table, so that a game of the journal
	// can be told without one.
	Apply(e store.Event)
}

// Offerer is a part with acts that are offered to the host.
type Offerer interface {
	// Offers adds those that are possible now. Those that the present pause does not allow are left out by the loop.
	Offers(all []engine.Offer) []engine.Offer
}

// Seater is a part with acts that are offered to seats.
type Seater interface {
	// SeatOffers adds those that are possible now, at a seat or for a guest at a free one. It is not asked in a pause. During a scene what is
	// offered or refused must not tell who has died, nor that all is over.
	SeatOffers(all []engine.Offer, seat engine.Seat) []engine.Offer
}

// Greeter is a part that knows the guests: phones at seats where nobody sits yet.
type Greeter interface{ Guests() []wire.Guest }

// Filter is a part that looks at acts of the game before the game does.
type Filter interface {
	// Filter returns the arguments with which the game is to judge an act. Done: it has done the act, or refuses it, and the game is not asked.
	Filter(by Actor, act string, args engine.Args) (changed engine.Args, done bool, r *engine.Reject)
}

// Timer is a part that does something at a time.
type Timer interface {
	// Due names each moment at which it has something to do. It is asked again after every input.
	Due(due func(at time.Time, do func()))
}

// Shower is a part that shows everybody the same.
type Shower interface{ Show(u *wire.Update) }

// HostShower is a part that shows the host something.
type HostShower interface{ ShowHost(to *wire.ForHost) }

// HintShower is a part that shows one viewer a hint: a seat, the public or the host.
type HintShower interface {
	Hint(v engine.Viewer) *wire.Hint
}

// Tag is one NFC tag that came into a reader's field.
type Tag struct {
	UID  string    // tells one tag from another
	Card engine.ID // the card that carries it; empty for a tag of no card of this deck
}

// CardTaker is a part that may take the cards at the readers before the game does.
type CardTaker interface {
	// Sees is called with every reading.
	Sees(at time.Time, reader string, tags []Tag)
	// Takes reports that cards come to Take now, and not to the game; Stop ends that.
	Takes() bool
	Take(reader string, tags []Tag)
	Stop()
}

// Gatekeeper is a part that keeps a game from beginning.
type Gatekeeper interface {
	// Closed reports that a game cannot begin unless the host insists (args {"force": "yes"}, which its Filter takes out).
	Closed() bool
}

// Observer is a part that counts what goes on.
type Observer interface {
	// Observe is called before each step is shown.
	Observe()
	// Answered is called with what a reader says in public.
	Answered(reader string, told *wire.Notice)
}

// Leaver is a part that closes something before the game is put away.
type Leaver interface{ Leave(author string) }

// Opener is a part for which it counts that a lobby has been opened anew, with nothing of the last game in it.
type Opener interface{ Opened(author string) }

// Grouper is a part that forgets a group when the next one comes, before its game is put on the table.
type Grouper interface{ NextGroup() *engine.Reject }

// Settler is a part that puts on record what a power cut or trouble with the store has ended.
type Settler interface {
	// Settle is called when the journal can be written, after a start or after trouble. It returns what everybody is told after a start.
	Settle() *wire.Notice
}

// PhoneWatcher is a part to which it matters which phones are connected and who is signed in on the host's devices. Both methods report
// that there is something new to show.
type PhoneWatcher interface {
	OnlineChanged(online []wire.Handset) bool
	PeopleChanged() bool
}

// Overseer is a part that shows one device of the host who holds what.
type Overseer interface {
	// Oversees returns what it shows; nil: nothing.
	Oversees() *Overseen
}

// Overseen is what one device of the host sees in the place of the host's view.
type Overseen struct {
	By      wire.Handset
	Account int // that has opened it; 0: there are none
	Secrets []engine.Holding
}

// May reports that who is signed in on that device may have it. It may be called from any goroutine.
func (o *Overseen) May(who wire.Person) bool {
	return who.ID == o.Account && who.Role.AtLeast(wire.RoleOperator)
}

// Beginner is a part for which the beginning of a game counts.
type Beginner interface{ Begun(author string) }

// Follower is a part that has an event of its own follow a step of the game, on disk with it, so that no power cut comes between.
type Follower interface {
	// Follow returns that event, by its kind and data; kind is "" where there is none.
	Follow(before, after *engine.View) (author, kind string, data any)
}

// Orderer is a part that does what programs of the house ask for (wire.OrderPause and so on).
type Orderer interface{ Orders() []Act }

// Presser is a part that does what a button or a control card of the table asks for; false: nothing.
type Presser interface {
	Press(by Actor, control string) bool
}

// Teller is a part of which a game that is over tells.
type Teller interface {
	// Tell adds to what stands on the picture of the evening.
	Tell(e *wire.Evening)
}

// Counter is a part that adds to the figures of a stored game, of which it has been applied every event.
type Counter interface {
	// Count adds them; last is when the table last saw something of the game happen.
	Count(f *wire.GameFigures, last engine.Millis)
}

// Roomer is a part with settings that a room keeps for each group.
type Roomer interface {
	// RoomSettings are their names, each with what a new group begins with where the room has kept nothing: "" for what is set.
	RoomSettings() map[string]string
}

// Kind is a kind of event.
type Kind struct {
	Name string
	// Minute returns an event in words for the minutes of the game, and of a hint what was written; a message without a key: it does not
	// stand there.
	Minute func(e store.Event) (engine.Msg, engine.Text)
}

// Kinds of events of the loop itself.
const (
	KindPause  = "table.pause" // its data is a wire.Hold without who
	KindResume = "table.resume"
	KindUndo   = "table.undo" // its data is an Undone
)

// Undone is what an undo takes back: the group of steps that begins with one.
type Undone struct {
	Step     int64 `json:"step"`
	Insisted bool  `json:"insisted,omitempty"` // somebody had seen something by it
}

// Read decodes the data of an event; false where it is damaged.
func Read(e store.Event, into any) bool { return json.Unmarshal(e.Data, into) == nil }

// Anyone is the role of who stands at a device of the host that is locked.
const Anyone wire.Role = ""

// Actor is who does something: a phone, a device of the host, a button of the table or a program of the house.
type Actor struct {
	wire.Handset             // zero for a button, a program or the clock
	Who          wire.Person // the account signed in on a device of the host
	Author       string      // as the journal names it
}

// Authors of what nobody in particular does.
const (
	ByClock = "clock"
	ByScan  = "scan" // a card at a reader
	ByVote  = "vote" // all living seats
)

// Pause is in which pauses of a game an act can be done.
type Pause int

// The pauses of Pause. A pause of the store, in which nothing can be written, is in InAnyPause alone.
const (
	InNoPause  Pause = iota
	InHold           // while somebody, or the countdown, holds the game
	WhenTimeUp       // once the countdown has ended it
	WhenLost         // while the host decides about what the journal has lost
	InAnyPause
)

// Act is an act of the host, or of seats, that no rule of a game knows.
type Act struct {
	Name     string
	Role     wire.Role // the least role that may do it, where the host's devices have accounts
	FirstMay bool      // the first of the host's devices may do it while it is locked, too
	Seats    bool      // seats may do it, too
	Pause    Pause
	Do       Do
}

// Do does an act. It returns what everybody is told of it, nil for nothing, or why it is refused.
type Do func(by Actor, args engine.Args) (*wire.Notice, *engine.Reject)

// Refuse returns a refusal under a rule, in the words of a key of the catalogues.
func Refuse(code engine.Code, rule, key string) *engine.Reject {
	return &engine.Reject{Code: code, Rule: rule, Why: engine.Say(key)}
}

// Already refuses an order of a program for what is so already, and Malformed one with a value that no program should have sent.
func Already() *engine.Reject { return Refuse(engine.NotNow, "GEN-001", "table.order.already") }

// Malformed is described with Already.
func Malformed(field string) *engine.Reject {
	return &engine.Reject{Code: engine.Unknown, Rule: "GEN-001", Why: engine.Say("table.order.malformed", "what", field)}
}
