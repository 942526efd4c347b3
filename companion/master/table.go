package master

import (
	"log/slog"
	"time"

	"majordome/companion/store"
	"majordome/companion/wire"
	"majordome/engine"
)

// Table is what a part asks of the loop, and has it do.
type Table interface {
	Game() int64           // the number of the game in the journal
	Book() engine.Rulebook // by which it is played
	Public() *engine.View  // as it is; during a scene the display alone shows that. Nobody may change it
	Step() int64           // the last step on disk
	Played() engine.Millis // the stamp of the last step of the game itself
	// HostOffers are the acts of the game that its host may do now, and Play does one of them.
	HostOffers() []engine.Offer
	Play(author, act string, args engine.Args) *engine.Reject
	Try(act string, args engine.Args) *engine.Reject // what the game would answer
	// LastAct is what an undo would take back, and TakeBack does; Withdrawable reports that it was a public declaration of this seat by which
	// nobody has learned or lost anything.
	LastAct() LastAct
	TakeBack(author string) *engine.Reject
	Withdrawable(seat engine.Seat) bool
	InLobby() bool // it has not begun
	InScene() bool // the display plays a reveal, and phones stand at the step before
	Ended() bool   // it is over for all to see: not during a scene

	// Now is the clock of the game, which stands in a pause and knows no time of day; When is the moment at which it shows a time.
	Now() engine.Millis
	When(at engine.Millis) time.Time
	Wall() time.Time

	Paused() bool     // for whatever reason
	Held() *wire.Hold // by whom the game is paused; nil: by nobody
	// Hold pauses the game until Release; both are on disk before anybody is told.
	Hold(author string, h wire.Hold) *engine.Reject
	Release(author string) *engine.Reject

	// Record writes an event of a part; a journal that cannot pauses the game, and the event has not happened.
	Record(author, kind string, data any) *engine.Reject
	// Lying is where each card of an earlier game lay at last: in the urn or in a place; "": in a hand. Ended is its last moment.
	Lying(game int64) (at map[engine.ID]string, ended time.Time)
	Setting(name string) (value string, ok bool, err error)
	// Set keeps a setting of the table; a journal that cannot pauses the game.
	Set(name, value string) *engine.Reject
	RoomSettings() map[string]string // those of all parts (Roomer)
	// Results are those of finished games, the newest first.
	Results(limit int) ([]store.Result, error)

	// ForgetReadings forgets what the readers see and have not judged.
	ForgetReadings()
	// Publish shows what has changed, with a notice for everybody or nil. After an act the loop does it.
	Publish(n *wire.Notice)
	// Passing makes a notice that stands for some seconds, whatever is shown meanwhile.
	Passing(said engine.Msg) *wire.Notice
	// News makes one about phones (GEN-011).
	News(said engine.Msg) *wire.Notice

	Readers() map[string]string    // the role of each and its state
	ReaderName(role string) string // the name by which the game knows a reader
	SeatsOnline() []engine.Seat    // with a phone connected
	IsOnline(h wire.Handset) bool
	// Afresh forgets how far phones have counted their acts: what was sealed with their keys opens no more.
	Afresh(gone func(wire.Handset) bool)
	Phones() []wire.SeatPhones  // that have joined, of each seat with any
	Mark(h wire.Handset) string // it tells the phone that has joined as h from each other, before it and after it; "": none has
	Who(h wire.Handset) wire.Person
	Secrets() []engine.Holding // who holds what, as it is
	Enrolled() []engine.ID     // the cards that have a tag
	Lights() Lights            // nil: there are none
	Log() *slog.Logger
}

// LastAct is the last step of a game that somebody has brought about, and the deadlines that came after it.
type LastAct struct {
	Step int64 // its number; 0: there is none
	Last int64 // that of the last of these deadlines
}

// Reader states of Table.Readers.
const (
	ReaderOK   = "ok"
	ReaderLost = "lost"
)

// Lights are the lights of the room, in the place of those of the game. They must not block.
type Lights interface {
	// SetOver lights the room: wire.LightWhite, LightDark, or LightGame again; Over is what does now, which somebody else may have changed.
	SetOver(to string)
	Over() string
}

// Seated reports that somebody sits at a seat.
func Seated(v *engine.View, seat engine.Seat) bool {
	for _, s := range v.Seats {
		if s.Seat == seat {
			return true
		}
	}
	return false
}
